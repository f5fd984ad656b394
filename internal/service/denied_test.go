package service

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// forbidding is a caller that nothing is allowed; it remembers who asked.
type forbidding struct{ clients map[string]bool }

func (f forbidding) Call(ctx context.Context, name string, _, _ any) error {
	f.clients[api.CallOf(ctx).Client] = true
	return &result.Error{Kind: result.Denied, Message: name + " is denied"}
}

// What the policy denies is an error, and never looks like a file with nothing wrong; rules can be
// about this front.
func TestDeniedIsNotClean(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.toy"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	caller := forbidding{make(map[string]bool)}
	talk := &conversation{host: &Host{Caller: caller, Root: root}, log: slog.New(slog.DiscardHandler)}
	for method, params := range map[string]string{
		"lsp/checkFile": `{"filePath":"a.toy"}`, "lsp/diagnostics": `{}`, "lsp/diagnosticsAfter": `{"afterEpoch":1}`, "lspine/check": `{"files":["a.toy"]}`,
	} {
		answer, err := talk.Serve(t.Context(), nil, method, json.RawMessage(params))
		if err == nil {
			t.Errorf("%s is denied, and answered with %v", method, answer)
		}
	}
	if len(caller.clients) != 1 || !caller.clients["service"] {
		t.Errorf("the calls are of %v", caller.clients)
	}
}
