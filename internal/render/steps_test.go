package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/result"
)

// brokenFiles are n files with more and more new errors, each also with an older one and one that was mended.
func brokenFiles(name string, n int) (files []result.File) {
	for i := range n {
		list := append(wrong(6*i), result.Diagnostic{Line: 99, Column: 1, Severity: "warning", Message: "old"})
		files = append(files, result.File{
			Path: fmt.Sprintf("%s%d.go", name, i), Verdict: []string{"clean", "new_errors"}[min(i, 1)], Baseline: "head", Diagnostics: list, Fixed: wrong(1),
			Servers: []result.Answer{{Server: "gopls", Freshness: "fresh"}},
		})
	}
	return files
}

// unknowns are n lines about what is not known, and files that were not checked.
func unknowns(n int) (list []string, d result.Dependants) {
	d = result.Dependants{Found: 2 * n, Checked: n}
	for i := range n {
		list, d.Unchecked = append(list, fmt.Sprintf("unknown %d", i)), append(d.Unchecked, fmt.Sprintf("use%d.go", i))
	}
	return list, d
}

func sampleEdit(n int) *result.Edit {
	e := &result.Edit{Applied: true, Summary: "Edit applied to a.go.", Verdict: "new_errors", Diff: "@@ -1 +1 @@\n" + strings.Repeat("+line\n", 9*n), Files: brokenFiles("a", n), Others: brokenFiles("b", n), Late: brokenFiles("c", n)}
	e.Unknown, e.Dependants = unknowns(2 * n)
	return e
}

func sampleCheck(n int) *result.Check {
	c := &result.Check{Verdict: "new_errors", Incomplete: true, Files: brokenFiles("a", n), Others: brokenFiles("b", n), Late: brokenFiles("c", n), Notes: []string{"note 1", "note 2", "note 3"}}
	c.Unknown, c.Dependants = unknowns(2 * n)
	return c
}

func sampleSimulation(n int) *result.Simulation {
	s := &result.Simulation{Diff: "@@ -1 +1 @@\n" + strings.Repeat("+line\n", 9*n), Chain: &result.Chain{SafeThrough: 1}, Evaluation: &result.Evaluation{
		Scope: "workspace", Verdict: "new_errors", Confidence: "partial", Files: brokenFiles("a", n), Others: brokenFiles("b", n),
	}}
	s.Evaluation.Unknown, s.Evaluation.Dependants = unknowns(2 * n)
	for i := range n {
		step := result.ChainStep{Step: i + 1, Verdict: "new_errors", Confidence: "high", NetDelta: 6 * i}
		for _, d := range wrong(6 * i) {
			step.Introduced = append(step.Introduced, result.FileFinding{File: "a.go", Diagnostic: d})
		}
		s.Chain.Steps = append(s.Chain.Steps, step)
		s.Sessions = append(s.Sessions, result.SimulationSession{Session: fmt.Sprintf("s%d", i), Status: "evaluated", Steps: i})
	}
	return s
}

func sampleContextOfEditing(n int) *result.EditingContext {
	e := &result.EditingContext{Path: "a.go", ETag: "12ab", Imports: []string{"import \"b\""}, Symbols: sampleTree(n).Symbols}
	for i := range n {
		usage := result.Usage{Symbol: fmt.Sprintf("F%d", i), Others: []result.User{{Name: "G", Path: "b.go", Line: 4}}, More: i}
		e.Callers, e.Callees = append(e.Callers, usage), append(e.Callees, usage)
	}
	return e
}

// longReplies are replies of every kind but navigation's, with something in each part that can be left out.
func longReplies(n int) map[string]func() result.Result {
	each := func(do func(name string)) {
		for i := range n {
			do(fmt.Sprintf("name%d", i))
		}
	}
	return map[string]func() result.Result{
		"check":      func() result.Result { return sampleCheck(n) },
		"edit":       func() result.Result { return sampleEdit(n) },
		"simulation": func() result.Result { return sampleSimulation(n) },
		"commit": func() result.Result {
			return &result.Simulation{Commit: sampleEdit(n), Diff: strings.Repeat("+line\n", 9*n)}
		},
		"fix":   func() result.Result { return &result.Fixes{Edit: sampleEdit(n), Then: sampleEdit(n)} },
		"fixes": func() result.Result { return someFixes() },
		"command": func() result.Result {
			return &result.Command{Summary: "Done.", Result: strings.Repeat("é", 900), Edit: sampleEdit(n)}
		},
		"turn":    func() result.Result { t := closedTurn(result.TurnEscalate); t.Check = *sampleCheck(n); return t },
		"doctor":  func() result.Result { return sampleDoctor(2 * n) },
		"impact":  func() result.Result { return sampleImpact(2 * n) },
		"context": func() result.Result { return sampleContextOfEditing(n) },
		"items": func() result.Result {
			c := &result.Context{BudgetBytes: 900}
			each(func(name string) {
				c.Items = append(c.Items, result.ContextItem{Kind: "type", Name: name, Text: strings.Repeat(name+" ", 9), Record: result.ContextRecord{Server: "gopls"}})
				c.Failures = append(c.Failures, result.ContextFailure{Server: "gopls", Query: "hover", Target: result.ContextPlace{Path: name}, Count: 2, Error: result.Error{Message: "broken"}})
			})
			return c
		},
		"tests": func() result.Result {
			t := &result.Tests{}
			each(func(name string) {
				t.Files = append(t.Files, result.TestsOf{Path: name, Tests: []result.TestFile{{Path: name + "_test", Why: "name", Functions: []string{"Test" + name}}}})
			})
			return t
		},
		"build": func() result.Result {
			b := &result.Build{Command: "go test ./...", Output: strings.Repeat("a.go:1:1: wrong\n", 9*n)}
			each(func(name string) { b.Failed = append(b.Failed, "Test"+strings.Repeat(name, 5)) })
			return b
		},
		"documentation": func() result.Result {
			return &result.Documentation{Symbol: "F", Source: "go doc F", Text: strings.Repeat("a word ", 30*n)}
		},
		"uses": func() result.Result {
			c := &result.CrossReferences{Symbol: "F", Total: 2 * n}
			each(func(name string) {
				place := result.Place{Line: 3, Column: 4, Text: "F(" + name + ")"}
				c.Repositories = append(c.Repositories, result.RepositoryUses{Root: "/" + name, Total: 2, Files: []result.PlaceFile{{Path: name, Places: []result.Place{place}}, {Path: "main.go", Places: []result.Place{place}}}})
			})
			return c
		},
		"lenses": func() result.Result {
			l := &result.Lenses{Path: "a.go", Total: 4 * n}
			for i := range 4 * n {
				l.Lenses = append(l.Lenses, result.Lens{Number: i + 1, Line: 3, Column: 1, Title: "run test", Command: "gopls.run_tests"})
			}
			return l
		},
		"servers": func() result.Result {
			s := &result.Servers{Action: "detect"}
			each(func(name string) {
				s.Servers = append(s.Servers, result.ServerState{ID: name, State: "unavailable", Root: "/r", Files: 2, Reason: "not found in PATH", Install: []string{"install it"}})
			})
			return s
		},
		"capabilities": func() result.Result {
			c := &result.Capabilities{}
			each(func(name string) {
				c.Servers = append(c.Servers, result.ServerCapabilities{ID: name, Root: "/r", Version: "v1", Operations: []string{"definition"}, Missing: []string{"declaration"}, Raw: json.RawMessage(`{}`)})
			})
			return c
		},
		"status": func() result.Result {
			s := &result.Status{}
			for i, state := range []string{"active", "stopped", "disabled", "unavailable"} {
				s.Servers = append(s.Servers, result.Server{ID: state, State: state, Root: "/r", Pid: i, Reason: strings.Repeat("why ", 9)})
			}
			return s
		},
		"events": func() result.Result {
			e := &result.Events{}
			each(func(name string) {
				e.Events = append(e.Events, result.Event{Number: uint64(len(e.Events) + 1), Time: time.Unix(1_700_000_000, 0).UTC(), Kind: "crashed", Server: name, Root: ".", Reason: strings.Repeat("why ", 9)})
			})
			return e
		},
	}
}

// In less and less room a reply loses one part after the other, the least important first, and each time
// it says which; only when nothing can be left out any more its text is simply cut. The file lists how
// long each form of a reply is, and what it says that it lacks.
func TestRepliesLoseOnePartAfterTheOther(t *testing.T) {
	all := samples(9)
	maps.Copy(all, longReplies(4))
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.WriteString(name + "\n")
		for room := DefaultBytes; room >= LeastBytes; {
			reply := all[name]()
			Fit(reply, room)
			text := Brief(reply)
			_, missing, _ := strings.Cut(text[max(0, strings.LastIndex(text, "cut: ")):], "cut: ")
			missing, _, _ = strings.Cut(missing, "\n")
			if missing == theRest {
				break
			}
			fmt.Fprintf(&b, "  %5d %s\n", len(text), cmp.Or(missing, "all of it"))
			room = len(text) - 1
		}
	}
	golden(t, "steps", b.String())
}
