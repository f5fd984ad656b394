package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// between returns what servers are to be told when one picture became another.
func (w *Workspace) between(before, after map[string]string) (events []string) {
	for path, s := range after {
		switch old, existed := before[path]; {
		case s == "folder" || old == s:
		case !existed || old == "folder":
			events = append(events, "created "+w.Relative(path))
		default:
			events = append(events, "changed "+w.Relative(path))
		}
	}
	for path, s := range before {
		if now, still := after[path]; s != "folder" && (!still || now == "folder") {
			events = append(events, "deleted "+w.Relative(path))
		}
	}
	slices.Sort(events)
	return events
}

// stir changes the folder dir in a random way. What cannot be done is not.
func stir(r *rapid.T, dir string, step int) string {
	name := rapid.Custom(func(r *rapid.T) string {
		return filepath.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c.toy"}), 1, 3).Draw(r, "name")...)
	})
	one, other := name.Draw(r, "one"), name.Draw(r, "other")
	first, second := filepath.Join(dir, one), filepath.Join(dir, other)
	text := []byte(strings.Repeat("x", step))
	switch kind := rapid.IntRange(0, 9).Draw(r, "kind"); kind {
	case 0, 1, 2:
		_ = os.MkdirAll(filepath.Dir(first+".toy"), 0o755)
		_ = os.WriteFile(first+".toy", text, 0o644)
		return "write " + one
	case 3:
		_ = os.MkdirAll(first, 0o755)
		return "mkdir " + one
	case 4:
		_ = os.RemoveAll(first)
		return "remove " + one
	case 5, 6, 7:
		_ = os.Rename(first, second)
		return "move " + one + " " + other
	case 8:
		_ = os.RemoveAll(first)
		_ = os.MkdirAll(first, 0o755)
		_ = os.WriteFile(filepath.Join(first, "d.toy"), text, 0o644)
		return "replace " + one
	default:
		_ = os.Chmod(first, 0o700)
		return "chmod " + one
	}
}

// Whatever happens, and whoever looks, by look or sweep: servers are told the
// difference between the disk of this look and that of the last one, no more and
// no less, and the picture is the disk.
func TestLookTellsTheDifference(t *testing.T) {
	a := seat(t, "")
	step := 0
	rapid.Check(t, func(r *rapid.T) {
		for range rapid.IntRange(1, 8).Draw(r, "looks") {
			before := a.picture()
			var done []string
			for range rapid.IntRange(0, 6).Draw(r, "steps") {
				step++
				done = append(done, stir(r, a.path("t"), step%5000))
			}
			look := a.Look
			if rapid.IntRange(0, 3).Draw(r, "sweep") == 0 {
				look = a.Sweep
				done = append(done, "(sweep)")
			}
			if _, err := look(t.Context(), nil); err != nil {
				r.Fatal(err)
			}
			a.agrees()
			got := a.heard()
			slices.Sort(got)
			if d := cmp.Diff(a.between(before, a.picture()), got); d != "" || t.Failed() {
				r.Fatalf("after %q:\n%s", done, d)
			}
		}
		if well, why := a.Watching(); !well && runtime.GOOS == "linux" {
			r.Fatal(why)
		}
	})
}

// Many change and look at once. Each finds its own part of the picture as the
// disk is, whoever looked; and in the end the server was told a true story: what
// is created was not there, what changed or went was, and what is left is on disk.
func TestLooksAtOnce(t *testing.T) {
	t.Parallel()
	a := seat(t, "")
	rapid.Check(t, func(r *rapid.T) {
		before := a.picture()
		var all sync.WaitGroup
		for i := range 4 {
			dir := a.path(fmt.Sprintf("t%d", i))
			seeds := rapid.SliceOfN(rapid.Int(), 6, 6).Draw(r, "seeds")
			all.Go(func() {
				for step, seed := range seeds {
					done := rapid.Custom(func(r *rapid.T) string { return stir(r, dir, step+5*(seed&0xff)) }).Example(seed)
					look := a.Look
					if i == 0 && step%2 == 0 {
						look = a.Sweep
					}
					if _, err := look(t.Context(), nil); err != nil {
						t.Error(err)
					}
					if d := cmp.Diff(a.part(t, dir, true), a.part(t, dir, false)); d != "" {
						t.Errorf("after %s the disk (-) is not the picture (+):\n%s", done, d)
					}
				}
			})
		}
		all.Wait()
		a.agrees()
		a.retell(before)
		if t.Failed() {
			r.Fatal("see above")
		}
	})
}

// part returns a part of the picture, or what it should be.
func (a *audience) part(t *testing.T, dir string, onDisk bool) map[string]string {
	w := a.Workspace
	if onDisk {
		var err error
		if w, err = Open(a.opts); err != nil {
			t.Error(err)
			return nil
		}
		w.tree.Take()
	}
	seen := w.picture()
	for path := range seen {
		if !fspath.Below(dir, path) {
			delete(seen, path)
		}
	}
	return seen
}

// retell replays what the server was told since a picture.
func (a *audience) retell(before map[string]string) {
	there := make(map[string]bool)
	for path, s := range before {
		if s != "folder" {
			there[a.Relative(path)] = true
		}
	}
	for _, e := range a.heard() {
		kind, name, _ := strings.Cut(e, " ")
		if there[name] != (kind != "created") {
			a.t.Errorf("told %q though it was there: %t", e, there[name])
		}
		there[name] = kind != "deleted"
	}
	now := a.picture()
	for name, still := range there {
		if s, known := now[a.path(name)]; (known && s != "folder") != still {
			a.t.Errorf("of %s the server believes that it is there: %t", name, still)
		}
	}
}

// Whoever looked asks what the server answers with the change: another's look
// that took the change tells it first.
func TestLookComesBeforeTheQuestion(t *testing.T) {
	a := seat(t, "")
	const askers, rounds = 8, 20
	var all sync.WaitGroup
	for i := range askers {
		all.Go(func() {
			for round := range rounds {
				path := a.path(fmt.Sprintf("q%d_%d.toy", i, round))
				if err := os.WriteFile(path, nil, 0o644); err != nil {
					t.Error(err)
				}
				if _, err := a.Look(t.Context(), nil); err != nil {
					t.Error(err)
				}
				if err := a.server.Barrier(t.Context(), "textDocument/foldingRange", path); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	told := make(map[string]bool)
	asked := 0
	for _, e := range lsptest.ReadJournal(t, a.journal) {
		var p struct {
			Changes      []struct{ URI string }
			TextDocument struct{ URI string }
		}
		if json.Unmarshal(e.Params, &p) != nil {
			continue
		}
		for _, c := range p.Changes {
			told[c.URI] = true
		}
		if e.Method == "textDocument/foldingRange" {
			asked++
			if !told[p.TextDocument.URI] {
				t.Errorf("asked before it was told: %s", p.TextDocument.URI)
			}
		}
	}
	if asked != askers*rounds {
		t.Errorf("%d questions", asked)
	}
}

// What a look and a sweep cost where nothing changed, and where one file did.
func BenchmarkLook(b *testing.B) {
	root := b.TempDir()
	for i := range 1300 {
		lsptest.WriteFile(b, filepath.Join(root, fmt.Sprintf("d%d/e%d/f%d.toy", i%20, i%100, i)), "1\n")
	}
	w, err := Open(Options{Root: root, Servers: registry.Table{lsptest.Script{}.Definition(b)}})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = w.Close(b.Context()) }()
	look := func(b *testing.B, look func(context.Context, []string) (Swept, error), change bool) {
		for i := range b.N {
			if change {
				if err := os.WriteFile(filepath.Join(w.Root(), "d0/e0/f0.toy"), []byte(strings.Repeat("x", i%100)), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			if _, err := look(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, change := range []bool{false, true} {
		b.Run(fmt.Sprintf("change=%t/sweep", change), func(b *testing.B) { look(b, w.Sweep, change) })
		b.Run(fmt.Sprintf("change=%t/look", change), func(b *testing.B) { look(b, w.Look, change) })
	}
	if well, why := w.Watching(); !well {
		b.Error(why)
	}
}
