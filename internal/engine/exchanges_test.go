package engine

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsp"
)

// The requests of a call are counted by server and method. The worst that came of them is the
// outcome, whichever came last: a failure, then a time-out.
func TestEvidenceOfRequests(t *testing.T) {
	cfg, problems := config.Load(config.Options{Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e, err := New(Options{Root: t.TempDir(), Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	root := e.workspace.Root()
	exchange := func(server, method, path string, err error) *lsp.Exchange {
		return &lsp.Exchange{ID: server, Root: root, Method: method, Path: path, Err: err}
	}
	a, failure := filepath.Join(root, "a.go"), errors.New("no package")
	var got []*evidence.QueryBatch
	for _, x := range []*lsp.Exchange{
		exchange("late", "hover", a, nil),
		exchange("late", "hover", filepath.Join(root, "b.go"), context.DeadlineExceeded),
		exchange("late", "hover", a, context.Canceled),
		exchange("bad", "hover", "", failure),
		exchange("bad", "definition", a, context.DeadlineExceeded),
		exchange("worse", "hover", a, context.DeadlineExceeded),
		exchange("worse", "hover", a, failure),
		exchange("good", "hover", a, nil),
	} {
		got = e.withExchange(got, x)
	}
	want := []*evidence.QueryBatch{
		{Server: "late", Root: ".", Outcome: evidence.TimedOut, Targets: []string{"a.go", "b.go"}, Queries: []evidence.Query{{Method: "hover", Count: 3, TimedOut: 2}}},
		{Server: "bad", Root: ".", Outcome: evidence.Failed, Targets: []string{"a.go"}, Queries: []evidence.Query{{Method: "hover", Count: 1, Failed: 1}, {Method: "definition", Count: 1, TimedOut: 1}}},
		{Server: "worse", Root: ".", Outcome: evidence.Failed, Targets: []string{"a.go"}, Queries: []evidence.Query{{Method: "hover", Count: 2, Failed: 1, TimedOut: 1}}},
		{Server: "good", Root: ".", Outcome: evidence.Responded, Targets: []string{"a.go"}, Queries: []evidence.Query{{Method: "hover", Count: 1}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
