package truth

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
	edited := change{texts: map[string]*string{"a.go": &text}}
	for _, tt := range []struct {
		name          string
		answer        answer
		before, after judge.Findings
		want          []string
	}{
		{"right", answer{verdict: "new_errors", files: map[string]*word{
			"a.go": {fresh: 1, all: 1, changed: true}, "b.go": {fresh: 2, all: 3},
		}}, whole, broken, nil},
		{"a dependant is missed", answer{verdict: "new_errors", files: map[string]*word{"a.go": {fresh: 1, all: 1, changed: true}}}, whole, broken, []string{missed}},
		{"too few in a dependant", answer{verdict: "new_errors", files: map[string]*word{
			"a.go": {fresh: 1, all: 1, changed: true}, "b.go": {fresh: 1, all: 2},
		}}, whole, broken, []string{count}},
		{"one of two is said not to count", answer{verdict: "new_errors", files: map[string]*word{
			"a.go": {fresh: 1, all: 1, changed: true}, "b.go": {fresh: 1, all: 3, excused: 1},
		}}, whole, broken, nil},
		{"clean while broken", answer{verdict: "clean", files: map[string]*word{"a.go": {changed: true}}}, whole, broken, []string{missed, standing, missed, verdictOf}},
		{"clean while broken, and known not to be whole", answer{verdict: "clean", unknown: []string{"a.go: timeout"}}, whole, broken, []string{unwhole}},
		{"not known", answer{verdict: "unknown", unknown: []string{"the verdict is unknown"}}, whole, broken, nil},
		{"invented", answer{verdict: "new_errors", files: map[string]*word{"a.go": {fresh: 1, all: 1, changed: true}}}, whole, whole, []string{invented, standing}},
		{"older is called new", answer{verdict: "new_errors", files: map[string]*word{"b.go": {fresh: 1, all: 1}}}, whole, whole, []string{oldAsNew}},
		{"new errors, and none are listed", answer{verdict: "new_errors"}, whole, whole, []string{verdictOf}},
		{"mended, and said", answer{verdict: "clean", files: map[string]*word{"a.go": {fixed: 1, changed: true}, "b.go": {fixed: 2}}}, broken, whole, nil},
		{"mended, and not said", answer{verdict: "clean", files: map[string]*word{"a.go": {fixed: 1, changed: true}}}, broken, whole, []string{unfixed}},
		{"what was not broken is fixed", answer{verdict: "clean", files: map[string]*word{"c.go": {fixed: 1}}}, whole, whole, []string{unbroken}},
		{"clean, and the compiler has no way in any more", answer{verdict: "clean"}, whole, judge.Findings{judge.Everywhere: {"the last: Cargo.toml": 1}}, []string{verdictOf}},
		{"clean as before, and the compiler had no way in", answer{verdict: "clean"}, judge.Findings{judge.Everywhere: {"the last: Cargo.toml": 1}}, judge.Findings{judge.Everywhere: {"the last: Cargo.toml": 1}}, nil},
		{"without a baseline old and new are not told apart", answer{verdict: "new_errors", files: map[string]*word{"b.go": {fresh: 1, all: 1, changed: true, blind: true}}}, whole, whole, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{judge: judge.Judge{Counts: true}, untold: make(map[string]bool)}
			var kinds []string
			for _, m := range w.compare(&tt.answer, edited, tt.before, tt.after) {
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
	edited := change{texts: map[string]*string{"a.go": &text}}
	said := func(changed bool) *answer {
		return &answer{verdict: "new_errors", files: map[string]*word{"a.go": {fresh: 1, all: 1, changed: changed}}}
	}
	left := &answer{verdict: "unknown", unknown: []string{"a.go: timeout"}}
	for _, tt := range []struct {
		name    string
		answers []*answer
		want    []string // of the last
	}{
		{"it changed again", []*answer{left, said(true)}, nil},
		{"it changed twice again", []*answer{left, said(true), said(true)}, []string{oldAsNew}},
		{"another one changed", []*answer{left, said(false)}, []string{oldAsNew}},
	} {
		w := &world{judge: judge.Judge{Counts: true}, untold: make(map[string]bool)}
		before := judge.Findings{}
		var kinds []string
		for _, a := range tt.answers {
			kinds = nil
			for _, m := range w.compare(a, edited, before, broken) {
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
	l := &limit{server: "gopls|pyright", project: "core", change: "^rename ", ways: outside, kinds: []string{missed}}
	m := mismatch{kind: missed, file: "a.go"}
	for _, tt := range []struct {
		server, project string
		by              way
		text            string
		m               mismatch
		want            bool
	}{
		{"gopls", "core", byGit, "rename a.go F", m, true},
		{"clangd", "core", byGit, "rename a.go F", m, false},
		{"gopls", "cores", byGit, "rename a.go F", m, false},
		{"gopls", "core", byEdit, "rename a.go F", m, false},
		{"gopls", "core", byGit, "remove a.go F", m, false},
		{"gopls", "core", byGit, "rename a.go F", mismatch{kind: invented}, false},
	} {
		if got := l.fits(tt.server, tt.project, tt.by, tt.text, tt.m); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// A verdict follows from errors that are missed if each of them is explained.
func TestVerdictFollows(t *testing.T) {
	other := mismatch{missed, "a.go", "[\tother declaration of f]"}
	for _, tt := range []struct {
		name   string
		wrongs mismatches
		want   string
	}{
		{"it follows", mismatches{other, {verdictOf, "all", "clean, but there are new errors"}}, explained},
		{"another one is missed", mismatches{other, {missed, "b.go", "[undefined: f]"}, {verdictOf, "all", "clean, but there are new errors"}}, wrong},
		{"none is missed", mismatches{{verdictOf, "all", "new_errors, but there are none"}}, wrong},
	} {
		w := &world{server: "gopls", tainted: make(map[string]*limit)}
		if got := w.sort("p", "edit a.go f", &answer{by: byEdit}, tt.wrongs); got != tt.want {
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
		d := dialects[tt.server]
		got, err := d.mutate(tt.kind, tt.text, tt.name)
		if err != nil {
			t.Errorf("%s %s: %v", tt.server, tt.kind, err)
		} else if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %s: %s", tt.server, tt.kind, diff)
		}
	}
}
