package daemon

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// If the daemon's program was deleted meanwhile, who waits for the daemon is told that it could
// not be started.
func TestDaemonWhoseProgramIsGone(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "lspine")
	if err := os.WriteFile(copied, program, 0o700); err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	ready, theirs, err := os.Pipe()
	if err := errors.Join(err, os.Remove(copied)); err != nil {
		t.Fatal(err)
	}
	defer ready.Close()
	between := &exec.Cmd{
		Path: fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), open.Fd()), Args: []string{copied, "daemon"},
		Env: append(os.Environ(), stepVariable+"="+stepBetween), ExtraFiles: []*os.File{theirs},
	}
	failed := between.Run()
	_ = theirs.Close()
	said, err := io.ReadAll(ready)
	var exit *exec.ExitError
	if !errors.As(failed, &exit) || exit.ExitCode() != 1 || err != nil || !strings.HasPrefix(string(said), "error ") || !strings.HasSuffix(string(said), "no such file or directory\n") {
		t.Errorf("%v; it says %q, %v", failed, said, err)
	}
}
