package navigation

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Of completions those are told that go on from what is written, in whatever case, in the order of the server's
// sort texts; if none does, the server knows better, and all are told.
//
// Requirement: AGENT-11.
func TestCompletionsGoOn(t *testing.T) {
	list := protocol.CompletionList{Incomplete: true, Items: []protocol.CompletionItem{
		{Label: " Print ", Kind: 3, FilterText: " Print", SortText: "b", InsertText: "Print(", Detail: "func()", Deprecated: true},
		{Label: "private", Kind: 6, FilterText: "private", SortText: "a", InsertText: "private"},
		{Label: "other", FilterText: "other", SortText: "c", InsertText: "other"},
	}}
	printed := result.Completion{Label: "Print", Kind: "function", Insert: "Print(", Detail: "func()", Deprecated: true}
	private, other := result.Completion{Label: "private", Kind: "variable"}, result.Completion{Label: "other"}
	for written, want := range map[string][]result.Completion{
		"": {private, printed, other}, "pr": {private, printed}, "PRI": {private, printed}, "o": {other}, "z": {private, printed, other},
	} {
		answer := result.Completions{At: "a.go:1:2", Total: len(want), Items: want, Incomplete: true}
		if diff := cmp.Diff(answer, completions("a.go:1:2", list, written)); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", written, diff)
		}
	}
	if list.Items[0].Label != " Print " {
		t.Error("the server's list is changed")
	}
	if diff := cmp.Diff(result.Completions{At: "a", Items: []result.Completion{}}, completions("a", protocol.CompletionList{}, "x")); diff != "" {
		t.Errorf("of none (-want +got):\n%s", diff)
	}
}

// The signatures of a call are told with the parameter at which the place is, if it is at one.
//
// Requirement: AGENT-11.
func TestSignaturesOfACall(t *testing.T) {
	help := &protocol.SignatureHelp{Active: 1, Signatures: []protocol.Signature{
		{Label: "f(a, b)", Documentation: "It is f.", Parameters: []protocol.Parameter{{Label: "a"}, {Label: "b"}}, Active: 1},
		{Label: "f(a)", Parameters: []protocol.Parameter{{Label: "a"}}, Active: -1},
		{Label: "f()"},
	}}
	want := result.Signatures{At: "a.go:1:2", Active: 1, Signatures: []result.Signature{
		{Label: "f(a, b)", Documentation: "It is f.", Parameters: []string{"a", "b"}, ActiveParameter: "b"}, {Label: "f(a)", Parameters: []string{"a"}}, {Label: "f()"},
	}}
	if diff := cmp.Diff(want, signatures("a.go:1:2", help)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(result.Signatures{At: "a", Signatures: []result.Signature{}}, signatures("a", nil)); diff != "" {
		t.Errorf("of none (-want +got):\n%s", diff)
	}
}

// A semantic token is told with its text, counted from 1; one of several lines has no length.
//
// Requirement: AGENT-11.
func TestTokens(t *testing.T) {
	text := protocol.NewMapper(protocol.Text([]byte("é := f\n/* a\nb */\n")))
	at := func(line, from, toLine, to uint32) protocol.Range {
		return protocol.Range{Start: protocol.Position{Line: line, Character: from}, End: protocol.Position{Line: toLine, Character: to}}
	}
	for _, c := range []struct {
		token protocol.SemanticToken
		want  result.Token
	}{
		{protocol.SemanticToken{Range: at(0, 5, 0, 6), Type: "function", Modifiers: []string{"static"}}, result.Token{Line: 1, Column: 6, Length: 1, Type: "function", Modifiers: []string{"static"}, Text: "f"}},
		{protocol.SemanticToken{Range: at(1, 0, 2, 4), Type: "comment"}, result.Token{Line: 2, Column: 1, Type: "comment", Text: "/* a\nb */"}},
		{protocol.SemanticToken{Range: at(0, 5, 0, 2), Type: "wrong"}, result.Token{Line: 1, Column: 6, Length: 1<<32 - 3, Type: "wrong"}},
	} {
		if diff := cmp.Diff(c.want, presentToken(text, c.token)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// A direction has the name of LSP or ours, callers if none is named, and at most ten levels.
func TestDirections(t *testing.T) {
	for _, c := range []struct {
		direction string
		depth     int
		want      symbols.Direction
		wrong     string
	}{
		{"", 0, symbols.Callers, ""},
		{"incoming", 1, symbols.Callers, ""},
		{"callers", 10, symbols.Callers, ""},
		{"outgoing", 0, symbols.Callees, ""},
		{"callees", 0, symbols.Callees, ""},
		{"supertypes", 0, symbols.Supertypes, ""},
		{"subtypes", 0, symbols.Subtypes, ""},
		{"up", 0, "", "direction"},
		{"callers", -1, "", "depth"},
		{"callers", 99, symbols.Callers, ""},
	} {
		got, err := directionNamed(api.HierarchyRequest{Direction: c.direction, Depth: c.depth})
		if got != c.want || wrongArgument(err) != c.wrong {
			t.Errorf("%q, %d: %q, %v", c.direction, c.depth, got, err)
		}
	}
}

// wrongArgument is the argument that an error is about, "" without one.
func wrongArgument(err error) string {
	var wrong *api.ArgumentError
	if errors.As(err, &wrong) {
		return wrong.Argument
	}
	return ""
}

// A request that makes no sense is refused with the argument that is wrong, before a server is asked.
func TestWrongRequests(t *testing.T) {
	n, _ := open(t, project)
	for name, c := range map[string]struct {
		ask  func() error
		want string
	}{
		"nothing is named": {func() error { _, err := n.Symbols(t.Context(), api.SymbolsRequest{}); return err }, "file"},
		"two things are": {func() error {
			_, err := n.Symbols(t.Context(), api.SymbolsRequest{File: "main.toy", Query: "f"})
			return err
		}, "query"},
		"an outline of nothing": {func() error { _, err := n.Outline(t.Context(), api.SymbolsRequest{}); return err }, "file"},
		"a search for nothing":  {func() error { _, err := n.FindSymbol(t.Context(), api.SymbolsRequest{}); return err }, "query"},
		"no kind": {func() error {
			_, err := n.FindSymbol(t.Context(), api.SymbolsRequest{Query: "f", Kind: "colour"})
			return err
		}, "kind"},
		"no format": {func() error {
			_, err := n.Outline(t.Context(), api.SymbolsRequest{File: "main.toy", Format: "round"})
			return err
		}, "format"},
		"a negative limit": {func() error {
			_, err := n.Symbols(t.Context(), api.SymbolsRequest{File: "main.toy", Limit: -1})
			return err
		}, "limit"},
		"a negative offset": {func() error { _, err := n.Symbols(t.Context(), api.SymbolsRequest{Query: "f", Offset: -1}); return err }, "limit"},
		"a negative depth": {func() error {
			_, err := n.Symbols(t.Context(), api.SymbolsRequest{File: "main.toy", Depth: -1})
			return err
		}, "limit"},
		"a direction":           {func() error { _, err := n.Hierarchy(t.Context(), api.HierarchyRequest{Direction: "up"}); return err }, "direction"},
		"negative context":      {func() error { _, err := n.Source(t.Context(), api.SourceRequest{ContextLines: -1}); return err }, "context_lines"},
		"no kind of definition": {func() error { _, err := n.Definition(t.Context(), api.DefinitionRequest{Kind: "colour"}); return err }, "kind"},
		"a line that is not": {func() error {
			_, err := n.InlayHints(t.Context(), api.AreaRequest{Area: api.Area{File: "main.toy", StartLine: 99}})
			return err
		}, "start_line"},
	} {
		if err := c.ask(); wrongArgument(err) != c.want {
			t.Errorf("%s: %v is not about %s", name, err, c.want)
		}
	}
	selector := api.Selector{At: "none.toy:1:1"}
	for name, ask := range map[string]func() error{
		"definition": func() error {
			_, err := n.Definition(t.Context(), api.DefinitionRequest{Selector: selector})
			return err
		},
		"references": func() error {
			_, err := n.References(t.Context(), api.ReferencesRequest{Selector: selector})
			return err
		},
		"highlights": func() error {
			_, err := n.Highlights(t.Context(), api.HighlightsRequest{Selector: selector})
			return err
		},
		"hierarchy":      func() error { _, err := n.Hierarchy(t.Context(), api.HierarchyRequest{Selector: selector}); return err },
		"inspect":        func() error { _, err := n.Inspect(t.Context(), api.InspectRequest{Selector: selector}); return err },
		"explore":        func() error { _, err := n.Explore(t.Context(), api.ExploreRequest{Selector: selector}); return err },
		"source":         func() error { _, err := n.Source(t.Context(), api.SourceRequest{Selector: selector}); return err },
		"completions":    func() error { _, err := n.Completions(t.Context(), api.PlaceRequest{Selector: selector}); return err },
		"signature_help": func() error { _, err := n.SignatureHelp(t.Context(), api.PlaceRequest{Selector: selector}); return err },
		"folding":        func() error { _, err := n.Folding(t.Context(), api.FileRequest{File: "none.toy"}); return err },
		"outline":        func() error { _, err := n.Outline(t.Context(), api.SymbolsRequest{File: "none.toy"}); return err },
	} {
		var gone *workspace.NotFoundError
		if err := ask(); !errors.As(err, &gone) {
			t.Errorf("%s of a file that there is not: %T %v", name, err, err)
		}
	}
}

// What a server cannot do is an error of the operation, not an empty answer.
func TestWhatTheServerCannotDo(t *testing.T) {
	n, _ := open(t, project)
	at := api.Selector{At: "main.toy:1:5"}
	for name, ask := range map[string]func() error{
		"declaration":     func() error { _, err := n.Declaration(t.Context(), api.DefinitionRequest{Selector: at}); return err },
		"type definition": func() error { _, err := n.TypeDefinition(t.Context(), api.DefinitionRequest{Selector: at}); return err },
		"implementation":  func() error { _, err := n.Implementation(t.Context(), api.DefinitionRequest{Selector: at}); return err },
		"highlights":      func() error { _, err := n.Highlights(t.Context(), api.HighlightsRequest{Selector: at}); return err },
		"completions":     func() error { _, err := n.Completions(t.Context(), api.PlaceRequest{Selector: at}); return err },
		"signature help":  func() error { _, err := n.SignatureHelp(t.Context(), api.PlaceRequest{Selector: at}); return err },
		"inlay hints": func() error {
			_, err := n.InlayHints(t.Context(), api.AreaRequest{Area: api.Area{File: "main.toy"}})
			return err
		},
	} {
		var unsupported *lsp.UnsupportedError
		if err := ask(); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A server that fails is an error of each operation that asks it; an inspection only needs its hover.
func TestServersThatFail(t *testing.T) {
	fails := func(methods ...string) (rules []lsptest.Rule) {
		for _, method := range methods {
			rules = append(rules, lsptest.On(method, lsptest.ReplyError(-32603, "it broke", "")))
		}
		return rules
	}
	at, file := api.Selector{At: "main.toy:1:5"}, "main.toy"
	inspect := func(n *Navigator) error {
		_, err := n.Inspect(t.Context(), api.InspectRequest{Selector: at})
		return err
	}
	explore := func(n *Navigator) error {
		_, err := n.Explore(t.Context(), api.ExploreRequest{Selector: at})
		return err
	}
	for name, c := range map[string]struct {
		methods []string
		ask     func(*Navigator) error
		fails   bool
	}{
		"definition": {[]string{"textDocument/definition"}, func(n *Navigator) error {
			_, err := n.Definition(t.Context(), api.DefinitionRequest{Selector: at})
			return err
		}, true},
		"references": {[]string{"textDocument/references"}, func(n *Navigator) error {
			_, err := n.References(t.Context(), api.ReferencesRequest{Selector: at})
			return err
		}, true},
		"folding":                {[]string{"textDocument/foldingRange"}, func(n *Navigator) error { _, err := n.Folding(t.Context(), api.FileRequest{File: file}); return err }, true},
		"outline":                {[]string{"textDocument/documentSymbol"}, func(n *Navigator) error { _, err := n.Outline(t.Context(), api.SymbolsRequest{File: file}); return err }, true},
		"no hover":               {[]string{"textDocument/hover"}, inspect, true},
		"no definition":          {[]string{"textDocument/definition"}, inspect, false},
		"neither":                {[]string{"textDocument/definition", "textDocument/hover"}, inspect, true},
		"explore, no hover":      {[]string{"textDocument/hover"}, explore, true},
		"explore, no references": {[]string{"textDocument/references"}, explore, true},
		"explore, no definition": {[]string{"textDocument/definition"}, explore, false},
	} {
		n, _ := open(t, project, fails(c.methods...)...)
		if err := c.ask(n); (err != nil) != c.fails || err != nil && !strings.Contains(err.Error(), "it broke") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A page of a list begins at most at its end, and a limit of 0 is none.
func TestPages(t *testing.T) {
	list := []result.Symbol{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for _, c := range []struct {
		offset, limit, at int
		want              []result.Symbol
	}{{0, 0, 0, list}, {1, 0, 1, list[1:]}, {1, 1, 1, list[1:2]}, {0, 9, 0, list}, {3, 1, 3, list[3:]}, {9, 1, 3, list[3:]}} {
		got, at := page(list, c.offset, c.limit)
		if diff := cmp.Diff(c.want, got); diff != "" || at != c.at {
			t.Errorf("%d from %d begin at %d (-want +got):\n%s", c.limit, c.offset, at, diff)
		}
	}
}

// A call that runs beside its caller is known by the words of its line.
func TestCallsBeside(t *testing.T) {
	for line, want := range map[string]string{
		"\tgo f()": "goroutine", "defer func() { go func() {}() }()": "goroutine", "g.Go(f)": "goroutine", "ago f()": "",
		"asyncio.create_task(f())": "task", "tokio::spawn(f())": "task", "threading.Thread(target=f)": "thread", "pool.submit(f)": "thread",
		"await Promise.all([f()])": "event loop", "setTimeout(f, 1)": "event loop", "f()": "", "": "",
	} {
		if got := startsBeside(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
