package truth

import (
	"testing"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/engine"
)

const deadline = 60_000 // ms: what a loaded machine makes late is not judged here

// tell makes a change and returns what was said of it.
func (w *world) tell(t *testing.T, by code.Way, c code.Change) []code.Answer {
	t.Helper()
	switch by {
	case code.ByEdit:
		result, err := api.EditFiles.Do(t.Context(), w.engine, api.EditRequest{
			Edits: c.Edits(), Writing: api.Writing{Limits: api.Limits{TimeoutMS: deadline, MaxBytes: 1 << 20}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return []code.Answer{code.OfEdit(result)}
	case code.ByGit:
		w.checkout(t, c)
	default:
		c.Write(t, w.Root)
	}
	var answers []code.Answer
	if by == code.ByOnce {
		e := w.openEngine(t, true)
		answers = append(answers, w.check(t, e, by, c, "head"))
		closeEngine(e)
	}
	return append(answers, w.check(t, w.engine, by, c, ""))
}

func (w *world) check(t *testing.T, e *engine.Engine, by code.Way, c code.Change, baseline string) code.Answer {
	t.Helper()
	result, err := api.Check.Do(t.Context(), e, api.CheckRequest{
		Files: c.Names(), TimeoutMS: deadline, MaxBytes: -1, Baseline: baseline,
	})
	if err != nil {
		t.Fatal(err)
	}
	a := code.OfCheck(result)
	a.By = by
	return a
}
