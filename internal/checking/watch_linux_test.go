package checking

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A check of what others wrote starts watching the folders, so that the next one lists and reads
// only what changed. On a busy machine a watch may be late; then everything counts as changed.
func TestCheckWatches(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	lib, text := filepath.Join(s.root, "lib.toy"), "def helper\n"
	var touched []string
	lsptest.Eventually(t, time.Minute, func() bool {
		s.check("main.toy")
		_, mark, _ := s.workspace.Touched(0)
		text += "def more\n"
		if err := os.WriteFile(lib, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s.check("main.toy")
		var known bool
		touched, _, known = s.workspace.Touched(mark)
		return mark != 0 && known
	}, "it is known what others wrote")
	if diff := cmp.Diff([]string{lib}, slices.Compact(touched)); diff != "" {
		t.Errorf("what others wrote meanwhile, -want +got:\n%s", diff)
	}
}
