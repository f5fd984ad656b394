package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// What a project is not set up with is told with every answer that it may change, and in
// the same words by the doctor. Files are read for it, and nothing is run.

// setupOf returns what tells the errors of a server about the set-up apart.
func (e *Engine) setupOf(d *registry.Definition, key workspace.Key) *diagnostics.Setup {
	return &diagnostics.Setup{
		Symptoms: d.Symptoms,
		Lacks: func(path string, names []string) diagnostics.Lack {
			lack := e.lacks(d, path, names)
			if lack.Missing == "" || len(lack.Names) == 0 {
				return diagnostics.Lack{}
			}
			e.mu.Lock()
			defer e.mu.Unlock()
			e.lacking[key] = lacking{path, lack.Names}
			return lack
		},
		Next:    func(path string) string { return e.loading(d, path) },
		Without: func(path string) diagnostics.Lack { return e.without(d, path) },
	}
}

// programs are those that servers need to load any project, and how they are found again.
var programs = map[string]way{
	"gopls":         {"go", "export PATH=$PATH:/usr/local/go/bin"},
	"rust-analyzer": {"cargo", `export PATH=$PATH:$HOME/.cargo/bin`},
}

// without returns what a server cannot load the project of a file without, if it is missing:
// a program, or what the go command wants for a module before it loads anything.
func (e *Engine) without(d *registry.Definition, path string) (lack diagnostics.Lack) {
	if lack = e.withoutProgram(d); lack.Missing == "" && d.Runs() == "gopls" {
		lack = e.lacks(d, path, nil)
	}
	return lack
}

// withoutProgram returns the program without which a server loads no project, if it is missing.
func (e *Engine) withoutProgram(d *registry.Definition) (lack diagnostics.Lack) {
	w, needs := programs[d.Runs()]
	if !needs {
		return lack
	}
	if _, err := e.workspace.LookPath(w.beside); err != nil {
		lack.Missing, lack.Next = w.beside+" is not on PATH", w.next
	}
	return lack
}

// A LackError says that a server refused to answer, and which program it lacks.
type LackError struct {
	Lack diagnostics.Lack
	Err  error
}

func (e *LackError) Error() string { return e.Lack.Missing + ": " + e.Err.Error() }

func (e *LackError) Unwrap() error { return e.Err }

// Hint is the command that mends it.
func (e *LackError) Hint() string { return e.Lack.Next }

// explain names the program that a server of this access lacks, if it refused to answer.
func (a *access) explain(err error) error {
	var refused *jsonrpc.ResponseError
	if !errors.As(err, &refused) {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, s := range a.last {
		path, asked := a.about[id]
		if !asked {
			path = s.Root()
		}
		if lack := a.without(s.Definition(), path); lack.Missing != "" {
			return &LackError{lack, err}
		}
	}
	return err
}

// intoPackages are the questions whose answer may lie in a package that the project does
// not have.
var intoPackages = map[string]bool{
	symbols.Definition: true, symbols.Declaration: true, symbols.TypeDefinition: true, "textDocument/hover": true, "textDocument/completion": true,
	"textDocument/signatureHelp": true, "textDocument/prepareTypeHierarchy": true, "textDocument/prepareCallHierarchy": true,
}

// lack notes what the set-up of a file's project lacks, if that can change the answer. What
// the server itself said of the project changes any.
func (a *access) lack(c *workspace.Candidate, path, method string) {
	d := &c.Definition
	note := a.collector.Unloaded(diagnostics.Key(c.Key()), path)
	if next := a.loading(d, path); note != "" && next != "" {
		note += mendedBy(next)
	}
	if note == "" && acrossProjects[method] {
		note = a.unloadedBeside(d, diagnostics.Key(c.Key()), path)
	}
	if note == "" && intoPackages[method] && d.Symptoms != nil {
		note = a.lackOf(d, path)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if note != "" && !slices.Contains(a.lacks, note) {
		a.lacks = append(a.lacks, note)
	}
}

// acrossProjects are the questions whose answer may lie in any project of a server.
var acrossProjects = map[string]bool{
	"textDocument/references": true, "textDocument/implementation": true, "textDocument/rename": true,
	"textDocument/prepareCallHierarchy": true, "textDocument/prepareTypeHierarchy": true,
}

// unloadedBeside says which project beside that of a file its server could not load.
func (e *Engine) unloadedBeside(d *registry.Definition, key diagnostics.Key, path string) string {
	word := e.collector.UnloadedBeside(key, path)
	if next := e.loading(d, path); word != "" && next != "" {
		word += mendedBy(next)
	}
	return word
}

// besides says of which projects it is not known what an edit did there.
func (ed *edition) besides(own []diagnostics.FileReport) (unknown []string) {
	for i := range own {
		for _, a := range own[i].Answers {
			d, known := ed.definition(a.Server)
			if !known {
				continue
			}
			word := ed.unloadedBeside(&d, diagnostics.Key{ID: a.Server, Root: a.Root}, own[i].Path)
			if word == "" {
				continue
			}
			if word = "what the edit did beside its own project: " + word; !slices.Contains(unknown, word) {
				unknown = append(unknown, word)
			}
		}
	}
	return unknown
}

func mendedBy(next string) string { return " (mend it: " + next + ")" }

// A lackNote is what a folder's project lacks, as it was found some time ago.
type lackNote struct {
	text string
	at   time.Time
}

// lackKept is how long what a project lacks is not looked for again: questions come in
// quick turn, and some are answered in less time than it takes.
const lackKept = 2 * time.Second

// lackOf returns what the project of a file lacks, with what mends it; "" for nothing.
func (e *Engine) lackOf(d *registry.Definition, path string) string {
	key := d.ID + "\x00" + filepath.Dir(path)
	e.mu.Lock()
	kept, known := e.lackNotes[key]
	e.mu.Unlock()
	if known && time.Since(kept.at) < lackKept {
		return kept.text
	}
	lack := e.lacks(d, path, nil)
	note := lack.Missing
	if note != "" && lack.Next != "" {
		note += mendedBy(lack.Next)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lackNotes[key] = lackNote{note, time.Now()}
	return note
}

// lacking are things that a server did not find for a file, because the set-up of its
// project lacked them.
type lacking struct {
	path  string
	names []string
}

// renew ends a server if its project has been set up since it said what it lacks: some
// look at that once, and where nobody watches. It starts anew when it is asked.
func (e *Engine) renew(d *registry.Definition, key workspace.Key) {
	e.mu.Lock()
	former, lacked := e.lacking[key]
	e.mu.Unlock()
	if !lacked || len(e.lacks(d, former.path, former.names).Names) > 0 {
		return
	}
	e.mu.Lock()
	_, ours := e.lacking[key]
	delete(e.lacking, key)
	e.mu.Unlock()
	if ours {
		ctx, cancel := context.WithTimeout(context.Background(), renewGrace)
		defer cancel()
		e.workspace.Stop(ctx, key)
	}
}

// renewGrace bounds the end of a server that is started anew.
const renewGrace = 500 * time.Millisecond

// loading is the command that shows why the project of a file could not be loaded, and
// gets what it needs.
func (e *Engine) loading(d *registry.Definition, path string) string {
	dirs := upwards(path, e.Root())
	if home, _ := firstWith(dirs, "package.json"); home != "" && d.Role == registry.DiagnosticsOnly {
		return e.within(home, packageManager(dirs))
	}
	slices.Reverse(dirs) // of several modules the outermost
	for _, w := range loaders {
		if home, _ := firstWith(dirs, w.beside); home != "" && slices.Contains(d.Roots, w.beside) {
			return e.within(home, w.next)
		}
	}
	return ""
}

// loaders are the commands that get what projects need, by their file.
var loaders = []way{
	{"pom.xml", "mvn dependency:go-offline"},
	{"gradlew", "./gradlew dependencies"},
	{"build.gradle", "gradle dependencies"},
	{"build.gradle.kts", "gradle dependencies"},
	{"Cargo.toml", "cargo fetch"},
	{"go.mod", "go mod download"},
}

// lacks says which of the named things the set-up of a file's project would bring. Names
// of nil ask what the project lacks at all.
func (e *Engine) lacks(d *registry.Definition, path string, names []string) diagnostics.Lack {
	language, _ := d.LanguageID(path)
	switch language {
	case "typescript", "typescriptreact", "javascript", "javascriptreact":
		return e.lacksPackages(path, names)
	case "python":
		return e.lacksEnvironment(path, names)
	case "go":
		return e.lacksModules(path, names)
	}
	n := needOf(d, path)
	switch {
	case n == nil:
		return diagnostics.Lack{}
	case n.met(e.Root(), path) && language == "java":
		return e.lacksLibraries(path, names)
	case n.met(e.Root(), path):
		return e.lacksCommands(d, n, path, names)
	}
	root := n.home(e.Root(), path)
	lack := diagnostics.Lack{Missing: n.missing(e.whereabouts(filepath.Dir(path))), Next: e.within(root, n.next(root)), Names: names}
	if language == "java" {
		lack.Names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return e.hasPackage(root, name) })
	}
	return lack
}

// hasPackage reports whether the project has the Java package of an imported name itself.
func (e *Engine) hasPackage(root, name string) bool {
	folder := filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))
	for _, source := range []string{"", "src", "src/main/java", "src/test/java"} {
		for dir := filepath.Dir(folder); dir != "."; dir = filepath.Dir(dir) {
			if isFolder(filepath.Join(root, filepath.FromSlash(source), dir)) && strings.Contains(dir, string(filepath.Separator)) {
				return true
			}
		}
	}
	return false
}

// whereabouts names a folder for readers.
func (e *Engine) whereabouts(path string) string {
	if shown := e.relative(path); shown != "." {
		return shown
	}
	return "the current folder"
}

// within makes a command one for a folder.
func (e *Engine) within(folder, command string) string {
	if command == "" || folder == e.base() {
		return command
	}
	return "cd " + quoted(folder) + " && " + command
}

// upwards returns the folders from that of a file up to a root, the nearest first.
func upwards(path, root string) (dirs []string) {
	for dir := filepath.Dir(path); workspace.Below(root, dir); dir = filepath.Dir(dir) {
		if dirs = append(dirs, dir); dir == root || dir == filepath.Dir(dir) {
			break
		}
	}
	return dirs
}

// firstWith returns the first of some folders that has one of the files, and which.
func firstWith(dirs []string, names ...string) (dir, name string) {
	for _, dir := range dirs {
		for _, name := range names {
			if exists(filepath.Join(dir, name)) {
				return dir, name
			}
		}
	}
	return "", ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
