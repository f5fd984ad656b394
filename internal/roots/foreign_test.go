package roots

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Programs of a checkout that is not trusted do not run, although PATH has their folders first, as npx and direnv make it:
// the next one is taken, and servers do not see those folders either. A link to a program of the checkout is one of it.
func TestProgramsOfACheckout(t *testing.T) {
	lsptest.NeedShell(t)
	r := lsptest.NewRepository(t, "-- node_modules/.bin/serve --\n#!/bin/sh\n-- node_modules/.bin/own --\n#!/bin/sh\n-- package/a.txt --\n")
	elsewhere := lsptest.Workspace(t, "-- serve --\n#!/bin/sh\n")
	for _, program := range []string{r.Root + "/node_modules/.bin/serve", r.Root + "/node_modules/.bin/own", elsewhere + "/serve"} {
		if err := os.Chmod(program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(r.Root+"/node_modules/.bin/own", elsewhere+"/linked"); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{r.Root + "/node_modules/.bin", ".", elsewhere, os.Getenv("PATH")}, string(os.PathListSeparator))
	t.Setenv("PATH", path)
	of := func(program string) registry.Definition {
		return registry.Definition{ID: program, Commands: []registry.Command{{Binary: program}}}
	}
	type outcome struct {
		path, reason string
		state        State
	}
	for name, c := range map[string]struct {
		root    string
		trusted bool
		want    map[string]outcome
		first   string
	}{
		"not trusted": {"", false, map[string]outcome{
			"serve":  {path: elsewhere + "/serve"},
			"own":    {reason: r.Root + "/node_modules/.bin/own lies in this checkout, which is not trusted", state: Untrusted},
			"linked": {reason: elsewhere + "/linked lies in this checkout, which is not trusted", state: Untrusted},
		}, elsewhere},
		"a package of it": {"package", false, map[string]outcome{"serve": {path: elsewhere + "/serve"}}, elsewhere},
		"trusted": {"", true, map[string]outcome{
			"serve": {path: r.Root + "/node_modules/.bin/serve"}, "own": {path: r.Root + "/node_modules/.bin/own"}, "linked": {path: elsewhere + "/linked"},
		}, r.Root + "/node_modules/.bin"},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, "", Options{Root: filepath.Join(r.Root, c.root), Trusted: c.trusted})
			got := make(map[string]outcome)
			for program := range c.want {
				path, _, missing := f.Program(of(program))
				if got[program] = (outcome{path: path}); missing != nil {
					got[program] = outcome{reason: missing.Reason, state: missing.State}
				}
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("where programs are (-want +got):\n%s", diff)
			}
			for _, entry := range f.env {
				if list, found := strings.CutPrefix(entry, "PATH="); found && filepath.SplitList(list)[0] != c.first {
					t.Errorf("servers look in %s first", filepath.SplitList(list)[0])
				}
			}
		})
	}
}

// Who keeps the folder with all of their own files under version control has programs of their own in it.
func TestProgramsOfAHomeUnderVersionControl(t *testing.T) {
	lsptest.NeedShell(t)
	r := lsptest.NewRepository(t, "-- bin/serve --\n#!/bin/sh\n-- notes/a.txt --\n")
	if err := os.Chmod(r.Root+"/bin/serve", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", r.Root)
	t.Setenv("PATH", r.Root+"/bin"+string(os.PathListSeparator)+os.Getenv("PATH"))
	f := open(t, "", Options{Root: filepath.Join(r.Root, "notes")})
	if path, err := f.LookPath("serve"); err != nil || path != r.Root+"/bin/serve" {
		t.Error(path, err)
	}
}
