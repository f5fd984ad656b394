package workspace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A neighbourhood is a workspace with several toy projects, and the journal of the
// server that judges them.
type neighbourhood struct {
	*Workspace
	t       *testing.T
	journal string
}

func settle(t *testing.T, archive string, change func(d *registry.Definition), rules ...lsptest.Rule) *neighbourhood {
	t.Helper()
	journal := filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{JournalFile: journal, Rules: rules}.Definition(t)
	d.Roots, d.SingleFile, d.Sharing = []string{"toy.list", "toy.root"}, false, registry.TakesFolders
	d.Lists = []string{"toy.list"}
	if change != nil {
		change(&d)
	}
	return &neighbourhood{open(t, archive, Options{Servers: registry.Table{d}, MaxRestarts: 3}), t, journal}
}

// obtain returns the server of a file.
func (n *neighbourhood) obtain(name string) *lsp.Server {
	n.t.Helper()
	s, err := n.Server(n.t.Context(), only(n.t, n.Workspace, name))
	if err != nil {
		n.t.Fatal(err)
	}
	return s
}

// folders wants these folders of the only server that runs, by name.
func (n *neighbourhood) folders(want ...string) {
	n.t.Helper()
	running := n.Running()
	if len(running) != 1 {
		n.t.Fatalf("%d servers run", len(running))
	}
	var got []string
	for _, folder := range running[0].Folders() {
		got = append(got, n.Relative(folder))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		n.t.Errorf("folders (-want +got):\n%s", diff)
	}
}

// told are the folders that the server was told of: at its starts, and with + and -
// what came and went.
func (n *neighbourhood) told() (all []string) {
	n.t.Helper()
	for _, s := range n.Running() { // its answer comes after what was sent before
		if err := s.Barrier(n.t.Context(), "textDocument/documentSymbol", filepath.Join(n.Root(), "a/x.toy")); err != nil {
			n.t.Fatal(err)
		}
	}
	type folder struct{ URI protocol.DocumentURI }
	names := func(prefix string, folders []folder) {
		for _, f := range folders {
			path, err := f.URI.Path()
			if err != nil {
				n.t.Fatal(err)
			}
			all = append(all, prefix+n.Relative(path))
		}
	}
	for _, e := range lsptest.ReadJournal(n.t, n.journal) {
		var p struct {
			WorkspaceFolders []folder
			Event            struct{ Added, Removed []folder }
		}
		if json.Unmarshal(e.Params, &p) == nil {
			names("", p.WorkspaceFolders)
			names("+", p.Event.Added)
			names("-", p.Event.Removed)
		}
	}
	return all
}

func (n *neighbourhood) write(name, text string) {
	n.t.Helper()
	lsptest.WriteFile(n.t, filepath.Join(n.Root(), name), text)
}

// look tells the server what changed on disk.
func (n *neighbourhood) look() {
	n.t.Helper()
	if _, err := n.Sweep(n.t.Context(), nil); err != nil {
		n.t.Fatal(err)
	}
}

const threeProjects = "-- a/toy.root --\n-- a/x.toy --\n-- b/toy.root --\nneeds ../a\n-- b/x.toy --\n-- c/toy.root --\n-- c/x.toy --\n"

// The root that is touched first is a folder at the start, with those that need it; one
// touched later is added, once; and one process is for all, named by the workspace.
func TestFoldersOfOneProcess(t *testing.T) {
	n := settle(t, threeProjects, nil)
	first := n.obtain("a/x.toy")
	n.folders("a", "b")
	if later := n.obtain("c/x.toy"); later != first || first.Root() != n.Root() {
		t.Errorf("the roots have the servers of %s and %s", first.Root(), later.Root())
	}
	n.obtain("b/x.toy")
	n.obtain("c/x.toy")
	n.folders("a", "b", "c")
	if diff := cmp.Diff([]string{"a", "b", "+c"}, n.told()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if s := n.Statuses()[0]; s.Root != n.Root() || len(s.Folders) != 3 {
		t.Errorf("status %+v", s)
	}
}

// What a touched project needs itself is no folder before it is touched.
func TestNeededProjectIsNoFolder(t *testing.T) {
	n := settle(t, threeProjects, nil)
	n.obtain("b/x.toy")
	n.folders("b")
	n.obtain("a/x.toy")
	n.folders("b", "a")
}

// A server that crashed is started with all folders that it had.
func TestFoldersAfterACrash(t *testing.T) {
	n := settle(t, threeProjects, nil, lsptest.On("textDocument/foldingRange", lsptest.Crash(1)))
	s := n.obtain("a/x.toy")
	n.obtain("c/x.toy")
	if _, err := s.Sync(filepath.Join(n.Root(), "a/x.toy"), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Barrier(t.Context(), "textDocument/foldingRange", filepath.Join(n.Root(), "a/x.toy")); err == nil {
		t.Fatal("it did not crash")
	}
	<-s.Done()
	n.obtain("a/x.toy")
	n.folders("a", "c", "b")
	if diff := cmp.Diff([]string{"a", "b", "+c", "a", "c", "b"}, n.told()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// A project that comes and needs one that is judged is a folder at once; one that no
// longer is a project is none.
func TestFoldersFollowTheDisk(t *testing.T) {
	n := settle(t, threeProjects, nil)
	n.obtain("a/x.toy")
	n.look()
	n.write("d/e/toy.root", "needs ../../b")
	n.look()
	n.folders("a", "b", "d/e")
	n.write("c/toy.root", "needs (\n\t../a/sub\n)")
	n.look()
	n.folders("a", "b", "d/e", "c")
	for _, name := range []string{"b/toy.root", "d/e"} {
		if err := os.RemoveAll(filepath.Join(n.Root(), name)); err != nil {
			t.Fatal(err)
		}
	}
	n.look()
	n.folders("a", "c")
	// A list makes one root of what it names.
	n.write("toy.list", "./a\n./c\n")
	n.look()
	n.folders(".")
	n.write("toy.list", "./a\n")
	n.look()
	n.folders(".", "c")
	if err := os.Remove(filepath.Join(n.Root(), "toy.list")); err != nil {
		t.Fatal(err)
	}
	n.look()
	n.folders("c") // of which a document is open
	n.obtain("a/x.toy")
	n.folders("c", "a")
}

// Roots that nobody touched are folders only up to a limit, and those left out are known.
func TestRelatedFoldersAreBounded(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- core/toy.root --\n-- core/x.toy --\n")
	for i := range maxRelated + 3 {
		archive.WriteString("-- users/" + string(rune('a'+i/26)) + string(rune('a'+i%26)) + "/toy.root --\n../../core\n")
	}
	n := settle(t, archive.String(), nil)
	s := n.obtain("core/x.toy")
	if got := len(s.Folders()); got != maxRelated+1 {
		t.Errorf("%d folders", got)
	}
	if left := n.Statuses()[0].Left; len(left) != 3 {
		t.Errorf("left out are %q", left)
	}
}

// A server hears of changes in each of its folders, and elsewhere in the workspace.
func TestChangesInOtherRoots(t *testing.T) {
	n := settle(t, threeProjects, nil)
	s := n.obtain("a/x.toy")
	lsptest.Eventually(t, patience, func() bool { return s.Supports("workspace/didChangeWatchedFiles") }, "a registration")
	n.look()
	n.write("b/x.toy", "changed")
	n.write("c/x.toy", "changed")
	n.look()
	n.told() // what was sent before has arrived then
	events, _ := told(t, n.Workspace, n.journal)
	if want := []string{"changed b/x.toy", "changed c/x.toy"}; !slices.Equal(events, want) {
		t.Errorf("told %q, want %q", events, want)
	}
}

// When a root goes that was one of several projects, those with an open document are
// judged on, each for itself.
func TestRootFallsApart(t *testing.T) {
	n := settle(t, "-- toy.list --\n./a\n./b\n-- a/toy.root --\n-- a/x.toy --\n-- b/toy.root --\n-- b/x.toy --\n", nil)
	s := n.obtain("a/x.toy")
	n.folders(".")
	if _, err := s.Sync(filepath.Join(n.Root(), "b/x.toy"), nil); err != nil {
		t.Fatal(err)
	}
	n.look()
	if err := os.Remove(filepath.Join(n.Root(), "toy.list")); err != nil {
		t.Fatal(err)
	}
	n.look()
	n.folders("b")
}

// A server that discovers projects, and one of a single root, are told of no folders:
// the one has one process, the other one for each.
func TestOtherWaysToShare(t *testing.T) {
	for sharing, want := range map[registry.Sharing][]string{
		registry.Discovers: {"."}, registry.OneRoot: {"a", "b", "c"}, registry.Connected: {"a", "c"},
	} {
		n := settle(t, threeProjects, func(d *registry.Definition) { d.Sharing = sharing })
		for _, name := range []string{"a/x.toy", "b/x.toy", "c/x.toy"} {
			n.obtain(name)
		}
		var got []string
		for _, s := range n.Running() {
			got = append(got, n.Relative(s.Root()))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: servers (-want +got):\n%s", sharing, diff)
		}
	}
}

// Roots that belong together have their folders from the start.
func TestConnectedRoots(t *testing.T) {
	n := settle(t, threeProjects, func(d *registry.Definition) { d.Sharing = registry.Connected })
	n.obtain("b/x.toy")
	n.folders("a", "b")
	if diff := cmp.Diff([]string{"a", "b"}, n.told()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// A document of a project that a list above does not name is open, so that the server
// knows the project.
func TestUnlistedProjectIsOpen(t *testing.T) {
	n := settle(t, "-- toy.list --\n./core\n-- core/toy.root --\n-- core/x.toy --\n-- tools/toy.root --\n../core\n-- tools/deep/x.toy --\n", nil)
	s := n.obtain("core/x.toy")
	n.folders(".", "tools")
	if got, want := s.OpenDocuments(), []string{filepath.Join(n.Root(), "tools/deep/x.toy")}; !slices.Equal(got, want) {
		t.Errorf("open are %q, want %q", got, want)
	}
	if _, err := s.CloseDocument(filepath.Join(n.Root(), "tools/deep/x.toy")); err != nil {
		t.Fatal(err)
	}
	n.obtain("core/x.toy")
	if len(s.OpenDocuments()) != 1 {
		t.Errorf("open are %q", s.OpenDocuments())
	}
}
