package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/lspine/lspine/internal/lsptest"
)

// A file that may not be read is named, with the command that helps. For root
// the thread gives up its right to files.
func TestUnreadableFile(t *testing.T) {
	s := newShop(t, "-- secret.toy --\nERROR bad\n", lsptest.Script{})
	for _, dir := range []string{filepath.Dir(s.root), filepath.Dir(filepath.Dir(s.configFile))} { // of t.TempDir
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(s.root, "secret.toy"), 0); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if _, err := unix.SetfsuidRetUid(65534); err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = unix.SetfsuidRetUid(0) }()
	}
	s.expect("unreadable", s.run("check", "secret.toy"), exitUsage, "", "secret.toy", "may not be read", "chmod u+r")
}
