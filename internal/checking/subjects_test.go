package checking

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A subject is what a check is about, by relative names.
type about struct {
	Files, Deleted []string
	From           map[string]string
}

func (s *shop) about(req api.CheckRequest) (about, error) {
	s.t.Helper()
	all, err := s.subjects(s.t.Context(), req)
	a := about{From: make(map[string]string)}
	relative := func(paths []string) (list []string) {
		for _, path := range paths {
			if filepath.IsAbs(path) {
				path = s.names.Relative(path)
			}
			list = append(list, path)
		}
		return list
	}
	a.Files, a.Deleted = relative(all.files), relative(all.deleted)
	for path, from := range all.from {
		a.From[s.names.Relative(path)] = s.names.Relative(from)
	}
	return a, err
}

func (s *shop) remove(names ...string) {
	s.t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(s.root, name)); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *shop) commit() {
	s.t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "one"}} {
		lsptest.Git(s.t, s.root, args...)
	}
}

// Without names, a check is about what differs from the commit and some server judges, whatever was
// judged before: changed, new, deleted, moved. A file that embeds one that is gone is part
// of it, also if it is too large to be judged: the answer says so. What no server knows is not.
func TestWhatChangedSinceACommit(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+strings.Join([]string{
		"-- same.toy --\nsame\n", "-- gone.toy --\ngone\n", "-- notes.txt --\none\n", "-- old.txt --\nold\n", "-- page.html --\npage\n", "-- serve.go --\npackage serve\n\n//go:embed page.html\n",
		"-- old.toy --\nold\nold\nold\n", "-- back.toy --\none\n", "-- .gitignore --\n*.tmp.toy\n", "-- away.tmp.toy --\naway\n", "-- kept.tmp.toy --\nkept\n",
	}, ""))
	s.commit()
	write := func(name, text string) { lsptest.WriteFile(t, filepath.Join(s.root, name), text) }
	if got, err := s.about(api.CheckRequest{}); err != nil || !cmp.Equal(about{}, got, cmpopts.EquateEmpty()) {
		t.Errorf("nothing changed: %+v, %v", got, err)
	}
	write("back.toy", "two\n")
	s.check("back.toy", "away.tmp.toy", "kept.tmp.toy", "main.toy", "gone.toy")
	write("back.toy", "one\n")
	write("main.toy", "use helper\n\n")
	write("new.toy", "new\n")
	write("large.toy", strings.Repeat("#", 3<<20))
	write("notes.txt", "two\n")
	s.remove("gone.toy", "old.txt", "page.html", "away.tmp.toy")
	lsptest.Git(t, s.root, "mv", "old.toy", "moved.toy")
	want := about{
		Files: []string{"large.toy", "main.toy", "moved.toy", "new.toy", "serve.go"}, Deleted: []string{"gone.toy", "old.toy", "page.html"}, From: map[string]string{"moved.toy": "old.toy"},
	}
	got, err := s.about(api.CheckRequest{})
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := s.about(api.CheckRequest{Revision: "nowhere"}); err == nil {
		t.Errorf("since what is not there: %+v", got)
	}
}

// Outside a checkout, a check without names is about all files that a server knows; where a revision
// is named there is none.
func TestWhatChangedOutsideACheckout(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- notes.txt --\none\n")
	got, err := s.about(api.CheckRequest{})
	if diff := cmp.Diff(about{Files: []string{"lib.toy", "main.toy"}}, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := s.about(api.CheckRequest{Revision: "HEAD"}); err == nil {
		t.Errorf("since a revision: %+v", got)
	}
	empty := openToy(t, lsptest.Script{}, "-- toy.root --\n-- notes.txt --\none\n")
	if got, err := empty.about(api.CheckRequest{}); err == nil {
		t.Errorf("without a file to check: %+v", got)
	}
}

// A caller may know that a file was there, of which neither a commit nor the session has the text: it counts as deleted, if a
// server judges such files, and breaks those that use it.
func TestNamesOfWhatTheCallerSaysIsGone(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	names := []string{"main.toy", "was.toy", "was.txt"}
	got, err := s.about(api.CheckRequest{Files: names, Gone: []string{"main.toy", "was.toy", "was.txt"}})
	want := about{Files: []string{"main.toy", "was.txt"}, Deleted: []string{"was.toy"}}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	r, err := s.Check(t.Context(), api.CheckRequest{Files: []string{"was.toy"}, Gone: []string{"was.toy"}})
	if diff := cmp.Diff([]string{"was.toy"}, r.Deleted); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A name of what is gone stands for the files that were committed there, those below a folder too; a
// name of what no commit has is an error.
func TestNamesOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- a/one.toy --\none\n-- a/two.toy --\ntwo\n-- a/notes.txt --\nx\n-- ab.toy --\nab\n-- old.toy --\nold\nold\nold\n")
	s.commit()
	given := api.CheckRequest{Files: []string{"given.toy"}, Contents: map[string]string{"given.toy": "given\n"}, TimeoutMS: 60_000}
	if _, err := s.Check(t.Context(), given); err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(s.root, "loose.toy"), "loose\n")
	s.check("loose.toy", "a/one.toy")
	s.remove("a/one.toy", "a/two.toy", "a/notes.txt", "a", "ab.toy", "loose.toy")
	lsptest.Git(t, s.root, "mv", "old.toy", "moved.toy")
	from := map[string]string{"moved.toy": "old.toy"}
	for _, c := range []struct {
		names []string
		want  about
	}{
		{[]string{"a"}, about{Deleted: []string{"a/one.toy", "a/two.toy"}, From: from}},
		{[]string{"a/two.toy", "main.toy"}, about{Files: []string{"main.toy"}, Deleted: []string{"a/two.toy"}, From: from}},
		{[]string{"loose.toy", "ab.toy"}, about{Files: []string{"loose.toy"}, Deleted: []string{"ab.toy"}, From: from}},
		{[]string{"main.toy"}, about{Files: []string{"main.toy"}}},
		{[]string{"given.toy"}, about{Files: []string{"given.toy"}, From: from}},
		{[]string{"never.toy", "ab.toy"}, about{Files: []string{"never.toy"}, Deleted: []string{"ab.toy"}, From: from}},
		{[]string{"a/notes.txt"}, about{Files: []string{"a/notes.txt"}, From: from}},
	} {
		got, err := s.about(api.CheckRequest{Files: c.names})
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", c.names, err, diff)
		}
	}
}

// A file that is compared without a revision is compared with HEAD if that is the baseline or the
// session began nowhere, else with where the session began.
func TestRevisionsThatFilesAreComparedWith(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	got := []string{s.revision(api.CheckRequest{}), s.revision(api.CheckRequest{Revision: "r"})}
	s.session.began = "began"
	got = append(got, s.revision(api.CheckRequest{}), s.revision(api.CheckRequest{Revision: "r"}), s.revision(api.CheckRequest{Baseline: "head"}), s.revision(api.CheckRequest{Baseline: "head", Revision: "r"}))
	if diff := cmp.Diff([]string{"HEAD", "r", "began", "r", "HEAD", "r"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Files that use what changed and could not be judged are named with what is missing, for the first of
// which that is known.
func TestUnheardFiles(t *testing.T) {
	t.Parallel()
	lacking := func(missing ...string) *diagnostics.FileReport {
		var r diagnostics.FileReport
		for _, m := range missing {
			r.Answers = append(r.Answers, diagnostics.Answer{Lack: diagnostics.Lack{Missing: m}})
		}
		return &r
	}
	var u unheard
	var got []string
	for _, r := range []*diagnostics.FileReport{lacking(), lacking("", "no manifest"), lacking("no compiler")} {
		u.add(fmt.Sprintf("f%d", len(u.files)), r.Missing())
		got = append(got, u.String())
	}
	if diff := cmp.Diff([]string{"f0", "f0, f1 (no manifest)", "f0, f1, f2 (no manifest)"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Which servers would judge a file that does not exist does not depend on whether they are there; what
// they lack is not said of it.
func TestServersOfAFileThatIsGone(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{}.Definition(t)
	d.Commands = []registry.Command{{Binary: "no-such-program"}}
	s := open(t, lsptest.Project, registry.Table{d})
	there := openToy(t, lsptest.Script{}, lsptest.Project)
	got := slices.Concat(s.planned([]diagnostics.File{s.judges(s.workspace.Detection(), filepath.Join(s.root, "gone.toy"))}), there.planned([]diagnostics.File{there.judges(there.workspace.Detection(), filepath.Join(there.root, "gone.toy"))}))
	if diff := cmp.Diff([]plannedFile{{Path: "gone.toy"}, {Path: "gone.toy", Sources: 1}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
