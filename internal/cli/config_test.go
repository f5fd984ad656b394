package cli

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// config says of every value what it is and where it comes from, what is wrong and
// what a project asked for and did not get; secrets stay where they are.
func TestConfig(t *testing.T) {
	s := newShop(t, "-- .lspine.jsonc --\n{\"lsp\":{\"maxRestarts\":3,\n\"servers\":{\"gopls\":{\"command\":\"evil\"}}}}\n", lsptest.Script{})
	s.configFile = filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, s.configFile, `{"lsp": {
		"maxTotalLines": 7, "maxRestrats": 1,
		"servers": {
			"gopls": {"settings": {"gopls": {"staticcheck": true}}, "env": {"MY_TOKEN": "hush", "MODE": "x"}},
			"mine": {"command": "x", "extensions": [".x"]},
			"clangd": {"enabled": false}
		}
	}}`)
	s.change = func(streams *Streams) { streams.Environ = append(streams.Environ, "LSPINE_MAX_DEPENDANTS=5") }
	got := s.run("config")
	s.expect("config", got, 2, got.stdout)
	got.stdout = below(got.stdout, filepath.Dir(s.configFile), "HOME")
	golden(t, "config.golden", regexp.MustCompile(`\d+ built in`).ReplaceAllString(got.stdout, "N built in"))
	asJSON := s.run("config", "--json")
	s.expect("json", asJSON, 2, asJSON.stdout)
	var x explanation
	if err := json.Unmarshal([]byte(asJSON.stdout), &x); err != nil {
		t.Fatal(err)
	}
	if len(x.Servers) < 7 || len(x.Problems) != 1 || len(x.Untrusted) != 1 || strings.Contains(asJSON.stdout, "hush") {
		t.Errorf("%s", asJSON.stdout)
	}
	if !strings.HasPrefix(asJSON.stdout, "{\n  \"") || strings.Contains(asJSON.stdout, `\u003c`) {
		t.Errorf("it is not written for people: %.100s", asJSON.stdout)
	}
	plain := newShop(t, "", lsptest.Script{}).run("config")
	if plain.code != 0 || plain.stderr != "" {
		t.Errorf("without a problem: %d %s", plain.code, plain.stderr)
	}
	if schema := s.run("config", "schema"); schema.stdout != string(config.Schema()) || schema.code != 0 {
		t.Errorf("schema: %d", schema.code)
	}
}

// completion prints a script that the shell can read; another shell is an error
// that names those there are.
func TestCompletion(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		got := s.run("completion", shell)
		s.expect(shell, got, 0, got.stdout)
		if !strings.Contains(got.stdout, "lspine") {
			t.Errorf("%s: %.80s", shell, got.stdout)
		}
		if shell != "bash" {
			continue
		}
		bash, err := exec.LookPath("bash")
		if err != nil {
			continue
		}
		check := exec.Command(bash, "-n")
		check.Stdin = strings.NewReader(got.stdout)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("bash: %v\n%s", err, out)
		}
	}
	s.expect("another", s.run("completion", "tcsh"), 2, "", "shells are bash, zsh, fish, powershell")
	s.expect("none", s.run("completion"), 2, "", "takes one shell")
}
