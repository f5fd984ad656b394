package workspace

import (
	"bytes"
	"encoding/json"

	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// Python returns where the packages of a Python project are installed.
func (w *Workspace) Python(root string) (e project.PythonEnvironment, found bool) {
	return project.FindPython(root, w.root, w.env)
}

// settingsOf returns what a server is told of the packages in each folder, nil if it is
// told nothing.
func (w *Workspace) settingsOf(d *registry.Definition) func(folder string) json.RawMessage {
	if d.Environment == nil {
		return nil
	}
	return func(folder string) json.RawMessage { return w.packages(d, folder) }
}

// packages returns the settings that tell a server where the packages of a project are:
// folders to search, and the interpreter only where that may run.
func (w *Workspace) packages(d *registry.Definition, root string) json.RawMessage {
	e, found := w.Python(root)
	if !found || project.ChoosesPython(root) {
		return nil
	}
	template, placeholder, value := d.Environment.Paths, registry.PackagePaths, any(e.Paths)
	if w.opts.Trusted && e.Interpreter != "" {
		template, placeholder, value = d.Environment.Interpreter, registry.Interpreter, e.Interpreter
	}
	text, err := json.Marshal(value)
	if err != nil { // strings are never refused
		return nil
	}
	return bytes.ReplaceAll(template, []byte(`"`+placeholder+`"`), text)
}
