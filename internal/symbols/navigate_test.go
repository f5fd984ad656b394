package symbols

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// References come in the order of the paths as readers see them, each once;
// what is no file comes last. Definitions keep the server's order, and what is no file is read.
func TestOrderOfPlaces(t *testing.T) {
	f := newFake("a.go", "")
	reported := located(
		Place{here("/usr/x.go"), span(0, 0, 0, 1)}, Place{here("/r/b.go"), span(9, 0, 9, 1)}, Place{here("/r/b.go"), span(2, 7, 2, 8)},
		Place{here("/r/b.go"), span(2, 3, 2, 4)}, Place{here("/r/a.go"), span(5, 0, 5, 1)}, Place{here("/r/b.go"), span(9, 0, 9, 1)},
	)
	reported = append(reported, protocol.Location{URI: "jdt://contents/String.class?=x"}, protocol.Location{URI: "jdt://contents/Unread.class?=x"}, protocol.Location{URI: "#"})
	f.virtual = map[string]string{"jdt://contents/String.class?=x": "class String {\n"}
	f.references = func(context.Context, string, protocol.Position) ([]protocol.Location, error) { return reported, nil }
	f.locations = func(string, string, protocol.Position) ([]protocol.Location, error) { return reported, nil }
	drawn := func(places []Place) string {
		var parts []string
		for _, p := range places {
			parts = append(parts, (&Candidate{Path: lsptest.Slashed(f.Relative(p.Path)), Line: int(p.Range.Start.Line), Column: int(p.Range.Start.Character)}).At())
		}
		return strings.Join(parts, " ")
	}
	q := New(f)
	places, err := q.References(t.Context(), Target{Path: here("/r/a.go")}, true)
	if got := drawn(places); err != nil || got != "/usr/x.go:0:0 a.go:5:0 b.go:2:3 b.go:2:7 b.go:9:0 jdt://contents/String.class?=x:0:0 jdt://contents/Unread.class?=x:0:0" {
		t.Errorf("references: %s, %v", got, err)
	}
	places, err = q.Places(t.Context(), Definition, Target{Path: here("/r/a.go")})
	if got := drawn(places); err != nil || got != "/usr/x.go:0:0 b.go:9:0 b.go:2:7 b.go:2:3 a.go:5:0 jdt://contents/String.class?=x:0:0 jdt://contents/Unread.class?=x:0:0" {
		t.Errorf("definitions: %s, %v", got, err)
	}
	lines := q.Lines(places[len(places)-2:])
	if diff := cmp.Diff([][]byte{[]byte("class String {"), nil}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"the text of jdt://contents/Unread.class cannot be read: no text"}, q.Notes()); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// told is a server that has one answer for every question about a place; its
// error for each if it has one.
type told struct {
	*fake
	err error
}

func (s told) Open(context.Context, string, string) (Server, error) { return s, nil }

func (s told) HoverAt(context.Context, string, protocol.Position) (protocol.Hover, error) {
	return protocol.Hover{Text: "says"}, s.err
}

func (s told) SignatureHelp(context.Context, string, protocol.Position) (*protocol.SignatureHelp, error) {
	return nil, s.err
}

func (s told) Completions(context.Context, string, protocol.Position) (protocol.CompletionList, error) {
	return protocol.CompletionList{Incomplete: true}, s.err
}

// A question with one answer gives it, also none; and the error of the server is
// not taken for no answer.
func TestSingleAnswers(t *testing.T) {
	q, target := New(told{newFake("a.go", ""), nil}), Target{Path: here("/r/a.go")}
	hover, err := q.Hover(t.Context(), target)
	if err != nil || hover.Text != "says" {
		t.Errorf("%v, %v", hover, err)
	}
	help, err := q.SignatureHelp(t.Context(), target)
	if err != nil || help != nil {
		t.Errorf("%v, %v", help, err)
	}
	list, err := q.Completions(t.Context(), target)
	if err != nil || !list.Incomplete {
		t.Errorf("%v, %v", list, err)
	}
	broken := errors.New("broken")
	q = New(told{newFake("a.go", ""), broken})
	if _, err = q.Hover(t.Context(), target); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err = q.SignatureHelp(t.Context(), target); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err = q.Completions(t.Context(), target); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// One question sees one text of each file, though it is written meanwhile.
func TestTextOfAQuestionStays(t *testing.T) {
	f := newFake("a.go", "one\n")
	q := New(f)
	first, err := q.Text(here("/r/a.go"))
	if err != nil {
		t.Fatal(err)
	}
	f.texts[here("/r/a.go")] = "another\n"
	if again, err := q.Text(here("/r/a.go")); err != nil || again != first {
		t.Errorf("it sees %q, %v", again.Content(), err)
	}
	if anew, err := New(f).Text(here("/r/a.go")); err != nil || string(anew.Content()) != "another\n" {
		t.Errorf("the next one sees %q, %v", anew.Content(), err)
	}
}

// Errors say what is wrong, and what to do next: to wait helps only where a server loads.
func TestErrorsAdvise(t *testing.T) {
	candidate := Candidate{Name: "Load", Kind: "method", Path: "a.go", Line: 2, Column: 1}
	for _, c := range []struct {
		err interface {
			error
			Hint() string
		}
		text, hint string
	}{
		{&NotReadyError{"gopls", "Loading"}, "gopls is still loading (Loading); it cannot answer yet", "ask again; status shows how far it is"},
		{
			&NotReadyError{"gopls", notAble + "no go.mod"}, "gopls is not able to load the project: no go.mod; so it cannot answer",
			"set up the project, and ask again; doctor shows what is missing",
		},
		{&TimeoutError{"gopls", "textDocument/references"}, "gopls did not answer textDocument/references in time", "ask again, or look at status"},
		{&SelectorError{"at", "wrong", "right"}, "at: wrong", "right"},
		{&AmbiguousError{"Load", []Candidate{candidate}, 2}, "Load means 2 symbols", "name one of them:\n  a.go:2:1 Load (method)\n  … and 1 more"},
		{&NotFoundError{"Lod", "a.go", []Candidate{candidate}, ""}, "no symbol Lod in a.go", "nearest:\n  a.go:2:1 Load (method)"},
		{&NotFoundError{"Lod", "a.go", nil, "search for it"}, "no symbol Lod in a.go", "search for it"},
	} {
		if diff := cmp.Diff([]string{c.text, c.hint}, []string{c.err.Error(), c.err.Hint()}); diff != "" {
			t.Errorf("%T: %s", c.err, diff)
		}
	}
	if Outside(&NotReadyError{}) || Outside(&TimeoutError{}) || !Outside(&SelectorError{}) {
		t.Error("a server's error is taken for the caller's, or the other way round")
	}
}

// openOnly is a server that knows the files that are open, and opens those with a name in them
// when that is searched.
type openOnly struct {
	*fake
	root     string
	searched []string
	found    func()
}

func (s *openOnly) Root() string { return s.root }

func (s *openOnly) Open(context.Context, string, string) (Server, error) { return s, nil }

func (s *openOnly) Searchable(_ context.Context, _, name string) ([]Server, []error) {
	s.searched = append(s.searched, name)
	s.found()
	return nil, nil
}

// Where a server that knows the open files alone has but a declaration, its name is searched
// and it is asked again. One that has the definition, knows the project or names several places
// is believed.
func TestDefinitionInAFileThatIsNotOpen(t *testing.T) {
	for name, c := range map[string]struct {
		manifest string
		first    []string
		want     []string
		searched []string
	}{
		"a declaration":               {"", []string{"lib.h"}, []string{"lib.c"}, []string{"load"}},
		"the definition":              {"", []string{"lib.c"}, []string{"lib.c"}, nil},
		"two places":                  {"", []string{"lib.h", "lib.c"}, []string{"lib.h", "lib.c"}, nil},
		"a declaration, in a project": {"build.json", []string{"lib.h"}, []string{"lib.h"}, nil},
	} {
		f := newFake("use.c", "int x = load();\n", "lib.h", "int load(void);\n", "lib.c", "int load(void) { return 1; }\n")
		f.def.Quirks, f.def.LoadsBy = []registry.Quirk{registry.TogglesDefinition}, []string{"build.json"}
		s := &openOnly{fake: f, root: t.TempDir()}
		if c.manifest != "" {
			if err := os.WriteFile(filepath.Join(s.root, c.manifest), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		places := func(files []string) (list []Place) {
			for _, file := range files {
				list = append(list, f.place(t, file, "load"))
			}
			return list
		}
		known := c.first
		s.found = func() { known = []string{"lib.c"} }
		f.locations = func(_, path string, _ protocol.Position) ([]protocol.Location, error) {
			if path != here("/r/use.c") {
				return located(Place{Path: path, Range: f.place(t, filepath.Base(path), "load").Range}), nil
			}
			return located(places(known)...), nil
		}
		got, err := New(s).Places(t.Context(), Definition, f.target(t, "use.c", "load"))
		if diff := cmp.Diff([]any{places(c.want), c.searched}, []any{got, s.searched}); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

// An outline that a server fails to give is an error, as is that of a file that is not there; it is
// asked for anew the next time.
func TestOutlineThatFails(t *testing.T) {
	broken := errors.New("it broke")
	f := newFake("a.go", "func f() {}\n")
	f.outlines[here("/r/a.go")] = []protocol.Symbol{sym(functionKind, "f", 0, 0)}
	f.opens = func() error { return broken }
	q := New(f)
	if o, err := q.Outline(t.Context(), here("/r/a.go")); o != nil || !errors.Is(err, broken) {
		t.Errorf("%v, %v", o, err)
	}
	f.opens = nil
	if o, err := q.Outline(t.Context(), here("/r/none.go")); o != nil || err == nil {
		t.Errorf("of no file: %v, %v", o, err)
	}
	o, err := q.Outline(t.Context(), here("/r/a.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range o.Symbols {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"f"}, names); diff != "" {
		t.Error(diff)
	}
}

// The lines of places come in the order of the places, whatever their order in their files; a file that
// cannot be read has none.
func TestLinesOfPlaces(t *testing.T) {
	f := newFake("a.go", "zero\none\ntwo\n", "b.go", "other\n")
	at := func(file string, line uint32) Place { return Place{here("/r/" + file), span(line, 0, line, 0)} }
	var got []string
	for _, line := range New(f).Lines([]Place{at("a.go", 2), at("b.go", 0), at("a.go", 0), at("gone.go", 0), at("a.go", 2), at("a.go", 9)}) {
		got = append(got, string(line))
	}
	if diff := cmp.Diff([]string{"two", "other", "zero", "", "two", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file of a package that a server names below an archive, as the SDK of Yarn does, is a document of that archive.
func TestPlacesInArchives(t *testing.T) {
	folder := t.TempDir()
	archive := filepath.Join(folder, "kleur.zip")
	lsptest.WriteFile(t, archive, "")
	lsptest.WriteFile(t, filepath.Join(folder, "dir.zip", "a.ts"), "")
	uri := string(protocol.URIFromPath(archive))
	inside := "zip:" + strings.TrimPrefix(uri, "file:") + "!/node_modules/kleur/colors.d.ts"
	for reported, want := range map[string]string{
		uri + "/node_modules/kleur/colors.d.ts":                                                   inside,
		"file:///zip%3A" + strings.TrimPrefix(uri, "file://") + "/node_modules/kleur/colors.d.ts": inside,
		string(protocol.URIFromPath(filepath.Join(folder, "dir.zip", "a.ts"))):                    filepath.Join(folder, "dir.zip", "a.ts"),
		uri: archive,
	} {
		f := newFake()
		if path, exists := New(f).pathOf(f, protocol.DocumentURI(reported)); path != want || !exists {
			t.Errorf("%s: %s, %t; want %s", reported, path, exists, want)
		}
	}
}
