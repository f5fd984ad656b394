package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What a host gives counts more than the files and the environment, and less than flags; it is known
// where each value comes from, and what is wrong with it is told in the name of the host.
func TestHostLayer(t *testing.T) {
	root, home := lsptest.Workspace(t, `-- .lspine.jsonc --
{"lsp": {"maxRestarts": 2, "maxDependants": 3}}`), t.TempDir()
	type loaded struct {
		Restarts, Dependants int
		Enabled              bool
		From                 string
		Problems             []string
	}
	load := func(host, name string, flags ...Flag) loaded {
		c, problems := Load(Options{Root: root, Environ: []string{"HOME=" + home, "USERPROFILE=" + home, "LSPINE_MAX_DEPENDANTS=4"}, Host: json.RawMessage(host), HostName: name, Flags: flags})
		got := loaded{Restarts: c.Settings.MaxRestarts, Dependants: c.Settings.MaxDependants, Enabled: c.Settings.Enabled}
		if source := c.Source("lsp.maxRestarts"); source.Layer == LayerHost {
			got.From = source.String()
		}
		for _, p := range problems {
			if p.Layer != LayerHost {
				t.Errorf("%s: of another layer: %v", host, p)
			}
			got.Problems = append(got.Problems, p.Error())
		}
		return got
	}
	deep := strings.Repeat("[", maxNesting+1) + strings.Repeat("]", maxNesting+1)
	for host, want := range map[string]loaded{
		``:                    {2, 4, true, "", nil},
		" \n":                 {2, 4, true, "", nil},
		`false`:               {2, 4, false, "", nil},
		`{"maxRestarts":7}`:   {7, 4, true, "LSP_BOOTSTRAP:1", nil},
		`{"maxDependants":8}`: {2, 8, true, "", nil},
		`{"maxRestarts":"7"}`: {2, 4, true, "", []string{"LSP_BOOTSTRAP:1:16: lsp.maxRestarts: must be a whole number, not a string"}},
		"{\n\"maxRestarts\"}": {2, 4, true, "", []string{"LSP_BOOTSTRAP:2:14: not JSON with comments: invalid character '}' after object name (the whole file is ignored)"}},
		deep:                  {2, 4, true, "", []string{"LSP_BOOTSTRAP: is nested more than 200 deep"}},
		deep[1 : len(deep)-1]: {2, 4, true, "", []string{"LSP_BOOTSTRAP:1:1: lsp: must be false or an object, not an array"}},
	} {
		if diff := cmp.Diff(want, load(host, "")); diff != "" {
			t.Errorf("%.40s: %s", host, diff)
		}
	}
	if diff := cmp.Diff(loaded{7, 4, true, "the arguments of mcp:1", nil}, load(`{"maxRestarts":7}`, "the arguments of mcp")); diff != "" {
		t.Errorf("with another name: %s", diff)
	}
	if diff := cmp.Diff(loaded{1, 4, true, "", nil}, load(`{"maxRestarts":7}`, "", Flag{Name: "--restarts", Key: "lsp.maxRestarts", Value: "1"})); diff != "" {
		t.Errorf("with a flag: %s", diff)
	}
}
