package setup

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// opened returns the set-up of a workspace on a machine that has no programs, and its root.
func opened(t *testing.T, archive string) (s *Setup, root string) {
	t.Helper()
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "GRADLE_HOME", "GOFLAGS"} {
		t.Setenv(name, "")
	}
	root = lsptest.Workspace(t, archive)
	t.Setenv("HOME", filepath.Join(root, "home"))
	t.Setenv("GRADLE_USER_HOME", filepath.Join(root, "home", ".gradle"))
	t.Setenv("GOMODCACHE", filepath.Join(root, "cache"))
	w, err := workspace.Open(workspace.Options{Root: root, LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	return New(w, nil, w.Names("")), root
}

func server(t *testing.T, id string) *registry.Definition {
	t.Helper()
	d, ok := registry.Builtin().Get(id)
	if !ok {
		t.Fatalf("there is no server %s", id)
	}
	return &d
}

type unfinished struct {
	server, file, archive string
	want                  diagnostics.Lack
}

// here returns a command of a POSIX shell as that of this system; ROOT in it stands for a folder.
func here(command string) string {
	if change, next, ok := strings.Cut(command, " && "); ok && strings.HasPrefix(change, "cd ") {
		return Here.Then(filepath.FromSlash(change), Here.Command(next))
	}
	return Here.Command(command)
}

func check(t *testing.T, names []string, projects map[string]unfinished) {
	t.Helper()
	for name, p := range projects {
		s, root := opened(t, p.archive)
		got := s.Lacks(server(t, p.server), filepath.Join(root, filepath.FromSlash(p.file)), names)
		got.Missing, got.Next = strings.ReplaceAll(got.Missing, root, "ROOT"), strings.ReplaceAll(got.Next, root, "ROOT")
		p.want.Next = here(p.want.Next)
		if diff := cmp.Diff(p.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A Python project that asks for packages lacks an environment that has them, unless one is there
// whose packages cannot be seen. Modules of its own are never what it lacks.
func TestPythonLacksPackages(t *testing.T) {
	const (
		own   = "-- sub/a.py --\n-- sub/near.py --\n-- folder/x.py --\n-- src/sourced.py --\n"
		asks  = own + "-- requirements.txt --\nflask\n"
		next  = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt"
		venv  = "-- .venv/pyvenv.cfg --\n-- .venv/lib/python3.11/site-packages/six.py --\n"
		flask = "-- .venv/lib/python3.11/site-packages/flask-3.0.dist-info/METADATA --\n"
	)
	gone := []string{"flask.app"}
	check(t, []string{"flask.app", "near", "folder.x", "sourced", ".relative"}, map[string]unfinished{
		"nothing is asked for":      {"pyright", "sub/a.py", own, diagnostics.Lack{}},
		"nothing but a comment is":  {"pyright", "sub/a.py", own + "-- requirements.txt --\n# none\n", diagnostics.Lack{}},
		"no environment":            {"pyright", "sub/a.py", asks, diagnostics.Lack{Missing: "there is no environment (.venv) for the packages of the current folder", Next: next, Names: gone}},
		"no environment of a part":  {"pyright", "part/a.py", "-- part/uv.lock --\n-- part/a.py --\n", diagnostics.Lack{Missing: "there is no environment (.venv) for the packages of part", Next: "cd ROOT/part && uv sync", Names: []string{"flask.app", "near", "folder.x", "sourced"}}},
		"an environment without it": {"pyright", "sub/a.py", asks + venv, diagnostics.Lack{Missing: "the environment .venv lacks packages that the current folder asks for: flask", Next: next, Names: gone}},
		"an environment with it":    {"pyright", "sub/a.py", asks + venv + flask, diagnostics.Lack{}},
		"an empty environment":      {"pyright", "sub/a.py", asks + "-- env/pyvenv.cfg --\n", diagnostics.Lack{}},
		"packages of pdm":           {"pyright", "sub/a.py", asks + "-- __pypackages__/x --\n", diagnostics.Lack{}},
		"packages of pixi":          {"pyright", "sub/a.py", asks + "-- .pixi/envs/x --\n", diagnostics.Lack{}},
	})
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		s, root := opened(t, asks)
		t.Setenv(variable, "/elsewhere")
		if diff := cmp.Diff(diagnostics.Lack{}, s.Lacks(server(t, "pyright"), filepath.Join(root, "sub", "a.py"), nil)); diff != "" {
			t.Errorf("with %s: %s", variable, diff)
		}
	}
}

// A Java project lacks a build file, the Gradle that would load it, or the libraries that it names;
// packages of its own are never what it lacks.
func TestJavaLacksLibraries(t *testing.T) {
	const source = "-- app/A.java --\n-- src/main/java/com/own/B.java --\n"
	names := []string{"com.own.B", "com.own.inner.C", "org.other.C", "com.D"}
	foreign := []string{"org.other.C", "com.D"}
	check(t, names, map[string]unfinished{
		"no build file": {"jdtls", "app/A.java", source, diagnostics.Lack{
			Missing: "no pom.xml or build.gradle or build.gradle.kts or settings.gradle or 3 others in or above app: the class path is unknown: only the JDK is there, and what libraries declare is an error",
			Next:    "gradle init --type java-application", Names: foreign,
		}},
		"no Gradle": {"jdtls", "app/A.java", source + "-- build.gradle --\n", diagnostics.Lack{
			Missing: "the project is not loaded: there is no Gradle that could load the project", Next: "gradle dependencies", Names: foreign,
		}},
		"Maven": {"jdtls", "app/A.java", source + "-- pom.xml --\n", diagnostics.Lack{}},
		"libraries": {
			"jdtls", "app/A.java", source + "-- .project --\n-- .classpath --\n<classpathentry kind=\"src\" path=\"gone\"/>\n<classpathentry kind=\"lib\" path=\"lib/there.jar\"/>\n<classpathentry kind=\"lib\" path=\"lib/gone.jar\"/>\n<classpathentry kind=\"lib\" path=\"/nowhere/x.jar\"/>\n-- lib/there.jar --\n",
			diagnostics.Lack{Missing: ".classpath names libraries that are not there: lib/gone.jar, /nowhere/x.jar", Names: names},
		},
		"all libraries": {"jdtls", "app/A.java", source + "-- .classpath --\n<classpathentry kind=\"lib\" path=\"lib/there.jar\"/>\n-- lib/there.jar --\n", diagnostics.Lack{}},
	})
}

// A C project lacks commands to compile it with, or has those of another folder; flags that somebody
// wrote for it are enough.
func TestCLacksCommands(t *testing.T) {
	const (
		other   = "-- compile_commands.json --\n[{\"directory\": \"/elsewhere\", \"file\": \"x.c\"}]\n"
		missing = "no compile_commands.json or build/compile_commands.json or compile_flags.txt or .clangd in or above src: include folders, macros and the standard are guessed: errors may be false"
	)
	names := []string{"stdio.h"}
	check(t, names, map[string]unfinished{
		"nothing":           {"clangd", "src/a.c", "-- src/a.c --\n", diagnostics.Lack{Missing: missing, Next: "echo -Iinclude > compile_flags.txt", Names: names}},
		"the outer of two":  {"clangd", "src/a.c", "-- src/CMakeLists.txt --\n-- CMakeLists.txt --\n", diagnostics.Lack{Missing: missing, Next: "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", Names: names}},
		"make, of a part":   {"clangd", "src/a.c", "-- src/Makefile --\n", diagnostics.Lack{Missing: missing, Next: "cd ROOT/src && bear -- make", Names: names}},
		"of another folder": {"clangd", "src/a.c", other + "-- Makefile --\n", diagnostics.Lack{Missing: "compile_commands.json is of another folder: it names no file of this one, but " + filepath.FromSlash("/elsewhere/x.c"), Next: "bear -- make", Names: names}},
		"of another folder, where the name is a pattern": {
			"clangd", "a[1]/a.c", "-- a[1]/build/compile_commands.json --\n[{\"directory\": \"/elsewhere\", \"file\": \"x.c\"}]\n-- Makefile --\n",
			diagnostics.Lack{Missing: "a[1]/build/compile_commands.json is of another folder: it names no file of this one, but " + filepath.FromSlash("/elsewhere/x.c"), Next: "bear -- make", Names: names},
		},
		"flags where the name is a pattern": {"clangd", "a[1]/a.c", "-- a[1]/compile_flags.txt --\n", diagnostics.Lack{}},
		"flags beside them":                 {"clangd", "src/a.c", other + "-- compile_flags.txt --\n", diagnostics.Lack{}},
		"it names no file":                  {"clangd", "src/a.c", "-- compile_commands.json --\n[]\n", diagnostics.Lack{}},
	})
	for _, database := range []string{"compile_commands.json", "build/compile_commands.json", "out/Debug/compile_commands.json"} {
		s, root := opened(t, "-- a.c --\n")
		lsptest.WriteFile(t, filepath.Join(root, filepath.FromSlash(database)), `[{"directory": "`+filepath.ToSlash(root)+`", "file": "a.c"}]`)
		if diff := cmp.Diff(diagnostics.Lack{}, s.Lacks(server(t, "clangd"), filepath.Join(root, "a.c"), names)); diff != "" {
			t.Errorf("its own %s: %s", database, diff)
		}
	}
}

// A Go module lacks the modules that it requires and that are neither downloaded, replaced nor of
// the workspace; with a vendor folder it lacks what that does not have.
func TestGoLacksModules(t *testing.T) {
	const (
		module = "module example.com/m\n\ngo 1.22\n\nrequire (\n\texample.com/gone v1.0.0\n\texample.com/There v1.0.0\n\texample.com/replaced v1.0.0\n\texample.com/own v1.0.0\n)\n\nreplace example.com/replaced => ../replaced\n"
		others = "-- cache/example.com/!there@v1.0.0/go.mod --\n-- own/go.mod --\nmodule example.com/own\n"
	)
	gone := diagnostics.Lack{Missing: "modules that go.mod requires are not downloaded: example.com/gone", Next: "go mod download", Names: []string{"example.com/gone", "example.com/gone/sub"}}
	check(t, []string{"example.com/gone", "example.com/gone/sub", "example.com/gonefar", "example.com/own/x"}, map[string]unfinished{
		"one is gone":     {"gopls", "sub/a.go", "-- go.mod --\n" + module + others, gone},
		"another is odd":  {"gopls", "sub/a.go", "-- go.mod --\nmodule example.com/m\n\nrequire example.com/gone v1.0.0\n\nreplace nonsense\n", gone},
		"none is":         {"gopls", "a.go", "-- go.mod --\nmodule example.com/m\n\nrequire example.com/own v1.0.0\n" + others, diagnostics.Lack{}},
		"no module":       {"gopls", "a.go", "-- a.go --\n", diagnostics.Lack{}},
		"an unread one":   {"gopls", "a.go", "-- go.mod --\nnonsense(\n", diagnostics.Lack{}},
		"a vendor folder": {"gopls", "a.go", "-- go.mod --\n" + module + "-- vendor/modules.txt --\n", diagnostics.Lack{Missing: "vendor/modules.txt is not of this go.mod, which requires example.com/gone v1.0.0", Next: "go mod vendor", Names: []string{"example.com/gone", "example.com/gone/sub", "example.com/gonefar", "example.com/own/x"}}},
		"a good one":      {"gopls", "a.go", "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n-- vendor/modules.txt --\n", diagnostics.Lack{}},
	})
}

// The command that gets what a project needs is that of the outermost folder that is set up for
// the server.
func TestLoading(t *testing.T) {
	for name, p := range map[string]struct{ server, file, archive, want string }{
		"of the outer of two":   {"gopls", "sub/a.go", "-- go.mod --\n-- sub/go.mod --\n", "go mod download"},
		"of a part":             {"gopls", "sub/a.go", "-- sub/go.mod --\n", "cd ROOT/sub && go mod download"},
		"of another language":   {"gopls", "a.go", "-- Cargo.toml --\n", ""},
		"of a wrapper":          {"jdtls", "app/A.java", "-- gradlew --\n-- build.gradle --\n", "./gradlew dependencies"},
		"of a linter":           {"eslint", "sub/a.ts", "-- package.json --\n{}\n-- yarn.lock --\n", "yarn install"},
		"none without a file":   {"eslint", "sub/a.ts", "-- a.ts --\n", ""},
		"none, it is no linter": {"typescript", "sub/a.ts", "-- package.json --\n{}\n", ""},
	} {
		s, root := opened(t, p.archive)
		got := s.Of(server(t, p.server), roots.Key{}).Next(filepath.Join(root, filepath.FromSlash(p.file)))
		if got = strings.ReplaceAll(got, root, "ROOT"); got != here(p.want) {
			t.Errorf("%s: %q, want %q", name, got, here(p.want))
		}
	}
}

// A server needs something for files of the languages that it is needed for, and only if the server looks for it.
func TestNeedsOfServers(t *testing.T) {
	for _, c := range []struct {
		server, file string
		needs        bool
	}{
		{"clangd", "a.c", true},
		{"clangd", "a.cc", true},
		{"jdtls", "A.java", true},
		{"clangd", "a.java", false},
		{"jdtls", "a.c", false},
		{"taplo", "a.toml", false},
	} {
		if n := NeedOf(server(t, c.server), c.file); (n != nil) != c.needs {
			t.Errorf("%s for %s: %+v", c.server, c.file, n)
		}
	}
	other := &registry.Definition{ID: "other", Languages: server(t, "clangd").Languages, Roots: []string{"other.toml"}}
	if n := NeedOf(other, "a.c"); n != nil {
		t.Errorf("a server that looks for something else: %+v", n)
	}
}
