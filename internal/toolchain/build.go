package toolchain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/result"
)

// Build builds the project that a folder belongs to with its own build tool, and extracts the
// problems from the output. A failed build is a result, not an error. Build fails if there is no
// such project (*[NoProjectError]), the tool cannot be run (*[roots.ToolError]) or does not
// finish in time (*[BuildTimeoutError]).
func (tc *Toolchain) Build(ctx context.Context, req api.BuildRequest) (result.Build, error) {
	return tc.runTool(ctx, req, func(b language.Build) []string { return b.Build })
}

// Test runs the tests of the project that a folder belongs to. Otherwise it works like
// [Toolchain.Build].
func (tc *Toolchain) Test(ctx context.Context, req api.BuildRequest) (result.Build, error) {
	return tc.runTool(ctx, req, func(b language.Build) []string { return b.Test })
}

// buildTimeout limits a run whose request sets no deadline.
const buildTimeout = 5 * time.Minute

func (tc *Toolchain) runTool(ctx context.Context, req api.BuildRequest, vector func(language.Build) []string) (result.Build, error) {
	if err := req.Limits.Valid(); err != nil {
		return result.Build{}, err
	}
	dir, err := tc.folder(req.Path)
	if err != nil {
		return result.Build{}, err
	}
	build, project, err := tc.buildOf(dir, language.ID(req.Language))
	if err != nil {
		return result.Build{}, err
	}
	if !build.Parts {
		dir = project
	}
	args := vector(build)
	t := roots.Tool{Name: localTool(project, args[0]), Args: args[1:], Dir: dir, Env: []string{"NO_COLOR=1", "CI=1"}, Both: true, Executes: true}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(time.Duration(req.TimeoutMS)*time.Millisecond, buildTimeout))
	defer cancel()
	output, err := tc.workspace.RunTool(ctx, t)
	answer := result.Build{Command: strings.Join(args, " "), Success: err == nil, Problems: []result.Finding{}, Output: string(output)}
	var failed *roots.ToolError
	switch {
	case errors.As(err, &failed) && !failed.Ran:
		return result.Build{}, err
	case errors.Is(err, context.DeadlineExceeded):
		return result.Build{}, &BuildTimeoutError{answer.Command, cmp.Or(req.TimeoutMS, int(buildTimeout.Milliseconds()))}
	case err != nil && failed == nil:
		return result.Build{}, err
	}
	tc.readOutput(&answer, dir)
	return answer, nil
}

// A BuildTimeoutError says that a build or test tool did not finish within MS milliseconds and was
// stopped.
type BuildTimeoutError struct {
	Command string
	MS      int
}

func (e *BuildTimeoutError) Error() string {
	return fmt.Sprintf("%s did not end within %d ms", e.Command, e.MS)
}

// Hint says how to continue.
func (e *BuildTimeoutError) Hint() string { return "give a longer timeout_ms, or a path to a part" }

// folder returns the absolute path of a folder or, for a file, of its folder.
func (tc *Toolchain) folder(path string) (string, error) {
	if path == "" || path == "./..." {
		return tc.names.Base(), nil
	}
	dir, err := tc.names.Resolve(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", &api.ArgumentError{Argument: "path", Reason: path + " does not exist", Advice: `name a folder of the workspace, for example "src"`}
	}
	if !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

// buildOf returns how the project that a folder belongs to is built, and the folder of its nearest
// build file. If id is not "", it considers only that language.
func (tc *Toolchain) buildOf(dir string, id language.ID) (language.Build, string, error) {
	id = cmp.Or(language.BuiltAs[id], id)
	for at := dir; tc.workspace.Contains(at); at = filepath.Dir(at) {
		for _, b := range language.Builds {
			if id != "" && b.Language != id {
				continue
			}
			if _, err := os.Stat(filepath.Join(at, filepath.FromSlash(b.Marker))); err == nil {
				return b, at, nil
			}
		}
		if at == tc.workspace.Root() {
			break
		}
	}
	known := slices.ContainsFunc(language.Builds, func(b language.Build) bool { return b.Language == id })
	if id != "" && !known {
		return language.Build{}, "", &api.ArgumentError{Argument: "language", Reason: fmt.Sprintf("nothing is known of how to build %q", id), Advice: "languages are go, rust, typescript, javascript, java, cpp and python"}
	}
	return language.Build{}, "", &NoProjectError{tc.names.Relative(dir)}
}

// A NoProjectError says that neither a folder nor one above it has a known build file.
type NoProjectError struct{ Path string }

func (e *NoProjectError) Error() string {
	return e.Path + ": no file there or above says how to build it"
}

// Hint lists the known build files.
func (e *NoProjectError) Hint() string {
	return "such as go.mod, Cargo.toml, tsconfig.json, package.json, pom.xml, Makefile, pyproject.toml"
}

// localTool returns the project's own copy of a tool, if it has one, else name.
func localTool(project, name string) string {
	local := filepath.Join(project, language.NodeFolder, ".bin", name)
	if runtime.GOOS == "windows" {
		local += ".cmd"
	}
	if _, err := os.Stat(local); err == nil && name == "tsc" {
		return local
	}
	return name
}

var (
	colons      = lazyregexp.New(`(?m)^\s*(?:vet: )?((?:[A-Za-z]:[\\/])?[^\s:()-][^:()\n]*\.[A-Za-z]+):(\d+)(?::(\d+))?:\s*(.+)$`)
	parentheses = lazyregexp.New(`(?m)^([^\s(][^(\n]*\.[A-Za-z]+)\((\d+),(\d+)\):\s*(.+)$`)
	maven       = lazyregexp.New(`(?m)^\[ERROR\] ((?:/[A-Za-z]:/)?[^\s:\[]+\.java):\[(\d+),(\d+)\]\s*(.+)$`)
	cargo       = lazyregexp.New(`(?m)^(?:error|warning)(?:\[\w+\])?: (.+)\n\s*--> ((?:[A-Za-z]:[\\/])?[^:\n]+):(\d+):(\d+)$`)
	failedTests = lazyregexp.New(`(?m)^\s*(?:--- FAIL: (\S+)|FAILED (\S+)|test (\S+) \.\.\. FAILED|\s*✕ (.+?)(?: \(\d+ ms\))?)$|^--- FAIL: (\S+) \(`)
)

// fileOfOutput returns the path of a file that is named in the output of a tool run in dir. Maven
// writes /C:/x for C:\x.
func fileOfOutput(system fspath.Style, name, dir string) string {
	if rest, rooted := strings.CutPrefix(name, "/"); rooted && system.IsAbs(rest) {
		name = rest
	}
	if !system.IsAbs(name) {
		name = dir + "/" + name
	}
	return system.Clean(name)
}

// maxFindings limits the problems that are extracted from one output.
const maxFindings = 100

// readOutput adds the problems and failed tests named in the output. Paths in it are relative to
// dir.
func (tc *Toolchain) readOutput(b *result.Build, dir string) {
	add := func(path, line, column, message string) {
		if len(b.Problems) == maxFindings {
			return
		}
		path = fileOfOutput(fspath.Here, path, dir)
		f := result.Finding{Path: tc.names.Relative(path), Message: strings.TrimSpace(message)}
		f.Line, _ = strconv.Atoi(line)
		f.Column, _ = strconv.Atoi(column) // 0 if there is none
		b.Problems = append(b.Problems, f)
	}
	for _, pattern := range []*lazyregexp.Regexp{colons, parentheses, maven} {
		for _, m := range pattern.FindAllStringSubmatch(b.Output, -1) {
			add(m[1], m[2], m[3], m[4])
		}
	}
	for _, m := range cargo.FindAllStringSubmatch(b.Output, -1) {
		add(m[2], m[3], m[4], m[1])
	}
	for _, m := range failedTests.FindAllStringSubmatch(b.Output, -1) {
		if name := strings.Join(m[1:], ""); len(b.Failed) < maxFindings {
			b.Failed = append(b.Failed, name)
		}
	}
}
