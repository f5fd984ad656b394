package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// withRules returns a shop whose user has a policy.
func withRules(t *testing.T, rules string) *shop {
	t.Helper()
	s := newShop(t, "-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n", lsptest.Script{})
	text, err := os.ReadFile(s.configFile)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, s.configFile, strings.Replace(string(text), `{"lsp":{`, "{\"lsp\":{\n\"policy\": "+rules+",\n", 1))
	return s
}

// policy check says what would happen, which rule decides and where it stands, as text and as
// JSON, and runs nothing.
func TestPolicyCheck(t *testing.T) {
	s := withRules(t, `[{"match": {"class": "edit", "path": "lib.*"}, "action": "deny", "reason": "it is generated"}]`)
	s.expect("denied", s.run("policy", "check", "rename", "lib.toy"), 0,
		"rename lib.toy: denied\nby rule 1 of your policy (CONFIG:3)\nreason: it is generated\nclass edit, mode interactive, client cli\n")
	s.expect("by default", s.run("policy", "check", "test", "--client", "mcp/x"), 0,
		"test: asked about, and allowed where nobody can be asked or nobody answers\nby the built-in rule for class execute, mode interactive\nreason: it runs programs\nclass execute, mode interactive, client mcp/x\n")
	var got result.Policy
	if err := json.Unmarshal([]byte(s.run("policy", "check", "edit", "main.toy", "--json").stdout), &got); err != nil {
		t.Fatal(err)
	}
	want := result.Policy{Operation: "edit", Class: "edit", Path: "main.toy", Client: "cli", Mode: "interactive", Action: "allow", Why: "the built-in rule for class edit"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s.expect("none", s.run("policy", "check"), 2, "", "policy check takes an operation", "for example lspine policy check edit src/a.go")
	s.expect("unknown", s.run("policy", "check", "renam"), 2, "", `operation: there is no "renam"`, "operations are check, edit,")
}

// A verb that a rule denies changes nothing, and says which rule it was.
func TestDeniedVerb(t *testing.T) {
	s := withRules(t, `[{"match": {"client": "cli", "class": "edit"}, "action": "deny"}]`)
	s.stdin = "*** Begin Patch\n*** Update File: lib.toy\n-def helper\n+def aid\n*** End Patch\n"
	s.expect("edit", s.run("edit"), 2, "", "lspine: edit is denied by rule 1 of your policy (CONFIG:3)\n", "only the user can change that rule")
	text, err := os.ReadFile(filepath.Join(s.root, "lib.toy"))
	if err != nil || string(text) != "def helper\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// On a terminal the person is asked, and what he types decides; elsewhere nobody is, and the
// fallback does.
func TestTheTerminalIsAsked(t *testing.T) {
	t.Parallel()
	const question = "rule 1 of your policy (CONFIG:3) asks first: it is yours\nAllow edit? [y/N] "
	for _, c := range []struct {
		name, typed string
		terminal    bool
		code        int
		says        string
	}{
		{"yes", "y\n", true, 0, question},
		{"the whole word", " YES \n", true, 0, question},
		{"no", "n\n", true, 2, question + "lspine: edit is not allowed: the user was asked, and did not agree"},
		{"the end", "", true, 2, question + "lspine: edit is not allowed"},
		{"no terminal", "y\n", false, 2, "lspine: edit is denied: nobody could be asked"},
	} {
		s := withRules(t, `[{"match": {"class": "edit"}, "action": "ask", "reason": "it is yours"}]`)
		patch := filepath.Join(t.TempDir(), "patch")
		lsptest.WriteFile(t, patch, "*** Begin Patch\n*** Update File: main.toy\n use helper\n+use helper\n*** End Patch\n")
		s.stdin = c.typed
		s.change = func(streams *Streams) { streams.InTerminal, streams.ErrTerminal = c.terminal, c.terminal }
		got := s.run("edit", patch)
		if said := strings.ReplaceAll(got.stderr, "\r", ""); got.code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%s: exit code %d, %s", c.name, got.code, said)
		}
		text, err := os.ReadFile(filepath.Join(s.root, "main.toy"))
		if want := map[int]string{0: "use helper\nuse helper\n", 2: "use helper\n"}[c.code]; err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", c.name, text, err)
		}
	}
}

// Who types nothing in time has said nothing, and an interrupt ends the question.
func TestNobodyAtTheTerminal(t *testing.T) {
	in, typed := io.Pipe()
	defer func() { _ = typed.Close() }()
	var errs strings.Builder
	streams := &Streams{In: in, Err: &errs, InTerminal: true, ErrTerminal: true}
	said, err := askPerson(t.Context(), streams, "edit", result.Question{Text: "it is\x1byours", TimeoutMS: 1})
	if want := "\rit is\\x1byours\nAllow edit? [y/N] \n"; said != api.Nothing || err != nil || errs.String() != want {
		t.Errorf("%q, %v; asked %q, want %q", said, err, errs.String(), want)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := askPerson(interrupted, streams, "edit", result.Question{TimeoutMS: 3_600_000}); err == nil {
		t.Error("an interrupt does not end the question")
	}
}
