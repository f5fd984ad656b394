package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// The program that a command names decides how a server is understood, whatever id it runs
// under, and which arguments it gets; what the configuration says itself stays.
func TestTheProgramDecides(t *testing.T) {
	builtin := registry.Builtin()
	for name, x := range map[string]struct {
		key, entry, id, program string
		args                    []string
	}{
		"by its name":      {"typescript", `{"command": "typescript-language-server"}`, "typescript", "typescript-language-server", []string{"--stdio"}},
		"by its path":      {"typescript", `{"command": "/opt/bin/typescript-language-server.cmd"}`, "typescript", "typescript-language-server", []string{"--stdio"}},
		"by npx":           {"typescript", `{"command": ["npx", "-y", "typescript-language-server@5", "--stdio"]}`, "typescript", "typescript-language-server", []string{"-y", "typescript-language-server@5", "--stdio"}},
		"its own":          {"typescript", `{"command": "tsgo"}`, "typescript", "", []string{"--lsp", "--stdio"}},
		"nobody knows it":  {"typescript", `{"command": ["my-server", "clangd"]}`, "typescript", "", []string{"clangd"}},
		"under an own id":  {"mine", `{"command": ["gopls", "-v"], "extensions": [".go"]}`, "mine", "gopls", []string{"-v"}},
		"under a language": {"python", `{"command": "pylsp"}`, "pyright", "pylsp", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c := layers{user: `{"lsp": {"servers": {"` + x.key + `": ` + x.entry + `}}}`}.silent(t)
			d := get(t, c, x.id)
			if d.Program != x.program {
				t.Fatalf("it is %q, want %q", d.Program, x.program)
			}
			if diff := cmp.Diff(x.args, d.Commands[0].Args); diff != "" {
				t.Error(diff)
			}
			if x.program == "" {
				return
			}
			program, _ := builtin.Get(x.program)
			got := []any{d.Diagnostics, d.Quirks, string(d.InitializationOptions), string(d.Settings), d.Readiness, d.LoadedLog}
			want := []any{program.Diagnostics, program.Quirks, string(program.InitializationOptions), string(program.Settings), program.Readiness, program.LoadedLog}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	c := layers{user: `{"lsp": {"servers": {"typescript": {"command": "typescript-language-server", "initializationOptions": {"tsserver": {"path": "/x"}}}}}}`}.silent(t)
	d := get(t, c, "typescript")
	program, _ := builtin.Get("typescript-language-server")
	if diff := cmp.Diff(string(registry.Merged(program.InitializationOptions, []byte(`{"tsserver":{"path":"/x"}}`))), string(d.InitializationOptions)); diff != "" {
		t.Error(diff)
	}
}

// A key that names a language means its built-in server, and is no second one.
func TestKeysThatNameALanguage(t *testing.T) {
	for key, id := range map[string]string{
		"go": "gopls", "python": "pyright", "rust": "rust-analyzer", "c": "clangd", "cpp": "clangd", "c++": "clangd", "java": "jdtls",
		"javascript": "typescript", "typescript": "typescript", "typescriptreact": "typescript", "gopls": "gopls",
	} {
		for _, text := range []string{`{"` + key + `": {"enabled": false}}`, `[{"language_id": "` + key + `", "enabled": false}]`} {
			c := layers{user: `{"lsp": {"servers": ` + text + `}}`}.silent(t)
			if d := get(t, c, id); !d.Disabled {
				t.Errorf("%s: %s is not switched off", text, id)
			}
			if given := c.Given(id); len(given) == 0 || c.Source("lsp.servers."+id).Layer != LayerUser {
				t.Errorf("%s: it is from %v, and says %v", text, c.Source("lsp.servers."+id), given)
			}
			if diff := cmp.Diff(registry.Builtin().IDs(), c.Servers.IDs()); diff != "" {
				t.Errorf("%s: %s", text, diff)
			}
		}
	}
}
