package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What decides how the Go code of a folder is understood is known, or it is said what it depends on. Where a setting differs, so do
// the inputs; where only the places of things differ, they do not.
func TestGoInputs(t *testing.T) {
	root := lsptest.Workspace(t, "-- sdk/VERSION --\ngo1.24.3\n-- sdk/bin/go --\n-- set/VERSION --\ngo1.24.3\n-- set/bin/go --\n-- set/go.env --\nGOFLAGS=-tags=x\n-- other/VERSION --\ngo1.25.0\n-- other/bin/go --\n-- code/a.go --\n-- env --\nGOFLAGS=-tags=written\n"+
		"-- within/go.work --\n-- within/code/a.go --\n")
	goCommand := filepath.Join(root, "sdk", "bin", "go")
	code := filepath.Join(root, "code")
	of := func(environ ...string) []string {
		t.Helper()
		inputs, why := GoInputs(code, goCommand, append([]string{"GOENV=off"}, environ...))
		if why != "" {
			t.Errorf("%v: %s", environ, why)
		}
		return inputs
	}
	plain := of()
	if same := of("GOPATH="+root, "HOME="+root, "PATH="+root, "GOPACKAGESDRIVER=off"); !cmp.Equal(plain, same) {
		t.Error(cmp.Diff(plain, same))
	}
	for _, setting := range []string{"GOFLAGS=-tags=x", "GOOS=plan9", "GOARCH=mips", "CGO_ENABLED=0", "GOWORK=off", "GOTOOLCHAIN=local", "GOEXPERIMENT=x", "GO111MODULE=off", "GOENV=" + filepath.Join(root, "env")} {
		if other := of(setting); cmp.Equal(plain, other) {
			t.Errorf("with %s they are the same", setting)
		}
	}
	for _, sdk := range []string{"other", "set"} {
		if other, why := GoInputs(code, filepath.Join(root, sdk, "bin", "go"), []string{"GOENV=off"}); cmp.Equal(plain, other) || why != "" {
			t.Errorf("with Go of another version, or with other settings of its own (%s), they are the same, %s", sdk, why)
		}
	}
	for _, c := range []struct{ folder, command, setting, want string }{
		{code, filepath.Join(root, "gone", "go"), "", "the version of Go"},
		{code, goCommand, "GOFLAGS=-mod=mod -overlay=x.json", "-overlay"},
		{code, goCommand, "GOFLAGS=-modfile=other.mod", "-modfile"},
		{code, goCommand, "GOPACKAGESDRIVER=bazel", "GOPACKAGESDRIVER"},
		{code, goCommand, "GOROOT=" + root, "GOROOT"},
		{code, goCommand, "GOWORK=" + filepath.Join(root, "go.work"), "GOWORK"},
		{filepath.Join(root, "within", "code"), goCommand, "", "go.work above"},
	} {
		if inputs, why := GoInputs(c.folder, c.command, []string{"GOENV=off", c.setting}); !strings.Contains(why, c.want) {
			t.Errorf("%s, %s: %q, %v, want %q", c.folder, c.setting, why, inputs, c.want)
		}
	}
	if _, why := GoInputs(filepath.Join(root, "within", "code"), goCommand, []string{"GOENV=off", "GOWORK=off"}); why != "" {
		t.Errorf("without a go.work: %s", why)
	}
}

// Of modules it counts whether they are there, by the names under which the cache has them; one that is replaced by a folder outside of the root is
// more than is known, whether or not that is there, and so is a go.mod that cannot be read.
func TestGoModules(t *testing.T) {
	root := lsptest.Workspace(t, "-- mod/example.com/!a!b@v1.0.0/x.go --\n-- code/in/go.mod --\nmodule in\n-- code/go.mod --\n")
	manifest := filepath.Join(root, "code", "go.mod")
	of := func(text string) ([]string, string) {
		lsptest.WriteFile(t, manifest, "module m\n\ngo 1.24\n\n"+text)
		return GoModules(filepath.Join(root, "code"), []string{manifest, filepath.Join(root, "code", "in", "go.mod")}, []string{"GOENV=off", "GOMODCACHE=" + filepath.Join(root, "mod")})
	}
	modules, why := of("require (\n\texample.com/AB v1.0.0\n\texample.com/c v1.2.0 // indirect\n)\n\nreplace example.com/c => example.com/d v1.0.0\nreplace example.com/in => ./in\n")
	want := []string{"example.com/AB@v1.0.0 there", "example.com/c@v1.2.0 missing", "example.com/d@v1.0.0 missing", "in/vendor is not there", "vendor is not there"}
	if !slices.Equal(modules, want) || why != "" {
		t.Errorf("%q, %s", modules, why)
	}
	for _, outside := range []string{"../gone", "../mod", "./in/../.."} {
		if modules, why := of("replace example.com/c => " + outside + "\n"); !strings.Contains(why, "outside") {
			t.Errorf("%s: %q, %q", outside, modules, why)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "code", "vendor"), 0o755); err != nil {
		t.Fatal(err)
	}
	if modules, why := of(""); !slices.Contains(modules, "vendor is there") || why != "" {
		t.Errorf("with an empty folder vendor: %q, %s", modules, why)
	}
	if _, why := of("no go.mod"); why == "" {
		t.Error("what nobody understands is understood")
	}
}

// A file depends on a compiler of C if it imports "C", or is built only with one or only without; whatever else it says of that.
func TestDependsOnC(t *testing.T) {
	for text, want := range map[string]bool{
		"package a\n\nimport \"C\"\n":                                true,
		"package a\n\nimport (\n\t\"fmt\"\n\n\t\"C\"\n)\n":           true,
		"//go:build linux && cgo\n\npackage a\n":                     true,
		"//go:build !cgo\n\npackage a\n":                             true,
		"// +build cgo\n\npackage a\n":                               true,
		"//+build cgo\n\npackage a\n":                                true,
		"//go:build\tcgo\n\npackage a\n":                             true,
		"\ufeff//go:build cgo\n\npackage a\n":                        true,
		"/*\npackage b\n*/\n//go:build cgo\n\npackage a\n":           true,
		"package a\n\nvar c = \"C\"\n":                               false,
		"package a\n\n// Package b needs a build with cgo.\n":        false,
		"package a // +build cgo\n":                                  false,
		"\t// +build !cgo\n\npackage a\n":                            true,
		"// Package a is about cgo.\npackage a\n":                    false,
		"package a\n\n// import \"C\"\nvar c = `\nimport \"C\"\n`\n": false,
	} {
		if got := DependsOnC("a.go", []byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if DependsOnC("go.mod", []byte("import \"C\"\n")) {
		t.Error("a go.mod does")
	}
	for name, want := range map[string]bool{"a/testdata/b.go": true, "_a/b.go": true, ".a/b.go": true, "a/data/b.go": false, "a/b.testdata/c.go": false} {
		if IsLeftOut(name) != want {
			t.Errorf("%s is left out: %t", name, !want)
		}
	}
}

// A program of Go says its version; what is none, or was made of a text that has no version, does not.
func TestGoProgram(t *testing.T) {
	gopls := lsptest.Require(t, "gopls")
	p, ok := GoProgram(gopls)
	if !ok || !strings.HasPrefix(p.Version, "v0.") || !strings.Contains(p.Build, "golang.org/x/tools/gopls\n"+p.Version) {
		t.Errorf("gopls: %+v, %t", p, ok)
	}
	script := filepath.Join(t.TempDir(), "script")
	lsptest.WriteFile(t, script, "#!/bin/sh\n")
	for _, path := range []string{os.Args[0], script, filepath.Join(t.TempDir(), "gone")} {
		if p, ok := GoProgram(path); ok {
			t.Errorf("%s: %+v", path, p)
		}
	}
}
