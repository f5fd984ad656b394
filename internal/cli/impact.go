package cli

import (
	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
)

func newImpact(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var req api.ImpactRequest
	cmd := &cobra.Command{
		Use:   "impact [FILES]",
		Short: "Show what uses the symbols of files, or those that a diff touches",
		Long: "impact lists the users of each exported symbol of the files, with tests listed\n" +
			"separately, and how risky a change of it is. Without files and symbols it takes\n" +
			"what the diff since the last commit touches.\n\n" + selectorHelp,
		Example: "  lspine impact internal/config/config.go\n  lspine impact --since main... --transitive\n" +
			"  lspine impact --symbol Config.Load --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && req.GitRange != "" {
				return &usageError{"--since takes the files of a diff; it goes without names", "leave out one of the two"}
			}
			req.Files, req.Limits = args, n.limits()
			return run(cmd.Context(), n, api.Impact, req)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&req.GitRange, "since", "", "only what differs since this git revision, or in a range such as HEAD~1..")
	flags.StringArrayVar(&req.Symbols, "symbol", nil, "a symbol instead of files; may be given several times")
	flags.BoolVar(&req.Transitive, "transitive", false, "also the users of the users")
	flags.StringVar(&req.Scope, "scope", "", "of files: exported (default) or all symbols")
	return n.register(cmd)
}
