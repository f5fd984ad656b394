package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What C includes is named, at the beginning of a line or of a comment in Go, or by a macro that nobody expands here.
func TestIncludes(t *testing.T) {
	type includes struct {
		Names []string
		Named bool
	}
	for text, want := range map[string]includes{
		"":                                     {nil, true},
		"#include <a.h>\n # include \"b/c.h\"": {[]string{"a.h", "b/c.h"}, true},
		"// #include <a.h>\n// #include too":   {[]string{"a.h"}, false},
		"/* #include \"a.h\"\n*/":              {[]string{"a.h"}, true},
		"#include HEADER\n":                    {nil, false},
		"int a; // see #include <a.h>\n":       {nil, true},
	} {
		names, named := Includes([]byte(text))
		if diff := cmp.Diff(want, includes{names, named}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// A pattern embeds the files that it names, and those in folders that it names.
func TestEmbedPatterns(t *testing.T) {
	const text = "package p\n\n//go:embed a.txt \"b c\" all:static\n//go:embed `d`\nvar x string // go:embed e\n"
	if diff := cmp.Diff([]string{"a.txt", "b", "c", "static", "d"}, EmbedPatterns([]byte(text))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got := make(map[string]bool)
	want := map[string]bool{"a.txt a.txt": true, "static static/a/b.css": true, "*.css b.css": true, "*.css a/b.css": false, "a ab": false}
	for _, c := range [][2]string{{"a.txt", "a.txt"}, {"static", "static/a/b.css"}, {"*.css", "b.css"}, {"*.css", "a/b.css"}, {"a", "ab"}} {
		got[c[0]+" "+c[1]] = EmbedMatches(c[0], c[1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
