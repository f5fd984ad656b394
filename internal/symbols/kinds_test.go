package symbols

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// The kinds of completions are numbered from 1; a number of no kind has no name.
func TestKindsOfCompletions(t *testing.T) {
	for kind, want := range map[int]string{-1: "", 0: "", 1: "text", 3: "function", 25: "type parameter", 26: ""} {
		if got := CompletionKind(kind); got != want {
			t.Errorf("%d is %q, want %q", kind, got, want)
		}
	}
}

// The kinds of symbols are numbered from 1; a number of no kind is that of some symbol. Whoever
// changes the list of all names changes only his own.
func TestKindsOfSymbols(t *testing.T) {
	for kind, want := range map[int]string{-1: "symbol", 0: "symbol", 1: "file", 12: "function", 26: "type parameter", 27: "symbol"} {
		if got := Kind(kind); got != want {
			t.Errorf("%d is %q, want %q", kind, got, want)
		}
	}
	all := Kinds()
	if len(all) != 26 || all[0] != "file" || all[25] != "type parameter" {
		t.Errorf("all: %q", all)
	}
	all[0] = "changed"
	if Kind(1) != "file" {
		t.Error("the list is shared")
	}
}

// What a name usually means comes first: types, then functions, then what holds both, then variables.
func TestWeightOfKinds(t *testing.T) {
	got := make(map[int][]string)
	for _, kind := range append(Kinds(), "symbol") {
		got[weight(kind)] = append(got[weight(kind)], kind)
	}
	if diff := cmp.Diff(map[int][]string{
		0: {"class", "enum", "interface", "struct"},
		1: {"method", "constructor", "function"},
		2: {"module", "namespace", "package", "constant", "type parameter"},
		3: {"property", "field", "variable", "enum member"},
		4: {"file", "string", "number", "boolean", "array", "object", "key", "null", "event", "operator", "symbol"},
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each error is of a kind, by which those decide who called.
func TestKindsOfErrors(t *testing.T) {
	for want, err := range map[result.Kind]error{
		result.Argument: &SelectorError{}, result.Ambiguous: &AmbiguousError{}, result.NotFound: &NotFoundError{},
		result.NotReady: &NotReadyError{}, result.Timeout: &TimeoutError{},
	} {
		if got := result.ErrorOf(err).Kind; got != want {
			t.Errorf("%T is of kind %s, want %s", err, got, want)
		}
	}
}

// A selector that names nothing but a language is empty.
func TestEmptySelectors(t *testing.T) {
	for name, c := range map[string]struct {
		selector Selector
		want     bool
	}{
		"nothing": {Selector{}, true}, "a language": {Selector{Language: "go"}, true}, "a file": {Selector{File: "a.go"}, false},
		"a symbol": {Selector{Symbol: "x", Language: "go"}, false}, "a line": {Selector{Line: 1}, false}, "a scope": {Selector{ScopeEnd: 1}, false},
	} {
		if got := c.selector.Empty(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
