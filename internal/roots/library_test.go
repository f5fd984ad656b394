package roots

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// programs are servers for TypeScript as npm installs them.
const programs = `
-- seven/node_modules/typescript/package.json --
{"name":"typescript","version":"7.0.2"}
-- seven/node_modules/typescript/bin/tsc --
-- five/node_modules/typescript/package.json --
{"name":"typescript","version":"5.9.3"}
-- five/node_modules/typescript/lib/tsserver.js --
-- five/node_modules/typescript-language-server/package.json --
{"name":"typescript-language-server","version":"5.3.0"}
-- five/node_modules/typescript-language-server/lib/cli.mjs --
-- alone/typescript-language-server --
-- vtsls/node_modules/typescript/package.json --
{"name":"typescript","version":"5.4.5"}
-- vtsls/node_modules/typescript/lib/tsserver.js --
-- vtsls/node_modules/vtsls/bin/vtsls.js --
`

// The version of the project's own package decides which server judges, and with which
// version: its own where that may run, else the nearest there is.
func TestTheProjectsVersionDecides(t *testing.T) {
	tools := lsptest.Workspace(t, programs)
	const (
		seven = "seven/node_modules/typescript/bin/tsc"
		older = "five/node_modules/typescript-language-server/lib/cli.mjs"
		vtsls = "vtsls/node_modules/vtsls/bin/vtsls.js"
		note  = `, which runs where "trustedRoots" of your own configuration names the folder`
	)
	installed := func(folder, version string) string {
		return "-- " + folder + "node_modules/typescript/package.json --\n{\"version\":\"" + version + "\"}\n-- " + folder + "node_modules/typescript/lib/tsserver.js --\n"
	}
	sdk := "-- .pnp.cjs --\n" + strings.ReplaceAll(installed("", "5.4.2-sdk"), "node_modules/", ".yarn/sdks/")
	for _, c := range []struct {
		name, files         string
		tsc, older, vtsls   string
		trusted             bool
		id, with, deviation string
	}{
		{name: "nothing says", files: "", tsc: seven, older: older, id: "typescript", with: "7.0.2"},
		{name: "nothing says, the older server alone", files: "", older: older, id: "typescript-language-server", with: "5.9.3"},
		{name: "5 is installed", files: installed("", "5.9.3"), tsc: seven, older: older, id: "typescript-language-server", with: "5.9.3"},
		{
			name: "another 5 is installed", files: installed("", "5.4.2"), tsc: seven, older: older, id: "typescript-language-server", with: "5.9.3",
			deviation: "typescript-language-server judges with typescript 5.9.3; the project has 5.4.2" + note,
		},
		{
			name: "a nearer one lies beside another server", files: installed("", "5.4.2"), tsc: seven, older: older, vtsls: vtsls, id: "typescript-language-server", with: "5.4.5",
			deviation: "typescript-language-server judges with typescript 5.4.5; the project has 5.4.2" + note,
		},
		{name: "and may run", files: installed("", "5.4.2"), tsc: seven, older: older, trusted: true, id: "typescript-language-server", with: "5.4.2 of the project"},
		{
			name: "Yarn's SDK", files: sdk, tsc: seven, older: older, id: "typescript-language-server", with: "5.9.3",
			deviation: "typescript-language-server judges with typescript 5.9.3; the project has 5.4.2-sdk" + note,
		},
		{name: "Yarn's SDK, which may run", files: sdk, tsc: seven, older: older, trusted: true, id: "typescript-language-server", with: "5.4.2-sdk of the project"},
		{name: "an SDK without Plug'n'Play", files: strings.Replace(sdk, ".pnp.cjs", "x", 1), tsc: seven, older: older, trusted: true, id: "typescript", with: "7.0.2"},
		{name: "6 is installed", files: installed("", "6.0.1"), trusted: true, tsc: seven, older: older, id: "typescript-language-server", with: "6.0.1 of the project"},
		{name: "7 is installed", files: installed("", "7.0.2"), tsc: seven, older: older, trusted: true, id: "typescript", with: "7.0.2"},
		{
			name: "7 is installed, the older server alone", files: installed("", "7.0.2"), older: older, trusted: true, id: "typescript-language-server", with: "5.9.3",
			deviation: "typescript-language-server judges with typescript 5.9.3; the project has 7.0.2",
		},
		{
			name: "5 is installed, the newer server alone", files: installed("", "5.9.3"), tsc: seven, id: "typescript", with: "7.0.2",
			deviation: "typescript judges with typescript 7.0.2; the project has 5.9.3",
		},
		{name: "5 in the package of the file", files: installed("", "7.0.2") + installed("p/", "5.9.3"), tsc: seven, older: older, id: "typescript-language-server", with: "5.9.3"},
		{name: "5 is asked for", files: "-- package.json --\n{\"devDependencies\":{\"typescript\":\"^5.4.0\"}}\n", tsc: seven, older: older, id: "typescript-language-server", with: "5.9.3"},
		{name: "the server comes without one", files: "", older: "alone/typescript-language-server", id: "typescript-language-server"},
		{
			name: "the server comes without one and would take the project's", files: installed("", "5.4.2"), older: "alone/typescript-language-server",
			deviation: "no typescript is installed that it could judge with (the project's own runs only in a trusted workspace)",
		},
	} {
		f := open(t, c.files+"-- p/x.ts --\n-- tsconfig.json --\n{}\n", Options{
			Servers: registry.Builtin(), Trusted: c.trusted,
			LookPath: func(name string) (string, error) {
				path := map[string]string{"tsc": c.tsc, "typescript-language-server": c.older, "vtsls": c.vtsls}[name]
				if filepath.IsAbs(name) {
					return name, nil
				}
				if path == "" {
					return "", exec.ErrNotFound
				}
				return filepath.Join(tools, path), nil
			},
		})
		var id, with, deviation string
		for _, candidate := range f.Candidates(filepath.Join(f.opts.Root, "p/x.ts")) {
			if candidate.Unavailable == nil {
				id, with, deviation = candidate.Definition.ID, candidate.Used.Version, candidate.Deviation()
				if strings.HasPrefix(candidate.Used.Dir, f.opts.Root) {
					with += " of the project"
				}
			} else if candidate.Definition.ID == "typescript-language-server" {
				deviation = candidate.Unavailable.Reason
			}
		}
		if diff := cmp.Diff([]string{c.id, c.with, c.deviation}, []string{id, with, deviation}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// What lies beside a server is looked up once in a while: a library that is installed meanwhile is
// found after half a minute, and not before.
func TestLibrariesAreRemembered(t *testing.T) {
	tools := lsptest.Workspace(t, "-- node_modules/toy/toy --\n#!/bin/sh\n-- node_modules/toy/toy.exe --\n")
	program := filepath.Join(tools, "node_modules", "toy", "toy")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	f := open(t, "-- a.toy --\n", Options{Now: func() time.Time { return now }})
	library := &registry.Library{Package: "typescript", File: "lib/tsserver.js"}
	found := func() (versions []string) {
		for _, p := range f.installed(program, library) {
			versions = append(versions, p.Version)
		}
		return versions
	}
	if got := found(); got != nil {
		t.Fatalf("before it is installed: %q", got)
	}
	lsptest.WriteFile(t, filepath.Join(tools, "node_modules", "typescript", "package.json"), `{"name":"typescript","version":"5.9.3"}`)
	lsptest.WriteFile(t, filepath.Join(tools, "node_modules", "typescript", "lib", "tsserver.js"), "")
	now = now.Add(remembered - 1)
	if got := found(); got != nil {
		t.Errorf("within half a minute: %q", got)
	}
	now = now.Add(1)
	if diff := cmp.Diff([]string{"5.9.3"}, found()); diff != "" {
		t.Errorf("later (-want +got):\n%s", diff)
	}
}

// A server is told which library to load, beside its other options and below what the user
// says.
func TestServersAreToldTheirLibrary(t *testing.T) {
	tools := lsptest.Workspace(t, programs)
	own := registry.Builtin()
	for i := range own {
		if own[i].ID == "vtsls" {
			own[i].Settings = registry.Merged(own[i].Settings, json.RawMessage(`{"vtsls":{"typescript":{"globalTsdk":"/mine"}}}`))
		}
	}
	folder := filepath.Join(tools, "five/node_modules/typescript/lib")
	for _, c := range []struct {
		servers       registry.Table
		id, at, wants string
	}{
		{registry.Builtin(), "typescript-language-server", "tsserver.path", folder},
		{registry.Builtin(), "typescript-language-server", "tsserver.useSyntaxServer", "never"},
		{registry.Builtin(), "vtsls", "vtsls.typescript.globalTsdk", folder},
		{own, "vtsls", "vtsls.typescript.globalTsdk", "/mine"},
	} {
		f := open(t, "-- x.ts --\n", Options{Servers: c.servers, LookPath: func(name string) (string, error) {
			if name == c.id {
				return filepath.Join(tools, "five/node_modules/typescript-language-server/lib/cli.mjs"), nil
			}
			return "", exec.ErrNotFound
		}})
		candidate := f.Candidates(filepath.Join(f.opts.Root, "x.ts"))[0]
		d := f.equipped(candidate)
		said := registry.Merged(d.InitializationOptions, d.Settings)
		for name := range strings.SplitSeq(c.at, ".") {
			var members map[string]json.RawMessage
			if err := json.Unmarshal(said, &members); err != nil {
				t.Fatal(err)
			}
			said = members[name]
		}
		var got string
		if err := json.Unmarshal(said, &got); err != nil || got != c.wants {
			t.Errorf("%s: %s is %q (%v), want %q", c.id, c.at, got, err, c.wants)
		}
	}
}
