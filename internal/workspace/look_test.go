package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

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
//
// Requirement: AGENT-36.
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
	t.Parallel()
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

// Who gives up before changes are heard of takes nothing from the next.
func TestLookGivenUp(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n")
	a.write("a.toy", "22\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Look(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	a.look("changed a.toy")
}

// Whoever waits for the picture of the disk can leave while another one holds it; what is
// found then is part of the next answer.
func TestWaitForThePictureCanBeLeft(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n-- b.toy --\n1\n")
	for name, wait := range map[string]func(context.Context) error{
		"look":     func(ctx context.Context) error { _, err := a.Look(ctx, nil); return err },
		"sweep":    func(ctx context.Context) error { _, err := a.Sweep(ctx, nil); return err },
		"announce": func(ctx context.Context) error { _, _, err := a.Announce(ctx, nil, nil, nil); return err },
		"pictured": func(ctx context.Context) error { _, err := a.pictured(ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			left := make(chan error)
			a.tree.mu.Lock()
			a.write(name+".toy", "1\n")
			go func() { left <- wait(ctx) }()
			cancel()
			err := <-left
			a.tree.mu.Unlock()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			a.look("created " + name + ".toy")
		})
	}
	// One that was at work when its caller left has told the servers; that is known later.
	a.remove("b.toy")
	ctx, cancel := context.WithCancel(t.Context())
	found, release, left := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		_, err := a.told(ctx, func(tell func(*telling)) {
			a.listen(nil, func(what *telling) {
				close(found)
				<-release
				tell(what)
			})
		})
		left <- err
	}()
	<-found
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	close(release)
	a.look("deleted b.toy")
}
