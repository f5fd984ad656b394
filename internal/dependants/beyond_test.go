package dependants

import (
	"strings"
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
	files, all := finder.Beyond()(t.Context(), finder.path("lib/lib.ts"), "put", false)
	for _, f := range files {
		got[finder.names.Relative(f.Path)] = f.Project
	}
	want := map[string]string{"lib/lib.test.ts": "", "app/app.ts": d.ID + " of " + finder.path("app/tsconfig.json"), "Card.svelte": ""}
	if diff := cmp.Diff(want, got); diff != "" || !all {
		t.Errorf("all: %t, (-want +got):\n%s", all, diff)
	}
}

// What is exported by default has any name in other projects.
func TestBeyondByDefault(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{}.Definition(t)
	d.Languages = append(d.Languages, registry.Language{ID: "typescript", Patterns: []string{".ts"}})
	d.Scope = registry.TSConfig
	finder := finderOf(t, d, `
-- toy.root --
-- lib/tsconfig.json --
{}
-- lib/lib.ts --
export default function put() {}
export function get() {}
-- app/tsconfig.json --
{}
-- app/app.ts --
import store from '../lib/lib'
-- app/other.ts --
import { another } from '../lib/lib'
-- app/apart.ts --
import store from './own'
`)
	for name, want := range map[string][]string{"put": {"app/app.ts"}, "get": nil} {
		var got []string
		files, all := finder.Beyond()(t.Context(), finder.path("lib/lib.ts"), name, false)
		for _, f := range files {
			got = append(got, finder.names.Relative(f.Path))
		}
		if diff := cmp.Diff(want, got); diff != "" || !all {
			t.Errorf("%s: all: %t, (-want +got):\n%s", name, all, diff)
		}
	}
}

// Within a project of Go, files of other packages that write an exported name may use it without the server knowing; other servers
// know what their project brings in, or the texts do not show it either.
func TestBeyondWithinAProject(t *testing.T) {
	t.Parallel()
	const archive = `
-- toy.root --
-- go.mod --
module m
-- lib/lib.go --
package lib

func Put() {}

func put() {}
-- lib/own.go --
package lib

func own() { Put(); put() }
-- app/app.go --
package app

import "m/lib"

func run() { lib.Put() }
-- other/other.go --
package other

import _ "m/lib"
-- lib.ts --
export function Put() {}
-- app.ts --
import { Put } from './lib'
`
	for name, c := range map[string]struct {
		scope registry.Scope
		file  string
		want  []string
	}{
		"an exported name":   {registry.GoBuild, "lib/lib.go Put", []string{"app/app.go"}},
		"an unexported name": {registry.GoBuild, "lib/lib.go put", nil},
		"another server":     {registry.TSConfig, "lib.ts Put", nil},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Languages = append(d.Languages, registry.Language{ID: "typescript", Patterns: []string{".ts"}}, registry.Language{ID: "go", Patterns: []string{".go"}})
		d.Scope = c.scope
		finder := finderOf(t, d, archive)
		file, symbol, _ := strings.Cut(c.file, " ")
		files, all := finder.Beyond()(t.Context(), finder.path(file), symbol, true)
		var got []string
		for _, f := range files {
			got = append(got, finder.names.Relative(f.Path))
		}
		if diff := cmp.Diff(c.want, got); diff != "" || !all {
			t.Errorf("%s: all: %t, (-want +got):\n%s", name, all, diff)
		}
	}
}
