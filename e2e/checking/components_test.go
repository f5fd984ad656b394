package checking

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// A script that imports a component is judged with what that declares, by the plug-in of its framework, also if the
// component is the first of the project and came while the server ran; and the component is a user of what it imports.
func TestScriptsThatImportComponents(t *testing.T) {
	const project = "-- package.json --\n{\"type\": \"module\"}\n-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"target\": \"es2022\", \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"jsx\": \"preserve\", \"types\": []}, \"include\": [\".\"]}\n" +
		"-- price.ts --\nexport const price = (n: number): number => n * 2;\n-- main.ts --\nexport const none = 0;\n"
	for server, c := range map[string]struct{ file, before, after string }{
		"vue":    {"Card.vue", "<script lang=\"ts\">\nimport { price } from './price';\nexport const kind = ", ";\nexport default { price };\n</script>\n"},
		"svelte": {"Card.svelte", "<script module lang=\"ts\">\nimport { price } from './price';\nexport const kind = ", ";\nexport const twice = price(2);\n</script>\n"},
		"astro":  {"Card.astro", "---\nimport { price } from './price';\nexport const kind = ", ";\nprice(1);\n---\n"},
	} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			program := lsptest.Require(t, server)
			lsptest.Require(t, "typescript-language-server")
			root := lsptest.Workspace(t, project)
			if server == "svelte" { // its plug-in does nothing without
				lsptest.WriteFile(t, filepath.Join(root, "node_modules", ".package-lock.json"), "{}\n")
				if err := os.Symlink(lsptest.Library(t, program, "svelte"), filepath.Join(root, "node_modules", "svelte")); err != nil {
					t.Fatal(err)
				}
			}
			cfg := enginetest.Configure(t, root)
			cfg.Settings.TrustedRoots = []string{root}
			cfg.Settings.RequestTimeout, cfg.Settings.DiagnosticTimeout, cfg.Settings.FirstTouchTimeout = 2*time.Minute, 2*time.Minute, 2*time.Minute
			s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, Only: []string{"typescript-language-server"}, State: t.TempDir(), StateFolder: t.TempDir()})
			wantErrors(t, s, "main.ts", false, 0)
			s.Write(c.file, c.before+"price(1)"+c.after)
			s.Write("main.ts", "import { kind } from './"+c.file+"';\nexport const n: number = kind;\n")
			wantErrors(t, s, "main.ts", false, 1)
			s.Write(c.file, c.before+"String(price(1))"+c.after)
			wantErrors(t, s, "main.ts", true, 2)
			s.Write(c.file, c.before+"price(1)"+c.after)
			wantErrors(t, s, "main.ts", false, 3)
			uses := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{File: "price.ts", Symbol: "price"}})
			if len(uses.Files) == 0 {
				t.Fatal("no uses")
			}
			if diff := cmp.Diff(c.file, uses.Files[0].Path); diff != "" || len(uses.Notes) > 0 {
				t.Errorf("the file of the uses (-want +got):\n%s%v", diff, uses.Notes)
			}
		})
	}
}
