package api

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// questioner is a caller that answers a call once so many questions are answered.
type questioner struct {
	questions int
	fails     error // instead of the first question
	heard     []Call
}

func (q *questioner) Call(ctx context.Context, _ string, _, _ any) error {
	call := CallOf(ctx)
	q.heard = append(q.heard, call)
	if asked := len(call.Answers); q.fails == nil && asked < q.questions {
		return &result.Error{Kind: result.NeedsApproval, Data: result.Data{Question: result.Question{ID: fmt.Sprint("q", asked)}}}
	}
	return q.fails
}

// A call is put again, with all that was said, until nothing more is asked; no more than eight
// questions are put to the person.
func TestQuestionsArePutUntilTheCallIsAnswered(t *testing.T) {
	failure, gone := errors.New("no such file"), errors.New("nobody is there")
	earlier := Answer{"earlier", Yes}
	for name, c := range map[string]struct {
		caller  questioner
		given   []Answer
		refuses error
		puts    []string // the questions that the person hears
		calls   int
		fails   any // an error that the call wraps, or the kind of its error
	}{
		"nothing is asked":          {caller: questioner{}, calls: 1},
		"two questions":             {caller: questioner{questions: 2}, puts: []string{"q0", "q1"}, calls: 3},
		"one was answered earlier":  {caller: questioner{questions: 2}, given: []Answer{earlier}, puts: []string{"q1"}, calls: 2},
		"the call fails":            {caller: questioner{fails: failure}, calls: 1, fails: failure},
		"nobody answers":            {caller: questioner{questions: 2}, refuses: gone, puts: []string{"q0"}, calls: 1, fails: gone},
		"there is no end of asking": {caller: questioner{questions: 100}, puts: []string{"q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"}, calls: 9, fails: result.NeedsApproval},
	} {
		var puts []string
		asking := Asking{Caller: &c.caller, Ask: func(_ context.Context, q result.Question) (Said, error) {
			puts = append(puts, q.ID)
			return Yes, c.refuses
		}}
		ctx := Call{Client: "cli", Answers: c.given}.In(t.Context())
		err := asking.Call(ctx, "edit", nil, nil)
		switch want := c.fails.(type) {
		case nil:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case error:
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		case result.Kind:
			if of := result.ErrorOf(err); of == nil || of.Kind != want {
				t.Errorf("%s: %v, want an error of kind %s", name, err, want)
			}
		}
		if diff := cmp.Diff(c.puts, puts); diff != "" {
			t.Errorf("%s: questions (-want +got):\n%s", name, diff)
		}
		want := make([]Call, c.calls)
		said := append([]Answer(nil), c.given...)
		for i := range want {
			want[i] = Call{Client: "cli", Asks: true, Answers: said}
			if i < len(c.puts) {
				said = append(said[:len(said):len(said)], Answer{c.puts[i], Yes})
			}
		}
		if diff := cmp.Diff(want, c.caller.heard); diff != "" {
			t.Errorf("%s: calls (-want +got):\n%s", name, diff)
		}
	}
}
