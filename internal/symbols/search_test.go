package symbols

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// listed is a search result, in the form name@path.
func listed(t *testing.T, entries ...string) (list []protocol.Symbol) {
	t.Helper()
	for _, entry := range entries {
		name, path, ok := strings.Cut(entry, "@")
		if !ok {
			t.Fatal(entry)
		}
		s := sym(functionKind, name, 0, 0)
		s.URI = protocol.URIFromPath(here(path))
		list = append(list, s)
	}
	return list
}

func drawnFound(found []Found) string {
	var parts []string
	for _, f := range found {
		parts = append(parts, f.Name+"@"+lsptest.Slashed(f.Place.Path))
	}
	return strings.Join(parts, " ")
}

// Search results are put in the order a reader wants them: like the query before
// unlike it, the project before its tests; what only has the letters goes, and
// what others wrote, as soon as there is better.
func TestSearchRanks(t *testing.T) {
	for _, c := range []struct {
		query, found, want string
	}{
		{
			"load", "reloading@/r/a.go LOAD@/r/a.go loader@/r/a.go load@/r/b_test.go load@/r/b.go",
			"load@/r/b.go load@/r/b_test.go LOAD@/r/a.go loader@/r/a.go reloading@/r/a.go",
		},
		{"load", "load@/r/tests/x.py load@/r/x.py", "load@/r/x.py load@/r/tests/x.py"},
		{"load", "load@/usr/lib/x.go load@/r/a.go load@/r/vendor/x/a.go load@/r/x/testdata/a.go", "load@/r/a.go"},
		{"load", "load@/usr/lib/x.go loader@/r/a.go reload@/r/b_test.go loading@/usr/lib/x.go", "loader@/r/a.go reload@/r/b_test.go load@/usr/lib/x.go loading@/usr/lib/x.go"},
		{"load", "load@/usr/lib/x.go load@/r/vendor/x/a.go", "load@/r/vendor/x/a.go load@/usr/lib/x.go"},
		{"load", "LogOrADie@/r/a.go loader@/r/a.go", "loader@/r/a.go"},
		{"load", "LogOrADie@/r/a.go", "LogOrADie@/r/a.go"},
		{"Config.load", "load@/r/b.go loader@/r/a.go", "load@/r/b.go loader@/r/a.go"},
		{"load", "(*Config).load@/r/a.go cfg.Config.load@/r/b.go", "load@/r/a.go load@/r/b.go"},
		{"load", "", ""},
	} {
		f := newFake()
		f.search = func(string) ([]protocol.Symbol, error) { return listed(t, strings.Fields(c.found)...), nil }
		found, failures, err := New(f).Search(t.Context(), c.query, "")
		if got := drawnFound(found); got != c.want || err != nil || len(failures) > 0 {
			t.Errorf("%s in %s:\n got %s\nwant %s; %v %v", c.query, c.found, got, c.want, failures, err)
		}
	}
}

// Where nothing is like a query, what may be meant by it is listed, each once, and that is noted.
//
// Requirement: AGENT-9.
func TestSearchOfAMisspelledName(t *testing.T) {
	f := newFake()
	f.search = func(query string) ([]protocol.Symbol, error) {
		if query == "loader" {
			return listed(t, "loader@/r/a.go", "loadder_of@/r/b.go"), nil
		}
		return listed(t, "LogOrADDieEver@/usr/lib/x.go", "pkg/x.loader@/r/a.go"), nil
	}
	q := New(f)
	found, _, err := q.Search(t.Context(), "loadder", "")
	if diff := cmp.Diff([]string{"loader@/r/a.go", "nothing is named loadder; this is most like it"}, append([]string{drawnFound(found)}, q.Notes()...)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Types stand before functions, functions before variables, where all else is
// equal; what gopls writes before a name is its container.
func TestSearchKindsAndContainers(t *testing.T) {
	f := newFake()
	f.search = func(string) ([]protocol.Symbol, error) {
		list := listed(t, "cfg.Config.load@/r/a.go", "load@/r/a.go", "load@/r/a.go")
		list[0].Kind, list[1].Container, list[2].Kind = variableKind, "ns", classKind
		return list, nil
	}
	found, _, err := New(f).Search(t.Context(), "load", "")
	var got []string
	for _, f := range found {
		got = append(got, f.Kind+" in "+f.Container)
	}
	if text := strings.Join(got, ", "); err != nil || text != "class in , function in ns, variable in cfg.Config" {
		t.Errorf("%s, %v", text, err)
	}
}

// The failure of one server is told beside what the others found; if none
// answers, the failures are the error, and not an empty answer.
func TestSearchFailures(t *testing.T) {
	broken, missing := errors.New("broken"), errors.New("not installed")
	good, bad := newFake(), newFake()
	good.search = func(string) ([]protocol.Symbol, error) { return listed(t, "load@/r/a.go"), nil }
	bad.search = func(string) ([]protocol.Symbol, error) { return nil, broken }
	good.others, good.failures = []Server{bad}, []error{missing}
	found, failures, err := New(good).Search(t.Context(), "load", "")
	joined := errors.Join(failures...)
	if len(found) != 1 || err != nil || !errors.Is(joined, broken) || !errors.Is(joined, missing) {
		t.Errorf("%v, %v, %v", found, failures, err)
	}
	if got := NotSearched(failures, "; "); got != "; not searched: not installed; broken" {
		t.Errorf("said as %q", got)
	}
	bad.failures = []error{missing}
	if _, _, err = New(bad).Search(t.Context(), "load", ""); !errors.Is(err, broken) || !errors.Is(err, missing) {
		t.Errorf("all failed: %v", err)
	}
	bad.search = nil
	if _, _, err = New(bad).Search(t.Context(), "load", ""); !errors.Is(err, missing) {
		t.Errorf("none to ask: %v", err)
	}
}

// A server that still loads and finds nothing has failed; one that finds
// something has answered with a state.
func TestSearchWhileLoading(t *testing.T) {
	f := newFake()
	f.work("Indexing")
	f.search = func(string) ([]protocol.Symbol, error) { return nil, nil }
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var unready *NotReadyError
	if _, _, err := New(f).Search(ctx, "load", ""); !errors.As(err, &unready) {
		t.Errorf("nothing: %v", err)
	}
	f.search = func(string) ([]protocol.Symbol, error) { return listed(t, "load@/r/a.go"), nil }
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	q := New(f)
	if found, _, err := q.Search(ctx, "load", ""); len(found) != 1 || err != nil || len(q.States()) != 1 {
		t.Errorf("%v, %v, %v", found, err, q.States())
	}
}

// A name path in the workspace is found through its file's outline, in the
// project's own files first; a search that fails is said where nothing is found.
func TestNamePathInWorkspace(t *testing.T) {
	f := resolved()
	f.failures = []error{errors.New("pyls not installed")}
	_, err := New(f).Resolve(t.Context(), Selector{Symbol: "Nothing"})
	var none *NotFoundError
	if !errors.As(err, &none) || !strings.HasSuffix(none.Hint(), "; not searched: pyls not installed") {
		t.Errorf("%v", err)
	}
	f.texts[here("/usr/lib/x.go")], f.outlines[here("/usr/lib/x.go")] = "func Reload() {}\n", []protocol.Symbol{sym(functionKind, "Reload", 0, 0)}
	f.search = func(string) ([]protocol.Symbol, error) {
		return listed(t, "Reload@/usr/lib/x.go", "Reload@/r/src/a.go"), nil
	}
	target, err := New(f).Resolve(t.Context(), Selector{Symbol: "Reload"})
	if err != nil || target.Path != here("/r/src/a.go") {
		t.Errorf("%+v, %v", target, err)
	}
	f.search = func(string) ([]protocol.Symbol, error) { return listed(t, "Reload@/usr/lib/x.go"), nil }
	target, err = New(f).Resolve(t.Context(), Selector{Symbol: "Reload"})
	if err != nil || target.Path != here("/usr/lib/x.go") {
		t.Errorf("%+v, %v", target, err)
	}
}

// A regular expression is refused where a name is wanted, with its longest word as an example
// of one; what is a name in some language is none.
func TestNoPattern(t *testing.T) {
	for text, example := range map[string]string{`.*`: "Load", `\w+`: "Load", `Open.*File`: "Open", `(Re|Unre)store`: "store"} {
		err := noPattern("query", text)
		var refused *SelectorError
		if !errors.As(err, &refused) || !strings.Contains(refused.Advice, "for example "+example+";") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "Load", "operator*", "(*T).Load", "a.b"} {
		if err := noPattern("query", text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What counts as a test is told by the naming rules of the language.
func TestIsTest(t *testing.T) {
	for file, want := range map[string]bool{
		"a/x_test.go": true, "test/x.go": false, "testing/x.go": false, "test_x.py": true, "conftest.py": true, "contest.py": false, "tests/x.py": true,
		"x.test.ts": true, "x.spec.tsx": true, "__tests__/x.js": true, "latest.ts": false, "src/XTest.java": true, "src/TestX.java": true,
		"src/Contest.java": false, "src/Latest.kt": false, "x_unittest.cc": true, "tests/x.rs": true, "src/x.rs": false,
	} {
		if IsTest(file) != want {
			t.Errorf("%s: %t", file, !want)
		}
	}
}

// A panic while one of several servers is asked is one of the question, and of nothing
// else.
func TestPanicWhileServersAreAsked(t *testing.T) {
	f := newFake()
	f.search = func(string) ([]protocol.Symbol, error) { panic("kaboom") }
	err := guard.Do(func() error {
		_, _, err := New(f).Search(t.Context(), "load", "")
		return err
	})
	var failed *guard.PanicError
	if !errors.As(err, &failed) || failed.Value != "kaboom" {
		t.Errorf("%v", err)
	}
}
