package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// TestWrongOnPurpose shows each server a project that lacks something. What comes of that
// is never an error of the text: the verdict is unknown, and the answer says what is
// missing and what mends it, as the doctor does. An error of another kind still is one; and
// once the project is set up, the answer is whole.
func TestWrongOnPurpose(t *testing.T) {
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			lsptest.Require(t, p.server)
			w := open(t, p)
			w.check(t)
			w.edit(t)
			w.doctor(t)
			w.wrong(t)
			w.mend(t)
		})
	}
}

// A work is a server at work in a copy of its project.
type work struct {
	project
	root   string
	engine *engine.Engine
}

func open(t *testing.T, p project) *work {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &work{project: p, root: root}
	w.write(t, p.files)
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(name, "")
	}
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w.engine, err = engine.New(engine.Options{Root: root, Config: cfg, Only: []string{p.server}, StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // clangd finishes its index first
		defer cancel()
		_ = w.engine.Close(ctx)
	})
	return w
}

func (w *work) write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(w.root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *work) ask(t *testing.T) render.Check {
	t.Helper()
	result, err := engine.Check.Do(t.Context(), w.engine, engine.CheckRequest{Files: []string{w.main}, TimeoutMS: 90_000, Scope: "file"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// check: nothing is said to be wrong, and the answer says why it does not know.
func (w *work) check(t *testing.T) {
	t.Helper()
	result := w.ask(t)
	f := result.Files[0]
	if result.Verdict != "unknown" || len(f.Diagnostics) > 0 {
		t.Fatalf("verdict %s, want unknown\n%s", result.Verdict, result.Brief())
	}
	w.says(t, "check", result.Brief())
	if excuses := func(d render.Diagnostic) bool { return strings.Contains(d.Message, w.excused) }; w.excused != "" && !slices.ContainsFunc(f.Excused, excuses) {
		t.Errorf("excused %+v, want one with %q", f.Excused, w.excused)
	}
	if f.Servers[0].Freshness != "partial" || !strings.Contains(f.Servers[0].Reason, w.missing) {
		t.Errorf("the answer is %+v", f.Servers[0])
	}
}

// says holds a text against what is missing.
func (w *work) says(t *testing.T, who, text string) {
	t.Helper()
	if !strings.Contains(text, w.missing) || !strings.Contains(text, w.next) {
		t.Errorf("%s does not say %q and %q:\n%s", who, w.missing, w.next, text)
	}
}

// edit: an edit that changes nothing that matters is not called clean, and says why.
func (w *work) edit(t *testing.T) {
	t.Helper()
	text := w.files[w.main]
	first, _, _ := strings.Cut(text, "\n")
	second := first + "\n"
	req := engine.EditRequest{Edits: []engine.FileEdit{{File: w.main, OldText: &first, NewText: &second}}}
	req.Mode, req.TimeoutMS = "preview", 90_000
	result, err := engine.EditFiles.Do(t.Context(), w.engine, req)
	if err != nil {
		t.Fatal(err)
	}
	if result.Verdict != "unknown" {
		t.Errorf("verdict %s of an edit, want unknown\n%s", result.Verdict, result.Brief())
	}
	w.says(t, "edit", result.Brief())
}

// doctor: it says the same.
func (w *work) doctor(t *testing.T) {
	t.Helper()
	result, err := engine.Doctor.Do(t.Context(), w.engine, engine.DoctorRequest{Files: []string{w.main}})
	if err != nil {
		t.Fatal(err)
	}
	w.says(t, "doctor", result.Brief())
}

// wrong: an error of another kind counts.
func (w *work) wrong(t *testing.T) {
	t.Helper()
	if w.found == "" {
		return
	}
	w.write(t, map[string]string{w.main: w.project.wrong})
	result := w.ask(t)
	if result.Verdict != "new_errors" || len(result.Files[0].Diagnostics) != 1 || !strings.Contains(result.Files[0].Diagnostics[0].Message, w.found) {
		t.Errorf("verdict %s, want new_errors for %q alone\n%s", result.Verdict, w.found, result.Brief())
	}
	w.says(t, "check of a wrong text", result.Brief())
	w.write(t, map[string]string{w.main: w.files[w.main]})
}

// mend: what was missing is there, and the text is right.
func (w *work) mend(t *testing.T) {
	t.Helper()
	if w.mended == nil {
		return
	}
	w.write(t, w.mended)
	if result := w.ask(t); result.Verdict != "clean" {
		t.Errorf("verdict %s once it is set up, want clean\n%s", result.Verdict, result.Brief())
	}
}
