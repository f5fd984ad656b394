package workspace

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The words of a manifest are what stands between separators, each once; of a glob its folder counts, and of an
// address the path.
func TestWordsOfManifests(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                     nil,
		"b a\tb\n":                             {"a", "b"},
		`core = {path="../core"}, x=[1]`:       {"../core", "1", "core", "path", "x"},
		"packages/* apps/a?/b *.x src/**/deep": {"apps/", "packages/", "src/"},
		"path+file:../x file:y path+z":         {"../x", "y", "z"},
		"a;b|c&d!e~f^g#h<i>j(k)l":              {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"},
		"'q'`r`":                               {"q", "r"},
	} {
		if diff := cmp.Diff(want, words(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

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
		{"/w/a/app", nil, nil},
		{"/w/a/app", at("/w/a/core"), at("/w/a/core")},
		{"/w/a/app", at("/w/b/core", "/w/a/core", "/v/core"), at("/w/a/core")},
		{"/w/a/app", at("/w/b/core", "/w/c/core"), at("/w/b/core", "/w/c/core")},
		{"/w/ab/app", at("/w/ac/core", "/w/ab/core"), at("/w/ab/core")},
		{"/w/a/app", at("/w/a/apple", "/w/a/b"), at("/w/a/apple", "/w/a/b")},
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

// A manifest names a folder by a path from its own place, or by the whole path.
func TestManifestsNameFolders(t *testing.T) {
	w := open(t, "-- sub/list --\nmember ../other\n-- other/x --\n", Options{})
	list, other := filepath.Join(w.Root(), "sub", "list"), filepath.Join(w.Root(), "other")
	for folder, want := range map[string]bool{other: true, filepath.Join(w.Root(), "sub", "member"): true, filepath.Join(w.Root(), "sub", "other"): false, w.Root(): false} {
		if got := w.manifests.names(list, folder); got != want {
			t.Errorf("%s: %t", folder, got)
		}
	}
}
