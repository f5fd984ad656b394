package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"github.com/lspine/lspine/internal/lsptest"
)

// oneDaemon is how many processes a daemon with a server is: itself and the server, in a job.
const oneDaemon = 2

func beOther() {}

// mustBePrivate fails the test unless nobody else may change what belongs to a daemon.
func mustBePrivate(t *testing.T, p place) {
	t.Helper()
	must(t, ownAlone(filepath.Dir(p.dir)), ownAlone(p.dir), ownSocket(p.socket), ownedByUs(filepath.Join(p.dir, recordFile)), ownedByUs(filepath.Join(p.dir, logFile)))
}

// terminate asks a daemon to end; no signal does.
func (s *shop) terminate(int) {
	s.t.Helper()
	list, err := List(s.t.Context(), s.environ, s.root)
	must(s.t, err)
	for _, f := range list {
		must(s.t, f.Stop(s.t.Context()))
	}
}

// Whatever stands in the way of a daemon that is not safe to use is left as it is, and no daemon
// starts: an engine of its own answers, and the reason is told.
func TestUnsafePlacesAreRefused(t *testing.T) {
	everyone := func(t *testing.T, path string) {
		all, err := windows.SecurityDescriptorFromString("D:P(A;;FA;;;WD)")
		must(t, err)
		list, _, err := all.DACL()
		must(t, err, windows.SetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION|windows.PROTECTED_DACL_SECURITY_INFORMATION, nil, nil, list, nil))
	}
	for name, plant := range map[string]func(t *testing.T, p place) (reason string){
		"a folder that others may write": func(t *testing.T, p place) string {
			everyone(t, p.dir)
			return p.dir + " is open to S-1-1-0 to write"
		},
		"a socket that others may write": func(t *testing.T, p place) string {
			must(t, os.WriteFile(p.socket, []byte(pipePrefix+"x"), 0o600))
			everyone(t, p.socket)
			return p.socket + " is open to S-1-1-0 to write"
		},
		"a file instead of the folder": func(t *testing.T, p place) string {
			must(t, os.Remove(p.dir), os.WriteFile(p.dir, nil, 0o600))
			return p.dir + " is not a folder"
		},
		"another file instead of the socket": func(t *testing.T, p place) string {
			must(t, os.WriteFile(p.socket, []byte(`\\.\pipe\mine`), 0o600))
			return p.socket + " is not a socket"
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, lsptest.Script{})
			want := plant(t, s.place())
			var reasons []string
			c := s.dial(func(o *Options) { o.Fell = func(reason error) { reasons = append(reasons, reason.Error()) } })
			s.mustDef(c)
			if len(reasons) != 1 || reasons[0] != want || c.Daemon() != 0 || s.own.Load() != 1 {
				t.Errorf("fell %q, want %q; daemon %d, %d engines of their own", reasons, want, c.Daemon(), s.own.Load())
			}
		})
	}
}

// The pipe of a daemon is the user's: so says its owner, and nobody else is on its list. Whoever asks is
// a process of the same user.
func TestThePipeIsTheUsers(t *testing.T) {
	path := filepath.Join(t.TempDir(), socketFile)
	listener, err := listenSocket(path)
	must(t, err)
	defer func() { _ = listener.Close() }()
	name, err := os.ReadFile(path)
	must(t, err)
	if !strings.HasPrefix(string(name), pipePrefix) {
		t.Errorf("the pipe is %s", name)
	}
	asked := make(chan error, 1)
	go func() {
		conn, err := dialSocket(context.Background(), path)
		if err == nil {
			security, failed := windows.GetSecurityInfo(handleOf(conn), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
			us, _ := ourselves()
			if want := "O:" + us.String() + "D:P(A;;FA;;;" + us.String() + ")"; failed != nil || security.String() != want {
				t.Errorf("the pipe is for %v, not %s; %v", security, want, failed)
			}
			err = conn.Close()
		}
		asked <- err
	}()
	conn, err := listener.Accept()
	must(t, err)
	must(t, checkPeer(conn), <-asked, conn.Close())
	if _, err := listenSocket(path); !errors.Is(err, os.ErrExist) {
		t.Errorf("a second one: %v", err)
	}
	if _, err := winio.ListenPipe(string(name), nil); err == nil {
		t.Error("somebody else listens at the same pipe")
	}
}
