package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/render"
)

func newTrust(streams *Streams, g *global) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Let this project choose what runs",
		Long: "trust shows what the project's .lspine.jsonc, or a file of another agent such as\n" +
			".lsp.json, wants to run, and asks. Then it notes in your own configuration\n" +
			"folder that this may run, and also programs and libraries in the project's\n" +
			"folder, such as its TypeScript or its virtual environment. Trust covers only\n" +
			"what was shown: if the project wants something else, you are asked again. Some\n" +
			"settings a project can never make (passEnv, allowRoots, trustedRoots, and all of\n" +
			"the policy and the evidence).",
		Example: "  lspine trust\n  lspine trust --root ~/project --yes",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return g.trust(cmd.Context(), streams, yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "trust it without asking")
	return cmd
}

func (g *global) trust(ctx context.Context, streams *Streams, yes bool) error {
	root, err := g.resolveRoot(streams)
	if err != nil {
		return err
	}
	cfg, _ := g.readConfig(streams, root)
	if cfg.Trust.Given {
		fmt.Fprintln(streams.Out, root+" is trusted already; lspine untrust ends that")
		return nil
	}
	wanted := 0
	for _, u := range cfg.Untrusted {
		if u.ID != "" {
			wanted++
			fmt.Fprintf(streams.Out, "%s:%d: %s.%s: %s\n", u.File, u.Line, u.ID, u.Field, render.Printable(u.Value))
		}
	}
	if wanted == 0 {
		fmt.Fprintln(streams.Out, "The project's configuration wants to run nothing of its own.")
	}
	fmt.Fprintln(streams.Out, "Programs and libraries in "+root+" may run.")
	if cfg.Trust.Changed {
		fmt.Fprintln(streams.Out, "You trusted it when it wanted to run something else.")
	}
	if err := confirm(streams, "Trust it?", yes); err != nil {
		return err
	}
	if _, err = config.SetTrust(streams.Environ, root, cfg.Trust.Hash); err == nil {
		recordTrust(ctx, streams, cfg, root, cfg.Trust.Hash)
	}
	return err
}

func newUntrust(streams *Streams, g *global) *cobra.Command {
	return &cobra.Command{
		Use:     "untrust",
		Short:   "No longer let this project choose what runs",
		Long:    "untrust revokes what lspine trust allowed.",
		Example: "  lspine untrust\n  lspine untrust --root ~/project",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := g.resolveRoot(streams)
			if err != nil {
				return err
			}
			changed, err := config.SetTrust(streams.Environ, root, "")
			if err == nil && !changed {
				fmt.Fprintln(streams.Out, root+" was not trusted")
			}
			if changed {
				cfg, _ := g.readConfig(streams, root)
				recordTrust(cmd.Context(), streams, cfg, root, "")
			}
			return err
		},
	}
}

// confirm asks the user on the terminal; without a terminal it requires --yes.
func confirm(streams *Streams, question string, yes bool) error {
	if yes {
		return nil
	}
	if !streams.OutTerminal || !streams.ErrTerminal {
		return &usageError{"nothing was written: nobody is here to ask", "--yes does it without a question"}
	}
	fmt.Fprint(streams.Err, question+" [y/N] ")
	line, _ := bufio.NewReader(streams.In).ReadString('\n')
	if !slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line))) {
		return errUnwanted
	}
	return nil
}
