package lsp_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
)

// A server runs cargo through our executable, unless it is that executable, by whatever name: then it would be cargo itself.
func TestCargoThrough(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	through := []string{"CARGO=" + self, "LSPINE_CARGO=/bin/cargo"}
	if runtime.GOOS == "windows" { // which runs no processes in between
		through = nil
	}
	linked := filepath.Join(t.TempDir(), "played")
	if err := os.Link(self, linked); err != nil {
		linked = self // there are no links between these two places
	}
	for binary, want := range map[string][]string{
		"/bin/rust-analyzer": through,
		self:                 nil,
		linked:               nil,
	} {
		if diff := cmp.Diff(want, lsp.CargoThrough("/bin/cargo", binary)); diff != "" {
			t.Errorf("of %s (-want +got):\n%s", binary, diff)
		}
	}
}
