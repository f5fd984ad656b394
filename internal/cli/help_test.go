package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// Help is what it was meant to be, word for word, goes to standard output and
// is no failure.
func TestHelp(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	for _, command := range []string{"", "check", "doctor", "servers", "status", "simulate", "mcp", "hook", "hook install", "hook uninstall", "skills", "skills list", "skills show", "skills install", "skills uninstall", "init", "uninstall", "trust", "untrust", "config", "config schema", "policy", "policy check", "evidence", "evidence verify", "evidence show", "evidence tail", "completion", "update", "version"} {
		args := append(strings.Fields(command), "--help")
		got := s.run(args...)
		name := "lspine"
		if command != "" {
			name = strings.ReplaceAll(command, " ", "_")
		}
		golden(t, "help_"+name+".golden", got.stdout)
		s.expect(name, got, 0, got.stdout)
	}
	bare := s.run()
	s.expect("no command", bare, 0, s.run("--help").stdout)
}

// The version is one line.
func TestVersion(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	got := s.run("version")
	s.expect("version", got, 0, got.stdout)
	if !strings.HasPrefix(got.stdout, "lspine ") || strings.Count(got.stdout, "\n") != 1 || !strings.Contains(got.stdout, "go1.") {
		t.Errorf("got %q", got.stdout)
	}
	id, day := commit, date
	defer func() { commit, date = id, day }()
	commit, date = "0123456789ab", "2026-01-02"
	got = s.run("version")
	s.expect("version with its commit", got, 0, got.stdout)
	if !strings.Contains(got.stdout, " (commit 0123456789ab 2026-01-02, go1.") {
		t.Errorf("got %q", got.stdout)
	}
	for _, flag := range []string{"--version", "-v"} {
		s.expect(flag, s.run(flag), 0, got.stdout)
	}
}

// help is --help, also of one command; what is none is said.
func TestHelpAsCommand(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	s.expect("help", s.run("help"), 0, s.run("--help").stdout)
	s.expect("help check", s.run("help", "check"), 0, s.run("check", "--help").stdout)
	s.expect("help config schema", s.run("help", "config", "schema"), 0, s.run("config", "schema", "--help").stdout)
	s.expect("help nothing", s.run("help", "nothing"), 2, "", `there is no command "nothing"`, "lspine help lists the commands")
}

// status lists the servers that are there, those that files lack, and what is wrong
// with the configuration; its JSON says the same; --all lists every known one.
func TestStatus(t *testing.T) {
	s := newShop(t, "-- .lspine.jsonc --\n{\"lsp\":{\"servers\":{\"mine\":{\"command\":\"evil\",\"extensions\":[\".x\"]}},\"maxRestrats\":1}}\n-- a.go --\n-- b.rs --\n-- go.mod --\n", lsptest.Script{})
	t.Setenv("PATH", "")
	got := s.run("status")
	s.expect("status", got, 0, got.stdout, "maxRestrats", "mine")
	for _, want := range []string{"LSP server status:\n", "\n  toy: stopped\n", "\n  gopls: unavailable (gopls not found in PATH)\n    install it: lspine install gopls", "problem: ", "maxRestrats"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("status does not say %q:\n%s", want, got.stdout)
		}
	}
	if strings.Contains(got.stdout, "pyright") || !strings.Contains(got.stdout, "more are known") {
		t.Errorf("status tells of what nobody needs:\n%s", got.stdout)
	}
	if all := s.run("status", "--all"); !strings.Contains(all.stdout, "\n  pyright: unavailable") || strings.Contains(all.stdout, "more are known") {
		t.Errorf("all:\n%s", all.stdout)
	}
	var status result.Status
	text := s.run("status", "--json").stdout
	if err := json.Unmarshal([]byte(text), &status); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "{\n  \"") {
		t.Errorf("it is not written for people: %.100s", text)
	}
	states := make(map[string]string)
	for _, server := range status.Servers {
		states[server.ID] = server.State
	}
	if status.Root != "ROOT" || states["toy"] != "stopped" || states["gopls"] != "unavailable" || len(status.Problems) == 0 {
		t.Errorf("got %+v", status)
	}
}

// Only the command that runs is made. All are, and each under its own name, where the first argument names none.
func TestOnlyTheCommandThatRunsIsMade(t *testing.T) {
	names := func(only string) (names []string) {
		for _, cmd := range newRoot(&Streams{}, only).Commands() {
			names = append(names, cmd.Name())
		}
		slices.Sort(names)
		return names
	}
	all := slices.Sorted(maps.Keys(makers()))
	for only, want := range map[string][]string{"": all, "--root": all, "chekc": all, "help": all, "check": {"check"}, "completion": {"completion"}} {
		if diff := cmp.Diff(want, names(only)); diff != "" {
			t.Errorf("%q, -want +got:\n%s", only, diff)
		}
	}
	s := newShop(t, "", lsptest.Script{})
	if alone, among := s.run("completion", "zsh"), s.run("--root", s.root, "completion", "zsh"); alone.code != 0 || alone != among {
		t.Errorf("the script for completion depends on which commands are made: %+v", alone)
	}
}

// A configuration that is read says nothing of servers until they are needed: to list them, or to know whether one that is named
// is known.
func TestServersAreReadWhenTheyAreNeeded(t *testing.T) {
	read := func() *config.Config {
		cfg, _ := (&global{}).readConfig(&Streams{Environ: []string{"HOME=" + t.TempDir()}}, t.TempDir())
		return cfg
	}
	cfg := read()
	if err := knownServers(cfg, nil); err != nil || cfg.Servers != nil {
		t.Errorf("none is named: %v; %d servers are read", err, len(cfg.Servers))
	}
	if err := knownServers(read(), []string{"gopls"}); err != nil {
		t.Error(err)
	}
	var unknown *api.ArgumentError
	if err := knownServers(read(), []string{"nope"}); !errors.As(err, &unknown) || unknown.Argument != "server" {
		t.Errorf("an unknown one: %v", err)
	}
	if all := len(registry.Builtin()); explain(read(), nil).builtin != all {
		t.Errorf("%d servers are listed, not %d", explain(read(), nil).builtin, all)
	}
}

// Without arguments, the help is printed.
func TestNoArguments(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Run(t.Context(), nil, &Streams{Out: &out, Err: &errs}); code != 0 || !strings.Contains(out.String(), "lspine [command]") || errs.Len() > 0 {
		t.Errorf("exit code %d, %q, %q", code, out.String(), errs.String())
	}
}
