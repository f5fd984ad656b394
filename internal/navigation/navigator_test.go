package navigation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// open returns who answers questions about files of the toy language to a caller in the folder
// sub, and the overlay that they are put through; rules are those of the server.
func open(t *testing.T, archive string, rules ...lsptest.Rule) (*Navigator, *overlay.Texts) {
	t.Helper()
	return openScript(t, archive, lsptest.Script{Rules: rules})
}

// openScript is open with a server that follows a script.
func openScript(t *testing.T, archive string, script lsptest.Script) (*Navigator, *overlay.Texts) {
	t.Helper()
	root := lsptest.Workspace(t, archive)
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	collector := diagnostics.New(diagnostics.Options{})
	w, err := workspace.Open(workspace.Options{
		Root: root, Servers: registry.Table{script.Definition(t)}, MaxFileBytes: cfg.Settings.MaxFileBytes,
		Observe: func(key roots.Key) lsp.Observer { return collector.Observe(diagnostics.Key(key)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := overlay.New(overlay.Options{Workspace: w, Collector: collector, Settings: &cfg.Settings})
	t.Cleanup(func() {
		texts.Close()
		collector.Close()
		_ = w.Close(context.Background())
	})
	names := w.Names(filepath.Join(root, "sub"))
	return New(names, texts.View(names, setup.New(w, collector, names)), nil), texts
}

const project = `
-- toy.root --
-- sub/lib.toy --
def helper
-- sub/main.toy --
use helper
use helper
`

// References are counted from 1, and are in files named from the caller's own folder.
//
// Requirement: AGENT-13.
func TestReferences(t *testing.T) {
	n, _ := open(t, project)
	got, err := n.References(t.Context(), api.ReferencesRequest{Selector: api.Selector{At: "lib.toy:1:5"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []result.PlaceFile{
		{Path: "lib.toy", Count: 1, Places: []result.Place{{Line: 1, Column: 5, Text: "def helper"}}}, // toy counts it in
		{Path: "main.toy", Count: 2, Places: []result.Place{{Line: 1, Column: 5, Text: "use helper"}, {Line: 2, Column: 5, Text: "use helper"}}},
	}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
}

// Nobody hears of a text that only somebody else's edit shows: a question waits until that is
// over, or until its deadline.
//
// Requirement: OPTA-11.
func TestQuestionWaitsForWhatIsShown(t *testing.T) {
	n, texts := open(t, project)
	if err := texts.Shown.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := call.Begin(t.Context(), time.Millisecond)
	defer cancel()
	_, err := n.Definition(ctx, api.DefinitionRequest{Selector: api.Selector{At: "main.toy:1:5"}})
	var late *call.TimeoutError
	if err = call.Explain(ctx, "definition", err); !errors.As(err, &late) {
		t.Fatalf("%T: %v", err, err)
	}
	if diff := cmp.Diff(&call.TimeoutError{Operation: "definition", Waited: overlay.BeingShown}, late); diff != "" {
		t.Error(diff)
	}
	texts.Shown.Unlock()
	got, err := n.Definition(t.Context(), api.DefinitionRequest{Selector: api.Selector{At: "main.toy:1:5"}})
	if err != nil || got.Total != 1 || got.Files[0].Path != "lib.toy" {
		t.Errorf("%+v %v", got, err)
	}
}

// A search gives a page of what it found, of one kind if that is asked for, and counts all.
func TestPagesOfASearch(t *testing.T) {
	n, _ := open(t, project)
	found := []symbols.Found{{Name: "a", Kind: "function"}, {Name: "b", Kind: "class"}, {Name: "c", Kind: "function"}, {Name: "d", Kind: "function"}}
	type page struct {
		Names         string
		Total, Offset int
	}
	for want, req := range map[page]api.SymbolsRequest{
		{"a b c d", 4, 0}: {}, {"a c", 3, 0}: {Kind: "function", Limit: 2}, {"d", 3, 2}: {Kind: "function", Offset: 2, Limit: 2},
		{"b", 4, 1}: {Offset: 1, Limit: 1}, {"", 4, 4}: {Offset: 9}, {"", 0, 0}: {Kind: "enum"},
	} {
		answer, err := n.foundSymbols(t.Context(), nil, req, found)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range answer.Symbols {
			names = append(names, s.Name)
		}
		if diff := cmp.Diff(want, page{strings.Join(names, " "), answer.Total, answer.Offset}); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", req, diff)
		}
	}
}

// What is inspected can be followed by its references, from the place that was found.
func TestInspectionNamesWhatFollows(t *testing.T) {
	n, _ := open(t, project)
	got, err := n.Inspect(t.Context(), api.InspectRequest{Selector: api.Selector{At: "main.toy:2 helper"}})
	if err != nil {
		t.Fatal(err)
	}
	want := result.Inspection{Symbol: "helper", At: "main.toy:2:5", Definition: "lib.toy:1:5"}
	want.Next = "references at main.toy:2:5"
	got.Hover, got.Kind, got.Signature = "", "", ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A server that has no tokens for a file, or a line that the file does not have, is an error.
func TestSemanticTokensThatThereAreNot(t *testing.T) {
	n, _ := open(t, project)
	var unsupported *lsp.UnsupportedError
	if _, err := n.SemanticTokens(t.Context(), api.AreaRequest{Area: api.Area{File: "main.toy"}}); !errors.As(err, &unsupported) {
		t.Errorf("%v", err)
	}
	var wrong *api.ArgumentError
	if _, err := n.SemanticTokens(t.Context(), api.AreaRequest{Area: api.Area{File: "main.toy", StartLine: 99}}); !errors.As(err, &wrong) || wrong.Argument != "start_line" {
		t.Errorf("%v", err)
	}
}

// Each of several places that declare a name has its own end, and its own source if that is asked
// for.
//
// Requirement: AGENT-8.
func TestSeveralDefinitions(t *testing.T) {
	n, _ := open(t, "-- toy.root --\n-- sub/lib.toy --\ndef helper\ndef helper\nuse helper\n")
	for _, with := range []bool{false, true} {
		got, err := n.Definition(t.Context(), api.DefinitionRequest{Selector: api.Selector{At: "lib.toy:3:5"}, WithSource: with})
		if err != nil {
			t.Fatal(err)
		}
		want := []result.Place{
			{Line: 1, Column: 5, EndLine: 1, EndColumn: 11, Text: "def helper"},
			{Line: 2, Column: 5, EndLine: 2, EndColumn: 11, Text: "def helper"},
		}
		for i := range want {
			if with {
				want[i].Text = ""
				line := want[i].Line
				want[i].Source = &result.Source{Symbol: "helper", Kind: "function", Path: "lib.toy", Line: line, EndLine: line, Code: "def helper"}
			}
		}
		if diff := cmp.Diff([]result.PlaceFile{{Path: "lib.toy", Count: 2, Places: want}}, got.Files); diff != "" {
			t.Errorf("with source %t: %s", with, diff)
		}
	}
}
