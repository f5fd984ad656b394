package assembly_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// told are the texts of items.
func told(c result.Context) (texts []string) {
	for _, i := range c.Items {
		texts = append(texts, i.Kind+": "+i.Text)
	}
	return texts
}

// around is a request about the function that begins in line 5 of app/app.go.
func around(include ...string) api.AssembleRequest {
	return api.AssembleRequest{Ranges: []api.Range{{File: "app/app.go", StartLine: 6}}, Include: include}
}

const (
	packageItem = "type: app/app.go:3 calc\nimport \"example.com/m/calc\"\n"
	sumItem     = "type: calc/calc.go:4 Sum\nfield Sum int\n"
	adderItem   = "definition: calc/calc.go:3-4 Adder\n// Adder adds.\ntype Adder struct{ Sum int }\n"
	addItem     = "definition: calc/calc.go:6-6 Adder.Add\nfunc (a *Adder) Add(n int) { a.Sum = Add(a.Sum, n) }\n"
	twiceItem   = "definition: calc/calc.go:10-10 Twice\nfunc Twice(a int) int { return Add(a, a) }\n"
	calcItem    = "summary: calc/calc.go declares\n  struct Adder:4 struct{...}\n    field Sum:4 int\n  method Adder.Add:6 func(n int)\n  function Add:8 func(a, b int) int\n  function Twice:10 func(a int) int\n  function unseen:12 func()\n  function Unused:14 func()\n  function Again:16 func(n int) int\n"
	appItem     = "summary: app/app.go declares\n  function Run:5 func() int\n  variable total:11\n"
	hintsItem   = "hints: app/app.go hints\n  7:8 n:\n  7:19 a:\n"
)

// What a function uses is told by its definition, or by its type where the definition says no more;
// then come the files around it; what it declares itself is left out. Each item has the record of
// the question that it answers.
//
// Requirement: LSP-001, LSP-002, INV-LSP-001, SYN-7, SYN-12.
func TestContextOfAFunction(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	before := time.Now()
	got := enginetest.Do(t, s, api.Assemble, around())
	if diff := cmp.Diff([]string{packageItem, sumItem, adderItem, addItem, twiceItem, calcItem, appItem, hintsItem}, told(got)); diff != "" {
		t.Error(diff)
	}
	bytes := 0
	for _, i := range got.Items {
		bytes += len(i.Text)
		r := &i.Record
		if i.SourceType != "lsp_semantic" || i.Priority != "supporting" || i.Purity != "impure" ||
			r.Server != "gopls" || r.Version == "" || r.QueriedAt.Before(before) || time.Now().Before(r.QueriedAt) || r.Stale {
			t.Errorf("%s: %+v", i.Text, i)
		}
		for _, f := range r.Files {
			if f.AtQuery != f.AtInjection || f.AtQuery.Hash != edit.Hash([]byte(s.Read(f.Path))) || f.AtQuery.Modified.IsZero() {
				t.Errorf("%s: %+v", i.Text, f)
			}
		}
	}
	if got.Bytes != bytes || got.BudgetBytes != api.DefaultContextBytes || got.Left != 0 || got.Failures != nil {
		t.Errorf("%d bytes, said to be %d of %d; %d left, %+v", bytes, got.Bytes, got.BudgetBytes, got.Left, got.Failures)
	}
	sum := got.Items[1].Record
	if sum.Query != "textDocument/hover" || sum.Target != (result.ContextPlace{Path: "app/app.go", Line: 8, Column: 11, EndLine: 8}) ||
		len(sum.Files) != 2 || sum.Files[0].Path != "app/app.go" || sum.Files[1].Path != "calc/calc.go" {
		t.Errorf("%+v", sum)
	}
	if adder := got.Items[2].Record; adder.Query != "textDocument/documentSymbol" || adder.Target != (result.ContextPlace{Path: "calc/calc.go", Line: 4, Column: 6, EndLine: 4}) || got.Items[2].Name != "Adder" {
		t.Errorf("%+v", adder)
	}
}

// What the caller has in view is not repeated; nor are kinds given that it did not ask for.
//
// Requirement: SYN-12.
func TestContextOmitsWhatIsInView(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	req := around("definition", "summary")
	req.InView = []api.Range{{File: "calc/calc.go", StartLine: 6, EndLine: 10}, {File: "app/app.go"}}
	if diff := cmp.Diff([]string{adderItem, calcItem}, told(enginetest.Do(t, s, api.Assemble, req))); diff != "" {
		t.Error(diff)
	}
	req.InView = append(req.InView, api.Range{File: "calc/calc.go"})
	if got := enginetest.Do(t, s, api.Assemble, req); len(got.Items) != 0 || got.Bytes != 0 {
		t.Errorf("all is in view: %q", told(got))
	}
}

// However small the budget is, the texts of the items stay within it, and what is left out is counted.
//
// Requirement: SYN-12.
func TestContextWithinABudget(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	req := around("type", "definition", "signature", "summary", "hints", "references")
	whole := enginetest.Do(t, s, api.Assemble, req)
	for _, budget := range []int{1, len(packageItem) - len("type: ") - 1, 100, 150, 200, 333, 500, whole.Bytes - 1, whole.Bytes} {
		req.BudgetBytes = budget
		got := enginetest.Do(t, s, api.Assemble, req)
		if text := strings.Join(texts(got), ""); len(text) > budget || len(text) != got.Bytes || got.BudgetBytes != budget {
			t.Errorf("%d bytes of %d:\n%s", len(text), budget, text)
		}
		if budget == whole.Bytes {
			if diff := cmp.Diff(told(whole), told(got)); diff != "" || got.Left != 0 {
				t.Errorf("with room for all: %d left, %s", got.Left, diff)
			}
		} else if budget < 200 && got.Left == 0 {
			t.Errorf("%d bytes: nothing is said to be left out", budget)
		}
	}
}

// texts are those of items alone.
func texts(c result.Context) (list []string) {
	for _, i := range c.Items {
		list = append(list, i.Text)
	}
	return list
}

// The source of symbols that the caller names comes first, also of those in the words of a task;
// words that name nothing are only words.
func TestContextOfSymbols(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	for _, req := range []api.AssembleRequest{
		{Symbols: []string{"calc/calc.go Twice"}},
		{Text: "Make `Twice` of calc faster: see nowhere_at_all() and e.g. the README."},
	} {
		got := enginetest.Do(t, s, api.Assemble, req)
		if list := told(got); len(list) == 0 || list[0] != twiceItem || !slices.Contains(list, "definition: calc/calc.go:8-8 Add\nfunc Add(a, b int) int { return a + b }\n") {
			t.Errorf("%+v: %q", req, list)
		}
	}
}

// The focus on a diff is the declarations that it touches, and files that are new as a whole.
func TestContextOfADiff(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	s.Git("init", "-q")
	s.Git("add", "-A")
	s.Git("commit", "-q", "-m", "one")
	req := api.AssembleRequest{GitRange: "HEAD", Include: []string{"definition"}}
	if got := enginetest.Do(t, s, api.Assemble, req); len(got.Items) != 0 || !slices.Equal(got.Notes, []string{"HEAD changes no file that a server knows"}) {
		t.Errorf("nothing is changed: %q %q", told(got), got.Notes)
	}
	s.Write("app/app.go", strings.Replace(s.Read("app/app.go"), "calc.Twice(2)", "calc.Twice(3)", 1))
	if diff := cmp.Diff([]string{adderItem, addItem, twiceItem}, told(enginetest.Do(t, s, api.Assemble, req))); diff != "" {
		t.Error(diff)
	}
	s.Write("cmd/new.go", "package main\n\nvar _ = 1 // new\n\nfunc again() { main() }\n")
	got := enginetest.Do(t, s, api.Assemble, req)
	if !slices.Contains(told(got), "definition: cmd/main.go:5-5 main\nfunc main() { app.Run() }\n") {
		t.Errorf("%q", told(got))
	}
}

// Findings of the files in focus come where they are asked for, with the server that found them.
func TestContextWithDiagnostics(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	req := around("diagnostics")
	if diff := cmp.Diff([]string{"diagnostics: app/app.go: no errors\n"}, told(enginetest.Do(t, s, api.Assemble, req))); diff != "" {
		t.Error(diff)
	}
	s.Write("app/app.go", strings.Replace(s.Read("app/app.go"), "calc.Twice(2)", "calc.Twice(nope)", 1))
	got := enginetest.Do(t, s, api.Assemble, req)
	if diff := cmp.Diff([]string{"diagnostics: app/app.go: 1 finding\n  error 7:19 undefined: nope (UndeclaredName)\n"}, told(got)); diff != "" {
		t.Error(diff)
	}
	if r := got.Items[0].Record; r.Server != "gopls" || r.Version == "" || r.Query != "diagnostics" || len(r.Files) != 1 {
		t.Errorf("%+v", r)
	}
}

// Items whose files did not change are the same; of those whose files did each is asked for again
// where it stands now, or marked as stale with the time at which it was asked for, if it is gone.
// None gets longer, and none is left out.
//
// Requirement: LSP-FH-005, INV-LSP-003, SYN-13.
func TestRevalidation(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	first := enginetest.Do(t, s, api.Assemble, around())
	again := func(items []result.ContextItem) result.Context {
		return enginetest.Do(t, s, api.Revalidate, api.RevalidateRequest{Items: items})
	}
	if same := again(first.Items); cmp.Diff(first.Items, same.Items) != "" || same.Bytes != first.Bytes {
		t.Errorf("nothing changed: %s", cmp.Diff(first.Items, same.Items))
	}
	moved := strings.Replace(s.Read("calc/calc.go"), "type Adder struct{ Sum int }", "\ntype Adder struct{ Sum int64 }", 1)
	moved = strings.Replace(moved, "a.Sum = Add(a.Sum, n)", "_ = n", 1)
	moved = strings.Replace(moved, "func Twice(a int) int { return Add(a, a) }\n", "", 1)
	s.Write("calc/calc.go", moved)
	now := again(first.Items)
	byName := make(map[string]result.ContextItem)
	for i, item := range now.Items {
		if len(item.Text) > len(first.Items[i].Text) {
			t.Errorf("%q got longer than %q", item.Text, first.Items[i].Text)
		}
		byName[item.Kind+" "+item.Name] = item
	}
	if len(now.Items) != len(first.Items) {
		t.Fatalf("%q", told(now))
	}
	if diff := cmp.Diff(first.Items[0], byName["type calc"]); diff != "" {
		t.Errorf("app/app.go did not change: %s", diff)
	}
	if add := byName["definition Adder.Add"]; add.Text != "calc/calc.go:7-7 Adder.Add\nfunc (a *Adder) Add(n int) { _ = n }\n" || add.Record.Stale || !add.Record.QueriedAt.After(first.Items[3].Record.QueriedAt) || add.Record.Target.Line != 7 {
		t.Errorf("it was asked for again: %+v", add)
	}
	if sum := byName["type Sum"]; !strings.Contains(sum.Text, "int64") && !sum.Record.Stale {
		t.Errorf("the type is another: %+v", sum)
	}
	twice := byName["definition Twice"]
	if r := twice.Record; twice.Text != first.Items[4].Text || !r.Stale || r.QueriedAt != first.Items[4].Record.QueriedAt ||
		r.Reason != "Twice is no longer found in calc/calc.go" || r.Files[0].AtQuery != first.Items[4].Record.Files[0].AtQuery || r.Files[0].AtInjection.Hash != edit.Hash([]byte(moved)) {
		t.Errorf("it is gone: %+v", twice)
	}
	if summary := byName["summary "]; summary.Record.Stale {
		t.Errorf("%+v", summary)
	}
	s.Write("calc/calc.go", strings.Replace(moved, "func unseen", "func Twice(a int) int { return 2 * a }\n\nfunc unseen", 1))
	if back := again(now.Items); back.Items[4].Record.Stale || !strings.Contains(back.Items[4].Text, "return 2 * a") {
		t.Errorf("it is back: %+v", back.Items[4])
	}
}

// What a request names wrongly is its error, with the way out.
func TestContextOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	for argument, req := range map[string]api.AssembleRequest{
		"files": {}, "include": {Files: []string{"main.toy"}, Include: []string{"colour"}}, "budget_bytes": {Files: []string{"main.toy"}, BudgetBytes: -1},
		"ranges":     {Ranges: []api.Range{{File: "main.toy", StartLine: 99}}},
		"in_view":    {Files: []string{"main.toy"}, InView: []api.Range{{StartLine: 1}}},
		"timeout_ms": {Files: []string{"main.toy"}, TimeoutMS: -1},
	} {
		_, err := api.Assemble.Do(t.Context(), s, req)
		var wrong *api.ArgumentError
		if !errors.As(err, &wrong) || wrong.Argument != argument || wrong.Advice == "" {
			t.Errorf("%s: %v", argument, err)
		}
	}
	if _, err := api.Assemble.Do(t.Context(), s, api.AssembleRequest{Files: []string{"none.toy"}}); result.ErrorOf(err).Kind != result.NotFound {
		t.Errorf("%v", err)
	}
	_, err := api.Revalidate.Do(t.Context(), s, api.RevalidateRequest{Items: []result.ContextItem{{Kind: "type", Text: "x\n"}}})
	if of := result.ErrorOf(err); of == nil || of.Message != "items: element 0 is no item with its record" {
		t.Errorf("%v", err)
	}
}

// A question that fails leaves its failure on record and no item; what a server does not offer is not
// asked, and nothing to speak of; and all that is answered is given all the same.
//
// Requirement: LSP-005, LSP-006, LSP-FH-004, INV-LSP-002, INV-LSP-005.
func TestFailedQuestionsGiveNoItems(t *testing.T) {
	t.Parallel()
	script := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.ReplyError(-32603, "broken", ""))}}
	s := enginetest.OpenToy(t, script, lsptest.Project)
	got := enginetest.Do(t, s, api.Assemble, api.AssembleRequest{Files: []string{"main.toy"}, Include: []string{"type", "summary", "signature", "hints"}})
	for i := range got.Failures {
		got.Failures[i].QueriedAt = time.Time{}
	}
	if len(got.Failures) != 1 || got.Failures[0].Server != "toy" || got.Failures[0].Query != "textDocument/hover" || got.Failures[0].Target.Path != "main.toy" || !strings.Contains(got.Failures[0].Error.Message, "broken") {
		t.Errorf("%+v", got.Failures)
	}
	for _, item := range got.Items {
		if item.Kind != result.ContextSummary {
			t.Errorf("%+v", item)
		}
	}
	if len(got.Items) == 0 {
		t.Error("what was answered is not given")
	}
}

// Without a server there is no context, and no error either: what was not answered is on record, and
// items from before stay, marked as stale.
//
// Requirement: LSP-005, INV-LSP-003, INV-LSP-005.
func TestContextWithoutAServer(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Crash(1))}}, lsptest.Project)
	got := enginetest.Do(t, s, api.Assemble, api.AssembleRequest{Files: []string{"main.toy"}, Include: api.ContextKinds})
	var failed []string
	for _, f := range got.Failures {
		failed = append(failed, f.Query)
	}
	slices.Sort(failed)
	want := []string{"diagnostics", "textDocument/definition", "textDocument/documentSymbol", "textDocument/inlayHint"}
	if diff := cmp.Diff(want, slices.Compact(failed)); diff != "" || len(got.Items) != 0 {
		t.Errorf("%q %s", told(got), diff)
	}
	asked := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	old := result.ContextItem{Kind: result.ContextSummary, Text: "main.toy declares much\n", Record: result.ContextRecord{
		Server: "toy", Query: "textDocument/documentSymbol", Target: result.ContextPlace{Path: "main.toy"}, QueriedAt: asked,
		Files: []result.ContextFile{{Path: "main.toy", AtQuery: result.FileState{Hash: "0"}}},
	}}
	used := old
	used.Kind, used.Name, used.Record.Query, used.Record.Target.Line = result.ContextType, "helper", "textDocument/hover", 1
	now := enginetest.Do(t, s, api.Revalidate, api.RevalidateRequest{Items: []result.ContextItem{old, used}})
	if len(now.Items) != 2 {
		t.Fatalf("%+v", now.Items)
	}
	for _, i := range now.Items {
		if i.Text != old.Text || !i.Record.Stale || i.Record.Reason == "" || strings.Contains(i.Record.Reason, "no longer found") || i.Record.QueriedAt != asked {
			t.Errorf("%+v", i)
		}
	}
}
