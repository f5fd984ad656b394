package assembly_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

func toldUsages(usages []result.Usage) (list []string) {
	for _, u := range usages {
		text := u.Symbol
		for _, o := range u.Others {
			text += fmt.Sprintf(" %s:%d:%s", o.Path, o.Line, o.Name)
		}
		list = append(list, text)
	}
	return list
}

// Before an edit one knows what the file imports, who uses it elsewhere and what
// it calls elsewhere; asked again nothing is repeated until something changed, in
// the file or around it.
//
// Requirement: AGENT-17.
func TestEditingContext(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	req := api.EditingContextRequest{File: "app/app.go"}
	first := enginetest.Do(t, s, api.EditingContext, req)
	if want := []string{`import "example.com/m/calc"`}; !slices.Equal(first.Imports, want) {
		t.Errorf("imports %q", first.Imports)
	}
	if got := toldUsages(first.Callers); !slices.Equal(got, []string{"Run cmd/main.go:5:main"}) {
		t.Errorf("callers %q", got)
	}
	if got := toldUsages(first.Callees); !slices.Equal(got, []string{"Run calc/calc.go:6:Add calc/calc.go:10:Twice"}) {
		t.Errorf("callees %q", got)
	}
	if len(first.Symbols) != 2 || first.ETag == "" {
		t.Errorf("%+v", first)
	}
	req.MaxBytes, req.IfNoneMatch = 200, first.ETag // the budget is no change
	again := enginetest.Do(t, s, api.EditingContext, req)
	if !again.NotModified || again.ETag != first.ETag || again.Symbols != nil {
		t.Errorf("again: %+v", again)
	}
	s.Write("cmd/more.go", "package main\n\nimport \"example.com/m/app\"\n\nfunc more() { app.Run() }\n")
	around := enginetest.Do(t, s, api.EditingContext, req)
	if around.NotModified || around.ETag == first.ETag {
		t.Errorf("a new caller elsewhere is no change: %+v", around)
	}
	req.IfNoneMatch = around.ETag
	s.Write("app/app.go", lsptestRead(t, s, "app/app.go")+"\n// more\n")
	if within := enginetest.Do(t, s, api.EditingContext, req); within.NotModified {
		t.Error("a comment in the file is no change")
	}
}
