package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// The settings of Opta's plan are read in its profile, and are unknown in any other; what is
// given in our own spelling as well counts in that.
//
// Requirement: OPTA-6.
func TestOptaSpellings(t *testing.T) {
	const text = `{"lsp": {"enabled": true, "timeout": 4000, "servers": {
		"typescript": {"command": "/opt/tls", "args": ["--stdio"], "rootPatterns": ["deno.json"]},
		"mine": {"command": "/opt/mine", "fileExtensions": [".mine"], "rootPatterns": ["a"], "roots": ["b"]}
	}}}`
	file := filepath.Join(t.TempDir(), "config.jsonc")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, problems := Load(Options{UserFile: file, Environ: []string{}, Opta: true})
	if len(problems) != 1 || problems[0].Key != "lsp.servers.mine.rootPatterns" {
		t.Errorf("%+v", problems)
	}
	if !c.Settings.Enabled || c.Settings.RequestTimeout != 4*time.Second {
		t.Errorf("enabled %v, %v", c.Settings.Enabled, c.Settings.RequestTimeout)
	}
	got := make(map[string][]string)
	for _, s := range c.Servers {
		if slices.Contains([]string{"mine", "typescript-language-server", "typescript"}, s.ID) {
			got[s.ID] = append([]string{s.Commands[0].Binary}, s.Roots...)
		}
	}
	builtin, _ := registry.Builtin().Get("typescript")
	want := map[string][]string{
		"mine": {"/opt/mine", "b"}, "typescript-language-server": {"/opt/tls", "deno.json"},
		"typescript": append([]string{builtin.Commands[0].Binary}, builtin.Roots...),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, problems = Load(Options{UserFile: file, Environ: []string{}})
	var keys []string
	for _, p := range problems {
		keys = append(keys, p.Key)
	}
	if diff := cmp.Diff([]string{"lsp.enabled", "lsp.timeout", "lsp.servers.typescript.rootPatterns", "lsp.servers.mine.fileExtensions", "lsp.servers.mine.rootPatterns"}, keys[:min(5, len(keys))]); diff != "" {
		t.Error(diff)
	}
}

// In that profile a request has ten seconds, LSP can be switched off by "enabled", and
// TypeScript's server gives no hints of the names of parameters.
//
// Requirement: OPTA-6.
func TestOptaDefaults(t *testing.T) {
	c, problems := Load(Options{Environ: []string{}, Opta: true})
	if c.Settings.RequestTimeout != 10*time.Second || !c.Settings.Enabled || len(problems) > 0 {
		t.Errorf("%v, enabled %v, %+v", c.Settings.RequestTimeout, c.Settings.Enabled, problems)
	}
	hints := func(c *Config) (said []string) {
		d, _ := c.Servers.Get("typescript-language-server")
		for _, part := range strings.FieldsFunc(string(d.InitializationOptions), func(r rune) bool { return r == ',' || r == '{' || r == '}' }) {
			if strings.Contains(part, "ParameterName") {
				said = append(said, part)
			}
		}
		return said
	}
	if diff := cmp.Diff([]string{`"includeInlayParameterNameHints":"none"`}, hints(c)); diff != "" {
		t.Error(diff)
	}
	usual, _ := Load(Options{Environ: []string{}})
	if diff := cmp.Diff([]string{`"includeInlayParameterNameHints":"all"`}, hints(usual)); diff != "" {
		t.Error(diff)
	}
	for text, enabled := range map[string]bool{`{"lsp": {"enabled": false}}`: false, `{"lsp": {"enabled": true}}`: true, `{"lsp": false}`: false} {
		file := filepath.Join(t.TempDir(), "config.jsonc")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if c, problems := Load(Options{UserFile: file, Environ: []string{}, Opta: true}); c.Settings.Enabled != enabled || len(problems) > 0 {
			t.Errorf("%s: enabled %v, %+v", text, c.Settings.Enabled, problems)
		}
	}
}
