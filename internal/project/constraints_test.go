package project

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Without a word about C, a compiler counts only for the system and the machine that we run on.
func TestCgoForAnotherSystem(t *testing.T) {
	text := []byte("package x\n\nimport \"C\"\n")
	for _, c := range []struct {
		environ []string
		want    bool
	}{
		{nil, true},
		{[]string{"GOOS=plan9"}, false},
		{[]string{"GOARCH=mips"}, false},
		{[]string{"GOOS=plan9", "GOARCH=mips"}, false},
		{[]string{"GOOS=plan9", "CGO_ENABLED=1"}, true},
		{[]string{"CGO_ENABLED=2"}, false},
	} {
		if got := NewGoBuild(append([]string{"GOENV=off"}, c.environ...), found).File("/x/a.go", text).Here; got != c.want {
			t.Errorf("%q: built is %t", c.environ, got)
		}
	}
	for content, want := range map[string]bool{
		"package x\n\nvar c = \"C\"\n": true, "package x\n\nimport (\n\t\"os\"\n\t\"C\"\n)\n": false, "package x\n\nimport c \"C\"\n": false, "package x\n\nimport \"D\" // \"C\"\n": true,
	} {
		if got := NewGoBuild([]string{"GOENV=off", "CGO_ENABLED=0"}, found).File("/x/a.go", []byte(content)).Here; got != want {
			t.Errorf("%q: built is %t", content, got)
		}
	}
}

// A program of its own has the tag alone and is a main package; the first constraint before the package counts.
func TestConstraintsOfGoFiles(t *testing.T) {
	type said struct {
		Line  string
		Alone bool
	}
	for content, want := range map[string]said{
		"//go:build ignore\n\npackage main":                        {"//go:build ignore", true},
		"//go:build ignore\n\npackage x":                           {"//go:build ignore", false},
		"//go:build ignore && x\n\npackage main":                   {"//go:build ignore && x", false},
		"// A\n// B\n\n//go:build a\n//go:build b\n\npackage main": {"//go:build a", false},
		"package main\n\n//go:build ignore\n":                      {},
		"//go:build ignore\n\npackage":                             {},
		"// go:build ignore\n\npackage main":                       {},
	} {
		if got := (said{constraintOf([]byte(content)), standsAlone([]byte(content))}); got != want {
			t.Errorf("%q: %+v", content, got)
		}
	}
}

// A compiler is found by the name that is set, without its arguments, or by the usual ones.
func TestCompilers(t *testing.T) {
	for _, c := range []struct {
		named, has string
		asked      []string
		want       bool
	}{
		{"", "gcc", []string{"gcc"}, true},
		{"", "clang", []string{"gcc", "clang"}, true},
		{"zig cc", "zig", []string{"zig"}, true},
		{"  ", "", []string{"gcc", "clang"}, false},
		{"tcc", "", []string{"tcc", "gcc", "clang"}, false},
	} {
		var asked []string
		got := hasCompiler(c.named, func(name string) (string, error) {
			asked = append(asked, name)
			if name == c.has {
				return name, nil
			}
			return "", errors.New("no such program")
		})
		if diff := cmp.Diff(c.asked, asked); diff != "" || got != c.want {
			t.Errorf("%q: %t (-want +got):\n%s", c.named, got, diff)
		}
	}
}

// A module says what it needs and prefers in lines of two words; of several the last counts.
func TestLinesOfModules(t *testing.T) {
	root := lsptest.Workspace(t, "-- sdk/VERSION --\ngo1.24.3\n-- sdk/bin/go --\n-- go.mod --\n")
	file := filepath.Join(root, "go.mod")
	for text, want := range map[string]GoToolchain{
		"module x\n":                 {},
		"go\ntoolchain\n":            {},
		"go 1.24\n":                  {Needs: "go1.24"},
		"  go 1.24 // x\n":           {Needs: "go1.24"},
		"toolchain go1.25.1\n":       {Prefers: "go1.25.1"},
		"toolchain default\n":        {},
		"go 1.2\ngo 1.3\ngone 1.4\n": {Needs: "go1.3"},
	} {
		lsptest.WriteFile(t, file, text)
		want.File, want.Has = file, "go1.24.3"
		if diff := cmp.Diff(want, FindGoToolchain(file, filepath.Join(root, "sdk", "bin", "go"))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	gone := filepath.Join(root, "gone.mod")
	if diff := cmp.Diff(GoToolchain{File: gone}, FindGoToolchain(gone, filepath.Join(root, "gone"))); diff != "" {
		t.Errorf("without a file (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		line, other string
		want        bool
	}{{"1.13", "1.14", true}, {"1.14", "1.14", false}, {"1.15", "1.14", false}} {
		if got := GoBefore(c.line, c.other); got != c.want {
			t.Errorf("%s before %s: %t", c.line, c.other, got)
		}
	}
}
