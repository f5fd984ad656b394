package symbols

import "testing"

// The kinds of completions are numbered from 1; a number of no kind has no name.
func TestKindsOfCompletions(t *testing.T) {
	for kind, want := range map[int]string{-1: "", 0: "", 1: "text", 3: "function", 25: "type parameter", 26: ""} {
		if got := CompletionKind(kind); got != want {
			t.Errorf("%d is %q, want %q", kind, got, want)
		}
	}
}
