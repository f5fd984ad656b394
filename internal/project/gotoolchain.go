package project

import (
	"bufio"
	"bytes"
	"cmp"
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// A GoToolchain holds the version of Go that a module or workspace requires, and the installed one.
type GoToolchain struct {
	// File is the path of the go.mod or go.work file. Needs is the version in its go line and
	// Prefers the one in its toolchain line, both as in "go1.26.0"; "" if there is no such line.
	File, Needs, Prefers string
	// Has is the version of the installed go command, "" if unknown.
	Has string
}

// FindGoToolchain reads a go.mod or go.work file and determines the version of the go command at
// goBinary. What cannot be read is left "".
func FindGoToolchain(file, goBinary string) (t GoToolchain) {
	t = GoToolchain{File: file, Has: goVersion(goBinary)}
	content, err := fspath.Read(file)
	if err != nil {
		return t
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) < 2:
		case words[0] == "go":
			t.Needs = "go" + words[1]
		case words[0] == "toolchain" && words[1] != "default":
			t.Prefers = words[1]
		}
	}
	return t
}

// goVersion returns the version of the Go installation that a go command belongs to, "" if unknown.
func goVersion(binary string) string {
	resolved, err := filepath.EvalSymlinks(binary)
	if err != nil {
		return ""
	}
	content, err := fspath.Read(filepath.Join(filepath.Dir(filepath.Dir(resolved)), "VERSION"))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(content), "\n")
	if first = strings.TrimSpace(first); !version.IsValid(first) {
		return ""
	}
	return first
}

// Lacks reports whether the installed go command is older than the module requires.
func (t *GoToolchain) Lacks() bool { return older(t.Has, t.Needs) }

// Differs reports whether the installed go command is older than the toolchain that the module
// prefers.
func (t *GoToolchain) Differs() bool { return older(t.Has, t.Prefers) }

// GoBefore reports whether the version in a go line, such as "1.13", is lower than other.
func GoBefore(line, other string) bool { return version.Compare("go"+line, "go"+other) < 0 }

func older(has, wants string) bool {
	return version.IsValid(has) && version.IsValid(wants) && version.Compare(has, wants) < 0
}

// Cached reports whether the toolchain that the module asks for is already in the module cache.
func (t *GoToolchain) Cached(environ []string) bool {
	wanted := t.Needs
	if older(wanted, t.Prefers) || wanted == "" {
		wanted = t.Prefers
	}
	cache := GoModuleCache(environ)
	info, err := os.Stat(filepath.Join(cache, "golang.org", "toolchain@v0.0.1-"+wanted+"."+runtime.GOOS+"-"+runtime.GOARCH))
	return err == nil && info.IsDir()
}

// GoModuleCache returns the folder of downloaded modules, "" if environ does not determine it.
func GoModuleCache(environ []string) string {
	if cache := GoSetting(environ, "GOMODCACHE"); cache != "" {
		return cache
	}
	path, _, _ := strings.Cut(GoSetting(environ, "GOPATH"), string(filepath.ListSeparator))
	if path == "" {
		home := cmp.Or(variable(environ, "HOME"), variable(environ, "USERPROFILE"))
		if home == "" {
			return ""
		}
		path = filepath.Join(home, "go")
	}
	return filepath.Join(path, "pkg", "mod")
}

// GoSetting returns the value of a variable of the go command: from environ, else as written by `go
// env -w`, "" if it is set in neither.
func GoSetting(environ []string, name string) string {
	if value := variable(environ, name); value != "" {
		return value
	}
	return goSettings(environ)[name]
}
