package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/result"
)

// A variant is a reply with parts that others of its kind lack, or without those that they have.
type variant struct {
	name  string
	reply result.Result
}

// variants are replies of which each has another choice of parts.
func variants() []variant {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	fresh := result.Answer{Server: "gopls", Freshness: "fresh", Version: 1}
	late := result.Answer{Server: "gopls", Freshness: "timeout", Reason: "no answer in time", Hint: "ask again"}
	missing := result.Answer{Server: "gopls", Freshness: "unavailable", Reason: "not found", Hint: "install it"}
	partial := result.Answer{Server: "gopls", Freshness: "partial", Reason: "no end signal", Hint: "open the folder"}
	indexing := result.Answer{Server: "gopls", Freshness: "indexing", Reason: "loading", Hint: "wait"}
	linter := result.Answer{Server: "oxlint", Freshness: "unavailable", Reason: "not found", Dispensable: true}
	file := func(path, verdict string, list []result.Diagnostic, servers ...result.Answer) result.File {
		return result.File{Path: path, Verdict: verdict, Baseline: "head", Diagnostics: list, Servers: servers}
	}
	files := func(all ...result.File) []result.File { return all }
	standing := []result.Diagnostic{{Line: 1, Column: 1, Severity: "error", Message: "still", Standing: true}}
	mixed := []result.Diagnostic{
		{Line: 1, Column: 1, Severity: "warning", Message: "w", New: true},
		{Line: 2, Column: 1, Severity: "info", Message: "i", New: true},
		{Line: 3, Column: 1, Severity: "hint", Message: "h", New: true},
		{Line: 4, Column: 1, Severity: "hint", Message: "h", New: true},
	}
	record := result.ContextRecord{Server: "gopls", Version: "v1", Target: result.ContextPlace{Path: "a.go", Line: 3, Column: 4}}
	stale := record
	stale.Stale, stale.Reason, stale.QueriedAt, stale.Target.Line = true, "gone", at, 0
	failed := func(count int) result.ContextFailure {
		return result.ContextFailure{Query: "hover", Target: record.Target, Count: count, Error: result.Error{Message: "it\nbroke"}}
	}
	broken := &result.File{Path: "gone.go", Error: &result.Error{Message: "no such\nfile"}}
	hinted := &result.File{Path: "lost.go", Error: &result.Error{Message: "no such file", Hint: "nearest: a.go"}}
	changes := func(n int) (list []result.Edited) {
		for i := range n {
			list = append(list, result.Edited{Path: fmt.Sprintf("%d.go", i)})
		}
		return list
	}
	edit := &result.Edit{Applied: true, Summary: "Edited.", Verdict: "clean", Files: files(file("a.go", "clean", nil, fresh))}
	preview := &result.Edit{Summary: "Preview."}
	return []variant{
		{"context: one item, no budget", &result.Context{Items: []result.ContextItem{{Text: "x\n", Record: record}}, Bytes: 2}},
		{"context: what is stale, and two left", &result.Context{Items: []result.ContextItem{{Text: "x\n", Record: record}, {Text: "y\n", Record: stale}, {Text: "z\n"}}, Bytes: 6, Left: 2, BudgetBytes: 9}},
		{"context: one answer lacks", &result.Context{Failures: []result.ContextFailure{failed(1)}, Left: 1}},
		{"context: many answers lack", &result.Context{Failures: []result.ContextFailure{failed(2), failed(0)}}},
		{"build: it failed", &result.Build{Command: "make", Output: "a\n\x1b[1mb\n\n"}},
		{"build: tests failed", &result.Build{Command: "make", Failed: []string{"TestA", "TestB"}, Output: "a"}},
		{"build: it succeeded", &result.Build{Command: "make", Success: true, Output: "never shown"}},
		{"check: nothing", &result.Check{Verdict: "clean"}},
		{"check: a file that is deleted", &result.Check{Verdict: "clean", Deleted: []string{"b.go"}}},
		{"check: no server ran", &result.Check{Verdict: "lsp_unavailable", Incomplete: true}},
		{"check: no server for two", &result.Check{Verdict: "lsp_unavailable", Incomplete: true, Files: files(file("a.go", "lsp_unavailable", nil, missing), file("b.go", "lsp_unavailable", nil, missing))}},
		{"check: files that are not there", &result.Check{Verdict: "unknown", Incomplete: true, Files: files(*broken, *hinted)}},
		{"check: one that no server knows", &result.Check{Verdict: "clean", Files: files(file("a.txt", "", nil)), Notes: []string{"a note"}}},
		{"check: all severities", &result.Check{Verdict: "warnings_only", Files: files(file("a.go", "warnings_only", mixed, fresh), file("b.go", "warnings_only", mixed, fresh, linter))}},
		{"check: two remain", &result.Check{Verdict: "baseline_error", Files: files(result.File{Path: "a.go", Baseline: "head", Standing: 1, Older: 2, Fixed: many(2), More: 3, Diagnostics: standing, Servers: []result.Answer{fresh}})}},
		{"check: mended later", &result.Check{Verdict: "clean", Files: files(file("a.go", "clean", nil, fresh)), Late: files(file("l.go", "clean", nil, fresh), file("m.go", "warnings_only", nil, fresh), file("n.go", "baseline_error", nil, fresh), file("o.go", "unknown", nil, fresh), file("p.go", "clean", nil), file("q.go", "clean", mixed, fresh), file("r.go", "clean", nil, missing))}},
		{"check: a server that loads", &result.Check{Verdict: "unknown", Incomplete: true, Unknown: []string{"who uses F"}, Files: files(file("a.go", "unknown", nil, indexing, linter), file("b.go", "clean", nil, fresh)), Dependants: result.Dependants{Found: 3, Checked: 1, Unchecked: []string{"x.go", "y.go"}}}},
		{"check: not finished", &result.Check{Verdict: "new_errors", Incomplete: true, Files: files(file("a.go", "new_errors", many(1), fresh))}},
		{"check: filtered, not finished", &result.Check{Verdict: "new_errors", Incomplete: true, Files: files(file("a.go", "new_errors", nil, fresh))}},
		{"check: filtered", &result.Check{Verdict: "baseline_error", Files: files(file("a.go", "baseline_error", nil, fresh)), Dependants: result.Dependants{Found: 1, Checked: 1}, Deleted: []string{"b.go"}}},
		{"check: cut", &result.Check{Verdict: "warnings_only", Files: files(file("a.go", "warnings_only", nil, fresh)), Cut: "some"}},
		{"check: new errors that others have", &result.Check{Verdict: "new_errors", Files: files(file("a.go", "warnings_only", mixed, fresh)), Others: files(file("b.go", "new_errors", standing, fresh))}},
		{"edit: no verdict", preview},
		{"edit: clean, mended earlier", &result.Edit{Applied: true, Summary: "Edited.", Verdict: "clean", Late: files(file("l.go", "clean", nil, fresh), file("m.go", "new_errors", many(1), fresh))}},
		{"edit: a server is partly there", &result.Edit{Summary: "Edited.", Verdict: "unknown", Files: files(file("a.go", "unknown", nil, partial, linter), *broken)}},
		{"edit: a server loads", &result.Edit{Summary: "Edited.", Verdict: "unknown", Files: files(file("a.go", "unknown", nil, indexing))}},
		{"edit: not known at all", &result.Edit{Summary: "Edited.", Verdict: "unknown"}},
		{"edit: not available", &result.Edit{Summary: "Edited.", Verdict: "lsp_unavailable", Files: files(file("a.go", "lsp_unavailable", nil, missing, linter))}},
		{"edit: broken, and some not known", &result.Edit{Summary: "Edited.", Verdict: "new_errors", Files: files(file("a.go", "new_errors", many(1), late)), Unknown: []string{"who\nuses F"}, Dependants: result.Dependants{Found: 4, Checked: 2, Unchecked: []string{"x\n.go"}}}},
		{"edit: broken, all known", &result.Edit{Summary: "Edited.", Verdict: "new_errors", Files: files(file("a.go", "new_errors", many(1), fresh)), Dependants: result.Dependants{Found: 1, Checked: 1}}},
		{"edit: filtered", &result.Edit{Summary: "Edited.", Verdict: "new_errors"}},
		{"edit: reported again", &result.Edit{Summary: "Edited.", Verdict: "baseline_error", Files: files(result.File{Path: "a.go", Standing: 2}), Escalate: true, Rounds: 3, Dependants: result.Dependants{Found: 1, Checked: 1}}},
		{"edit: more than shown", &result.Edit{Summary: "Edited.", Verdict: "new_errors", Files: files(result.File{Path: "a<\"b\">.go", Diagnostics: many(2), More: 5}), Caps: result.Caps{PerFile: 1}}},
		{"fixes: nothing", &result.Fixes{Path: "a.go"}},
		{"fixes: one", &result.Fixes{Path: "a.go", Total: 1, Actions: []result.FixAction{{Number: 1, Title: "a\nb", Command: "run"}}}},
		{"fixes: applied", &result.Fixes{Edit: edit}},
		{"fixes: applied, then its command", &result.Fixes{Edit: edit, Then: preview}},
		{"fixes: a word", &result.Fixes{Summary: "nothing came of it", Total: 3}},
		{"command: with edits", &result.Command{Summary: "Done.", Result: "{}", Edit: edit}},
		{"command: alone", &result.Command{Summary: "Done."}},
		{"documents: a file", &result.Done{Path: "a.go", Done: "opened"}},
		{"documents: none", &result.Done{Done: "it is so"}},
		{"folders: none refuses", &result.Folders{Folders: []result.Folder{{Path: "/r", Servers: []string{"gopls"}, Refused: []string{"a\nb"}}, {Path: "/s"}}}},
		{"capabilities: none", &result.Capabilities{}},
		{"capabilities: all offered", &result.Capabilities{Servers: []result.ServerCapabilities{{ID: "gopls", Version: "v1", Root: "/r", Operations: []string{"definition"}}}}},
		{"servers: none", &result.Servers{Action: "detect"}},
		{"servers: none in the list", &result.Servers{Action: "list"}},
		{"servers: one in the list", &result.Servers{Action: "list", Servers: []result.ServerState{{ID: "gopls", State: "found", Binary: "/bin/gopls", Install: []string{"x"}, Reason: "why"}}}},
		{"servers: one file", &result.Servers{Action: "stop", Servers: []result.ServerState{{ID: "gopls", State: "active", Root: "/r", Files: 1}, {ID: "clangd", State: "stopped", Root: "/r", Reason: "a\nb"}}}},
		{"references elsewhere: one", &result.CrossReferences{Symbol: "F", Total: 1, Repositories: []result.RepositoryUses{{Root: "/r", Total: 1}}}},
		{"documentation", &result.Documentation{Symbol: "F", Source: "go doc", Text: "a\n b\n"}},
		{"hierarchy: derived", &result.Hierarchy{Symbol: "F", Direction: "callers", Derived: true, Total: 1, Nodes: []result.Node{{Name: "G", Path: "a.go", Line: 1, Column: 2}}}},
		{"hierarchy: none, derived", &result.Hierarchy{Symbol: "F", Direction: "callers", Derived: true}},
		{"impact: one, known", &result.Impact{Total: 1, References: 1, Tests: 0, Symbols: []result.ImpactSymbol{{Name: "F", Kind: "function", At: "a.go:1:6", Risk: "low", Users: []result.User{{Path: "b.go", Line: 1, Name: "G", Uses: 1}, {Path: "c.go", Line: 2, Uses: 2}}}}}},
		{"impact: two not known", &result.Impact{Total: 2, References: 2, Failed: 2, Own: 1}},
		{"inspection: no kind", &result.Inspection{Symbol: "F", At: "a.go:1:1", Definition: "a.go:1:1"}},
		{"inspection: a signature alone", &result.Inspection{Symbol: "F", Kind: "function", At: "a.go:1:1", Signature: "func F()"}},
		{"inspection: both", &result.Inspection{Symbol: "F", At: "a.go:1:1", Definition: "b.go:2:2", Signature: "func F()", Hover: "It does."}},
		{"inspection: the one in the other", &result.Inspection{Symbol: "F", At: "a.go:1:1", Signature: "func F()", Hover: "func F()\nIt does.", References: &result.Places{Symbol: "F", What: "reference"}, Tests: 2}},
		{"lenses: none", &result.Lenses{Path: "a.go"}},
		{"lenses: one", &result.Lenses{Path: "a.go", Total: 1, Lenses: []result.Lens{{Number: 1, Line: 2, Column: 3, Title: "run\nit", Problem: "it\nbroke"}}}},
		{"lenses: two", &result.Lenses{Path: "a.go", Total: 2, Lenses: []result.Lens{{Number: 1, Line: 2, Column: 3, Title: "run", Command: "go.run"}, {Number: 2, Line: 4, Column: 1, Title: "more"}}}},
		{"formatting: none", &result.Formatting{Path: "a.go"}},
		{"formatting: one", &result.Formatting{Path: "a.go", Edits: []result.TextEdit{{StartLine: 1, StartColumn: 2, EndLine: 3, EndColumn: 4, NewText: "\tx\n"}}}},
		{"places: two in a line", &result.Places{Symbol: "F", What: "reference", Total: 3, FileCount: 1, Files: []result.PlaceFile{{Path: "a.go", Count: 3, Places: []result.Place{{Line: 1, Column: 2, Text: "F(F())"}, {Line: 1, Column: 4, Text: "F(F())"}, {Line: 2, Column: 1, Text: "F()"}}}}}},
		{"places: of a kind", &result.Places{Symbol: "F", What: "highlight", Total: 1, FileCount: 1, Files: []result.PlaceFile{{Path: "a.go", Count: 1, Places: []result.Place{{Line: 1, Column: 2, Kind: "write", Text: "F = 1"}}}}}},
		{"places: more than listed", &result.Places{Symbol: "F", What: "reference", Total: 5, FileCount: 2, Files: []result.PlaceFile{{Path: "a.go", Count: 3, Places: []result.Place{{Line: 1, Column: 2}}}, {Path: "b.go", Count: 2}}}},
		{"places: one in each of two", &result.Places{Symbol: "F", What: "reference", Total: 2, FileCount: 2, Files: []result.PlaceFile{{Path: "a.go", Count: 1, Places: []result.Place{{Line: 1, Column: 2, Text: "F()"}}}, {Path: "b.go", Count: 1, Places: []result.Place{{Line: 3, Column: 4, Text: "F()", Kind: "read"}}}}}},
		{"policy: denied", &result.Policy{Operation: "edit", Action: "deny", Why: "rule 1", Class: "edit", Mode: "auto"}},
		{"policy: asked", &result.Policy{Operation: "edit", Path: "a.go", Action: "ask", Fallback: "deny", Why: "rule 1", Class: "edit", Mode: "auto", Client: "cli", Reason: "so"}},
		{"simulation: a session", &result.Simulation{SimulationSession: result.SimulationSession{Session: "s1", Status: "mutated", Steps: 1, Label: "a\nb", IdleMS: 59_999, Changes: []result.Edited{{Path: "a.go"}}}, Done: "It\nis."}},
		{"simulation: sessions", &result.Simulation{Sessions: []result.SimulationSession{{Session: "s1", Status: "created", IdleMS: 60_000}, {Session: "s2", Status: "mutated", Steps: 2, IdleMS: 179_999, Changes: changes(9)}, {Session: "s3", Status: "mutated", Steps: 2, Changes: changes(8)}}}},
		{"simulation: no server", &result.Simulation{Evaluation: &result.Evaluation{Scope: "file", Confidence: "low"}}},
		{"simulation: clean", &result.Simulation{Evaluation: &result.Evaluation{Scope: "file", Verdict: "clean", Confidence: "high", NetDelta: -2, Files: files(file("a.go", "clean", nil, late))}, Diff: "+x\x1b\n"}},
		{"simulation: broken", &result.Simulation{Evaluation: &result.Evaluation{Scope: "file", Verdict: "new_errors", Confidence: "partial", NetDelta: 2, Files: files(file("a.go", "new_errors", many(1), late)), Others: files(file("b.go", "new_errors", many(1), fresh), file("c.go", "clean", nil, fresh))}}},
		{"simulation: broken, all known", &result.Simulation{Evaluation: &result.Evaluation{Scope: "file", Verdict: "new_errors", Confidence: "high", NetDelta: 1, Files: files(file("a.go", "new_errors", many(1), fresh))}}},
		{"simulation: a chain", &result.Simulation{Chain: &result.Chain{SafeThrough: 1, CumulativeDelta: 1, Steps: []result.ChainStep{{Step: 1, Verdict: "clean", Confidence: "high"}, {Step: 2, Error: &result.Error{Message: "it\nbroke"}}, {Step: 3, NetDelta: 1, Verdict: "new_errors", Confidence: "low", Introduced: []result.FileFinding{{File: "a<b.go", Diagnostic: many(1)[0]}}}}}}},
		{"simulation: committed", &result.Simulation{SimulationSession: result.SimulationSession{Session: "s1", Status: "committed"}, Commit: edit}},
		{"source: no symbol", &result.Source{Path: "a.go", Line: 1, EndLine: 2, Code: "a\n\tb\n"}},
		{"status: disabled", &result.Status{Disabled: true, Omitted: 2, Problems: []string{"a\nb"}}},
		{"status: where it is", &result.Status{Servers: []result.Server{{ID: "a", State: "stopped", Binary: "/bin/a"}, {ID: "b", State: "stopped", Binary: "/bin/b", Hint: "start\nit"}}, Cut: "some"}},
		{"symbols: one", &result.Symbols{Path: "a.go", Total: 1, Symbols: []result.Symbol{{Name: "F", Kind: "function", Line: 2, EndLine: 2}}}},
		{"symbols: all that were found", &result.Symbols{Query: "F", Total: 2, Symbols: []result.Symbol{{Name: "F", Kind: "function", Path: "a.go", Line: 2, Column: 1}, {Name: "G", Kind: "function", Path: "a.go", Line: 3, Column: 1, Container: "c", Detail: "func G()"}}}},
		{"symbols: some that were found", &result.Symbols{Query: "F", Total: 2, Offset: 1, Symbols: []result.Symbol{{Name: "F", Kind: "function", Path: "a.go", Line: 2, Column: 1}}}},
		{"turn: no commit", &result.Turn{Turn: "t1", Files: 1}},
		{"turn: closed with a word", &result.ClosedTurn{Turn: "t1", Outcome: result.TurnClosed, Class: "clean", Files: []result.TurnFile{{Path: "a.go", Change: "modified", Class: "clean", Baseline: "none", Reason: "a\nb"}, {Path: "b.go", Change: "created", Baseline: "session"}}, Check: result.Check{Verdict: "clean", Files: files(file("a.go", "clean", nil, fresh))}, Items: []result.ContextItem{{Kind: result.ContextType, Text: "x\n"}, {Kind: result.ContextDiagnostics, Text: "never shown\n"}}}},
		{"signatures: one", &result.Signatures{At: "a.go:1:1", Signatures: []result.Signature{{Label: "f()", Documentation: "It does."}}}},
		{"signatures: two", &result.Signatures{At: "a.go:1:1", Active: 1, Signatures: []result.Signature{{Label: "f()"}, {Label: "f(a)", ActiveParameter: "a"}}}},
		{"signatures: cut", &result.Signatures{At: "a.go:1:1", Head: result.Head{Cut: "all"}}},
		{"completions: one", &result.Completions{At: "a.go:1:1", Total: 1, Items: []result.Completion{{Label: "x", Deprecated: true}}}},
		{"completions: not all", &result.Completions{At: "a.go:1:1", Total: 2, Incomplete: true, Items: []result.Completion{{Label: "x", Kind: "field", Detail: "int"}}}},
		{"hints, tokens and folds: one", &result.Hints{Path: "a.go", Total: 1, Hints: []result.Hint{{Line: 1, Column: 2, Label: "x:"}}}},
		{"tokens", &result.Tokens{Path: "a.go", Total: 1, Tokens: []result.Token{{Line: 1, Column: 2, Text: "x", Type: "variable"}}}},
		{"folds", &result.Folds{Path: "a.go", Total: 1, Folds: []result.Fold{{Line: 1, EndLine: 2}}}},
		{"a head", &result.Done{Done: "done", Head: result.Head{State: []string{"gopls\nloads"}, Notes: []string{"a\nb"}, Cut: "some", Next: "go\non"}}},
	}
}

// Each part of a reply is told where it is there, and nothing is told in its place where it is not: as text, and as
// the short structured form of those that have one.
func TestEveryPartOfAReply(t *testing.T) {
	var b strings.Builder
	for _, v := range variants() {
		text := Brief(v.reply)
		fmt.Fprintf(&b, "==== %s\n%s\n", v.name, text)
		if form, has := Lean(v.reply); has {
			raw, err := json.Marshal(form)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n", raw)
		}
	}
	golden(t, "variants", b.String())
}

// Where there is no room for what a reply says, its outcome is said all the same, that it may be incomplete, and that
// the rest is cut.
func TestOutcomesWithoutRoom(t *testing.T) {
	all := samples(9)
	maps.Copy(all, longReplies(4))
	for _, v := range variants() {
		all[v.name] = func() result.Result { return v.reply }
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		reply := all[name]()
		if head, has := reply.(interface{ Heading() *result.Head }); has {
			head.Heading().State = []string{"gopls loads"}
		}
		bound(reply, LeastBytes)
		text := Brief(reply)
		if len(text) > LeastBytes {
			t.Errorf("%s: %d bytes:\n%s", name, len(text), text)
		}
		fmt.Fprintf(&b, "==== %s\n%s\n", name, text)
	}
	golden(t, "outcomes", b.String())
}

// What stands below a text to mark a part of it is as wide as the text before that, tabs kept.
func TestBlanksOfATextsWidth(t *testing.T) {
	if got := blanks("a\té漢e\u0301"); got != " \t    " {
		t.Errorf("as wide as that is %q", got)
	}
}

// A column counts in UTF-16 and from 1; one within a character is at the next, and one past the end at the end.
func TestBytesOfColumns(t *testing.T) {
	for column, want := range map[uint32]int{0: 0, 1: 0, 2: 1, 3: 3, 4: 7, 5: 7, 6: 8, 7: 11, 8: 12, 99: 12} {
		if got := byteOf("aé😀b\uffffc", column); got != want {
			t.Errorf("column %d is at byte %d, want %d", column, got, want)
		}
	}
}

// A text is shortened to what there is room for, and then says so and how it ends; without a bound it stays whole.
func TestShortened(t *testing.T) {
	long := strings.Repeat("line\n", 40)
	const rest = "cut: " + theRest
	for _, c := range []struct {
		text, outcome string
		max           int
		want          string
	}{
		{"short", "it failed", 5, "short"},
		{"short", "it failed", 0, "short"},
		{"short", "it failed", -1, "short"},
		{long, "it failed", 60, "line\nline\nline\nl…\n" + rest + "\nit failed"},
		{long, "", 50, "line\nline\nline\nl…\n" + rest},
		{long, "it failed", 20, "cut: the rest; r…"},
	} {
		if got := Shortened(c.text, c.outcome, c.max); got != c.want || c.max > 0 && len(got) > c.max {
			t.Errorf("to %d: %q, want %q", c.max, got, c.want)
		}
	}
}

// Wherever a writer fails the status stops there, with that error.
func TestStatusThatCannotBeWritten(t *testing.T) {
	s := &result.Status{Servers: []result.Server{{ID: "a", State: "stopped", Binary: "/bin/a"}}, Omitted: 1, Problems: []string{"p"}, Cut: "c"}
	full := errors.New("disk full")
	for fails := range 7 {
		written := 0
		err := StatusText(s, writerFunc(func(b []byte) (int, error) {
			if written++; written > fails {
				return 0, full
			}
			return len(b), nil
		}))
		if wantErr := fails < 6; errors.Is(err, full) != wantErr || written != min(fails+1, 6) {
			t.Errorf("after %d lines: %v, written %d times", fails, err, written)
		}
	}
}
