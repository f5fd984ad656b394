package impact

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The risk is what the table in the doc of Judge says, at both sides of each
// bound, and the reason says why.
func TestJudge(t *testing.T) {
	type judged struct {
		Risk Risk
		Why  string
	}
	for _, c := range []struct {
		name string
		u    Usage
		want judged
	}{
		{"unused", Usage{}, judged{None, "nothing in the workspace uses it"}},
		{"unused here", Usage{Shown: true}, judged{Unknown, "nothing in the workspace uses it, but it is exported: who uses it elsewhere is not known"}},
		{"used by its file", Usage{Shown: true, Own: 1}, judged{Low, "only its own file uses it"}},
		{"only tests", Usage{Tests: 9}, judged{Low, "only tests use it"}},
		{"only tests, of what is shown", Usage{Tests: 9, Shown: true}, judged{Low, "only tests use it"}},
		{"only its file", Usage{Own: 50}, judged{Low, "only its own file uses it"}},
		{"its file and tests", Usage{Own: 50, Tests: 1}, judged{Low, "only its own file uses it"}},
		{"its file and tests, once each", Usage{Own: 1, Tests: 1}, judged{Low, "only its own file uses it"}},
		{"its file and another, once each", Usage{References: 1, Users: 1, Files: 1, Own: 1, Shown: true}, judged{Medium, "used in its folder, and no test uses it"}},
		{"another and a test, once each", Usage{References: 1, Users: 1, Files: 1, Tests: 1, Shown: true}, judged{Low, "used only in its folder, and tested"}},
		{"20 uses", Usage{References: 20, Users: 9, Files: 9, Tests: 1, Elsewhere: true}, judged{Medium, "9 users in 9 files, and tested"}},
		{"21 uses", Usage{References: 21, Users: 1, Files: 1, Tests: 1}, judged{High, "21 uses in 1 file"}},
		{"10 files", Usage{References: 11, Users: 11, Files: 10, Tests: 1, Elsewhere: true}, judged{Medium, "11 users in 10 files, and tested"}},
		{"11 files", Usage{References: 11, Users: 11, Files: 11, Tests: 1}, judged{High, "used in 11 files"}},
		{"untested, its folder", Usage{References: 1, Users: 1, Files: 1}, judged{Medium, "used in its folder, and no test uses it"}},
		{"untested, beyond", Usage{References: 1, Users: 1, Files: 1, Elsewhere: true}, judged{High, "used outside its folder, and no test uses it"}},
		{"tested through others", Usage{References: 1, Users: 1, Files: 1, Elsewhere: true, Indirect: true}, judged{Medium, "tests use it only through others"}},
		{"tested through others as well", Usage{References: 1, Users: 1, Files: 1, Elsewhere: true, Indirect: true, Tests: 1}, judged{Low, "1 user, and tested"}},
		{"tested, its folder", Usage{References: 9, Users: 9, Files: 9, Tests: 1}, judged{Low, "used only in its folder, and tested"}},
		{"tested, 3 users", Usage{References: 9, Users: 3, Files: 3, Tests: 1, Elsewhere: true}, judged{Low, "3 users, and tested"}},
		{"tested, 4 users", Usage{References: 9, Users: 4, Files: 3, Tests: 1, Elsewhere: true}, judged{Medium, "4 users in 3 files, and tested"}},
	} {
		risk, why := Judge(c.u)
		if diff := cmp.Diff(c.want, judged{risk, why}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Tests are found by name where the language puts them, nearest first, and no
// other file is taken for one.
func TestTestsByName(t *testing.T) {
	for _, c := range []struct {
		file  string
		files string
		want  string
	}{
		{"a/x.go", "a/x.go a/x_test.go a/y_test.go b/x_test.go a/test_x.go", "a/x_test.go"},
		{"pkg/sub/x.py", "tests/test_x.py pkg/sub/test_x.py other/test_x.py tests/pkg/sub/x_test.py other/tests/test_x.py", "pkg/sub/test_x.py tests/test_x.py tests/pkg/sub/x_test.py"},
		{"src/a/x.ts", "src/a/x.test.ts src/a/x.spec.tsx src/a/__tests__/x.ts tests/a/x.ts src/b/x.test.ts src/a/x.test.py", "src/a/x.test.ts src/a/x.spec.tsx src/a/__tests__/x.ts tests/a/x.ts"},
		{"src/main/java/org/X.java", "src/test/java/org/XTest.java src/test/java/org/XTests.java src/test/java/com/XTest.java src/test/java/org/MaxTest.java", "src/test/java/org/XTest.java src/test/java/org/XTests.java"},
		{"lib/x.h", "lib/x_test.cc test/x_unittest.cpp lib/x.cc", "lib/x_test.cc test/x_unittest.cpp"},
		{"src/x.rs", "tests/x.rs src/y.rs tests/y.rs", "tests/x.rs"},
		{"x.go", "x_test.go", "x_test.go"},
	} {
		if got := strings.Join(TestsByName(c.file, strings.Fields(c.files)), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.file, got, c.want)
		}
	}
}

// The tests that use what changes are named by the rules of their language, each once, by files in the
// order in which readers see them; a user in a file of tests need not be one.
func TestTestsOfAReport(t *testing.T) {
	used := func(list ...string) (e Effect) {
		for _, use := range list {
			file, name, _ := strings.Cut(use, " ")
			e.Tested = append(e.Tested, User{Name: name, Place: symbols.Place{Path: here("/r/" + file)}, Test: true})
		}
		return e
	}
	report := Report{Effects: []Effect{
		used("z_test.go TestA", "z_test.go helper", "z_test.go Suite.TestB", "test_p.py TestC.test_one", "test_p.py fixture"),
		{},
		used("z_test.go TestA", "z_test.go BenchmarkA", "a.test.ts describe.it callback", "a.test.ts ", "lib.rs tests.works"),
	}}
	got := report.Tests(func(path string) string { return (&code{}).Relative(path) })
	want := []TestFile{
		{here("/r/a.test.ts"), []string{"describe.it"}},
		{here("/r/lib.rs"), []string{"tests.works"}},
		{here("/r/test_p.py"), []string{"TestC.test_one"}},
		{here("/r/z_test.go"), []string{"TestA", "TestB", "BenchmarkA"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, want := range map[string]bool{"#[cfg(test)]\nmod tests {}": true, "fn f() {}": false, "": false} {
		if got := HasInlineTests("lib.rs", []byte(text)); got != want {
			t.Errorf("%q has tests of its own: %t", text, got)
		}
	}
	if HasInlineTests("lib.go", []byte("#[cfg(test)]")) {
		t.Error("a Go file has tests of its own")
	}
}

// code is a server and its files at once: outlines are given, not read. Whatever
// it is not asked here panics.
type code struct {
	symbols.Server
	texts      map[string]string
	outlines   map[string][]protocol.Symbol
	references func(path string, at protocol.Position) ([]protocol.Location, error)
}

func (c *code) Open(context.Context, string, string) (symbols.Server, error) { return c, nil }
func (c *code) Resolve(name string) (string, error)                          { return name, nil }
func (c *code) Relative(path string) string {
	return filepath.ToSlash(strings.TrimPrefix(path, here("/r/")))
}

func (c *code) Locations(context.Context, string, string, protocol.Position) ([]protocol.Location, error) {
	return nil, nil
}

func (c *code) Beyond(context.Context, string, string, bool) ([]symbols.Beyond, bool) {
	return nil, true
}

func (c *code) Searchable(context.Context, string, string) ([]symbols.Server, []error) {
	return nil, nil
}

func (c *code) Text(path string) ([]byte, error) {
	text, ok := c.texts[path]
	if !ok {
		return nil, errors.New("no such file")
	}
	return []byte(text), nil
}
func (c *code) Definition() *registry.Definition { return &registry.Definition{ID: "fake"} }
func (c *code) Works() []lsp.Work                { return nil }
func (c *code) WorksChanged() <-chan struct{}    { return nil }
func (c *code) Begins() map[string]int           { return nil }
func (c *code) Loaded() bool                     { return true }
func (c *code) Losses() int                      { return 0 }
func (c *code) Symbols(_ context.Context, path string) ([]protocol.Symbol, error) {
	return c.outlines[path], nil
}

func (c *code) References(_ context.Context, path string, at protocol.Position, _ bool) ([]protocol.Location, error) {
	return c.references(path, at)
}

// The numbers of LSP's kinds.
const (
	classKind, methodKind, enumKind, interfaceKind, functionKind = 5, 6, 10, 11, 12
	constantKind, objectKind, moduleKind                         = 14, 19, 2
)

// sym is a symbol on whole lines, named on the first.
func sym(kind int, name string, first, last uint32, children ...protocol.Symbol) protocol.Symbol {
	r := protocol.Range{Start: protocol.Position{Line: first}, End: protocol.Position{Line: last, Character: 200}}
	return protocol.Symbol{Name: name, Kind: kind, Range: r, SelectionRange: r, Children: children}
}

// named is a symbol whose name begins at a character of its first line.
func named(s protocol.Symbol, character uint32) protocol.Symbol {
	s.SelectionRange.Start.Character = character
	return s
}

func outlineOf(t *testing.T, path, text string, list ...protocol.Symbol) (*symbols.Outline, *protocol.Mapper) {
	t.Helper()
	q := symbols.New(&code{texts: map[string]string{path: text}, outlines: map[string][]protocol.Symbol{path: list}})
	o, err := q.Outline(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := q.Text(path)
	if err != nil {
		t.Fatal(err)
	}
	return o, mapper
}

func namesOf(list []*symbols.Symbol) string {
	var names []string
	for _, s := range list {
		names = append(names, strings.Join(s.Path, "."))
	}
	return strings.Join(names, " ")
}

// What a file shows is told by the rules of its language, also where no server of
// ours is there to ask.
func TestExported(t *testing.T) {
	for _, c := range []struct {
		path, text string
		list       []protocol.Symbol
		want       string
	}{
		{
			here("/r/a.rs"), "pub struct S;\nimpl S {\n    pub fn shown(&self) {}\n    fn hidden(&self) {}\n}\npub trait T {\n    fn duty(&self);\n}\nfn own() {}\npub(crate) fn near() {}\nmod tests {\n    pub fn check() {}\n}\n",
			[]protocol.Symbol{
				sym(23, "S", 0, 0), sym(objectKind, "impl S", 1, 4, sym(methodKind, "shown", 2, 2), sym(methodKind, "hidden", 3, 3)),
				sym(interfaceKind, "T", 5, 7, sym(methodKind, "duty", 6, 6)), sym(functionKind, "own", 8, 8), sym(functionKind, "near", 9, 9),
				sym(moduleKind, "tests", 10, 12, sym(functionKind, "check", 11, 11)),
			},
			"S S.shown T T.duty near",
		},
		{
			here("/r/A.java"), "public class A {\n  private int secret() { return 1; }\n  int near() { return 1; }\n  public A() {}\n}\n",
			[]protocol.Symbol{sym(classKind, "A", 0, 4, sym(methodKind, "secret()", 1, 1), sym(methodKind, "near()", 2, 2), sym(9, "A()", 3, 3))},
			"A A.near",
		},
		{
			here("/r/a.py"), "__all__ = [\"f\",\n  'C']\ndef f(): pass\ndef g(): pass\nclass C:\n    def m(self): pass\n    def _n(self): pass\n",
			[]protocol.Symbol{
				sym(13, "__all__", 0, 1), sym(functionKind, "f", 2, 2), sym(functionKind, "g", 3, 3),
				sym(classKind, "C", 4, 6, sym(methodKind, "m", 5, 5), sym(methodKind, "_n", 6, 6)),
			},
			"f C C.m",
		},
		{
			here("/r/a.js"), "function f() {}\nfunction g() {}\nmodule.exports = { f, other: 1 };\n",
			[]protocol.Symbol{sym(functionKind, "f", 0, 0), sym(functionKind, "g", 1, 1)},
			"f",
		},
		{
			here("/r/script.js"), "function f() {}\nfunction g() {}\n",
			[]protocol.Symbol{sym(functionKind, "f", 0, 0), sym(functionKind, "g", 1, 1)},
			"f g",
		},
		{
			here("/r/a.ts"), "export class C {\n  m() {}\n  private p() {}\n  #q() {}\n}\nclass Own {\n  m() {}\n}\nexport { type T as U, v };\ntype T = 1;\nconst v = 1;\nfunction d() {}\nexport default d;\nexport function f() {}\nfunction own() {} // no export\n",
			[]protocol.Symbol{
				sym(classKind, "C", 0, 4, named(sym(methodKind, "m", 1, 1), 2), named(sym(methodKind, "p", 2, 2), 10), named(sym(methodKind, "#q", 3, 3), 2)),
				named(sym(classKind, "Own", 5, 7, named(sym(methodKind, "m", 6, 6), 2)), 6), named(sym(13, "T", 9, 9), 5), named(sym(constantKind, "v", 10, 10), 6),
				named(sym(functionKind, "d", 11, 11), 9), named(sym(functionKind, "f", 13, 13), 16), named(sym(functionKind, "own", 14, 14), 9),
			},
			"C C.m T v d f",
		},
		{
			here("/r/b.js"), "exports.f = function () {};\nfunction f() {}\nfunction own() {}\nmodule.exports.g = g;\nfunction g() {}\n",
			[]protocol.Symbol{sym(functionKind, "f", 1, 1), sym(functionKind, "own", 2, 2), sym(functionKind, "g", 4, 4)},
			"f g",
		},
		{
			here("/r/c.js"), "module.exports = f;\nfunction f() {}\nfunction own() {}\n",
			[]protocol.Symbol{sym(functionKind, "f", 1, 1), sym(functionKind, "own", 2, 2)},
			"f",
		},
		{
			here("/r/a.go"), "func F() {}\nfunc own() {}\nfunc Äh() {}\n",
			[]protocol.Symbol{sym(functionKind, "F", 0, 0), sym(functionKind, "own", 1, 1), sym(functionKind, "Äh", 2, 2)},
			"F Äh",
		},
		{
			here("/r/b.py"), "def f(): pass\ndef _own(): pass\nclass _C:\n    def m(self): pass\n",
			[]protocol.Symbol{sym(functionKind, "f", 0, 0), sym(functionKind, "_own", 1, 1), sym(classKind, "_C", 2, 3, sym(methodKind, "m", 3, 3))},
			"f",
		},
		{
			here("/r/a.c"), "int f(void) { return 0; }\nstatic int own(void) { return 0; }\nstruct { int x; } v;\n",
			[]protocol.Symbol{sym(functionKind, "f", 0, 0), sym(functionKind, "own", 1, 1), sym(23, "(anonymous struct)", 2, 2, sym(8, "x", 2, 2))},
			"f",
		},
		{
			here("/r/a.zig"), "fn f() void {}\n", []protocol.Symbol{sym(functionKind, "f", 0, 0)}, "f",
		},
	} {
		o, text := outlineOf(t, c.path, c.text, c.list...)
		if got := namesOf(Exported(o, text)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.path, got, c.want)
		}
	}
}

// A hunk touches the innermost declaration around each of its lines; a deletion
// only what holds both its sides, and outside of all it is told.
func TestTouched(t *testing.T) {
	text := "// doc of f\nfunc f() {\n\n}\n\ntype C struct {\n  x int\n  func m() {\n  }\n}\n\n"
	o, mapper := outlineOf(t, here("/r/a.go"), text,
		sym(functionKind, "f", 1, 3), sym(classKind, "C", 5, 9, sym(methodKind, "m", 7, 8)))
	for _, c := range []struct {
		hunk    git.Hunk
		want    string
		deleted bool
	}{
		{git.Hunk{Start: 1, Count: 1}, "f", false},
		{git.Hunk{Start: 3, Count: 1}, "f", false},
		{git.Hunk{Start: 5, Count: 1}, "", false},
		{git.Hunk{Start: 7, Count: 1}, "C", false},
		{git.Hunk{Start: 8, Count: 1}, "C.m", false},
		{git.Hunk{Start: 7, Count: 2}, "C C.m", false},
		{git.Hunk{Start: 3, Count: 6}, "f C C.m", false},
		{git.Hunk{Start: 2, Count: 0}, "f", false},
		{git.Hunk{Start: 7, Count: 0}, "C", false},
		{git.Hunk{Start: 4, Count: 0}, "", true},
		{git.Hunk{Start: 0, Count: 0}, "", true},
	} {
		touched, deleted := Touched(o, mapper, []git.Hunk{c.hunk})
		if namesOf(touched) != c.want || deleted != c.deleted {
			t.Errorf("%v: %q %t, want %q %t", c.hunk, namesOf(touched), deleted, c.want, c.deleted)
		}
	}
}

// A symbol that the server cannot tell about is one without an answer, not one
// without uses; if there is no answer at all, that is an error.
func TestUnaskedIsNotUnused(t *testing.T) {
	broken := errors.New("broken")
	c := &code{
		texts: map[string]string{here("/r/a.go"): "func A() {}\nfunc B() {}\n"},
		outlines: map[string][]protocol.Symbol{here("/r/a.go"): {
			sym(functionKind, "A", 0, 0), sym(functionKind, "B", 1, 1),
		}},
		references: func(_ string, at protocol.Position) ([]protocol.Location, error) {
			if at.Line == 0 {
				return nil, broken
			}
			return nil, nil
		},
	}
	q := symbols.New(c)
	o, err := q.Outline(t.Context(), here("/r/a.go"))
	if err != nil {
		t.Fatal(err)
	}
	var subjects []Subject
	for _, s := range o.All() {
		subjects = append(subjects, SubjectOf(o.Path, s))
	}
	report := Analyse(t.Context(), q, subjects, Options{Relative: c.Relative})
	if !errors.Is(report.Effects[0].Err, broken) || report.Effects[0].Risk != "" || report.Effects[1].Risk != Unknown || report.Err() != nil {
		t.Errorf("%+v, %v", report.Effects, report.Err())
	}
	if report = Analyse(t.Context(), q, subjects[:1], Options{Relative: c.Relative}); !errors.Is(report.Err(), broken) {
		t.Errorf("no error: %+v", report)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if report = Analyse(over, q, subjects, Options{Relative: c.Relative}); !errors.Is(report.Err(), context.Canceled) {
		t.Errorf("after the end: %v", report.Err())
	}
	if report = Analyse(t.Context(), q, make([]Subject, MaxSubjects+7), Options{Relative: c.Relative}); len(report.Effects) != MaxSubjects || !slices.ContainsFunc(report.Notes, func(n string) bool { return strings.HasPrefix(n, "7 symbols left out") }) {
		t.Errorf("%d effects, %v", len(report.Effects), report.Notes)
	}
}

// here returns the path on this system of a file that a test names for all systems.
func here(path string) string { return lsptest.Rooted(path) }
