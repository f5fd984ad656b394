package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A ruled is an engine over files of the toy language, under rules of the user.
type ruled struct {
	*engine.Engine
	t *testing.T
	// rules is the file that they stand in, journal what the server was told.
	root, rules, journal string
	writes               int
}

// plain is the script of a server that does as the toy does.
func plain(string) lsptest.Script { return lsptest.Script{} }

// openRuled opens a shop; the server plays the script for its root.
func openRuled(t *testing.T, scripted func(root string) lsptest.Script, archive, rules string) *ruled {
	t.Helper()
	r := &ruled{t: t, root: lsptest.Workspace(t, archive), rules: filepath.Join(t.TempDir(), "config.jsonc"), journal: filepath.Join(t.TempDir(), "journal")}
	lsptest.WriteFile(t, r.rules, rules)
	script := scripted(r.root)
	script.JournalFile = r.journal
	cfg, problems := config.Load(config.Options{Root: r.root, UserFile: r.rules, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{script.Definition(t)}
	var err error
	if r.Engine, err = engine.New(engine.Options{Root: r.root, Config: cfg, State: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r
}

// openRuledOn is openRuled for files that are prepared before the engine opens.
func openRuledOn(t *testing.T, prepare func(root string), rules string) *ruled {
	return openRuled(t, func(root string) lsptest.Script {
		prepare(root)
		return plain(root)
	}, "-- lib.toy --\ndef helper\n", rules)
}

// write asks for a new text of a file, and returns how that failed.
func (r *ruled) write(ctx context.Context, caller api.Caller, file string) *result.Error {
	r.writes++
	text := fmt.Sprintf("def other%d\n", r.writes)
	_, err := api.EditFiles.Do(ctx, caller, api.EditRequest{Edits: []api.FileEdit{{File: file, Content: &text}}})
	return result.ErrorOf(err)
}

func (r *ruled) text(file string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.root, file))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// A call that a rule denies names the rule, the file and the line that it stands in, and its
// reason; nothing was started for it, and nothing is written. What no rule is about goes on.
func TestDenialNamesItsRule(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, "{\"lsp\": {\"policy\": [\n"+
		`{"match": {"class": "edit", "path": "lib.toy"}, "action": "deny", "reason": "it is generated"}`+"\n]}}")
	got := r.write(t.Context(), r, "./sub/../lib.toy")
	want := &result.Error{
		Kind:    result.Denied,
		Message: "edit of lib.toy is denied by rule 1 of your policy (" + r.rules + ":2): it is generated",
		Hint:    "only the user can change that rule; lspine policy check edit lib.toy explains it",
		Data:    result.Data{Path: "lib.toy", Rule: result.Rule{Number: 1, Source: r.rules + ":2", Reason: "it is generated"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(r.journal); err == nil {
		t.Error("a server was started for a call that is denied")
	}
	if failed := r.write(t.Context(), r, "new.toy"); failed != nil {
		t.Error(failed)
	}
	if _, err := api.Check.Do(t.Context(), r, api.CheckRequest{Files: []string{"lib.toy"}}); err != nil {
		t.Error(err)
	}
}

// A path is the file that it leads to: links and other spellings do not get around a rule.
func TestLinksDoNotGetAroundRules(t *testing.T) {
	lsptest.NeedLinks(t)
	r := openRuled(t, plain, "-- toy.root --\n-- gen/lib.toy --\ndef helper\n", `{"lsp": {"policy": [{"match": {"path": "gen/**"}, "action": "deny"}]}}`)
	if err := os.Symlink("gen", filepath.Join(r.root, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link/lib.toy", "gen/new.toy", "link/new.toy", filepath.Join(r.root, "gen", "lib.toy"), "x/../gen/lib.toy"} {
		if failed := r.write(t.Context(), r, name); failed == nil || failed.Kind != result.Denied {
			t.Errorf("%s: %v", name, failed)
		}
	}
	if got := r.text("gen/lib.toy"); got != "def helper\n" {
		t.Errorf("the file is %q", got)
	}
}

// Where letters in another case name the same file, a rule about a path holds however the path is spelled. The disk of
// the workspace says whether that is so.
func TestOtherLettersDoNotGetAroundRules(t *testing.T) {
	for _, folds := range []bool{false, true} {
		r := openRuledOn(t, func(root string) {
			if !folds {
				return
			}
			if err := os.Link(filepath.Join(root, "lib.toy"), filepath.Join(root, "LIB.TOY")); err != nil { // as on a disk where they are one
				lsptest.Skip(t, "no hard links here: "+err.Error())
			}
		}, `{"lsp": {"policy": [{"match": {"path": "Gen/**"}, "action": "deny"}]}}`)
		failed := r.write(t.Context(), r, "gEN/new.toy")
		if denied := failed != nil && failed.Kind == result.Denied; denied != (folds || fspath.Here.FoldsCase) {
			t.Errorf("letters in another case are the same: %t; denied: %v", folds, failed)
		}
	}
}

// A rule about files holds for all that an operation changes, also for those that only the server
// knows of: a rename that reaches into them is denied as a whole, before anything is written.
func TestRulesHoldForWhatServersChange(t *testing.T) {
	renames := func(root string) lsptest.Script {
		edit := func(file string) string {
			return `"` + string(protocol.URIFromPath(filepath.Join(root, file))) + `":[{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":10}},"newText":"aid"}]`
		}
		return lsptest.Script{
			Capabilities: []byte(`{"renameProvider":true}`),
			Rules:        []lsptest.Rule{lsptest.On("textDocument/rename", lsptest.Reply(`{"changes":{`+edit("main.toy")+`,`+edit("lib.toy")+`}}`))},
		}
	}
	for file, kind := range map[string]result.Kind{"lib.toy": result.Denied, "elsewhere.toy": ""} {
		r := openRuled(t, renames, lsptest.Project, `{"lsp": {"policy": [{"match": {"path": "`+file+`"}, "action": "deny"}]}}`)
		_, err := api.Rename.Do(t.Context(), r, api.RenameRequest{Selector: api.Selector{At: "main.toy:1:5"}, NewName: "aid"})
		of, want := result.ErrorOf(err), []string{"use aid\n", "def aid\n"}
		if of == nil {
			of = &result.Error{}
		}
		if kind != "" {
			want = []string{"use helper\n", "def helper\n"}
		}
		if diff := cmp.Diff(want, []string{r.text("main.toy"), r.text("lib.toy")}); of.Kind != kind || diff != "" {
			t.Errorf("%s: %v %s", file, err, diff)
		}
	}
}

// A call that is asked about goes on when a person says yes, does not when he says no, and does as
// the fallback says where he cannot be asked or says nothing. The question is put once, and its
// answer is good for no other request.
func TestQuestionsOfThePolicy(t *testing.T) {
	for _, fallback := range []string{"allow", "deny"} {
		r := openRuled(t, plain, lsptest.Project, `{"lsp": {"askTimeout": 1234, "policy": [{"match": {"class": "edit"}, "action": "ask", "fallback": "`+fallback+`", "reason": "it is yours"}]}}`)
		denied := map[string]string{
			"refused": "edit is not allowed: the user was asked, and did not agree; the question is of rule 1 of your policy (" + r.rules + ":1): it is yours",
			"unasked": "edit is denied: nobody could be asked, or nobody answered; the question is of rule 1 of your policy (" + r.rules + ":1): it is yours",
		}
		if fallback == "allow" {
			denied["unasked"] = ""
		}
		for said, want := range map[api.Said]string{api.Yes: "", api.No: denied["refused"], api.Nothing: denied["unasked"], "": denied["unasked"]} {
			var asked []result.Question
			var caller api.Caller = r
			if said != "" {
				caller = api.Asking{Caller: r, Ask: func(_ context.Context, q result.Question) (api.Said, error) {
					asked = append(asked, q)
					return said, nil
				}}
			}
			got := ""
			if failed := r.write(t.Context(), caller, "new.toy"); failed != nil {
				got = failed.Message
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %q: %s", fallback, said, diff)
			}
			if said == "" {
				continue
			}
			text := "rule 1 of your policy (" + r.rules + ":1) asks first: it is yours"
			if len(asked) != 1 || asked[0].Text != text || asked[0].TimeoutMS != 1234 {
				t.Errorf("%+v", asked)
				continue
			}
			stale := api.Call{Asks: true, Answers: []api.Answer{{Question: asked[0].ID, Said: api.Yes}}}.In(t.Context())
			if failed := r.write(stale, r, "another.toy"); failed == nil || failed.Kind != result.NeedsApproval || failed.Data.Question.ID == asked[0].ID {
				t.Errorf("the answer to another question is taken: %v", failed)
			}
		}
	}
}

// What ends a question ends its call.
func TestAFailedQuestionEndsItsCall(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [{"action": "ask", "fallback": "allow"}]}}`)
	gone := errors.New("gone")
	caller := api.Asking{Caller: r, Ask: func(context.Context, result.Question) (api.Said, error) { return api.Yes, gone }}
	if _, err := api.Status.Do(t.Context(), caller, api.StatusRequest{}); !errors.Is(err, gone) {
		t.Error(err)
	}
}

// A front's own rule for a call and the policy count together: the stricter of the two.
func TestTheStricterOfFrontAndPolicyCounts(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [{"match": {"class": "edit", "client": "mcp/*"}, "action": "deny"}]}}`)
	for _, c := range []struct {
		client string
		own    api.Action
		want   string
	}{
		{"cli", "", ""},
		{"cli", api.Allow, ""},
		{"cli", api.Deny, "edit is denied by the flag"},
		{"mcp/x", api.Allow, "edit is denied by rule 1 of your policy (" + r.rules + ":1)"},
	} {
		ctx := api.Call{Client: c.client, Permission: api.Permission{Action: c.own, Source: "the flag", Advice: "take it away"}}.In(t.Context())
		got, hint := "", ""
		if failed := r.write(ctx, r, "new.toy"); failed != nil {
			got, hint = failed.Message, failed.Hint
		}
		if got != c.want || (c.own == api.Deny) != (hint == "take it away") {
			t.Errorf("%s, %q: %q (%s), want %q", c.client, c.own, got, hint, c.want)
		}
	}
}

// A rule that is about an operation which there is not is told where the policy is explained, and by
// the doctor: it never decides anything.
func TestRulesThatNeverMatch(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [{"match": {"operation": ["edit*", "renam"]}, "action": "deny"}]}}`)
	said := r.rules + `:1: lsp.policy: rule 1 is about "renam", and there is no such operation (lspine policy check NAME lists the operations where it knows none of that name)`
	explained, err := api.PolicyCheck.Do(t.Context(), r, api.PolicyRequest{Operation: "rename"})
	if diff := cmp.Diff([]string{said}, explained.Notes); diff != "" || err != nil {
		t.Error(err, diff)
	}
	examined, err := api.Doctor.Do(t.Context(), r, api.DoctorRequest{Files: []string{"main.toy"}})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, s := range examined.Symptoms {
		if strings.Contains(s.Message, `"renam"`) {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the doctor says %+v", examined.Symptoms)
	}
}

// Rules may be about servers: those that a request names, and those that serve its files.
func TestRulesAboutServers(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [{"match": {"server": "t*y"}, "action": "deny"}]}}`)
	_, byFile := api.Symbols.Do(t.Context(), r, api.SymbolsRequest{File: "lib.toy"})
	_, byName := api.Servers.Do(t.Context(), r, api.ServersRequest{Action: "list", Server: "toy"})
	_, other := api.Status.Do(t.Context(), r, api.StatusRequest{})
	var kinds []result.Kind
	for _, err := range []error{byFile, byName, other} {
		of := result.ErrorOf(err)
		if of == nil {
			of = &result.Error{}
		}
		kinds = append(kinds, of.Kind)
	}
	if diff := cmp.Diff([]result.Kind{result.Denied, result.Denied, ""}, kinds); diff != "" {
		t.Error(diff)
	}
}

// What the policy would do is said with its rule, by class where no rule decides, and under every
// policy; an operation that is none is an error that lists them.
func TestPolicyIsExplained(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policyMode": "sensitive", "policy": [
		{"match": {"operation": "rename", "path": "lib.*"}, "action": "ask", "reason": "public"},
		{"match": {"client": "mcp/x"}, "action": "deny"},
		{"match": {"class": "read"}, "action": "deny"}]}}`)
	for _, c := range []struct {
		request api.PolicyRequest
		want    result.Policy
	}{
		{
			api.PolicyRequest{Operation: "rename", Path: "sub/../lib.toy"},
			result.Policy{
				Operation: "rename", Class: "edit", Path: "sub/../lib.toy", Mode: "sensitive", Action: "ask", Fallback: "deny",
				Why: "rule 1 of your policy (" + r.rules + ":2)", Number: 1, Source: r.rules + ":2", Reason: "public",
			},
		},
		{
			api.PolicyRequest{Operation: "test", Client: "cli"},
			result.Policy{
				Operation: "test", Class: "execute", Client: "cli", Mode: "sensitive", Action: "ask", Fallback: "deny",
				Why: "the built-in rule for class execute", Reason: "it runs programs",
			},
		},
		{
			api.PolicyRequest{Operation: "servers", Client: "mcp/x"},
			result.Policy{
				Operation: "servers", Class: "admin", Client: "mcp/x", Mode: "sensitive", Action: "deny",
				Why: "rule 2 of your policy (" + r.rules + ":3)", Number: 2, Source: r.rules + ":3",
			},
		},
	} {
		got, err := api.PolicyCheck.Do(t.Context(), r, c.request)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%+v: %v %s", c.request, err, diff)
		}
	}
	_, err := api.PolicyCheck.Do(t.Context(), r, api.PolicyRequest{Operation: "renam"})
	if of := result.ErrorOf(err); of == nil || of.Kind != result.Argument || !strings.Contains(of.Hint, "rename") {
		t.Error(err)
	}
}
