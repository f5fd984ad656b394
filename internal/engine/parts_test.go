package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A rule that denies an operation holds for every request whose answer contains what it returns: nothing is asked of a
// server, and the denial and the explanation name the part.
func TestRulesHoldForWhatCallsContain(t *testing.T) {
	containing := make(map[string][]governedRequest)
	for _, op := range api.Operations() {
		for _, request := range attempts[op.Name] {
			for _, part := range op.Parts(json.RawMessage(request)) {
				containing[part] = append(containing[part], governedRequest{op, request})
			}
		}
	}
	if len(containing) < 15 {
		t.Errorf("few operations are parts of others: %d", len(containing))
	}
	for part, calls := range containing {
		r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [{"match": {"operation": "`+part+`"}, "action": "deny", "reason": "no"}]}}`)
		for _, c := range calls {
			want := &result.Error{
				Kind:    result.Denied,
				Message: c.op.Name + ", which contains " + part + ", is denied by rule 1 of your policy (" + r.rules + ":1): no",
				Hint:    "only the user can change that rule; lspine policy check " + part + " explains it",
				Data:    result.Data{Rule: result.Rule{Number: 1, Source: r.rules + ":1", Reason: "no"}},
			}
			got := result.ErrorOf(r.Call(t.Context(), c.op.Name, json.RawMessage(c.request), c.op.New()))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", c.op.Name, c.request, diff)
			}
			if !slices.Contains(c.op.Parts(json.RawMessage(`{}`)), part) {
				continue // not every request of it contains that
			}
			explained, err := api.PolicyCheck.Do(t.Context(), r, api.PolicyRequest{Operation: c.op.Name})
			said := []string{c.op.Name + " contains " + part + ", and the rule is about that"}
			if diff := cmp.Diff(said, explained.Notes); err != nil || explained.Action != "deny" || diff != "" {
				t.Errorf("%s: %v %s", c.op.Name, err, diff)
			}
		}
		if r.started() {
			t.Errorf("a server was started for what contains %s", part)
		}
	}
}

// A governedRequest is a request of an operation.
type governedRequest struct {
	op      api.Operation
	request string
}

// A rule that names the operation itself comes before later ones about what it contains, and after earlier ones; one
// about something else that it contains does not.
func TestTheFirstRuleDecidesAboutParts(t *testing.T) {
	allow, deny := `{"match": {"operation": "inspect"}, "action": "allow"}`, `{"match": {"operation": "definition"}, "action": "deny"}`
	for rules, denied := range map[string]bool{
		allow + "," + deny: false,
		deny + "," + allow: true,
		`{"match": {"operation": "outline"}, "action": "allow"},` + deny:                true,
		`{"match": {"operation": "inspect", "client": "x"}, "action": "allow"},` + deny: true,
		`{"match": {"class": "read"}, "action": "allow"},` + deny:                       false,
	} {
		r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [`+rules+`]}}`)
		_, err := api.Inspect.Do(t.Context(), r, api.InspectRequest{Selector: api.Selector{At: "main.toy:1:5"}})
		if of := result.ErrorOf(err); (of != nil && of.Kind == result.Denied) != denied {
			t.Errorf("%s: %v", rules, err)
		}
	}
}

// A turn closes although a rule denies what the items on the code around its errors contain: they are left out, and
// the answer says why.
func TestTurnsLeaveOutWhatIsDenied(t *testing.T) {
	for rule, want := range map[string][]string{
		`{"match": {"operation": "inspect"}, "action": "deny"}`:     {"what the code around the errors uses is not known: close_turn, which contains inspect, is denied by rule 1 of your policy (RULES:1)"},
		`{"match": {"operation": "assemble"}, "action": "ask"}`:     {"what the code around the errors uses is not known: close_turn, which contains assemble, is denied: nobody could be asked, or nobody answered; the question is of rule 1 of your policy (RULES:1)"},
		`{"match": {"operation": "completions"}, "action": "deny"}`: nil,
	} {
		r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [`+rule+`]}}`)
		if _, err := api.BeginTurn.Do(t.Context(), r, api.BeginTurnRequest{}); err != nil {
			t.Fatal(err)
		}
		broken := "def helper\nuse nothing\n"
		if _, err := api.EditFiles.Do(t.Context(), r, api.EditRequest{Edits: []api.FileEdit{{File: "lib.toy", Content: &broken}}}); err != nil {
			t.Fatal(err)
		}
		closed, err := api.CloseTurn.Do(t.Context(), r, api.CloseTurnRequest{})
		for i := range want {
			want[i] = strings.ReplaceAll(want[i], "RULES", r.rules)
		}
		if diff := cmp.Diff(want, closed.Notes); err != nil || diff != "" || len(closed.Items) != 1 {
			t.Errorf("%s: %v (-want +got):\n%s", rule, err, diff)
		}
	}
}

// Whether a step that a server drafts may be made in memory is decided as the operation that it is; a rule about a
// class counts for the whole call, which reads.
func TestRulesHoldForStepsOfSimulations(t *testing.T) {
	step := `{"action":"preview","edits":[{"rename":{"at":"main.toy:1:5","new_name":"aid"}}]}`
	text := `{"action":"preview","edits":[{"file":"main.toy","content":"def x\n"}]}`
	for rule, denied := range map[string]map[string]bool{
		`{"match": {"operation": "rename"}, "action": "deny"}`: {step: true, text: false},
		`{"match": {"operation": "edit"}, "action": "deny"}`:   {step: false, text: false},
		`{"match": {"class": "edit"}, "action": "deny"}`:       {step: false, text: false},
	} {
		r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [`+rule+`]}}`)
		for request, want := range denied {
			of := result.ErrorOf(r.Call(t.Context(), "simulate", json.RawMessage(request), &result.Simulation{}))
			if got := of != nil && of.Kind == result.Denied; got != want {
				t.Errorf("%s %s: %v", rule, request, of)
			}
		}
	}
	r := openRuled(t, plain, lsptest.Project, `{"lsp": {"policy": [{"match": {"operation": "edit"}, "action": "deny"}]}}`)
	for i, request := range []string{`{"action":"create"}`, `{"action":"edit","session":"s1","edits":[{"file":"main.toy","content":"def x\n"}]}`, `{"action":"commit","session":"s1"}`} {
		if err := r.Call(t.Context(), "simulate", json.RawMessage(request), &result.Simulation{}); err != nil {
			t.Fatal(i, err)
		}
	}
	err := r.Call(t.Context(), "simulate", json.RawMessage(`{"action":"commit","session":"s1","apply":true}`), &result.Simulation{})
	if of := result.ErrorOf(err); of == nil || of.Kind != result.Denied || r.text("main.toy") != "use helper\n" {
		t.Errorf("the session was written: %v", err)
	}
}
