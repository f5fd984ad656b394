package session_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/pkg/host"
	"github.com/lspine/lspine/pkg/session"
	"github.com/lspine/lspine/pkg/types"
)

func TestMain(m *testing.M) { lsptest.Main(m, host.Supervise) }

// A session judges an edit that is in memory alone, and its edits are on disk once they are committed.
func TestSession(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, "-- go.mod --\nmodule example.com/shop\n\ngo 1.24\n-- shop.go --\npackage shop\n\nfunc Sum(a, b int) int { return a + b }\n")
	h, err := host.Open(host.Options{Root: root, Evidence: "off"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	step := func(of session.Request) session.Simulation {
		t.Helper()
		done, err := session.Do(t.Context(), h, of)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	replace := func(was, is string) []session.Edit {
		return []session.Edit{{FileEdit: types.FileEdit{File: "shop.go", OldText: &was, NewText: &is}}}
	}
	name := step(session.Request{Action: session.Create}).Session
	step(session.Request{Action: session.Add, Session: name, Edits: replace("a + b", "a + c")})
	if v := step(session.Request{Action: session.Evaluate, Session: name}).Evaluation; v.Verdict != types.NewErrors || v.NetDelta != 1 || v.Confidence != session.HighConfidence {
		t.Errorf("%+v", v)
	}
	step(session.Request{Action: session.Add, Session: name, Edits: replace("a + c", "b + a")})
	if v := step(session.Request{Action: session.Evaluate, Session: name}).Evaluation; !v.Safe() {
		t.Errorf("%+v", v)
	}
	step(session.Request{Action: session.Commit, Session: name, Apply: true})
	text, err := os.ReadFile(filepath.Join(root, "shop.go"))
	if want := "package shop\n\nfunc Sum(a, b int) int { return b + a }\n"; err != nil || string(text) != want {
		t.Errorf("%s (%v)", text, err)
	}
}
