package checking

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
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

// What a change of a script did to a component that imports it is known from the first check on: the server of the component is shown the
// former text of the script, which it does not judge. Errors that the component had are older, those that the change made are new.
func TestScriptsThatComponentsImport(t *testing.T) {
	const fits, breaks = "export const price = (n: number): number => n * 3;\n", "export const price = (n: string): number => n.length;\n"
	for server, c := range map[string]struct{ file, text string }{
		"vue":    {"Card.vue", "<script lang=\"ts\">\nimport { price } from './price';\nexport const old: string = price(1);\nexport default {};\n</script>\n"},
		"svelte": {"Card.svelte", "<script lang=\"ts\">\nimport { price } from './price';\nconst old: string = price(1);\n</script>\n"},
		"astro":  {"Card.astro", "---\nimport { price } from './price';\nconst old: string = price(1);\n---\n"},
	} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, "-- package.json --\n{\"type\": \"module\"}\n-- tsconfig.json --\n"+
				`{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "types": []}}`+
				"\n-- price.ts --\nexport const price = (n: number): number => n * 2;\n-- "+c.file+" --\n"+c.text, server, "typescript-language-server")
			lsptest.WriteFile(t, filepath.Join(s.Folder, ".gitignore"), "node_modules\n")
			lsptest.WriteFile(t, filepath.Join(s.Folder, "node_modules", ".package-lock.json"), "{}\n")
			if err := os.Symlink(lsptest.Library(t, lsptest.Require(t, server), "typescript"), filepath.Join(s.Folder, "node_modules", "typescript")); err != nil {
				t.Fatal(err)
			}
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			check := func(text string, files ...string) (found []string) {
				t.Helper()
				s.Write("price.ts", text)
				answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: files, Baseline: api.BaselineHead, AllErrors: true, TimeoutMS: 240_000})
				if err != nil {
					t.Fatal(err)
				}
				found = append([]string{answer.Verdict}, answer.Unknown...)
				for _, f := range slices.Concat(answer.Files, answer.Others) {
					for _, d := range f.Diagnostics {
						first, _, _ := strings.Cut(d.Message, " '")
						found = append(found, fmt.Sprintf("%s: %s: new: %t", f.Path, first, d.New))
					}
				}
				return found
			}
			older, fresh := c.file+": Type: new: false", c.file+": Argument of type: new: true"
			for range 2 {
				if diff := cmp.Diff([]string{result.NewErrors, older, fresh}, check(breaks, "price.ts")); diff != "" {
					t.Errorf("a change that breaks (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff([]string{result.NewErrors, older, fresh}, check(breaks, c.file)); diff != "" {
					t.Errorf("the component (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff([]string{result.Clean, older}, check(fits, "price.ts")); diff != "" {
					t.Errorf("a change that fits (-want +got):\n%s", diff)
				}
			}
		})
	}
}
