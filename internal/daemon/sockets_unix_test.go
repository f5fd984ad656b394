//go:build unix

package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The socket of a daemon is in its folder up to the length that every system bears, then in the
// folder for temporary files if there is one that is short enough, else in the system's.
func TestPathsOfSockets(t *testing.T) {
	short, err := os.MkdirTemp("", "d")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	deep := filepath.Join(short, strings.Repeat("x", 200))
	dir := func(length int) string { return "/" + strings.Repeat("d", length-len("/")-len("/"+socketFile)) }
	const key = "key-of-a-test"
	own := "lspine-" + userName()
	if ours := filepath.Join("/tmp", own); ownAlone(ours) != nil {
		t.Cleanup(func() { _ = os.Remove(ours) })
	}
	for name, c := range map[string]struct {
		dir, temporary, want string
	}{
		"short":               {dir(103), deep, dir(103) + "/" + socketFile},
		"long":                {dir(104), short, filepath.Join(short, own, key+".sock")},
		"long, and temporary": {dir(104), deep, filepath.Join("/tmp", own, key+".sock")},
		"long, relative":      {dir(104), "run", filepath.Join("/tmp", own, key+".sock")},
	} {
		if got, err := socketPath(c.dir, key, []string{"TMPDIR=" + c.temporary}); got != c.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
	exact := filepath.Join(short, strings.Repeat("x", 103-len(short)-len("/")-len(filepath.Join("/", own, key+".sock"))))
	must(t, os.MkdirAll(exact, 0o700))
	for more, want := range map[string]string{"": filepath.Join(exact, own, key+".sock"), "y": filepath.Join("/tmp", own, key+".sock")} {
		if got, err := socketPath(dir(104), key, []string{"TMPDIR=" + exact + more}); got != want || err != nil {
			t.Errorf("of %d bytes: %s, %v, want %s", len(exact+more), got, err, want)
		}
	}
	long := strings.Repeat("k", 104)
	if got, err := socketPath(dir(104), long, []string{"TMPDIR=" + short}); got != "" || err == nil || err.Error() != dir(104)+" is too long for a socket" {
		t.Errorf("a long key: %q, %v", got, err)
	}
	if _, err := socketPath(dir(104), key, []string{"TMPDIR=" + filepath.Join(short, "gone")}); err == nil {
		t.Error("the folder for temporary files is not there, and a socket is")
	}
}

// What others may write or own, and what is no folder or no socket, is not ours alone.
func TestWhatIsOurs(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.Mkdir(at("own"), 0o755), os.WriteFile(at("file"), nil, 0o600), os.Symlink(at("own"), at("link")))
	modes := map[string]os.FileMode{"group": 0o720, "others": 0o702}
	for name, mode := range modes {
		must(t, os.Mkdir(at(name), 0o700), os.Chmod(at(name), mode))
	}
	const writable = "a folder that others may write"
	for name, want := range map[string]error{
		"own": nil, "file": &RefusedError{at("file"), "not a folder"}, "link": &RefusedError{at("link"), "a link"},
		"group": &RefusedError{at("group"), writable}, "others": &RefusedError{at("others"), writable},
	} {
		if diff := cmp.Diff(want, ownAlone(at(name))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, name := range []string{"own", "file", "link"} {
		if diff := cmp.Diff(error(&RefusedError{at(name), "not a socket"}), ownSocket(at(name))); diff != "" {
			t.Errorf("%s as a socket: %s", name, diff)
		}
	}
	for _, err := range []error{ownAlone(at("gone")), ownSocket(at("gone"))} {
		if !os.IsNotExist(err) {
			t.Errorf("what is not there: %v", err)
		}
	}
	if isBusy(os.ErrExist) || isBusy(nil) {
		t.Error("a file is busy")
	}
	if err := listenTwice(t); err == nil {
		t.Error("two listen at one socket")
	}
}

func listenTwice(t *testing.T) error {
	t.Helper()
	p := anyPlace(t)
	listener, err := listenSocket(p.socket)
	must(t, err)
	defer listener.Close()
	if info, err := os.Lstat(p.socket); err != nil || info.Mode() != os.ModeSocket|0o600 {
		t.Errorf("the socket: %v, %v", info.Mode(), err)
	}
	_, err = listenSocket(p.socket)
	must(t, listener.Close(), ownSocket(p.socket)) // its file stays
	return err
}
