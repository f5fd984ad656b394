package checking

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// If more projects need the one that changed than a server is given, a check names those that are left out: what the
// change breaks there is not known.
func TestProjectsThatAreTooMany(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	archive.WriteString("-- core/toy.root --\n-- core/lib.toy --\ndef helper\n")
	for i := range 52 {
		fmt.Fprintf(&archive, "-- p%02d/toy.root --\nneeds ../core\n-- p%02[1]d/main.toy --\ndef other\n", i)
	}
	d := lsptest.Script{}.Definition(t)
	d.Roots, d.SingleFile, d.Sharing = []string{"toy.root"}, false, registry.TakesFolders
	s := open(t, archive.String(), registry.Table{d})
	lsptest.Git(t, s.root, "init", "-q")
	lsptest.Git(t, s.root, "add", ".")
	lsptest.Git(t, s.root, "commit", "-qm", "one")
	lsptest.WriteFile(t, filepath.Join(s.root, "core", "lib.toy"), "def helper\ndef more\n")
	answer := s.check("core/lib.toy")
	var left []string
	for _, line := range answer.Unknown {
		if strings.HasPrefix(line, "projects ") {
			left = append(left, line)
		}
	}
	want := []string{"projects that use what changed and are too many to be loaded: p50, p51"}
	if diff := cmp.Diff(want, left); diff != "" || answer.Verdict != "unknown" {
		t.Errorf("verdict %s, left out (-want +got):\n%s", answer.Verdict, diff)
	}
}
