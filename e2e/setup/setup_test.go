package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
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
			w.navigate(t)
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
	return openWith(t, "", p)
}

// openWith opens a project with the configuration of a user.
func openWith(t *testing.T, user string, p project) *work {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &work{project: p, root: root}
	w.write(t, p.files)
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "GRADLE_HOME"} {
		t.Setenv(name, "")
	}
	t.Setenv("GRADLE_USER_HOME", t.TempDir())
	cfg, problems := config.Load(config.Options{Root: root, UserFile: user, Environ: []string{"LSPINE_TRUST=always"}})
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

func (w *work) ask(t *testing.T) result.Check {
	t.Helper()
	result, err := api.Check.Do(t.Context(), w.engine, api.CheckRequest{Files: []string{w.main}, TimeoutMS: 90_000, Scope: "file"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// check: nothing is said to be wrong, and the answer says why it does not know.
func (w *work) check(t *testing.T) {
	t.Helper()
	answer := w.ask(t)
	f := answer.Files[0]
	if answer.Verdict != "unknown" || len(f.Diagnostics) > 0 {
		t.Fatalf("verdict %s, want unknown\n%s", answer.Verdict, render.Brief(&answer))
	}
	w.says(t, "check", render.Brief(&answer))
	if excuses := func(d result.Diagnostic) bool { return strings.Contains(d.Message, w.excused) }; w.excused != "" && !slices.ContainsFunc(f.Excused, excuses) {
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

// edit: an edit that changes nothing that matters is not called clean, unless that is known,
// and says why.
func (w *work) edit(t *testing.T) {
	t.Helper()
	text := w.files[w.main]
	first, _, _ := strings.Cut(text, "\n")
	second := first + "\n"
	req := api.EditRequest{Edits: []api.FileEdit{{File: w.main, OldText: &first, NewText: &second}}}
	req.Mode, req.TimeoutMS = "preview", 90_000
	result, err := api.EditFiles.Do(t.Context(), w.engine, req)
	if err != nil {
		t.Fatal(err)
	}
	want := "unknown"
	if w.confined {
		want = "clean"
	}
	if result.Verdict != want {
		t.Errorf("verdict %s of an edit, want %s\n%s", result.Verdict, want, render.Brief(&result))
	}
	w.says(t, "edit", render.Brief(&result))
}

// doctor: it says the same.
func (w *work) doctor(t *testing.T) {
	t.Helper()
	result, err := api.Doctor.Do(t.Context(), w.engine, api.DoctorRequest{Files: []string{w.main}})
	if err != nil {
		t.Fatal(err)
	}
	w.says(t, "doctor", render.Brief(&result))
}

// navigate: where something is defined that the project lacks is not simply unknown.
func (w *work) navigate(t *testing.T) {
	t.Helper()
	if w.foreign == "" {
		return
	}
	result, err := api.Definition.Do(t.Context(), w.engine, api.DefinitionRequest{Selector: api.Selector{At: w.foreign}})
	if err != nil {
		t.Fatal(err)
	}
	w.says(t, "definition", render.Brief(&result))
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
		t.Errorf("verdict %s, want new_errors for %q alone\n%s", result.Verdict, w.found, render.Brief(&result))
	}
	w.says(t, "check of a wrong text", render.Brief(&result))
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
		t.Errorf("verdict %s once it is set up, want clean\n%s", result.Verdict, render.Brief(&result))
	}
}

// A linter that cannot lint is not taken for one that found nothing.
func TestLinterThatCannotLint(t *testing.T) {
	program := lsptest.Require(t, "eslint")
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Dir(filepath.Dir(filepath.Dir(real))) // node_modules/vscode-langservers-extracted/bin/program
	config := map[string]string{
		"package.json": `{"name":"e","devDependencies":{"eslint":"^9.0.0","eslint-plugin-nope":"1"}}`, "a.js": "foo();\n",
		"eslint.config.mjs": "export default [{ rules: { 'no-undef': 'error' } }];\n",
	}
	for name, x := range map[string]struct {
		modules bool
		config  string
		missing string
	}{
		"without eslint":   {false, config["eslint.config.mjs"], "no eslint is installed"},
		"without a plugin": {true, "import nope from 'eslint-plugin-nope';\n\nexport default [{ plugins: { nope }, rules: { 'no-undef': 'error' } }];\n", "Cannot find package 'eslint-plugin-nope'"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, project{name: name, server: "eslint", files: config, main: "a.js", missing: x.missing, next: "npm install"})
			w.write(t, map[string]string{"eslint.config.mjs": x.config})
			install := func() {
				if err := os.Symlink(modules, filepath.Join(w.root, "node_modules")); err != nil {
					t.Fatal(err)
				}
			}
			if x.modules {
				install()
			}
			result := w.ask(t)
			if result.Verdict != "lsp_unavailable" {
				t.Errorf("verdict %s, want lsp_unavailable", result.Verdict)
			}
			w.says(t, "check", render.Brief(&result))
			w.doctor(t)
			if !x.modules {
				install()
			}
			w.write(t, map[string]string{"eslint.config.mjs": config["eslint.config.mjs"]})
			if result := w.ask(t); result.Verdict != "new_errors" {
				t.Errorf("verdict %s once it is set up, want new_errors\n%s", result.Verdict, render.Brief(&result))
			}
		})
	}
}

// Without the standard library rust-analyzer does not know what is in the arguments of a
// macro. What it says of that is in every answer, and nothing is renamed in part.
func TestRustWithoutItsStandardLibrary(t *testing.T) {
	lsptest.Require(t, "rust-analyzer")
	user := filepath.Join(t.TempDir(), "config.jsonc")
	if err := os.WriteFile(user, []byte(`{"lsp":{"servers":{"rust-analyzer":{"initializationOptions":{"cargo":{"sysrootSrc":"`+t.TempDir()+`"}},`+
		`"settings":{"rust-analyzer":{"cargo":{"sysrootSrc":"`+t.TempDir()+`"}}}}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const text = "pub fn helper() -> i32 {\n    1\n}\n\npub fn user() -> String {\n    format!(\"{}\", helper())\n}\n"
	w := openWith(t, user, project{server: "rust-analyzer", main: "src/lib.rs", files: map[string]string{
		"Cargo.toml": "[package]\nname = \"r\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": text,
	}})
	references, err := api.References.Do(t.Context(), w.engine, api.ReferencesRequest{Selector: api.Selector{At: "src/lib.rs:1:8"}})
	if said := render.Brief(&references); err == nil && !strings.Contains(said, "rust-src") || err != nil && !strings.Contains(err.Error(), "rust-src") {
		t.Errorf("references do not say so: %v\n%s", err, said)
	}
	_, err = api.Rename.Do(t.Context(), w.engine, api.RenameRequest{Selector: api.Selector{At: "src/lib.rs:1:8"}, NewName: "other"})
	if err == nil || !strings.Contains(err.Error(), "rust-src") {
		t.Errorf("renamed: %v", err)
	}
	if content, err := os.ReadFile(filepath.Join(w.root, "src/lib.rs")); err != nil || string(content) != text {
		t.Errorf("written: %s", content)
	}
	check := w.ask(t)
	if check.Verdict != "clean" || !strings.Contains(render.Brief(&check), "rust-analyzer says: ") {
		t.Errorf("cargo knows the file: %s", render.Brief(&check))
	}
	doctor, err := api.Doctor.Do(t.Context(), w.engine, api.DoctorRequest{Files: []string{w.main}})
	if err != nil || !strings.Contains(render.Brief(&doctor), "rust-src") {
		t.Errorf("doctor does not say so: %v\n%s", err, render.Brief(&doctor))
	}
}

// Without the go command gopls loads nothing; every answer says what is missing.
func TestGoWithoutTheGoCommand(t *testing.T) {
	program := lsptest.Require(t, "gopls")
	folder := t.TempDir()
	if err := os.Symlink(program, filepath.Join(folder, "gopls")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder)
	w := open(t, project{server: "gopls", main: "a.go", missing: "go is not on PATH", next: "PATH=", files: map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n", "a.go": "package m\n\nfunc F() int { return G() }\n\nfunc G() int { return 1 }\n",
	}})
	result := w.ask(t)
	if result.Verdict == "clean" || result.Verdict == "new_errors" {
		t.Errorf("verdict %s", result.Verdict)
	}
	w.says(t, "check", render.Brief(&result))
	w.doctor(t)
	_, err := api.References.Do(t.Context(), w.engine, api.ReferencesRequest{Selector: api.Selector{At: "a.go:5:6"}})
	if err == nil || !strings.Contains(err.Error(), w.missing) {
		t.Errorf("references: %v", err)
	}
}

// A name that is not found in a project that could not be loaded may be there: a search says why it was not, as every other question does.
func TestSearchInAProjectThatIsNotLoaded(t *testing.T) {
	lsptest.Require(t, "gopls")
	w := open(t, project{server: "gopls", main: "a.go", missing: "vendor/modules.txt is not of this go.mod", next: "go mod vendor", files: map[string]string{
		"go.mod":             "module example.com/m\n\ngo 1.24\n\nrequire golang.org/x/text v0.3.0\n",
		"vendor/modules.txt": "# golang.org/x/net v0.1.0\n", "a.go": "package m\n\nfunc Put() {}\n",
	}})
	found, err := api.Symbols.Do(t.Context(), w.engine, api.SymbolsRequest{Query: "Put"})
	if err != nil {
		t.Fatal(err)
	}
	w.says(t, "symbols", render.Brief(&found))
	_, err = api.Definition.Do(t.Context(), w.engine, api.DefinitionRequest{Selector: api.Selector{At: "Put"}})
	if err == nil {
		t.Fatal("it is found")
	}
	w.says(t, "definition", err.Error()+" "+result.ErrorOf(err).Hint)
}
