package setup

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A component that is there and that a server does not read is missing because of the set-up; one that is not there is missing
// because of the text.
func TestComponents(t *testing.T) {
	const (
		script = "-- src/a.ts --\n-- src/Card.vue --\n-- src/parts/Row.vue --\n-- src/Old.svelte --\n"
		plugin = "-- tools/node_modules/@vue/typescript-plugin/package.json --\n{}\n"
		vue    = "-- node_modules/vue/package.json --\n{\"version\": \"3.5.0\"}\n"
	)
	all := []string{"./Card.vue", "@/parts/Row.vue", "./Gone.vue", "./other"}
	there := []string{"./Card.vue", "@/parts/Row.vue"}
	for name, c := range map[string]struct {
		server, files string
		trusted       bool
		names         []string
		want          diagnostics.Lack
	}{
		"no plug-ins":       {"typescript", script + plugin, true, all, diagnostics.Lack{Missing: "typescript reads no .vue files: it takes no plug-ins", Names: there}},
		"not installed":     {"typescript-language-server", script, true, all, diagnostics.Lack{Missing: "typescript-language-server reads no .vue files without @vue/typescript-plugin", Next: "lspine install vue", Names: there}},
		"of svelte":         {"typescript-language-server", script, true, []string{"./Old.svelte"}, diagnostics.Lack{Missing: "typescript-language-server reads no .svelte files without typescript-svelte-plugin", Next: "npm install --global typescript-svelte-plugin", Names: []string{"./Old.svelte"}}},
		"it may not run":    {"typescript-language-server", script + plugin + vue, false, all, diagnostics.Lack{Missing: "typescript-language-server reads .vue files by @vue/typescript-plugin, which may run code of the project: it runs where \"trustedRoots\" of your own configuration names the folder", Names: there}},
		"without framework": {"typescript-language-server", script + plugin + "-- package.json --\n{}\n", true, all, diagnostics.Lack{Missing: "@vue/typescript-plugin reads no .vue files without the package vue", Next: "npm install", Names: there}},
		"they are read":     {"typescript-language-server", script + plugin + vue, true, all, diagnostics.Lack{}},
		"none is there":     {"typescript", script, true, all[2:], diagnostics.Lack{}},
	} {
		t.Run(name, func(t *testing.T) {
			root := lsptest.Workspace(t, c.files+"-- tools/server --\n")
			w, err := workspace.Open(workspace.Options{Root: root, Servers: registry.Builtin(), Trusted: c.trusted, LookPath: func(program string) (string, error) {
				if program == "typescript-language-server" {
					return filepath.Join(root, "tools", "server"), nil
				}
				return "", exec.ErrNotFound
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close(t.Context()) })
			d, _ := registry.Builtin().Get(c.server)
			got := New(w, nil, w.Names("")).Lacks(&d, filepath.Join(root, "src", "a.ts"), c.names)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
