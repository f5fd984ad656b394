package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// simulating has the flags of simulate.
type simulating struct {
	writing
	scope  string
	onDisk bool
}

// A candidate is a patch with what it would break and fix, or why it cannot be applied.
type candidate struct {
	Patch string `json:"patch"`
	*result.Simulation
	Error *result.Error `json:"error,omitempty"`
}

func newSimulate(streams *Streams, g *global) *cobra.Command {
	f := &simulating{writing: writing{navigation: navigation{global: g, streams: streams}}}
	cmd := &cobra.Command{
		Use:   "simulate PATCH...",
		Short: "Judge patches side by side, without applying any",
		Long: "simulate shows the language servers, in memory, what each patch would make of\n" +
			"the files, and reports which errors it would cause and fix, also in files that\n" +
			"it does not touch. Nothing is written. A patch is a unified diff, or one between\n" +
			"\"*** Begin Patch\" and \"*** End Patch\"; - reads it from standard input.\n\n" +
			"Exit codes: 0 every patch is clean, 1 one causes new errors, 2 one cannot be\n" +
			"applied, 3 no complete answer, 130 interrupted.",
		Example: "  lspine simulate first.patch second.patch third.patch\n  git diff main..topic | lspine simulate - --scope workspace",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args) },
	}
	f.navigation.register(cmd)
	cmd.Flags().StringVar(&f.scope, "scope", api.ScopeDependants, "file: only the patched files; dependants: also others that the patch would break; workspace: all such files, however many")
	cmd.Flags().BoolVar(&f.onDisk, "on-disk", false, "where a server reads only the disk, write the files while it judges them, then roll them back")
	return cmd
}

func (f *simulating) run(ctx context.Context, names []string) (err error) {
	if f.timeout < 0 {
		return &usageError{"--timeout: a deadline is longer than nothing", "for example --timeout 30s"}
	}
	if f.maxBytes < 1 {
		return &usageError{"--max-bytes: a budget is at least 1 byte", "for example --max-bytes 12000"}
	}
	patches := make([]string, len(names))
	for i, name := range names {
		if patches[i], err = f.patch([]string{name}); err != nil {
			return err
		}
	}
	root, err := f.rootFor(f.streams, nil)
	if err != nil {
		return err
	}
	cfg, problems, err := f.loadConfig(f.streams, root)
	if err != nil {
		return err
	}
	e, err := f.open(ctx, f.streams, root, cfg, problems, purpose{name: "simulate", dir: f.streams.Dir})
	if err != nil {
		return err
	}
	defer func() { err = errEnding(ctx, e, err) }()
	var all []candidate
	for i, name := range names {
		calling, wipe := showProgress(ctx, f.streams)
		answer, err := api.Simulate.Do(calling, e, api.SimulateRequest{
			Action: api.SimulatePreview, Edits: []api.SimulatedEdit{{FileEdit: api.FileEdit{Patch: patches[i]}}},
			Scope: f.scope, OnDisk: f.onDisk, Limits: f.limits(),
		})
		wipe()
		c := candidate{Patch: name, Simulation: &answer}
		if err != nil {
			if ctx.Err() != nil || !isOfPatch(err) {
				return err
			}
			c = candidate{Patch: name, Error: result.ErrorOf(err)}
		}
		all = append(all, c)
		f.tell(&c)
	}
	return f.conclude(all)
}

// isOfPatch reports whether an error is about one patch only, so that other patches can still be
// judged.
func isOfPatch(err error) bool {
	kinds := []result.Kind{result.Argument, result.Ambiguous, result.NotFound, result.Outside, result.NoMatch, result.Stale, result.Failed}
	return slices.Contains(kinds, result.ErrorOf(err).Kind)
}

// tell prints what one patch would break and fix.
func (f *simulating) tell(c *candidate) {
	if f.json {
		return
	}
	if c.Error != nil {
		fmt.Fprintf(f.streams.Out, "%s: cannot be applied: %s\n", legible.Line(c.Patch), legible.Model(c.Error.Message))
		return
	}
	shown := *c.Simulation
	shown.Diff = "" // the caller already has the patch
	fmt.Fprintf(f.streams.Out, "%s: %s\n%s\n", legible.Line(c.Patch), wordOf(c), render.Brief(&shown))
}

// wordOf returns the verdict on a patch as one word.
func wordOf(c *candidate) string {
	switch {
	case c.Error != nil:
		return "cannot be applied"
	case c.Evaluation.Verdict == result.NewErrors:
		return "breaks"
	case c.Evaluation.Safe():
		return "clean"
	}
	return "not known"
}

// conclude prints which patches are clean, and returns the worst exit code of all.
func (f *simulating) conclude(all []candidate) error {
	if f.json {
		if err := printJSON(f.streams, all); err != nil {
			return err
		}
	}
	code, words := exitClean, make(map[string][]string)
	worse := map[string]int{"not known": exitUnavailable, "breaks": exitDiagnostics, "cannot be applied": exitUsage}
	order := []string{"clean", "not known", "breaks", "cannot be applied"}
	for i := range all {
		word := wordOf(&all[i])
		words[word] = append(words[word], all[i].Patch)
	}
	var parts []string
	for _, word := range order {
		if len(words[word]) == 0 {
			continue
		}
		parts = append(parts, word+": "+strings.Join(words[word], ", "))
		if c, bad := worse[word]; bad {
			code = c
		}
	}
	if !f.json {
		fmt.Fprintln(f.streams.Err, "lspine:", legible.Model(strings.Join(parts, "; ")))
	}
	if code == exitClean {
		return nil
	}
	return exit(code)
}
