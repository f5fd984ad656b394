package toolchain

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// open returns the tools of a workspace that no server is for, and its root.
func open(t *testing.T, archive string) (tools *Toolchain, root string) {
	t.Helper()
	root = lsptest.Workspace(t, archive)
	w, err := workspace.Open(workspace.Options{Root: root, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	return New(w, w.Names(""), nil, nil, func(context.Context, string) error { return nil }), root
}

func is[E error](err error) bool {
	var wanted E
	return errors.As(err, &wanted)
}

// What a caller gives is a folder, never an argument of the tool; what cannot be
// built is refused with a way out.
//
// Requirement: AGENT-22.
func TestBuildRefuses(t *testing.T) {
	tools, _ := open(t, "-- toy.root --\n-- py/pyproject.toml --\n-- doc/a.txt --\n")
	for _, c := range []struct {
		req api.BuildRequest
		is  func(error) bool
	}{
		{api.BuildRequest{Path: "-toolexec=sh"}, is[*api.ArgumentError]},
		{api.BuildRequest{Path: "../.."}, is[*workspace.OutsideWorkspaceError]},
		{api.BuildRequest{Path: "doc"}, is[*NoProjectError]},
		{api.BuildRequest{Path: "doc", Language: "go"}, is[*NoProjectError]},
		{api.BuildRequest{Path: "doc", Language: "cobol"}, is[*api.ArgumentError]},
		{api.BuildRequest{Limits: api.Limits{TimeoutMS: -1}}, is[*api.ArgumentError]},
	} {
		if _, err := tools.Build(t.Context(), c.req); !c.is(err) {
			t.Errorf("%+v: %T %v", c.req, err, err)
		}
	}
	t.Setenv("PATH", "")
	if _, err := tools.Test(t.Context(), api.BuildRequest{Path: "py"}); !is[*roots.ToolError](err) || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("without the tool: %T %v", err, err)
	}
}

// Places are found in what the tools of each language write.
func TestOutputsAreRead(t *testing.T) {
	tools, root := open(t, "-- toy.root --\n")
	for output, want := range map[string]string{
		"src/a.ts(3,7): error TS2322: Type 'string' is not assignable.\n":                                "src/a.ts:3:7 error TS2322: Type 'string' is not assignable.",
		"error[E0308]: mismatched types\n --> src/lib.rs:4:5\n":                                          "src/lib.rs:4:5 mismatched types",
		"a.cc:5:10: error: use of undeclared identifier 'x'\n":                                           "a.cc:5:10 error: use of undeclared identifier 'x'",
		"[ERROR] src/A.java:[7,3] cannot find symbol\n":                                                  "src/A.java:7:3 cannot find symbol",
		"vet: ./a_test.go:3:1: undefined: y\n":                                                           "a_test.go:3:1 undefined: y",
		"make: *** [Makefile:2: all] Error 1\nall good at 12:30:01\nhttp://example.com:80: see there.\n": "",
	} {
		b := result.Build{Output: output}
		tools.readOutput(&b, root)
		got := ""
		for _, p := range b.Problems {
			got += strings.TrimSpace(p.Path) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) + " " + p.Message
		}
		if got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

// A file is named by its drive where there are drives, and by Maven with a slash before it.
func TestFilesOfOutputs(t *testing.T) {
	for pattern, lines := range map[*lazyregexp.Regexp][]string{
		colons: {`C:\x.go:1:2: bad`, "C:/x y/x.go:1:2: bad", "vet: C:\\x.go:1:2: bad"}, cargo: {"error: bad\n --> C:\\x.rs:1:2"},
		maven: {"[ERROR] /C:/x/A.java:[1,2] bad"}, parentheses: {`C:\x.ts(1,2): bad`},
	} {
		for _, line := range lines {
			if m := pattern.FindStringSubmatch(line); m == nil || !slices.Contains(m, "1") || !slices.Contains(m, "2") || !slices.Contains(m, "bad") || !strings.Contains(strings.Join(m[1:], " "), "C:") {
				t.Errorf("%s is read as %q", line, m)
			}
		}
	}
	for name, want := range map[string]string{`C:\x.go`: `C:\x.go`, "c:/x.go": `C:\x.go`, "/C:/x/A.java": `C:\x\A.java`, `src\main.rs`: `D:\p\src\main.rs`, "./a.go": `D:\p\a.go`} {
		if got := fileOfOutput(fspath.Windows, name, `D:\p`); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"/x.go": "/x.go", "./a.go": "/p/a.go", "/C:/x.go": "/C:/x.go"} {
		if got := fileOfOutput(fspath.Linux, name, "/p"); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}
