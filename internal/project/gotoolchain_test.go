package project

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// What a module wants of the go command is read without running it.
func TestGoToolchain(t *testing.T) {
	root := lsptest.Workspace(t, "-- sdk/VERSION --\ngo1.24.3\ntime 2025\n-- sdk/bin/go --\n-- windows/VERSION --\ngo1.24.3\r\ntime 2025\r\n-- windows/bin/go --\n-- odd/VERSION --\ndevel\n-- odd/bin/go --\n")
	lsptest.WriteFile(t, filepath.Join(root, "mod/golang.org/toolchain@v0.0.1-go1.25.1."+runtime.GOOS+"-"+runtime.GOARCH, "bin/go"), "")
	for _, c := range []struct {
		text, binary           string
		lacks, differs, cached bool
	}{
		{"module x\n\ngo 1.24\n", "sdk/bin/go", false, false, false},
		{"module x\n\ngo 1.24.3\n", "sdk/bin/go", false, false, false},
		{"module x\n\ngo 1.24.4\n", "sdk/bin/go", true, false, false},
		{"module x\n\ngo 1.25.1 // new\n", "sdk/bin/go", true, false, true},
		{"go 1.24\n\ntoolchain go1.25.1\n", "sdk/bin/go", false, true, true},
		{"go 1.24\n\ntoolchain default\n", "sdk/bin/go", false, false, false},
		{"go 1.30\n\ntoolchain go1.25.1\n", "sdk/bin/go", true, true, false},
		{"go 1.24.4\n", "windows/bin/go", true, false, false},
		{"go 1.30\n", "odd/bin/go", false, false, false},
		{"go 1.30\n", "gone/bin/go", false, false, false},
		{"", "sdk/bin/go", false, false, false},
	} {
		file := filepath.Join(root, "go.mod")
		lsptest.WriteFile(t, file, c.text)
		got := FindGoToolchain(file, filepath.Join(root, c.binary))
		cached := got.Cached([]string{"GOMODCACHE=" + filepath.Join(root, "mod")})
		if got.Lacks() != c.lacks || got.Differs() != c.differs || cached != c.cached {
			t.Errorf("%q with %s: %+v lacks %v, differs %v, cached %v", c.text, c.binary, got, got.Lacks(), got.Differs(), cached)
		}
	}
}

// Where the go command keeps modules is said by a variable, by the first folder of GOPATH, or follows
// from the home folder; what was written for it counts where the environment says nothing.
func TestGoModuleCache(t *testing.T) {
	written := filepath.Join(t.TempDir(), "env")
	lsptest.WriteFile(t, written, "nonsense\n GOPATH=/written \n")
	list := string(filepath.ListSeparator)
	for want, environ := range map[string][]string{
		"/mod":             {"GOENV=off", "GOMODCACHE=/mod", "GOPATH=/path", "HOME=/home"},
		"/path/pkg/mod":    {"GOENV=off", "GOPATH=/path" + list + "/more", "HOME=/home"},
		"/own/go/pkg/mod":  {"GOENV=off", "HOME=/own"},
		"/me/go/pkg/mod":   {"GOENV=off", "USERPROFILE=/me"},
		"/written/pkg/mod": {"GOENV=" + written, "HOME=/home"},
		"/set/pkg/mod":     {"GOENV=" + written, "GOPATH=/set"},
		"":                 {"GOENV=/nowhere/env"},
	} {
		if got := filepath.ToSlash(GoModuleCache(environ)); got != want {
			t.Errorf("%q: %s, want %s", environ, got, want)
		}
	}
}
