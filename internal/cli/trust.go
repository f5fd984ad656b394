package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
)

func newTrust(streams *Streams, g *global) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   "trust [folder]",
		Short: "Let this checkout run its builds, libraries and settings",
		Long: "trust shows what language servers would run of this checkout (builds, macros,\n" +
			"plug-ins, packages), and what its .lspine.jsonc, or a file of another agent such\n" +
			"as .lsp.json, wants to run, and asks. Then it notes in your own configuration\n" +
			"folder that this may run, and also programs and libraries in the checkout, such\n" +
			"as its TypeScript or its virtual environment. Trust in settings covers only what\n" +
			"was shown: if the checkout's settings want something else, you are asked again.\n" +
			"It covers the command of a setting, not the text of a script that it names.\n" +
			"Some settings a checkout can never make (passEnv, allowRoots, trustedRoots,\n" +
			"trust, and all of the policy and the evidence).\n\n" +
			"With a folder that is no checkout, such as ~/work, it trusts all below it, now\n" +
			"and later. --untrusted, or LSPINE_TRUST=never, trusts nothing in one run: for\n" +
			"machines that check what others propose.",
		Example: "  lspine trust\n  lspine trust ~/work\n  lspine trust --root ~/project --yes",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return g.trust(cmd.Context(), streams, yes)
			}
			folder := absolute(streams.Dir, args)[0]
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				return &usageError{args[0] + " is no folder", "name a checkout, or a folder with checkouts in it"}
			}
			if root := fspath.FindRoot(folder); fspath.IsCheckout(root) {
				g.root = root
				return g.trust(cmd.Context(), streams, yes)
			}
			return g.trustBelow(cmd.Context(), streams, folder, yes)
		},
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
	shown := legible.Line(root)
	switch {
	case cfg.Trust.By != "":
		fmt.Fprintln(streams.Out, shown+" is trusted already, as all below "+legible.Line(cfg.Trust.By)+" is; lspine untrust "+legible.Line(cfg.Trust.By)+" ends that")
		return nil
	case cfg.Settings.Trust == config.TrustAlways:
		fmt.Fprintln(streams.Out, shown+" is trusted, as every checkout is ("+cfg.Source("lsp.trust").String()+")")
		return nil
	case cfg.Trust.Given:
		fmt.Fprintln(streams.Out, shown+" is trusted already; lspine untrust ends that")
		return nil
	}
	wanted := 0
	for _, u := range cfg.Untrusted {
		if u.ID != "" {
			wanted++
			fmt.Fprintf(streams.Out, "%s:%d: %s.%s: %s\n", legible.Line(u.File), u.Line, legible.Line(u.ID), legible.Line(u.Field), legible.Line(u.Value))
		}
	}
	if wanted == 0 {
		fmt.Fprintln(streams.Out, "The project's configuration wants to run nothing of its own.")
	}
	fmt.Fprintln(streams.Out, "Programs and libraries in "+shown+" may run.")
	listRuns(streams.Out, wouldRun(streams, root, cfg))
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

// trustBelow trusts a folder that is no checkout, with all below it.
func (g *global) trustBelow(ctx context.Context, streams *Streams, folder string, yes bool) error {
	if why := fspath.TooWide(folder, homes(streams.Environ)); why != "" {
		return &usageError{folder + " is " + why + ", and whatever is unpacked or downloaded there would run", "name a folder of it that has only what you trust, such as ~/work"}
	}
	fmt.Fprintln(streams.Out, "Everything below "+legible.Line(folder)+" may run, whatever its checkouts contain or want, now and later.")
	if err := confirm(streams, "Trust it?", yes); err != nil {
		return err
	}
	changed, err := config.TrustBelow(streams.Environ, folder)
	if err != nil {
		return err
	}
	if !changed {
		fmt.Fprintln(streams.Out, legible.Line(folder)+" was trusted already")
		return nil
	}
	cfg, _ := g.readConfig(streams, folder)
	recordTrust(ctx, streams, cfg, folder, "*")
	return nil
}

func newUntrust(streams *Streams, g *global) *cobra.Command {
	return &cobra.Command{
		Use:     "untrust [folder]",
		Short:   "No longer let this checkout run anything",
		Long:    "untrust revokes what lspine trust allowed, for this checkout or a folder.",
		Example: "  lspine untrust\n  lspine untrust ~/work\n  lspine untrust --root ~/project",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := g.resolveRoot(streams)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if root = absolute(streams.Dir, args)[0]; fspath.IsCheckout(fspath.FindRoot(root)) {
					root = fspath.FindRoot(root)
				}
			}
			changed, err := config.SetTrust(streams.Environ, root, "")
			if err != nil {
				return err
			}
			cfg, _ := g.readConfig(streams, root)
			shown := legible.Line(root)
			switch above := legible.Line(cfg.Trust.By); {
			case above != "":
				fmt.Fprintln(streams.Out, shown+" is still trusted, as all below "+above+" is; lspine untrust "+above+" ends that")
			case cfg.Trust.Given && cfg.Settings.Trust == config.TrustAsk:
				fmt.Fprintln(streams.Out, shown+" is still trusted, as the checkout is of which it is a worktree")
			case !changed:
				fmt.Fprintln(streams.Out, shown+" was not trusted")
			}
			if changed {
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
