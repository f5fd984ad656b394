package workspace

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
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

// An audience is a workspace with a server that hears of its files.
type audience struct {
	*Workspace
	t       *testing.T
	server  *lsp.Server
	journal string
	read    int64 // of the journal
}

// seat returns an audience for the files of an archive, which have been looked
// at. It needs a root whose folders can be watched.
func seat(t *testing.T, archive string) *audience {
	t.Helper()
	a := &audience{t: t, journal: filepath.Join(t.TempDir(), "journal")}
	d := lsptest.Script{JournalFile: a.journal}.Definition(t)
	a.Workspace = open(t, "-- toy.root --\n-- first.toy --\n"+archive, Options{Servers: registry.Table{d}})
	if why := distrust(a.Root()); why != "" {
		lsptest.Skip(t, why)
	}
	a.takePicture()
	var err error
	if a.server, err = a.Server(t.Context(), only(t, a.Workspace, "first.toy")); err != nil {
		t.Fatal(err)
	}
	a.heard() // and the registration came
	a.look()
	if well, why := a.Watching(); !well {
		t.Fatal("nobody watches:", why)
	}
	return a
}

func (a *audience) path(name string) string { return filepath.Join(a.Root(), name) }

// heard returns what the server was told of files since the last call, in order.
func (a *audience) heard() (events []string) {
	a.t.Helper()
	if err := a.server.Barrier(a.t.Context(), "textDocument/documentSymbol", a.path("first.toy")); err != nil {
		a.t.Fatal(err)
	}
	f, err := os.Open(a.journal)
	if err != nil {
		a.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(a.read, io.SeekStart); err != nil {
		a.t.Fatal(err)
	}
	kinds := map[protocol.ChangeType]string{protocol.Created: "created ", protocol.Changed: "changed ", protocol.Deleted: "deleted "}
	decoder := json.NewDecoder(f)
	for decoder.More() {
		var e lsptest.Entry
		var p struct {
			Changes []struct {
				URI  protocol.DocumentURI
				Type protocol.ChangeType
			}
		}
		if err := decoder.Decode(&e); err != nil {
			a.t.Fatal(err)
		}
		if e.Method != "workspace/didChangeWatchedFiles" {
			continue
		}
		if err := json.Unmarshal(e.Params, &p); err != nil {
			a.t.Fatal(err)
		}
		for _, c := range p.Changes {
			path, _ := c.URI.Path()
			events = append(events, kinds[c.Type]+a.Relative(path))
		}
	}
	a.read += decoder.InputOffset()
	return events
}

// look looks, and expects the server to be told what is wanted, sorted.
func (a *audience) look(want ...string) {
	a.t.Helper()
	swept, err := a.Look(a.t.Context(), nil)
	got := a.heard()
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" || err != nil || swept.Told != (len(want) > 0) {
		a.t.Errorf("told %t, %v:\n%s", swept.Told, err, d)
	}
	for _, e := range want {
		if name, gone := strings.CutPrefix(e, "deleted "); gone && !slices.Contains(swept.Deleted, a.path(name)) {
			a.t.Errorf("%s is not among the deleted: %q", name, swept.Deleted)
		}
	}
	a.agrees()
}

// agrees compares the picture with the disk.
func (a *audience) agrees() {
	a.t.Helper()
	fresh, err := Open(a.opts)
	if err != nil {
		a.t.Fatal(err)
	}
	fresh.takePicture()
	if d := cmp.Diff(fresh.picture(), a.picture()); d != "" {
		a.t.Errorf("the disk (-) is not the picture (+):\n%s", d)
	}
	if fresh.tree.count != a.tree.count {
		a.t.Errorf("counted %d files of %d", a.tree.count, fresh.tree.count)
	}
}

// picture returns the time and size of each file in the picture, as text, and
// its folders.
func (w *Workspace) picture() map[string]string {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	seen := make(map[string]string)
	for dir, f := range w.tree.folders {
		seen[dir] = "folder"
		for name, s := range f.files {
			seen[filepath.Join(dir, name)] = s.text()
		}
	}
	return seen
}

func (s stamp) text() string {
	return s.modified.Format("15:04:05.000000000 ") + strings.Repeat("|", int(s.size))
}

func (a *audience) write(name, text string) {
	a.t.Helper()
	lsptest.WriteFile(a.t, a.path(name), text)
}

func (a *audience) remove(name string) {
	a.t.Helper()
	if err := os.RemoveAll(a.path(name)); err != nil {
		a.t.Fatal(err)
	}
}

func (a *audience) move(from, to string) {
	a.t.Helper()
	if err := os.Rename(a.path(from), a.path(to)); err != nil {
		a.t.Fatal(err)
	}
}

// A look tells each kind of change that was made before it, at any depth, once;
// and that of the next moment in the next look.
func TestLookTellsEveryChange(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n-- sub/b.toy --\n1\n-- sub/deep/c.toy --\n1\n-- other/d.toy --\n1\n")
	a.write("a.toy", "22\n")
	a.look("changed a.toy")
	a.look()
	a.write("a.toy", "333\n")
	a.write("sub/deep/c.toy", "22\n")
	a.look("changed a.toy", "changed sub/deep/c.toy")
	a.write("new.toy", "")
	a.write("sub/notes.md", "")
	a.look("created new.toy")
	a.write("p/q/r/e.toy", "1") // a folder in a new folder in a new folder
	a.look("created p/q/r/e.toy")
	a.write("p/q/r/e.toy", "22")
	a.write("p/q/f.toy", "1")
	a.look("changed p/q/r/e.toy", "created p/q/f.toy")
	a.remove("new.toy")
	a.move("a.toy", "z.toy")
	a.look("created z.toy", "deleted a.toy", "deleted new.toy")
	a.remove("p")
	a.look("deleted p/q/f.toy", "deleted p/q/r/e.toy")
	a.write("p/q/r/e.toy", "333")
	a.look("created p/q/r/e.toy")
	a.write(".git/x.toy", "")
	a.write("node_modules/m/x.toy", "")
	a.look()
	if err := os.Truncate(a.path("z.toy"), 0); err != nil {
		t.Fatal(err)
	}
	a.look("changed z.toy")
	past := a.opts.Now().Add(-1e12)
	if err := os.Chtimes(a.path("z.toy"), past, past); err != nil {
		t.Fatal(err)
	}
	a.look("changed z.toy")
}

// Folders that are moved, moved in and out, and replaced are heard of afterwards
// as before, by the names they have then.
func TestLookFollowsFolders(t *testing.T) {
	a := seat(t, "-- sub/b.toy --\n1\n-- sub/deep/c.toy --\n1\n-- other/d.toy --\n1\n")
	a.move("sub", "moved")
	a.look("created moved/b.toy", "created moved/deep/c.toy", "deleted sub/b.toy", "deleted sub/deep/c.toy")
	a.write("moved/deep/c.toy", "22\n")
	a.look("changed moved/deep/c.toy")
	a.move("moved/deep", "aaa") // sorts before the folder it comes from
	a.write("aaa/c.toy", "333\n")
	a.look("created aaa/c.toy", "deleted moved/deep/c.toy")
	a.write("aaa/c.toy", "4444\n")
	a.look("changed aaa/c.toy")

	// Two change places.
	a.move("aaa", "tmp")
	a.move("other", "aaa")
	a.move("tmp", "other")
	a.look("created aaa/d.toy", "created other/c.toy", "deleted aaa/c.toy", "deleted other/d.toy")
	a.write("aaa/d.toy", "22\n")
	a.write("other/c.toy", "1\n")
	a.look("changed aaa/d.toy", "changed other/c.toy")

	// So do two with folders in them, whose watches do not end by themselves.
	a.write("one/in/e.toy", "1\n")
	a.write("two/in/e.toy", "22\n")
	a.look("created one/in/e.toy", "created two/in/e.toy")
	a.move("one", "tmp")
	a.move("two", "one")
	a.move("tmp", "two")
	a.look("changed one/in/e.toy", "changed two/in/e.toy")
	for _, text := range []string{"333\n", "4444\n"} {
		a.write("one/in/e.toy", text)
		a.look("changed one/in/e.toy")
		a.write("two/in/e.toy", text)
		a.look("changed two/in/e.toy")
	}

	// One is replaced by another with the same entries.
	a.remove("aaa")
	a.write("aaa/d.toy", "333\n")
	a.look("changed aaa/d.toy")
	a.write("aaa/d.toy", "4444\n")
	a.look("changed aaa/d.toy")
	a.remove("aaa")
	a.write("aaa", "a file\n")
	a.look("deleted aaa/d.toy")

	outside := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(outside, "in/x/g.toy"), "1\n")
	if err := os.Rename(filepath.Join(outside, "in"), a.path("in")); err != nil {
		t.Fatal(err)
	}
	a.look("created in/x/g.toy")
	a.write("in/x/g.toy", "22\n")
	a.look("changed in/x/g.toy")
	if err := os.Rename(a.path("in"), filepath.Join(outside, "in")); err != nil {
		t.Fatal(err)
	}
	a.look("deleted in/x/g.toy")
	lsptest.WriteFile(t, filepath.Join(outside, "in/x/g.toy"), "333\n")
	a.look()

	// What a link leads to is another's.
	symlink(t, outside, a.path("link"))
	a.look()
}

// The root itself may be moved away and replaced, with all that is above it.
func TestLookSeesAnotherRoot(t *testing.T) {
	above := t.TempDir()
	root := filepath.Join(above, "x", "root")
	lsptest.WriteFile(t, filepath.Join(root, "a.toy"), "1\n")
	w := open(t, "", Options{Root: root, Servers: registry.Table{lsptest.Script{}.Definition(t)}})
	look := func(want ...string) {
		t.Helper()
		swept, err := w.Look(t.Context(), nil)
		if !slices.Equal(swept.Deleted, want) || err != nil {
			t.Errorf("%+v, %v; want %q", swept, err, want)
		}
	}
	look()
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(above, from), filepath.Join(above, to)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(w.Root(), "a.toy")
	move("x", "y")
	look(path)
	look()
	lsptest.WriteFile(t, path, "22\n")
	look()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	look(path)
	move("x", "z")
	move("y", "x")
	look()
	if _, known := w.picture()[path]; !known {
		t.Error("the file of the first root is not seen again")
	}
}

// Hundreds of files at once, as a checkout makes them: replaced, new, and gone
// with their folders.
func TestLookTellsACheckout(t *testing.T) {
	a := seat(t, "")
	name := func(i int, kind string) string {
		return kind + string(rune('a'+i%26)) + "/" + string(rune('a'+i/26)) + "/" + kind + ".toy"
	}
	var created, changed []string
	for i := range 300 {
		a.write(name(i, "old"), "1\n")
		created = append(created, "created "+name(i, "old"))
	}
	slices.Sort(created)
	a.look(created...)
	for i := range 300 {
		if i%26 == 0 {
			continue
		}
		lsptest.WriteFile(t, a.path("fresh"), "22\n") // as git does
		a.move("fresh", name(i, "old"))
		changed = append(changed, "changed "+name(i, "old"))
		a.write(name(i, "new"), "1\n")
		changed = append(changed, "created "+name(i, "new"))
	}
	a.remove("olda")
	for i := 0; i < 300; i += 26 {
		changed = append(changed, "deleted "+name(i, "old"))
	}
	slices.Sort(changed)
	a.look(changed...)
	a.look()
}

// What a sweep told, a look does not tell again; what a sweep was the first to
// see is heard of in looks after it.
func TestLookBesideSweep(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n-- sub/deep/b.toy --\n1\n")
	sweep := func(want ...string) {
		t.Helper()
		if _, err := a.Sweep(t.Context(), nil); err != nil {
			t.Error(err)
		}
		got := a.heard()
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("the sweep told:\n%s", d)
		}
	}
	a.write("a.toy", "22\n")
	a.write("p/q/c.toy", "1\n")
	a.move("sub", "moved")
	sweep("changed a.toy", "created moved/deep/b.toy", "created p/q/c.toy", "deleted sub/deep/b.toy")
	a.write("a.toy", "333\n")
	a.look("changed a.toy")
	a.write("p/q/c.toy", "22\n")
	a.write("moved/deep/b.toy", "22\n")
	a.look("changed moved/deep/b.toy", "changed p/q/c.toy")
	a.write("moved/deep/b.toy", "333\n")
	a.look("changed moved/deep/b.toy")
	a.write("p/q/c.toy", "333\n")
	a.look("changed p/q/c.toy")
	a.remove("p")
	sweep("deleted p/q/c.toy")
	a.write("p/q/c.toy", "1\n")
	a.look("created p/q/c.toy")
	sweep()
}

// Open documents get the content of their files, and those in except are left
// alone, as by a sweep; so also where nothing on disk changed.
func TestLookReconcilesDocuments(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n-- b.toy --\n1\n")
	for _, name := range []string{"a.toy", "b.toy"} {
		if _, err := a.server.Sync(a.path(name), []byte("given")); err != nil {
			t.Fatal(err)
		}
	}
	a.write("b.toy", "22\n")
	swept, err := a.Look(t.Context(), []string{a.path("b.toy")})
	if err != nil || !swept.Told {
		t.Errorf("%+v, %v", swept, err)
	}
	texts := make(map[string]string)
	for _, path := range a.server.OpenDocuments() {
		_, text, _ := a.server.Document(path)
		texts[a.Relative(path)] = string(text)
	}
	if want := map[string]string{"a.toy": "1\n", "b.toy": "given"}; !maps.Equal(texts, want) {
		t.Errorf("the documents are %q", texts)
	}
	if events := a.heard(); len(events) > 0 {
		t.Errorf("told %q", events)
	}
}

// A server that must be shown each changed file, and of which too many changed at
// once, is restarted by whoever asks next: it may not know some and say nothing.
func TestTooManyChangesStartAnew(t *testing.T) {
	d := lsptest.Script{}.Definition(t)
	d.Quirks = append(d.Quirks, registry.OpenChanged)
	archive := "-- toy.root --\n"
	name := func(i int) string { return fmt.Sprintf("f%d.toy", i) }
	for i := range maxOpened + 1 {
		archive += "-- " + name(i) + " --\n1\n"
	}
	w := open(t, archive, Options{Servers: registry.Table{d}})
	w.takePicture()
	c := only(t, w, name(0))
	for _, changes := range []struct {
		count int
		anew  bool
	}{{maxOpened, false}, {maxOpened + 1, true}} {
		before, err := w.Server(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range changes.count {
			lsptest.WriteFile(t, filepath.Join(w.Root(), name(i)), strings.Repeat("2", changes.count)+"\n")
		}
		swept, err := w.Look(t.Context(), nil)
		if err != nil || !swept.Told {
			t.Errorf("%d changes: told %t, %v", changes.count, swept.Told, err)
		}
		if after, err := w.Server(t.Context(), c); err != nil || (after != before) != changes.anew {
			t.Errorf("%d changes: another server %t, %v", changes.count, after != before, err)
		}
		for _, path := range before.OpenDocuments() {
			if _, err := before.CloseDocument(path); err != nil && !changes.anew {
				t.Error(err)
			}
		}
	}
}
