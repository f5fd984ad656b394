package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// offering is the script of a server whose actions and lenses are commands: "Mend" only runs one, "Tidy" edits main.toy
// first, and "Plain" is an edit without one.
func offering(root string) lsptest.Script {
	edit := `"edit":{"changes":{"` + string(protocol.URIFromPath(filepath.Join(root, "main.toy"))) + `":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"def tidied\n"}]}}`
	return lsptest.Script{
		Capabilities: json.RawMessage(`{"codeActionProvider":true,"codeLensProvider":{},"executeCommandProvider":{"commands":["toy.run"]}}`),
		Rules: []lsptest.Rule{
			lsptest.On("textDocument/codeAction", lsptest.Reply(`[{"title":"Mend","command":"toy.run"},{"title":"Tidy",`+edit+`,"command":{"title":"Run","command":"toy.run"}},{"title":"Plain",`+edit+`}]`)),
			lsptest.On("textDocument/codeLens", lsptest.Reply(`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"command":{"title":"run","command":"toy.run"}}]`)),
			lsptest.On("workspace/executeCommand", lsptest.Reply(`null`)),
		},
	}
}

// ran reports whether the server was told to execute a command.
func (r *ruled) ran() bool {
	for _, e := range lsptest.ReadJournal(r.t, r.journal) {
		if e.Method == "workspace/executeCommand" {
			return true
		}
	}
	return false
}

// apply applies the action with a title, and returns how that failed.
func (r *ruled) apply(ctx context.Context, caller api.Caller, title string) *result.Error {
	_, err := api.Fixes.Do(ctx, caller, api.FixesRequest{Selector: api.Selector{File: "main.toy", Line: 1}, Title: title})
	return result.ErrorOf(err)
}

// An action that carries a command needs what the command needs: a rule against running programs, or against the
// operation that executes commands, denies it before the command is sent and before its edit is written. Actions
// without a command are made as ever.
func TestCommandsOfActionsAreDecidedAsCommands(t *testing.T) {
	for rule, why := range map[string]string{
		`{"match": {"class": "execute"}, "action": "deny", "reason": "nothing is run"}`:             "is denied by rule 1 of your policy (RULES:1): nothing is run",
		`{"match": {"operation": "execute_command"}, "action": "deny", "reason": "nothing is run"}`: "is denied by rule 1 of your policy (RULES:1): nothing is run",
	} {
		for _, title := range []string{"Mend", "Tidy", "Plain"} {
			r := openRuled(t, offering, lsptest.Project, `{"lsp": {"policy": [`+rule+`]}}`)
			before := r.text("main.toy")
			want := &result.Error{
				Kind:    result.Denied,
				Message: "fixes, which runs the command toy.run of toy, " + strings.ReplaceAll(why, "RULES", r.rules),
				Hint:    "only the user can change that rule; lspine policy check execute_command explains it",
				Data:    result.Data{Rule: result.Rule{Number: 1, Source: r.rules + ":1", Reason: "nothing is run"}},
			}
			changed := false
			if title == "Plain" {
				want, changed = nil, true
			}
			if diff := cmp.Diff(want, r.apply(t.Context(), r, title)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", rule, title, diff)
			}
			explained, err := api.PolicyCheck.Do(t.Context(), r, api.PolicyRequest{Operation: "fixes"})
			said := []string{"an action that runs a command of a server also needs permission for class execute, as execute_command does"}
			if diff := cmp.Diff(said, explained.Notes); err != nil || explained.Action != "allow" || diff != "" {
				t.Errorf("%s: %v %+v %s", rule, err, explained, diff)
			}
			if r.ran() || changed != (r.text("main.toy") != before) {
				t.Errorf("%s, %s: a command ran: %t; main.toy is %q", rule, title, r.ran(), r.text("main.toy"))
			}
		}
	}
}

// In sensitive mode a person who lets an edit be made is asked again about the command that it turns out to carry, and
// nothing is written or run if he says no to that; an action without a command is one question.
func TestCommandsOfActionsAreAskedAbout(t *testing.T) {
	const edits, runs = "the built-in rule for class edit, mode sensitive asks first: it changes files",
		"run the command toy.run of toy? the built-in rule for class execute asks first: it runs programs"
	for _, c := range []struct {
		title string
		no    string // the question that is answered with no
		asked []string
		ran   bool
	}{
		{"Mend", "", []string{edits, runs}, true},
		{"Mend", runs, []string{edits, runs}, false},
		{"Tidy", "", []string{edits, runs}, true},
		{"Tidy", runs, []string{edits, runs}, false},
		{"Plain", "", []string{edits}, false},
	} {
		r := openRuled(t, offering, lsptest.Project, `{"lsp": {"policyMode": "sensitive", "policy": [{"match": {"operation": "start_server"}, "action": "allow"}]}}`)
		before, asked := r.text("main.toy"), []string(nil)
		failed := r.apply(t.Context(), api.Asking{Caller: r, Ask: func(_ context.Context, q result.Question) (api.Said, error) {
			asked = append(asked, q.Text)
			if q.Text == c.no {
				return api.No, nil
			}
			return api.Yes, nil
		}}, c.title)
		if diff := cmp.Diff(c.asked, asked); diff != "" || (failed != nil) != (c.no != "") {
			t.Errorf("%s, no to %q: %v (-want +got):\n%s", c.title, c.no, failed, diff)
		}
		if changed := r.text("main.toy") != before; r.ran() != c.ran || c.no != "" && changed {
			t.Errorf("%s, no to %q: a command ran: %t, files changed: %t", c.title, c.no, r.ran(), changed)
		}
	}
}

// What executes commands by its name is held by the rule about the server that it turns out to ask, and by a rule
// about execute_command.
func TestCommandsOfServersWithRules(t *testing.T) {
	for rule, of := range map[string]string{
		`{"match": {"server": "toy", "class": "execute"}, "action": "deny"}`: "both",
		`{"match": {"operation": "execute_command"}, "action": "deny"}`:      "both",
		`{"match": {"operation": "execute_code_lens"}, "action": "deny"}`:    "lens",
	} {
		r := openRuled(t, offering, lsptest.Project, `{"lsp": {"policy": [`+rule+`]}}`)
		if _, err := api.Symbols.Do(t.Context(), r, api.SymbolsRequest{File: "main.toy"}); err != nil {
			t.Fatal(err)
		}
		_, byCommand := api.ExecuteCommand.Do(t.Context(), r, api.CommandRequest{Command: "toy.run", Confirm: true})
		_, byLens := api.ExecuteLens.Do(t.Context(), r, api.ExecuteLensRequest{File: "main.toy", Number: 1, Confirm: true})
		denied := func(err error) bool { of := result.ErrorOf(err); return of != nil && of.Kind == result.Denied }
		if denied(byCommand) != (of == "both") || !denied(byLens) || r.ran() == (of == "both") {
			t.Errorf("%s: the command: %v; the lens: %v; ran: %t", rule, byCommand, byLens, r.ran())
		}
	}
}

// Documentation that is made by building the project, which runs its code, needs what a build needs; nobody is asked
// about it.
func TestBuildsForDocumentationAreDecidedAsBuilds(t *testing.T) {
	if runtime.GOOS == "windows" {
		lsptest.Skip(t, "the tool is a script")
	}
	tools := t.TempDir()
	mark := filepath.Join(tools, "ran")
	lsptest.WriteFile(t, filepath.Join(tools, "cargo"), "#!/bin/sh\necho ran > "+mark+"\n")
	if err := os.Chmod(filepath.Join(tools, "cargo"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	for settings, want := range map[string]bool{
		`"policy": []`: true,
		`"policy": [{"match": {"class": "execute"}, "action": "deny"}]`:   false,
		`"policy": [{"match": {"operation": "build"}, "action": "deny"}]`: false,
		`"policyMode": "non-interactive"`:                                 false,
		`"policyMode": "sensitive"`:                                       false,
	} {
		_ = os.Remove(mark)
		r := openRuled(t, plain, "-- toy.root --\n-- Cargo.toml --\n[package]\nname = \"a\"\nversion = \"0.1.0\"\n", `{"lsp": {`+settings+`}}`)
		caller := api.Asking{Caller: r, Ask: func(_ context.Context, q result.Question) (api.Said, error) {
			t.Errorf("%s: asked %q", settings, q.Text)
			return api.Yes, nil
		}}
		_, err := api.Documentation.Do(t.Context(), caller, api.DocumentationRequest{Selector: api.Selector{Symbol: "a::b", Language: "rust"}})
		if err == nil {
			t.Errorf("%s: there is documentation", settings)
		}
		if _, err := os.Stat(mark); (err == nil) != want {
			t.Errorf("%s: the tool ran: %t", settings, err == nil)
		}
	}
}

// A command is run once: what it turns out to change is not asked about any more, as the call cannot be put again, and
// the fallback of the rule decides.
func TestCommandsAreRunOnce(t *testing.T) {
	for fallback, changed := range map[string]bool{"allow": true, "deny": false} {
		applies := func(root string) lsptest.Script {
			script := offering(root)
			edit := `{"edit":{"changes":{"` + string(protocol.URIFromPath(filepath.Join(root, "lib.toy"))) + `":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"def more\n"}]}}}`
			script.Rules[2] = lsptest.On("workspace/executeCommand", lsptest.AskFirst("workspace/applyEdit", edit), lsptest.Reply(`null`))
			return script
		}
		r := openRuled(t, applies, lsptest.Project, `{"lsp": {"policy": [{"match": {"path": "lib.toy"}, "action": "ask", "fallback": "`+fallback+`"}, {"action": "allow"}]}}`)
		before := r.text("lib.toy")
		failed := r.apply(t.Context(), api.Asking{Caller: r, Ask: func(_ context.Context, q result.Question) (api.Said, error) {
			t.Errorf("asked %q", q.Text)
			return api.Yes, nil
		}}, "Mend")
		runs := 0
		for _, e := range lsptest.ReadJournal(t, r.journal) {
			if e.Method == "workspace/executeCommand" {
				runs++
			}
		}
		if got := r.text("lib.toy") != before; got != changed || (failed == nil) != changed || runs != 1 {
			t.Errorf("fallback %s: %d runs, changed: %t, %v", fallback, runs, got, failed)
		}
	}
}
