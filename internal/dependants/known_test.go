package dependants

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// checked has the server of a project judge a file with a text, as the only session does.
func (f *Finder) checked(t *testing.T, path, text string) {
	t.Helper()
	file, ok := f.Made(nil, f.workspace.Detection(), nil).Dependant(f.path("any.toy"))
	if !ok {
		t.Fatal("no server judges a file")
	}
	file.Path, file.Content = path, []byte(text)
	report, err := f.collector.Check(t.Context(), diagnostics.Request{Files: []diagnostics.File{file}, Timeout: time.Minute, FirstTouch: time.Minute})
	if err != nil || len(report.Files) != 1 || report.Files[0].Answers[0].Freshness != diagnostics.Fresh {
		t.Fatalf("%s: %+v, %v", path, report, err)
	}
}

// Errors that a server reports by itself are left to it, also beyond the limit, if it is asked about anything.
func TestErrorsThatServersReport(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{Mode: lsptest.Pull}.Definition(t)
	d.Diagnostics.ClosedFiles = registry.ClosedPushes
	finder := finderOf(t, d, "-- toy.root --\n-- any.toy --\n")
	finder.checked(t, finder.path("a.toy"), "fine\n")
	finder.checked(t, finder.path("a.toy"), "ERROR new\n")
	search := finder.Made(Changes{{Path: finder.path("b.toy")}}, finder.workspace.Detection(), nil)
	search.left = []string{finder.path("a.toy")}
	search.ForgetLeft()
	if came, older := search.known(); len(came)+len(older) > 0 || len(finder.collector.Known(nil)) != 1 {
		t.Errorf("came %q, older %q; known are %d", came, older, len(finder.collector.Known(nil)))
	}
	var own diagnostics.File
	finder.AddSources(&own, finder.workspace.Detection().Candidates(finder.path("b.toy")))
	if again := finder.Made(nil, finder.workspace.Detection(), nil).returning(nil, []diagnostics.File{own}); len(again) > 0 {
		t.Errorf("checked again are %q", again)
	}
}

// What is open in the server of a file is checked in place of users that nobody can be asked for: of that server alone.
func TestWhatIsOpenInTheServerOfAFile(t *testing.T) {
	t.Parallel()
	finder := finderOf(t, lsptest.Script{}.Definition(t), "-- toy.root --\n-- any.toy --\n-- sub/toy.root --\n-- sub/b.toy --\n")
	finder.open(t, "z.toy")
	finder.open(t, "a.toy")
	search := finder.Made(nil, finder.workspace.Detection(), nil)
	want := []string{finder.path("a.toy"), finder.path("z.toy")}
	for _, c := range []struct{ mute, want []string }{
		{nil, nil}, {[]string{finder.path("any.toy")}, want}, {[]string{finder.path("sub/b.toy")}, nil}, {[]string{finder.path("notes.txt")}, nil},
	} {
		if diff := cmp.Diff(c.want, search.openBeside(c.mute)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.mute, diff)
		}
	}
}

// Of a server that reads again only what changes below its own root, it is said that its files there are not known where
// it would judge what changes outside of that.
func TestProjectsThatAreNotReadAgain(t *testing.T) {
	t.Parallel()
	const said = "what the edit did to files in two, which could not be judged: toy reads again only what changes below its own root; restart it, or run the compiler there"
	for name, c := range map[string]struct {
		reports registry.ClosedFiles
		changed string
		want    []string
	}{
		"outside":              {registry.ClosedOpen, "one/lib.toy", []string{said}},
		"below":                {registry.ClosedOpen, "two/lib.toy", nil},
		"another kind of file": {registry.ClosedOpen, "one/notes.txt", nil},
		"a server of all":      {registry.ClosedPushes, "one/lib.toy", nil},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Diagnostics.ClosedFiles = c.reports
		finder := finderOf(t, d, "-- one/toy.root --\n-- one/lib.toy --\n-- two/toy.root --\n-- two/main.toy --\n")
		search := finder.Made(nil, finder.workspace.Detection(), nil)
		f, ok := search.Dependant(finder.path("two/main.toy"))
		if !ok {
			t.Fatal("nobody judges it")
		}
		search.noteUnread([]impact.Change{{Path: finder.path(c.changed)}}, f)
		if diff := cmp.Diff(c.want, search.Unknown); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Changes are judged in parts where the project is large, or where nothing leaves the file: then nothing is known to be
// wrong, no file comes, goes or moves, and only a body changes.
func TestChangesThatAreJudgedInParts(t *testing.T) {
	t.Parallel()
	const before, body, declared = "package m\n\nfunc F() int { return 1 }\n", "package m\n\nfunc F() int { return 2 }\n", "package m\n\nfunc F(int) int { return 1 }\n"
	const tag = "//go:build integration\n\n"
	type judged struct{ InParts, Any, Searched bool }
	rewritten := func(path, after string) edit.Change {
		return edit.Change{Path: path, Before: []byte(before), After: []byte(after)}
	}
	for name, c := range map[string]struct {
		changes Changes
		large   int
		errors  string // a file that is known to have some
		want    judged
	}{
		"a body":                    {Changes{rewritten("a.go", body)}, 1000, "", judged{true, true, true}},
		"a declaration":             {Changes{rewritten("a.go", declared)}, 1000, "", judged{}},
		"a body and more":           {Changes{rewritten("a.go", body), rewritten("b.go", declared)}, 1000, "", judged{}},
		"a file of a large project": {Changes{rewritten("a.go", declared)}, 2, "", judged{true, true, true}},
		"nearly a large project":    {Changes{rewritten("a.go", declared)}, 3, "", judged{}},
		"with an error of another":  {Changes{rewritten("a.go", body)}, 1000, "c.toy", judged{true, true, true}},
		"a new file":                {Changes{{Path: "a.go", After: []byte(before), Created: true}}, 1000, "", judged{false, false, true}},
		"a deleted one":             {Changes{{Path: "a.go", Before: []byte(before), Deleted: true}}, 1000, "", judged{false, false, true}},
		"a moved one":               {Changes{{Path: "a.go", From: "c.go", Before: []byte(before), After: []byte(before)}}, 1000, "", judged{false, false, true}},
		"another kind of file":      {Changes{rewritten("a.toy", body)}, 1, "", judged{}},
		"one for another system":    {Changes{rewritten("c_plan9.go", declared)}, 2, "", judged{}},
		"a body of such a one":      {Changes{rewritten("c_plan9.go", body)}, 2, "", judged{true, true, true}},
		"with a tag, for nobody":    {Changes{{Path: "a.go", Before: []byte(tag + before), After: []byte(tag + declared)}}, 2, "", judged{true, true, true}},
		"from a file of many":       {Changes{{Path: "a.toy", From: "a.go", Before: []byte(before), After: []byte(before)}}, 2, "", judged{false, true, true}},
	} {
		d := lsptest.Script{Mode: lsptest.Pull}.Definition(t)
		d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
		d.Diagnostics.ClosedFiles, d.Diagnostics.FileStrategies = registry.ClosedPushes, []registry.Strategy{registry.Pull}
		finder := finderOf(t, d, "-- toy.root --\n-- any.toy --\n-- a.go --\n"+before+"-- b.go --\npackage m\n")
		finder.config.Settings.LargeProjectFiles = c.large
		if c.errors != "" {
			finder.checked(t, finder.path(c.errors), "fine\n")
			finder.checked(t, finder.path(c.errors), "ERROR known\n")
		}
		for i := range c.changes {
			if c.changes[i].Path = finder.path(c.changes[i].Path); c.changes[i].From != "" {
				c.changes[i].From = finder.path(c.changes[i].From)
			}
		}
		search := finder.Made(c.changes, finder.workspace.Detection(), nil)
		got := judged{search.InParts(c.changes[0].Path), search.AnyInParts(), search.searched(c.changes[0])}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if again := (judged{search.InParts(c.changes[0].Path), search.AnyInParts(), search.searched(c.changes[0])}); again != got {
			t.Errorf("%s: the second time %+v", name, again)
		}
	}
}
