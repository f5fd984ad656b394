package workspace

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A trial is a process of its own, beside the server that runs, and is no part of
// what the workspace tells of its servers.
func TestTryIsApart(t *testing.T) {
	d := lsptest.Script{}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := w.Candidates(filepath.Join(w.Root(), "a.toy"))[0]
	trial, err := w.Try(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := w.Statuses()[0]; s.State != roots.Stopped || s.Starts != 0 || len(w.Running()) != 0 {
		t.Errorf("the workspace says %+v", s)
	}
	server, err := w.Server(t.Context(), c)
	if err != nil || server.Info().Pid == trial.Info().Pid {
		t.Fatalf("%v, or the same process", err)
	}
	if err := trial.Close(context.Background()); err != nil {
		t.Error(err)
	}
	select {
	case <-server.Done():
		t.Error("the other server ended, too")
	default:
	}
	c.Unavailable = &roots.UnavailableError{ID: "toy"}
	if _, err := w.Try(t.Context(), c, nil); err == nil {
		t.Error("what is not available was started")
	}
}
