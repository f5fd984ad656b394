package code

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/e2e/judge"
)

// The driver tells lies from what is right, and from what an answer does not know.
func TestCompare(t *testing.T) {
	broken := judge.Findings{"a.go": {"wrong": 1}, "b.go": {"old": 1, "wrong": 2}}
	whole := judge.Findings{"b.go": {"old": 1}}
	text := "x"
	edited := Change{Texts: map[string]*string{"a.go": &text}}
	for _, tt := range []struct {
		name          string
		answer        Answer
		before, after judge.Findings
		want          []string
	}{
		{"right", Answer{Verdict: "new_errors", Files: map[string]*Word{
			"a.go": {fresh: 1, all: 1, changed: true}, "b.go": {fresh: 2, all: 3},
		}}, whole, broken, nil},
		{"a dependant is missed", Answer{Verdict: "new_errors", Files: map[string]*Word{"a.go": {fresh: 1, all: 1, changed: true}}}, whole, broken, []string{missed}},
		{"too few in a dependant", Answer{Verdict: "new_errors", Files: map[string]*Word{
			"a.go": {fresh: 1, all: 1, changed: true}, "b.go": {fresh: 1, all: 2},
		}}, whole, broken, []string{count}},
		{"one of two is said not to count", Answer{Verdict: "new_errors", Files: map[string]*Word{
			"a.go": {fresh: 1, all: 1, changed: true}, "b.go": {fresh: 1, all: 3, excused: 1},
		}}, whole, broken, nil},
		{"clean while broken", Answer{Verdict: "clean", Files: map[string]*Word{"a.go": {changed: true}}}, whole, broken, []string{missed, standing, missed, VerdictOf}},
		{"clean while broken, and known not to be whole", Answer{Verdict: "clean", Unknown: []string{"a.go: timeout"}}, whole, broken, []string{unwhole}},
		{"not known", Answer{Verdict: "unknown", Unknown: []string{"the verdict is unknown"}}, whole, broken, nil},
		{"invented", Answer{Verdict: "new_errors", Files: map[string]*Word{"a.go": {fresh: 1, all: 1, changed: true}}}, whole, whole, []string{invented, standing}},
		{"older is called new", Answer{Verdict: "new_errors", Files: map[string]*Word{"b.go": {fresh: 1, all: 1}}}, whole, whole, []string{OldAsNew}},
		{"new errors, and none are listed", Answer{Verdict: "new_errors"}, whole, whole, []string{VerdictOf}},
		{"mended, and said", Answer{Verdict: "clean", Files: map[string]*Word{"a.go": {fixed: 1, changed: true}, "b.go": {fixed: 2}}}, broken, whole, nil},
		{"mended, and not said", Answer{Verdict: "clean", Files: map[string]*Word{"a.go": {fixed: 1, changed: true}}}, broken, whole, []string{Unfixed}},
		{"what was not broken is fixed", Answer{Verdict: "clean", Files: map[string]*Word{"c.go": {fixed: 1}}}, whole, whole, []string{Unbroken}},
		{"clean, and the compiler has no way in any more", Answer{Verdict: "clean"}, whole, judge.Findings{judge.Everywhere: {"the last: Cargo.toml": 1}}, []string{VerdictOf}},
		{"clean as before, and the compiler had no way in", Answer{Verdict: "clean"}, judge.Findings{judge.Everywhere: {"the last: Cargo.toml": 1}}, judge.Findings{judge.Everywhere: {"the last: Cargo.toml": 1}}, nil},
		{"without a baseline old and new are not told apart", Answer{Verdict: "new_errors", Files: map[string]*Word{"b.go": {fresh: 1, all: 1, changed: true, blind: true}}}, whole, whole, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &Tree{Judge: judge.Judge{Counts: true}, untold: make(map[string]bool)}
			var kinds []string
			for _, m := range w.Compare(&tt.answer, edited, tt.before, tt.after) {
				kinds = append(kinds, m.kind)
			}
			if diff := cmp.Diff(tt.want, kinds); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An error that an answer left out, and said so, is new to its reader when the file changes again, once;
// in a file that did not change it is an older one.
func TestCompareWhatWasLeftOut(t *testing.T) {
	broken := judge.Findings{"a.go": {"wrong": 1}}
	text := "x"
	edited := Change{Texts: map[string]*string{"a.go": &text}}
	said := func(changed bool) *Answer {
		return &Answer{Verdict: "new_errors", Files: map[string]*Word{"a.go": {fresh: 1, all: 1, changed: changed}}}
	}
	left := &Answer{Verdict: "unknown", Unknown: []string{"a.go: timeout"}}
	for _, tt := range []struct {
		name    string
		answers []*Answer
		want    []string // of the last
	}{
		{"it changed again", []*Answer{left, said(true)}, nil},
		{"it changed twice again", []*Answer{left, said(true), said(true)}, []string{OldAsNew}},
		{"another one changed", []*Answer{left, said(false)}, []string{OldAsNew}},
	} {
		w := &Tree{Judge: judge.Judge{Counts: true}, untold: make(map[string]bool)}
		before := judge.Findings{}
		var kinds []string
		for _, a := range tt.answers {
			kinds = nil
			for _, m := range w.Compare(a, edited, before, broken) {
				kinds = append(kinds, m.kind)
			}
			before = broken
		}
		if diff := cmp.Diff(tt.want, kinds); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// What is explained for one file in one way explains nothing else.
func TestLimitFits(t *testing.T) {
	l := &Limit{server: "gopls|pyright", project: "core", change: "^rename ", ways: outside, kinds: []string{missed}}
	m := Mismatch{kind: missed, file: "a.go"}
	for _, tt := range []struct {
		server, project string
		by              Way
		text            string
		m               Mismatch
		want            bool
	}{
		{"gopls", "core", ByGit, "rename a.go F", m, true},
		{"clangd", "core", ByGit, "rename a.go F", m, false},
		{"gopls", "cores", ByGit, "rename a.go F", m, false},
		{"gopls", "core", ByEdit, "rename a.go F", m, false},
		{"gopls", "core", ByGit, "remove a.go F", m, false},
		{"gopls", "core", ByGit, "rename a.go F", Mismatch{kind: invented}, false},
	} {
		if got := l.fits(tt.server, tt.project, tt.by, tt.text, tt.m); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// A verdict follows from errors that are missed if each of them is explained.
func TestVerdictFollows(t *testing.T) {
	other := Mismatch{missed, "a.go", "[\tother declaration of f]"}
	for _, tt := range []struct {
		name   string
		wrongs Mismatches
		want   string
	}{
		{"it follows", Mismatches{other, {VerdictOf, "all", "clean, but there are new errors"}}, Explained},
		{"another one is missed", Mismatches{other, {missed, "b.go", "[undefined: f]"}, {VerdictOf, "all", "clean, but there are new errors"}}, Wrong},
		{"none is missed", Mismatches{{VerdictOf, "all", "new_errors, but there are none"}}, Wrong},
	} {
		w := &Tree{Server: "gopls", tainted: make(map[string]*Limit)}
		if got := w.Sort("p", "edit a.go f", &Answer{By: ByEdit}, tt.wrongs); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Each mutation does to a declaration what its name says, and nothing beside it.
func TestMutate(t *testing.T) {
	const goText = "package p\n\nfunc F(a int) string {\n\treturn \"\"\n}\n\nvar x = F(1)\n"
	const pyText = "class C:\n    def f(self, a: int) -> str:\n        return \"\"\n\nx = C().f(1)\n"
	const javaText = "public class C {\n\tpublic int f() {\n\t\treturn 1;\n\t}\n}\n"
	for _, tt := range []struct{ server, kind, text, name, want string }{
		{"gopls", "parameter", goText, "F", "package p\n\nfunc F(extra int, a int) string {\n\treturn \"\"\n}\n\nvar x = F(1)\n"},
		{"gopls", "fewer", goText, "F", "package p\n\nfunc F() string {\n\treturn \"\"\n}\n\nvar x = F(1)\n"},
		{"gopls", "type", goText, "F", "package p\n\nfunc F(a string) string {\n\treturn \"\"\n}\n\nvar x = F(1)\n"},
		{"gopls", "returns", goText, "F", "package p\n\nfunc F(a int) int {\n\treturn \"\"\n}\n\nvar x = F(1)\n"},
		{"gopls", "rename", goText, "F", "package p\n\nfunc FX(a int) string {\n\treturn \"\"\n}\n\nvar x = F(1)\n"},
		{"gopls", "renameall", goText, "F", "package p\n\nfunc FX(a int) string {\n\treturn \"\"\n}\n\nvar x = FX(1)\n"},
		{"gopls", "hide", goText, "F", "package p\n\nfunc f(a int) string {\n\treturn \"\"\n}\n\nvar x = F(1)\n"},
		{"gopls", "remove", goText, "F", "package p\n\n\nvar x = F(1)\n"},
		{"gopls", "brace", goText, "F", "package p\n\nfunc F(a int) string {\n\treturn \"\"\n\n\nvar x = F(1)\n"},
		{"gopls", "empty", goText, "F", "package p\n\nfunc F(a int) string {}\n\nvar x = F(1)\n"},
		{"pyright", "parameter", pyText, "f", "class C:\n    def f(self, extra: int, a: int) -> str:\n        return \"\"\n\nx = C().f(1)\n"},
		{"pyright", "remove", pyText, "f", "class C:\nx = C().f(1)\n"},
		{"jdtls", "hide", javaText, "C", "class C {\n\tpublic int f() {\n\t\treturn 1;\n\t}\n}\n"},
		{"jdtls", "hide", javaText, "f", "public class C {\n\tprivate int f() {\n\t\treturn 1;\n\t}\n}\n"},
		{"pyright", "brace", pyText, "f", "class C:\n    def f(self, a: int) -> str\n        return \"\"\n\nx = C().f(1)\n"},
	} {
		d := Dialects[tt.server]
		got, err := d.mutate(tt.kind, tt.text, tt.name)
		if err != nil {
			t.Errorf("%s %s: %v", tt.server, tt.kind, err)
		} else if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %s: %s", tt.server, tt.kind, diff)
		}
	}
}
