package toolchain_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/symbols"
)

// The tool of the language answers by name, libraries included; a place in a file
// is looked up where it is declared; where no tool knows, the server's hover does.
//
// Requirement: AGENT-15.
func TestDocumentation(t *testing.T) {
	s := enginetest.OpenReal(t, enginetest.GoProject, "gopls")
	for _, c := range []struct {
		s            api.Selector
		source, text string
	}{
		{api.Selector{Symbol: "encoding/json.Decoder.Decode", Language: "go"}, "go doc encoding/json.Decoder.Decode", "reads the next JSON-encoded value"},
		{api.Selector{At: "calc/calc.go Adder"}, "go doc Adder", "Adder adds."},
		{api.Selector{At: "app/app.go:7 Add"}, "go doc Adder.Add", "func (a *Adder) Add(n int)"},
		{api.Selector{File: "calc/calc.go", Line: 6, Symbol: "Add", Language: "go"}, "go doc Adder.Add", "func (a *Adder) Add(n int)"},
		{api.Selector{At: "app/app.go:6:6"}, "hover", "var a calc.Adder"},
		{api.Selector{Symbol: "fmt.Println", File: "calc/calc.go", Language: "go"}, "go doc fmt.Println", "func Println("},
		{api.Selector{Symbol: "Twice", File: "calc/calc.go", Language: "go"}, "go doc Twice", "func Twice("},
		{api.Selector{Symbol: "calc.Twice"}, "go doc Twice", "func Twice(a int) int"},
	} {
		result := enginetest.Do(t, s, api.Documentation, api.DocumentationRequest{Selector: c.s})
		if result.Source != c.source || !strings.Contains(result.Text, c.text) {
			t.Errorf("%+v: from %q: %s", c.s, result.Source, result.Text)
		}
	}
	result := enginetest.Do(t, s, api.Documentation, api.DocumentationRequest{Selector: api.Selector{Symbol: "strings.Cut", Language: "go"}, Format: "markdown"})
	if !strings.HasPrefix(result.Text, "```text\n") || result.Signature != "func Cut(s, sep string) (before, after string, found bool)" {
		t.Errorf("%+v", result)
	}
	if _, err := api.Documentation.Do(t.Context(), s.Engine, api.DocumentationRequest{Selector: api.Selector{Symbol: "strings.NoSuchThing", Language: "go"}}); !enginetest.Is[*roots.ToolError](err) {
		t.Errorf("%T %v", err, err)
	}
}

// A module of the workspace is never run to read its documentation, and cannot
// stand in for the tool.
func TestDocumentationRunsNoCodeOfTheWorkspace(t *testing.T) {
	if !slices.ContainsFunc(language.CommandNames("python3", runtime.GOOS == "windows"), func(name string) bool { _, err := exec.LookPath(name); return err == nil }) {
		lsptest.Skip(t, "Python is not installed")
	}
	ran := filepath.Join(t.TempDir(), "ran")
	evil := "open(r'" + ran + "', 'w').close()\n"
	// pyright itself runs the user's Python, with json, under the user's
	// PYTHONPATH; what it must not find there is the tool.
	t.Setenv("PYTHONPATH", lsptest.Workspace(t, "-- pydoc.py --\n"+evil))
	s := enginetest.OpenReal(t, "-- pyproject.toml --\n-- evil.py --\n"+evil+"-- pydoc.py --\n"+evil+"-- json.py --\n"+evil, "pyright")
	for _, name := range []string{"json.dumps", "evil"} {
		result, err := api.Documentation.Do(t.Context(), s.Engine, api.DocumentationRequest{Selector: api.Selector{Symbol: name, Language: "python"}})
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
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	for _, symbol := range []string{
		"-toolexec=/bin/true", "--help", "-all", "; rm -rf x", "a;b", "$(id)", "`id`", "a b", "a\nb", "../x", "/etc/passwd", "a/../../b",
		"@x", "|x", "C:\\x", "-C", "",
	} {
		for _, language := range []string{"go", "python"} {
			result, err := api.Documentation.Do(t.Context(), s.Engine, api.DocumentationRequest{Selector: api.Selector{Symbol: symbol, Language: language}})
			if err == nil || enginetest.Is[*roots.ToolError](err) {
				t.Errorf("%q of %s: %+v, %v", symbol, language, result, err)
			}
			if strings.HasPrefix(symbol, "-") && !enginetest.Is[*api.ArgumentError](err) {
				t.Errorf("%q of %s: %T", symbol, language, err)
			}
		}
	}
}

// Of Rust cargo doc answers by name, of items and of their members; what it does not know
// the server's hover does. Nothing is written into the project.
//
// Requirement: AGENT-15.
func TestDocumentationOfRust(t *testing.T) {
	for _, tool := range []string{"cargo", "rustdoc"} {
		if _, err := exec.LookPath(tool); err != nil {
			lsptest.Skip(t, tool+" is not installed")
		}
	}
	s := enginetest.OpenReal(t, `
-- Cargo.toml --
[package]
name = "my-store"
version = "0.1.0"
edition = "2021"
-- Cargo.lock --
version = 3

[[package]]
name = "my-store"
version = "0.1.0"
-- src/lib.rs --
/// A store of numbers.
///
/// * small
pub struct Store { /** How many. */ pub n: u32 }
impl Store {
    /// Gets the number.
    pub fn get(&self) -> u32 { self.n }
}
pub mod inner {
    //! The inner parts.

    /// Makes <one>.
    pub fn make() -> u32 { 1 }
}
`, "rust-analyzer")
	for symbol, want := range map[string]string{
		"Store":                 "pub struct Store {\n    pub n: u32,\n}\n\nA store of numbers.\n\n- small",
		"my_store::Store":       "pub struct Store {\n    pub n: u32,\n}\n\nA store of numbers.\n\n- small",
		"Store::get":            "pub fn get(&self) -> u32\n\nGets the number.",
		"Store.n":               "n: u32\n\nHow many.",
		"inner::make":           "pub fn make() -> u32\n\nMakes .",
		"my_store::inner::make": "pub fn make() -> u32\n\nMakes .",
	} {
		result, err := api.Documentation.Do(t.Context(), s.Engine, api.DocumentationRequest{Selector: api.Selector{Symbol: symbol, Language: "rust"}})
		if err != nil || result.Source != "cargo doc" || result.Text != want {
			t.Errorf("%s: %q from %s, %v; want %q", symbol, result.Text, result.Source, err, want)
		}
	}
	if _, err := api.Documentation.Do(t.Context(), s.Engine, api.DocumentationRequest{Selector: api.Selector{Symbol: "NoSuchThing", Language: "rust"}}); !enginetest.Is[*roots.ToolError](err) {
		t.Errorf("%T %v", err, err)
	}
	for _, wrong := range []string{"--help", "a b", "../x", "-Zx", "a;b"} {
		if _, err := api.Documentation.Do(t.Context(), s.Engine, api.DocumentationRequest{Selector: api.Selector{Symbol: wrong, Language: "rust"}}); err == nil {
			t.Errorf("%s is a name", wrong)
		}
	}
	if _, err := os.Stat(filepath.Join(s.Folder, "target", "doc")); err == nil {
		t.Error("pages were written into the project")
	}
}

// Of TypeScript and JavaScript the server's hover is the way, and the answer says so.
//
// Requirement: AGENT-15.
func TestDocumentationOfScripts(t *testing.T) {
	s := enginetest.OpenReal(t, "-- tsconfig.json --\n{}\n-- a.ts --\n/** Loads it. */\nexport function load() { return 1; }\n", "typescript")
	result := enginetest.Do(t, s, api.Documentation, api.DocumentationRequest{Selector: api.Selector{Symbol: "load", File: "a.ts", Language: "typescript"}})
	if result.Source != "hover" || !strings.Contains(result.Text, "Loads it.") || len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "hover is the way") {
		t.Errorf("%+v", result)
	}
	_, err := api.Documentation.Do(t.Context(), s.Engine, api.DocumentationRequest{Selector: api.Selector{Symbol: "NoSuchThing", Language: "typescript"}})
	var hinted interface{ Hint() string }
	var missing *symbols.NotFoundError
	if !errors.As(err, &hinted) || !errors.As(err, &missing) {
		t.Fatalf("%v", err)
	}
	const way = "typescript has no tool for documentation by name: hover is the way; name a place in a file where it is used\n"
	if diff := cmp.Diff(way+missing.Hint(), hinted.Hint()); diff != "" || missing.Hint() == "" {
		t.Errorf("%q: %s", missing.Hint(), diff)
	}
}
