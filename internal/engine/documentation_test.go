package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/workspace"
)

// The tool of the language answers by name, libraries included; a place in a file
// is looked up where it is declared; where no tool knows, the server's hover does.
func TestDocumentation(t *testing.T) {
	s := openReal(t, goProject, "gopls")
	for _, c := range []struct {
		s            Selector
		source, text string
	}{
		{Selector{Symbol: "encoding/json.Decoder.Decode", Language: "go"}, "go doc encoding/json.Decoder.Decode", "reads the next JSON-encoded value"},
		{Selector{At: "calc/calc.go Adder"}, "go doc Adder", "Adder adds."},
		{Selector{At: "app/app.go:7 Add"}, "go doc Adder.Add", "func (a *Adder) Add(n int)"},
		{Selector{At: "app/app.go:6:6"}, "hover", "var a calc.Adder"},
		{Selector{Symbol: "fmt.Println", File: "calc/calc.go", Language: "go"}, "go doc fmt.Println", "func Println("},
		{Selector{Symbol: "Twice", File: "calc/calc.go", Language: "go"}, "go doc Twice", "func Twice("},
		{Selector{Symbol: "calc.Twice"}, "go doc Twice", "func Twice(a int) int"},
	} {
		result := do(t, s, Documentation, DocumentationRequest{Selector: c.s})
		if result.Source != c.source || !strings.Contains(result.Text, c.text) {
			t.Errorf("%+v: from %q: %s", c.s, result.Source, result.Text)
		}
	}
	result := do(t, s, Documentation, DocumentationRequest{Selector: Selector{Symbol: "strings.Cut", Language: "go"}, Format: "markdown"})
	if !strings.HasPrefix(result.Text, "```text\n") || result.Signature != "func Cut(s, sep string) (before, after string, found bool)" {
		t.Errorf("%+v", result)
	}
	if _, err := Documentation.Do(t.Context(), s.Engine, DocumentationRequest{Selector: Selector{Symbol: "strings.NoSuchThing", Language: "go"}}); !is[*workspace.ToolError](err) {
		t.Errorf("%T %v", err, err)
	}
}

// A module of the workspace is never run to read its documentation, and cannot
// stand in for the tool.
func TestDocumentationRunsNoCodeOfTheWorkspace(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	evil := "open(r'" + ran + "', 'w').close()\n"
	// pyright itself runs the user's Python, with json, under the user's
	// PYTHONPATH; what it must not find there is the tool.
	t.Setenv("PYTHONPATH", lsptest.Workspace(t, "-- pydoc.py --\n"+evil))
	s := openReal(t, "-- pyproject.toml --\n-- evil.py --\n"+evil+"-- pydoc.py --\n"+evil+"-- json.py --\n"+evil, "pyright")
	for _, name := range []string{"json.dumps", "evil"} {
		result, err := Documentation.Do(t.Context(), s.Engine, DocumentationRequest{Selector: Selector{Symbol: name, Language: "python"}})
		if name == "json.dumps" && (err != nil || !strings.Contains(result.Text, "Serialize") || !strings.HasPrefix(result.Source, "python3 ")) {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
		if name == "evil" && err == nil && result.Source != "hover" {
			t.Errorf("%s: %+v", name, result)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("code of the workspace was run")
	}
}

// What is no name reaches no tool: neither options nor commands nor paths.
func TestDocumentationTakesNamesAlone(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	for _, symbol := range []string{
		"-toolexec=/bin/true", "--help", "-all", "; rm -rf x", "a;b", "$(id)", "`id`", "a b", "a\nb", "../x", "/etc/passwd", "a/../../b",
		"@x", "|x", "C:\\x", "-C", "",
	} {
		for _, language := range []string{"go", "python"} {
			result, err := Documentation.Do(t.Context(), s.Engine, DocumentationRequest{Selector: Selector{Symbol: symbol, Language: language}})
			if err == nil || is[*workspace.ToolError](err) {
				t.Errorf("%q of %s: %+v, %v", symbol, language, result, err)
			}
			if strings.HasPrefix(symbol, "-") && !is[*ArgumentError](err) {
				t.Errorf("%q of %s: %T", symbol, language, err)
			}
		}
	}
}
