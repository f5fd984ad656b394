package workspace

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A detection answers for one moment: what comes to a folder after it looked there, it
// does not see for any file of that kind, and the next one does for all.
func TestDetectionIsOfOneMoment(t *testing.T) {
	w := open(t, "-- go.mod --\n-- nested/a.go --\n-- nested/b.go --\n", Options{Servers: registry.Builtin(), LookPath: found})
	nested := filepath.Join(w.Root(), "nested")
	roots := func(d *roots.Detection) (found []string) {
		for _, name := range []string{"a.go", "b.go"} {
			for _, c := range d.Candidates(filepath.Join(nested, name)) {
				found = append(found, c.Root)
			}
		}
		return found
	}
	early := w.Detection()
	early.Candidates(filepath.Join(nested, "a.go"))
	lsptest.WriteFile(t, filepath.Join(nested, "go.mod"), "")
	if diff := cmp.Diff([]string{w.Root(), w.Root()}, roots(early)); diff != "" {
		t.Errorf("the detection from before (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{nested, nested}, roots(w.Detection())); diff != "" {
		t.Errorf("one from after (-want +got):\n%s", diff)
	}
}
