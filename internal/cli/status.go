package cli

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

func newStatus(streams *Streams, g *global) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the language servers of the workspace and their states",
		Long: "status lists the servers that the files of the workspace need, those that run,\n" +
			"and those that the configuration names; with --all, every known one.",
		Example: "  lspine status\n  lspine status --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			status, err := g.status(cmd.Context(), streams, map[bool]string{true: "all"}[all])
			if err != nil {
				return err
			}
			if !asJSON {
				return render.StatusText(&status, streams.Out)
			}
			return printJSON(streams, status)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "list every known server")
	return cmd
}

// status returns the state of the servers.
func (g *global) status(ctx context.Context, streams *Streams, scope string) (status result.Status, err error) {
	root, err := g.resolveRoot(streams)
	if err != nil {
		return status, err
	}
	cfg, problems, err := g.loadConfig(streams, root)
	if err != nil {
		return status, err
	}
	e, err := g.open(ctx, streams, root, cfg, problems, purpose{name: "status", once: true, running: true})
	if err != nil {
		return status, err
	}
	defer func() { err = errEnding(ctx, e, err) }()
	return api.Status.Do(ctx, e, api.StatusRequest{Scope: scope})
}

func newVersion(streams *Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  lspine version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(streams.Out, versionLine())
			return err
		},
	}
}

func versionLine() string {
	parts := []string{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if id, day := ourCommit(); id != "" {
		parts = append([]string{strings.TrimSpace("commit " + id + " " + day)}, parts...)
	}
	return fmt.Sprintf("lspine %s (%s)", ourVersion(), strings.Join(parts, ", "))
}

// newHelp returns the command help, for those who write it instead of --help.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Print the help of a command",
		Example: "  lspine help check",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || about == nil || len(rest) > 0 {
				return &usageError{fmt.Sprintf("there is no command %q", strings.Join(args, " ")), cmd.Root().Name() + " help lists the commands"}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
