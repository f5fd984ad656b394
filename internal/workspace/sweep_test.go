package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A sweep without servers tells what is gone: files, and folders with all in
// them; each once, and nothing else.
func TestSweepFindsWhatIsGone(t *testing.T) {
	w := open(t, "-- a.toy --\n-- b.toy --\n-- sub/c.toy --\n-- sub/deep/d.toy --\n-- sub/picture.png --\n-- node_modules/e.toy --\n-- keep/f.toy --\n",
		Options{Servers: registry.Table{lsptest.Script{}.Definition(t)}})
	w.takePicture()
	sweep := func(want ...string) {
		t.Helper()
		swept, err := w.Sweep(t.Context(), nil)
		var got []string
		for _, path := range swept.Deleted {
			got = append(got, w.Relative(path))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || swept.Told || err != nil {
			t.Errorf("deleted are %q, told %t, %v; want %q", got, swept.Told, err, want)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(w.Root(), name)); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	remove("a.toy")
	remove("node_modules")
	sweep("a.toy")
	sweep()
	remove("sub")
	sweep("sub/c.toy", "sub/deep/d.toy")
	lsptest.WriteFile(t, filepath.Join(w.Root(), "sub/new.toy"), "")
	sweep()
	remove("sub/new.toy")
	sweep("sub/new.toy")
	if err := os.Rename(filepath.Join(w.Root(), "keep"), filepath.Join(w.Root(), "moved")); err != nil {
		t.Fatal(err)
	}
	sweep("keep/f.toy")
	sweep()
}

// What tar, cp -p and touch -r leave behind is noticed: other texts of the same size with the same time, in the same file or in
// another, and new files in a folder that got its time back.
func TestSweepFindsWhatGotItsTimeBack(t *testing.T) {
	lsptest.NeedTimesOfChange(t)
	w := open(t, "-- same.toy --\n1\n-- written.toy --\n1\n-- replaced.toy --\n1\n-- sub/a.toy --\n1\n", Options{Servers: registry.Table{lsptest.Script{}.Definition(t)}})
	path := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
	long := time.Now().Add(-time.Hour)
	back := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if err := os.Chtimes(path(name), long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := []string{"same.toy", "written.toy", "replaced.toy", "sub/a.toy", "sub", "."}
	back(all...)
	w.takePicture()
	lsptest.Tick(t)
	lsptest.WriteFile(t, path("written.toy"), "2\n")
	lsptest.WriteFile(t, path("draft"), "2\n")
	if err := os.Rename(path("draft"), path("replaced.toy")); err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, path("sub/new.toy"), "1\n")
	back(all[1:]...)
	for _, want := range [][]string{{"replaced.toy", "sub/a.toy", "sub/new.toy", "written.toy"}, nil} { // the time of sub/a.toy was set
		swept, err := w.Sweep(t.Context(), nil)
		var got []string
		for _, path := range swept.Changed {
			got = append(got, w.Relative(path))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

// told are the changes of files that a server with a journal heard of, sorted,
// and the texts that open documents got.
func told(t *testing.T, w *Workspace, journal string) (events, texts []string) {
	t.Helper()
	kinds := map[protocol.ChangeType]string{protocol.Created: "created", protocol.Changed: "changed", protocol.Deleted: "deleted"}
	for _, e := range lsptest.ReadJournal(t, journal) {
		var p struct {
			Changes []struct {
				URI  protocol.DocumentURI
				Type protocol.ChangeType
			}
			ContentChanges []struct{ Text string }
		}
		if e.Kind == "violation" {
			t.Errorf("violation: %s", e.Text)
		}
		if e.Kind != "notification" || json.Unmarshal(e.Params, &p) != nil {
			continue
		}
		for _, c := range p.Changes {
			path, err := c.URI.Path()
			if err != nil {
				t.Error(err)
			}
			events = append(events, kinds[c.Type]+" "+w.Relative(path))
		}
		for _, c := range p.ContentChanges {
			texts = append(texts, c.Text)
		}
		if e.Method == "textDocument/didClose" {
			texts = append(texts, "closed")
		}
	}
	slices.Sort(events)
	return events, texts
}

// A running server is told of what happened on disk, as far as it asked to
// hear: changes, also those that keep the size, new files and folders, and
// deletions. An open document gets its new content besides, but for one that
// somebody else answers for, who has it open.
func TestSweepTellsServers(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	definition := lsptest.Script{JournalFile: journal, Sync: "full"}.Definition(t)
	w := open(t, "-- toy.root --\n-- open.toy --\nold\n-- changed.toy --\n1\n-- same.toy --\nsame\n-- gone.toy --\n-- sub/a.toy --\n-- mine.toy --\n1\n-- held.toy --\n1\n-- quiet.toy --\n-- notes.md --\n1\n-- data.json --\n1\n",
		Options{Servers: registry.Table{definition}})
	path := func(name string) string { return filepath.Join(w.Root(), name) }
	w.takePicture()
	candidates := w.Candidates(path("open.toy"))
	if len(candidates) != 1 {
		t.Fatalf("%d candidates", len(candidates))
	}
	server, err := w.Server(t.Context(), candidates[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Sync(path("open.toy"), []byte("old\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Sync(path("mine.toy"), []byte("shown\n")); err != nil {
		t.Fatal(err)
	}
	// The registration comes before the answer to a request.
	if err := server.Barrier(t.Context(), "textDocument/documentSymbol", path("open.toy")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"changed.toy", "mine.toy", "held.toy"} {
		lsptest.WriteFile(t, path(name), "22\n")
	}
	lsptest.WriteFile(t, path("open.toy"), "new\n")
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(path("same.toy"), later, later); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"new.toy", "folder/deep/new.toy", "node_modules/p/x.toy", ".git/x.toy"} {
		lsptest.WriteFile(t, path(name), "x\n")
	}
	lsptest.WriteFile(t, path("notes.md"), "22\n")
	lsptest.WriteFile(t, path("data.json"), "22\n") // matters, but this server did not ask
	for _, name := range []string{"gone.toy", "sub"} {
		if err := os.RemoveAll(path(name)); err != nil {
			t.Fatal(err)
		}
	}
	swept, err := w.Sweep(t.Context(), []string{path("mine.toy"), path("held.toy")})
	if err != nil || !swept.Told || len(swept.Deleted) != 2 {
		t.Errorf("%+v, %v", swept, err)
	}
	if err := server.Barrier(t.Context(), "textDocument/documentSymbol", path("open.toy")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"changed changed.toy", "changed held.toy", "changed open.toy", "changed same.toy", "created folder/deep/new.toy", "created new.toy",
		"deleted gone.toy", "deleted sub/a.toy",
	}
	events, texts := told(t, w, journal)
	if d := cmp.Diff(want, events); d != "" {
		t.Errorf("the server was told:\n%s", d)
	}
	if fmt.Sprint(texts) != "[new\n]" {
		t.Errorf("the open document got %q", texts)
	}

	if _, err := server.CloseDocument(path("mine.toy")); err != nil {
		t.Error(err)
	}
	if swept, err := w.Sweep(t.Context(), nil); err != nil || swept.Told || len(swept.Deleted) > 0 {
		t.Errorf("a second sweep: %+v, %v", swept, err)
	}
	if err := os.Remove(path("open.toy")); err != nil {
		t.Fatal(err)
	}
	if swept, err := w.Sweep(t.Context(), nil); err != nil || !swept.Told || len(swept.Deleted) != 1 {
		t.Errorf("after the open file was deleted: %+v, %v", swept, err)
	}
	if documents := server.OpenDocuments(); len(documents) > 0 {
		t.Errorf("still open: %q", documents)
	}
}

// One start is shared by all who ask, a crash is counted and, after the
// restarts allowed, final.
//
// Requirement: LSP-FH-003.
func TestCrashesEndInBroken(t *testing.T) {
	definition := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stderr("no licence"), lsptest.Crash(3))}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{definition}, MaxRestarts: 1})
	candidate := w.Candidates(filepath.Join(w.Root(), "a.toy"))[0]
	for range 2 {
		if _, err := w.Server(t.Context(), candidate); err == nil || !strings.Contains(err.Error(), "no licence") {
			t.Errorf("a crash at the start: %v", err)
		}
	}
	_, err := w.Server(t.Context(), candidate)
	if err == nil || !strings.Contains(err.Error(), "failed 2 times") {
		t.Errorf("after the restarts allowed: %v", err)
	}
	if s := w.Statuses()[0]; s.State != roots.Broken || s.Starts != 2 || s.Crashes != 2 {
		t.Errorf("the status is %+v", s)
	}
}

// What changed on disk is passed on whole: every path that changed, those that are gone, and
// that a new name, or one that is gone, may change the servers which are searched.
func TestWhatIsToldOfChanges(t *testing.T) {
	for name, c := range map[string]struct {
		event protocol.ChangeType
		told  bool
	}{"changed": {protocol.Changed, false}, "created": {protocol.Created, true}, "deleted": {protocol.Deleted, true}} {
		w := open(t, "-- a.toy --\n", Options{})
		w.takePicture()
		w.samples.known.Store(true)
		path := filepath.Join(w.Root(), "a.toy")
		w.tree.mu.Lock()
		got := w.tellLocked([]protocol.FileEvent{{URI: protocol.URIFromPath(path), Type: c.event}}, nil).swept
		w.tree.mu.Unlock()
		want := Swept{Changed: []string{path}, Told: c.told}
		if name == "deleted" {
			want.Deleted = want.Changed
		}
		if diff := cmp.Diff(want, got); diff != "" || w.samples.known.Load() == c.told {
			t.Errorf("%s: the samples are known: %t; %s", name, w.samples.known.Load(), diff)
		}
	}
}

// A look at the disk leaves alone what somebody shows servers by then, though it began before, and
// though that came between the question whether anybody does and its own doing.
func TestLooksLeaveAloneWhatIsShownMeanwhile(t *testing.T) {
	t.Parallel()
	var held func(path string) bool
	w := open(t, "-- toy.root --\n-- held.toy --\ndisk\n-- raced.toy --\ndisk\n-- gone.toy --\n-- free.toy --\ndisk\n",
		Options{Servers: registry.Table{lsptest.Script{}.Definition(t)}, Held: func(path string) bool { return held(path) }})
	path := func(name string) string { return filepath.Join(w.Root(), name) }
	w.takePicture()
	server, err := w.Server(t.Context(), w.Candidates(path("free.toy"))[0])
	if err != nil {
		t.Fatal(err)
	}
	show := func(name, text string) {
		if _, err := server.Sync(path(name), []byte(text)); err != nil {
			t.Error(err)
		}
	}
	names := []string{"held.toy", "raced.toy", "gone.toy", "free.toy"}
	for _, name := range names {
		show(name, "draft")
	}
	if err := os.Remove(path("gone.toy")); err != nil {
		t.Fatal(err)
	}
	held = func(of string) bool {
		if name := filepath.Base(of); name == "raced.toy" || name == "gone.toy" {
			show(name, "draft again") // just after the look was told that nobody holds it
			return false
		}
		return of == path("held.toy")
	}
	swept, err := w.Sweep(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, name := range names {
		_, text, _ := server.Document(path(name))
		got[name] = string(text)
	}
	if diff := cmp.Diff(map[string]string{"held.toy": "draft", "raced.toy": "draft again", "gone.toy": "draft again", "free.toy": "disk\n"}, got); diff != "" || !swept.Told {
		t.Errorf("told: %t, %s", swept.Told, diff)
	}
	held = func(string) bool { return false }
	if _, err := w.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"held.toy": "disk\n", "raced.toy": "disk\n", "gone.toy": ""} {
		if _, text, open := server.Document(path(name)); string(text) != want || open != (want != "") {
			t.Errorf("when nobody holds it %s is %q, open: %t", name, text, open)
		}
	}
}

// A server that a change concerns which it does not survive is ended at once, for whoever asks it
// next to start it; any other change it is told of.
func TestChangesThatServersDoNotSurvive(t *testing.T) {
	t.Parallel()
	definition := lsptest.Script{}.Definition(t)
	definition.Anew = []string{"toy.lock"}
	w := open(t, "-- toy.root --\n-- a.toy --\n-- toy.lock --\n1\n", Options{Servers: registry.Table{definition}})
	w.takePicture()
	server, err := w.Server(t.Context(), only(t, w, "a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.Root(), "a.toy")
	if _, err := server.Sync(path, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		ends bool
	}{{"a.toy", false}, {"toy.lock", true}} {
		lsptest.WriteFile(t, filepath.Join(w.Root(), c.name), "22\n")
		swept, err := w.Sweep(t.Context(), nil)
		if err != nil || !swept.Told {
			t.Errorf("%s: %+v, %v", c.name, swept, err)
		}
		ended := false
		select {
		case <-server.Done():
			ended = true
		default:
		}
		if ended != c.ends {
			t.Errorf("%s: ended %t, want %t", c.name, ended, c.ends)
		}
	}
}

// Files that a server is shown because of a change are read by it when the look at the disk is over.
func TestShownFilesAreReadWhenALookEnds(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	definition := lsptest.Script{JournalFile: journal}.Definition(t)
	definition.Quirks = append(definition.Quirks, registry.OpenCreated)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{definition}})
	w.takePicture()
	if _, err := w.Server(t.Context(), only(t, w, "a.toy")); err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(w.Root(), "b.toy"), "1\n")
	if _, err := w.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	var heard []string
	for _, e := range lsptest.ReadJournal(t, journal) {
		if e.Method == "textDocument/didOpen" || e.Method == "textDocument/hover" {
			heard = append(heard, e.Method)
		}
	}
	if diff := cmp.Diff([]string{"textDocument/didOpen", "textDocument/hover"}, heard); diff != "" {
		t.Error(diff)
	}
}

// All that looks found whose callers had left is part of the next answer, once: what is gone or
// changed, that servers were told, and what failed, be it only now that a server has answered.
func TestFindingsOfThoseWhoLeft(t *testing.T) {
	w := open(t, "-- a.toy --\n", Options{})
	w.takePicture()
	answered := make(chan error, 1)
	answered <- errors.New("the server did not read it")
	w.tree.unclaimed.add(&telling{
		swept:    Swept{Deleted: []string{"gone.toy"}, Changed: []string{"gone.toy", "new.toy"}, Told: true},
		failures: []error{errors.New("the pipe is closed")}, reloads: []<-chan error{answered},
	})
	swept, err := w.Sweep(t.Context(), nil)
	if diff := cmp.Diff(Swept{Deleted: []string{"gone.toy"}, Changed: []string{"gone.toy", "new.toy"}, Told: true}, swept); diff != "" {
		t.Error(diff)
	}
	if err == nil || err.Error() != "the pipe is closed\nthe server did not read it" {
		t.Errorf("error %v", err)
	}
	swept, err = w.Sweep(t.Context(), nil)
	if diff := cmp.Diff(Swept{}, swept); diff != "" || err != nil {
		t.Errorf("then %v %s", err, diff)
	}
}
