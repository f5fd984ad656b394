package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// pipePrefix is the prefix of the names of daemons' pipes.
const pipePrefix = `\\.\pipe\lspine-`

// socketPath returns the path of the file that contains the address at which the daemon of a folder
// listens.
func socketPath(dir, _ string, _ []string) (string, error) {
	return filepath.Join(dir, socketFile), nil
}

// listenSocket creates a pipe that no other user can use at any time, and the file that contains
// its name. Each daemon uses a new name, because a pipe exists as long as somebody is connected to
// it and would be in the way of the next daemon.
func listenSocket(path string) (net.Listener, error) {
	us, err := ourselves()
	if err != nil {
		return nil, err
	}
	name := pipePrefix + rand.Text()
	listener, err := winio.ListenPipe(name, &winio.PipeConfig{SecurityDescriptor: fmt.Sprintf("O:%[1]sD:P(A;;FA;;;%[1]s)", us)})
	if err != nil {
		return nil, err
	}
	occupyFirst(name)
	if err := writeAnew(path, name); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// occupyFirst connects to the instance of a pipe with which go-winio reserves the name and from
// which it never reads. Windows lets nobody connect to that instance, but Wine does, and the first
// client would wait forever.
func occupyFirst(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if conn, err := winio.DialPipeContext(ctx, name); err == nil {
		_ = conn.Close()
	}
}

// writeAnew creates a file with its text in one step. The file must not exist.
func writeAnew(path, text string) error {
	whole := path + ".new"
	if err := os.WriteFile(whole, []byte(text), 0o600); err != nil {
		return err
	}
	from, err1 := windows.UTF16PtrFromString(whole)
	to, err2 := windows.UTF16PtrFromString(path)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if err := windows.MoveFileEx(from, to, 0); err != nil {
		return &fs.PathError{Op: "make", Path: path, Err: err}
	}
	return nil
}

// dialSocket connects to the pipe named in a file, if both belong to the user.
func dialSocket(ctx context.Context, path string) (net.Conn, error) {
	var name []byte
	err := insist(func() error {
		err := ownSocket(path)
		if err == nil {
			name, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(string(name), pipePrefix) {
		return nil, &RefusedError{path, "not a socket"}
	}
	conn, err := winio.DialPipeContext(ctx, string(name))
	if err != nil {
		return nil, err
	}
	if err := checkOwner(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// ownSocket returns an error unless a path is a file that belongs to the user.
func ownSocket(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &RefusedError{path, "not a socket"}
	}
	return ownedByUs(path)
}

// checkOwner returns an error unless the user created the pipe we are connected to. The system lets
// nobody create one in somebody else's name.
func checkOwner(conn net.Conn) error {
	security, err := windows.GetSecurityInfo(handleOf(conn), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	owner, _, err := security.Owner()
	if err != nil {
		return err
	}
	return checkUser(conn, owner, "made by")
}

// checkPeer returns an error unless the client at the other end of a pipe is a process of the same user.
func checkPeer(conn net.Conn) error {
	var pid uint32
	if err := windows.GetNamedPipeClientProcessId(handleOf(conn), &pid); err != nil {
		return err
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return err
	}
	defer func() { _ = token.Close() }()
	user, err := token.GetTokenUser()
	if err != nil {
		return err
	}
	return checkUser(conn, user.User.Sid, "asked for by")
}

func checkUser(conn net.Conn, who *windows.SID, what string) error {
	us, err := ourselves()
	if err != nil {
		return err
	}
	if !who.Equals(us) {
		return &RefusedError{conn.LocalAddr().String(), what + " " + who.String()}
	}
	return nil
}

// handleOf returns the handle of a pipe.
func handleOf(conn net.Conn) windows.Handle {
	return windows.Handle(conn.(interface{ Fd() uintptr }).Fd())
}

// sidOf returns the user or group that an entry of an access list is about.
func sidOf(entry *windows.ACCESS_ALLOWED_ACE) *windows.SID {
	return (*windows.SID)(unsafe.Pointer(&entry.SidStart))
}
