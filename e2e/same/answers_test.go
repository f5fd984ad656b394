package same

import (
	"fmt"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// blind are the servers to which what was wrong in other files before a change cannot be shown, as they
// judge these only on disk: what one that just started calls new there may be old, where the words of the
// change connect them, and what it fixed there is not known.
var blind = []string{"rust-analyzer", "jdtls"}

// An answer is what counts in a result: the verdict, and what is wrong in which file.
type answer struct {
	Verdict string
	New     []string
	Older   []string
	// Elsewhere is the number of older errors of other files.
	Elsewhere int
	result    result.Check
}

// answerOf notes the answer to a question.
func (h *history) answerOf(question string, r result.Check) answer {
	a := answer{Verdict: r.Verdict, Elsewhere: r.OlderElsewhere, result: r}
	for _, f := range slices.Concat(r.Files, r.Others) {
		for _, d := range f.Diagnostics {
			if strings.HasPrefix(d.Message, "In included file: ") { // clangd says it of who includes the file as well, if it is asked about them
				continue
			}
			said := fmt.Sprintf("%s:%d: %s", f.Path, d.Line, d.Message)
			if d.New || d.Standing {
				a.New = append(a.New, said)
			} else {
				a.Older = append(a.Older, said)
			}
		}
	}
	slices.Sort(a.New)
	slices.Sort(a.Older)
	if h.asked++; r.Incomplete {
		h.unknown++
		why := fmt.Sprintf("step %d, %s: %s", len(h.done), question, strings.Join(code.OfCheck(r).Unknown, "; "))
		if !slices.Contains(h.reasons, why) {
			h.reasons = append(h.reasons, why)
		}
	}
	return a
}

// ask asks what the command line asks, in a session of its own: about files, or about what changed.
func (h *history) ask(s *enginetest.Shop, files ...string) answer {
	h.t.Helper()
	call := api.Call{Session: fmt.Sprint("command line ", h.asked), Last: true}
	r, err := api.Check.Do(call.In(h.t.Context()), s.Engine, api.CheckRequest{
		Files: files, Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: patience, WaitLimitMS: patience, MaxBytes: -1,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.answerOf(fmt.Sprintf("check %v", files), r)
}

// askAll asks what is wrong anywhere.
func (h *history) askAll(s *enginetest.Shop) answer {
	h.t.Helper()
	r, err := api.Check.Do(api.Call{Session: "all", Last: true}.In(h.t.Context()), s.Engine, api.CheckRequest{
		Files: []string{"."}, Baseline: api.BaselineNone, TimeoutMS: patience, WaitLimitMS: patience, MaxBytes: -1,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.answerOf("check of all", r)
}

// inSession asks twice in a session that began before anything changed.
func (h *history) inSession() {
	h.t.Helper()
	var before answer
	for i := range 2 {
		r, err := api.Check.Do(api.Call{Session: "agent"}.In(h.t.Context()), h.Engine, api.CheckRequest{
			TimeoutMS: patience, WaitLimitMS: patience, MaxBytes: -1,
		})
		if err != nil {
			h.t.Fatal(err)
		}
		a := h.answerOf("session", r)
		a.Older, a.Elsewhere = nil, 0 // what is listed beside follows from what was told
		if i > 0 {
			h.equal("in a session, asked again", before, a)
		}
		before = a
	}
	h.session = before
}

func (h *history) equal(what string, first, second answer) {
	h.t.Helper()
	if first.result.Incomplete || second.result.Incomplete {
		return
	}
	ignored := gocmp.FilterPath(func(p gocmp.Path) bool { return p.Last().String() == ".result" }, gocmp.Ignore())
	if diff := gocmp.Diff(first, second, ignored); diff != "" {
		h.t.Errorf("%s (-first +second):\n%s\nfirst:\n%s\nsecond:\n%s", what, diff, render.Brief(&first.result), render.Brief(&second.result))
	}
}

// cold compares with a process that just started, and with the compiler.
func (h *history) cold(warm answer) {
	h.t.Helper()
	once := h.Reopen(func(o *enginetest.Options) { o.Config, o.Once = h.configuration(), true })
	once.Config.Settings.LargeProjectFiles = h.Config.Settings.LargeProjectFiles
	cold := h.ask(once)
	unsaid := func(said string) bool { return !slices.Contains(cold.New, said) }
	if !slices.Contains(blind, h.tree.Server) {
		h.equal("a process that just started", warm, cold)
	} else if !cold.result.Incomplete && slices.ContainsFunc(warm.New, unsaid) {
		h.t.Errorf("what is new is not said by a process that just started:\n%s\nand\n%s", render.Brief(&warm.result), render.Brief(&cold.result))
	}
	h.compile(warm, cold)
}
