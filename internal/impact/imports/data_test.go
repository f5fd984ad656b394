package imports

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const importing = `
-- data.json --
{"count": 1, "list": [1, "a"]}
-- package.json --
{"name": "me", "version": "1.0.0", "imports": {"#data": "./data.json", "#gone/*": "./gone/*"}, "exports": {"./*": "./*"}}
-- own.ts --
import d from "./data.json";

export const count = d.count;
export const other = 1;
-- passes.ts --
export * from "./own";
-- user.ts --
import { count } from "./passes";

export const twice = 2 * count;
-- spared.ts --
import { other } from "./own";

export const more = other;
-- plain.js --
const d = require("./data");
-- required.js --
const d = require("./data.json");
-- hash.ts --
import d from "#data";
-- mapped.ts --
import d from "me/data.json";
-- unfound.ts --
import d from "#gone/data.json";
-- version.ts --
import { version } from "./package.json";
`

// A change of JSON concerns the files that import it and those that use what these make of it, if the type that they see
// changes or cannot be read: other values are of the same type. So it is with one that also configures, beside what it configures.
func TestDataReaches(t *testing.T) {
	root, tree := plant(t, importing)
	all := []string{"hash.ts", "mapped.ts", "own.ts", "required.js", "unfound.ts", "user.ts"}
	for name, c := range map[string]struct {
		file, before, after string
		want                []string
	}{
		"another type":          {"data.json", `{"count": 1}`, `{"count": "x"}`, all},
		"a member more":         {"data.json", `{"count": 1}`, `{"count": 1, "more": null}`, all},
		"a member less":         {"data.json", `{"count": 1, "more": {}}`, `{"count": 1}`, all},
		"another type inside":   {"data.json", `{"a": {"b": [{"c": true}]}}`, `{"a": {"b": [{"c": 1}]}}`, all},
		"a list of more types":  {"data.json", `[1, 2]`, `[1, "a"]`, all},
		"another kind of list":  {"data.json", `[]`, `{}`, all},
		"it comes":              {"data.json", "", `{}`, all},
		"it goes":               {"data.json", `{}`, "", all},
		"it is broken":          {"data.json", `{}`, `{`, all},
		"it was broken":         {"data.json", `{`, `{}`, all},
		"other values":          {"data.json", `{"count": 1, "s": "a", "b": true}`, `{"count": 2e999, "s": "b", "b": false}`, nil},
		"another order":         {"data.json", `{"a": 1, "b": "x"}`, `{"b": "x", "a": 1}`, nil},
		"a longer list":         {"data.json", `[1, "a"]`, `["b", "c", 2]`, nil},
		"a comment":             {"data.json", `{}`, "// none\n{}\n", nil},
		"one nobody imports":    {"alone.json", `{}`, `[]`, nil},
		"another version":       {"package.json", `{"version": "1"}`, `{"version": "2"}`, nil},
		"another kind of those": {"package.json", `{"version": "1"}`, `{"version": 2}`, []string{"version.ts"}},
	} {
		change := Change{Path: filepath.Join(root, c.file)}
		if c.before != "" {
			change.Before = []byte(c.before)
		}
		if c.after != "" {
			change.After = []byte(c.after)
		}
		reached, complete := new(Reader).Search(tree).Reach([]Change{change})
		var got []string
		for _, r := range reached {
			got = append(got, filepath.Base(r.Path))
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" || !complete {
			t.Errorf("%s, complete: %t (-want +got):\n%s", name, complete, diff)
		}
	}
}

// A file of data is brought in by files of the family that may import it, and no other file is.
func TestDataIsBroughtIn(t *testing.T) {
	root, tree := plant(t, importing)
	got := make(map[string]bool)
	for _, name := range []string{"data.json", "package.json", "alone.json"} {
		got[name] = new(Reader).Search(tree).BroughtIn(filepath.Join(root, name), func(string) bool { return true })
	}
	if diff := cmp.Diff(map[string]bool{"data.json": true, "package.json": true, "alone.json": false}, got); diff != "" {
		t.Error(diff)
	}
}
