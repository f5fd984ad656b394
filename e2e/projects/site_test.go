package projects

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A site is a project that is being set up.
type site struct {
	*testing.T
	root string
	// elsewhere is a folder for what is not in the project: caches, homes.
	elsewhere string
	// environ is the environment of the set-up, as KEY=value.
	environ []string
	// user is the text of the user's configuration.
	user string
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{T: t, root: resolved(t, t.TempDir()), elsewhere: resolved(t, t.TempDir())}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !slices.Contains([]string{"VIRTUAL_ENV", "CONDA_PREFIX", "GOFLAGS", "GOMODCACHE", "JDK_JAVA_OPTIONS"}, name) {
			s.environ = append(s.environ, entry)
		}
	}
	s.set("GOPROXY", "off")
	s.set("CARGO_NET_OFFLINE", "true")
	return s
}

func resolved(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// set sets a variable of the environment.
func (s *site) set(name, value string) { s.environ = append(s.environ, name+"="+value) }

// write writes a file of the project.
func (s *site) write(name, text string) {
	s.Helper()
	lsptest.WriteFile(s, filepath.Join(s.root, name), text)
}

// replace changes a text in a file of the project.
func (s *site) replace(name, from, to string) {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil {
		s.Fatal(err)
	}
	if !strings.Contains(string(text), from) {
		s.Fatalf("%s has no %q", name, from)
	}
	s.write(name, strings.Replace(string(text), from, to, 1))
}

// remove removes a file or a folder of the project.
func (s *site) remove(name string) {
	s.Helper()
	if err := os.RemoveAll(filepath.Join(s.root, name)); err != nil {
		s.Fatal(err)
	}
}

// link makes a symbolic link in the project.
func (s *site) link(name, target string) {
	s.Helper()
	path := filepath.Join(s.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		s.Fatal(err)
	}
}

// take copies files of a real project into a folder of this one.
func (s *site) take(to, id string, prefixes ...string) {
	s.Helper()
	lsptest.CopyTree(s, filepath.Join(s.root, to), lsptest.Fetched(s, id), prefixes...)
}

// run runs a program of the machine in the project.
func (s *site) run(name string, args ...string) string {
	s.Helper()
	cmd := exec.CommandContext(s.Context(), name, args...)
	cmd.Dir, cmd.Env = s.root, s.environ
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// npm installs packages as npm does: each in a folder of its own. The keys are their names,
// the values where they are.
func (s *site) npm(folder string, packages map[string]string) {
	s.Helper()
	for name, id := range packages {
		s.take(filepath.Join(folder, "node_modules", name), id)
	}
}

// pnpm installs packages as pnpm does: each in a virtual store, and links to it. Each sees all.
func (s *site) pnpm(packages map[string]string) {
	s.Helper()
	store := func(name string) string { return strings.ReplaceAll(name, "/", "+") + "@1" }
	for name, id := range packages {
		s.take(filepath.Join("node_modules", ".pnpm", store(name), "node_modules", name), id)
		up := strings.Repeat("../", strings.Count(name, "/"))
		s.link(filepath.Join("node_modules", name), up+".pnpm/"+store(name)+"/node_modules/"+name)
		s.link(filepath.Join("node_modules", ".pnpm", "node_modules", name), up+"../"+store(name)+"/node_modules/"+name)
	}
}

// venv makes an environment of Python with packages of Debian.
func (s *site) venv(folder, version string, packages ...string) {
	s.Helper()
	s.write(filepath.Join(folder, "pyvenv.cfg"), "home = /usr/bin\ninclude-system-site-packages = false\nversion = "+version+".7\n")
	site := filepath.Join(folder, "lib", "python"+version, "site-packages")
	s.write(filepath.Join(site, "_virtualenv.py"), "")
	for _, id := range packages {
		s.take(site, id)
	}
}

// typescript is where the version of TypeScript of a server is.
func (s *site) typescript(server string) string {
	s.Helper()
	program := resolved(s.T, lsptest.Require(s, server))
	for dir := filepath.Dir(program); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if path := filepath.Join(dir, "node_modules", "typescript"); isThere(path) {
			return path
		}
	}
	s.Fatalf("no typescript beside %s", program)
	return ""
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// maven sets up a home folder whose repository has what Maven needs to load a project, and
// the libraries of Debian. artifacts are folders of the repository that it lacks.
func (s *site) maven(lacks ...string) {
	s.Helper()
	s.set("JDK_JAVA_OPTIONS", lsptest.MavenHome(s, s.elsewhere, lacks...))
}

// compileCommands writes the compilation database that CMake would write for the sources of
// jsoncpp, if the project were at root.
func (s *site) compileCommands(name, root string) {
	s.Helper()
	type command struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Arguments []string `json:"arguments"`
	}
	var commands []command
	for _, source := range []string{"json_reader.cpp", "json_value.cpp", "json_writer.cpp"} {
		file := filepath.Join(root, "src/lib_json", source)
		commands = append(commands, command{filepath.Join(root, "build"), file, []string{
			"c++", "-I" + filepath.Join(root, "include"), "-I" + filepath.Join(root, "build/include"), "-std=c++17", "-Wno-deprecated-declarations",
			"-o", "CMakeFiles/" + source + ".o", "-c", file,
		}})
	}
	text, err := json.MarshalIndent(commands, "", " ")
	if err != nil {
		s.Fatal(err)
	}
	s.write(name, string(text))
}

func makeExecutable(s *site, path string) {
	s.Helper()
	if err := os.Chmod(path, 0o755); err != nil {
		s.Fatal(err)
	}
}

// barePython puts an interpreter first on PATH that has no packages of the machine.
func (s *site) barePython() {
	s.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		lsptest.Skip(s, "there is no python3")
	}
	folder := filepath.Join(s.elsewhere, "bin")
	for _, name := range []string{"python", "python3"} {
		lsptest.WriteFile(s, filepath.Join(folder, name), "#!/bin/sh\nexec "+python+" -S \"$@\"\n")
		makeExecutable(s, filepath.Join(folder, name))
	}
	s.set("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
