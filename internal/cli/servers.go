package cli

import (
	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
)

func newServers(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams, alone: true}
	missing, installed := false, false
	cmd := &cobra.Command{
		Use:   "servers [FILE]",
		Short: "List every known language server: where it is, or how to get it",
		Long: "servers lists every known language server, or those for a file in the order in\n" +
			"which they are asked: its languages, whether it was found, whether the tests of\n" +
			"LSPine run it (proven) or it is only known (listed), and its binary or the\n" +
			"command that installs it. It starts and installs nothing.",
		Example: "  lspine servers main.py\n  lspine servers --installed",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req := api.ServersRequest{Action: "list", Limits: n.limits()}
			if len(args) == 1 {
				req.File = args[0]
			}
			switch {
			case missing && installed:
				return &usageError{"--missing and --installed together leave nothing", "leave out one of the two"}
			case missing:
				req.State = "missing"
			case installed:
				req.State = "found"
			}
			return run(cmd.Context(), n, api.Servers, req)
		},
	}
	cmd.Flags().BoolVar(&missing, "missing", false, "only those that are not found")
	cmd.Flags().BoolVar(&installed, "installed", false, "only those that are found")
	n.register(cmd)
	_ = cmd.Flags().MarkHidden("timeout") // the command waits for nothing
	return cmd
}
