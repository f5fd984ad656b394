package engine_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsptest"
)

// questions are requests that read, of operations that ask servers, with places by line and column, so that nothing is
// asked in order to find them.
var questions = map[string]string{
	"definition":            `{"file":"main.go","line":8,"column":16}`,
	"type_definition":       `{"file":"main.go","line":9,"column":17}`,
	"implementation":        `{"file":"calc/calc.go","line":7,"column":6}`,
	"references":            `{"file":"calc/calc.go","line":16,"column":6}`,
	"highlights":            `{"file":"main.go","line":8,"column":2}`,
	"inspect":               `{"file":"calc/calc.go","line":16,"column":6}`,
	"explore":               `{"file":"calc/calc.go","line":16,"column":6}`,
	"symbols":               `{"file":"calc/calc.go"}`,
	"outline":               `{"file":"calc/calc.go"}`,
	"find_symbol":           `{"query":"Sum"}`,
	"source":                `{"file":"calc/calc.go","line":16,"column":6}`,
	"hierarchy":             `{"file":"calc/calc.go","line":16,"column":6,"direction":"callers"}`,
	"signature_help":        `{"file":"main.go","line":8,"column":20}`,
	"completions":           `{"file":"main.go","line":8,"column":16}`,
	"inlay_hints":           `{"file":"main.go"}`,
	"semantic_tokens":       `{"file":"main.go"}`,
	"folding":               `{"file":"calc/calc.go"}`,
	"impact":                `{"files":["calc/calc.go"]}`,
	"tests_for":             `{"files":["calc/calc.go"]}`,
	"cross_repo_references": `{"file":"calc/calc.go","line":16,"column":6,"consumer_roots":["calc"]}`,
	"documentation":         `{"file":"calc/calc.go","line":16,"column":6}`,
	"editing_context":       `{"file":"calc/calc.go"}`,
	"assemble":              `{"files":["main.go"]}`,
	"prepare_rename":        `{"file":"calc/calc.go","line":16,"column":6}`,
	"format_edits":          `{"file":"loose.go"}`,
	"code_lenses":           `{"file":"go.mod"}`,
	"fixes":                 `{"file":"calc/calc.go"}`,
}

// askedBy are the operations whose question a request of LSP is.
var askedBy = map[string]string{
	"textDocument/hover": "inspect", "textDocument/definition": "definition", "textDocument/references": "references",
	"textDocument/documentSymbol": "outline", "workspace/symbol": "find_symbol", "textDocument/signatureHelp": "signature_help",
	"textDocument/inlayHint": "inlay_hints", "textDocument/prepareCallHierarchy": "hierarchy", "callHierarchy/incomingCalls": "hierarchy",
	"callHierarchy/outgoingCalls": "hierarchy", "textDocument/implementation": "implementation", "textDocument/typeDefinition": "type_definition", "textDocument/codeAction": "fixes",
}

// What an operation asks servers is its own question or that of an operation that it contains: a rule about that one holds
// for it.
func TestOperationsAskWhatTheyContain(t *testing.T) {
	lsptest.Require(t, "gopls")
	root, path := lsptest.Workspace(t, untouchable), filepath.Join(t.TempDir(), "evidence.jsonl")
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Settings.RequestTimeout = 2 * time.Minute
	log := evidence.Open(evidence.Options{Path: path})
	e, err := engine.New(engine.Options{Root: root, Config: cfg, Only: []string{"gopls"}, StateFolder: t.TempDir(), State: t.TempDir(), Evidence: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()); log.Close(context.Background()) })
	parts := make(map[string][]string)
	for _, op := range api.Operations() {
		request, asks := questions[op.Name]
		if !asks {
			continue
		}
		if err := e.Call(t.Context(), op.Name, json.RawMessage(request), op.New()); err != nil {
			t.Errorf("%s: %v", op.Name, err)
		}
		parts[op.Name] = op.Parts(json.RawMessage(request))
	}
	if err := log.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	beside := make(map[string][]string) // what is asked beside that
	err = evidence.Read(path, func(r *evidence.Record) error {
		event, err := r.Decode()
		batch, is := event.(*evidence.QueryBatch)
		if !is {
			return err
		}
		for _, q := range batch.Queries {
			of, known := askedBy[q.Method]
			if known && batch.Operation != "" && of != batch.Operation && !slices.Contains(parts[batch.Operation], of) {
				beside[batch.Operation] = append(beside[batch.Operation], q.Method)
			}
		}
		return nil
	})
	if diff := cmp.Diff(map[string][]string{}, beside); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
