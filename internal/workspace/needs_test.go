package workspace

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of several roots of one name those are meant that have the most folders in common with who names them.
func TestNearestRoots(t *testing.T) {
	at := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.FromSlash(name))
		}
		return paths
	}
	for _, c := range []struct {
		to    string
		roots []string
		want  []string
	}{
		{"/f/a/app", nil, nil},
		{"/f/a/app", at("/f/a/core"), at("/f/a/core")},
		{"/f/a/app", at("/f/b/core", "/f/a/core", "/v/core"), at("/f/a/core")},
		{"/f/a/app", at("/f/b/core", "/f/c/core"), at("/f/b/core", "/f/c/core")},
		{"/f/ab/app", at("/f/ac/core", "/f/ab/core"), at("/f/ab/core")},
		{"/f/a/app", at("/f/a/apple", "/f/a/b"), at("/f/a/apple", "/f/a/b")},
	} {
		if diff := cmp.Diff(c.want, nearestRoots(filepath.FromSlash(c.to), c.roots)); diff != "" {
			t.Errorf("%s of %q (-want +got):\n%s", c.to, c.roots, diff)
		}
	}
}

// A word leads into the innermost root around its path and, where it is a path, into all that lie below.
func TestWhereWordsLead(t *testing.T) {
	root := t.TempDir()
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	p := &projects{roots: []string{in("a"), in("a/x"), in("app"), in("b/one"), in("b/two"), in("c")}}
	slices.Sort(p.roots)
	for word, want := range map[string][]string{
		"../a": {"a", "a/x"}, "../a/src/deep": {"a"}, "../a/x/y": {"a/x"}, "../b": {"b/one", "b/two"}, "../b/": {"b/one", "b/two"}, "..": {"a", "a/x", "app", "b/one", "b/two", "c"},
		".": nil, "./": nil, "src": {"app"}, "../bb": nil, "../ap": nil, "../c": {"c"}, "nothing/here": {"app"}, in("a"): {"a", "a/x"}, in("b/one/z"): {"b/one"}, "/elsewhere": {"app"},
	} {
		needs := make(map[string]bool)
		p.lead(needs, in("app"), word)
		var got []string
		for root := range needs {
			got = append(got, root)
		}
		slices.Sort(got)
		var all []string
		for _, name := range want {
			all = append(all, in(name))
		}
		slices.Sort(all)
		if diff := cmp.Diff(all, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
	}
}

// Who needs a root is found directly first and then by way of others; roots that need each other go together.
func TestNeedsOfProjects(t *testing.T) {
	p := &projects{roots: []string{"a", "b", "c", "d", "e", "f"}, needs: map[string]map[string]bool{
		"a": {"b": true}, "b": {"c": true}, "d": {"c": true}, "e": {"e2": true},
	}}
	type related struct{ Of, Users []string }
	var got []related
	for _, of := range [][]string{{"c"}, {"b"}, {"a"}, {"b", "c"}, {"f"}, nil} {
		got = append(got, related{of, p.dependants(of)})
	}
	want := []related{{[]string{"c"}, []string{"b", "d", "a"}}, {[]string{"b"}, []string{"a"}}, {[]string{"a"}, nil}, {[]string{"b", "c"}, []string{"a", "d"}}, {[]string{"f"}, nil}, {}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("users (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]string{{"a", "b", "c", "d"}, {"e"}, {"f"}}, p.connected()); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	for path, want := range map[string]string{"a": "a", filepath.Join("a", "x", "y"): "a", "z": "", filepath.Join("z", "a"): ""} {
		if got := p.around(path); got != want {
			t.Errorf("around %s: %q", path, got)
		}
	}
}
