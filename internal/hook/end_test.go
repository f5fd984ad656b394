package hook

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// The end of a turn is held back for what the session's changes broke, once for the same
// findings, and again when they are others.
//
// Requirement: SYN-16.
func TestEndOfTurn(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.write("c.go", "")
	ends := func(want string) {
		t.Helper()
		got := p.hook(stopped)
		if want != "" {
			want = string(answer(&Event{Agent: Claude, Name: "Stop", Moment: Settled}, want, ""))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	ends("") // nothing was changed
	if p.asked != nil {
		t.Errorf("asked for nothing: %v", p.asked)
	}
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}, Others: []result.File{fileWith("c.go", result.NewErrors, fresh(1, "x"))}}
	p.says(editedA, "a.go:3:1: error: bad\nalso broken now: c.go (1)\n")

	p.answer = result.Check{
		Files:  []result.File{fileWith("a.go", result.BaselineError, standing(3, "bad")), fileWith("c.go", result.BaselineError, standing(1, "x"), standing(2, "of another session"))},
		Others: []result.File{fileWith("e.go", result.BaselineError, standing(1, "of another session"))},
	}
	ends("2 errors of this session's changes remain:\na.go:3:1: error: bad\nc.go:1:1: error: x\n")
	ends("")
	p.answer.Files[0].Diagnostics[0].Line = 9 // it has moved
	ends("")
	p.answer.Files[1].Diagnostics = nil
	p.answer.Files[1].Verdict = result.Clean
	ends("1 error of this session's changes remains:\na.go:9:1: error: bad\n")
	const both = "lspine: the turn ends with 2 errors of its changes, which the agent was shown: a.go (1), c.go (1)"
	if diff := cmp.Diff([]string{both}, p.toUser); diff != "" {
		t.Errorf("the user, once (-want +got):\n%s", diff)
	}
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.Clean)}}
	ends("")
	p.answer = result.Check{Files: []result.File{fileWith("a.go", result.NewErrors, fresh(3, "bad"))}}
	ends("1 error of this session's changes remains:\na.go:3:1: error: bad\n") // it is back
	p.err = errors.New("no judge")
	ends("1 error of this session's changes remains:\na.go:3:1: error: bad\nnot judged yet, the next hook of this session reports on it: a.go (no judge)\n")
	ends("") // it may be mended by now
	p.err = nil
	ends("")
	const one = "lspine: the turn ends with 1 error of its changes, which the agent was shown: a.go (1)"
	if diff := cmp.Diff([]string{both, one}, p.toUser); diff != "" {
		t.Errorf("the user, when it is back and known to be (-want +got):\n%s", diff)
	}

	if got, want := p.asked[1].Before, (map[string]string{filepath.Join(p.root, "a.go"): "a old text"}); !cmp.Equal(got, want) {
		t.Errorf("compared with %v, want the texts from before the session", got)
	}
}
