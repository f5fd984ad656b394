package engine

import (
	"context"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// openReal opens an engine over files that the real servers with the ids serve.
func openReal(t *testing.T, archive string, ids ...string) *shop {
	t.Helper()
	for _, id := range ids {
		lsptest.Require(t, id)
	}
	root := lsptest.Workspace(t, archive)
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Settings.RequestTimeout = 2 * time.Minute
	e, err := New(Options{Root: root, Config: cfg, Only: ids, StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // clangd finishes its index first
		defer cancel()
		_ = e.Close(ctx)
	})
	return &shop{e, t, root}
}

// do runs an operation that must succeed.
func do[Req, Res any](t *testing.T, e *shop, op api.Op[Req, Res], req Req) Res {
	t.Helper()
	result, err := op.Do(t.Context(), e.Engine, req)
	if err != nil {
		t.Fatalf("%s: %v", op.Name, err)
	}
	return result
}
