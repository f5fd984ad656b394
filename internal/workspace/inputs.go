package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// Matters reports whether a change of a file of this name can matter to a server.
func (w *Workspace) Matters(name string) bool { return w.matters(name) }

// Searchers returns the ids of the servers that answer questions about symbols of files of this name, whatever else is in their
// folders.
func (w *Workspace) Searchers(name string) (ids []string) {
	for _, d := range w.Serving(name) {
		if d.Role == registry.Primary {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// IsThere reports whether the server with an id is switched on and its program is there, whether or not it may run here.
func (w *Workspace) IsThere(id string) bool {
	d, known := w.opts.Servers.Get(id)
	if !known || d.Disabled {
		return false
	}
	if d.Connect != "" {
		return true
	}
	_, _, unavailable := w.Program(d)
	return unavailable == nil || unavailable.State == roots.Untrusted
}

// LeavesAlone reports whether changes of the file at a path below the root are not looked for.
func (w *Workspace) LeavesAlone(path string) bool { return w.skipped(path) != "" }

// Reads reports whether what a file of this name says, or that there is one, can change what a server says about other files.
func Reads(d *registry.Definition, name string) bool {
	if _, speaks := d.LanguageID(name); speaks || name == fspath.IgnoreFile {
		return true
	}
	isOne := func(pattern string) bool { return filepath.Base(filepath.FromSlash(pattern)) == name }
	return slices.ContainsFunc(slices.Concat(d.Roots, d.Manifests, d.Anew, d.RenewedBy), isOne) || slices.Contains(d.Reads, filepath.Ext(name))
}

// Inputs are what decides, besides the files of the workspace, where a server says that something is used.
type Inputs struct {
	// Server is the name and the version of the server.
	Server string
	// Digested are all of them, as text. Equal texts on two machines mean the same answers.
	Digested []string
	// Why is not "" if they are not known, and says the reason.
	Why string
}

// unforeseen are settings of servers by which files or variables count that nobody looks for.
var unforeseen = []string{`"env"`, `"buildFlags"`, `"templateExtensions"`}

// Inputs returns what decides, besides the files of the workspace, where the server of a candidate says that something is used.
// manifests are those of its files that name what projects need. Nothing is started. If the server runs and began with others, they
// are not known.
func (w *Workspace) Inputs(c *roots.Candidate, manifests []string) Inputs {
	inputs := w.inputs(c)
	if inputs.Why != "" {
		return inputs
	}
	w.mu.Lock()
	began, known := w.began[c.Key()]
	w.mu.Unlock()
	if known && began != strings.Join(inputs.Digested, "\n") {
		return Inputs{Why: c.Definition.ID + " began with other settings, or as another version"}
	}
	modules, why := project.GoModules(w.root, manifests, slices.Concat(w.Finder.Environ(), c.Definition.Env))
	inputs.Digested, inputs.Why = append(inputs.Digested, modules...), why
	return inputs
}

// noteInputs notes what decides the answers of a server that is about to start.
func (w *Workspace) noteInputs(c *roots.Candidate) {
	if c.Definition.World == registry.UnknownWorld {
		return
	}
	began := strings.Join(w.inputs(c).Digested, "\n")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began[c.Key()] = began
}

// inputs returns those of Inputs that no file of the workspace names.
func (w *Workspace) inputs(c *roots.Candidate) Inputs {
	d := &c.Definition
	switch {
	case c.Unavailable != nil:
		return Inputs{Why: c.Unavailable.Error()}
	case d.World != registry.GoWorld:
		return Inputs{Why: d.ID + ": it is not known what decides its answers"}
	case d.Connect != "":
		return Inputs{Why: d.ID + " is run by somebody else"}
	}
	program, known := w.programAt(c.Binary)
	if !known {
		return Inputs{Why: c.Binary + " does not say its version"}
	}
	if _, err := w.opts.LookPath("gopackagesdriver"); err == nil {
		return Inputs{Why: "there is a gopackagesdriver"}
	}
	for _, setting := range unforeseen {
		if bytes.Contains(d.Settings, []byte(setting)) || bytes.Contains(d.InitializationOptions, []byte(setting)) {
			return Inputs{Why: d.ID + " has the setting " + setting}
		}
	}
	command, err := w.opts.LookPath(language.GoCommand)
	if err != nil {
		return Inputs{Why: err.Error()}
	}
	definition, err := json.Marshal(d)
	if err != nil {
		return Inputs{Why: err.Error()}
	}
	found, why := project.GoInputs(w.root, command, slices.Concat(w.Finder.Environ(), d.Env, w.GoEnvironment(c)))
	inputs := Inputs{Server: d.ID + " " + program.Version, Why: why}
	inputs.Digested = append(inputs.Digested, program.Build, string(definition), fmt.Sprint(c.Args, w.opts.Trusted, w.opts.MaxFileBytes, w.opts.Ignore))
	inputs.Digested = append(inputs.Digested, found...)
	return inputs
}

// A programThere is what a program says about itself, as long as its file is the same.
type programThere struct {
	disk.Stamp
	project.Program
	known bool
}

// programAt returns what a program says about itself.
func (w *Workspace) programAt(binary string) (project.Program, bool) {
	resolved, err := fspath.Program(binary)
	if err != nil {
		return project.Program{}, false
	}
	now := disk.StampNow(resolved)
	w.mu.Lock()
	is, ok := w.made[resolved]
	w.mu.Unlock()
	if ok && is.Stamp == now {
		return is.Program, is.known
	}
	is.Stamp = now
	is.Program, is.known = project.GoProgram(resolved)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made[resolved] = is
	return is.Program, is.known
}
