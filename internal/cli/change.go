package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// writing has the flags of all commands that change files.
type writing struct {
	navigation
	dryRun, ifClean bool
}

func (w *writing) register(cmd *cobra.Command) *cobra.Command {
	w.navigation.register(cmd)
	cmd.Flags().BoolVar(&w.dryRun, "dry-run", false, "write nothing; show the diff and what it would break")
	cmd.Flags().BoolVar(&w.ifClean, "if-clean", false, "write only if this breaks nothing")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "if-clean")
	return cmd
}

func (w *writing) how() api.Writing {
	how := api.Writing{Limits: w.limits()}
	switch {
	case w.dryRun:
		how.Mode = "preview"
	case w.ifClean:
		how.Mode = "apply_if_clean"
	}
	return how
}

// judged returns the exit code of a command that changed files, which is that of a check of these
// files; e is nil if it changed none.
func judged(e *result.Edit, err error) error {
	switch {
	case err != nil:
		return err
	case e == nil:
	case e.Verdict == result.NewErrors:
		return exit(exitDiagnostics)
	case e.Verdict == result.LSPUnavailable, e.Verdict == result.Unknown:
		return exit(exitUnavailable)
	}
	return nil
}

func newEdit(streams *Streams, g *global) *cobra.Command {
	w := &writing{navigation: navigation{global: g, streams: streams}}
	cmd := &cobra.Command{
		Use:   "edit [PATCH]",
		Short: "Apply a patch and show what it broke",
		Long: "edit applies a unified diff, or a patch between \"*** Begin Patch\" and \"*** End\n" +
			"Patch\", from a file or from standard input: all of it or nothing. It shows the\n" +
			"new errors that the change causes, also in files that the patch does not touch,\n" +
			"and exits with 1 if there are any.",
		Example: "  git diff main..topic | lspine edit\n  lspine edit fix.patch --if-clean",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			patch, err := w.patch(args)
			if err != nil {
				return err
			}
			return w.edit(cmd.Context(), api.EditRequest{Edits: []api.FileEdit{{Patch: patch}}, Writing: w.how()})
		},
	}
	return w.register(cmd)
}

func (w *writing) edit(ctx context.Context, req api.EditRequest) error {
	result, err := perform(ctx, &w.navigation, api.EditFiles, req)
	return judged(&result, err)
}

// patch reads the file named by the arguments, or standard input.
func (w *writing) patch(args []string) (string, error) {
	if len(args) == 0 || args[0] == "-" {
		text, err := io.ReadAll(w.streams.In)
		return string(text), err
	}
	path := args[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.streams.Dir, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &usageError{err.Error(), "name a patch, or write one to standard input"}
	}
	return string(text), nil
}

func newRename(streams *Streams, g *global) *cobra.Command {
	w := &writing{navigation: navigation{global: g, streams: streams}}
	var req api.RenameRequest
	file := ""
	cmd := &cobra.Command{
		Use:   "rename SYMBOL NEW_NAME | rename --file OLD NEW",
		Short: "Rename a symbol everywhere, or a file or folder and its imports",
		Long: "rename renames a symbol in every file that uses it or, with --file, a file or a\n" +
			"folder and what imports it; all or nothing.\n\n" + selectorHelp,
		Example: "  lspine rename main.go:42:7 Fetch --dry-run\n  lspine rename Config.Load Open --exclude '**/testdata/**'\n  lspine rename --file src/a.ts src/b.ts",
		RunE: func(cmd *cobra.Command, args []string) error {
			if file != "" {
				if len(args) != 1 {
					return &usageError{"rename --file: one new path is needed", "for example lspine rename --file src/a.ts src/b.ts"}
				}
				req.File, req.NewPath = file, args[0]
			} else {
				if len(args) < 2 {
					return &usageError{"rename: a symbol and its new name are needed", "for example lspine rename Config.Load Open"}
				}
				req.Selector, req.NewName = selector(args[:len(args)-1]), args[len(args)-1]
			}
			req.Writing = w.how()
			result, err := perform(cmd.Context(), &w.navigation, api.Rename, req)
			return judged(&result, err)
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "rename this file or folder")
	cmd.Flags().StringSliceVar(&req.ExcludeGlobs, "exclude", nil, "leave out files that match this glob")
	return w.register(cmd)
}

func newFix(streams *Streams, g *global) *cobra.Command {
	w := &writing{navigation: navigation{global: g, streams: streams}}
	var req api.FixesRequest
	apply := 0
	cmd := &cobra.Command{
		Use:   "fix FILE[:LINE[-LINE]]",
		Short: "List the fixes and refactorings that servers offer, or apply one",
		Long: "fix lists the quick fixes and other code actions for a file or some lines of it,\n" +
			"each with its number and its diff; --apply applies one.",
		Example: "  lspine fix main.go:42\n  lspine fix main.go --only source.organizeImports --apply 1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if req.File, req.Line, req.EndLine, err = linesOf(args[0]); err != nil {
				return err
			}
			if apply < 0 {
				return &usageError{"--apply: numbers start at 1", "lspine fix " + args[0] + " lists them"}
			}
			req.Apply, req.Writing = api.OneBased(apply), w.how()
			result, err := perform(cmd.Context(), &w.navigation, api.Fixes, req)
			return judged(cmp.Or(result.Then, result.Edit), err)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&req.Only, "only", nil, "kinds, such as quickfix or source.organizeImports")
	flags.StringVar(&req.Diagnostic, "diagnostic", "", "only what fixes this diagnostic, given by its line, its code or part of its message")
	flags.IntVar(&apply, "apply", 0, "apply the action with this number")
	flags.StringVar(&req.Title, "title", "", "apply the action with exactly this title")
	return w.register(cmd)
}

// linesOf splits FILE:LINE-LINE. The lines are 0 if there are none.
func linesOf(text string) (file string, first, last api.OneBased, err error) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 || i == len(text)-1 || strings.Trim(text[i+1:], "0123456789-") != "" {
		return text, 0, 0, nil
	}
	from, to, ranged := strings.Cut(text[i+1:], "-")
	if !ranged {
		to = from
	}
	start, err1 := strconv.Atoi(from)
	end, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || start < 1 || end < start {
		return "", 0, 0, &usageError{fmt.Sprintf("%s: %s is no range of lines", text, text[i+1:]), "for example " + text[:i] + ":10-20; lines start at 1"}
	}
	return text[:i], api.OneBased(start), api.OneBased(end), nil
}

func newFormat(streams *Streams, g *global) *cobra.Command {
	w := &writing{navigation: navigation{global: g, streams: streams}}
	cmd := &cobra.Command{
		Use:     "format FILE[:LINE[-LINE]]",
		Short:   "Format a file, or some lines of it, with its server",
		Example: "  lspine format main.go\n  lspine format src/app.ts:10-20 --dry-run",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, first, last, err := linesOf(args[0])
			if err != nil {
				return err
			}
			req := api.FormatRequest{Area: api.Area{File: file, StartLine: first, EndLine: last}, Writing: w.how()}
			result, err := perform(cmd.Context(), &w.navigation, api.Format, req)
			return judged(&result, err)
		},
	}
	return w.register(cmd)
}
