package symbols

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// What stands at a place of C++ tells a definition from its declaration.
func TestBody(t *testing.T) {
	for text, want := range map[string]int{
		"int @f(int n);":               declared,
		"int @f(int n = 2);":           declared,
		"int @f(int n) { return n; }":  whole,
		"Box::@Box(int n) : n_(n) {}":  whole,
		"class @Box;":                  declared,
		"class @Box : public Base {};": whole,
		"extern int @x;":               announced,
		"int @x;":                      declared,
		"int @x = 1;":                  valued,
		"int @x{1};":                   whole,
		"void @f() = delete;":          valued,
		"int @f(":                      declared,
	} {
		f := newFake("a.h", strings.Replace("// first\n"+text, "@", "", 1))
		at := protocol.Position{Line: 1, Character: uint32(strings.Index(text, "@"))}
		if got := New(f).body(Place{Path: "/r/a.h", Range: protocol.Range{Start: at, End: at}}); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	if got := New(newFake("a.h", "")).body(Place{Path: "/gone"}); got != declared {
		t.Errorf("of a file that is gone: %d", got)
	}
}
