package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/daemon"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
)

func newDaemon(streams *Streams, g *global) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "daemon",
		Short: "Show or stop the process that keeps servers running, or print its log",
		Long: "A daemon keeps the language servers of a workspace running, for `lspine mcp` and\n" +
			"for the commands of the command line. It starts when one of them first needs it,\n" +
			"and ends by itself when it has had no client for lsp.daemonIdle. With \"daemon\":\n" +
			"\"never\" in the configuration, or LSPINE_DAEMON=never, there is none; nor does\n" +
			"the command line use one where CI is set.",
		Example: "  lspine daemon status\n  lspine daemon stop --all",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDaemonStatus(streams, g), newDaemonStop(streams, g), newDaemonLogs(streams, g), newDaemonRun(streams, g))
	return cmd
}

// daemonsOf returns the daemon of the workspace or, with all, every daemon of the user.
func (g *global) daemonsOf(ctx context.Context, streams *Streams, all bool) ([]daemon.Found, error) {
	root := ""
	if !all {
		var err error
		if root, err = g.resolveRoot(streams); err != nil {
			return nil, err
		}
		if root, err = fspath.Real(root); err != nil {
			return nil, err
		}
	}
	return daemon.List(ctx, streams.Environ, root)
}

func newDaemonStatus(streams *Streams, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List your daemons",
		Long: "status lists your daemons, for all workspaces: their process, version and\n" +
			"clients, and which ended abnormally. `lspine status` shows the servers of one.",
		Example: "  lspine daemon status\n  lspine daemon status --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := g.daemonsOf(cmd.Context(), streams, true)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(streams, struct {
					Daemons []daemon.Found `json:"daemons"`
				}{append([]daemon.Found{}, list...)})
			}
			return daemonText(streams.Out, list, time.Now())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

// daemonText prints daemons, one per line.
func daemonText(w io.Writer, list []daemon.Found, now time.Time) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no daemon runs")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range list {
		if f.Status == nil {
			fmt.Fprintf(table, "%s\tpid %d\tdoes not answer: %s\n", legible.Line(f.Record.Root), f.Record.PID, legible.Line(f.Problem))
			continue
		}
		version, _, _ := strings.Cut(f.Status.Version, "@")
		line := fmt.Sprintf("%s\tpid %d\t%s\tup %s", legible.Line(f.Status.Root), f.Status.PID, version, now.Sub(f.Status.Started).Round(time.Second))
		if f.Status.Draining {
			line += ", ends with its last client"
		}
		var clients []string
		for _, s := range f.Status.Sessions {
			clients = append(clients, s.Name)
		}
		if len(clients) == 0 {
			clients = []string{"none"}
		}
		fmt.Fprintf(table, "%s\tclients: %s\n", line, legible.Line(strings.Join(clients, ", ")))
	}
	return table.Flush()
}

func newDaemonStop(streams *Streams, g *global) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Stop the daemon of the workspace, and its servers",
		Long: "stop lets calls in progress finish for up to ten seconds, and ends the daemon of\n" +
			"the workspace with its servers; with --all, all your daemons. The next command\n" +
			"that needs one starts it again.",
		Example: "  lspine daemon stop\n  lspine daemon stop --all",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := g.daemonsOf(cmd.Context(), streams, all)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), stopTimeout)
			defer cancel()
			var failures []error
			for _, f := range list {
				if err := f.Stop(ctx); err != nil {
					failures = append(failures, fmt.Errorf("pid %d of %s: %w", f.Record.PID, f.Record.Root, err))
					continue
				}
				fmt.Fprintf(streams.Out, "stopped pid %d of %s\n", f.Record.PID, legible.Line(f.Record.Root))
			}
			if len(list) == 0 {
				fmt.Fprintln(streams.Out, "no daemon runs")
			}
			return errors.Join(failures...)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all your daemons")
	return cmd
}

// stopTimeout limits how long daemons may take to end.
const stopTimeout = 30 * time.Second

func newDaemonLogs(streams *Streams, g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "logs",
		Short: "Print the log of the daemon of the workspace",
		Long: "logs prints what the daemon of the workspace logged: when it started and ended,\n" +
			"who was refused, what failed. LOG_LEVEL of the process that starts it sets the\n" +
			"amount.",
		Example: "  lspine daemon logs",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			identity, err := g.daemonIdentity(streams)
			if err != nil {
				return err
			}
			path, err := daemon.LogOf(&identity)
			if err != nil {
				return err
			}
			text, err := fspath.Read(path)
			if errors.Is(err, fs.ErrNotExist) {
				return &usageError{"there is no log: no daemon ran for " + identity.Root + " with this configuration and environment", "lspine daemon status lists those that run"}
			}
			if err != nil {
				return err
			}
			_, err = streams.Out.Write(text)
			return err
		},
	}
}

// daemonIdentity returns the identity of the workspace's daemon, according to the flags and the
// environment.
func (g *global) daemonIdentity(streams *Streams) (daemon.Identity, error) {
	root, err := g.resolveRoot(streams)
	if err != nil {
		return daemon.Identity{}, err
	}
	cfg, _ := g.readConfig(streams, root)
	return daemon.Identity{Root: root, Config: cfg, Opta: g.opta, Only: g.servers, Environ: streams.Environ}, nil
}

func newDaemonRun(streams *Streams, g *global) *cobra.Command {
	key := ""
	cmd := &cobra.Command{
		Use:    "run",
		Short:  "Be the daemon of the workspace",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			starter := daemon.Detach()
			root, err := g.resolveRoot(streams)
			if err != nil {
				return err
			}
			level, err := logLevel(streams)
			if err != nil {
				return err
			}
			if lookup(streams.Environ, "LOG_LEVEL") == "" {
				level.Set(slog.LevelInfo) // it goes to a file and disturbs nobody
			}
			var cfg *config.Config
			var problems []config.Problem
			if cfg, problems, err = g.loadConfig(streams, root); err != nil {
				return err
			}
			kept := openEvidence(streams, cfg, "daemon")
			defer closeEvidence(cmd.Context(), kept)
			traced, err := openTrace(streams)
			if err != nil {
				return err
			}
			defer closeTrace(streams.Err, traced)
			e, err := engine.New(engine.Options{
				Root: root, Config: cfg, Problems: problems, Only: g.servers, Version: ourVersion(), Evidence: kept, Trace: traced,
			})
			if err != nil {
				return err
			}
			return daemon.Run(cmd.Context(), daemon.RunOptions{
				Identity: daemon.Identity{Root: root, Config: cfg, Opta: g.opta, Only: g.servers, Environ: streams.Environ},
				Key:      daemon.Key(key), Engine: e, Idle: cfg.Settings.DaemonIdle, Version: ourVersion(), Level: level, Starter: starter,
			})
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the key that the daemon is looked for by")
	cmd.Flags().BoolVar(&g.opta, "opta", false, "the configuration may have the spellings of Opta")
	return cmd
}
