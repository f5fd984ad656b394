package registry

import (
	"fmt"
	"slices"
	"testing"
)

// The index finds what asking every definition finds, of the better of a group
// first, without what must be named.
func TestIndexIsTheTable(t *testing.T) {
	table := Builtin()
	x := NewIndex(table)
	for _, file := range exampleFiles(table) {
		var want, got []string
		for _, d := range table {
			if _, ok := d.LanguageID(file); ok && !d.OptIn {
				want = append(want, d.ID)
			}
		}
		served := x.Serving(file)
		for _, d := range served {
			got = append(got, d.ID)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: the index finds %q, the table %q", file, got, want)
		}
		rank := make(map[string]int)
		for _, d := range served {
			if d.Group != "" && rank[d.Group] >= d.Rank {
				t.Errorf("%q: %s comes too late", file, d.ID)
			}
			rank[d.Group] = d.Rank
		}
		if x.Matters(file) != (len(want) > 0 || isNoted(table, file)) {
			t.Errorf("%q: matters is %t", file, x.Matters(file))
		}
	}
}

// A server that must be named is not found for its files until it was.
func TestIndexLeavesOutWhatMustBeNamed(t *testing.T) {
	toy := Definition{ID: "toy", Languages: only("toy", ".toy"), Roots: []string{"toy.root"}, Reads: []string{".inc"}, Anew: []string{"toy.properties"}, OptIn: true}
	x := NewIndex(Table{toy})
	if len(x.Serving("a.toy")) != 0 || x.Matters("a.toy") || x.Matters("toy.root") || x.Matters("a.inc") {
		t.Error("it is found although nobody named it")
	}
	toy.OptIn = false
	x = NewIndex(Table{toy})
	if len(x.Serving("dir/a.toy")) != 1 || !x.Matters("a.toy") || !x.Matters("toy.root") || !x.Matters("a.inc") || !x.Matters("toy.properties") || x.Matters("a.other") || x.Matters(".toy") {
		t.Error("it is not found although it was named")
	}
}

func isNoted(table Table, file string) bool {
	return slices.ContainsFunc(table, func(d Definition) bool {
		return !d.OptIn && (slices.Contains(d.Roots, file) || slices.Contains(d.Anew, file) || slices.ContainsFunc(d.Reads, func(e string) bool { return len(file) > len(e) && file[len(file)-len(e):] == e }))
	})
}

// exampleFiles are names for every pattern, alone and in combination.
func exampleFiles(table Table) []string {
	files := []string{"", ".", "x", "README", ".ts", "a.b.c", "a.x.ts", "a.html.erb", "a.d.ts", "..", "a.", "dir/a.go", `dir\a.go`, "go.sum", "Makefile"}
	for _, d := range table {
		eachPattern(&d, func(_, pattern string) {
			files = append(files, example(pattern), example(pattern)+".bak", "pre."+example(pattern))
		})
		files = append(files, d.Roots...)
	}
	return files
}

// names are 100,000 names of files as in a large tree.
func names() []string {
	endings := []string{".go", ".ts", ".tsx", ".py", ".md", ".json", ".yaml", ".rs", ".png", ".html", ".css", ".lock", ".c", ".java", "", ".test.ts", ".d.ts"}
	all := make([]string, 100_000)
	for i := range all {
		all[i] = fmt.Sprintf("file%d%s", i, endings[i%len(endings)])
	}
	return all
}

// What a sweep asks of every name: by the index, and by every definition as it
// was before there was one, with all entries and with the seven there were then.
func BenchmarkNames(b *testing.B) {
	all := names()
	table := Builtin()
	few := slices.DeleteFunc(Builtin(), func(d Definition) bool { return d.Tested != CI })
	x := NewIndex(table)
	each := func(f func(name string) bool) func(b *testing.B) {
		return func(b *testing.B) {
			for i := range b.N {
				f(all[i%len(all)])
			}
		}
	}
	asking := func(table Table) func(string) bool {
		return func(name string) bool {
			for i := range table {
				if _, ok := table[i].LanguageID(name); ok {
					return true
				}
			}
			return false
		}
	}
	b.Run("index", each(x.Matters))
	b.Run("serving", each(func(name string) bool { return len(x.Serving(name)) > 0 }))
	b.Run("asking-all", each(asking(table)))
	b.Run("asking-seven", each(asking(few)))
	largest, _ := table.Get("codebook")
	b.Run("language", each(func(name string) bool { _, ok := largest.LanguageID(name); return ok }))
}
