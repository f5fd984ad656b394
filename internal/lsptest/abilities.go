package lsptest

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/fspath"
)

// What a system can do is tried, and not told by its name: Wine is a Windows without symbolic links
// and without sockets that have a path.

// NeedGit skips the test where git is not installed.
func NeedGit(t testing.TB) {
	t.Helper()
	if !hasGit() {
		Skip(t, "git is not installed")
	}
}

var hasGit = sync.OnceValue(func() bool {
	_, err := exec.LookPath("git")
	return err == nil
})

// NeedLinks skips the test where symbolic links cannot be made, or lead nowhere.
func NeedLinks(t testing.TB) {
	t.Helper()
	if !HasLinks() {
		Skip(t, "symbolic links do not work here")
	}
}

// HasLinks reports whether symbolic links can be made, and lead to their target.
var HasLinks = sync.OnceValue(func() bool {
	return inTemporary(func(dir string) bool {
		target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
		if os.Mkdir(target, 0o755) != nil || os.Symlink(target, link) != nil {
			return false
		}
		info, err := os.Lstat(link)
		read, err2 := os.Readlink(link)
		resolved, err3 := filepath.EvalSymlinks(link)
		return err == nil && err2 == nil && err3 == nil && info.Mode()&os.ModeSymlink != 0 && read == target && filepath.Base(resolved) == "target"
	})
})

// NeedModes skips the test where a file has no permissions for its owner, the group and others.
func NeedModes(t testing.TB) {
	t.Helper()
	if !HasModes() {
		Skip(t, "files have no permissions here but to be read only")
	}
}

// HasModes reports whether files have permissions for their owner, the group and others.
var HasModes = sync.OnceValue(func() bool {
	return inTemporary(func(dir string) bool {
		path := filepath.Join(dir, "file")
		if os.WriteFile(path, nil, 0o600) != nil || os.Chmod(path, 0o751) != nil {
			return false
		}
		info, err := os.Stat(path)
		return err == nil && info.Mode().Perm() == 0o751
	})
})

// NeedTimesOfChange skips the test where the system does not tell when a file was changed last, whatever time
// it was given.
func NeedTimesOfChange(t testing.TB) {
	t.Helper()
	if !hasTimesOfChange() {
		Skip(t, "files have no time of their last change here")
	}
}

var hasTimesOfChange = sync.OnceValue(func() bool {
	return inTemporary(func(dir string) bool {
		path := filepath.Join(dir, "file")
		if os.WriteFile(path, nil, 0o600) != nil {
			return false
		}
		before, err := os.Stat(path)
		if err != nil || tick(dir) != nil || os.Chtimes(path, before.ModTime(), before.ModTime()) != nil {
			return false
		}
		after, err := os.Stat(path)
		return err == nil && fspath.Change(before) != fspath.Change(after)
	})
})

// Tick returns once what is changed from now on gets a later time than what was changed before.
func Tick(t testing.TB) {
	t.Helper()
	if err := tick(t.TempDir()); err != nil {
		t.Fatal(err)
	}
}

// tick writes a file in dir until it gets another time: the clock of a file system ticks every few milliseconds.
func tick(dir string) error {
	path, began := filepath.Join(dir, "tick"), time.Time{}
	for {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if began.IsZero() {
			began = info.ModTime()
		}
		if info.ModTime().After(began) {
			return nil
		}
	}
}

// NeedSockets skips the test where there are no sockets that have a path.
func NeedSockets(t testing.TB) {
	t.Helper()
	if !hasSockets() {
		Skip(t, "there are no sockets with a path here")
	}
}

var hasSockets = sync.OnceValue(func() bool {
	return inTemporary(func(dir string) bool {
		listener, err := net.Listen("unix", filepath.Join(dir, "s"))
		if err == nil {
			_ = listener.Close()
		}
		return err == nil
	})
})

// NeedShell skips the test where there is no POSIX shell.
func NeedShell(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		Skip(t, "there is no sh")
	}
}

// inTemporary calls try with a folder that is removed then.
func inTemporary(try func(dir string) bool) bool {
	dir, err := os.MkdirTemp("", "a")
	if err != nil {
		return false
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return try(dir)
}
