package cli

import (
	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
)

func newPolicy(streams *Streams, g *global) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Explain what your policy allows",
		Long: "The policy decides which operations are allowed, asked about or denied: \"policy\"\n" +
			"and \"policyMode\" in your own configuration. A project's file cannot change it.",
		Example: "  lspine policy check edit migrations/0001.sql",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyCheck(streams, g))
	return cmd
}

func newPolicyCheck(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams, alone: true}
	var req api.PolicyRequest
	cmd := &cobra.Command{
		Use:   "check OPERATION [PATH]",
		Short: "Show what the policy decides about an operation, and by which rule",
		Long: "check says whether an operation would be allowed, asked about or denied, by\n" +
			"which rule, and where that rule is. It runs nothing. PATH is a file or folder\n" +
			"that the operation would be about.",
		Example: "  lspine policy check test\n  lspine policy check rename src/api.go --client mcp/claude-code --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return &usageError{"policy check takes an operation, and a path if you like", "for example lspine policy check edit src/a.go"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Operation = args[0]; len(args) == 2 {
				req.Path = args[1]
			}
			return run(cmd.Context(), n, api.PolicyCheck, req)
		},
	}
	cmd.Flags().BoolVar(&n.json, "json", false, "print the result as JSON")
	cmd.Flags().StringVar(&req.Client, "client", "", "who would ask: cli (default), mcp, mcp/NAME, hook or service")
	n.maxBytes = terminalBytes
	return cmd
}
