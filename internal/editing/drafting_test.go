package editing

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// declared is the declaration of X, which stands between « and » in the text of a file, and a plan for the file.
func declared(t *testing.T, name, text string) (d *declaration, plan *edit.Plan) {
	t.Helper()
	before, rest, _ := strings.Cut(text, "«")
	own, after, _ := strings.Cut(rest, "»")
	content := []byte(before + own + after)
	e, root := editorOf(t, "")
	path := filepath.Join(root, name)
	lsptest.WriteFile(t, path, string(content))
	tree, err := edit.NewTree(1<<20, root)
	if err != nil {
		t.Fatal(err)
	}
	mapper, at := protocol.NewMapper(content), len(before)+strings.Index(own, "X")
	place := func(from, to int) protocol.Range {
		return protocol.Range{Start: mapper.Position(from, protocol.UTF16), End: mapper.Position(to, protocol.UTF16)}
	}
	o := symbols.NewOutline(path, name, content, []protocol.Symbol{{Name: "X", Kind: 12, Range: place(len(before), len(before)+len(own)), SelectionRange: place(at, at+1)}})
	d = &declaration{Editor: e, path: path, name: "X", symbol: o.Symbols[0], outline: o, text: mapper}
	d.first, d.last = o.Extent(d.symbol)
	return d, edit.NewPlan(tree)
}

// New code takes the place of a declaration or of its body, or stands beside it: as far in as it is, apart from it as
// the language wants it, and with the comments and decorators above it unless it brings its own.
func TestCodeAtADeclaration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, action, code, want string }{
		"a line":                              {"a.go", "a\n«var X»\nb\n", "replace", "var Y", "a\nvar Y\nb\n"},
		"lines":                               {"a.go", "a\n«func X() {\n}»\nb\n", "replace", "\nfunc Y() {\n\treturn\n}\n", "a\nfunc Y() {\n\treturn\n}\nb\n"},
		"within a block":                      {"a.go", "a {\n\t«X»\n}\n", "replace", "Y\nZ", "a {\n\tY\n\tZ\n}\n"},
		"its comment stays":                   {"a.go", "// X is.\n«func X() {\n}»\n", "replace", "func Y() {}", "// X is.\nfunc Y() {}\n"},
		"a comment of its own":                {"a.go", "// X is.\n«func X() {\n}»\n", "replace", "// Y is.\nfunc Y() {}", "// Y is.\nfunc Y() {}\n"},
		"a block comment of its own":          {"a.go", "// X is.\n«var X»\n", "replace", "/* Y */\nvar Y", "/* Y */\nvar Y\n"},
		"a comment below":                     {"a.go", "// X is.\n«var X»\n", "replace", "var Y\n// is", "// X is.\nvar Y\n// is\n"},
		"its decorator stays":                 {"a.py", "«@one\n@two\ndef X(): pass»\n", "replace", "def y(): pass", "@one\n@two\ndef y(): pass\n"},
		"a decorator of its own":              {"a.py", "# is\n«@one\ndef X(): pass»\n", "replace", "@two\ndef y(): pass", "@two\ndef y(): pass\n"},
		"a comment of its own, hashed":        {"a.py", "# is\n«def X(): pass»\n", "replace", "# was\ndef y(): pass", "# was\ndef y(): pass\n"},
		"a text of its own":                   {"a.py", "# is\n«def X(): pass»\n", "replace", "\"\"\"was\"\"\"\ndef y(): pass", "\"\"\"was\"\"\"\ndef y(): pass\n"},
		"an attribute stays":                  {"a.rs", "«#[one]\nfn X() {}»\n", "replace", "fn y() {}", "#[one]\nfn y() {}\n"},
		"nothing but a decorator":             {"a.py", "«@X»\n", "replace", "y", "y\n"},
		"a template of its own":               {"a.cpp", "template <a>\n«void X();»\n", "replace", "template <b>\nvoid y();", "template <b>\nvoid y();\n"},
		"a comment with dashes":               {"a.lua", "// is\n«X»\n", "replace", "-- was\nY", "-- was\nY\n"},
		"a line before a line":                {"a.go", "a\n«var X»\nb\n", "insert_before", "var Y", "a\nvar Y\nvar X\nb\n"},
		"lines before a line":                 {"a.go", "a\n«var X»\nb\n", "insert_before", "func Y() {\n}", "a\nfunc Y() {\n}\n\nvar X\nb\n"},
		"a line before lines":                 {"a.go", "a\n«func X() {\n}»\nb\n", "insert_before", "var Y", "a\nvar Y\n\nfunc X() {\n}\nb\n"},
		"before its comment":                  {"a.go", "a\n// X is.\n«var X»\nb\n", "insert_before", "var Y", "a\nvar Y\n\n// X is.\nvar X\nb\n"},
		"before, in another language":         {"a.py", "a\n«def X():\n  pass»\n", "insert_before", "def y():\n  pass", "a\ndef y():\n  pass\n\n\ndef X():\n  pass\n"},
		"before, within a block":              {"a.py", "a:\n  «def X():\n    pass»\n", "insert_before", "def y():\n  pass", "a:\n  def y():\n    pass\n\n  def X():\n    pass\n"},
		"a line after a line":                 {"a.go", "a\n«var X»\nb\n", "insert_after", "var Y", "a\nvar X\nvar Y\nb\n"},
		"lines after a line":                  {"a.go", "a\n«var X»\nb\n", "insert_after", "func Y() {\n}", "a\nvar X\n\nfunc Y() {\n}\nb\n"},
		"after the last line":                 {"a.go", "«var X»", "insert_after", "var Y", "var X\nvar Y"},
		"after, in another language":          {"a.py", "«def X():\n  pass»\n", "insert_after", "y = 1", "def X():\n  pass\n\n\ny = 1\n"},
		"after what is on the same line":      {"a.go", "a {\n\t«X() {\n\t}» // why\n}\n", "insert_after", "Y", "a {\n\tX() {\n\t} // why\n\n\tY\n}\n"},
		"a body on a line":                    {"a.go", "«func X() { a }»\n", "replace_body", "b", "func X() { b }\n"},
		"lines for a body on a line":          {"a.go", "a {\n  b\n}\n«func X() { a }»\n", "replace_body", "b\nc", "a {\n  b\n}\nfunc X() {\n  b\n  c\n}\n"},
		"a body that begins beside the head":  {"a.go", "«func X() { a\n\tb }»\n", "replace_body", "c\nd", "func X() {\n\tc\n\td\n}\n"},
		"an indented body beside the head":    {"a.py", "«def X(): a»\nif b:\n  c\n", "replace_body", "d", "def X():\n  d\nif b:\n  c\n"},
		"a body of lines":                     {"a.go", "«func X() {\n\ta\n}»\n", "replace_body", "b", "func X() {\n\tb\n}\n"},
		"a body in braces":                    {"a.go", "«func X() {\n\ta\n}»\n", "replace_body", "{\n  b\n}", "func X() {\n\tb\n}\n"},
		"a body within a block":               {"a.go", "a {\n  «X() {\n      a\n  }»\n}\n", "replace_body", "b\n  c", "a {\n  X() {\n      b\n        c\n  }\n}\n"},
		"an empty body":                       {"a.go", "a {\n  b\n}\n«func X() {\n}»\n", "replace_body", "b", "a {\n  b\n}\nfunc X() {\n  b\n}\n"},
		"a body of blank lines":               {"a.go", "a {\n  «X() {\n\n   \n  }»\n}\n", "replace_body", "b", "a {\n  X() {\n    b\n  }\n}\n"},
		"an indented body":                    {"a.py", "«def X():\n   a\n   b»\nc\n", "replace_body", "d\ne", "def X():\n   d\n   e\nc\n"},
		"an indented body, with braces in it": {"a.py", "«def X():\n   a»\n", "replace_body", "{ 1 }", "def X():\n   { 1 }\n"},
	} {
		d, plan := declared(t, c.file, c.text)
		if err := d.draft(t.Context(), nil, api.EditSymbolRequest{Action: c.action, Code: c.code}, plan); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		content, err := plan.ReadFile(d.path)
		if diff := cmp.Diff(c.want, string(content)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// What became of a declaration is told in one line with its name and file; one without a body says where it is.
func TestWordsOfADeclaration(t *testing.T) {
	t.Parallel()
	d, plan := declared(t, "a.go", "a\n«var X»\n")
	want := map[string][2]string{
		"replace": {"Replaced X in a.go.", "replacing X in a.go."}, "replace_body": {"Replaced the body of X in a.go.", "replacing the body of X in a.go."},
		"insert_before": {"Inserted before X in a.go.", "inserting before X in a.go."}, "insert_after": {"Inserted after X in a.go.", "inserting after X in a.go."},
		"delete": {"Deleted X from a.go.", "deleting X from a.go."},
	}
	got := make(map[string][2]string)
	for action := range want {
		says := d.summary(action)
		got[action] = [2]string{says(nil, true), says(nil, false)}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	err := d.draft(t.Context(), nil, api.EditSymbolRequest{Action: "replace_body", Code: "x"}, plan)
	if diff := cmp.Diff(error(&NoBodyError{"X", "a.go:2:5"}), err); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each action needs code or none, and what is no action is refused with those that are.
func TestActionsThatSayTooLittle(t *testing.T) {
	const actions = "actions are replace, replace_body, insert_before, insert_after and delete"
	type request struct{ Action, Code string }
	want := map[request]error{
		{"delete", ""}: nil, {"delete", "x"}: &api.ArgumentError{Argument: "code", Reason: "delete takes none", Advice: "leave it out, or use action replace"},
		{"", "x"}: &api.ArgumentError{Argument: "action", Reason: "it is missing", Advice: actions}, {"move", "x"}: &api.ArgumentError{Argument: "action", Reason: `"move" is no action`, Advice: actions},
	}
	for _, action := range []string{"replace", "replace_body", "insert_before", "insert_after"} {
		want[request{action, "x"}] = nil
		want[request{action, " \n"}] = &api.ArgumentError{Argument: "code", Reason: "it is empty", Advice: "give the new text; to remove a declaration use action delete"}
	}
	for r, want := range want {
		if diff := cmp.Diff(want, checkEditSymbol(&api.EditSymbolRequest{Action: r.Action, Code: r.Code})); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", r, diff)
		}
	}
}

// What stands in a range is its text, nothing where it ends before it starts; the name around a place begins with it.
func TestTextsOfRanges(t *testing.T) {
	text := protocol.NewMapper([]byte("ab cd\nefg\n"))
	at := func(line, character uint32) protocol.Position {
		return protocol.Position{Line: line, Character: character}
	}
	for want, r := range map[string]protocol.Range{
		"cd\ne": {Start: at(0, 3), End: at(1, 1)}, "": {Start: at(1, 1), End: at(0, 3)}, "b": {Start: at(0, 1), End: at(0, 2)},
	} {
		if got := textOf(text, r); got != want {
			t.Errorf("%v: %q, want %q", r, got, want)
		}
	}
	for _, from := range []uint32{3, 4} {
		got := nameAround(text, symbols.Target{At: at(0, from), Name: "cd"})
		if diff := cmp.Diff(protocol.Range{Start: at(0, 3), End: at(0, 5)}, got); diff != "" {
			t.Errorf("from %d (-want +got):\n%s", from, diff)
		}
	}
}
