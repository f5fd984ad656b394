package registry

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The list of ids has those of the table, and no others.
func TestIsBuiltin(t *testing.T) {
	if diff := cmp.Diff(Builtin().IDs(), builtinIDs[:]); diff != "" {
		t.Errorf("builtinIDs, -want +got:\n%s", diff)
	}
	for id, want := range map[string]bool{builtinIDs[0]: true, "gopls": true, builtinIDs[len(builtinIDs)-1]: true, "go": false, "": false} {
		if IsBuiltin(id) != want {
			t.Errorf("IsBuiltin(%q) = %t", id, !want)
		}
	}
}
