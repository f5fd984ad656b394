package checking

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
)

// What a server still says of a file that the change took away, or of its former path, is about nothing that is there.
func TestNothingIsWrongWithWhatIsGone(t *testing.T) {
	s := &shown{changes: dependants.Changes{
		edit.Change{Path: "/w/gone", Deleted: true}, edit.Change{Path: "/w/new", From: "/w/former"}, edit.Change{Path: "/w/changed"},
	}}
	var got []string
	for _, f := range s.otherFiles(reports{others: []diagnostics.FileReport{{Path: "/w/gone"}, {Path: "/w/former"}, {Path: "/w/user"}}}) {
		got = append(got, f.Path)
	}
	if diff := cmp.Diff([]string{"/w/user"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
