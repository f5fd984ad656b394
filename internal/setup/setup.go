// Package setup finds out what is missing from a project that its language servers need to
// understand it: installed packages, an environment, modules, a compilation database. Answers that
// may be wrong for that reason say so, and doctor reports it in the same words. The package only
// reads files and runs no program.
package setup

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// A Setup reports to one caller what is missing from the projects of a workspace. It is safe for
// concurrent use.
type Setup struct {
	*memory
	names workspace.Names
}

// A memory is the state that all callers share.
type memory struct {
	workspace *workspace.Workspace
	collector *diagnostics.Collector

	mu sync.Mutex
	// lacking holds the names that each server did not find because of a missing prerequisite.
	lacking map[roots.Key]lacking
	// loads holds what decided how servers loaded their projects.
	loads map[roots.Key]*loads
	// java is which Java libraries were downloaded, as a note of that time.
	java note
	// notes caches what is missing, by server and folder.
	notes map[string]note
}

// New returns the Setup of a workspace for a caller who names files as names does. The collector
// knows which projects the servers could not load.
func New(w *workspace.Workspace, c *diagnostics.Collector, names workspace.Names) *Setup {
	return &Setup{&memory{
		workspace: w, collector: c,
		lacking: make(map[roots.Key]lacking), loads: make(map[roots.Key]*loads), notes: make(map[string]note),
	}, names}
}

// Naming returns a Setup for a caller who names files differently. Both share one cache.
func (s *Setup) Naming(names workspace.Names) *Setup { return &Setup{s.memory, names} }

// Of returns what the diagnostics collector needs to tell errors caused by an incomplete set-up
// from errors in the code. It remembers what is missing for [Setup.Renew].
func (s *Setup) Of(d *registry.Definition, key roots.Key) *diagnostics.Setup {
	return &diagnostics.Setup{
		Symptoms: d.Symptoms,
		Wording:  d.Wording,
		Lacks: func(path string, names []string) diagnostics.Lack {
			lack := s.Lacks(d, path, names)
			if lack.Missing == "" || len(lack.Names) == 0 {
				return diagnostics.Lack{}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.lacking[key] = lacking{path: path, names: lack.Names}
			return lack
		},
		Next:     func(path string) string { return s.loading(d, path) },
		Handicap: func(path string) diagnostics.Handicap { return s.handicap(d, key, path) },
		Without: func(path string, unloaded bool) diagnostics.Lack {
			if unloaded {
				s.remember(d, key, path)
			}
			return s.Refused(d, key, path)
		},
	}
}

// programs are the programs that servers need to load any project, with how to find them.
var programs = map[string]language.Way{
	"gopls":         {Beside: language.GoCommand, Next: "export PATH=$PATH:/usr/local/go/bin"},
	"rust-analyzer": {Beside: "cargo", Next: `export PATH=$PATH:$HOME/.cargo/bin`},
}

// Without returns what prevents a server from loading the project of a file: a missing program, or
// something that the go command or Gradle requires before it loads anything. If nothing does,
// Missing of the result is "".
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

// WithoutProgram returns the missing program without which a server cannot load any project. If it
// is installed or the server needs none, Missing of the result is "".
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

// handicap returns what keeps a server from judging all of a file: that the workspace is not trusted, or that the program is
// missing by which it judges.
func (s *Setup) handicap(d *registry.Definition, key roots.Key, path string) (h diagnostics.Handicap) {
	if without := s.workspace.Restrained(d, path); without != "" {
		h.Lack = diagnostics.Lack{Missing: "judged " + without, Next: trust}
		h.Reason, h.Untrusted, h.Doubtful, h.Sure = h.Lack.Missing, true, true, d.Executes.Restraint.Sure
		return h
	}
	if h.Lack = s.lacksHelper(d, key); h.Lack.Missing != "" {
		h.Reason = "not judged: " + h.Lack.Missing
	}
	return h
}

// trust is the command by which the user lets a server run what a project brings.
const trust = "lspine trust"

// lacksHelper returns the program by which a server judges if it is missing. The server is to look for it
// anew once it is there.
func (s *Setup) lacksHelper(d *registry.Definition, key roots.Key) (lack diagnostics.Lack) {
	if d.Helper == nil {
		return lack
	}
	program := d.Helper.Named(d)
	if _, err := s.workspace.LookPath(program); err == nil {
		return lack
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lacking[key] = lacking{program: program}
	return diagnostics.Lack{Missing: program + " is not installed", Next: d.Helper.Next}
}

// intoPackages are the methods whose answer may be in a package that is not installed.
var intoPackages = map[string]bool{
	symbols.Definition: true, symbols.Declaration: true, symbols.TypeDefinition: true, "textDocument/hover": true, "textDocument/completion": true,
	"textDocument/signatureHelp": true, "textDocument/prepareTypeHierarchy": true, "textDocument/prepareCallHierarchy": true,
}

// Note says what is missing from the project of a file, or "" if that cannot change the server's
// answer to the LSP method. If the server could not load the project itself, every answer may
// change.
func (s *Setup) Note(c *roots.Candidate, path, method string) string {
	d := &c.Definition
	text := s.collector.Unloaded(diagnostics.Key(c.Key()), path)
	if text == "" && (intoPackages[method] || acrossProjects[method] || method == "workspace/symbol") {
		if text = s.workspace.Restrained(d, path); text != "" {
			return "asked " + text + fixedBy(trust)
		}
	}
	if text != "" {
		text += fixedBy(s.loading(d, path))
	}
	if text == "" && acrossProjects[method] {
		text = s.UnloadedBeside(d, diagnostics.Key(c.Key()), path)
	}
	if text == "" && (intoPackages[method] || acrossProjects[method] && d.Runs() == "jdtls") && d.Symptoms != nil {
		text = s.lackOf(d, path)
	}
	if text == "" && method == "workspace/symbol" { // it finds nothing where another question is refused
		if lack := s.Without(d, path); lack.Missing != "" {
			text = lack.Missing + fixedBy(lack.Next)
		}
	}
	return text
}

// acrossProjects are the methods whose answer may be in any project of a server.
var acrossProjects = map[string]bool{
	"textDocument/references": true, "textDocument/implementation": true, "textDocument/rename": true,
	"textDocument/prepareCallHierarchy": true, "textDocument/prepareTypeHierarchy": true,
}

// UnloadedBeside says which other project the server of a file could not load, why, and how to fix
// it; "" if it loaded all of them.
func (s *Setup) UnloadedBeside(d *registry.Definition, key diagnostics.Key, path string) string {
	reason := s.collector.UnloadedBeside(key, path)
	if reason != "" {
		reason += fixedBy(s.loading(d, path))
	}
	return reason
}

// fixedBy returns the command that fixes what was just described, in parentheses; "" if there is none.
func fixedBy(next string) string {
	if next == "" {
		return ""
	}
	return " (to fix it: " + next + ")"
}

// A note says what was missing from the project of a folder at a certain time.
type note struct {
	text string
	at   time.Time
}

// noteKept is how long a note is reused. Requests follow each other quickly, and some take less
// time than looking for what is missing.
const noteKept = 2 * time.Second

// lackOf says what is missing from the project of a file and how to fix it; "" if nothing is
// missing.
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
	if text != "" {
		text += fixedBy(lack.Next)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes[id] = note{text, time.Now()}
	return text
}

// loading returns the command that shows why the project of a file could not be loaded, or that
// installs what it needs; "" if there is none.
func (s *Setup) loading(d *registry.Definition, path string) string {
	dirs := upwards(path, s.workspace.Root())
	if home, _ := firstWith(dirs, language.PackageJSON); home != "" && d.Role == registry.DiagnosticsOnly {
		return s.Within(home, packageManager(dirs))
	}
	slices.Reverse(dirs) // prefer the outermost of several modules
	for _, w := range language.Loaders {
		if home, _ := firstWith(dirs, w.Beside); home != "" && slices.Contains(d.Roots, w.Beside) {
			return s.Within(home, w.Next)
		}
	}
	return ""
}

// Lacks returns what is missing from the project of a file. Of the given names, which a server did
// not find, the result keeps those that the lack explains. With nil names, it only says what is
// missing.
func (s *Setup) Lacks(d *registry.Definition, path string, names []string) diagnostics.Lack {
	spoken, _ := d.LanguageID(path)
	id := language.ID(spoken)
	switch id {
	case language.TypeScript, language.TypeScriptReact, language.JavaScript, language.JavaScriptReact:
		return s.lacksPlugin(d, path, names, s.lacksPackages(d, path, names))
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

// whereabouts returns the name of a folder as the caller sees it.
func (s *Setup) whereabouts(path string) string {
	if shown := s.names.Relative(path); shown != "." {
		return shown
	}
	return "the current folder"
}

// Within returns the command of this system's shell that runs command, one of [language.Way], in a
// folder. If the caller is in that folder, it changes to none.
func (s *Setup) Within(folder, command string) string {
	command = Here.Command(command)
	if command == "" || folder == s.names.Base() {
		return command
	}
	return Here.Then("cd "+Quoted(folder), command)
}

// upwards returns the folders from that of a file up to root, nearest first.
func upwards(path, root string) (dirs []string) {
	for dir := filepath.Dir(path); fspath.Below(root, dir); dir = filepath.Dir(dir) {
		if dirs = append(dirs, dir); dir == root || dir == filepath.Dir(dir) {
			break
		}
	}
	return dirs
}

// firstWith returns the first folder that contains one of the files, and the name of that file; ""
// if no folder does.
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
