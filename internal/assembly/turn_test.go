package assembly_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// Where what the code around new errors uses cannot be found out, since a server puts errors where
// the file has no line, a closed turn shows the errors all the same, and says so.
func TestErrorsOfATurnWithoutCodeAround(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didChange", lsptest.BadPositions())}}, lsptest.Project)
	enginetest.Do(t, s, api.BeginTurn, api.BeginTurnRequest{})
	s.Write("main.toy", "use helper\nuse nobody\n")
	turn := enginetest.Do(t, s, api.CloseTurn, api.CloseTurnRequest{TimeoutMS: 20_000})
	type shown struct{ Items, Notes []string }
	got := shown{Notes: turn.Notes}
	for _, item := range turn.Items {
		got.Items = append(got.Items, item.Text)
	}
	want := shown{
		Items: []string{"main.toy: 5 findings\n  error 1:1 bad position 0\n  error 1:1 bad position 1\n  error 2:5 undefined: nobody\n  error 6:10 bad position 3\n  error 2147483648:1 bad position 2\n"},
		Notes: []string{"what the code around the errors uses is not known: ranges: line 6 is past the end of main.toy, which has 3 lines"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A closed turn shows the findings of the files that changed and of those that this broke, as far as
// they fit into the budget; a file that nobody judges has none.
func TestFindingsOfATurnWithinABudget(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project+"-- user.toy --\nuse gone\n-- more.toy --\ndef gone\n")
	enginetest.Do(t, s, api.BeginTurn, api.BeginTurnRequest{})
	s.Write("lib.toy", "def helper\n\n")
	s.Write("main.toy", "use helper\nuse nobody\n")
	s.Write("more.toy", "def other\n")
	s.Write("notes.txt", "x\n")
	const lib, main, more, user = "lib.toy: no errors\n", "main.toy: 1 finding\n  error 2:5 undefined: nobody\n", "more.toy: no errors\n", "user.toy: 1 finding\n  error 1:5 undefined: gone\n"
	for _, c := range []struct {
		budget int
		want   []string
	}{{0, []string{lib, main, more, user}}, {20, []string{lib}}, {1, nil}} {
		turn := enginetest.Do(t, s, api.CloseTurn, api.CloseTurnRequest{TimeoutMS: 60_000, BudgetBytes: c.budget})
		var got []string
		for _, item := range turn.Items {
			got = append(got, item.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || len(turn.Notes) > 0 {
			t.Errorf("%d bytes: noted %q (-want +got):\n%s", c.budget, turn.Notes, diff)
		}
	}
}
