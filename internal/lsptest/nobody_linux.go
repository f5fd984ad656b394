package lsptest

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// Nobody is the user as whom [AsNobody] runs tests that root started.
const Nobody = 65534

// AsNobody runs f on a thread that has no right to the files of root, who runs tests in containers. Whoever else runs
// them has none to begin with.
func AsNobody(t testing.TB, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := unix.SetfsuidRetUid(Nobody); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = unix.SetfsuidRetUid(0) }()
	f()
}
