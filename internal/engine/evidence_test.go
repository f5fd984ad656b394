package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A logged engine keeps evidence.
type logged struct {
	*engine.Engine
	log        *evidence.Log
	path, root string
}

func openLogged(t *testing.T, user string, o evidence.Options) *logged {
	t.Helper()
	l := &logged{path: filepath.Join(t.TempDir(), "evidence.jsonl"), root: lsptest.Workspace(t, lsptest.Project)}
	rules := filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, rules, user)
	cfg, problems := config.Load(config.Options{Root: l.root, UserFile: rules, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{lsptest.Script{}.Definition(t)}
	o.Path = l.path
	l.log = evidence.Open(o)
	var err error
	if l.Engine, err = engine.New(engine.Options{Root: l.root, Config: cfg, State: t.TempDir(), Evidence: l.log}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = l.Close(context.Background())
		l.log.Close(context.Background())
	})
	return l
}

// events returns what was recorded of some kinds, and resets nothing.
func (l *logged) events(t *testing.T, kinds ...evidence.Kind) (list []evidence.Event) {
	t.Helper()
	if err := l.log.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := evidence.Read(l.path, func(r *evidence.Record) error {
		for _, kind := range kinds {
			if r.Event != kind {
				continue
			}
			e, err := r.Decode()
			if err != nil {
				return err
			}
			list = append(list, e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// withoutTimes are the events but for what a clock says.
var withoutTimes = cmp.Options{
	cmpopts.IgnoreFields(evidence.ToolCall{}, "DurationMS"), cmpopts.IgnoreFields(evidence.QueryBatch{}, "DurationMS", "Bytes"),
}

// An edit that breaks something leaves on record that it was asked for and what came of it, the
// hashes of the file before and after, the lines that were replaced, the verdict, the errors that it made, and how many
// errors and warnings there were before and after; then the one that mends it does.
//
// Requirement: LSP-004, AGENT-39.
func TestEvidenceOfEdits(t *testing.T) {
	l := openLogged(t, "{}", evidence.Options{})
	ctx := api.Call{Session: "s1", Client: "mcp/test"}.In(t.Context())
	write := func(text string) {
		t.Helper()
		if _, err := api.EditFiles.Do(ctx, l, api.EditRequest{Edits: []api.FileEdit{{File: "main.toy", Content: &text}}}); err != nil {
			t.Fatal(err)
		}
	}
	write("use helper\nERROR broken\nWARN odd\nWARN odder\n")
	one, two, zero, minus := 1, 2, 0, -1
	want := []evidence.Event{
		&evidence.Applied{Operation: "edit", Files: []evidence.Changed{{
			File: "main.toy", Replaced: []evidence.Replaced{{Line: 2, NewLines: 3}},
		}}},
		&evidence.ToolCall{
			Operation: "edit", Root: l.root, Files: []string{"main.toy"}, Edit: "Wrote main.toy.", Applied: true,
			ErrorsBefore: &zero, ErrorsAfter: &one, NetDelta: &one, WarningsBefore: &zero, WarningsAfter: &two, FilesChecked: 1, Success: true,
		},
		&evidence.Validation{Operation: "edit", Verdict: result.NewErrors, Files: []evidence.Validated{{File: "main.toy", Verdict: result.NewErrors, Baseline: "before", New: 1}}},
		&evidence.Regression{Operation: "edit", Errors: []evidence.Finding{{File: "main.toy", Line: 2, Column: 1, Message: "broken", Server: "toy"}}},
	}
	kinds := []evidence.Kind{evidence.KindEditApplied, evidence.KindToolCall, evidence.KindValidation, evidence.KindRegression}
	got := l.events(t, kinds...)
	ignore := cmp.Options{withoutTimes, cmpopts.IgnoreFields(evidence.Changed{}, "Before", "After"), cmpopts.IgnoreFields(evidence.ToolCall{}, "Edit"), cmpopts.IgnoreFields(evidence.Finding{}, "Code"), cmpopts.IgnoreFields(evidence.Validated{}, "Baseline")}
	if diff := cmp.Diff(want, got, ignore); diff != "" {
		t.Error(diff)
	}
	write("use helper\nWARN odder\n")
	after := l.events(t, kinds...)[len(got):]
	want = []evidence.Event{
		&evidence.Applied{Operation: "edit", Files: []evidence.Changed{{File: "main.toy", Replaced: []evidence.Replaced{{Line: 2, OldLines: 2}}}}},
		&evidence.ToolCall{
			Operation: "edit", Root: l.root, Files: []string{"main.toy"}, Applied: true,
			ErrorsBefore: &one, ErrorsAfter: &zero, NetDelta: &minus, WarningsBefore: &two, WarningsAfter: &one, FilesChecked: 1, Success: true,
		},
		&evidence.Validation{Operation: "edit", Verdict: result.Clean, Files: []evidence.Validated{{File: "main.toy", Verdict: result.Clean, Fixed: 1}}},
	}
	if diff := cmp.Diff(want, after, ignore); diff != "" {
		t.Error(diff)
	}
	first, second := got[0].(*evidence.Applied).Files[0], after[0].(*evidence.Applied).Files[0]
	if first.After != second.Before || len(first.Before) != 64 || first.Before == first.After {
		t.Errorf("the hashes are %+v, and then %+v", first, second)
	}
	err := evidence.Read(l.path, func(r *evidence.Record) error {
		if (r.Event == evidence.KindToolCall || r.Event == evidence.KindEditApplied) && (r.Session != "s1" || r.Client != "mcp/test") {
			t.Errorf("record %d is of %q, %q", r.Seq, r.Session, r.Client)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A call that is refused because of its request, and one of an operation that there is not, are on record as one that
// fails later is. The tool is named as the client called it, and the mode as the request says.
func TestEvidenceOfRefusedCalls(t *testing.T) {
	l := openLogged(t, `{"lsp": {"policy": [{"match": {"operation": "edit"}, "action": "deny"}]}}`, evidence.Options{})
	call := func(tool, operation, request string) {
		ctx := api.Call{Session: "s1", Client: "mcp/test", Tool: tool}.In(t.Context())
		if err := l.Call(ctx, operation, json.RawMessage(request), &result.Edit{}); err == nil {
			t.Errorf("%s %s is carried out", operation, request)
		}
	}
	call("go_to_definition", "definition", `{"file":"main.toy","line":0}`)
	call("edit", "edit", `{"edits":7}`)
	call("safe_edit", "edit", `{"edits":[{"file":"main.toy","content":""}],"mode":"preview"}`)
	call("nothing", "no_such_operation", `{}`)
	want := []evidence.Event{
		&evidence.ToolCall{Operation: "definition", Tool: "go_to_definition", Root: l.root, ErrorKind: "argument"},
		&evidence.ToolCall{Operation: "edit", Root: l.root, ErrorKind: "argument"},
		&evidence.ToolCall{Operation: "edit", Tool: "safe_edit", Mode: "preview", Root: l.root, Files: []string{"main.toy"}, ErrorKind: "denied"},
		&evidence.ToolCall{Operation: "no_such_operation", Tool: "nothing", Root: l.root, ErrorKind: "unsupported"},
	}
	got := l.events(t, evidence.KindToolCall)
	if diff := cmp.Diff(want, got, withoutTimes, cmpopts.IgnoreFields(evidence.ToolCall{}, "Error")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a front asks for itself, such as over and over what changed, is no call of its client, but what servers are asked
// for it is on record. A change is a call whoever asks for it.
func TestEvidenceOfOwnCalls(t *testing.T) {
	l := openLogged(t, "{}", evidence.Options{})
	own, text := api.Call{Client: "mcp/test", Own: true}.In(t.Context()), "def other\n"
	if _, err := api.Symbols.Do(own, l, api.SymbolsRequest{File: "main.toy"}); err != nil {
		t.Fatal(err)
	}
	if _, err := api.EditFiles.Do(own, l, api.EditRequest{Edits: []api.FileEdit{{File: "new.toy", Content: &text}}}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range l.events(t, evidence.KindToolCall, evidence.KindQueryBatch) {
		switch e := e.(type) {
		case *evidence.ToolCall:
			got = append(got, "call of "+e.Operation)
		case *evidence.QueryBatch:
			if e.Operation == "symbols" {
				got = append(got, "queries of "+e.Operation)
			}
		}
	}
	if diff := cmp.Diff([]string{"queries of symbols", "call of edit"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What was replaced is on record as lines, and with the begins of the texts where the user wants contents.
func TestEvidenceOfWhatWasReplaced(t *testing.T) {
	long := strings.Repeat("x", 500)
	for _, contents := range []bool{false, true} {
		l := openLogged(t, "{}", evidence.Options{Contents: contents})
		text := "use helper\n# " + long + "\n"
		if _, err := api.EditFiles.Do(t.Context(), l, api.EditRequest{Edits: []api.FileEdit{{File: "main.toy", Content: &text}, {File: "lib.toy", RenameTo: "moved.toy"}}}); err != nil {
			t.Fatal(err)
		}
		lines := evidence.Replaced{Line: 2, NewLines: 1}
		if contents {
			lines.New = "# " + long[:398] + "…"
		}
		want := []evidence.Event{&evidence.Applied{Operation: "edit", Files: []evidence.Changed{{File: "main.toy", Replaced: []evidence.Replaced{lines}}, {File: "moved.toy", From: "lib.toy"}}}}
		if diff := cmp.Diff(want, l.events(t, evidence.KindEditApplied), cmpopts.IgnoreFields(evidence.Changed{}, "Before", "After")); diff != "" {
			t.Errorf("contents %t (-want +got):\n%s", contents, diff)
		}
	}
}

// What a question asks of a server is one batch, with the methods, the files and how it went; a call
// that fails is on record with its kind. The server's life is, with how it was found.
//
// Requirement: SYN-11.
func TestEvidenceOfQuestions(t *testing.T) {
	l := openLogged(t, "{}", evidence.Options{})
	if _, err := api.Definition.Do(t.Context(), l, api.DefinitionRequest{Selector: api.Selector{At: "main.toy:1 helper"}}); err != nil {
		t.Fatal(err)
	}
	_, err := api.Definition.Do(t.Context(), l, api.DefinitionRequest{Selector: api.Selector{At: "gone.toy:1:5"}})
	if err == nil {
		t.Fatal("a file that is gone has a definition")
	}
	calls := l.events(t, evidence.KindToolCall)
	want := []evidence.Event{
		&evidence.ToolCall{Operation: "definition", Root: l.root, Files: []string{"main.toy"}, Success: true},
		&evidence.ToolCall{Operation: "definition", Root: l.root, Files: []string{"gone.toy"}, ErrorKind: "not_found", Error: result.ErrorOf(err).Message},
	}
	if diff := cmp.Diff(want, calls, withoutTimes); diff != "" {
		t.Error(diff)
	}
	found := false
	for _, e := range l.events(t, evidence.KindQueryBatch) {
		q := e.(*evidence.QueryBatch)
		if q.Operation != "definition" || q.Server != "toy" || q.Outcome != evidence.Responded {
			continue
		}
		for _, query := range q.Queries {
			if query.Method == "textDocument/definition" && query.Count == 1 && q.Bytes > 0 && cmp.Equal(q.Targets, []string{"main.toy"}) {
				found = true
			}
		}
	}
	if !found {
		t.Errorf("the request for the definition is not on record: %+v", l.events(t, evidence.KindQueryBatch))
	}
	lsptest.Eventually(t, 30*time.Second, func() bool { return len(l.events(t, evidence.KindLifecycle)) > 0 }, "the start of the server is on record")
	started := []evidence.Event{&evidence.Lifecycle{Server: "toy", Root: ".", Change: "started", Source: "auto-detected"}}
	if diff := cmp.Diff(started, l.events(t, evidence.KindLifecycle)); diff != "" {
		t.Error(diff)
	}
}

// What the policy denies, asks about and is answered is on record, with the rule.
func TestEvidenceOfDecisions(t *testing.T) {
	l := openLogged(t, `{"lsp": {"policy": [{"match": {"operation": "rename"}, "action": "deny"}, {"match": {"class": "edit"}, "action": "ask", "reason": "yours"}]}}`, evidence.Options{})
	_, _ = api.Rename.Do(t.Context(), l, api.RenameRequest{Selector: api.Selector{At: "main.toy:1:5"}, NewName: "x"})
	asking := api.Asking{Caller: l, Ask: func(context.Context, result.Question) (api.Said, error) { return api.Yes, nil }}
	text := "use helper\nuse helper\n"
	if _, err := api.EditFiles.Do(t.Context(), asking, api.EditRequest{Edits: []api.FileEdit{{File: "main.toy", Content: &text}}}); err != nil {
		t.Fatal(err)
	}
	got := l.events(t, evidence.KindPolicy)
	want := []evidence.Event{
		&evidence.Decision{Operation: "rename", Class: "edit", Action: "deny", Rule: 1},
		&evidence.Decision{Operation: "edit", Class: "edit", Action: "ask", Said: "asking", Rule: 2, Reason: "yours"},
		&evidence.Decision{Operation: "edit", Class: "edit", Action: "ask", Said: "yes", Allowed: true, Rule: 2, Reason: "yours"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(evidence.Decision{}, "Source")); diff != "" {
		t.Error(diff)
	}
	calls := 0
	for _, e := range l.events(t, evidence.KindToolCall) {
		if e.(*evidence.ToolCall).Operation == "edit" {
			calls++
		}
	}
	if calls != 1 {
		t.Errorf("a call that was asked about is on record %d times", calls)
	}
}

// What is said of the start of a server that nobody named is on record, once.
func TestEvidenceOfStarts(t *testing.T) {
	l := openLogged(t, `{"lsp": {"policy": [{"match": {"operation": "start_server"}, "action": "ask", "reason": "yours"}]}}`, evidence.Options{})
	for _, said := range []api.Said{api.No, api.Yes} {
		asking := api.Asking{Caller: l, Ask: func(context.Context, result.Question) (api.Said, error) { return said, nil }}
		for range 2 {
			ctx := api.Call{Session: "session " + string(said)}.In(t.Context())
			if _, err := api.Check.Do(ctx, asking, api.CheckRequest{Files: []string{"main.toy"}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	about := func(said string, allowed bool) evidence.Event {
		return &evidence.Decision{Operation: "start_server", Class: "admin", Server: "toy", Action: "ask", Said: said, Allowed: allowed, Rule: 1, Reason: "yours"}
	}
	want := []evidence.Event{about("asking", false), about("no", false), about("asking", false), about("yes", true)}
	if diff := cmp.Diff(want, l.events(t, evidence.KindPolicy), cmpopts.IgnoreFields(evidence.Decision{}, "Source")); diff != "" {
		t.Error(diff)
	}
}

// Texts of files are on record where the user wants them, and nowhere else.
func TestEvidenceOfContents(t *testing.T) {
	for _, contents := range []bool{false, true} {
		l := openLogged(t, "{}", evidence.Options{Contents: contents})
		text := "use helper\nuse unheard_of_text\n"
		if _, err := api.EditFiles.Do(t.Context(), l, api.EditRequest{Edits: []api.FileEdit{{File: "new.toy", Content: &text}}, Writing: api.Writing{Mode: api.Preview}}); err != nil {
			t.Fatal(err)
		}
		if err := l.log.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(l.path)
		if err != nil {
			t.Fatal(err)
		}
		requests := 0
		for _, e := range l.events(t, evidence.KindToolCall) {
			if e.(*evidence.ToolCall).Request != nil {
				requests++
			}
		}
		if (requests == 1) != contents || len(log) == 0 {
			t.Errorf("contents %t: %d requests are on record", contents, requests)
		}
	}
}

// What is asked to assemble context is on record: the questions by method, the files that they are
// about, and that they were answered.
func TestEvidenceOfContext(t *testing.T) {
	l := openLogged(t, "{}", evidence.Options{})
	ctx := api.Call{Session: "s1", Client: "mcp/test"}.In(t.Context())
	if _, err := api.Assemble.Do(ctx, l, api.AssembleRequest{Files: []string{"main.toy"}, Include: []string{"type", "summary"}}); err != nil {
		t.Fatal(err)
	}
	asked := make(map[string]int)
	for _, e := range l.events(t, evidence.KindQueryBatch) {
		q := e.(*evidence.QueryBatch)
		if q.Operation != "assemble" || q.Server != "toy" || q.Outcome != evidence.Responded {
			t.Errorf("%+v", q)
		}
		for _, query := range q.Queries {
			asked[query.Method] += query.Count
		}
	}
	if diff := cmp.Diff(map[string]int{"textDocument/definition": 2, "textDocument/hover": 1, "textDocument/documentSymbol": 1}, asked, cmpopts.IgnoreMapEntries(func(method string, _ int) bool { return method == "initialize" || method == "shutdown" })); diff != "" {
		t.Error(diff)
	}
	calls := l.events(t, evidence.KindToolCall)
	if diff := cmp.Diff([]evidence.Event{&evidence.ToolCall{Operation: "assemble", Root: l.root, Files: []string{"main.toy"}, Success: true}}, calls, withoutTimes); diff != "" {
		t.Error(diff)
	}
}
