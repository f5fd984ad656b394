package truth

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// An answer is what LSPine said of a change, in one form for edit and check.
type answer struct {
	by      way
	verdict string
	files   map[string]*word
	// unknown is what the answer itself says that it does not know.
	unknown []string
	brief   string
	// elsewhere says that it calls errors new that only another system has.
	elsewhere bool
}

// A word is what an answer says of one file: errors that it calls new, and fixed, and
// all that there are.
type word struct {
	fresh, fixed, all int
	changed           bool
	// news and mends are the messages of the new ones, and of those that are fixed.
	news, mends []string
	// excused are those of all that are said not to count, as the project is set up.
	excused int
	// blind says that nothing was known from before, so that all counts as new.
	blind bool
}

const deadline = 60_000 // ms: what a loaded machine makes late is not judged here

// tell makes a change and returns what was said of it.
func (w *world) tell(t *testing.T, by way, c change) []answer {
	t.Helper()
	switch by {
	case byEdit:
		result, err := api.EditFiles.Do(t.Context(), w.engine, api.EditRequest{
			Edits: c.edits(), Writing: api.Writing{Limits: api.Limits{TimeoutMS: deadline, MaxBytes: 1 << 20}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return []answer{ofEdit(result)}
	case byGit:
		w.checkout(t, c)
	default:
		w.write(t, c)
	}
	var answers []answer
	if by == byOnce {
		e := w.openEngine(t, true)
		answers = append(answers, w.check(t, e, by, c, "head"))
		closeEngine(e)
	}
	return append(answers, w.check(t, w.engine, by, c, ""))
}

func (w *world) check(t *testing.T, e *engine.Engine, by way, c change, baseline string) answer {
	t.Helper()
	result, err := api.Check.Do(t.Context(), e, api.CheckRequest{
		Files: c.names(), TimeoutMS: deadline, MaxBytes: -1, Baseline: baseline,
	})
	if err != nil {
		t.Fatal(err)
	}
	a := ofCheck(result)
	a.by = by
	return a
}

func ofEdit(result result.Edit) answer {
	a := answer{by: byEdit, verdict: result.Verdict, files: make(map[string]*word), brief: render.Brief(&result)}
	a.take(result.Files, true)
	a.take(result.Others, false)
	a.leave(result.Unknown, result.Dependants)
	a.finish(result.Cut)
	return a
}

func ofCheck(result result.Check) answer {
	a := answer{verdict: result.Verdict, files: make(map[string]*word), brief: render.Brief(&result)}
	a.take(result.Files, true)
	a.take(result.Others, false)
	a.leave(result.Unknown, result.Dependants)
	a.finish(result.Cut)
	return a
}

// leave notes what the answer says that it leaves out.
func (a *answer) leave(unknown []string, users result.Dependants) {
	a.unknown = append(a.unknown, unknown...)
	if len(users.Unchecked) > 0 {
		a.unknown = append(a.unknown, fmt.Sprintf("dependants were left out: %v", users.Unchecked))
	}
}

func (a *answer) finish(cut string) {
	if cut != "" {
		a.unknown = append(a.unknown, cut)
	}
	if a.verdict == "lsp_unavailable" || a.verdict == "unknown" {
		a.unknown = append(a.unknown, "the verdict is "+a.verdict)
	}
}

func (a *answer) take(files []result.File, changed bool) {
	for _, f := range files {
		w := a.files[f.Path]
		if w == nil {
			w = &word{}
			a.files[f.Path] = w
		}
		w.changed = w.changed || changed
		w.blind = w.blind || f.Baseline == "none"
		w.excused += len(f.Excused)
		w.all += len(f.Diagnostics) + f.Older + f.Standing + len(f.Excused)
		for _, d := range f.Fixed {
			if !ofAnotherSystem(d) {
				w.fixed++
				w.mends = append(w.mends, d.Message)
			}
		}
		for _, d := range f.Diagnostics {
			if ofAnotherSystem(d) {
				a.elsewhere = a.elsewhere || d.New
				w.all--
			} else if d.New {
				w.fresh++
				w.news = append(w.news, d.Message)
			}
		}
		if f.Error != nil {
			a.unknown = append(a.unknown, f.Path+": "+f.Error.Message)
		}
		for _, s := range f.Servers {
			if s.Freshness != "fresh" {
				a.unknown = append(a.unknown, fmt.Sprintf("%s: %s %s", f.Path, s.Freshness, s.Reason))
			}
		}
	}
}

var system = regexp.MustCompile(` \[(?:darwin|freebsd|linux|netbsd|openbsd|plan9|windows)\]$`)

// ofAnotherSystem reports whether gopls found an error in what the files are on another
// system, of which the compiler here says nothing.
func ofAnotherSystem(d result.Diagnostic) bool { return system.MatchString(d.Message) }

// claims reports whether the answer says that something is broken, or that nothing is.
func (a *answer) claims() (broken, whole bool) {
	return a.verdict == "new_errors" && !a.elsewhere, slices.Contains([]string{"clean", "warnings_only", "baseline_error"}, a.verdict)
}
