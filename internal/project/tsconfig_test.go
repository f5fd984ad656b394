package project

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A configuration is read with what it extends: its own lists take the place of those, its paths are from its own
// folder, and only its own references count.
func TestReadTSConfig(t *testing.T) {
	whole := func(c tsconfig, root string) tsconfig {
		for _, list := range []*[]string{&c.files, &c.include, &c.exclude, &c.references, &c.out} {
			for i, path := range *list {
				(*list)[i] = strings.ReplaceAll(filepath.ToSlash(path), filepath.ToSlash(root), "ROOT")
			}
		}
		return c
	}
	for name, c := range map[string]struct {
		archive string
		want    tsconfig
	}{
		"nothing":        {"-- p/t.json --\n{}\n", tsconfig{include: []string{"ROOT/p/**"}}},
		"files":          {"-- p/t.json --\n{\"files\": [\"a.ts\", \"../b.ts\"]}\n", tsconfig{files: []string{"ROOT/p/a.ts", "ROOT/b.ts"}}},
		"no files":       {"-- p/t.json --\n{\"files\": []}\n", tsconfig{files: []string{}}},
		"include":        {"-- p/t.json --\n{\"include\": [\"src\"], \"exclude\": []}\n", tsconfig{include: []string{"ROOT/p/src"}, exclude: []string{}}},
		"output folders": {"-- p/t.json --\n{\"include\": [], \"compilerOptions\": {\"outDir\": \"out\", \"declarationDir\": \"./types\"}}\n", tsconfig{include: []string{}, out: []string{"ROOT/p/out", "ROOT/p/types"}}},
		"output beside":  {"-- p/t.json --\n{\"include\": [], \"compilerOptions\": {\"outDir\": \"./\", \"declarationDir\": \"d\"}}\n", tsconfig{include: []string{}, out: []string{"ROOT/p/d"}}},
		"references":     {"-- p/t.json --\n{\"files\": [], \"references\": [{\"path\": \"../q\"}, {\"path\": \"r.json\"}, {\"path\": \"gone\"}]}\n-- q/x.ts --\n-- p/r.json --\n{}\n", tsconfig{files: []string{}, references: []string{"ROOT/q/tsconfig.json", "ROOT/p/r.json", "ROOT/p/gone"}}},
		"its folder":     {"-- p/t.json --\n{\"include\": [\"${configDir}/src\"], \"exclude\": [\"${configDir}/../x\"]}\n", tsconfig{include: []string{"ROOT/p/src"}, exclude: []string{"ROOT/x"}}},
		"one that it extends": {
			"-- p/t.json --\n{\"extends\": \"../base.json\", \"exclude\": [\"own\"]}\n-- base.json --\n{\"files\": [\"a.ts\"], \"include\": [\"src\", \"${configDir}/gen\"], \"exclude\": [\"base\"], \"references\": [{\"path\": \"x\"}], \"compilerOptions\": {\"outDir\": \"out\"}}\n",
			tsconfig{files: []string{"ROOT/a.ts"}, include: []string{"ROOT/src", "ROOT/p/gen"}, exclude: []string{"ROOT/p/own"}, out: []string{"ROOT/out"}},
		},
		"more that it extends": {
			"-- p/t.json --\n{\"extends\": [\"./one\", \"./two\"]}\n-- p/one.json --\n{\"include\": [\"1\"], \"exclude\": [\"1\"]}\n-- p/two/tsconfig.json --\n{\"include\": [\"2\"], \"compilerOptions\": {\"outDir\": \"o\"}}\n",
			tsconfig{include: []string{"ROOT/p/two/2"}, exclude: []string{"ROOT/p/1"}, out: []string{"ROOT/p/two/o"}},
		},
		"nothing that it extends": {"-- p/t.json --\n{\"extends\": \"./base.json\"}\n-- p/base.json --\n{}\n", tsconfig{include: []string{"ROOT/p/**"}}},
		"a package of a folder above": {
			"-- p/q/x --\n-- p/t.json --\n{\"extends\": \"conf/strict\"}\n-- node_modules/conf/strict.json --\n{\"include\": [\"src\"]}\n",
			tsconfig{include: []string{"ROOT/node_modules/conf/src"}},
		},
	} {
		root := lsptest.Workspace(t, c.archive)
		path := filepath.Join(root, "p", "t.json")
		got, err := readTSConfig(path, filepath.Dir(path), 0)
		if diff := cmp.Diff(c.want, whole(got, root), cmp.AllowUnexported(tsconfig{})); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// A configuration that cannot be read, or extends one that cannot, is an error; twenty may extend each other, and no
// more.
func TestTSConfigsThatCannotBeRead(t *testing.T) {
	for name, archive := range map[string]string{
		"it is not there":          "-- x --\n",
		"it is no JSON":            "-- t.json --\n{\n",
		"of another kind":          "-- t.json --\n{\"files\": 1}\n",
		"it extends a number":      "-- t.json --\n{\"extends\": 1}\n",
		"it extends nothing":       "-- t.json --\n{\"extends\": \"./gone\"}\n",
		"it extends no package":    "-- t.json --\n{\"extends\": \"gone\"}\n",
		"it extends what is wrong": "-- t.json --\n{\"extends\": \"./b.json\"}\n-- b.json --\n{\n",
		"it extends a folder":      "-- t.json --\n{\"extends\": \"./b\"}\n-- b/x --\n",
	} {
		path := filepath.Join(lsptest.Workspace(t, archive), "t.json")
		if c, err := readTSConfig(path, filepath.Dir(path), 0); err == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
	chain := func(length int) error {
		archive := fmt.Sprintf("-- %d.json --\n{}\n", length)
		for n := range length {
			archive += fmt.Sprintf("-- %d.json --\n{\"extends\": \"./%d.json\"}\n", n, n+1)
		}
		root := lsptest.Workspace(t, archive)
		_, err := readTSConfig(filepath.Join(root, "0.json"), root, 0)
		return err
	}
	if err := chain(20); err != nil {
		t.Errorf("twenty: %v", err)
	}
	if err := chain(21); err == nil || !strings.Contains(err.Error(), "it extends itself") {
		t.Errorf("twenty-one: %v", err)
	}
}

// So many configurations are read for one file, and no more: where there are more, the file may be a part of one.
func TestManyTSConfigs(t *testing.T) {
	for length, left := range map[int]bool{maxConfigs: true, maxConfigs + 1: false} {
		var references []map[string]string
		archive := ""
		for n := range length - 1 {
			references = append(references, map[string]string{"path": fmt.Sprintf("c%d.json", n)})
			archive += fmt.Sprintf("-- c%d.json --\n{\"files\": []}\n", n)
		}
		text, err := json.Marshal(map[string]any{"files": []string{}, "references": references})
		if err != nil {
			t.Fatal(err)
		}
		root := lsptest.Workspace(t, "-- tsconfig.json --\n"+string(text)+"\n"+archive)
		if by := NewScopes(root).LeftOut(registry.TSConfig, filepath.Join(root, "a.ts"), root); (by != "") != left {
			t.Errorf("%d configurations: left out by %q", length, by)
		}
	}
}

// One and the same Scopes reads each configuration once, a new one as it is now.
func TestScopesRemember(t *testing.T) {
	root := lsptest.Workspace(t, "-- tsconfig.json --\n{\"include\": [\"src\"]}\n-- pyrightconfig.json --\n{\"exclude\": [\"b.py\"]}\n")
	s := NewScopes(root)
	left := func(s *Scopes) (by []string) {
		for name, scope := range map[string]registry.Scope{"a.ts": registry.TSConfig, "b.py": registry.Pyright} {
			if s.LeftOut(scope, filepath.Join(root, name), root) != "" {
				by = append(by, name)
			}
		}
		return by
	}
	if got := left(s); len(got) != 2 {
		t.Errorf("at first: %q", got)
	}
	lsptest.WriteFile(t, filepath.Join(root, "tsconfig.json"), "{}")
	lsptest.WriteFile(t, filepath.Join(root, "tsconfig.more.json"), "{}")
	lsptest.WriteFile(t, filepath.Join(root, "pyrightconfig.json"), "{}")
	if got := left(s); len(got) != 2 {
		t.Errorf("remembered: %q", got)
	}
	if got := left(NewScopes(root)); len(got) != 0 {
		t.Errorf("anew: %q", got)
	}
}
