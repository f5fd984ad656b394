package engine

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What a call costs its caller that is on record: the call itself, two requests to a server, and
// the verdict on a file.
func BenchmarkRecordedCall(b *testing.B) {
	root := lsptest.Workspace(b, lsptest.Project)
	cfg, _ := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	log := evidence.Open(evidence.Options{Path: filepath.Join(b.TempDir(), "evidence.jsonl")})
	defer log.Close(b.Context())
	e, err := New(Options{Root: root, Config: cfg, State: b.TempDir(), Evidence: log})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = e.Close(b.Context()) }()
	request := api.CheckRequest{Files: []string{"main.toy"}}
	answer := &result.Check{Verdict: result.Clean, Files: []result.File{{Path: "main.toy", Verdict: result.Clean, Baseline: "session"}}}
	asked := lsp.Exchange{ID: "toy", Root: root, Method: "textDocument/diagnostic", Path: filepath.Join(root, "main.toy"), Bytes: 100}
	b.ReportAllocs()
	for b.Loop() {
		mine := e.forCall(governed{operation: "check", request: request})
		ctx, end := mine.beginRecord(b.Context())
		e.recordExchange(ctx, asked)
		e.recordExchange(ctx, asked)
		end(answer, nil)
	}
}
