package impact

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

const propertyKind = 7

// hovering is code whose functions have types that can be told.
type hovering struct {
	*code
	hover string
}

func (h *hovering) Open(context.Context, string, string) (symbols.Server, error) { return h, nil }
func (h *hovering) HoverAt(context.Context, string, protocol.Position) (protocol.Hover, error) {
	return protocol.Hover{Text: h.hover}, nil
}

// library is a file with a symbol on each of its lines that a test may change;
// each is used in a file of its own, named after its line.
func library(path, text string, list ...protocol.Symbol) *hovering {
	c := &code{texts: map[string]string{path: text}, outlines: map[string][]protocol.Symbol{path: list}}
	for line := range len(strings.Split(text, "\n")) {
		c.texts[here(fmt.Sprintf("/r/src/use%d.ts", line))] = "class X extends Y {}\nuse\n"
	}
	c.references = func(asked string, at protocol.Position) ([]protocol.Location, error) {
		user := here(fmt.Sprintf("/r/src/use%d.ts", at.Line))
		if asked != path {
			return nil, errors.New("unexpected")
		}
		var found []protocol.Location
		for line := range uint32(2) {
			start := protocol.Position{Line: line}
			found = append(found, protocol.Location{URI: protocol.URIFromPath(user), Range: protocol.Range{Start: start, End: start}})
		}
		return append(found, protocol.Location{URI: protocol.URIFromPath(path)}), nil
	}
	return &hovering{c, "() => number"}
}

const libraryText = `import x from "x"
export class C {
  a: number;
  m(n: number) {
    return n;
  }
  t(n: number): number {
    return n;
  }
}
export function f(
  a: number,
) {
  return a;
}
export { c as d }
`

func theLibrary() *hovering {
	return library(here("/r/lib/lib.ts"), libraryText,
		sym(classKind, "C", 1, 9, sym(propertyKind, "a", 2, 2), sym(methodKind, "m", 3, 5), sym(methodKind, "t", 6, 8)),
		sym(functionKind, "f", 10, 14))
}

// What an edit reaches follows from the lines it changes: the users of the innermost
// symbol there and of the type around a member; those of a function whose body alone
// changes only if its type may follow from it.
func TestReachOfAnEdit(t *testing.T) {
	for _, c := range []struct{ name, old, text, sure, possible string }{
		{"a member and its type", "a: number", "a: string", "use1 use2", ""},
		{"a signature, and what derives from its class", "m(n: number)", "m(n: string)", "use1 use3", ""},
		{"a body whose type is inferred", "return n;\n  }\n  t", "return 1;\n  }\n  t", "", "use3"},
		{"a body whose type is written", "return n;\n  }\n}", "return 1;\n  }\n}", "", ""},
		{"the second line of a head", "  a: number,\n)", "  a: string,\n)", "use10", ""},
		{"a body after a long head", "return a", "return 1", "", "use10"},
		{"a line above the body", ") {\n  return a", ") {\n  log();\n  return a", "", "use10"},
		{"a member is put between two", "  m(n", "  z = 1;\n  m(n", "use1", ""},
		{"nothing but an import", `"x"`, `"y"`, "", ""},
		{"names that are passed on", "c as d", "c as e", "use15", ""},
		{"something new at the end", "c as d }\n", "c as d }\nexport const n = 1;\n", "", ""},
		{"all of it", libraryText, "", "use1 use10 use15 use2 use3 use6", ""},
	} {
		h := theLibrary()
		after := strings.Replace(libraryText, c.old, c.text, 1)
		if after == libraryText {
			t.Fatal(c.name)
		}
		reach, err := FindUsers(t.Context(), symbols.New(h), Texts{}, []Change{{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText), After: []byte(after)}})
		if err != nil || len(reach.Notes)+len(reach.Unknown) > 0 {
			t.Errorf("%s: %v %q", c.name, err, append(reach.Notes, reach.Unknown...))
		}
		if got := users(reach.Files()); got != c.sure {
			t.Errorf("%s: reaches %q, want %q", c.name, got, c.sure)
		}
		if got := users(reach.Possible()); got != c.possible {
			t.Errorf("%s: may reach %q, want %q", c.name, got, c.possible)
		}
		if got := users(reach.Inferred(t.Context(), symbols.New(h))); got != "" {
			t.Errorf("%s: the type is as it was, and reaches %q", c.name, got)
		}
		for hover, want := range map[string]string{"(...n: number[]) => void": "", "() => { a: number; ... 3 more ...; }": c.possible, "() => …": c.possible} {
			h := theLibrary()
			h.hover = hover
			reach, err := FindUsers(t.Context(), symbols.New(h), Texts{}, []Change{{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText), After: []byte(after)}})
			if got := users(reach.Inferred(t.Context(), symbols.New(h))); got != want || err != nil {
				t.Errorf("%s, %s: reaches %q, want %q", c.name, hover, got, want)
			}
		}
		h.hover = "() => string"
		if got := users(reach.Inferred(t.Context(), symbols.New(h))); got != c.possible {
			t.Errorf("%s: another type reaches %q, want %q", c.name, got, c.possible)
		}
	}
}

func users(paths []string) string {
	var names []string
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(p), ".ts"))
	}
	return strings.Join(names, " ")
}

// What a body declares for itself may change without another word of the type that
// follows from it: its users are concerned for certain.
func TestReachOfTypesInBodies(t *testing.T) {
	path, text := here("/r/lib/lib.ts"), "export function f() {\n  interface I {\n    a: 1;\n  }\n  return {} as I;\n}\n"
	h := library(path, text, sym(functionKind, "f", 0, 5))
	after := strings.Replace(text, "a: 1", "a: 2", 1)
	reach, err := FindUsers(t.Context(), symbols.New(h), Texts{}, []Change{{Path: path, Before: []byte(text), After: []byte(after)}})
	if err != nil || users(reach.Files()) != "use0" || users(reach.Possible()) != "" {
		t.Errorf("%q, %q, %v", users(reach.Files()), users(reach.Possible()), err)
	}
}

// A file that goes away reaches the users of all its symbols; those nearest to it
// come first.
func TestReachOfADeletion(t *testing.T) {
	h := theLibrary()
	find := h.references
	h.references = func(path string, at protocol.Position) ([]protocol.Location, error) {
		found, err := find(path, at)
		return append(found, protocol.Location{URI: protocol.URIFromPath(here("/r/lib/z.ts"))}), err
	}
	h.texts[here("/r/lib/z.ts")] = "use\n"
	reach, err := FindUsers(t.Context(), symbols.New(h), Texts{}, []Change{{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText)}})
	if got := users(reach.Files()); err != nil || got != "z use1 use10 use2 use3 use6" {
		t.Errorf("%q, %v", got, err)
	}
}

// What cannot be found out is said, and does not pass for nothing.
func TestReachThatIsNotKnown(t *testing.T) {
	h := theLibrary()
	h.references = func(string, protocol.Position) ([]protocol.Location, error) { return nil, errors.New("broken") }
	reach, err := FindUsers(t.Context(), symbols.New(h), Texts{}, []Change{{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText)}, {Path: here("/r/none.ts"), Before: []byte("x")}})
	if err != nil || len(reach.Files()) != 0 {
		t.Errorf("%v, %q", err, reach.Files())
	}
	notes := strings.Join(append(reach.Notes, reach.Unknown...), "\n")
	for _, want := range []string{"who uses C is not known: broken", "what none.ts reaches is not known: no such file"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in:\n%s", want, notes)
		}
	}
}

// Where text shows who uses what, nothing is unknown because a server does not say it;
// a type that cannot be asked for is taken for another.
func TestReachWithoutTheServer(t *testing.T) {
	for _, c := range []struct {
		name       string
		outline    bool
		old, after string
		want       string
	}{
		{"no references", true, "  a: number,\n)", "  a: string,\n)", "user"},
		{"no references to what is inferred", true, "return a", "return 1", "user"},
		{"no outline", false, "return a", "return 1", "user"},
	} {
		h := theLibrary()
		h.references = func(string, protocol.Position) ([]protocol.Location, error) { return nil, errors.New("broken") }
		if !c.outline {
			delete(h.outlines, here("/r/lib/lib.ts"))
			delete(h.texts, here("/r/lib/lib.ts"))
		}
		files := map[string]string{here("/r/lib/lib.ts"): libraryText, here("/r/user.ts"): "import { f } from \"./lib/lib\";\nf(1);\n"}
		after := strings.Replace(libraryText, c.old, c.after, 1)
		reach, err := FindUsers(t.Context(), symbols.New(h), textsOf(files), []Change{{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText), After: []byte(after)}})
		if err != nil || len(reach.Notes)+len(reach.Unknown)+len(reach.Mute) > 0 || users(reach.Files()) != c.want || users(reach.Possible()) != "" {
			t.Errorf("%s: %q %q, %q %q, %v", c.name, users(reach.Files()), users(reach.Possible()), reach.Notes, reach.Unknown, err)
		}
	}
}

// Where servers take too long, texts alone show who uses what, and no server is asked.
func TestReachByTextAlone(t *testing.T) {
	h := theLibrary()
	asked := 0
	h.references = func(string, protocol.Position) ([]protocol.Location, error) { asked++; return nil, nil }
	files := map[string]string{here("/r/lib/lib.ts"): libraryText, here("/r/user.ts"): "import { f } from \"./lib/lib\";\nf(1);\n"}
	change := []Change{{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText), After: []byte(strings.Replace(libraryText, "  a: number,\n)", "  a: string,\n)", 1))}}
	for _, c := range []struct {
		texts Texts
		asks  bool
	}{{textsOf(files).Alone(), false}, {textsOf(files), true}, {Texts{}.Alone(), true}} {
		asked = 0
		if reach, err := FindUsers(t.Context(), symbols.New(h), c.texts, change); err != nil || (asked > 0) != c.asks || c.texts.search != nil && users(reach.Files()) != "user" {
			t.Errorf("asked %d times, %q, %v", asked, users(reach.Files()), err)
		}
	}
}

// asking is a server that counts how often it is asked what a file declares.
type asking struct {
	*hovering
	times int
}

func (s *asking) Open(context.Context, string, string) (symbols.Server, error) { return s, nil }
func (s *asking) Symbols(ctx context.Context, path string) ([]protocol.Symbol, error) {
	s.times++
	return s.hovering.Symbols(ctx, path)
}

// No server is asked about a file that is new, about one of which the texts show that nothing changes for
// others, or about a file of configuration.
func TestReachThatNeedsNoServer(t *testing.T) {
	lib, manifest := here("/r/lib/lib.ts"), here("/r/package.json")
	for name, c := range map[string]struct {
		change Change
		asks   bool
	}{
		"a new file":          {Change{Path: lib, After: []byte(libraryText)}, false},
		"a comment":           {Change{Path: lib, Before: []byte(libraryText), After: []byte("// new\n" + libraryText)}, false},
		"a configuration":     {Change{Path: manifest, Before: []byte("{}"), After: []byte(`{"type": "module"}`)}, false},
		"a signature":         {Change{Path: lib, Before: []byte(libraryText), After: []byte(strings.Replace(libraryText, "n: number", "n: string", 1))}, true},
		"another language":    {Change{Path: here("/r/lib/lib.zig"), Before: []byte("const a = 1;"), After: []byte("const a = 1; ")}, true},
		"a file that is gone": {Change{Path: lib, Before: []byte(libraryText)}, true},
	} {
		h := theLibrary()
		h.texts[manifest], h.texts[here("/r/lib/lib.zig")] = "{}", "const a = 1;"
		server := &asking{hovering: h}
		reach, err := FindUsers(t.Context(), symbols.New(server), Texts{}, []Change{c.change})
		if err != nil || (server.times > 0) != c.asks || !c.asks && len(reach.Files()) > 0 {
			t.Errorf("%s: asked %d times, reaches %q, %v", name, server.times, reach.Files(), err)
		}
	}
}

// A function of which the server says nothing any more is taken for one of another type.
func TestInferredTypeOfWhatIsGone(t *testing.T) {
	path := here("/r/lib/lib.ts")
	for name, lose := range map[string]func(*hovering){
		"the function": func(h *hovering) { h.outlines[path] = h.outlines[path][:1] },
		"the file":     func(h *hovering) { delete(h.texts, path) },
		"nothing":      func(*hovering) {},
	} {
		h := theLibrary()
		after := strings.Replace(libraryText, "return a", "return 1", 1)
		reach, err := FindUsers(t.Context(), symbols.New(h), Texts{}, []Change{{Path: path, Before: []byte(libraryText), After: []byte(after)}})
		if err != nil {
			t.Fatal(err)
		}
		lose(h)
		want := "use10"
		if name == "nothing" {
			want = ""
		}
		if got := users(reach.Inferred(t.Context(), symbols.New(h))); got != want {
			t.Errorf("%s is gone: reaches %q, want %q", name, got, want)
		}
	}
}

// mute is a server that does not say what files declare.
type mute struct{ *hovering }

func (m mute) Open(context.Context, string, string) (symbols.Server, error) { return m, nil }
func (m mute) Symbols(context.Context, string) ([]protocol.Symbol, error) {
	return nil, &lsp.UnsupportedError{Server: "mute", Method: "textDocument/documentSymbol"}
}

// A file whose server cannot say what it declares is told apart from one of which that is not known.
func TestReachOfAMuteServer(t *testing.T) {
	path := here("/r/lib.rs")
	h := library(path, "fn f() {}\n")
	reach, err := FindUsers(t.Context(), symbols.New(mute{h}), Texts{}, []Change{{Path: path, Before: []byte("fn f() {}\n"), After: []byte("fn g() {}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{path}, nil, nil, nil}, [][]string{reach.Mute, reach.Files(), reach.Notes, reach.Unknown}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of more symbols than a server is asked about, texts show who uses them, and nothing is
// left out; without texts that is said.
func TestReachOfManySymbols(t *testing.T) {
	path, many := here("/r/lib/lib.ts"), maxTouched+1
	var text strings.Builder
	var list []protocol.Symbol
	for i := range uint32(many) {
		fmt.Fprintf(&text, "export const c%d: number = 1;\n", i)
		list = append(list, sym(classKind, fmt.Sprintf("c%d", i), i, i))
	}
	before := text.String()
	after := strings.ReplaceAll(before, "number", "string")
	files := map[string]string{path: before, here("/r/user.ts"): fmt.Sprintf("import { c%d } from \"./lib/lib\";\n", many-1)}
	reach, err := FindUsers(t.Context(), symbols.New(library(path, before, list...)), textsOf(files), []Change{{Path: path, Before: []byte(before), After: []byte(after)}})
	if err != nil || len(reach.Notes)+len(reach.Unknown) > 0 || users(reach.Files()) != "user" {
		t.Errorf("%q, %q, %v", users(reach.Files()), reach.Notes, err)
	}
	reach, err = FindUsers(t.Context(), symbols.New(library(path, before, list...)), Texts{}, []Change{{Path: path, Before: []byte(before), After: []byte(after)}})
	if err != nil || len(reach.Notes) != 1 || len(reach.Files()) != maxTouched {
		t.Errorf("%d files, %q, %v", len(reach.Files()), reach.Notes, err)
	}
}

// The head of a Python function ends with its colon, not with one of its own.
func TestPythonHeads(t *testing.T) {
	path, text := here("/r/lib/lib.py"), "def f(a: int,\n      b={1: 2}):\n    return a\ndef g() -> int:\n    return 1\n"
	for _, c := range []struct{ old, text, sure, possible string }{
		{"return a", "return b", "", "use0"},
		{"{1: 2}", "{1: 3}", "use0", ""},
		{"return 1", "return 2", "", ""},
	} {
		h := library(path, text, sym(functionKind, "f", 0, 2), sym(functionKind, "g", 3, 4))
		after := strings.Replace(text, c.old, c.text, 1)
		reach, err := FindUsers(t.Context(), symbols.New(h), Texts{}, []Change{{Path: path, Before: []byte(text), After: []byte(after)}})
		if err != nil || users(reach.Files()) != c.sure || users(reach.Possible()) != c.possible {
			t.Errorf("%s: %q, %q, %v", c.old, users(reach.Files()), users(reach.Possible()), err)
		}
	}
}

// By text a search finds those that servers do not: who brings in what comes, and
// who uses what is inferred from what changes. They are asked after the direct users.
func TestReachByText(t *testing.T) {
	h := theLibrary()
	h.texts[here("/r/use/a.ts")] = "import { f } from \"../lib/lib\";\nexport const made = () => f(1);\n"
	h.texts[here("/r/use/b.ts")] = "import { made } from \"./a\";\nmade();\n"
	h.texts[here("/r/use/c.ts")] = "import \"../lib/more\";\n"
	var paths []string
	for path := range h.texts {
		paths = append(paths, path)
	}
	texts := TextsOf(new(TextReader), Tree{Paths: func() []string { return paths }, Read: h.Text, Stamp: func(string) (Stamp, bool) { return Stamp{}, false }})
	after := strings.Replace(libraryText, "  a: number,\n)", "  a: string,\n)", 1)
	reach, err := FindUsers(t.Context(), symbols.New(h), texts, []Change{
		{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText), After: []byte(after)},
		{Path: here("/r/lib/more.ts"), After: []byte("export {}\n")},
	})
	if got := users(reach.Files()); err != nil || got != "use10 a c b" {
		t.Errorf("%q, %v", got, err)
	}
	body := strings.Replace(libraryText, "return a", "return 1", 1)
	reach, err = FindUsers(t.Context(), symbols.New(h), texts, []Change{{Path: here("/r/lib/lib.ts"), Before: []byte(libraryText), After: []byte(body)}})
	if sure, possible := users(reach.Files()), users(reach.Possible()); err != nil || sure != "" || possible != "use10 a b" {
		t.Errorf("%q, %q, %v", sure, possible, err)
	}
}
