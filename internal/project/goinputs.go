package project

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
)

// goVariables are those that decide which packages the go command finds for a server, and how it understands them. Of
// GOPATH, GOMODCACHE and GOROOT it counts what is found there, not where that is.
var goVariables = []string{
	"GOFLAGS", "GOOS", "GOARCH", "GO111MODULE", "GOEXPERIMENT", "GOTOOLCHAIN", "CGO_ENABLED",
	"GOAMD64", "GOARM64", "GOARM", "GO386", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM", "GOFIPS140",
}

// GoInputs returns what decides, besides files and the modules that they name, how a server understands the Go code in a folder: the
// version of Go and the settings of the go command, which is at goBinary. Equal inputs on two machines mean the same. why is not "" if
// that cannot be known: then it says what the code depends on.
func GoInputs(root, goBinary string, environ []string) (inputs []string, why string) {
	version := goVersion(goBinary)
	if version == "" {
		return nil, "the version of Go is not known"
	}
	inputs = append(inputs, version, runtime.GOOS+"/"+runtime.GOARCH)
	for _, name := range goVariables {
		inputs = append(inputs, name+"="+GoSetting(environ, name))
	}
	if variable(environ, "GOROOT") != "" {
		return nil, "GOROOT is set"
	}
	defaults, err := goDefaults(goBinary)
	if err != nil {
		return nil, err.Error()
	}
	inputs = append(inputs, defaults)
	for _, flag := range []string{"-overlay", "-modfile"} {
		if strings.Contains(GoSetting(environ, "GOFLAGS"), flag) {
			return nil, "GOFLAGS has " + flag
		}
	}
	if driver := variable(environ, "GOPACKAGESDRIVER"); driver != "" && driver != "off" {
		return nil, "GOPACKAGESDRIVER is set"
	}
	work := GoSetting(environ, "GOWORK")
	switch {
	case work == "off":
		inputs = append(inputs, "GOWORK=off")
	case work != "":
		return nil, "GOWORK names a file"
	}
	for dir := filepath.Dir(root); ; dir = filepath.Dir(dir) {
		for _, name := range []string{language.GoMod, language.GoWork} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil && !(name == language.GoWork && work == "off") {
				return nil, fmt.Sprintf("there is a %s above the workspace", name)
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return inputs, ""
}

// goDefaults returns the settings that come with a go command, as they are written.
func goDefaults(goBinary string) (string, error) {
	resolved, err := fspath.Program(goBinary)
	if err != nil {
		return "", err
	}
	text, err := fspath.Read(filepath.Join(filepath.Dir(filepath.Dir(resolved)), "go.env"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return "go.env " + string(text), err
}

// vendored says whether there is a folder vendor beside a manifest: empty ones count as well. why is not "" if it is a link.
func vendored(root, manifest string) (state, why string) {
	folder := filepath.Join(filepath.Dir(manifest), "vendor")
	info, err := os.Lstat(folder)
	relative, _ := filepath.Rel(root, folder) // it is below the root
	switch {
	case err != nil:
		return filepath.ToSlash(relative) + " is not there", ""
	case info.Mode()&fs.ModeSymlink != 0:
		return "", relative + " is a link"
	}
	return filepath.ToSlash(relative) + " is there", ""
}

// GoModules returns the modules that the go.mod files among some manifests require, each with whether it is downloaded; the manifests are in
// the folder root. why is not "" if the code depends on more: then it says on what.
//
// Downloaded modules are taken to be what go.sum says: the go command makes them read-only, and refuses others.
func GoModules(root string, manifests, environ []string) (modules []string, why string) {
	cache := GoModuleCache(environ)
	for _, manifest := range manifests {
		for _, folder := range goLibraries(manifest) {
			real, err := fspath.Follow(folder) // it may not be there yet
			if err != nil || !isWithin(root, folder) || !isWithin(root, real) {
				return nil, fmt.Sprintf("%s names a folder outside of the workspace", filepath.Base(manifest))
			}
		}
		state, why := vendored(root, manifest)
		if why != "" {
			return nil, why
		}
		modules = append(modules, state)
		if filepath.Base(manifest) != language.GoMod {
			continue
		}
		content, err := fspath.Read(manifest)
		if err != nil {
			return nil, err.Error()
		}
		file, err := modfile.Parse(manifest, content, nil)
		if err != nil { // or it is of a newer version of Go
			return nil, err.Error()
		}
		for _, require := range file.Require {
			modules = append(modules, downloaded(cache, require.Mod))
		}
		for _, replace := range file.Replace {
			if !modfile.IsDirectoryPath(replace.New.Path) {
				modules = append(modules, downloaded(cache, replace.New))
			}
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules), ""
}

// downloaded returns a module with whether it is in the module cache.
func downloaded(cache string, m module.Version) string {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return m.String() + " none"
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return m.String() + " none"
	}
	if info, err := os.Stat(filepath.Join(cache, filepath.FromSlash(path)+"@"+version)); err != nil || !info.IsDir() {
		return m.String() + " missing"
	}
	return m.String() + " there"
}

// DependsOnC reports whether a file is of Go and is understood by way of the C compiler of a machine and its headers, or is built only
// with, or only without one.
func DependsOnC(path string, content []byte) bool {
	if !language.Is(path, language.Go) {
		return false
	}
	if !bytes.Contains(content, []byte("cgo")) {
		return importsC(content)
	}
	// Any line that may be a constraint counts, wherever it stands.
	for line := range bytes.Lines(bytes.TrimPrefix(content, []byte("\ufeff"))) {
		if bytes.Contains(line, []byte("cgo")) && mayConstrain(line) {
			return true
		}
	}
	return importsC(content)
}

// mayConstrain reports whether a line is spelled like a constraint of a build (go/build: "//go:build" at the beginning of a line, or
// "// +build").
func mayConstrain(line []byte) bool {
	comment, found := bytes.CutPrefix(bytes.TrimSpace(line), []byte("//"))
	return found && (bytes.HasPrefix(comment, []byte("go:build")) || bytes.HasPrefix(bytes.TrimSpace(comment), []byte("+build")))
}

// IsLeftOut reports whether the go command leaves a file out of a module by the name of a folder that it is in. The path is relative to the
// module or a folder above it, with slashes.
func IsLeftOut(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "testdata" || strings.HasPrefix(segment, "_") || strings.HasPrefix(segment, ".") {
			return true
		}
	}
	return false
}

// A Program is a program that was made by Go, as it says itself.
type Program struct {
	// Version is the version of its main module.
	Version string
	// Build identifies what it was made of, and with which Go: equal on two machines if they are.
	Build string
}

// GoProgram reads what a program says about itself, without running it. ok is false if it is not made by Go, or of a text that has no
// version.
func GoProgram(binary string) (p Program, ok bool) {
	resolved, err := fspath.Program(binary)
	if err != nil {
		return p, false
	}
	info, err := buildinfo.ReadFile(resolved)
	if err != nil || info.Main.Version == "" || info.Main.Version == "(devel)" || strings.Contains(info.Main.Version, "+dirty") {
		return p, false
	}
	parts := []string{info.GoVersion, info.Path, info.Main.Path, info.Main.Version, info.Main.Sum}
	for _, d := range info.Deps {
		parts = append(parts, d.Path, d.Version, d.Sum)
		if d.Replace != nil {
			parts = append(parts, d.Replace.Path, d.Replace.Version, d.Replace.Sum)
		}
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" || s.Key == "GOEXPERIMENT" {
			parts = append(parts, s.Key, s.Value)
		}
	}
	return Program{info.Main.Version, strings.Join(parts, "\n")}, true
}
