//go:build unix

package gate

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// room returns a folder with a short name, since names of sockets are limited.
func room(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// A socket is its user's alone, answers, and is gone at the end with everything that was made for it.
func TestSocketOfTheUser(t *testing.T) {
	dir := room(t)
	path := filepath.Join(dir, "s")
	listener, err := ListenSocket(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("%v, %v", info, err)
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if _, err := ListenSocket(t.Context(), path); err == nil || !strings.HasSuffix(err.Error(), "a server answers there already") {
		t.Errorf("a second server: %v", err)
	}
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("%v is left, %v", left, err)
	}
}

// What a server left that was killed is replaced; what is no such socket never is.
func TestSocketsThatAreThere(t *testing.T) {
	path := filepath.Join(room(t), "s")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	_ = left.Close()
	listener, err := ListenSocket(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	// Another server took its place: closing this one leaves the other one's socket.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	if text, err := os.ReadFile(path); string(text) != "mine" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := ListenSocket(t.Context(), path); err == nil || !strings.HasSuffix(err.Error(), "a file is there that is not a socket") {
		t.Errorf("a file: %v", err)
	}
	target := filepath.Join(filepath.Dir(path), "link")
	if err := os.Symlink(path, target); err != nil {
		t.Fatal(err)
	}
	if _, err := ListenSocket(t.Context(), target); err == nil || !strings.HasSuffix(err.Error(), "a file is there that is not a socket") {
		t.Errorf("a link: %v", err)
	}
}

// Where others could replace the socket by their own, none is made.
func TestFoldersOfSockets(t *testing.T) {
	dir := room(t)
	for mode, refused := range map[fs.FileMode]bool{0o700: false, 0o755: false, 0o775: true, 0o757: true, 0o777 | fs.ModeSticky: false} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		listener, err := ListenSocket(t.Context(), filepath.Join(dir, "s"))
		if err == nil {
			_ = listener.Close()
		}
		var of *SocketError
		if errors.As(err, &of); (err != nil) != refused || refused && (of == nil || of.Path != dir || of.Advice == "") {
			t.Errorf("%v: %v", mode, err)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		filepath.Join(dir, "none", "s"):                   "there is no such folder",
		filepath.Join(dir, strings.Repeat("x", 100), "s"): "there is no such folder",
		filepath.Join(dir, strings.Repeat("x", 100)):      "the path is too long for a socket",
	} {
		if _, err := ListenSocket(t.Context(), path); err == nil || !strings.HasSuffix(err.Error(), says) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// Whoever may write to a folder above can put another folder in the place of that of the socket.
func TestSocketBelowAFolderOfOthers(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "own")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(above, 0o777)); err != nil {
		t.Fatal(err)
	}
	listener, err := ListenSocket(t.Context(), filepath.Join(dir, "s"))
	var refused *SocketError
	if !errors.As(err, &refused) || refused.Path != above {
		t.Errorf("%v, %v", listener, err)
	}
}
