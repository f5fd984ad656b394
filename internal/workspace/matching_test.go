package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/registry"
)

// A name stands for the files below a folder, for those that a glob matches, or for itself: what is there by that name
// counts before what it could match.
func TestWhatANameStandsFor(t *testing.T) {
	w := open(t, "-- a.x --\n-- sub/a.x --\n-- sub/deep/b.x --\n-- subway/a.x --\n-- odd[1].x --\n-- odd1.x --\n", Options{})
	in := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
	link := filepath.Join(t.TempDir(), "link")
	symlink(t, w.Root(), link)
	const itself = "itself"
	for _, c := range []struct{ base, name, want string }{
		{w.Root(), "sub", "sub/a.x sub/deep/b.x"},
		{w.Root(), "sub/", "sub/a.x sub/deep/b.x"},
		{w.Root(), "sub/...", "sub/a.x sub/deep/b.x"},
		{w.Root(), ".", "a.x odd1.x odd[1].x sub/a.x sub/deep/b.x subway/a.x"},
		{in("sub"), "..", "a.x odd1.x odd[1].x sub/a.x sub/deep/b.x subway/a.x"},
		{in("sub"), "deep", "sub/deep/b.x"},
		{"elsewhere", in("sub/deep"), "sub/deep/b.x"},
		{w.Root(), "a.x", itself},
		{w.Root(), "a.x/...", itself},
		{w.Root(), "gone", itself},
		{w.Root(), "gone/...", itself},
		{w.Root(), "*.x", "a.x odd1.x odd[1].x"},
		{w.Root(), "*/a.x", "sub/a.x subway/a.x"},
		{w.Root(), "**/b.?", "sub/deep/b.x"},
		{w.Root(), "{a,b}.x", "a.x"},
		{in("sub"), "*.x", "sub/a.x"},
		{in("sub"), "../*.x", "a.x odd1.x odd[1].x"},
		{link, "sub/*.x", "sub/a.x"},
		{link, "sub", "sub/a.x sub/deep/b.x"},
		{"elsewhere", in("sub/*.x"), "sub/a.x"},
		{w.Root(), "odd[1].x", itself},
		{w.Root(), "od[d]1.x", "odd1.x"},
		{w.Root(), "od[d.x", itself},
	} {
		got := itself
		if matches := w.matcher(c.base, c.name); matches != nil {
			var list []string
			for _, file := range []string{"a.x", "odd1.x", "odd[1].x", "sub/a.x", "sub/deep/b.x", "subway/a.x"} {
				if matches(in(file)) {
					list = append(list, file)
				}
			}
			got = strings.Join(list, " ")
		}
		if got != c.want {
			t.Errorf("%s from %s: %q, want %q", c.name, c.base, got, c.want)
		}
	}
}

// A part of a glob that is the name of what is there stands for that alone, wherever it is in the glob; frameworks for the web
// name folders so.
func TestGlobsBelowFoldersWithBrackets(t *testing.T) {
	files := []string{"[one", "app/(shop)/p.x", "app/[[...all]]/p.x", "app/[slug]/a.x", "app/[slug]/deep/b.x", "app/s/a.x", "app/{id}/a.x", "other/[slug]/a.x", "other/s/[id].x", "other/s/d.x", "third/s/a.x", "third/s/d.x"}
	w := open(t, "-- "+strings.Join(files, " --\n-- ")+" --\n", Options{})
	in := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
	for _, c := range []struct{ base, name, want string }{
		{"", "app/[slug]/*.x", "app/[slug]/a.x"},
		{"", "app/[slug]/**/*.x", "app/[slug]/a.x app/[slug]/deep/b.x"},
		{"", "app/[slug]/[a-c].x", "app/[slug]/a.x"},
		{"", "app/[slug]/{deep/b,a}.x", "app/[slug]/a.x app/[slug]/deep/b.x"},
		{"app", "[slug]/*.x", "app/[slug]/a.x"},
		{"app/[slug]", "*.x", "app/[slug]/a.x"},
		{"app/[slug]", "../s/*", "app/s/a.x"},
		{"", "app/(shop)/*.x", "app/(shop)/p.x"},
		{"", "app/[[...all]]/*.x", "app/[[...all]]/p.x"},
		{"", "app/{id}/*.x", "app/{id}/a.x"},
		{"", "third/[slug]/*.x", "third/s/a.x third/s/d.x"},
		{"", "other/*/[id].x", "other/s/[id].x"},
		{"", "third/*/[id].x", "third/s/d.x"},
		{"", "*/[slug]/a.x", "app/[slug]/a.x other/[slug]/a.x third/s/a.x"},
		{"", "**/[slug]/*", "app/[slug]/a.x other/[slug]/a.x third/s/a.x third/s/d.x"},
		{"", `app/\[slug\]/*.x`, "app/[slug]/a.x"},
		{"", "[one", "itself"},
		{"", "[one/*.x", ""},
		{"", "[two/*.x", "itself"},
	} {
		if runtime.GOOS == "windows" && strings.Contains(c.name, `\`) {
			continue // it divides folders there
		}
		got := "itself"
		if matches := w.matcher(in(c.base), c.name); matches != nil {
			got = strings.Join(slices.DeleteFunc(slices.Clone(files), func(file string) bool { return !matches(in(file)) }), " ")
		}
		if got != c.want {
			t.Errorf("%s from %q: %q, want %q", c.name, c.base, got, c.want)
		}
	}
}

// A project is described by what its server looks for itself, else by the newest of what was built, of equal ones the
// first by name; a server is told of so many projects at most, and not of those that it finds itself.
func TestDescriptionsOfProjects(t *testing.T) {
	w := open(t, "-- both/own.json --\n-- both/out/a.json --\n-- b[1]/out/a.json --\n-- b[1]/out/b.json --\n-- b[1]/out/c.json --\n-- folder/own.json/x --\n-- folder/out/a.json/x --\n", Options{})
	d := &registry.Definition{ID: "x", Roots: []string{"root.x"}, LoadsBy: []string{"own.json", "out/b.json"}, Elsewhere: []string{"out/*.json"}, UserConfig: &registry.UserConfig{Elsewhere: "[" + registry.ProjectFiles + "|" + registry.FoundFolder + "]"}}
	told := &registry.Definition{ID: "x", Elsewhere: d.Elsewhere}
	in := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
	then := time.Now().Add(-time.Hour)
	for n, name := range []string{"c", "b", "a"} {
		at := then.Add(time.Duration(min(n, 1)) * time.Minute) // a and b are newer than c
		if err := os.Chtimes(in("b[1]/out/"+name+".json"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		by        *registry.Definition
		dir, want string
	}{{d, "both", "both/own.json"}, {told, "both", "both/out/a.json"}, {d, "b[1]", "b[1]/out/b.json"}, {told, "b[1]", "b[1]/out/a.json"}, {d, "folder", ""}, {d, "gone", ""}} {
		want := c.want
		if want != "" {
			want = in(want)
		}
		if got := w.DescribedBy(c.by, in(c.dir)); got != want {
			t.Errorf("%s: %q, want %q", c.dir, got, want)
		}
	}
	var archive strings.Builder
	for n := range maxElsewhere + 1 {
		fmt.Fprintf(&archive, "-- p%03d/root.x --\n-- p%03d/out/a.json --\n", n, n)
	}
	many := open(t, archive.String()+"-- a/root.x --\n-- a/out/b.json --\n-- aa/root.x --\n", Options{Servers: registry.Table{*d}})
	text := many.elsewhere(d)
	first, last := "["+filepath.ToSlash(many.Root())+"/p000/.*|"+filepath.ToSlash(many.Root())+"/p000/out]", fmt.Sprintf("/p%03d/out]", maxElsewhere-1)
	if n := strings.Count(text, "["); n != maxElsewhere || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		t.Errorf("it is told of %d: %.200s", n, text)
	}
	for name, silent := range map[string]*registry.UserConfig{"nothing is configured": nil, "nothing is told": {File: "x"}} {
		if text := many.elsewhere(&registry.Definition{Roots: d.Roots, Elsewhere: d.Elsewhere, UserConfig: silent}); text != "" {
			t.Errorf("%s: %q", name, text)
		}
	}
}
