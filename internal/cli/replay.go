package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/replay"
)

func newReplay(streams *Streams, g *global) *cobra.Command {
	server := ""
	cmd := &cobra.Command{
		Use:   "replay TRACE [COMMAND ...]",
		Short: "Run a command with the answers that servers gave in a trace",
		Long: "replay runs a command of lspine, check if none is named, and takes the answers of\n" +
			"language servers from a trace instead of starting these. A trace is made by any\n" +
			"command, hook or server of ours whose environment has LSPINE_TRACE=FILE, an\n" +
			"absolute path. It holds the texts of files, so think before you pass it on.\n\n" +
			"The files must be as they were when the trace was made; the folder may be another\n" +
			"one. A question to which the trace has no answer fails, and is named at the end.",
		Example: "  LSPINE_TRACE=/tmp/trace.jsonl lspine check main.go\n" +
			"  lspine replay /tmp/trace.jsonl check main.go",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := fspath.Open(absolute(streams.Dir, args[:1])[0])
			if err != nil {
				return &usageError{"the trace: " + err.Error(), "name a file that " + traceVariable + " made"}
			}
			defer file.Close()
			played, err := replay.Read(file)
			if err != nil {
				return &usageError{err.Error(), "name a file that " + traceVariable + " made"}
			}
			if server != "" {
				return serveReplay(streams, played, server)
			}
			return g.runReplay(cmd.Context(), streams, played, file.Name(), args[1:])
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&server, "serve", "", "the id of a server to play on standard input and output")
	_ = cmd.Flags().MarkHidden("serve") // for ourselves
	return cmd
}

// replayed are the settings that have us play the servers of a trace.
type replayed struct {
	Servers map[string]replayedServer `json:"servers"`
}

type replayedServer struct {
	Command []string `json:"command"`
}

// runReplay runs a command in this process, with servers that are played.
func (g *global) runReplay(ctx context.Context, streams *Streams, played *replay.Replay, file string, args []string) error {
	ids := played.Servers()
	if len(ids) == 0 {
		return &usageError{file + " has nothing that a server said", "name a file that " + traceVariable + " made"}
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	settings := replayed{Servers: make(map[string]replayedServer)}
	for _, id := range ids {
		settings.Servers[id] = replayedServer{Command: []string{program, "replay", "--serve", id, file}}
	}
	given, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"check"}
	}
	for name, value := range map[string]string{"--root": g.root, "--config": g.configFile} {
		if value != "" {
			args = append([]string{name, value}, args...)
		}
	}
	root := newRootFor(&global{given: given, givenBy: file, replays: true}, streams, "")
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	return root.ExecuteContext(ctx)
}

// serveReplay plays a server on standard input and output.
func serveReplay(streams *Streams, played *replay.Replay, server string) error {
	unanswered, err := played.Serve(server, streams.In, streams.wire())
	if len(unanswered) > 0 {
		fmt.Fprintf(streams.Err, "replay: the trace has no answer of %s to %s\n", server, strings.Join(unanswered, ", "))
	}
	return err
}
