package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The checkout keeps each rule.
func TestShape(t *testing.T) {
	pkgs := scan(t)
	for name, r := range map[string]rule{
		"rooms have a floor":              roomsHaveAFloor,
		"arrows point down":               arrowsPointDown,
		"fronts know the api alone":       frontsKnowTheAPIAlone,
		"public packages are known":       publicOnesAreKnown,
		"inner packages are for one room": innerIsForItsRoom,
		"test rooms are for tests":        testRoomsAreForTests,
		"doors are guarded":               doorsAreGuarded,
		"packages say what they are for":  packagesSayWhatTheyAreFor,
		"files stay small":                filesStaySmall,
		"nobody sleeps":                   nobodySleeps,
		"files are read in one way":       filesAreReadInOneWay,
		"text is shown in one way":        textIsShownInOneWay,
		"values are typed":                valuesAreTyped,
		"names say something":             namesSaySomething,
		"languages are data":              languagesAreData,
		"fields are guarded":              fieldsAreGuarded,
	} {
		t.Run(name, func(t *testing.T) { r(pkgs, t.Errorf) })
	}
	t.Run("no paths of a machine", func(t *testing.T) { noOwnPaths(texts(t), t.Errorf) })
}

// one makes a package with one file that imports the given packages; those
// without a dot in the first element are our own rooms.
func one(dir, name string, imports ...string) []pkg {
	f := file{name: name, doc: true, lines: 10}
	for _, i := range imports {
		if strings.HasPrefix(i, "internal/") || strings.HasPrefix(i, "cmd/") || strings.HasPrefix(i, "skills") || strings.HasPrefix(i, "pkg/") {
			i = module + "/" + i
		}
		f.imports = append(f.imports, i)
	}
	return []pkg{{dir, []file{f}}}
}

// Each rule sees what it forbids in a made-up package, and lets pass what it
// does not forbid: a client of some telemetry, among others.
//
// Requirement: REQ-OBS-030, BR-68.
func TestRulesSeeWhatTheyForbid(t *testing.T) {
	parsed := func(dir, name, src string) []pkg {
		t.Helper()
		f, err := parse(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return []pkg{{dir, []file{f}}}
	}
	const (
		sleep   = "package x\nimport tea \"time\"\nvar f = tea.Sleep\n"
		shows   = "package x\nimport \"encoding/json\"\nvar f = json.NewEncoder\n"
		reads   = "package x\nimport \"os\"\nvar f = os.ReadFile\n"
		untyped = "package x\nvar a map[string]any\nvar b []map[string]interface{}\n"
		spoken  = "package x\nvar a = \".go\"\nvar b, c = \"rust\", \"a.go\"\n"
		guarded = "package x\ntype s struct {\n\ta int\n\n\tmu sync.Mutex\n\tb, c int // both\n\n\td int\n}\n" +
			"func (s *s) read() int { return s.a + s.d + s.b }\n"
		locked = "package x\ntype s struct {\n\tmu sync.RWMutex\n\t// b is counted.\n\tb int\n}\n" +
			"func (s *s) read() int { s.mu.RLock(); defer s.mu.RUnlock(); return s.b }\nfunc (s *s) nextLocked() { s.b++ }\nfunc (t *s) other(s *t) { s.b++ }\n"
		typed = "package x\nvar a map[string]interface{ M() }\nvar b map[int]any\n"
	)
	long := one("internal/lsp", "a.go")
	long[0].files[0].lines = maxLines + 1
	generated := one("internal/lsp", "a.go")
	generated[0].files[0].lines, generated[0].files[0].generated = 9000, true
	silent := one("internal/lsp", "a.go")
	silent[0].files[0].doc = false

	for _, c := range []struct {
		name string
		rule rule
		pkgs []pkg
		want string // in the one report; empty for none
	}{
		{"a new room", roomsHaveAFloor, one("internal/fleet", "a.go"), "internal/fleet is a new room"},
		{"a known room", roomsHaveAFloor, one("internal/lsp/proc", "a.go"), ""},
		{"upward", arrowsPointDown, one("internal/lsp", "a.go", "internal/workspace"), "internal/lsp/a.go (floor 1) imports internal/workspace (floor 4)"},
		{"upward in a test", arrowsPointDown, one("internal/lsp", "a_test.go", "internal/cli"), "arrows point down"},
		{"upward from an inner package", arrowsPointDown, one("internal/lsp/proc", "a.go", "internal/engine"), "arrows point down"},
		{"sideways", arrowsPointDown, one("internal/lsp", "a.go", "internal/config"), "arrows point down"},
		{"out of the house", arrowsPointDown, one("internal/cli", "a.go", "cmd/lspine"), "above all rooms"},
		{"the raw client", arrowsPointDown, one("bench/raw", "a.go", "internal/protocol"), "must not profit"},
		{"down", arrowsPointDown, one("internal/lsp", "a.go", "internal/jsonrpc", "internal/lsp/proc", "fmt"), ""},
		{"content", arrowsPointDown, one("internal/mcpserver", "a.go", "skills"), ""},
		{"content that knows a room", arrowsPointDown, one("skills", "a.go", "internal/api"), "skills are content"},
		{"content in its test", arrowsPointDown, one("skills", "a_test.go", "internal/lsptest"), ""},
		{"a test uses lsptest", arrowsPointDown, one("internal/lsp", "a_test.go", "internal/lsptest"), ""},
		{"the benchmark", arrowsPointDown, one("bench/compare", "a.go", "internal/engine"), ""},
		{"a room knows a public package", arrowsPointDown, one("internal/engine", "a.go", "pkg/types"), "above all rooms"},
		{"a new public package", publicOnesAreKnown, one("pkg/fleet", "a.go"), "pkg/fleet is a new public package"},
		{"a public package hands on another room", publicOnesAreKnown, one("pkg/types", "a.go", "internal/engine"), "it stands before api, result alone"},
		{"a public package and its room", publicOnesAreKnown, one("pkg/types", "a.go", "internal/result"), ""},
		{"a public package's test", publicOnesAreKnown, one("pkg/types", "a_test.go", "internal/engine"), ""},
		{"another's inner package", innerIsForItsRoom, one("internal/workspace", "a.go", "internal/lsp/proc"), "an inner package"},
		{"an inner package from outside", innerIsForItsRoom, one("cmd/lspine", "main.go", "internal/lsp/proc"), "an inner package"},
		{"the own inner package", innerIsForItsRoom, one("internal/lsp", "a.go", "internal/lsp/proc"), ""},
		{"lsptest looks inside", innerIsForItsRoom, one("internal/lsptest", "a.go", "internal/lsp/proc"), ""},
		{"a front knows a lower room", frontsKnowTheAPIAlone, one("internal/mcpserver", "a.go", "internal/symbols"), "a front knows api"},
		{"a front knows the api", frontsKnowTheAPIAlone, one("internal/mcpserver", "a.go", "internal/api", "internal/render"), ""},
		{"an exception of one front", frontsKnowTheAPIAlone, one("internal/mcpserver", "a.go", "internal/config"), "a front knows api"},
		{"a front's test", frontsKnowTheAPIAlone, one("internal/mcpserver", "a_test.go", "internal/symbols"), ""},
		{"product imports lsptest", testRoomsAreForTests, one("internal/cli", "a.go", "internal/lsptest"), "is for tests"},
		{"the judge of tests imports lsptest", testRoomsAreForTests, one("e2e/judge", "a.go", "internal/lsptest"), ""},
		{"a test imports lsptest", testRoomsAreForTests, one("internal/cli", "a_test.go", "internal/lsptest"), ""},
		{"the types' door", doorsAreGuarded, one("internal/lsp", "a_test.go", "go.lsp.dev/protocol"), "internal/protocol alone"},
		{"the codec's door", doorsAreGuarded, one("internal/protocol", "a.go", "go.lsp.dev/jsonrpc2"), "internal/jsonrpc alone"},
		{"something that could phone home", doorsAreGuarded, one("internal/engine", "a.go", "net/http"), "imports net/http"},
		{"a process", doorsAreGuarded, one("internal/symbols", "a.go", "os/exec"), "imports os/exec"},
		{"a process in a test", doorsAreGuarded, one("internal/symbols", "a_test.go", "os/exec"), ""},
		{"the owners", doorsAreGuarded, one("internal/protocol", "a.go", "go.lsp.dev/protocol", "go.lsp.dev/uri"), ""},
		{"no package comment", packagesSayWhatTheyAreFor, silent, "no package comment"},
		{"a package comment", packagesSayWhatTheyAreFor, one("internal/lsp", "a.go"), ""},
		{"a long file", filesStaySmall, long, "has 501 lines"},
		{"a long generated file", filesStaySmall, generated, ""},
		{"a sleep", nobodySleeps, parsed("internal/lsp", "a_test.go", sleep), "internal/lsp/a_test.go:3 names time.Sleep"},
		{"a sleep in lsptest", nobodySleeps, parsed("internal/lsptest", "a.go", sleep), ""},
		{"a file that may be a device", filesAreReadInOneWay, parsed("internal/setup", "a.go", reads), "internal/setup/a.go:3 opens a file"},
		{"text that is not legible", textIsShownInOneWay, parsed("internal/mcpserver", "a.go", shows), "internal/mcpserver/a.go:3 writes past"},
		{"text that no front shows", textIsShownInOneWay, parsed("internal/lsp", "a.go", shows), ""},
		{"text of a protocol", textIsShownInOneWay, parsed("internal/cli", "mcp.go", shows), ""},
		{"a file in a test", filesAreReadInOneWay, parsed("internal/setup", "a_test.go", reads), ""},
		{"a file of the kernel", filesAreReadInOneWay, parsed("internal/lsp/proc", "tree_linux.go", reads), ""},
		{"untyped", valuesAreTyped, parsed("internal/lsp", "a.go", untyped), "a.go:2 has a map[string]any\ninternal/lsp/a.go:3"},
		{"untyped in a test", valuesAreTyped, parsed("internal/lsp", "a_test.go", untyped), ""},
		{"an ending", languagesAreData, parsed("internal/checking", "a.go", spoken), "a.go:2 names the language \".go\"\na.go:3 names the language \"rust\""},
		{"a project's file", languagesAreData, parsed("internal/workspace", "a.go", "package a\nvar x = \"go.mod\""), "a.go:2 names the language \"go.mod\""},
		{"a word in a file that may", languagesAreData, parsed("internal/project", "gotoolchain.go", spoken), ""},
		{"a word beside a file that may", languagesAreData, parsed("internal/project", "go.go", spoken), "go.go:2 names the language \".go\"\ngo.go:3 names the language \"rust\""},
		{"an ending in a test", languagesAreData, parsed("internal/checking", "a_test.go", spoken), ""},
		{"an ending in a room that may", languagesAreData, parsed("internal/registry", "a.go", spoken), ""},
		{"an ending in a test of e2e", languagesAreData, parsed("e2e/truth", "a.go", spoken), ""},
		{"typed", valuesAreTyped, parsed("internal/lsp", "a.go", typed), ""},
		{"an unlocked field", fieldsAreGuarded, parsed("internal/lsp", "a.go", guarded), "a.go:10: read of s touches"},
		{"fields under a lock", fieldsAreGuarded, parsed("internal/lsp", "a.go", locked), ""},
		{"an unlocked field in a test", fieldsAreGuarded, parsed("internal/lsp", "a_test.go", guarded), ""},
		{"an empty file name", namesSaySomething, one("internal/lsp", "helpers_test.go"), "name the file"},
		{"an empty package name", namesSaySomething, one("internal/lsp/util", "a.go"), "name the package"},
		{"a name", namesSaySomething, one("internal/lsp", "commonmark.go"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reports []string
			c.rule(c.pkgs, func(format string, args ...any) {
				reports = append(reports, fmt.Sprintf(format, args...))
			})
			want := strings.Split(c.want, "\n")
			if c.want == "" {
				want = nil
			}
			if !slices.EqualFunc(reports, want, strings.Contains) {
				t.Errorf("reports %q, want %q", reports, want)
			}
		})
	}
}

// Without any of the exceptions to it the rule about languages would report something: none is
// left over from something since fixed.
func TestExceptionsOfLanguagesAreNeeded(t *testing.T) {
	pkgs, all := scan(t), nameLanguages
	defer func() { nameLanguages = all }()
	for _, exception := range all {
		nameLanguages = slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == exception })
		needed := false
		languagesAreData(pkgs, func(string, ...any) { needed = true })
		if !needed {
			t.Errorf("%s names no language any more: take it out of nameLanguages", exception)
		}
	}
}

// Paths of the writer's machine are seen in code, URIs and prose; what only
// looks like them is not.
func TestOwnPathsAreSeen(t *testing.T) {
	for _, c := range []struct {
		line string
		seen bool
	}{
		{`x := "/` + `work/main/go.mod"`, true},
		{`cd /` + `work`, true},
		{`file:///` + `root/x`, true},
		{`HOME=/` + `root`, true},
		{`open /` + `home/sam/project`, true},
		{`"/` + `Users/sam"`, true},
		{`/` + `home/you/project`, false},
		{`/workspace/executeCommand`, false},
		{`https://example.com/work/x and window/work/x`, false},
		{`"/rootless/x"`, false},
		{`"textDocument/work"`, false},
	} {
		seen := false
		noOwnPaths([]text{{"a.md", c.line}}, func(string, ...any) { seen = true })
		if seen != c.seen {
			t.Errorf("%s: seen %t", c.line, seen)
		}
	}
}
