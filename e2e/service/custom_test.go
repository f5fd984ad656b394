//go:build unix

package service

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A user's own server is started by its command, with its arguments, environment and
// initialization options, for its extensions, in the spelling of the plan and in that of the
// service that LLxprt ships. The built-in ones are still there.
//
// Requirement: REQ-CFG-040, REQ-LANG-010, REQ-LANG-030, REQ-STATUS-025, BR-43, BR-62, BR-66.
func TestCustomServers(t *testing.T) {
	for _, spelling := range []string{"object", "array"} {
		root := lsptest.Workspace(t, "-- a.dsl --\nERROR one\n")
		journal := filepath.Join(t.TempDir(), "journal")
		toy := newToy(t, lsptest.Script{JournalFile: journal})
		toy.config["extensions"] = []string{".dsl"}
		toy.config["initializationOptions"] = map[string]string{"mode": "strict"}
		delete(toy.config, "roots")
		config := map[string]any{"servers": map[string]any{"my-dsl": toy.config}}
		if spelling == "array" {
			toy.config["id"], toy.config["extensions"] = "my-dsl", []string{"dsl"}
			config = map[string]any{"servers": []any{toy.config}, "diagnosticsTimeoutMs": 60_000}
		}
		text, err := json.Marshal(map[string]any{"workspaceRoot": root, "config": config})
		if err != nil {
			t.Fatal(err)
		}
		c := begin(t, command(t, "LSP_BOOTSTRAP="+string(text)))
		if got := c.check(root + "/a.dsl"); len(got) != 1 || got[0].Message != "one" {
			t.Errorf("%s: %v", spelling, got)
		}
		entries := lsptest.ReadJournal(t, journal)
		if len(entries) == 0 || !strings.Contains(string(entries[0].Params), `"initializationOptions":{"mode":"strict"}`) {
			t.Errorf("%s: the server was told %+v", spelling, entries)
		}
		ids := make(map[string]string)
		for _, s := range call[[]struct{ ID, Status string }](c, "lsp/status", nil) {
			ids[s.ID] = s.Status
		}
		for id, status := range map[string]string{"my-dsl": "active", "gopls": "unavailable", "typescript": "unavailable", "pyright": "unavailable", "rust-analyzer": "unavailable", "eslint": "unavailable"} {
			if ids[id] != status {
				t.Errorf("%s: %s is %q, want %s", spelling, id, ids[id], status)
			}
		}
	}
}
