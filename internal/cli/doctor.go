package cli

import (
	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

func newDoctor(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams, lenient: true, alone: true}
	cmd := &cobra.Command{
		Use:   "doctor [FILE]",
		Short: "Find out why servers do not work as expected",
		Long: "doctor looks for the servers that a file or the workspace needs, starts each of\n" +
			"them, shows it the file or a small one of its language, and reports the outcome\n" +
			"of each step. For each problem it names the command to type next; it runs none\n" +
			"of them.\n\n" +
			"Exit codes: 0 healthy, 1 problems, 2 usage, 130 interrupted.",
		Example: "  lspine doctor\n  lspine doctor src/main.go --timeout 2m",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := perform[api.DoctorRequest, result.Doctor](cmd.Context(), n, api.Doctor, api.DoctorRequest{Files: args, Limits: n.limits()})
			if err == nil && answer.Level == result.LevelProblem {
				return exit(exitDiagnostics)
			}
			return err
		},
	}
	n.register(cmd)
	cmd.Flags().Lookup("timeout").Usage = "deadline for everything (default 45s, or lsp.firstTouchTimeout if that is longer)"
	return cmd
}
