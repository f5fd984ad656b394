package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The folders that a project takes code from, in the order in which they are likely to change.
func TestLibraries(t *testing.T) {
	for name, c := range map[string]struct {
		archive, manifest string
		links             map[string]string
		want              []string
	}{
		"npm": {
			"-- package.json --\n{\"dependencies\": {\"z\": \"1\"}, \"devDependencies\": {\"@a/b\": \"1\"}}\n-- node_modules/z/x --\n-- node_modules/y/x --\n-- node_modules/@a/b/x --\n" +
				"-- node_modules/@a/c/x --\n-- node_modules/.prisma/client/x --\n-- node_modules/.bin/x --\n-- node_modules/.package-lock.json --\n{}\n",
			"package.json", nil,
			[]string{"node_modules/.prisma", "node_modules/@a/b", "node_modules/z", "node_modules/@a/c", "node_modules/y"},
		},
		"pnpm": {
			"-- package.json --\n{\"dependencies\": {\"@a/b\": \"1\"}}\n-- node_modules/.pnpm/b@1/node_modules/@a/b/x --\n-- node_modules/.pnpm/b@1/node_modules/.prisma/x --\n-- node_modules/@a/x --\n",
			"package.json",
			map[string]string{"node_modules/@a/b": "node_modules/.pnpm/b@1/node_modules/@a/b"},
			[]string{"node_modules/.pnpm/b@1/node_modules/.prisma", "node_modules/.pnpm/b@1/node_modules/@a/b", "node_modules/@a/x"},
		},
		"nothing installed": {"-- package.json --\n{\"dependencies\": {\"z\": \"1\"}}\n", "package.json", nil, nil},
		"no JSON":           {"-- package.json --\n{\n-- node_modules/z/x --\n", "package.json", nil, []string{"node_modules/z"}},
		"go.mod": {
			"-- a/go.mod --\nmodule a\n\nreplace b => ../b\n\nreplace c => ../gone\n\nreplace d => example.com/d v1.0.0\n-- b/x --\n",
			"a/go.mod", nil,
			[]string{"b"},
		},
		"go.work":        {"-- a/go.work --\ngo 1.24\n\nuse (\n\t.\n\t../b\n)\n\nreplace c => ../c\n-- b/x --\n-- c/x --\n", "a/go.work", nil, []string{"a", "b", "c"}},
		"Cargo.toml":     {"-- a/Cargo.toml --\n[lib]\npath = \"lib.rs\"\n\n[dependencies]\nb = { path = \"../b\" }\n\n[dependencies.c]\npath = '../c'\n-- b/Cargo.toml --\n-- c/x --\n", "a/Cargo.toml", nil, []string{"b"}},
		"something else": {"-- a.json --\n{}\n", "a.json", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			root := lsptest.Workspace(t, c.archive)
			for link, target := range c.links {
				if err := os.Symlink(filepath.Join(root, filepath.FromSlash(target)), filepath.Join(root, filepath.FromSlash(link))); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for _, folder := range Libraries(filepath.Join(root, filepath.FromSlash(c.manifest))) {
				relative, err := filepath.Rel(root, folder)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(relative))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
