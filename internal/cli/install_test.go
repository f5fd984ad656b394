package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/install"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// newBareShop returns a shop of a person who has nothing but what is in the folder bin of the
// workspace, and the folder of that person.
func newBareShop(t *testing.T, archive string) (s *shop, home string) {
	t.Helper()
	s = newShop(t, "-- bin/other --\n"+archive, lsptest.Script{})
	bin := filepath.Join(s.root, "bin")
	t.Setenv("PATH", bin)
	makeExecutable(t, bin)
	home = t.TempDir()
	s.change = func(st *Streams) { st.Environ = homeIn(home) }
	return s, home
}

// wayOf is how a server is installed, as install says it.
func wayOf(t *testing.T, id string) (by, packages string) {
	t.Helper()
	way, known := install.WayOf(id)
	if !known {
		t.Fatalf("%s cannot be installed", id)
	}
	return way.By, strings.Join(way.Packages, " ")
}

// getIt is how a person gets a server that lspine cannot install.
func getIt(t *testing.T, id string) string {
	t.Helper()
	d, known := registry.Builtin().Get(id)
	if !known {
		t.Fatalf("%s is not known", id)
	}
	return strings.Join(d.Install, "   or   ")
}

// What install is asked for is refused before anything of it is done, with what to do instead; and
// where there is nothing to do, that is said.
func TestInstallOfNothing(t *testing.T) {
	s, _ := newBareShop(t, "-- a.toy --\nfine\n")
	for args, want := range map[string]outcomeOf{
		"":                  {exitUsage, "", "lspine: install takes the servers to install\n  lspine install --for . finds those that the files here need; --list names all\n"},
		"--json gopls":      {exitUsage, "", "lspine: --json goes with --list alone\n  lspine install --list --json\n"},
		"gopls clangd":      {exitUsage, "", "lspine: lspine cannot install clangd here\n  get it yourself: " + getIt(t, "clangd") + "\n"},
		"--upgrade":         {exitClean, "", "lspine: every installed server is at its version\n"},
		"--for .":           {exitClean, "", "lspine: nothing to install\n"},
		"--for a.toy gopls": {exitUsage, "", "lspine: --for: ROOT/a.toy is not a folder\n  name the folder that holds it\n"},
	} {
		if diff := cmp.Diff(want, s.run(append([]string{"install"}, strings.Fields(args)...)...), cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("install %s: %s", args, diff)
		}
	}
	s.expect("an unknown server", s.run("install", "gopls", "goplz"), exitUsage, "", `no server "goplz" is known`, "known are: ", " clangd, ", ", toy")
	lsptest.WriteFile(t, s.configFile, "{,}\n")
	s.expect("a broken configuration", s.run("install", "--for", "."), exitUsage, "", "CONFIG:1:", "fix the file")
}

// With --dry-run it is said how each server would be installed, and nothing is: not the ones named,
// and not those that the files of a folder need.
func TestInstallDry(t *testing.T) {
	s, home := newBareShop(t, "-- sub/go.mod --\nmodule m\n-- sub/main.go --\npackage main\n-- sub/a.c --\nint x;\n")
	line := func(id, more string) string {
		by, packages := wayOf(t, id)
		return fmt.Sprintf("%s: by %s: %s%s\n", id, by, packages, more)
	}
	s.expect("two named", s.run("install", "--dry-run", "gopls", "devsense-php"), exitClean, line("gopls", "")+line("devsense-php", ", whose install scripts run"))
	want := outcomeOf{exitClean, line("gopls", ""), "lspine: clangd is missing, and lspine cannot install it: " + getIt(t, "clangd") + "\n"}
	if diff := cmp.Diff(want, s.run("install", "--dry-run", "--for", "sub"), cmp.AllowUnexported(outcomeOf{})); diff != "" {
		t.Errorf("those of a folder: %s", diff)
	}
	want.stdout = line("pyright", "") + want.stdout
	if diff := cmp.Diff(want, s.run("install", "--dry-run", "--for", "sub", "pyright"), cmp.AllowUnexported(outcomeOf{})); diff != "" {
		t.Errorf("those of a folder, and one that is named: %s", diff)
	}
	if _, err := os.Stat(install.Folder(homeIn(home))); err == nil {
		t.Error("there is a folder of installed servers")
	}
}

// One server that cannot be installed does not keep others from it; each failure is told, with what
// is to be done about it.
func TestInstallSome(t *testing.T) {
	s, _ := newBareShop(t, "")
	tool, script := filepath.Join(s.root, "bin", "rustup"), "#!/bin/sh\n"
	if fspath.Here.Drives {
		tool, script = tool+".cmd", "@exit /b 0\r\n"
	}
	if err := os.WriteFile(tool, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	tries := func(id string) string {
		by, packages := wayOf(t, id)
		return fmt.Sprintf("lspine: %s by %s: %s …\n", id, by, packages)
	}
	s.trusted() // the programs of this test lie in its checkout
	got := s.run("install", "gopls", "rust-analyzer", "pyright")
	want := tries("gopls") + tries("rust-analyzer") + tries("pyright") +
		"lspine: gopls is installed by go, which is not on PATH\n  install "
	if got.code != exitUsage || got.stdout != "rust-analyzer: added by rustup\n" || !strings.HasPrefix(got.stderr, want) ||
		strings.Count(got.stderr, "lspine: pyright is installed by npm, which is not on PATH\n  install Node.js") != 1 || strings.Count(got.stderr, "\n") != 7 {
		t.Errorf("%+v", got)
	}
	got = s.run("install", "rust-analyzer")
	if diff := cmp.Diff(outcomeOf{exitClean, "rust-analyzer: added by rustup\n", tries("rust-analyzer")}, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
		t.Errorf("one alone: %s", diff)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if got := s.runIn(ctx, "install", "gopls", "pyright"); got.code != exitInterrupted || got.stderr != tries("gopls")+"lspine: interrupted\n" {
		t.Errorf("interrupted: %+v", got)
	}
}

// What came of an installation is told in a line: whether it was there, how long it took and where
// it is; and what a person must know to use it.
func TestInstallTells(t *testing.T) {
	way := install.Way{ID: "one", Version: "1.2", By: "npm"}
	for name, c := range map[string]struct {
		outcome     install.Outcome
		out, stderr string
	}{
		"new":           {install.Outcome{Installed: install.Installed{Folder: "F"}}, "one 1.2: installed in 1.5 s: F\n", ""},
		"there already": {install.Outcome{Installed: install.Installed{Folder: "F"}, Already: true}, "one 1.2 is there already: F\n", ""},
		"elsewhere":     {install.Outcome{}, "one 1.2: added by npm\n", ""},
		"with everything": {
			install.Outcome{Installed: install.Installed{Folder: "F"}, Lacks: []string{"node", "java"}, Before: "P", Kept: []string{"K", "L"}},
			"one 1.2: installed in 1.5 s: F\n",
			"lspine: one runs with node, which is not on PATH\nlspine: one runs with java, which is not on PATH\n" +
				"lspine: P on PATH is used before it\n" +
				"lspine: K is still in use; lspine install --upgrade removes it later\nlspine: L is still in use; lspine install --upgrade removes it later\n",
		},
	} {
		var out, errs bytes.Buffer
		tellInstalled(&Streams{Out: &out, Err: &errs}, way, c.outcome, 1500*time.Millisecond)
		if diff := cmp.Diff([]string{c.out, c.stderr}, []string{out.String(), errs.String()}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Of the missing servers of a group the first is wanted that lspine can install; if it can install
// none, a person is told how to get the first. What is not missing, or cannot be got, is not named.
func TestMissingServers(t *testing.T) {
	missing := func(ids ...string) (states []result.ServerState) {
		for _, id := range ids {
			states = append(states, result.ServerState{ID: id, State: "unavailable", Install: []string{"get " + id, "or so"}})
		}
		return states
	}
	told := func(id string) string {
		return id + " is missing, and lspine cannot install it: get " + id + "   or   or so"
	}
	running, unknown := missing("pyright", "taplo"), missing("gopls")
	running[0].State, running[1].State = "active", "stopped"
	unknown[0].Install = nil
	for name, c := range map[string]struct {
		detected []result.ServerState
		want     need
	}{
		"none":                        {nil, need{}},
		"ours first":                  {missing("tombi", "taplo"), need{installable: []string{"tombi"}}},
		"ours last":                   {missing("taplo", "tombi"), need{installable: []string{"tombi"}}},
		"two of ours":                 {missing("vtsls", "typescript"), need{installable: []string{"vtsls"}}},
		"none of ours":                {missing("ccls", "clangd"), need{others: []string{told("ccls")}}},
		"two groups":                  {missing("clangd", "taplo", "tombi", "ccls"), need{installable: []string{"tombi"}, others: []string{told("clangd")}}},
		"without a group":             {missing("lemminx", "marksman"), need{others: []string{told("lemminx"), told("marksman")}}},
		"not missing":                 {running, need{}},
		"nobody knows how to get one": {unknown, need{}},
	} {
		cfg, problems := config.Load(config.Options{Root: t.TempDir(), Environ: homeIn(t.TempDir()), Sparse: true})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if diff := cmp.Diff(c.want, missingOf(cfg, c.detected), cmp.AllowUnexported(need{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// installedBefore puts a version of a server into the store of a person, and returns its folder.
func installedBefore(t *testing.T, home, id, version string) string {
	t.Helper()
	dir := filepath.Join(install.Folder(homeIn(home)), id, version+"-00000000")
	text, err := json.Marshal(map[string]any{"package": id, "version": version, "servers": map[string]any{id: map[string]any{"programs": map[string]string{}}}})
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(dir, "lspine.json"), string(text))
	return dir
}

// The list has what is installed, first, and everything that can be; as JSON it says the same.
func TestInstallList(t *testing.T) {
	s, home := newBareShop(t, "")
	dir := installedBefore(t, home, "pyright", "1.0.0")
	got := s.run("install", "--list")
	lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	s.expect("list", got, exitClean, got.stdout)
	ways := install.Ways()
	if len(lines) != len(ways) { // the installed one stands in its place
		t.Errorf("%d lines for %d servers:\n%s", len(lines), len(ways), got.stdout)
	}
	if diff := cmp.Diff("pyright 1.0.0 outdated (lspine install --upgrade) "+dir, strings.Join(strings.Fields(lines[0]), " ")); diff != "" {
		t.Errorf("what is installed: %s", diff)
	}
	gopls := ways[slices.IndexFunc(ways, func(w install.Way) bool { return w.ID == "gopls" })]
	if !slices.ContainsFunc(lines, func(line string) bool {
		return cmp.Equal(strings.Fields(line), []string{"gopls", gopls.Version, "available", "by", gopls.By})
	}) {
		t.Errorf("gopls is not in it:\n%s", got.stdout)
	}
	got = s.run("install", "--list", "--json")
	s.expect("as JSON", got, exitClean, got.stdout)
	var list serverList
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil {
		t.Fatal(err)
	}
	want := serverList{install.Folder(homeIn(home)), []install.Installed{{ID: "pyright", Version: "1.0.0", Folder: dir, Outdated: true}}, ways}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("as JSON: %s", diff)
	}
	if !strings.Contains(got.stdout, "\n  \"installed\": [\n") {
		t.Errorf("it is not for people:\n%s", got.stdout)
	}
}

// What is outdated is upgraded without being named, or those that are named; if that fails, what
// is there stays.
func TestInstallUpgrade(t *testing.T) {
	s, home := newBareShop(t, "")
	dir := installedBefore(t, home, "pyright", "1.0.0")
	for args, id := range map[string]string{"": "pyright", "gopls": "gopls"} {
		by, packages := wayOf(t, id)
		s.expect(args, s.run(append([]string{"install", "--upgrade", "--dry-run"}, strings.Fields(args)...)...), exitClean, fmt.Sprintf("%s: by %s: %s\n", id, by, packages))
	}
	s.expect("without npm", s.run("install", "--upgrade"), exitUsage, "", "lspine: pyright by npm", "pyright is installed by npm, which is not on PATH")
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// remove takes away every version of the servers that it is told, until one is not there.
func TestRemove(t *testing.T) {
	s, home := newBareShop(t, "")
	s.expect("nothing", s.run("remove"), exitUsage, "", "lspine: remove takes the servers to remove\n  lspine install --list says what is installed\n")
	older, newer := installedBefore(t, home, "pyright", "1.0.0"), installedBefore(t, home, "pyright", "1.1.0")
	s.expect("both versions", s.run("remove", "pyright", "gopls"), exitUsage, fmt.Sprintf("pyright: removed: %s\npyright: removed: %s\n", older, newer), "gopls was not installed by lspine")
	if left := filesBelow(t, install.Folder(homeIn(home))); !cmp.Equal(left, []string{".lock"}) {
		t.Errorf("left is %v", left)
	}
	s.expect("again", s.run("remove", "pyright"), exitUsage, "", "pyright was not installed by lspine")
}
