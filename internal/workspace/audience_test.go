package workspace

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
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
// at. On Linux, their folders are watched.
func seat(t *testing.T, archive string) *audience {
	t.Helper()
	a := &audience{t: t, journal: filepath.Join(t.TempDir(), "journal")}
	d := lsptest.Script{JournalFile: a.journal}.Definition(t)
	a.Workspace = open(t, "-- toy.root --\n-- first.toy --\n"+archive, Options{Servers: registry.Table{d}})
	a.takePicture()
	var err error
	if a.server, err = a.Server(t.Context(), only(t, a.Workspace, "first.toy")); err != nil {
		t.Fatal(err)
	}
	a.heard() // and the registration came
	a.look()
	if well, why := a.Watching(); !well && runtime.GOOS == "linux" {
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
	if fresh.tree.Count() != a.tree.Count() {
		a.t.Errorf("counted %d files of %d", a.tree.Count(), fresh.tree.Count())
	}
}

// picture returns the time and size of each file in the picture, as text, and
// its folders.
func (w *Workspace) picture() map[string]string {
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	seen := make(map[string]string)
	for dir, f := range w.tree.Folders() {
		seen[dir] = "folder"
		for name, s := range f.Files {
			seen[filepath.Join(dir, name)] = textOf(s)
		}
	}
	return seen
}

func textOf(s disk.Stamp) string {
	return s.Modified.Format("15:04:05.000000000 ") + strings.Repeat("|", int(s.Size))
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
