package dependants

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Beyond the project of a script are those that bring in what it declares and have its name: in other
// projects, in none, and in components. Those of its own project are known to its server.
func TestBeyond(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{}.Definition(t)
	d.Languages = append(d.Languages, registry.Language{ID: "typescript", Patterns: []string{".ts", ".svelte"}})
	d.Scope = registry.TSConfig
	finder := finderOf(t, d, `
-- toy.root --
-- lib/tsconfig.json --
{"exclude": ["**/*.test.ts"]}
-- lib/lib.ts --
export function put() {}
-- lib/own.ts --
import { put } from './lib'
-- lib/lib.test.ts --
import { put } from './lib'
-- app/tsconfig.json --
{}
-- app/app.ts --
import { put } from '../lib/lib'
-- app/other.ts --
import { get } from '../lib/lib'
-- app/apart.ts --
export function put() {}
-- Card.svelte --
<script>import { put } from './lib/lib'</script>
`)
	got := make(map[string]string)
	files, all := finder.Beyond()(t.Context(), finder.path("lib/lib.ts"), "put")
	for _, f := range files {
		got[finder.names.Relative(f.Path)] = f.Project
	}
	want := map[string]string{"lib/lib.test.ts": "", "app/app.ts": d.ID + " of " + finder.path("app/tsconfig.json"), "Card.svelte": ""}
	if diff := cmp.Diff(want, got); diff != "" || !all {
		t.Errorf("all: %t, (-want +got):\n%s", all, diff)
	}
}
