package checking

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// Data changes that scripts import. What it broke is new, and what was committed broken is older, whether the scripts changed as well or
// not, whatever is asked about, cold and warm.
func TestDataThatScriptsImport(t *testing.T) {
	const (
		script = "import en from \"./en.json\";\nexport const old: number = \"committed\";\nexport const h: string = en.hello;\nexport const v: string = en.version;\n"
		user   = "import { count } from \"./data\";\nexport const n: number = count.n;\nexport const old: number = \"committed\";\n"
		files  = "-- tsconfig.json --\n{\"include\": [\"src\"], \"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"resolveJsonModule\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"types\": []}}\n" +
			"-- src/en.json --\n{\"hello\": \"Hi\", \"bye\": \"Bye\", \"version\": \"1\"}\n-- src/count.json --\n{\"n\": 1}\n" +
			"-- src/a.ts --\n" + script +
			"-- src/data.ts --\nexport { default as count } from \"./count.json\";\n" +
			"-- src/b.ts --\n" + user
		noVersion = "src/a.ts: Property 'version' does not exist on type "
		noHello   = "src/a.ts: Property 'hello' does not exist on type "
		noText    = "src/a.ts: Type 'number' is not assignable to type 'string'."
		noCount   = "src/b.ts: Type 'string' is not assignable to type 'number'."
	)
	for name, c := range map[string]struct {
		changed map[string]string
		want    []string // beginnings of what is new
	}{
		"another text":               {map[string]string{"src/en.json": "{\"version\": \"2\", \"hello\": \"Hello\", \"bye\": \"Bye\"}\n"}, nil},
		"another name":               {map[string]string{"src/en.json": "{\"version\": \"2\", \"hullo\": \"Hi\", \"bye\": \"Bye\"}\n"}, []string{noHello}},
		"another name, used":         {map[string]string{"src/en.json": "{\"version\": \"2\", \"hullo\": \"Hi\"}\n", "src/a.ts": strings.ReplaceAll(script, ".hello", ".hullo")}, nil},
		"another type, and a script": {map[string]string{"src/en.json": "{\"version\": \"2\", \"hello\": 1}\n", "src/a.ts": script + "export const t = 1;\n"}, []string{noText}},
		"another text, and an error": {map[string]string{"src/en.json": "{\"version\": \"2\", \"hello\": \"Hello\"}\n", "src/a.ts": script + "export const t: string = 1;\n"}, []string{noText}},
		"no version":                 {map[string]string{"src/en.json": "{\"hello\": \"Hi\", \"bye\": \"Bye\"}\n"}, []string{noVersion}},
		"of two files":               {map[string]string{"src/en.json": "{\"version\": \"2\", \"hello\": 1}\n", "src/count.json": "{\"n\": \"x\"}\n"}, []string{noText, noCount}},
		"beside what comes to be":    {map[string]string{"src/en.json": "{\"version\": \"2\", \"hullo\": \"Hi\"}\n", "src/new.json": "{}\n", "src/n.ts": "import n from \"./new.json\";\nexport const m = n;\n"}, []string{noHello}},
		"by way of another, and it":  {map[string]string{"src/count.json": "{\"n\": \"x\"}\n", "src/b.ts": user + "export const t = 1;\n"}, []string{noCount}},
		"by way of another":          {map[string]string{"src/count.json": "{\"n\": \"x\"}\n"}, []string{noCount}},
	} {
		for _, server := range []string{"typescript", "typescript-language-server"} {
			t.Run(name+"/"+server, func(t *testing.T) {
				s := enginetest.OpenReal(t, files, server)
				s.Git("init", "-q")
				s.Git("add", "-A")
				s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
				expectNew(t, s, c.changed, c.want, "src/a.ts", "src/b.ts")
			})
		}
	}
}

// Fragments change that C++ includes: the same.
func TestFragmentsThatChange(t *testing.T) {
	const (
		files = "-- n.def --\nX(a)\nX(b)\n-- k.inc --\nconstexpr int K = 1;\n" +
			"-- a.cpp --\n#define X(n) int n;\nstruct S {\n#include \"n.def\"\n};\nint f(S s) { return s.a; }\nint old = \"committed\";\n" +
			"-- h.h --\n#pragma once\n#include \"k.inc\"\n-- b.cpp --\n#include \"h.h\"\nint g() { return K; }\nint older = \"committed\";\n"
		noA = "a.cpp: No member named 'a' in 'S'"
		noK = "b.cpp: Use of undeclared identifier 'K'"
	)
	for name, c := range map[string]struct {
		changed map[string]string
		want    []string // beginnings of what is new
	}{
		"harmless":           {map[string]string{"n.def": "X(a)\nX(c)\n", "k.inc": "constexpr int K = 2;\n"}, nil},
		"used":               {map[string]string{"n.def": "X(b)\n"}, []string{noA}},
		"by way of a header": {map[string]string{"k.inc": "constexpr int L = 1;\n"}, []string{noK}},
		"both":               {map[string]string{"n.def": "X(b)\n", "k.inc": "constexpr int L = 1;\n"}, []string{noA, noK}},
		"and what includes it": {
			map[string]string{"k.inc": "constexpr int L = 1;\n", "b.cpp": "#include \"h.h\"\nint g() { return K; }\nint older = \"committed\";\nint k = \"new\";\n"},
			[]string{"b.cpp: Cannot initialize a variable of type 'int' with an lvalue of type 'const char[4]'", noK},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, files, "clangd")
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			expectNew(t, s, c.changed, c.want, "a.cpp", "b.cpp")
		})
	}
}

// A draft that adds to a fragment and uses that is clean, whatever the server says of the fragment by itself; and a fragment that is renamed
// together with what includes it makes no committed error new.
func TestFragmentsWithWhatIncludesThem(t *testing.T) {
	const user = "#include \"kinds.h\"\nint f() { return KOne; }\nint old = \"committed\";\n"
	s := enginetest.OpenReal(t, "-- kinds.def --\nKIND(One, 1)\n-- kinds.h --\n#pragma once\n#define KIND(n, v) K##n = v,\nenum Kind {\n#include \"kinds.def\"\n};\n#undef KIND\n"+
		"-- b.cpp --\n"+user+"-- table.inc --\nconstexpr int T = 1;\n-- c.cpp --\n#include \"table.inc\"\nint g() { return T; }\nint older = \"committed\";\n", "clangd")
	s.Git("init", "-q")
	s.Git("add", "-A")
	s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
	more, uses := "KIND(One, 1)\nKIND(Four, 4)\n", strings.ReplaceAll(user, "KOne", "KFour")
	for range 2 {
		answer := enginetest.Do(t, s, api.EditFiles, api.EditRequest{
			Edits: []api.FileEdit{{File: "kinds.def", Content: &more}, {File: "b.cpp", Content: &uses}}, Writing: api.Writing{Mode: api.Preview},
		})
		if enginetest.ExpectBroken(t, answer, nil); len(answer.Files) != 1 || len(answer.Files[0].Diagnostics) > 0 {
			t.Errorf("%+v", answer.Files)
		}
	}
	s.Git("mv", "table.inc", "tab.inc")
	s.Write("c.cpp", "#include \"tab.inc\"\nint g() { return T; }\nint older = \"committed\";\n")
	for range 2 {
		answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Baseline: api.BaselineHead, TimeoutMS: 240_000})
		if err != nil || answer.Verdict == result.NewErrors && answer.Files[0].Baseline != string(diagnostics.None) {
			t.Errorf("%v, %s: %+v", err, answer.Verdict, answer.Files)
		}
	}
}

// Data that is too large to be read is not passed over in silence.
func TestDataThatIsTooLarge(t *testing.T) {
	s := enginetest.OpenReal(t, "-- tsconfig.json --\n{\"compilerOptions\": {\"resolveJsonModule\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"types\": []}}\n"+
		"-- d.json --\n{\"v\": 1}\n-- a.ts --\nimport d from \"./d.json\";\nexport const v: number = d.v;\n", "typescript")
	s.Git("init", "-q")
	s.Git("add", "-A")
	s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
	s.Write("d.json", "{\"v\": \"1\", \"more\": \""+strings.Repeat("x", 3<<20)+"\"}\n")
	answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Baseline: api.BaselineHead})
	if err != nil || !answer.Incomplete || len(answer.Files) != 1 || answer.Files[0].Error == nil {
		t.Errorf("%v: %+v", err, answer)
	}
}

// Data that the settings of a project extend is no data: nobody knows what was wrong before it changed, so that nothing is called older.
func TestDataThatSettingsExtend(t *testing.T) {
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, "-- tsconfig.json --\n{\"extends\": \"./common.json\", \"include\": [\"src\"]}\n"+
				"-- common.json --\n{\"compilerOptions\": {\"strict\": false, \"noEmit\": true, \"types\": []}}\n-- src/b.ts --\nexport function loose(x) { return x }\n", server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			s.Write("common.json", "{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n")
			for _, about := range [][]string{{"src/b.ts"}, nil, {"."}} {
				if found := newIn(t, s, about, nil); len(found) == 0 {
					t.Errorf("about %q, nothing is new, or not known", about)
				}
			}
		})
	}
}

// expectNew writes files and expects what is then new, whatever is asked about: users, what changed, or everything.
func expectNew(t *testing.T, s *enginetest.Shop, changed map[string]string, want []string, users ...string) {
	t.Helper()
	for range 2 { // cold, and after the committed state was judged
		for file, text := range changed {
			s.Write(file, text)
		}
		for _, about := range [][]string{users, nil, {"."}, nil} {
			if diff := cmp.Diff(want, newIn(t, s, about, want)); diff != "" {
				t.Errorf("about %q (-want +got):\n%s", about, diff)
			}
		}
		s.Git("checkout", "-q", ".")
		s.Git("clean", "-qfd")
		if diff := cmp.Diff([]string(nil), newIn(t, s, []string{"."}, nil)); diff != "" {
			t.Errorf("as it was (-want +got):\n%s", diff)
		}
	}
}

// newIn returns what a check says is new since the commit, as far as want has its beginning, and what it does not know.
func newIn(t *testing.T, s *enginetest.Shop, about, want []string) (found []string) {
	t.Helper()
	answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: about, Baseline: api.BaselineHead, TimeoutMS: 240_000, CountOlder: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range foundIn(&answer) {
		if strings.HasSuffix(says, " not new") {
			continue
		}
		for _, w := range want {
			if strings.HasPrefix(says, w) {
				says = w
			}
		}
		found = append(found, says)
	}
	return found
}
