package editing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

// What a script declares is renamed in the components that import it, and the import is not given another name instead; asked in
// the component, too. A preview does not know what the server of the component will say, which reads the script from disk.
func TestRenameAcrossComponents(t *testing.T) {
	const project = "-- package.json --\n{\"type\": \"module\"}\n-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"target\": \"es2022\", \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"jsx\": \"preserve\", \"types\": []}, \"include\": [\"src\"]}\n" +
		"-- src/label.ts --\nexport function label(n: number): string { return \"n\" + n }\n-- src/main.ts --\nimport { label } from \"./label\"\nconsole.log(label(2))\n"
	for server, component := range map[string][2]string{
		"vue":   {"src/App.vue", "<script setup lang=\"ts\">\nimport { label } from \"./label\"\nconst a: string = label(3)\n</script>\n<template><p>{{ label(1) }}{{ a }}</p></template>\n"},
		"astro": {"src/App.astro", "---\nimport { label } from \"./label\"\nconst a: string = label(3)\n---\n<p>{label(1)}{a}</p>\n"},
	} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			file, text := component[0], component[1]
			for _, at := range []string{"src/label.ts label", file + ":3 label"} {
				program := lsptest.Require(t, server)
				s := enginetest.OpenReal(t, project+"-- "+file+" --\n"+text, server, "typescript-language-server")
				s.Write("node_modules/.package-lock.json", "{}\n")
				if err := os.Symlink(lsptest.Library(t, program, "typescript"), filepath.Join(s.Folder, "node_modules", "typescript")); err != nil {
					t.Fatal(err)
				}
				req := api.RenameRequest{Selector: api.Selector{At: at}, NewName: "tag", Writing: api.Writing{Mode: api.Preview}}
				preview := enginetest.Do(t, s, api.Rename, req)
				if preview.Verdict != "unknown" || !strings.Contains(strings.Join(preview.Unknown, "\n"), "reads it from disk") {
					t.Errorf("preview at %s: %s", at, render.Brief(&preview))
				}
				req.Mode = ""
				done := enginetest.Do(t, s, api.Rename, req)
				if done.Verdict == "new_errors" || done.Verdict == "unknown" {
					t.Errorf("at %s: %s", at, render.Brief(&done))
				}
				// Without the framework the template has no types, which is told.
				tells := strings.Contains(strings.Join(done.Notes, "\n"), "label stands still in "+file)
				for name, before := range map[string]string{file: text, "src/main.ts": "import { label } from \"./label\"\nconsole.log(label(2))\n"} {
					want := strings.ReplaceAll(strings.ReplaceAll(before, "label", "tag"), "./tag", "./label")
					got := s.Read(name)
					if untyped := strings.Replace(got, "{ label(1)", "{ tag(1)", 1); untyped != got && tells {
						got = untyped
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("at %s, %s (-want +got):\n%s%q", at, name, diff, done.Notes)
					}
				}
			}
		})
	}
}
