package project

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

func found(name string) (string, error) { return name, nil }

// What a Go file is built for is known from its name, its tags and the environment.
func TestGoFilesThatAreBuilt(t *testing.T) {
	written := filepath.Join(t.TempDir(), "env")
	lsptest.WriteFile(t, written, "GOFLAGS=-mod=mod -tags=written\n")
	here := Built{Here: true}
	const cgoOff = `it imports "C", and cgo is off here (CGO_ENABLED, or no compiler for C)`
	linux := []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1", "GOENV=off"}
	for _, c := range []struct {
		name, file, text string
		environ          []string
		want             Built
	}{
		{"any", "a.go", "package x", nil, here},
		{"of another system", "a_windows.go", "package x", nil, Built{Elsewhere: true, Because: "it is built on other systems only"}},
		{"of another machine", "a_arm64.go", "package x", nil, Built{Elsewhere: true, Because: "it is built on other systems only"}},
		{"of this system", "a_linux_amd64_test.go", "package x", nil, here},
		{"of that system", "a_windows.go", "package x", []string{"GOOS=windows"}, here},
		{"with a tag", "a.go", "//go:build integration\n\npackage x", nil, Built{Because: "it is built with //go:build integration"}},
		{"with a tag that is set", "a.go", "//go:build integration\n\npackage x", []string{"GOFLAGS=-v -tags=more,integration"}, here},
		{"with two dashes", "a.go", "//go:build integration\n\npackage x", []string{"GOFLAGS=--tags=integration"}, here},
		{"with a tag that was written", "a.go", "//go:build written\n\npackage x", []string{"GOENV=" + written}, here},
		{"with a tag that is not set here", "a.go", "//go:build written\n\npackage x", []string{"GOENV=" + written, "GOFLAGS=-v"}, Built{Because: "it is built with //go:build written"}},
		{"without a tag", "a.go", "//go:build !integration\n\npackage x", nil, here},
		{"a system and a tag", "a_windows.go", "//go:build integration\n\npackage x", nil, Built{Because: "it is built with //go:build integration"}},
		{"a program of its own", "a.go", "// Says so.\n\n//go:build ignore\n\npackage main", nil, here},
		{"no program", "a.go", "//go:build ignore\n\npackage x", nil, Built{Because: "it is built with //go:build ignore"}},
		{"a comment further down", "a.go", "package x\n\n//go:build ignore\n", nil, here},
		{"C", "a.go", "package x\n\nimport \"C\"\n", nil, here},
		{"C without cgo", "a.go", "package x\n\nimport \"C\"\n", []string{"CGO_ENABLED=0"}, Built{Because: cgoOff}},
		{"C on another system", "a_windows.go", "package x\n\nimport \"C\"\n", nil, Built{Because: "it is built on other systems only"}},
		{"broken", "a.go", "//go:build integration\n\npackage", nil, Built{Because: "it is built on other systems only"}},
		{"left out of every build", "_a.go", "package x", nil, here},
		{"another language", "a_windows.py", "package x", nil, here},
	} {
		got := NewGoBuild(append(append([]string{}, linux...), c.environ...), found).File("/x/"+c.file, []byte(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Without a compiler the go command builds nothing that imports "C".
func TestCgoNeedsACompiler(t *testing.T) {
	text := []byte("package x\n\nimport \"C\"\n")
	for _, c := range []struct {
		has     string
		environ []string
		want    bool
	}{
		{"", nil, false},
		{"gcc", nil, true},
		{"clang", nil, true},
		{"zig", nil, false},
		{"zig", []string{"CC=zig cc"}, true},
		{"", []string{"CGO_ENABLED=1"}, true},
		{"gcc", []string{"CGO_ENABLED=0"}, false},
	} {
		look := func(name string) (string, error) {
			if name == c.has {
				return name, nil
			}
			return "", errors.New("no such program")
		}
		if got := NewGoBuild(append([]string{"GOENV=off"}, c.environ...), look).File("/x/a.go", text).Here; got != c.want {
			t.Errorf("with %q and %q: built is %v", c.has, c.environ, got)
		}
	}
}
