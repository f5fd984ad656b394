package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/trace"
)

// checkTimeout limits a check on the command line unless the configuration sets a deadline, because
// late answers could not be fetched afterwards.
const checkTimeout = 60 * time.Second

// checkWaitLimit limits how much longer to wait for servers that are still working, unless
// --timeout is given.
const checkWaitLimit = time.Hour

type checkFlags struct {
	*global
	all        bool
	allErrors  bool
	since      string
	severities []string
	chosen     map[string]*bool // whether each of checkFormats was chosen, by its flag
	scope      string
	timeout    time.Duration
	watch      bool
	explain    bool
}

func newCheck(streams *Streams, g *global) *cobra.Command {
	f := checkFlags{global: g, chosen: make(map[string]*bool)}
	cmd := &cobra.Command{
		Use:   "check [FILES | FOLDERS | GLOBS | -]",
		Short: "Report what is wrong with files as they are now",
		Long: "check shows files to their language servers and reports what these find in\n" +
			"exactly that content, and what the changes of these files since the last commit\n" +
			"broke in others that use them. A folder, a glob or ./... stands for the files in\n" +
			"it. Without names it checks what differs from the last commit (outside of git:\n" +
			"everything); with - it reads names from standard input: one per line, also as git\n" +
			"quotes them, or each ended by NUL (git diff -z --name-only). Errors that the commit\n" +
			"has as well are marked as older; those of files that were not asked about are only\n" +
			"counted. The answer depends on the files and on git alone, however often it is\n" +
			"asked. Findings go to standard output, the verdict to standard error, on one line.\n\n" +
			"Exit codes: 0 no error in the files, and none elsewhere that their changes caused\n" +
			"(with --since: nothing new), 1 diagnostics, 2 usage, 3 no complete answer, 130\n" +
			"interrupted.",
		Example: "  lspine check main.go\n" +
			"  lspine check --since origin/main --severity error,warning --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), streams, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.all, "all", false, "check every file of the workspace that a server knows")
	flags.BoolVar(&f.allErrors, "all-errors", false, "also list the older errors of other files")
	flags.StringVar(&f.since, "since", "", "report only what is new since this git revision")
	flags.StringSliceVar(&f.severities, "severity", nil, "severities to report: error, warning, info, hint (default: as configured, error)")
	var formats []string
	for _, format := range checkFormats {
		f.chosen[format.flag] = flags.Bool(format.flag, false, format.usage)
		formats = append(formats, format.flag)
	}
	cmd.MarkFlagsMutuallyExclusive(formats...)
	flags.BoolVar(&f.watch, "watch", false, "check again whenever a file changes, until it is interrupted")
	flags.BoolVar(&f.explain, "explain", false, "also say of each finding why it counts as new or older (without the daemon)")
	cmd.MarkFlagsMutuallyExclusive(slices.Concat([]string{"watch"}, formats, []string{"explain"})...)
	flags.StringVar(&f.scope, "scope", "dependants", "file: only the files named; dependants: also others that their changes broke")
	flags.DurationVar(&f.timeout, "timeout", 0, "deadline for all files (default 1m, or lsp.firstTouchTimeout if configured, and longer while a server is working)")
	return cmd
}

func (f *checkFlags) run(ctx context.Context, streams *Streams, args []string) (err error) {
	if f.timeout < 0 {
		return &usageError{"--timeout: a deadline is longer than nothing", "for example --timeout 30s"}
	}
	if f.all && len(args) > 0 {
		return &usageError{"--all checks every file; it goes without names", "leave out one of the two"}
	}
	files, err := f.files(streams, args)
	if err != nil {
		return err
	}
	if len(files) < 2 || f.forPrograms() || f.watch { // programs need one document
		return f.runOn(ctx, streams, files)
	}
	groups, err := f.byRoot(streams, files)
	if err != nil {
		return err
	}
	var worst error
	for _, group := range groups {
		err := f.runOn(ctx, streams, group)
		if _, counts := errors.AsType[exit](err); err != nil && !counts {
			return err
		}
		worst = worse(worst, err)
	}
	return worst
}

// byRoot divides files by the roots that they are checked in, each group in the order of the files.
func (f *checkFlags) byRoot(streams *Streams, files []string) (groups [][]string, err error) {
	index := make(map[string]int)
	for _, file := range files {
		root, err := f.rootFor(streams, []string{file})
		if err != nil {
			return nil, err
		}
		at, known := index[root]
		if !known {
			at = len(groups)
			index[root], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], file)
	}
	return groups, nil
}

// worse returns the exit code of two that outranks the other one, as in [outcome].
func worse(a, b error) error {
	for _, code := range []exit{exitUsage, exitDiagnostics, exitUnavailable} {
		if errors.Is(a, code) || errors.Is(b, code) {
			return code
		}
	}
	return nil
}

// runOn checks files of one root: the first of them decides which.
func (f *checkFlags) runOn(ctx context.Context, streams *Streams, files []string) (err error) {
	root, err := f.rootFor(streams, files)
	if err != nil {
		return err
	}
	cfg, problems, err := f.loadConfig(streams, root)
	if err != nil {
		return err
	}
	why := explanations{last: make(map[string]*trace.Judged)}
	p := purpose{name: "check", once: !f.watch, stays: f.watch}
	if f.explain {
		p.hear = why.hear
	}
	e, err := f.open(ctx, streams, root, cfg, problems, p)
	if err != nil {
		return err
	}
	defer func() { err = errEnding(ctx, e, err) }()
	if f.all {
		files = []string{e.Root}
	}
	if f.watch {
		return f.again(ctx, streams, cfg, e, files)
	}
	answer, err := f.ask(ctx, streams, cfg, e, files)
	if err != nil {
		return err
	}
	err = f.report(streams, cfg, &answer, len(files) > 0)
	why.write(streams.Out, &answer, func(path string) string { return shortPath(streams.Dir, answer.Root, path) })
	return err
}

// ask runs the check.
func (f *checkFlags) ask(ctx context.Context, streams *Streams, cfg *config.Config, e *backend, files []string) (result.Check, error) {
	if files != nil && len(files) == 0 { // programs need a complete document even then
		return result.Check{Root: e.Root, Verdict: result.Clean, Files: []result.File{}}, nil
	}
	calling, wipe := showProgress(ctx, streams)
	defer wipe()
	return api.Check.Do(calling, e, f.request(cfg, files, streams))
}

func (f *checkFlags) request(cfg *config.Config, files []string, streams *Streams) api.CheckRequest {
	timeout, format := f.timeout, f.format()
	if timeout == 0 {
		timeout = checkTimeout
		if cfg.Source("lsp.firstTouchTimeout").Layer != config.LayerBuiltin {
			timeout = cfg.Settings.FirstTouchTimeout
		}
	}
	req := api.CheckRequest{
		Files: files, Severities: f.severities, Scope: f.scope, Baseline: api.BaselineHead, AllErrors: f.allErrors,
		TimeoutMS: int(max(timeout.Milliseconds(), 1)), MaxBytes: -1, SourceLines: streams.OutTerminal || format != nil && format.lines,
	}
	if f.timeout == 0 { // without a deadline, wait as long as servers are working
		req.WaitLimitMS = int(checkWaitLimit.Milliseconds())
	}
	req.Revision, req.CountOlder = f.since, f.since == ""
	return req
}

// files returns the absolute paths to check that are given; nil for all, or those that changed.
func (f *checkFlags) files(streams *Streams, args []string) ([]string, error) {
	switch {
	case len(args) == 0:
		return nil, nil
	case len(args) > 1 || args[0] != "-":
		return absolute(streams.Dir, args), nil
	}
	text, err := io.ReadAll(streams.In)
	return absolute(streams.Dir, listedNames(streams.Dir, string(text))), err
}

// listedNames returns the names that a program printed: each ended by NUL if there is one (git diff -z, find -print0),
// else one a line, in git's quotes unless a file in dir is called so.
func listedNames(dir, text string) []string {
	names := []string{}
	if strings.Contains(text, "\x00") {
		for name := range strings.SplitSeq(text, "\x00") {
			names = append(names, name)
		}
	} else {
		for line := range strings.Lines(text) {
			name := strings.TrimRight(line, "\r\n")
			if plain := fspath.FromGit(name); plain != name && !isThere(absolute(dir, []string{name})[0]) {
				name = plain
			}
			names = append(names, name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func absolute(dir string, names []string) []string {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = name
		if !filepath.IsAbs(name) {
			paths[i] = filepath.Join(dir, name)
		}
	}
	return paths
}

// report prints the result and returns the exit code. named says that somebody named the files: one that cannot be checked is then refused.
func (f *checkFlags) report(streams *Streams, cfg *config.Config, result *result.Check, named bool) error {
	shown := func(path string) string { return shortPath(streams.Dir, result.Root, path) }
	refused := false
	for i := range result.Files {
		if p := result.Files[i].Error; p != nil {
			refused = named
			say(streams.Err, p.Message, p.Hint)
		}
	}
	for _, line := range render.Silence(result, shown) {
		fmt.Fprintln(streams.Err, "lspine:", line)
	}
	if err := f.print(streams, cfg, result, shown); err != nil {
		return err
	}
	if !f.forPrograms() {
		fmt.Fprintln(streams.Err, "lspine:", flagsOfArguments.Replace(render.Conclusion(result)))
	}
	return outcome(result, refused, f.since == "")
}

// A checkFormat is how a check is printed for programs, instead of as text for people.
type checkFormat struct {
	flag, usage string
	// lines says that the source lines of findings are printed, too.
	lines bool
	print func(*Streams, *result.Check) error
}

// checkFormats has a line for each flag that selects one. At most one of them may be given.
var checkFormats = []checkFormat{
	{"json", "print the result as JSON", true, func(s *Streams, c *result.Check) error { return printJSON(s, c) }},
	{"sarif", "print the result as SARIF 2.1.0, for code scanning", false, func(s *Streams, c *result.Check) error {
		return render.SARIF(c, s.Out, ourVersion())
	}},
	{"github", "print the result as annotations of GitHub Actions", false, func(s *Streams, c *result.Check) error {
		return render.GitHub(c, s.wire())
	}},
}

// format returns the format that was chosen; nil for text.
func (f *checkFlags) format() *checkFormat {
	for i, format := range checkFormats {
		if on := f.chosen[format.flag]; on != nil && *on {
			return &checkFormats[i]
		}
	}
	return nil
}

// forPrograms reports whether the output is for programs.
func (f *checkFlags) forPrograms() bool { return f.format() != nil }

// print prints the result in the format selected by the flags.
func (f *checkFlags) print(streams *Streams, cfg *config.Config, answer *result.Check, shown func(string) string) error {
	if format := f.format(); format != nil {
		return format.print(streams, answer)
	}
	return render.CheckText(answer, streams.Out, render.Style{
		Colour: streams.Colour, Source: streams.OutTerminal, Path: shown,
		Caps: result.Caps{
			PerFile:    cfg.Settings.MaxDiagnosticsPerFile,
			OtherFiles: cfg.Settings.MaxProjectDiagnosticsFiles,
			TotalLines: cfg.Settings.MaxTotalLines,
		},
	})
}

// outcome returns the exit code of a check. A file that could not be checked outranks findings, and
// findings outrank unknown results. With older, findings in the requested files count even if they are
// not new.
func outcome(answer *result.Check, refused, older bool) error {
	found := answer.Verdict == result.NewErrors
	for _, f := range answer.Files {
		found = found || slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return d.New || older })
	}
	for _, f := range answer.Others {
		found = found || f.Baseline != "none" && slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return d.New })
	}
	switch {
	case refused:
		return exit(exitUsage)
	case found:
		return exit(exitDiagnostics)
	case answer.Incomplete || answer.Verdict == result.LSPUnavailable:
		return exit(exitUnavailable)
	}
	return nil
}

// shortPath returns a root-relative path relative to the current folder, if it is inside that.
func shortPath(dir, root, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, filepath.FromSlash(path))
	}
	if resolved, err := fspath.Real(dir); err == nil {
		dir = resolved
	}
	relative, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(relative) {
		return path
	}
	return filepath.ToSlash(relative)
}
