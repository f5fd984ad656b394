package cli

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The command lines of agent-lsp name no command, and mean mcp; all others are left as they are, mistakes too.
//
// Requirement: AGENT-3.
func TestCommandLinesOfAgentLSP(t *testing.T) {
	dir := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(dir, "servers.json"), `{"servers": [{"language_id": "go", "command": ["gopls"]}]}`)
	lsptest.WriteFile(t, filepath.Join(dir, "ours.json"), `{"lsp": {"servers": {}}}`)
	for _, c := range []struct {
		piped      bool
		args, want []string
	}{
		{true, nil, []string{"mcp"}},
		{false, nil, nil},
		{false, []string{"go", "gopls"}, []string{"mcp", "go", "gopls"}},
		{false, []string{"go"}, []string{"go"}},
		{false, []string{"go:gopls", "typescript:typescript-language-server,--stdio"}, []string{"mcp", "go:gopls", "typescript:typescript-language-server,--stdio"}},
		{false, []string{"--config", "servers.json"}, []string{"mcp", "servers.json"}},
		{false, []string{"--config=servers.json"}, []string{"mcp", "servers.json"}},
		{true, []string{"--config", "ours.json"}, []string{"--config", "ours.json"}},
		{false, []string{"--config", "none.json"}, []string{"--config", "none.json"}},
		{true, []string{"--config", "servers.json", "check"}, []string{"--config", "servers.json", "check"}},
		{true, []string{"check", "go:gopls"}, []string{"check", "go:gopls"}},
		{true, []string{"chek", "a.go"}, []string{"chek", "a.go"}},
		{true, []string{"--version"}, []string{"--version"}},
		{false, []string{`C:\a.go`}, []string{`C:\a.go`}},
	} {
		if diff := cmp.Diff(c.want, spelledOut(c.args, &Streams{Dir: dir, InPiped: c.piped})); diff != "" {
			t.Errorf("%q, piped %v (-want +got):\n%s", c.args, c.piped, diff)
		}
	}
}
