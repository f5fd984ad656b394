package registry

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A server that turns out to be another program keeps its id and its files, and has all that makes
// that program look at its project again.
func TestAsAnotherProgram(t *testing.T) {
	own := Definition{ID: "mine", Languages: []Language{{"toy", []string{".toy"}}}, Roots: []string{"toy.root"}, Reads: []string{".own"}, Anew: []string{"own"}, RenewedBy: []string{"own"}}
	got := own.As(Definition{ID: "theirs", Roots: []string{"their.root"}, Reads: []string{".inc"}, Anew: []string{"settings"}, RenewedBy: []string{"project"}})
	want := own
	want.Program, want.Reads, want.Anew, want.RenewedBy = "theirs", []string{".inc"}, []string{"settings"}, []string{"project"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
