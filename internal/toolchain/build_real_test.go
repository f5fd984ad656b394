package toolchain_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A project is built and tested by its own tool, from the nearest folder that says
// how; what the tool says of places and tests is found in its output.
// Nothing is built or tested in a checkout that is not trusted, and the answer says what would be run.
func TestBuildOfAnUntrustedCheckout(t *testing.T) {
	root := lsptest.Workspace(t, "-- toy.root --\n-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n")
	cfg, _ := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=never"}})
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
	for command, op := range map[string]api.Op[api.BuildRequest, result.Build]{"go build -o /dev/null ./...": api.Build, "go test ./...": api.Test} {
		_, err := op.Do(t.Context(), s, api.BuildRequest{})
		var failed *result.Error
		if !errors.As(err, &failed) || failed.Message != command+": it would run what this checkout brings, and the checkout is not trusted" ||
			failed.Hint != "lspine trust shows what this would run, and allows it" {
			t.Errorf("%s: %v", command, err)
		}
	}
}

func TestBuildAndTest(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, `
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
	if built := enginetest.Do(t, s, api.Build, api.BuildRequest{Path: "svc"}); !built.Success || len(built.Problems) != 0 || !strings.Contains(render.Brief(&built), "succeeded") {
		t.Errorf("%+v", built)
	}
	if tested := enginetest.Do(t, s, api.Test, api.BuildRequest{Path: "svc/a.go", Language: "go"}); !tested.Success {
		t.Errorf("%+v", tested)
	}
	s.Write("svc/a.go", "package svc\n\nfunc A() int { return 2 }\n")
	tested := enginetest.Do(t, s, api.Test, api.BuildRequest{Path: "svc"})
	if tested.Success || len(tested.Failed) != 1 || tested.Failed[0] != "TestA" || !strings.Contains(render.Brief(&tested), "failed: TestA") {
		t.Errorf("%+v", tested)
	}
	s.Write("svc/sub/b.go", "package sub\n\nfunc B() int { return nope }\n")
	built := enginetest.Do(t, s, api.Build, api.BuildRequest{Path: "svc"})
	if built.Success || len(built.Problems) != 1 {
		t.Fatalf("%+v", built)
	}
	if p := built.Problems[0]; p.Path != "svc/sub/b.go" || p.Line != 3 || p.Column != 23 || !strings.Contains(p.Message, "nope") {
		t.Errorf("%+v", p)
	}
	if part := enginetest.Do(t, s, api.Build, api.BuildRequest{Path: "svc/sub", Limits: api.Limits{MaxBytes: 60}}); part.Success || len(render.Brief(&part)) > 400 {
		t.Errorf("%+v", part)
	}
}
