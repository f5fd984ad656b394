package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// servers lists every known server once, by id, with its state and how to get it;
// the flags divide the list, and the JSON says the same.
func TestServersList(t *testing.T) {
	s := newShop(t, "-- .lspine.jsonc --\n{\"lsp\": {\"servers\": {\"zls\": {\"enabled\": false}}}}\n-- bin/gopls --\n#!/bin/sh\n-- bin/gopls.exe --\n", lsptest.Script{})
	bin := filepath.Join(s.root, "bin")
	t.Setenv("PATH", bin)
	s.trusted()
	makeExecutable(t, bin)
	list := func(args ...string) (states map[string]string, order []string) {
		t.Helper()
		got := s.run(append([]string{"servers", "--json"}, args...)...)
		s.expect(strings.Join(args, " "), got, 0, got.stdout)
		var servers result.Servers
		if err := json.Unmarshal([]byte(got.stdout), &servers); err != nil {
			t.Fatal(err)
		}
		states = make(map[string]string)
		for _, server := range servers.Servers {
			states[server.ID], order = server.State, append(order, server.ID)
		}
		return states, order
	}
	all, order := list()
	if len(order) != len(registry.Builtin())+1 || len(all) != len(order) || all["gopls"] != "found" || all["toy"] != "found" || all["pyright"] != "missing" || all["zls"] != "disabled" {
		t.Errorf("got %v", all)
	}
	for i := range order[1:] {
		if order[i] >= order[i+1] {
			t.Errorf("%s stands before %s", order[i], order[i+1])
		}
	}
	installed, _ := list("--installed")
	missing, _ := list("--missing")
	if len(installed) != 2 || len(installed)+len(missing)+1 != len(all) {
		t.Errorf("%d installed, %d missing, %d in all", len(installed), len(missing), len(all))
	}
	got := s.run("servers")
	s.expect("text", got, 0, got.stdout)
	for _, want := range []string{"gopls ", "ROOT/bin/gopls\n", "lspine install pyright", "2 found", "1 disabled"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("does not say %q:\n%s", want, got.stdout)
		}
	}
	both := s.run("servers", "--missing", "--installed")
	s.expect("both flags", both, exitUsage, "", "--missing and --installed")
}

// With a file only the servers that know it are listed, the one that is asked
// first, and of each other why it is not.
func TestServersForFile(t *testing.T) {
	s := newShop(t, "-- a.toy --\n-- a.ts --\n-- bin/package.json --\n{\"name\": \"typescript\", \"version\": \"5.9.3\"}\n-- bin/tsc --\n#!/bin/sh\n-- bin/tsc.exe --\n-- main.go --\n-- bin/gopls --\n#!/bin/sh\n-- bin/gopls.exe --\n", lsptest.Script{})
	bin := filepath.Join(s.root, "bin")
	t.Setenv("PATH", bin)
	s.trusted()
	makeExecutable(t, bin)
	for file, want := range map[string][]string{
		"a.toy":   {"toy  found"},
		"a.ts":    {"typescript ", "lspine install typescript  (ROOT/bin/tsc is typescript 5.9.3", "deno ", "(no deno.json or deno.jsonc in or above the file's folder)"},
		"main.go": {"ROOT/bin/gopls  (no go.work or go.mod in or above the file's folder)"},
	} {
		got := s.run("servers", file)
		s.expect(file, got, 0, got.stdout)
		for _, w := range want {
			if !strings.Contains(got.stdout, w) {
				t.Errorf("%s: does not say %q:\n%s", file, w, got.stdout)
			}
		}
	}
	if err := os.Remove(filepath.Join(bin, "tsc")); err != nil {
		t.Fatal(err)
	}
	s.expect("nobody knows it", s.run("servers", "a.nobodyknows"), exitUsage, "", "no server knows this kind of file")
}
