package project

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
)

// A GoBuild decides which Go files are built on this machine, with the build tags of its
// environment. It is safe for concurrent use.
type GoBuild struct{ context build.Context }

// NewGoBuild reads the environment and the settings written by `go env -w`. lookPath finds programs
// like [exec.LookPath]; it is used to look for a C compiler.
func NewGoBuild(environ []string, lookPath func(string) (string, error)) *GoBuild {
	b := &GoBuild{build.Default}
	written := goSettings(environ)
	value := func(name string) string {
		return cmp.Or(variable(environ, name), written[name])
	}
	if v := value("GOOS"); v != "" {
		b.context.GOOS = v
	}
	if v := value("GOARCH"); v != "" {
		b.context.GOARCH = v
	}
	for flag := range strings.FieldsSeq(value("GOFLAGS")) {
		if tags, ok := strings.CutPrefix(strings.TrimPrefix(flag, "-"), "-tags="); ok {
			b.context.BuildTags = strings.Split(tags, ",")
		} else if tags, ok := strings.CutPrefix(flag, "-tags="); ok {
			b.context.BuildTags = strings.Split(tags, ",")
		}
	}
	host := b.context.GOOS == build.Default.GOOS && b.context.GOARCH == build.Default.GOARCH
	switch cgo := value("CGO_ENABLED"); {
	case cgo != "":
		b.context.CgoEnabled = cgo == "1"
	default:
		b.context.CgoEnabled = host && hasCompiler(value("CC"), lookPath)
	}
	return b
}

// goSettings returns the variables written by `go env -w`, by name.
func goSettings(environ []string) map[string]string {
	file := ""
	for _, entry := range environ {
		if v, ok := strings.CutPrefix(entry, "GOENV="); ok {
			file = v
		}
	}
	if file == "off" {
		return nil
	}
	if file == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return nil
		}
		file = filepath.Join(folder, filepath.FromSlash("go/env"))
	}
	content, err := fspath.Read(file)
	if err != nil {
		return nil
	}
	settings := make(map[string]string)
	for line := range strings.Lines(string(content)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			settings[name] = value
		}
	}
	return settings
}

// hasCompiler reports whether the go command finds a C compiler. Without one, it does not build
// files that import "C".
func hasCompiler(named string, lookPath func(string) (string, error)) bool {
	for _, name := range []string{named, "gcc", "clang"} {
		if fields := strings.Fields(name); len(fields) > 0 {
			if _, err := lookPath(fields[0]); err == nil {
				return true
			}
		}
	}
	return false
}

// A Built says whether a Go file is built.
type Built struct {
	// Here reports that the file is built on this machine. Elsewhere reports that it is built on
	// another platform for which gopls also loads the package while the file is open.
	Here, Elsewhere bool
	// Because is the reason why the file is not built here, "" if it is.
	Because string
}

// File reports whether a Go file with this content is built. Files that the go command excludes
// from every build by name (starting with _ or a dot, or in a testdata folder) count as built,
// because servers check them like any other file.
func (b *GoBuild) File(path string, content []byte) Built {
	dir, name := filepath.Split(path)
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || !language.Is(name, language.Go) {
		return Built{Here: true}
	}
	context := b.context
	context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	matches := func() bool {
		ok, err := context.MatchFile(dir, name)
		return ok || err != nil // a syntax error is reported elsewhere
	}
	c := importsC(content)
	if matches() && c && !context.CgoEnabled {
		return Built{Because: `it imports "C", and cgo is off here (CGO_ENABLED, or no compiler for C)`}
	}
	if matches() || standsAlone(content) {
		return Built{Here: true}
	}
	because := "it is built on other systems only"
	if line := constraintOf(content); line != "" {
		because = "it is built with " + line
	}
	if context.CgoEnabled = false; c { // cross-compiling it needs a C compiler for that system
		return Built{Because: because}
	}
	for port := range strings.FieldsSeq(ports) {
		context.GOOS, context.GOARCH, _ = strings.Cut(port, "/")
		if matches() {
			return Built{Elsewhere: true, Because: because}
		}
	}
	return Built{Because: because}
}

// importsC reports whether a file imports "C".
func importsC(content []byte) bool {
	if !bytes.Contains(content, []byte(`"C"`)) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ImportsOnly)
	return err == nil && slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// standsAlone reports whether the build tag "ignore" marks a file as a main package of its own, as
// is customary. gopls checks such a file by itself.
func standsAlone(content []byte) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", content, parser.PackageClauseOnly|parser.ParseComments)
	return err == nil && f.Name.Name == "main" && constraintOf(content) == "//go:build ignore"
}

// constraintOf returns the build constraint of a file as a //go:build line, "" if it has none.
func constraintOf(content []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", content, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return ""
	}
	for _, group := range f.Comments {
		for _, comment := range group.List {
			if constraint.IsGoBuild(comment.Text) && comment.Pos() < f.Package {
				return comment.Text
			}
		}
	}
	return ""
}

// ports are the platforms for which gopls loads a package too if one of their files is open.
const ports = `darwin/amd64 darwin/arm64 linux/amd64 linux/arm64 windows/amd64 linux/arm linux/386 windows/386
aix/ppc64 android/386 android/amd64 android/arm android/arm64 dragonfly/amd64 freebsd/386 freebsd/amd64 freebsd/arm
freebsd/arm64 freebsd/riscv64 illumos/amd64 ios/amd64 ios/arm64 js/wasm linux/loong64 linux/mips linux/mips64
linux/mips64le linux/mipsle linux/ppc64 linux/ppc64le linux/riscv64 linux/s390x netbsd/386 netbsd/amd64 netbsd/arm
netbsd/arm64 openbsd/386 openbsd/amd64 openbsd/arm openbsd/arm64 openbsd/mips64 openbsd/ppc64 openbsd/riscv64 plan9/386
plan9/amd64 plan9/arm solaris/amd64 wasip1/wasm windows/arm windows/arm64`
