package dependants

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/setup"
)

// finderOf returns the finder of a project for its only server.
func finderOf(t *testing.T, d registry.Definition, archive string) *Finder {
	t.Helper()
	w := openProject(t, d, archive)
	cfg, problems := config.Load(config.Options{Root: w.Root(), Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{d}
	collector := diagnostics.New(diagnostics.Options{})
	t.Cleanup(collector.Close)
	texts := overlay.New(overlay.Options{Workspace: w, Collector: collector, Settings: &cfg.Settings})
	t.Cleanup(texts.Close)
	names := w.Names("")
	return New(Options{Workspace: w, Collector: collector, Overlay: texts, Config: cfg}).For(names, setup.New(w, collector, names), "")
}

// path returns the path of a file that is named from the root.
func (f *Finder) path(name string) string {
	return filepath.Join(f.workspace.Root(), filepath.FromSlash(name))
}

// named returns the names of files from the root.
func (f *Finder) named(files []diagnostics.File) (names []string) {
	for i := range files {
		names = append(names, f.names.Relative(files[i].Path))
	}
	return names
}

// open starts the server of a file, and opens that as an empty one if it is not "".
func (f *Finder) open(t *testing.T, name string) {
	t.Helper()
	server, err := f.workspace.Server(t.Context(), f.workspace.Candidates(f.path("any.toy"))[0])
	if err != nil {
		t.Fatal(err)
	}
	if name == "" {
		return
	}
	if _, err := server.Sync(f.path(name), nil); err != nil {
		t.Fatal(err)
	}
}

// What uses a change is judged once each, up to the limit: not what changes itself, what its project
// leaves out, or what is not there. What a change of a configuration may take in is judged as if it were new.
func TestFilesToJudge(t *testing.T) {
	t.Parallel()
	type choice struct {
		Files, Left, New []string
		Count            int
	}
	finder := finderOf(t, lsptest.Script{}.Definition(t), "-- toy.root --\n-- a.toy --\n-- b.toy --\n-- c.toy --\n-- d.toy --\n-- notes.txt --\n")
	finder.config.Settings.MaxDependants = 1
	paths := []string{finder.path("c.toy"), finder.path("a.toy"), finder.path("c.toy"), finder.path("b.toy"), finder.path("none.toy"), finder.path("notes.txt"), finder.path("d.toy"), lsptest.Rooted("/elsewhere.toy")}
	for name, c := range map[string]struct {
		search Search
		want   choice
	}{
		"limited":       {Search{}, choice{Files: []string{"c.toy"}, Left: []string{"d.toy"}, Count: 2}},
		"unlimited":     {Search{unlimited: true}, choice{Files: []string{"c.toy", "d.toy"}, Count: 2}},
		"reconfiguring": {Search{unlimited: true, drafted: true, changes: Changes{{Path: finder.path("tsconfig.json")}}}, choice{Files: []string{"c.toy", "b.toy", "d.toy"}, New: []string{"b.toy"}, Count: 3}},
	} {
		s := c.search
		s.Finder, s.detection = finder, finder.workspace.Detection()
		s.changes = append(s.changes, edit.Change{Path: finder.path("a.toy")})
		s.members = &Membership{by: map[string]string{finder.path("b.toy"): "toy.root"}, finder: finder, detection: s.detection}
		for _, path := range paths {
			if filepath.Base(path) != "b.toy" {
				s.members.by[path] = ""
			}
		}
		var got choice
		files := s.choose(&s.Found, paths)
		for _, path := range s.left {
			got.Left = append(got.Left, finder.names.Relative(path))
		}
		for _, f := range files {
			if f.Created {
				got.New = append(got.New, finder.names.Relative(f.Path))
			}
		}
		got.Files, got.Count = finder.named(files), s.count
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Each doubt is noted once. Without a limit no number of files is full. What is found is forgotten where
// a server tells it, but for what only loading shows and what is not proven.
func TestWhatASearchHolds(t *testing.T) {
	s := &Search{Finder: &Finder{shared: &shared{config: &config.Config{}}}}
	s.config.Settings.MaxDependants = 2
	for _, doubt := range []string{"a", "b", "a"} {
		s.NotKnown(doubt)
	}
	if diff := cmp.Diff([]string{"a", "b"}, s.Unknown); diff != "" {
		t.Error(diff)
	}
	full := func() (full []bool) {
		for n := 1; n <= 3; n++ {
			full = append(full, s.full(n))
		}
		return full
	}
	if diff := cmp.Diff([]bool{false, true, true}, full()); diff != "" {
		t.Error(diff)
	}
	s.Unlimited()
	if diff := cmp.Diff([]bool{false, false, false}, full()); diff != "" {
		t.Error(diff)
	}
	s.Files, s.Loaded, s.Unproven = []diagnostics.File{{Path: "x"}}, []string{"y"}, true
	s.Drop()
	if s.Files != nil || s.Unknown != nil || len(s.Loaded) != 1 || !s.Unproven {
		t.Errorf("it holds %+v", s.Found)
	}
}

// Files that a project leaves out are told by the configuration that does it, and do not count for a
// folder that they are in unless they are named, or there are no others.
func TestFilesThatAProjectLeavesOut(t *testing.T) {
	t.Parallel()
	finder := finderOf(t, lsptest.Script{}.Definition(t), lsptest.Project)
	m := &Membership{finder: finder, by: make(map[string]string)}
	for name, by := range map[string]string{"in.toy": "", "a.toy": "toy.json", "b.toy": "toy.json", "c.toy": "sub/toy.json", "d.toy": "toy.json"} {
		if by != "" {
			by = finder.path(by)
		}
		m.by[finder.path(name)] = by
	}
	paths := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, finder.path(name))
		}
		return paths
	}
	want := []string{
		"a.toy, b.toy, d.toy are no part of the project: toy.json leaves them out, so its own tools do not check them",
		"c.toy is no part of the project: sub/toy.json leaves it out, so its own tools do not check it",
	}
	if diff := cmp.Diff(want, m.Notes(paths("a.toy", "in.toy", "c.toy", "b.toy", "d.toy"))); diff != "" {
		t.Error(diff)
	}
	if notes := m.Notes(paths("in.toy")); notes != nil {
		t.Errorf("a file of the project: %q", notes)
	}
	for _, c := range []struct{ files, named, want []string }{
		{paths("a.toy", "in.toy", "b.toy"), nil, paths("in.toy")},
		{paths("a.toy", "in.toy", "b.toy"), paths("b.toy"), paths("in.toy", "b.toy")},
		{paths("a.toy", "b.toy"), nil, paths("a.toy", "b.toy")},
	} {
		if diff := cmp.Diff(c.want, m.Within(c.files, c.named)); diff != "" {
			t.Errorf("%v: %s", c.named, diff)
		}
	}
}

// One file opens each server that must have one open to look into others, and has none.
func TestServersAreOpenedByAFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers registry.ClosedFiles
		start   bool
		open    string
		want    []string
	}{
		"pull":              {registry.ClosedPull, false, "", []string{"lib.toy"}},
		"command":           {registry.ClosedCommand, false, "", []string{"lib.toy"}},
		"runs":              {registry.ClosedPull, true, "", []string{"lib.toy"}},
		"has one open":      {registry.ClosedPull, true, "main.toy", nil},
		"says all":          {registry.ClosedPushes, false, "", nil},
		"only what is open": {registry.ClosedOpen, false, "", nil},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Diagnostics.ClosedFiles = c.answers
		finder := finderOf(t, d, lsptest.Project)
		if c.start {
			finder.open(t, c.open)
		}
		search := finder.Made(nil, finder.workspace.Detection(), nil)
		var files []diagnostics.File
		for _, file := range []string{"lib.toy", "main.toy"} {
			f, ok := search.Dependant(finder.path(file))
			if !ok || !f.Closed {
				t.Fatalf("%s: %+v", file, f)
			}
			files = append(files, f)
		}
		first := search.Openers(files)
		if diff := cmp.Diff(c.want, finder.named(first)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(first) > 0 && first[0].Closed {
			t.Errorf("%s: the file would be closed again", name)
		}
	}
}

// A search reads each file once while the texts fit into its memory, and whoever judges a file gets the
// text that was read.
func TestTextsAreReadOnce(t *testing.T) {
	t.Parallel()
	finder := finderOf(t, lsptest.Script{}.Definition(t), "-- toy.root --\n-- kept.toy --\nold\n-- fits.toy --\nold\n-- too-many.toy --\nold\n")
	texts := &readTexts{finder: finder, texts: make(map[string][]byte), size: maxReadTexts - len("old\n")*2}
	got := make(map[string]string)
	read := func() {
		for _, name := range []string{"kept.toy", "fits.toy", "too-many.toy"} {
			text, err := texts.read(finder.path(name))
			if err != nil {
				t.Fatal(err)
			}
			got[name] += string(text)
		}
	}
	read()
	for name := range got {
		lsptest.WriteFile(t, finder.path(name), "new\n")
	}
	read()
	if diff := cmp.Diff(map[string]string{"kept.toy": "old\nold\n", "fits.toy": "old\nold\n", "too-many.toy": "old\nnew\n"}, got); diff != "" {
		t.Error(diff)
	}
	if text, err := texts.read(finder.path("none.toy")); err == nil || text != nil {
		t.Errorf("a file that is not there is %q, %v", text, err)
	}
	search := finder.Made(nil, finder.workspace.Detection(), nil)
	search.texts = texts
	if f, ok := search.Dependant(finder.path("kept.toy")); !ok || string(f.Content) != "old\n" {
		t.Errorf("judged as %q, %t", f.Content, ok)
	}
	search.DiskChanged()
	if f, ok := search.Dependant(finder.path("kept.toy")); !ok || string(f.Content) != "new\n" {
		t.Errorf("after a change judged as %q, %t", f.Content, ok)
	}
}

// The state of a file is its size and its times, and certain only some time after its last change.
func TestStateOfAFile(t *testing.T) {
	t.Parallel()
	finder := finderOf(t, lsptest.Script{}.Definition(t), lsptest.Project)
	path := finder.path("main.toy")
	for _, c := range []struct {
		changed time.Time
		settled bool
	}{{time.Now().Add(-time.Hour).Truncate(time.Second), true}, {time.Now().Add(time.Hour).Truncate(time.Second), false}} {
		if err := os.Chtimes(path, c.changed, c.changed); err != nil {
			t.Fatal(err)
		}
		stamp, settled := finder.stamp(path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(impact.Stamp{Size: info.Size(), Modified: c.changed.UnixNano(), Change: fspath.Change(info)}, stamp); diff != "" || settled != c.settled {
			t.Errorf("settled %t: %s", settled, diff)
		}
	}
	if stamp, settled := finder.stamp(finder.path("none.toy")); settled || stamp != (impact.Stamp{}) {
		t.Errorf("a file that is not there has the state %+v", stamp)
	}
}
