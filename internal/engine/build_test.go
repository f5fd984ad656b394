package engine

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// A project is built and tested by its own tool, from the nearest folder that says
// how; what the tool says of places and tests is found in its output.
func TestBuildAndTest(t *testing.T) {
	s := openShop(t, lsptest.Script{}, `
-- toy.root --
-- svc/go.mod --
module svc

go 1.24
-- svc/a.go --
package svc

func A() int { return 1 }
-- svc/a_test.go --
package svc

import "testing"

func TestA(t *testing.T) {
	if A() != 1 {
		t.Error("A is", A())
	}
}
-- svc/sub/b.go --
package sub

func B() int { return 2 }
`)
	if built := do(t, s, api.Build, api.BuildRequest{Path: "svc"}); !built.Success || len(built.Problems) != 0 || !strings.Contains(render.Brief(&built), "succeeded") {
		t.Errorf("%+v", built)
	}
	if tested := do(t, s, api.Test, api.BuildRequest{Path: "svc/a.go", Language: "go"}); !tested.Success {
		t.Errorf("%+v", tested)
	}
	s.write("svc/a.go", "package svc\n\nfunc A() int { return 2 }\n")
	tested := do(t, s, api.Test, api.BuildRequest{Path: "svc"})
	if tested.Success || len(tested.Failed) != 1 || tested.Failed[0] != "TestA" || !strings.Contains(render.Brief(&tested), "failed: TestA") {
		t.Errorf("%+v", tested)
	}
	s.write("svc/sub/b.go", "package sub\n\nfunc B() int { return nope }\n")
	built := do(t, s, api.Build, api.BuildRequest{Path: "svc"})
	if built.Success || len(built.Problems) != 1 {
		t.Fatalf("%+v", built)
	}
	if p := built.Problems[0]; p.Path != "svc/sub/b.go" || p.Line != 3 || p.Column != 23 || !strings.Contains(p.Message, "nope") {
		t.Errorf("%+v", p)
	}
	if part := do(t, s, api.Build, api.BuildRequest{Path: "svc/sub", Limits: api.Limits{MaxBytes: 60}}); part.Success || len(render.Brief(&part)) > 400 {
		t.Errorf("%+v", part)
	}
}

// What a caller gives is a folder, never an argument of the tool; what cannot be
// built is refused with a way out.
func TestBuildRefuses(t *testing.T) {
	s := openShop(t, lsptest.Script{}, "-- toy.root --\n-- py/pyproject.toml --\n-- doc/a.txt --\n")
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
		if _, err := api.Build.Do(t.Context(), s.Engine, c.req); !c.is(err) {
			t.Errorf("%+v: %T %v", c.req, err, err)
		}
	}
	t.Setenv("PATH", "")
	if _, err := api.Test.Do(t.Context(), s.Engine, api.BuildRequest{Path: "py"}); !is[*workspace.ToolError](err) || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("without the tool: %T %v", err, err)
	}
}

// Places are found in what the tools of each language write.
func TestOutputsAreRead(t *testing.T) {
	s := openShop(t, lsptest.Script{}, "-- toy.root --\n")
	for output, want := range map[string]string{
		"src/a.ts(3,7): error TS2322: Type 'string' is not assignable.\n":                                "src/a.ts:3:7 error TS2322: Type 'string' is not assignable.",
		"error[E0308]: mismatched types\n --> src/lib.rs:4:5\n":                                          "src/lib.rs:4:5 mismatched types",
		"a.cc:5:10: error: use of undeclared identifier 'x'\n":                                           "a.cc:5:10 error: use of undeclared identifier 'x'",
		"[ERROR] src/A.java:[7,3] cannot find symbol\n":                                                  "src/A.java:7:3 cannot find symbol",
		"vet: ./a_test.go:3:1: undefined: y\n":                                                           "a_test.go:3:1 undefined: y",
		"make: *** [Makefile:2: all] Error 1\nall good at 12:30:01\nhttp://example.com:80: see there.\n": "",
	} {
		b := result.Build{Output: output}
		s.readOutput(&b, s.root)
		got := ""
		for _, p := range b.Problems {
			got += strings.TrimSpace(p.Path) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) + " " + p.Message
		}
		if got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
