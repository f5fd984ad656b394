package hook

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

const (
	lacking    = "judged without builds, as this checkout is not trusted"
	saidOnceOf = "said once: what depends on the following is not judged here, until the user has typed \"lspine trust\": "
)

// limited is a file that a server judges without what only a checkout runs that is trusted.
func limited(path, server string, found ...result.Diagnostic) result.File {
	verdict := result.Unknown
	if len(found) > 0 {
		verdict = result.NewErrors
	}
	return result.File{Path: path, Verdict: verdict, Diagnostics: found, Servers: []result.Answer{{
		Server: server, Freshness: "partial", Untrusted: true, Reason: lacking + "; not counted, as it may come of that: line 3: f, and 1 more",
	}}}
}

// What servers do not judge because the checkout is not trusted is said once in a session, of each of them, and not again
// with other files or at the end of a turn, which it does not keep from ending. Nor is it owed. Another session is told anew.
func TestLimitsAreSaidOnce(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.write("b.go", "")
	p.write("c.go", "")
	p.answer = result.Check{Files: []result.File{limited("a.go", "x")}, Others: []result.File{limited("c.go", "x")}}
	p.says(editedA, saidOnceOf+"x: "+lacking+"\n")
	p.says(editedA, "")
	p.answer = result.Check{Files: []result.File{limited("b.go", "x"), limited("a.go", "x")}, Others: []result.File{limited("c.go", "y")}}
	p.says(editedB, saidOnceOf+"y: "+lacking+"\n")
	p.ends(stopped, "")
	p.tells(prompted, "", "")
	if diff := cmp.Diff([][]string{{"a.go"}, {"a.go"}, {"b.go"}, {"a.go", "b.go"}}, p.named()); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	p.session = "other"
	p.answer = result.Check{Files: []result.File{limited("a.go", "x"), limited("b.go", "y")}}
	p.says(`{"session_id":"other","cwd":"ROOT","hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"ROOT/a.go"}}`,
		saidOnceOf+"x: "+lacking+"; y: "+lacking+"\n")
}

// What keeps a turn from ending is what a server did not judge in time, or what nobody explains; not what is only limited. What
// is limited is said at the end if it was not before, once there is something else to say.
func TestLimitsAtTheEndOfATurn(t *testing.T) {
	both := func(freshness string) result.File {
		f := limited("a.go", "x")
		f.Servers = append(f.Servers, result.Answer{Server: "y", Freshness: freshness, Reason: "it sleeps"})
		return f
	}
	for name, c := range map[string]struct {
		file result.File
		want string
	}{
		"it is limited":                    {limited("a.go", "x"), ""},
		"another server is done":           {both("fresh"), ""},
		"another server is not in time":    {both("timeout"), "not judged yet, the next hook of this session reports on it: a.go (y: it sleeps)\n"},
		"another server gave no answer":    {both("unavailable"), "not known: a.go (y: it sleeps)\n"},
		"it is limited, and there is more": {limited("a.go", "x", fresh(3, "bad")), "1 error of this session's changes remains:\na.go:3:1: error: bad\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write("a.go", "a new text")
			p.answer = result.Check{Files: []result.File{limited("a.go", "x")}}
			p.says(editedA, saidOnceOf+"x: "+lacking+"\n")
			p.answer = result.Check{Files: []result.File{c.file}}
			p.ends(stopped, c.want)
		})
	}
	p := newPlace(t)
	p.o.Report = ReportTurn
	p.write("a.go", "a new text")
	p.answer = result.Check{Files: []result.File{limited("a.go", "x")}}
	p.says(editedA, "")
	p.ends(stopped, "")
	p.answer = result.Check{Files: []result.File{limited("a.go", "x", fresh(3, "bad"))}}
	p.ends(stopped, "1 error of this session's changes remains:\na.go:3:1: error: bad\n"+saidOnceOf+"x: "+lacking+"\n")
	p.answer.Files = []result.File{limited("a.go", "x", fresh(4, "worse"))}
	p.ends(stopped, "1 error of this session's changes remains:\na.go:4:1: error: worse\n")
}

// What a limited answer is sure of is told like what a whole one says: once while it stands, and again when it was mended
// and comes again.
func TestErrorsOfLimitedAnswers(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	was := func(found ...result.Diagnostic) {
		p.answer = result.Check{Files: []result.File{limited("a.go", "x", found...)}}
	}
	was(fresh(3, "bad"))
	p.says(editedA, "a.go:3:1: error: bad\n"+saidOnceOf+"x: "+lacking+"\n")
	was(standing(4, "bad"))
	p.says(editedA, "")
	p.ends(stopped, "1 error of this session's changes remains:\na.go:4:1: error: bad\n")
	was()
	p.says(editedA, "")
	p.ends(stopped, "")
	was(fresh(3, "bad"))
	p.says(editedA, "a.go:3:1: error: bad\n")
}

// A server that may not start any more says nothing of a file: what it told before still stands.
func TestErrorsOfAServerThatMayNotStart(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.answer = result.Check{Files: []result.File{limited("a.go", "x", fresh(3, "bad"))}}
	p.says(editedA, "a.go:3:1: error: bad\n"+saidOnceOf+"x: "+lacking+"\n")
	silent := limited("a.go", "x")
	silent.Servers[0].Freshness = "unavailable"
	p.answer = result.Check{Files: []result.File{silent}}
	p.ends(stopped, "1 error of this session's changes remains:\na.go:3:1: error: bad\n")
}

// That a checkout makes hooks say less is told once in a session, before everything else, and never holds the agent.
func TestCheckoutThatMakesHooksSayLess(t *testing.T) {
	const once = "said once: settings of this checkout, which the user has not trusted, make this hook say less: lsp (a:1), lsp.ignore (a:2)\n"
	p := newPlace(t)
	p.quieted = []string{"lsp (a:1)", "lsp.ignore (a:2)"}
	p.write("a.go", "a new text")
	p.ends(stopped, "")
	p.says(editedA, once)
	p.answer = result.Check{Files: []result.File{{Path: "a.go", Diagnostics: []result.Diagnostic{fresh(3, "bad")}, Servers: []result.Answer{{Server: "x", Freshness: "fresh"}}}}}
	p.says(editedA, "a.go:3:1: error: bad\n")
	p.ends(stopped, "1 error of this session's changes remains:\na.go:3:1: error: bad\n")
	other := newPlace(t)
	other.quieted, other.answer = p.quieted, p.answer
	other.write("a.go", "a new text")
	other.says(editedA, once+"a.go:3:1: error: bad\n")
}
