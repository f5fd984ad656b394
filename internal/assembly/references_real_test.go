package assembly_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// Who uses what a file declares is told per symbol without the uses in the file. After a change the uses
// are asked for again by the name of the symbol; once that is gone the item is stale.
//
// Requirement: LSP-FH-005, INV-LSP-001, INV-LSP-003, SYN-7.
func TestContextOfTheUsesOfAFile(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	got := enginetest.Do(t, s, api.Assemble, api.AssembleRequest{Ranges: []api.Range{{File: "calc/calc.go", StartLine: 1, EndLine: 10}}, Include: []string{"references"}})
	want := []string{
		"references: calc/calc.go:4 Adder: 1 use elsewhere in what gopls has loaded:\n  app/app.go:6 var a calc.Adder\n",
		"references: calc/calc.go:6 Adder.Add: 1 use elsewhere in what gopls has loaded:\n  app/app.go:7 a.Add(calc.Twice(2))\n",
		"references: calc/calc.go:8 Add: 3 uses elsewhere in what gopls has loaded:\n  calc/calc_test.go:6 if Add(1, 1) != Twice(1) {\n  app/app.go:11 var total = calc.Add(1, 2) + calc.Add(3, 4)\n",
		"references: calc/calc.go:10 Twice: 2 uses elsewhere in what gopls has loaded:\n  calc/calc_test.go:6 if Add(1, 1) != Twice(1) {\n  app/app.go:7 a.Add(calc.Twice(2))\n",
	}
	if diff := cmp.Diff(want, told(got)); diff != "" || got.Failures != nil {
		t.Fatalf("%+v (-want +got):\n%s", got.Failures, diff)
	}
	if r := got.Items[3].Record; r.Server != "gopls" || r.Query != "textDocument/references" || r.Target != (result.ContextPlace{Path: "calc/calc.go", Line: 10, Column: 6, EndLine: 10}) || len(r.Files) != 3 {
		t.Errorf("%+v", r)
	}
	again := func() *result.ContextItem {
		return &enginetest.Do(t, s, api.Revalidate, api.RevalidateRequest{Items: got.Items[3:]}).Items[0]
	}
	s.Write("app/app.go", strings.Replace(s.Read("app/app.go"), "calc.Twice(2)", "2", 1))
	const fewer = "calc/calc.go:10 Twice: 1 use elsewhere in what gopls has loaded:\n  calc/calc_test.go:6 if Add(1, 1) != Twice(1) {\n"
	if now := again(); now.Text != fewer || now.Record.Stale || now.Record.Query != "textDocument/references" {
		t.Errorf("%+v", now)
	}
	s.Write("calc/calc.go", strings.Replace(s.Read("calc/calc.go"), "func Twice", "func Thrice", 1))
	if now := again(); now.Text != got.Items[3].Text || !now.Record.Stale || now.Record.Reason != "Twice is no longer found in calc/calc.go" {
		t.Errorf("%+v", now)
	}
}
