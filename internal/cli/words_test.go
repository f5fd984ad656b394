package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A log is described with what is wrong with it and what is missing, and with its last hash if it has records.
func TestTextOfAReport(t *testing.T) {
	for want, r := range map[string]evidence.Report{
		"/e has no records\nthe chain is whole\n": {Path: "/e"},
		"note: f:3: lost\n2 records, 5 to 6, in 3 files; the last has the hash\nabc\nthe chain is whole\n": {
			Path: "/e", Files: []string{"a", "b", "c"}, Records: 2, First: 5, Last: 6, Head: "abc", Notes: []evidence.Problem{{File: "f", Line: 3, Message: "lost"}},
		},
		"problem: f: cut off\nproblem: g: changed\n1 records, 1 to 1, in 1 files; the last has the hash\nd\nthe chain is broken in 2 places\n": {
			Path: "/e", Files: []string{"a"}, Records: 1, First: 1, Last: 1, Head: "d", Problems: []evidence.Problem{{File: "f", Message: "cut off"}, {File: "g", Message: "changed"}},
		},
	} {
		var b bytes.Buffer
		err := reportText(&b, &r)
		if diff := cmp.Diff(want, b.String()); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

// A person agrees with y or yes, however it is written; anything else is no. Where nobody can be asked, --yes is
// needed.
func TestConfirming(t *testing.T) {
	for _, c := range []struct {
		in       string
		out, err bool
		yes      bool
		want     error
		asked    string
	}{
		{"", false, false, true, nil, ""},
		{"y\n", true, true, false, nil, "Write? [y/N] "},
		{" YES \nno\n", true, true, false, nil, "Write? [y/N] "},
		{"yes", true, true, false, nil, "Write? [y/N] "},
		{"n\n", true, true, false, errUnwanted, "Write? [y/N] "},
		{"\n", true, true, false, errUnwanted, "Write? [y/N] "},
		{"yess\n", true, true, false, errUnwanted, "Write? [y/N] "},
		{"", true, true, false, errUnwanted, "Write? [y/N] "},
	} {
		var errs bytes.Buffer
		got := confirm(&Streams{In: strings.NewReader(c.in), Out: io.Discard, Err: &errs, OutTerminal: c.out, ErrTerminal: c.err}, "Write?", c.yes)
		if !errors.Is(got, c.want) || errs.String() != c.asked {
			t.Errorf("%q: %v, want %v; asked %q", c.in, got, c.want, errs.String())
		}
	}
	for _, c := range []struct{ out, err bool }{{false, true}, {true, false}, {false, false}} {
		var errs bytes.Buffer
		usage := (*usageError)(nil)
		got := confirm(&Streams{In: strings.NewReader("y\n"), Err: &errs, OutTerminal: c.out, ErrTerminal: c.err}, "Write?", false)
		if !errors.As(got, &usage) || usage.hint != "--yes does it without a question" || errs.Len() > 0 {
			t.Errorf("%+v: %v, asked %q", c, got, errs.String())
		}
	}
}

// The verdicts on patches are one line, the best first, and the worst of them is the exit code.
func TestConclusionOfSimulations(t *testing.T) {
	of := func(patch, verdict, confidence string) candidate {
		return candidate{Patch: patch, Simulation: &result.Simulation{Evaluation: &result.Evaluation{Verdict: verdict, Confidence: confidence}}}
	}
	clean, unknown, breaks := of("c", result.Clean, "high"), of("u", result.Unknown, "low"), of("b", result.NewErrors, "high")
	wrong := candidate{Patch: "w", Error: &result.Error{Message: "no match"}}
	for _, c := range []struct {
		all  []candidate
		says string
		want error
	}{
		{[]candidate{clean, clean}, "lspine: clean: c, c\n", nil},
		{[]candidate{unknown, clean}, "lspine: clean: c; not known: u\n", exit(exitUnavailable)},
		{[]candidate{breaks, unknown, clean}, "lspine: clean: c; not known: u; breaks: b\n", exit(exitDiagnostics)},
		{[]candidate{wrong, breaks, clean}, "lspine: clean: c; breaks: b; cannot be applied: w\n", exit(exitUsage)},
	} {
		var out, errs bytes.Buffer
		f := &simulating{writing: writing{navigation: navigation{streams: &Streams{Out: &out, Err: &errs}}}}
		got := f.conclude(c.all)
		if diff := cmp.Diff([]string{c.says, ""}, []string{errs.String(), out.String()}); diff != "" || !errors.Is(got, c.want) {
			t.Errorf("%v, want %v (-want +got):\n%s", got, c.want, diff)
		}
		f.json = true
		if err := f.conclude(c.all); !errors.Is(err, c.want) || !strings.Contains(out.String(), `"patch": "c"`) || errs.String() != c.says {
			t.Errorf("as JSON: %v %s", err, out.String())
		}
	}
	for err, want := range map[error]bool{
		&result.Error{Kind: result.NoMatch}: true, &result.Error{Kind: result.Failed}: true, &result.Error{Kind: result.Unavailable}: false, &result.Error{Kind: result.Denied}: false,
	} {
		if got := isOfPatch(err); got != want {
			t.Errorf("%v: %t", err, got)
		}
	}
}

// A scope is user or project.
func TestScopes(t *testing.T) {
	for name, want := range map[string]agents.Scope{"user": agents.User, "project": agents.Project, "": "", "users": ""} {
		got, err := scopeOf(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}

// Folders that are left over are told with their size; what is not there is not told. Files of other projects are
// those that no change is about.
func TestLeftoversAreTold(t *testing.T) {
	root := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(root, "made", "a"), strings.Repeat("x", 1_200_000))
	lsptest.WriteFile(t, filepath.Join(root, "made", "sub", "b"), strings.Repeat("x", 100_000))
	made := filepath.Join(root, "made")
	for what, want := range map[string]string{"caches": "Remove " + made + ": caches (1.3 MB)", "servers ": "Remove " + made + ": servers (1.3 MB)"} {
		got := folderOf(what, made, nil)
		if len(got) != 1 || got[0].does != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	if got := append(folderOf("caches", "", nil), folderOf("caches", filepath.Join(root, "gone"), nil)...); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	if err := errors.Join(removeFile(filepath.Join(made, "a")), removeFile(filepath.Join(made, "a"))); err != nil || isThere(filepath.Join(made, "a")) {
		t.Errorf("%v", err)
	}
	if err := removeFile(made); err == nil || !isThere(made) {
		t.Error("a folder with files was removed as a file")
	}
}

// Everything is removed if a person agrees or --purge is given, also after a failure; else nothing is, and it is said
// why.
func TestLeftoversAreRemoved(t *testing.T) {
	failed := errors.New("cannot")
	for name, c := range map[string]struct {
		flags    uninstallFlags
		out, err bool
		in       string
		removed  bool
		says     string
	}{
		"dry":         {uninstallFlags{dryRun: true, purge: true}, true, true, "y\n", false, "lspine: nothing was removed\n"},
		"purge":       {uninstallFlags{purge: true}, false, false, "", true, ""},
		"nobody":      {uninstallFlags{}, false, true, "y\n", false, "lspine: this was not removed: nobody is here to ask\n  lspine uninstall --purge removes it\n"},
		"nobody here": {uninstallFlags{}, true, false, "y\n", false, "lspine: this was not removed: nobody is here to ask\n  lspine uninstall --purge removes it\n"},
		"yes":         {uninstallFlags{}, true, true, "y\n", true, "Remove all of this? [y/N] "},
		"no":          {uninstallFlags{}, true, true, "n\n", false, "Remove all of this? [y/N] lspine: this was not removed\n"},
	} {
		var out, errs bytes.Buffer
		var done []string
		made := []leftover{
			{"first", func(context.Context) error { done = append(done, "first"); return failed }},
			{"second", func(context.Context) error { done = append(done, "second"); return nil }},
		}
		removed, err := c.flags.clear(t.Context(), &Streams{In: strings.NewReader(c.in), Out: &out, Err: &errs, OutTerminal: c.out, ErrTerminal: c.err}, made)
		var want []string
		if c.removed {
			want = []string{"first", "second"}
		}
		if diff := cmp.Diff([]string{"first\nsecond\n", c.says}, []string{out.String(), errs.String()}); diff != "" || removed != c.removed || errors.Is(err, failed) != c.removed {
			t.Errorf("%s: removed %t, %v (-want +got):\n%s", name, removed, err, diff)
		}
		if diff := cmp.Diff(want, done); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if removed, err := (&uninstallFlags{purge: true}).clear(t.Context(), &Streams{Out: io.Discard}, nil); removed || err != nil {
		t.Errorf("nothing: %t, %v", removed, err)
	}
}

// A patch is read from the file that is named, or from standard input.
func TestWherePatchesComeFrom(t *testing.T) {
	dir := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(dir, "a.patch"), "from a file")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "from input"}, {[]string{"-"}, "from input"}, {[]string{"a.patch"}, "from a file"}, {[]string{filepath.Join(dir, "a.patch")}, "from a file"}, {[]string{"gone"}, ""},
	} {
		w := &writing{navigation: navigation{streams: &Streams{In: strings.NewReader("from input"), Dir: dir}}}
		got, err := w.patch(c.args)
		usage := (*usageError)(nil)
		if got != c.want || errors.As(err, &usage) != (c.want == "") {
			t.Errorf("%q: %q, %v", c.args, got, err)
		}
	}
	for _, c := range []struct {
		w    writing
		want string
	}{{writing{dryRun: true}, "preview"}, {writing{ifClean: true}, "apply_if_clean"}, {writing{}, ""}} {
		if got := c.w.how().Mode; got != c.want {
			t.Errorf("%+v: %q", c.w, got)
		}
	}
}

// What results call an argument is called a flag on the command line, but not in the names of files.
func TestFlagsOfArguments(t *testing.T) {
	for text, want := range map[string]string{
		"the source; raise max_bytes to get it":                            "the source; raise --max-bytes to get it",
		"the diff was left out for the budget; max_bytes allows more":      "the diff was left out for the budget; --max-bytes allows more",
		"1 older error in 1 other file not listed (all_errors lists them)": "1 older error in 1 other file not listed (--all-errors lists them)",
		"not known yet: src/all_errors.go and max_bytes.go":                "not known yet: src/all_errors.go and max_bytes.go",
	} {
		if got := flagsOfArguments.Replace(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
