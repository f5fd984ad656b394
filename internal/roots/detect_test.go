package roots

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// found is a search that finds everything in one folder.
func found(name string) (string, error) { return lsptest.Rooted("/opt/bin/" + name), nil }

// The root of a server is the nearest folder with its best marker, not above
// the workspace.
func TestRootsOfServers(t *testing.T) {
	const noRoot = "gopls! unavailable: no go.work or go.mod in or above the file's folder, up to the workspace root ROOT"
	for _, c := range []struct{ name, archive, file, want string }{
		{"go.work wins over a nearer go.mod", "-- go.work --\nuse ./a\n-- a/go.mod --\n", "a/b/x.go", "gopls . go.work"},
		{"a go.work that does not name the module", "-- go.work --\nuse ./ab\n-- a/go.mod --\n-- ab/go.mod --\n", "a/b/x.go", "gopls a go.mod"},
		{"a go.work in the middle", "-- go.mod --\n-- f/go.work --\nuse .\n-- f/go.mod --\n-- f/a/go.mod --\n", "f/a/x.go", "gopls f/a go.mod"},
		{"a go.work without modules", "-- go.work --\n", "a/x.go", "gopls . go.work"},
		{"a go.work below another module", "-- go.mod --\n-- f/go.work --\n", "f/x.go", "gopls f go.work"},
		{"the nearer of two go.mod", "-- go.mod --\n-- a/go.mod --\n", "a/b/x.go", "gopls a go.mod"},
		{"outside the nested module", "-- go.mod --\n-- a/go.mod --\n", "b/x.go", "gopls . go.mod"},
		{"a monorepo, one", "-- one/go.mod --\n-- two/go.mod --\n", "one/x.go", "gopls one go.mod"},
		{"a monorepo, two", "-- one/go.mod --\n-- two/go.mod --\n", "two/deep/x.go", "gopls two go.mod"},
		{"a monorepo, neither", "-- one/go.mod --\n-- two/go.mod --\n", "three/x.go", noRoot},
		{"no marker", "-- x.go --\n", "x.go", noRoot},
		{"a file that does not exist in a folder that does not", "-- go.mod --\n", "new/deep/x.go", "gopls . go.mod"},
		{"the marker itself", "-- go.mod --\n", "go.mod", "gopls . go.mod"},
		{"no server", "-- go.mod --\n", "README", ""},
		{"prose", "-- go.mod --\n", "README.md", "marksman . "},
		{"single file", "-- x.py --\n", "x.py", "pyright . "},
		{"single file with a marker", "-- p/setup.py --\n", "p/x.py", "pyright p setup.py"},
		{"a better marker further up", "-- pyproject.toml --\n-- p/setup.py --\n", "p/x.py", "pyright . pyproject.toml; ruff . pyproject.toml"},
		{"excluded by deno.json", "-- deno.json --\n-- p/package.json --\n", "p/x.ts", "deno . deno.json"},
		{"deno.json elsewhere", "-- d/deno.jsonc --\n-- p/tsconfig.json --\n", "p/x.ts", "typescript-language-server p tsconfig.json"},
	} {
		f := open(t, c.archive, Options{Servers: registry.Builtin(), LookPath: func(name string) (string, error) {
			if name == "tsc" || name == "tsgo" {
				return "", exec.ErrNotFound
			}
			return found(name)
		}})
		if got := chosen(f, c.file); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, candidate := range f.Candidates(filepath.Join(f.opts.Root, c.file)) {
			if c.want == noRoot && candidate.Root != f.opts.Root {
				t.Errorf("%s: without a project it is one of %q", c.name, candidate.Root)
			}
		}
	}
	// A marker above the workspace is not ours to see.
	root := lsptest.Workspace(t, "-- go.mod --\n-- sub/x.go --\n")
	f := open(t, "", Options{Root: filepath.Join(root, "sub"), Servers: registry.Builtin(), LookPath: found})
	if got := chosen(f, "x.go"); got != noRoot {
		t.Errorf("with a marker above the workspace: %q", got)
	}
}

// Conditions, switches and peers of a definition count.
func TestConditionsOfServers(t *testing.T) {
	toy := registry.Definition{
		ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}},
		Commands: []registry.Command{{Binary: "toyd", Args: []string{"--stdio"}}}, Roots: []string{"*.root"},
	}
	with := func(change func(d *registry.Definition)) registry.Definition {
		d := toy
		change(&d)
		return d
	}
	const files = "-- a/my.root --\n-- b/my.root --\n-- b/toy.lint --\n"
	for _, c := range []struct {
		name       string
		definition registry.Definition
		file, want string
	}{
		{"a marker glob", toy, "a/x.toy", "toy a my.root"},
		{"required and not there", with(func(d *registry.Definition) { d.Requires = []string{"toy.lint"} }), "a/x.toy", ""},
		{"required and there", with(func(d *registry.Definition) { d.Requires = []string{"toy.lint"} }), "b/x.toy", "toy b my.root"},
		{"disabled", with(func(d *registry.Definition) { d.Disabled = true }), "a/x.toy", "toy! disabled: disabled by configuration"},
		{"disabled for all", with(func(d *registry.Definition) { d.Disabled, d.DisabledBy = true, "lsp.autoDetect is false" }), "a/x.toy", "toy! disabled: not started: lsp.autoDetect is false"},
		{"a peer", with(func(d *registry.Definition) { d.Connect, d.Commands = "localhost:1", nil }), "a/x.toy", "toy a my.root"},
		{"no command", with(func(d *registry.Definition) { d.Commands = nil }), "a/x.toy", "toy! unavailable: no command is configured"},
		{
			"missing", with(func(d *registry.Definition) { d.Commands = []registry.Command{{Binary: "none1"}, {Binary: "none2"}} }), "a/x.toy",
			"toy! unavailable: none1 and none2 not found in PATH",
		},
		{"the second command", with(func(d *registry.Definition) {
			d.Commands = append([]registry.Command{{Binary: "none1"}}, d.Commands...)
		}), "a/x.toy", "toy a my.root"},
	} {
		f := open(t, files, Options{Servers: registry.Table{c.definition}, LookPath: func(name string) (string, error) {
			if strings.HasPrefix(name, "none") {
				return "", exec.ErrNotFound
			}
			return found(name)
		}})
		if got := chosen(f, c.file); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, candidate := range f.Candidates(filepath.Join(f.opts.Root, c.file)) {
			if candidate.Unavailable == nil && candidate.Definition.Connect == "" && (candidate.Binary != lsptest.Rooted("/opt/bin/toyd") || len(candidate.Args) != 1) {
				t.Errorf("%s: starts %s %q", c.name, candidate.Binary, candidate.Args)
			}
		}
	}
}

// Of a group the first server that is there, and fits, serves a file. The tsc
// of TypeScript 5 is no language server; that of 7 is.
func TestGroupsOfServers(t *testing.T) {
	tools := lsptest.Workspace(t, `
-- five/typescript/package.json --
{"name":"typescript","version":"5.9.3"}
-- five/typescript/bin/tsc --
-- seven/typescript/package.json --
{"name":"typescript","version":"7.0.2"}
-- seven/typescript/lib/package.txt --
-- seven/typescript/bin/tsc --
-- eight/typescript/package.json --
{"name":"typescript","version":"8.0.0-beta"}
-- eight/typescript/bin/tsc --
-- other/ntsc/package.json --
{"name":"ntsc","version":"7.0.0"}
-- other/ntsc/tsc --
-- broken/package.json --
{
-- broken/tsc --
-- bin/typescript-language-server --
`)
	symlink(t, filepath.Join(tools, "seven/typescript/bin/tsc"), filepath.Join(tools, "bin/tsc"))
	const both, native = "bin/typescript-language-server", "typescript . "
	for _, c := range []struct{ name, tsc, tls, want string }{
		{"TypeScript 7", "seven/typescript/bin/tsc", "", native},
		{"TypeScript 7 by a link", "bin/tsc", "", native},
		{"TypeScript 7 and the older server", "seven/typescript/bin/tsc", both, native},
		{"TypeScript 8", "eight/typescript/bin/tsc", both, native},
		{"TypeScript 5 and the older server", "five/typescript/bin/tsc", both, "typescript-language-server . "},
		{
			"TypeScript 5 alone", "five/typescript/bin/tsc", "",
			"typescript! unavailable: TOOLS/five/typescript/bin/tsc is typescript 5.9.3, and version 7 or later is needed; typescript-language-server! unavailable: typescript-language-server not found in PATH",
		},
		{"another tsc", "other/ntsc/tsc", both, "typescript-language-server . "},
		{"a broken package", "broken/tsc", both, "typescript-language-server . "},
		{
			"nothing", "", "",
			"typescript! unavailable: tsc and tsgo not found in PATH; typescript-language-server! unavailable: typescript-language-server not found in PATH",
		},
	} {
		f := open(t, "-- x.ts --\n", Options{Servers: registry.Builtin(), LookPath: func(name string) (string, error) {
			path := map[string]string{"tsc": c.tsc, "typescript-language-server": c.tls}[name]
			if path == "" {
				return "", exec.ErrNotFound
			}
			return filepath.Join(tools, path), nil
		}})
		if got := strings.ReplaceAll(chosen(f, "x.ts"), tools, "TOOLS"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, candidate := range f.Candidates(filepath.Join(f.opts.Root, "x.ts")) {
			if candidate.Unavailable != nil && !strings.Contains(candidate.Unavailable.Hint(), "npm install") {
				t.Errorf("%s: %v has no way out", c.name, candidate.Unavailable)
			}
		}
	}
}

// A binary that is missing is not looked for again for a while, and then it is.
func TestAbsenceIsRemembered(t *testing.T) {
	now, searches, installed := time.Unix(1e9, 0), 0, false
	f := open(t, "-- go.mod --\n", Options{
		Servers: registry.Builtin(), Now: func() time.Time { return now },
		LookPath: func(name string) (string, error) {
			searches++
			if !installed {
				return "", exec.ErrNotFound
			}
			return found(name)
		},
	})
	const missing = "gopls! unavailable: gopls not found in PATH"
	for range 5 {
		if got := chosen(f, "x.go"); got != missing {
			t.Errorf("before it is there: %q", got)
		}
	}
	installed = true
	now = now.Add(29 * time.Second)
	if got := chosen(f, "x.go"); got != missing || searches != 1 {
		t.Errorf("%q after %d searches, want one", got, searches)
	}
	now = now.Add(2 * time.Second)
	if got := chosen(f, "x.go"); got != "gopls . go.mod" || searches != 2 {
		t.Errorf("after half a minute: %q after %d searches", got, searches)
	}
}

// chosen tells a workspace's candidates for a file: id, root and marker of
// those that can be started, and "id!" with the reason of those that cannot.
func chosen(f *Finder, name string) string {
	var parts []string
	for _, c := range f.Candidates(filepath.Join(f.opts.Root, name)) {
		if c.Unavailable != nil {
			parts = append(parts, c.Definition.ID+"! "+string(c.Unavailable.State)+": "+c.Unavailable.Reason)
			continue
		}
		parts = append(parts, c.Definition.ID+" "+fspath.Relative(f.opts.Root, c.Root)+" "+c.Marker)
	}
	return strings.ReplaceAll(strings.Join(parts, "; "), f.opts.Root, "ROOT")
}
