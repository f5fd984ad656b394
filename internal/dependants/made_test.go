package dependants

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Of changes that others made, the texts show who uses some; who uses others is asked for, after the change
// where nobody knows what was before. What is checked for its own sake is no dependant, and a
// file that was judged while it was loaded is loaded anew.
func TestWhoUsesWhatOthersChanged(t *testing.T) {
	t.Parallel()
	const archive = `
-- toy.root --
-- notes.txt --
-- a.toy --
-- b.toy --
-- tsconfig.json --
-- lib.ts --
export const a = 1;
-- user.ts --
import { a } from "./lib";
-- own.ts --
import { a } from "./lib";
-- other.ts --
export const c = 1;
-- go.mod --
module m
-- lib/lib.go --
package lib

const A = 1
-- user.go --
package m

import "m/lib"

const B = lib.A
`
	type change struct{ name, before, after string }
	type found struct{ Files, Asked, Later []string }
	everything := func(d *registry.Definition) {
		d.Diagnostics.ClosedFiles, d.Diagnostics.FileStrategies = registry.ClosedPushes, []registry.Strategy{registry.Pull}
	}
	for name, c := range map[string]struct {
		define  func(*registry.Definition)
		changes []change
		want    found
	}{
		"not known to any server": {nil, []change{{"notes.txt", "a", "b"}}, found{}},
		"asked for":               {nil, []change{{"a.toy", "a", "b"}}, found{Asked: []string{"a.toy"}}},
		"asked for later":         {nil, []change{{"b.toy", "", "b"}, {"a.toy", "a", "b"}}, found{Asked: []string{"a.toy"}, Later: []string{"b.toy"}}},
		"shown by texts":          {nil, []change{{"lib.ts", "export const a = \"1\";\n", "export const a = 1;\n"}}, found{Files: []string{"user.ts"}}},
		"reported by the server":  {everything, []change{{"a.toy", "a", "b"}, {"lib.ts", "export const a = \"1\";\n", "export const a = 1;\n"}}, found{}},
		"judged singly":           {everything, []change{{"lib/lib.go", "", "package lib\n\nconst A = 1\n"}}, found{Files: []string{"user.go"}}},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Languages = append(d.Languages, registry.Language{ID: "typescript", Patterns: []string{".ts"}}, registry.Language{ID: "go", Patterns: []string{".go"}})
		if c.define != nil {
			c.define(&d)
		}
		finder := finderOf(t, d, archive)
		var changes Changes
		for _, change := range c.changes {
			made := edit.Change{Path: finder.path(change.name), Before: []byte(change.before), After: []byte(change.after)}
			if change.before == "" {
				made.Before = nil
			}
			made.Created = change.before == "" && c.define != nil
			changes = append(changes, made)
		}
		search := finder.Made(changes, finder.workspace.Detection(), nil)
		asked, later, err := search.FindMade(t.Context(), []diagnostics.File{{Path: finder.path("own.ts")}}, false)
		if err != nil {
			t.Fatal(err)
		}
		names := func(changes []edit.Change) (names []string) {
			for _, c := range changes {
				names = append(names, finder.names.Relative(c.Path))
			}
			return names
		}
		if diff := cmp.Diff(c.want, found{finder.named(search.Files), names(asked), names(later)}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
