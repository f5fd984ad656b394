package language

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The files that a text includes are those that it names in the ways of its language, however these are written.
func TestInclusions(t *testing.T) {
	const anywhere, above = Anywhere, Above
	for _, c := range []struct {
		file, text string
		want       []Inclusion
	}{
		{"a.go", "//go:embed a.txt \"b c\" all:dir\nvar x string // go:embed no\n", []Inclusion{{"a.txt", Beside, true, false, InclusionPresence}, {"b c", Beside, true, false, InclusionPresence}, {"dir", Beside, true, false, InclusionPresence}}},
		{"a.rs", `const A: &str = include_str!("../data.txt");`, []Inclusion{{"../data.txt", Beside, false, false, InclusionText}}},
		{"a.rs", "static B: &[u8] = include_bytes! [ r#\"a \"b\".bin\"# , ];\ninclude!{\"gen.in\"}", []Inclusion{{`a "b".bin`, Beside, false, false, InclusionSize}, {"gen.in", Beside, false, false, InclusionContent}}},
		{"a.rs", `let a = f(include_str!(concat!(env!("CARGO_MANIFEST_DIR", "no cargo"), "/a/", "b.txt")), "c.txt");`, []Inclusion{{"a/b.txt", above, false, false, InclusionText}}},
		{"a.rs", `include!(concat!(env!("OUT_DIR"), "/gen.rs")); let b = "c";`, []Inclusion{{"gen.rs", anywhere, false, false, InclusionContent}}},
		{"a.rs", `static D: Dir = include_dir!("$CARGO_MANIFEST_DIR/assets");`, []Inclusion{{"assets", above, false, false, InclusionContent}}},
		{"a.rs", "#![doc = include_str!(\"../README.md\")]\n#[path = \"gen.in\"]\nmod gen;\n#[derive(X)]\n#[grammar = \"g.pest\"]", []Inclusion{{"../README.md", Beside, false, false, InclusionText}, {"gen.in", anywhere, false, false, InclusionContent}, {"g.pest", anywhere, false, false, InclusionContent}}},
		{"a.rs", "sqlx::query_file_as!(T, \"q.sql\"); include_wgsl!(\"s.wgsl\")", []Inclusion{{"s.wgsl", anywhere, false, false, InclusionContent}, {"q.sql", anywhere, false, false, InclusionContent}}},
		{"a.rs", "// include_str!(\"no\")\n//! include!(\"no\")\nlet path = \"no\"; include!(no); include_str!(stringify!(no)); not_include!(\"no\");", nil},
		{"a.cpp", "#include \"a.lua\" // x\n  #  include <b/c.frag>\n#embed \"d.bin\" limit(3)\n#if __has_include(\"e.txt\") || __has_embed(<f>)\n#import \"g\"\n", []Inclusion{
			{"a.lua", anywhere, false, false, InclusionContent},
			{"b/c.frag", anywhere, false, false, InclusionContent},
			{"d.bin", anywhere, false, false, InclusionSize},
			{"e.txt", anywhere, false, true, InclusionPresence},
			{"f", anywhere, false, true, InclusionPresence},
			{"g", anywhere, false, false, InclusionContent},
		}},
		{"a.h", "#define DATA \"a.txt\"\n#define OTHER \"no.txt\"\n#include DATA\n#include UNKNOWN\nchar *include = \"no\";\n", []Inclusion{{"a.txt", anywhere, false, false, InclusionContent}}},
		{"a.py", "//go:embed no\n#include \"no\"\n", nil},
	} {
		if diff := cmp.Diff(c.want, Inclusions(c.file, []byte(c.text))); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", c.file, c.text, diff)
		}
	}
}

// A name means the file at that place below its root; a pattern also what is in a folder of that name.
func TestWhatAnInclusionMeans(t *testing.T) {
	for _, c := range []struct {
		inclusion Inclusion
		means     []string
		not       []string
	}{
		{Inclusion{Name: "a.txt"}, []string{"/r/d/a.txt"}, []string{"/r/a.txt", "/r/d/e/a.txt", "/r/d/ba.txt"}},
		{Inclusion{Name: "../x/a.txt"}, []string{"/r/x/a.txt"}, []string{"/x/a.txt", "/r/d/x/a.txt"}},
		{Inclusion{Name: "/x/a.txt"}, []string{"/x/a.txt"}, []string{"/r/x/a.txt"}},
		{Inclusion{Name: "x/a.txt", Root: Above}, []string{"/r/d/x/a.txt", "/r/x/a.txt"}, []string{"/q/x/a.txt", "/r/d/e/x/a.txt"}},
		{Inclusion{Name: "../x/a.txt", Root: Anywhere}, []string{"/r/x/a.txt", "/q/x/a.txt"}, []string{"/q/a.txt", "/q/yx/a.txt"}},
		{Inclusion{Name: "*.txt", Pattern: true}, []string{"/r/d/a.txt"}, []string{"/r/a.txt", "/r/d/e/a.txt", "/r/d/a.md"}},
		{Inclusion{Name: "e", Pattern: true}, []string{"/r/d/e", "/r/d/e/f/a.txt"}, []string{"/r/e/a.txt"}},
		{Inclusion{Name: "f.go"}, nil, []string{"/r/d/f.go"}}, // itself
	} {
		for want, paths := range map[bool][]string{true: c.means, false: c.not} {
			for _, path := range paths {
				if got := c.inclusion.Means(filepath.FromSlash("/r/d/f.go"), filepath.FromSlash(path)); got != want {
					t.Errorf("%+v means %s: %t", c.inclusion, path, got)
				}
			}
		}
	}
}

// What changes in an included file matters as far as the program can read it.
func TestWhatOfAnIncludedFileMatters(t *testing.T) {
	for reads, want := range map[InclusionReads][3]bool{
		InclusionPresence: {}, InclusionText: {false, false, true}, InclusionSize: {false, true, true}, InclusionContent: {true, true, true},
	} {
		i := Inclusion{Reads: reads}
		if got := [3]bool{i.Matters([]byte("ab"), []byte("cd")), i.Matters([]byte("ab"), []byte("c")), i.Matters([]byte("ab"), []byte("\xff"))}; got != want {
			t.Errorf("%d: %v", reads, got)
		}
		if !i.Matters(nil, []byte("")) || !i.Matters([]byte(""), nil) || i.Matters([]byte("a"), []byte("a")) || i.Matters(nil, nil) {
			t.Errorf("%d: one that comes or goes", reads)
		}
	}
}
