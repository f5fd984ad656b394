package roots

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// Python returns where the packages of a Python project are installed.
func (f *Finder) Python(root string) (e project.PythonEnvironment, found bool) {
	return project.FindPython(root, f.opts.Root, f.env)
}

// LacksPython returns the packages that the project in a folder asks for and an environment
// does not have.
func (f *Finder) LacksPython(folder string, e project.PythonEnvironment) []string {
	return project.MissingPackages(folder, e)
}

// LacksGradle says which Gradle would load the project of a file and is not there; folders are
// those from the file's up to the root.
func (f *Finder) LacksGradle(folders []string) string {
	onPath := func(program string) bool { _, err := f.LookPath(program); return err == nil }
	return project.LacksGradle(folders, f.env, onPath)
}

// DownloadedJava identifies the set of Java libraries that are downloaded, as text.
func (f *Finder) DownloadedJava() string { return project.DownloadedJava(f.env) }

// Compiled reports whether a compilation database has a file of the workspace, and returns
// the first file that it names, "" if it cannot be read.
func (f *Finder) Compiled(database string) (first string, own bool) {
	return project.CompiledFiles(database, f.opts.Root)
}

// SettingsOf returns what a server is told of the packages in each folder, nil if it is
// told nothing.
func (f *Finder) SettingsOf(d *registry.Definition) func(folder string) json.RawMessage {
	if d.Environment == nil {
		return nil
	}
	return func(folder string) json.RawMessage { return f.packages(d, folder) }
}

// packages returns the settings that tell a server where the packages of a project are:
// folders to search, and the interpreter only where that may run.
func (f *Finder) packages(d *registry.Definition, root string) json.RawMessage {
	e, found := f.Python(root)
	if !found || project.ChoosesPython(root) {
		return nil
	}
	template, placeholder, value := d.Environment.Paths, registry.PackagePaths, any(e.Paths)
	if f.opts.Trusted && e.Interpreter != "" {
		template, placeholder, value = d.Environment.Interpreter, registry.Interpreter, e.Interpreter
	}
	text, err := json.Marshal(value)
	if err != nil { // strings are never refused
		return nil
	}
	return bytes.ReplaceAll(template, []byte(`"`+placeholder+`"`), text)
}

// LacksRust says which toolchain the project of a candidate asks for and rustup does not
// have; "" if it has it.
func (f *Finder) LacksRust(c *Candidate) string {
	cargo, err := f.opts.LookPath("cargo")
	if err != nil {
		return ""
	}
	channel, file := project.MissingRust(c.Root, f.opts.Root, cargo, f.env)
	if channel == "" {
		return ""
	}
	return fmt.Sprintf("%s asks for the toolchain %s, which is not installed: run rustup toolchain install %s", fspath.Relative(f.opts.Root, file), channel, channel)
}

// cargoEnvironment lets a server that names the crates that cargo compiles name all of them.
func (f *Finder) cargoEnvironment(c *Candidate) []string {
	if disk := c.Definition.Diagnostics.Disk; disk == nil || !disk.NamesCrates {
		return nil
	}
	cargo := project.Cargo(f.env)
	if cargo == "" {
		var err error
		if cargo, err = f.LookPath("cargo"); err != nil {
			return nil
		}
	}
	return lsp.CargoThrough(cargo, c.Binary)
}
