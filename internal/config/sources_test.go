package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A server that some configuration names is registered, in whatever way it is named; all others are
// detected.
//
// Requirement: SYN-1.
func TestSourceOfServer(t *testing.T) {
	c := layers{
		user:    `{"lsp": {"servers": {"gopls": {"enabled": true}, "python": {}}}}`,
		project: `{"lsp": {"servers": [{"id": "clangd"}]}}`,
	}.silent(t)
	got := make(map[string]string)
	for _, id := range []string{"gopls", "pyright", "clangd", "rust-analyzer"} {
		got[id] = c.SourceOfServer(id)
	}
	want := map[string]string{"gopls": "registered", "pyright": "registered", "clangd": "registered", "rust-analyzer": "auto-detected"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
