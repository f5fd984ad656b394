package checking

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
)

// A file that others renamed is changed until it was judged, and from then on it is not.
func TestRenamedByOthersIsJudgedOnce(t *testing.T) {
	s := openToy(t, lsptest.Script{}, project)
	s.git("init", "-q")
	s.git("add", ".")
	s.git("commit", "-qm", "one")
	s.check("main.toy")
	s.git("mv", "main.toy", "moved.toy")
	changes := func() []edit.Change {
		all, err := s.subjects(t.Context(), api.CheckRequest{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.planCheck(t.Context(), api.CheckRequest{}, all, patience{})
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.changes) == 0 && len(plan.before) > 0 {
			t.Errorf("nothing changed, and %d texts from before are to be shown", len(plan.before))
		}
		return plan.changes
	}
	if first := changes(); len(first) != 1 || filepath.Base(first[0].From) != "main.toy" || filepath.Base(first[0].Path) != "moved.toy" {
		t.Errorf("not yet judged: %+v", first)
	}
	for i := range 2 {
		s.check()
		if left := changes(); len(left) != 0 {
			t.Errorf("judged %d times, and still changed: %+v", i+1, left)
		}
	}
}
