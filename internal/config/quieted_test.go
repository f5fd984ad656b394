package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What the file of a checkout leaves out of answers is known, until the checkout is trusted; what the user's own file leaves
// out is the user's business.
func TestQuieted(t *testing.T) {
	for _, c := range []struct {
		project, user string
		trusted       bool
		want          []string
	}{
		{`{"lsp": false}`, `{}`, false, []string{"lsp (FILE:1)"}},
		{"{\"lsp\": {\n\"ignore\": [\"a.go\"],\n\"servers\": {\"gopls\": {\"enabled\": false}, \"pyright\": {\"enabled\": true}}}}", `{}`, false, []string{"lsp.ignore (FILE:2)", "lsp.servers.gopls.enabled (FILE:3)"}},
		{`{"lsp": {"includeSeverities": ["hint"], "autoDetect": false}}`, `{}`, false, []string{"lsp.autoDetect (FILE:1)", "lsp.includeSeverities (FILE:1)"}},
		{`{"lsp": {"autoDetect": true, "diagnosticTimeout": 9}}`, `{}`, false, nil},
		{`{"lsp": false}`, `{}`, true, nil},
		{`{}`, `{"lsp": {"ignore": ["a.go"]}}`, false, nil},
	} {
		root := t.TempDir()
		user, project := filepath.Join(t.TempDir(), "config.jsonc"), filepath.Join(root, ".lspine", "config.jsonc")
		lsptest.WriteFile(t, user, c.user)
		lsptest.WriteFile(t, project, c.project)
		environ := []string{"LSPINE_TRUST=never"}
		if c.trusted {
			environ = []string{"LSPINE_TRUST=always"}
		}
		cfg, problems := Load(Options{Root: root, UserFile: user, Environ: environ})
		var got []string
		for _, text := range cfg.Quieted() {
			got = append(got, strings.ReplaceAll(text, project, "FILE"))
		}
		if diff := cmp.Diff(c.want, got); diff != "" || len(problems) > 0 {
			t.Errorf("%s, trusted %v: %v (-want +got):\n%s", c.project, c.trusted, problems, diff)
		}
	}
}
