package code

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// An answer is what LSPine said of a change, in one form for edit and check.
type Answer struct {
	By      Way
	Verdict string
	Files   map[string]*Word
	// Unknown is what the answer itself says that it does not know.
	Unknown []string
	Brief   string
	// Elsewhere says that it calls errors new that only another system has.
	Elsewhere bool
	// CountsOlder says that errors of the files asked about count although they are not new.
	CountsOlder bool
}

// A Word is what an answer says of one file: errors that it calls new, and fixed, and
// all that there are.
type Word struct {
	fresh, fixed, all int
	changed           bool
	// news and mends are the messages of the new ones, and of those that are fixed.
	news, mends []string
	// excused are those of all that are said not to count, as the project is set up.
	excused int
	// blind says that nothing was known from before, so that all counts as new.
	blind bool
}

// OfEdit is the answer to an edit.
func OfEdit(result result.Edit) Answer {
	a := Answer{By: ByEdit, Verdict: result.Verdict, Files: make(map[string]*Word), Brief: render.Brief(&result)}
	a.take(result.Files, true)
	a.take(result.Others, false)
	a.leave(result.Unknown, result.Dependants)
	a.finish(result.Cut)
	return a
}

// OfCheck is the answer to a check.
func OfCheck(result result.Check) Answer {
	a := Answer{
		Verdict: result.Verdict, Files: make(map[string]*Word), Brief: render.Brief(&result), CountsOlder: result.CountOlder,
	}
	a.take(result.Files, true)
	a.take(result.Others, false)
	a.leave(result.Unknown, result.Dependants)
	a.finish(result.Cut)
	return a
}

// OfSession is the answer to a check in a session, in which errors count as new as long as they are there.
func OfSession(result result.Check) Answer {
	a := OfCheck(result)
	for _, f := range slices.Concat(result.Files, result.Others) {
		w := a.Files[f.Path]
		w.fresh += f.Standing
		for _, d := range f.Diagnostics {
			if d.Standing && !d.New {
				w.fresh++
				w.news = append(w.news, d.Message)
			}
		}
	}
	return a
}

// leave notes what the answer says that it leaves out.
func (a *Answer) leave(unknown []string, users result.Dependants) {
	a.Unknown = append(a.Unknown, unknown...)
	if len(users.Unchecked) > 0 {
		a.Unknown = append(a.Unknown, fmt.Sprintf("dependants were left out: %v", users.Unchecked))
	}
}

func (a *Answer) finish(cut string) {
	if cut != "" {
		a.Unknown = append(a.Unknown, cut)
	}
	if a.Verdict == "lsp_unavailable" || a.Verdict == "unknown" {
		a.Unknown = append(a.Unknown, "the verdict is "+a.Verdict)
	}
}

func (a *Answer) take(files []result.File, changed bool) {
	for _, f := range files {
		w := a.Files[f.Path]
		if w == nil {
			w = &Word{}
			a.Files[f.Path] = w
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
				a.Elsewhere = a.Elsewhere || d.New
				w.all--
			} else if d.New {
				w.fresh++
				w.news = append(w.news, d.Message)
			}
		}
		if f.Error != nil {
			a.Unknown = append(a.Unknown, f.Path+": "+f.Error.Message)
		}
		for _, s := range f.Servers {
			if s.Freshness != "fresh" {
				a.Unknown = append(a.Unknown, fmt.Sprintf("%s: %s %s", f.Path, s.Freshness, s.Reason))
			}
		}
	}
}

var system = regexp.MustCompile(` \[(?:darwin|freebsd|linux|netbsd|openbsd|plan9|windows)\]$`)

// ofAnotherSystem reports whether gopls found an error in what the files are on another
// system, of which the compiler here says nothing.
func ofAnotherSystem(d result.Diagnostic) bool { return system.MatchString(d.Message) }

// claims reports whether the answer says that something is broken, or that nothing is.
func (a *Answer) claims() (broken, whole bool) {
	return a.Verdict == "new_errors" && !a.Elsewhere, slices.Contains([]string{"clean", "warnings_only", "baseline_error"}, a.Verdict)
}
