package symbols

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// The project's own files come before its tests, and these before what others wrote.
func TestRemoteness(t *testing.T) {
	for file, want := range map[string]int{
		"a.go": 0, "src/a.go": 0, "vendors/a.go": 0, "a/vendor.go": 0, "a_test.go": 1, "tests/x.py": 1, "/lib/a.go": 2, "C:/a.go": 2,
		"vendor/a.go": 2, "x/vendor/a.go": 2, "third_party/a.cc": 2, "x/third_party/a.cc": 2, "testdata/a.go": 2, "x/testdata/a_test.go": 2,
	} {
		if got := remoteness(file); got != want {
			t.Errorf("%s: %d, want %d", file, got, want)
		}
	}
}

// A name may be meant by another that is a part of it, or in which few letters differ: one of a short one, two of a
// longer one; case does not count.
func TestSimilarNames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"load", "LOAD", true},
		{"reload", "load", true},
		{"oad", "reload", true},
		{"re", "reload", false},
		{"reload", "re", false},
		{"lo", "la", true},
		{"lo", "xy", false},
		{"a", "b", true},
		{"a", "bc", false},
		{"ab", "x", false},
		{"abc", "abx", true},
		{"abc", "ayx", false},
		{"abcd", "abxy", true},
		{"abcd", "axyz", false},
		{"abcdefgh", "abcdxyzh", false},
		{"abcdef", "xbcdey", true},
		{"abcdefg", "xbcd", false},
		{"laod", "load", true},
		{"ab", "ba", true},
		{"größe", "grösse", true},
		{"", "a", true},
		{"", "abc", false},
	} {
		if got := similar(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
}

// What differs between two names is counted by letters; two neighbours that changed places count as one.
func TestDistanceOfNames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"load", "load", 0},
		{"load", "lead", 1},
		{"load", "loads", 1},
		{"laod", "load", 1},
		{"olda", "load", 2},
		{"olad", "load", 1},
		{"loda", "load", 1},
		{"load", "loadxy", 2},
		{"ab", "xy", 2},
		{"éa", "aé", 1},
		{"abcd", "badc", 2},
		{"abx", "bay", 2},
		{"aabb", "bbaa", 3},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("from %q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Of what may be meant the five are told that are most like the name, by their own name, each once.
func TestBestCandidates(t *testing.T) {
	var candidates []Candidate
	for _, name := range strings.Fields("Loud x.Load Lxxd Lead Load x.Load Lord LXYZ Loads") {
		candidates = append(candidates, Candidate{Name: name})
	}
	var got []string
	for _, c := range best(candidates, "load") {
		got = append(got, c.Name)
	}
	if diff := cmp.Diff("x.Load Load Loud Lead Lord", strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
	if got := best(candidates[:2], "x"); len(got) != 2 {
		t.Errorf("of two there are %+v", got)
	}
}

// Candidates that are alike in all else are told in the order of the files.
func TestCandidatesOfOneKind(t *testing.T) {
	var candidates []Candidate
	for _, c := range []Candidate{{Path: "b/a.go"}, {Path: "a/b/c.go"}, {Path: "b.go"}, {Path: "a.go", Line: 2, Column: 1}, {Path: "a.go", Line: 1, Column: 3}, {Path: "a.go", Line: 1, Column: 2}} {
		c.Name, c.Kind = "x", "function"
		candidates = append(candidates, c)
	}
	var got []string
	for _, c := range ambiguous("x", candidates).Candidates {
		got = append(got, c.At())
	}
	if diff := cmp.Diff("a.go:1:2 a.go:1:3 a.go:2:1 b.go:0:0 b/a.go:0:0 a/b/c.go:0:0", strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
	list := (&AmbiguousError{"x", candidates[:1], 1}).Hint()
	if want := "name one of them:\n  " + candidates[0].String(); list != want {
		t.Errorf("%q, want %q", list, want)
	}
}

// A name that was found is like a query as it is, in other letters, by its beginning, by a part, or not at all.
func TestUnlikeNames(t *testing.T) {
	for name, want := range map[string]int{"load": 0, "Load": 1, "LOADER": 2, "loads": 2, "reLoad": 3, "lo": 4, "l.o.a.d": 4, "": 4} {
		if got := unlike(name, "load"); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}

// What was found is meant by its container and its name as they are shown, and by nothing less.
func TestFoundByContainer(t *testing.T) {
	f := Found{Name: "Load", Container: "golang.org/x/mod", names: []string{"modfile", "File", "Load"}}
	for path, want := range map[string]bool{
		"golang.org/x/mod.modfile.File.Load": true, "golang.org/x/mod.File.Load": true, "golang.org/x/mod.Load": true, "mod.Load": false,
		"golang.org/x/mod": false, "/golang.org/x/mod/Load": false, "golang.org/x/mod.modfile.Load": false, "Load": false,
	} {
		p, err := ParseNamePath(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.means(p); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
	if (&Found{Name: "Load", names: []string{"Load"}}).means(NamePath{Parts: []string{"Load"}, Overload: -1}) {
		t.Error("without a container it is meant")
	}
}

// What gopls writes before a name in a search is taken apart; what only looks like it stays whole.
func TestNamesOfSearches(t *testing.T) {
	for name, want := range map[string]string{
		"Load": "Load", "cfg.Config.Load": "cfg|Config|Load", "(*T).Load": "T|Load", "ns::a.b": "ns|a|b", "...": "...", ".a": ".a", "a.": "a.",
		"a.b c": "a.b c", "x/a.b": "x/a.b", `"a.b"`: `"a.b"`, "'a.b'": "'a.b'",
	} {
		if got := strings.Join(searchNames(name), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// The blocks and the constructors of a type that is there are parts of it; without the type they are what is meant.
func TestPartsOfATypeAreLeftOut(t *testing.T) {
	declared := func(entries string) (list []declaration) {
		for entry := range strings.FieldsSeq(entries) {
			kind, path, _ := strings.Cut(entry, ":")
			names := strings.Split(path, ".")
			list = append(list, declaration{nil, &Symbol{Name: names[len(names)-1], Path: names, Kind: kind}})
		}
		return list
	}
	for given, want := range map[string]string{
		"struct:Box object:Box":   "struct:Box",
		"object:Box":              "object:Box",
		"function:Box object:Box": "function:Box object:Box",
		"class:Box constructor:Box.Box method:Box.Box function:Box.Box": "class:Box",
		"class:Box function:Box":          "class:Box function:Box",
		"class:Box function:a.Box":        "class:Box function:a.Box",
		"class:Box field:Box.Box":         "class:Box field:Box.Box",
		"method:Box.Box":                  "method:Box.Box",
		"class:Other constructor:Box.Box": "class:Other constructor:Box.Box",
	} {
		list := declared(given)
		var got []string
		for _, d := range withoutParts(list) {
			got = append(got, d.symbol.Kind+":"+strings.Join(d.symbol.Path, "."))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("of %s: %s, want %s", given, text, want)
		}
		if diff := cmp.Diff(len(declared(given)), len(list)); diff != "" || list[len(list)-1].symbol == nil {
			t.Errorf("of %s the list that was given has changed", given)
		}
	}
}

// A place is in a range from its begin to its end, both included; a range holds another that does not go beyond it.
func TestPlacesInRanges(t *testing.T) {
	r := span(1, 2, 3, 4)
	for want, places := range map[bool][]protocol.Position{
		true:  {{Line: 1, Character: 2}, {Line: 1, Character: 9}, {Line: 2}, {Line: 3, Character: 4}},
		false: {{Line: 1, Character: 1}, {Line: 0, Character: 9}, {Line: 3, Character: 5}, {Line: 4}},
	} {
		for _, p := range places {
			if holds(r, p) != want {
				t.Errorf("%+v in it: %t", p, !want)
			}
		}
	}
	for inner, want := range map[protocol.Range]bool{
		r: true, span(1, 3, 3, 3): true, span(1, 1, 3, 4): false, span(1, 2, 3, 5): false, span(0, 0, 9, 9): false, span(2, 0, 2, 0): true,
	} {
		if contains(r, inner) != want {
			t.Errorf("%+v is held: %t", inner, !want)
		}
	}
	if got := fmt.Sprint(compare(r.Start, r.End), compare(r.End, r.Start), compare(r.Start, r.Start), compare(protocol.Position{Line: 1, Character: 9}, protocol.Position{Line: 1, Character: 3})); got != "-1 1 0 1" {
		t.Errorf("compared: %s", got)
	}
}
