package dependants

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// A language is one way to judge a project: a server, and the compiler that knows
// better.
type language struct {
	server, archive string
	truth           truth
	// compiler finds the command behind the truth; none: it is no command.
	compiler func(t *testing.T) string
	// counts says that server and compiler count errors alike, not only files.
	counts bool
	// prepare makes what an archive cannot hold.
	prepare func(t *testing.T, root string, files map[string]string)
}

var languages = []language{
	{server: "gopls", archive: "go", truth: goTruth, counts: true},
	{server: "typescript", archive: "typescript", truth: scriptTruth, compiler: beside("typescript", "tsc"), counts: true},
	{server: "typescript-language-server", archive: "typescript", truth: scriptTruth, compiler: beside("typescript-language-server", "tsc"), counts: true},
	{server: "typescript", archive: "workspace", truth: packagesTruth, compiler: beside("typescript", "tsc"), prepare: linkPackages},
	{server: "typescript-language-server", archive: "workspace", truth: packagesTruth, compiler: beside("typescript-language-server", "tsc"), prepare: linkPackages},
	{server: "pyright", archive: "python", truth: pythonTruth, compiler: beside("pyright", "pyright"), counts: true},
	{server: "pyright", archive: "packages", truth: pythonPackagesTruth, compiler: beside("pyright", "pyright"), counts: true},
	{server: "clangd", archive: "cpp", truth: cppTruth, compiler: installed("clangd", "c++"), prepare: compileCommands},
	{server: "rust-analyzer", archive: "rust", truth: rustTruth, compiler: installed("rust-analyzer", "cargo")},
	{server: "jdtls", archive: "java", truth: javaTruth, compiler: installed("jdtls", "javac")},
}

// A project is the files of an archive, by name, and its cases.
type project struct {
	files map[string]string
	cases []change
}

// A change is a case: a patch in an envelope.
type change struct{ name, patch string }

func readProject(t *testing.T, name string) project {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	p := project{files: make(map[string]string)}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "case: "); ok {
			p.cases = append(p.cases, change{name, "*** Begin Patch\n" + string(f.Data) + "*** End Patch\n"})
			continue
		}
		p.files[f.Name] = string(f.Data)
	}
	return p
}

// A tree is a project on disk, with an engine at work in it.
type tree struct {
	language
	project
	root   string
	engine *engine.Engine
	gap    string // why the present case is one that the server does not see
}

// plant writes a project and opens an engine on it.
func plant(t *testing.T, l language) *tree {
	t.Helper()
	p := readProject(t, l.archive)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range p.files {
		lsptest.WriteFile(t, filepath.Join(root, name), text)
	}
	if l.prepare != nil {
		l.prepare(t, root, p.files)
	}
	return &tree{l, p, root, openEngine(t, root, l.server), ""}
}

func openEngine(t *testing.T, root, server string) *engine.Engine {
	t.Helper()
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e, err := engine.New(engine.Options{Root: root, Config: cfg, Only: []string{server}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // what they were about to do is of no use
		_ = e.Close(ctx)
	})
	return e
}

// edit makes changes and returns the answer.
func (tr *tree) edit(t *testing.T, edits ...api.FileEdit) result.Edit {
	t.Helper()
	result, err := api.EditFiles.Do(t.Context(), tr.engine, api.EditRequest{
		Edits: edits, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// undo returns the edits that make the files of a result as they were.
func (tr *tree) undo(result result.Edit) (edits []api.FileEdit) {
	paths := make(map[string]bool)
	for _, c := range result.Changes {
		paths[c.Path] = true
		if c.From != "" {
			paths[c.From] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if text, ok := tr.files[path]; ok {
			edits = append(edits, api.FileEdit{File: path, Content: &text})
		} else {
			edits = append(edits, api.FileEdit{File: path, Delete: true})
		}
	}
	return edits
}

// rewritten are files that servers write themselves.
var rewritten = []string{".project", "Cargo.lock", "compile_commands.json"}

// asItWas fails the test if the tree is not that of the archive.
func (tr *tree) asItWas(t *testing.T) {
	t.Helper()
	endings := make(map[string]bool)
	for name, text := range tr.files {
		endings[filepath.Ext(name)] = true
		if slices.Contains(rewritten, name) {
			continue
		}
		if content, _ := os.ReadFile(filepath.Join(tr.root, name)); string(content) != text {
			t.Fatalf("%s is not as it was", name)
		}
	}
	for _, name := range filesOf(t, tr.root, slices.Collect(maps.Keys(endings))...) {
		if _, ours := tr.files[name]; !ours && !slices.Contains(rewritten, name) {
			t.Fatalf("%s is left", name)
		}
	}
}
