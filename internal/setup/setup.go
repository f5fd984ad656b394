// Package setup knows what a project lacks of what its language servers need to know it:
// packages, environments, modules, compilation databases. That is told with every answer that
// it may change, and in the same words by the doctor. Files are read for it, and nothing is run.
package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// A Setup tells one caller what projects of a workspace lack. It is safe for concurrent use.
type Setup struct {
	*memory
	names workspace.Names
}

// A memory is what all callers share.
type memory struct {
	workspace *workspace.Workspace
	collector *diagnostics.Collector

	mu sync.Mutex
	// lacking is what servers did not find because the set-up lacked it.
	lacking map[workspace.Key]lacking
	// notes are what projects lack, by server and folder.
	notes map[string]note
}

// New returns what tells a caller who names files so what the projects of a workspace lack.
// What servers could not load is known to the collector.
func New(w *workspace.Workspace, c *diagnostics.Collector, names workspace.Names) *Setup {
	return &Setup{&memory{workspace: w, collector: c, lacking: make(map[workspace.Key]lacking), notes: make(map[string]note)}, names}
}

// Naming returns the same for a caller who names files otherwise.
func (s *Setup) Naming(names workspace.Names) *Setup { return &Setup{s.memory, names} }

// Of returns what tells the errors of a server about the set-up apart from those about the
// code. What it reports as lacking is remembered for Renew.
func (s *Setup) Of(d *registry.Definition, key workspace.Key) *diagnostics.Setup {
	return &diagnostics.Setup{
		Symptoms: d.Symptoms,
		Lacks: func(path string, names []string) diagnostics.Lack {
			lack := s.Lacks(d, path, names)
			if lack.Missing == "" || len(lack.Names) == 0 {
				return diagnostics.Lack{}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.lacking[key] = lacking{path, lack.Names}
			return lack
		},
		Next:    func(path string) string { return s.loading(d, path) },
		Without: func(path string) diagnostics.Lack { return s.Without(d, path) },
	}
}

// programs are those that servers need to load any project, and how they are found again.
var programs = map[string]language.Way{
	"gopls":         {Beside: language.GoCommand, Next: "export PATH=$PATH:/usr/local/go/bin"},
	"rust-analyzer": {Beside: "cargo", Next: `export PATH=$PATH:$HOME/.cargo/bin`},
}

// Without returns what a server cannot load the project of a file without, if it is missing:
// a program, or what the go command or Gradle want before they load anything.
func (s *Setup) Without(d *registry.Definition, path string) (lack diagnostics.Lack) {
	if lack = s.WithoutProgram(d); lack.Missing != "" {
		return lack
	}
	switch d.Runs() {
	case "gopls":
		return s.Lacks(d, path, nil)
	case "jdtls":
		return s.lacksGradle(d, path, nil)
	}
	return lack
}

// WithoutProgram returns the program without which a server loads no project, if it is missing.
func (s *Setup) WithoutProgram(d *registry.Definition) (lack diagnostics.Lack) {
	w, needs := programs[d.Runs()]
	if !needs {
		return lack
	}
	if _, err := s.workspace.LookPath(w.Beside); err != nil {
		lack.Missing, lack.Next = w.Beside+" is not on PATH", w.Next
	}
	return lack
}

// intoPackages are the questions whose answer may lie in a package that the project does
// not have.
var intoPackages = map[string]bool{
	symbols.Definition: true, symbols.Declaration: true, symbols.TypeDefinition: true, "textDocument/hover": true, "textDocument/completion": true,
	"textDocument/signatureHelp": true, "textDocument/prepareTypeHierarchy": true, "textDocument/prepareCallHierarchy": true,
}

// Note says what the set-up of a file's project lacks, if that can change the answer of a
// server to a method; "" if it does not. What the server itself said of the project changes any.
func (s *Setup) Note(c *workspace.Candidate, path, method string) string {
	d := &c.Definition
	text := s.collector.Unloaded(diagnostics.Key(c.Key()), path)
	if next := s.loading(d, path); text != "" && next != "" {
		text += mendedBy(next)
	}
	if text == "" && acrossProjects[method] {
		text = s.UnloadedBeside(d, diagnostics.Key(c.Key()), path)
	}
	if text == "" && (intoPackages[method] || acrossProjects[method] && d.Runs() == "jdtls") && d.Symptoms != nil {
		text = s.lackOf(d, path)
	}
	return text
}

// acrossProjects are the questions whose answer may lie in any project of a server.
var acrossProjects = map[string]bool{
	"textDocument/references": true, "textDocument/implementation": true, "textDocument/rename": true,
	"textDocument/prepareCallHierarchy": true, "textDocument/prepareTypeHierarchy": true,
}

// UnloadedBeside says which project beside that of a file its server could not load.
func (s *Setup) UnloadedBeside(d *registry.Definition, key diagnostics.Key, path string) string {
	word := s.collector.UnloadedBeside(key, path)
	if next := s.loading(d, path); word != "" && next != "" {
		word += mendedBy(next)
	}
	return word
}

func mendedBy(next string) string { return " (mend it: " + next + ")" }

// A note is what a folder's project lacks, as it was found some time ago.
type note struct {
	text string
	at   time.Time
}

// noteKept is how long what a project lacks is not looked for again: questions come in
// quick turn, and some are answered in less time than it takes.
const noteKept = 2 * time.Second

// lackOf returns what the project of a file lacks, with what mends it; "" for nothing.
func (s *Setup) lackOf(d *registry.Definition, path string) string {
	id := d.ID + "\x00" + filepath.Dir(path)
	s.mu.Lock()
	kept, known := s.notes[id]
	s.mu.Unlock()
	if known && time.Since(kept.at) < noteKept {
		return kept.text
	}
	lack := s.Lacks(d, path, nil)
	text := lack.Missing
	if text != "" && lack.Next != "" {
		text += mendedBy(lack.Next)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes[id] = note{text, time.Now()}
	return text
}

// lacking are things that a server did not find for a file, because the set-up of its
// project lacked them.
type lacking struct {
	path  string
	names []string
}

// Renew ends a server if its project has been set up since it said what it lacks: some
// look at that once, and where nobody watches. It starts anew when it is asked.
func (s *Setup) Renew(d *registry.Definition, key workspace.Key) {
	s.mu.Lock()
	former, lacked := s.lacking[key]
	s.mu.Unlock()
	if !lacked || len(s.Lacks(d, former.path, former.names).Names) > 0 {
		return
	}
	s.mu.Lock()
	_, ours := s.lacking[key]
	delete(s.lacking, key)
	s.mu.Unlock()
	if ours {
		ctx, cancel := context.WithTimeout(context.Background(), renewGrace)
		defer cancel()
		s.workspace.Stop(ctx, key)
	}
}

// renewGrace bounds the end of a server that is started anew.
const renewGrace = 500 * time.Millisecond

// loading is the command that shows why the project of a file could not be loaded, and
// gets what it needs.
func (s *Setup) loading(d *registry.Definition, path string) string {
	dirs := upwards(path, s.workspace.Root())
	if home, _ := firstWith(dirs, language.PackageJSON); home != "" && d.Role == registry.DiagnosticsOnly {
		return s.Within(home, packageManager(dirs))
	}
	slices.Reverse(dirs) // of several modules the outermost
	for _, w := range language.Loaders {
		if home, _ := firstWith(dirs, w.Beside); home != "" && slices.Contains(d.Roots, w.Beside) {
			return s.Within(home, w.Next)
		}
	}
	return ""
}

// Lacks says which of the named things the set-up of a file's project would bring. Names
// of nil ask what the project lacks at all.
func (s *Setup) Lacks(d *registry.Definition, path string, names []string) diagnostics.Lack {
	spoken, _ := d.LanguageID(path)
	id := language.ID(spoken)
	switch id {
	case language.TypeScript, language.TypeScriptReact, language.JavaScript, language.JavaScriptReact:
		return s.lacksPackages(path, names)
	case language.Python:
		return s.lacksEnvironment(path, names)
	case language.Go:
		return s.lacksModules(path, names)
	}
	n := NeedOf(d, path)
	switch {
	case n == nil:
		return diagnostics.Lack{}
	case n.Met(s.workspace.Root(), path) && id == language.Java:
		if lack := s.lacksGradle(d, path, names); lack.Missing != "" {
			return lack
		}
		return s.lacksLibraries(path, names)
	case n.Met(s.workspace.Root(), path):
		return s.lacksCommands(d, n, path, names)
	}
	root := n.Home(s.workspace.Root(), path)
	lack := diagnostics.Lack{Missing: n.Missing(s.whereabouts(filepath.Dir(path))), Next: s.Within(root, n.Next(root)), Names: names}
	if id == language.Java {
		lack.Names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return s.hasPackage(root, name) })
	}
	return lack
}

// whereabouts names a folder for readers.
func (s *Setup) whereabouts(path string) string {
	if shown := s.names.Relative(path); shown != "." {
		return shown
	}
	return "the current folder"
}

// Within makes a command one for a folder.
func (s *Setup) Within(folder, command string) string {
	if command == "" || folder == s.names.Base() {
		return command
	}
	return "cd " + Quoted(folder) + " && " + command
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
