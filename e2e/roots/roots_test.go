package roots

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// patience is what a busy machine may need to start a server, in milliseconds.
const patience = 240_000

// A shape is a workspace with several projects, and a change in one of them that
// breaks another.
type shape struct {
	name  string
	files map[string]string
	// servers are the ids of those that the story is told to, one at a time.
	servers []string
	// changed is the file in which bad takes the place of good; user is the one in
	// another project that this breaks.
	changed, good, bad, user string
	// wrong is what is then wrong with user, a part of the message.
	wrong string
}

// readShapes reads the archives. The comment of each has a line for every field.
func readShapes(t *testing.T, archives string) []shape {
	t.Helper()
	names, err := filepath.Glob(archives)
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	var shapes []shape
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := shape{name: strings.TrimSuffix(filepath.Base(name), ".txt"), files: make(map[string]string)}
		for line := range strings.Lines(string(archive.Comment)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "servers":
				s.servers = strings.Fields(value)
			case "changed":
				s.changed = value
			case "good":
				s.good = value
			case "bad":
				s.bad = value
			case "user":
				s.user = value
			case "wrong":
				s.wrong = value
			}
		}
		for _, f := range archive.Files {
			s.files[f.Name] = string(f.Data)
		}
		if !strings.Contains(s.files[s.changed], s.good) || s.good == "" || s.files[s.user] == "" || s.wrong == "" || len(s.servers) == 0 {
			t.Fatalf("%s: its comment does not fit its files: %+v", name, s)
		}
		shapes = append(shapes, s)
	}
	return shapes
}

// What an edit breaks in another project is in its answer, whether anybody looked at
// that project before or not, and so is what mends it.
func TestAcrossRoots(t *testing.T) {
	for _, s := range readShapes(t, "testdata/*.txt") {
		for _, server := range s.servers {
			t.Run(s.name+"/"+server, func(t *testing.T) {
				t.Parallel()
				lsptest.Require(t, server)
				t.Run("nobody looked", func(t *testing.T) { plant(t, s, server).breakAndMend(t) })
				t.Run("both are known", func(t *testing.T) {
					w := plant(t, s, server)
					w.expect(t, s.changed, "")
					w.expect(t, s.user, "")
					w.breakAndMend(t)
					w.changeOutside(t)
					w.oneProcess(t)
				})
			})
		}
	}
}

// A planted shape is on disk, with an engine at work in it.
type planted struct {
	shape
	server, root string
	engine       *engine.Engine
}

func plant(t *testing.T, s shape, server string) *planted {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &planted{shape: s, server: server, root: root}
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		w.write(t, ".", name)
	}
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e, err := engine.New(engine.Options{Root: root, Config: cfg, Only: []string{server}, StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // what they were about to do is of no use
		_ = e.Close(ctx)
	})
	w.engine = e
	return w
}

// write puts a file of the shape into a folder of the workspace.
func (w *planted) write(t *testing.T, folder, name string) {
	t.Helper()
	folder = filepath.Join(w.root, folder)
	lsptest.WriteFile(t, filepath.Join(folder, name), strings.ReplaceAll(w.files[name], "$ROOT", folder))
}

// edit makes a change and returns the answer.
func (w *planted) edit(t *testing.T, edits ...api.FileEdit) result.Edit {
	t.Helper()
	result, err := api.EditFiles.Do(t.Context(), w.engine, api.EditRequest{
		Edits: edits, Writing: api.Writing{Limits: api.Limits{TimeoutMS: patience}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// check checks a file.
func (w *planted) check(t *testing.T, name string) result.File {
	t.Helper()
	result, err := api.Check.Do(t.Context(), w.engine, api.CheckRequest{Files: []string{name}, TimeoutMS: patience})
	if err != nil {
		t.Fatal(err)
	}
	return result.Files[0]
}

// expect checks a file and wants a message that is wrong with it, and none for "". The
// answer must be whole.
func (w *planted) expect(t *testing.T, name, wrong string) {
	t.Helper()
	f := w.check(t, name)
	if f.Error != nil || len(f.Servers) != 1 || f.Servers[0].Freshness != "fresh" {
		t.Fatalf("%s is not known: %+v", name, f)
	}
	if got := messages(f.Diagnostics); wrong == "" && got != "" || !strings.Contains(got, wrong) {
		t.Errorf("of %s it says %q, want %q", name, got, wrong)
	}
}

func messages(items []result.Diagnostic) string {
	var all []string
	for _, d := range items {
		all = append(all, strconv.Itoa(int(d.Line))+": "+d.Message)
	}
	return strings.Join(all, "\n")
}

// breakAndMend edits the changed file, and takes it back.
func (w *planted) breakAndMend(t *testing.T) {
	t.Helper()
	result := w.edit(t, api.FileEdit{File: w.changed, OldText: &w.good, NewText: &w.bad})
	w.compare(t, "the edit", result, "new_errors", w.wrong, "")
	w.expect(t, w.user, w.wrong)
	result = w.edit(t, api.FileEdit{File: w.changed, OldText: &w.bad, NewText: &w.good})
	w.compare(t, "its undoing", result, "clean", "", w.wrong)
	w.expect(t, w.user, "")
}

// compare wants a verdict, and of the user what is new and what is fixed.
func (w *planted) compare(t *testing.T, what string, answer result.Edit, verdict, wrong, fixed string) {
	t.Helper()
	if answer.Verdict != verdict {
		t.Errorf("%s is %s, want %s; unknown %q, notes %q", what, answer.Verdict, verdict, answer.Unknown, answer.Notes)
	}
	i := slices.IndexFunc(answer.Others, func(f result.File) bool { return f.Path == w.user })
	if i < 0 {
		t.Errorf("%s says nothing of %s: files %+v, notes %q, dependants %+v", what, w.user, answer.Files, answer.Notes, answer.Dependants)
		return
	}
	user := answer.Others[i]
	if got := messages(user.Diagnostics); wrong == "" && got != "" || !strings.Contains(got, wrong) {
		t.Errorf("%s makes %q in %s, want %q", what, got, w.user, wrong)
	}
	if got := messages(user.Fixed); fixed == "" && got != "" || !strings.Contains(got, fixed) {
		t.Errorf("%s mends %q in %s, want %q", what, got, w.user, fixed)
	}
}

// changeOutside changes the file by another hand: a check of the user knows.
func (w *planted) changeOutside(t *testing.T) {
	t.Helper()
	path := filepath.Join(w.root, w.changed)
	lsptest.WriteFile(t, path, strings.Replace(w.files[w.changed], w.good, w.bad, 1))
	w.expect(t, w.user, w.wrong)
	lsptest.WriteFile(t, path, w.files[w.changed])
	w.expect(t, w.user, "")
}

// oneProcess: one process judged both.
func (w *planted) oneProcess(t *testing.T) {
	t.Helper()
	if running := w.engine.Workspace().Running(); len(running) != 1 {
		t.Errorf("%d processes run", len(running))
	}
}
