package simulation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// Renames, fixes and edits of declarations are steps of a session: each is drafted by servers that
// see the steps before, and none is on disk, or seen by anybody else, before the commit.
func TestServersDraftStepsOfWhatASessionHas(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	session := simulate(t, s, api.SimulateRequest{Action: "create"}).Session
	step := func(edits string) result.Simulation {
		t.Helper()
		answer, err := ask(t, s, `{"action":"edit","session":"`+session+`","timeout_ms":60000,"edits":`+edits+`}`)
		if err != nil {
			t.Fatalf("%s: %v", edits, err)
		}
		return answer
	}
	evaluated := func(want string) {
		t.Helper()
		if got := said(simulate(t, s, api.SimulateRequest{Action: "evaluate", Session: session}).Evaluation); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	step(`[{"rename":{"at":"calc/calc.go Twice","new_name":"Double"}}]`)
	evaluated("clean high")
	// Double is a name that only the session knows; so is the new file.
	step(`[{"file":"app/more.go","content":"package app\n\nimport \"example.com/m/calc\"\n\nvar more = calc.Double(3)\n"},
		{"edit_symbol":{"at":"calc/calc.go Double","action":"replace","code":"func Double(a, n int) int { return Add(a, n) }"}}]`)
	evaluated("new_errors high +app/app.go: not enough arguments in call to calc.Double\n\thave (number)\n\twant (int, int)" +
		" +app/more.go: not enough arguments in call to calc.Double\n\thave (number)\n\twant (int, int)" +
		" +calc/calc_test.go: not enough arguments in call to Double\n\thave (number)\n\twant (int, int)")
	step(`[{"rename":{"at":"calc/calc.go Double","new_name":"Sum"}},{"file":"app/app.go","old_text":"Sum(2)","new_text":"Sum(2, 2)"},
		{"file":"calc/calc_test.go","old_text":"Sum(1)","new_text":"Sum(1, 1)"},{"file":"app/more.go","content":"package app\n\nvar more = fmt.Sprint(3)\n"}]`)
	step(`[{"fix":{"file":"app/more.go","only":["source.organizeImports"],"apply":1}}]`)
	evaluated("clean high")

	if got := s.Read("calc/calc.go") + s.Read("app/app.go"); strings.Contains(got, "Double") || s.Exists("app/more.go") {
		t.Errorf("the disk has %s", got)
	}
	if places := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: "calc/calc.go Twice"}}); places.Total != 2 {
		t.Errorf("outside of the session there are %d uses: %+v", places.Total, places)
	}
	if committed := simulate(t, s, api.SimulateRequest{Action: "commit", Session: session, Apply: true}); committed.Commit.Verdict != "clean" {
		t.Errorf("%+v", committed.Commit)
	}
	if got := s.Read("app/more.go"); !strings.Contains(got, `import "fmt"`) {
		t.Errorf("more.go is %s", got)
	}
}

// ask runs a step that is JSON.
func ask(t *testing.T, caller api.Caller, request string) (answer result.Simulation, err error) {
	t.Helper()
	err = caller.Call(t.Context(), "simulate", json.RawMessage(request), &answer)
	return answer, err
}

// What is wrong with a step names it, and leaves the session as it was.
func TestWrongStepsLeaveTheSession(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	session := simulate(t, s, api.SimulateRequest{Action: "create"}).Session
	for edits, says := range map[string]string{
		`[{"file":"app/app.go","old_text":"a.Add","new_text":"a.And"},{"rename":{"at":"calc/calc.go Twice","new_name":"no name"}}]`:           "edits[1].rename.new_name",
		`[{"file":"app/app.go","old_text":"a.Add","new_text":"a.And"},{"rename":{"at":"calc/calc.go Twice","new_name":"T"}},{"file":"x.go"}]`: "edits[2]",
		`[{"rename":{"at":"calc/calc.go Twice","new_name":"T","mode":"apply"}}]`:                                                              "edits[0].rename.mode",
		`[{"edit_symbol":{"at":"calc/calc.go Twice","action":"delete"}}]`:                                                                     "it is used",
		`[{"fix":{"file":"app/app.go"}}]`: "edits[0].fix.apply",
		`[{"file":"app/app.go","content":"","rename":{"at":"calc/calc.go Twice","new_name":"T"}}]`: "several changes: rename, an edit of a file",
		`[{}]`: "edits[0]: it says no change",
		`[{"file":"app/app.go","range":{"start_line":1,"start_column":1,"end_line":3,"end_column":1},"new_text":"x"},{"file":"app/app.go","range":{"start_line":2,"start_column":1,"end_line":2,"end_column":2},"new_text":"y"}]`: "overlap",
	} {
		_, err := ask(t, s, `{"action":"edit","session":"`+session+`","edits":`+edits+`}`)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", edits, err, says)
		}
	}
	list := simulate(t, s, api.SimulateRequest{Action: "list"}).Sessions
	if len(list) != 1 || list[0].Status != "created" || list[0].Steps != 0 {
		t.Errorf("%+v", list)
	}
}
