package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A file that may not be read is said to be that, with the command that helps.
func TestUnreadableFile(t *testing.T) {
	w := open(t, "-- a.toy --\nx\n", Options{})
	path := filepath.Join(w.Root(), "a.toy")
	if err := os.Chmod(filepath.Dir(w.Root()), 0o755); err != nil { // of t.TempDir
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	lsptest.AsNobody(t, func() {
		content, err := w.Read(path)
		var refused *NotDiagnosedError
		if !errors.As(err, &refused) || !strings.Contains(refused.Error(), "may not be read") || !strings.Contains(refused.Hint(), "chmod u+r "+path) {
			t.Errorf("%q, %v", content, err)
		}
	})
}
