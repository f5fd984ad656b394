package imports

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const byPackages = `
-- package.json --
{"name": "me", "main": false, "imports": {"#data": {"dev": "./dev.json", "default": ["./missing.json", "./data.json"]}, "#in/*": "./in/*.json", "#none": null},
 "exports": {".": {"dev": "./index.json", "default": "./index.js"}, "./data": {"dev": "./dev.json", "default": "./data.json"}, "./in/*.json": "./in/*.json"}}
-- sugar/package.json --
{"name": "sugar", "exports": {"dev": "./dev.json", "default": "./other.json"}}
-- folder/package.json --
{"main": "lib/main.json"}
-- data.json --
{}
-- hash.ts --
import d from "#data";
-- in.ts --
import d from "#in/d";
-- none.ts --
import d from "#none";
-- self.ts --
import d from "me/data";
-- selfin.ts --
import d from "me/in/d.json";
-- whole.ts --
import me from "me";
-- sugar.ts --
import d from "sugar";
-- folder.ts --
import d from "./folder";
`

const byProjects = `
-- tsconfig.json --
{"compilerOptions": {
	// Comments are allowed.
	"rootDirs": ["src", "gen"], "moduleSuffixes": [".ios", ""], "paths": {"@d/*": ["./one/*", "./two/*"], "whole": ["./one/whole"]}
}}
-- two/d.json --
{}
-- src/root.ts --
import d from "./d.json";
-- src/script.ts --
import d from "./part/script";
-- src/at.ts --
import d from "@d/d.json";
-- src/whole.ts --
import d from "whole";
`

// Configurations say by which paths a file is meant, under conditions that are not ours to know, and whether or not another one is found in
// its place at present.
func TestWaysToAFile(t *testing.T) {
	for archive, files := range map[string]map[string][]string{
		byPackages: {
			"dev.json": {"hash", "self"}, "missing.json": {"hash"}, "data.json": {"hash", "self"}, "in/d.json": {"in", "selfin"}, "index.json": {"whole"},
			"sugar/dev.json": {"sugar"}, "sugar/e.json": nil, "folder/lib/main.json": {"folder"}, "folder/lib/e.json": nil,
		},
		byProjects: {
			"gen/d.json": {"root"}, "src/d.ios.json": {"root"}, "gen/d.ios.json": {"root"}, "other/d.json": nil, "one/whole.ts": {"whole"},
			"gen/part/script.ts": {"script"}, "gen/part/script.ios.tsx": {"script"}, "src/part/script/index.ios.ts": {"script"}, "src/part/script.web.ts": nil,
			"one/d.json": {"at"}, "two/d.json": {"at"}, "two/d.ios.json": {"at"}, "one/whole/index.ts": {"whole"},
		},
	} {
		root, tree := plant(t, archive)
		for name, want := range files {
			s := new(Reader).Search(tree)
			var got []string
			for _, file := range slices.Sorted(maps.Keys(s.graphLocked(bringing("d.json")).of(filepath.Join(root, filepath.FromSlash(name))))) {
				got = append(got, strings.TrimSuffix(filepath.Base(file), ".ts"))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// What a file declares for everybody matters to more than those that bring it in.
func TestImportersForEverybody(t *testing.T) {
	for name, text := range map[string]string{
		"a global type":       "declare type D = typeof import(\"./d.json\");\n",
		"within a module":     "import d from \"./d.json\";\ndeclare global { const D: typeof d }\n",
		"of another module":   "import d from \"./d.json\";\ndeclare module \"./m\" { interface M { d: typeof d } }\n",
		"by way of one of it": "import { d } from \"./own\";\ndeclare global { const D: typeof d }\n",
	} {
		root, tree := plant(t, "-- d.json --\n{}\n-- own.ts --\nexport { default as d } from \"./d.json\";\n-- g.ts --\n"+text)
		if files, known := new(Reader).Search(tree).Importers(filepath.Join(root, "d.json")); known {
			t.Errorf("%s: it may matter only to %v", name, files)
		}
	}
}

// Another file is found in the place of one that is gone, which those that bring it in do not say.
func TestReplacedFiles(t *testing.T) {
	root, tree := plant(t, byProjects+"-- one/e.ts --\n-- two/e.ts --\n-- src/e.ts --\nimport e from \"@d/e\";\n"+
		"-- src/user.ts --\nimport e from \"./e\";\n-- gen/new/index.ts --\n-- src/n.ts --\nimport n from \"./new\";\n")
	for name, want := range map[string][]string{
		"one/e.ts": {"src/e.ts", "src/user.ts"}, "one/d.json": {"src/at.ts"}, "gen/d.json": nil, "src/new.ts": {"src/n.ts"}, "gen/new.ts": nil, "one/none.ts": nil,
	} {
		changed := func(path string) bool { return name == "gen/new.ts" && filepath.Base(path) == "index.ts" }
		var got []string
		for _, file := range slices.Sorted(maps.Keys(new(Reader).Search(tree).Replaced(filepath.Join(root, filepath.FromSlash(name)), changed))) {
			inside, _ := filepath.Rel(root, file)
			got = append(got, filepath.ToSlash(inside))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
