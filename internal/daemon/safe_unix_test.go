//go:build unix

package daemon

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// Whatever stands in the way of a daemon that is not safe to use is left as it is, and no daemon
// starts: an engine of its own answers, and the reason is told.
func TestUnsafePlacesAreRefused(t *testing.T) {
	for name, plant := range map[string]func(t *testing.T, p place) (reason string){
		"a link instead of the folder": func(t *testing.T, p place) string {
			elsewhere := t.TempDir()
			must(t, os.Remove(p.dir), os.Symlink(elsewhere, p.dir))
			return p.dir + " is a link"
		},
		"a link instead of the folder of all": func(t *testing.T, p place) string {
			base := filepath.Dir(p.dir)
			must(t, os.RemoveAll(base), os.Symlink(t.TempDir(), base))
			return base + " is a link"
		},
		"a folder that others may write": func(t *testing.T, p place) string {
			must(t, os.Chmod(p.dir, 0o777))
			return p.dir + " is a folder that others may write"
		},
		"a file instead of the folder": func(t *testing.T, p place) string {
			must(t, os.Remove(p.dir), os.WriteFile(p.dir, nil, 0o600))
			return p.dir + " is not a folder"
		},
		"a link instead of the socket": func(t *testing.T, p place) string {
			must(t, os.Symlink("/tmp/elsewhere", p.socket))
			return p.socket + " is not a socket"
		},
		"a file instead of the socket": func(t *testing.T, p place) string {
			must(t, os.WriteFile(p.socket, []byte("mine"), 0o600))
			return p.socket + " is not a socket"
		},
		"somebody else's folder": func(t *testing.T, p place) string {
			needRoot(t)
			must(t, os.Chown(p.dir, nobody, nobody))
			return fmt.Sprintf("%s is not owned by user %d", p.dir, os.Getuid())
		},
		"somebody else's socket": func(t *testing.T, p place) string {
			needRoot(t)
			listenAt(t, p.socket)
			must(t, os.Lchown(p.socket, nobody, nobody))
			return fmt.Sprintf("%s is not owned by user %d", p.socket, os.Getuid())
		},
		"a lock that cannot be had": func(t *testing.T, p place) string {
			must(t, os.Mkdir(filepath.Join(p.dir, lockFile), 0o700))
			return "its lock: open " + filepath.Join(p.dir, lockFile) + ": is a directory"
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, lsptest.Script{})
			p := s.place()
			want := plant(t, p)
			before := contents(t, filepath.Dir(p.dir))
			var reasons []string
			c := s.dial(func(o *Options) { o.Fell = func(reason error) { reasons = append(reasons, reason.Error()) } })
			s.mustDef(c)
			if len(reasons) != 1 || reasons[0] != want || c.Daemon() != 0 || s.own.Load() != 1 {
				t.Errorf("fell %q, want %q; daemon %d, %d engines of their own", reasons, want, c.Daemon(), s.own.Load())
			}
			if after := contents(t, filepath.Dir(p.dir)); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// contents lists what is in a folder, but for the lock file, which is made to be locked.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	must(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && (filepath.Base(path) != lockFile || info.IsDir()) {
			fmt.Fprintln(&b, path, info.Mode())
		}
		return err
	}))
	return b.String()
}

const nobody = 65534

func needRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		lsptest.Skip(t, "only root can be somebody else")
	}
}

// listenAt listens at a path, and answers nothing.
func listenAt(t *testing.T, path string) {
	t.Helper()
	listener, err := net.Listen("unix", path)
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
}

// Another user is refused, also where the folders would let him in.
func TestAnotherUserIsRefused(t *testing.T) {
	needRoot(t)
	s := newShop(t, lsptest.Script{})
	c := s.dial()
	s.mustDef(c)
	p := s.place()
	for dir := p.dir; dir != "/tmp" && dir != "/"; dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
	must(t, os.Chmod(p.socket, 0o666))
	self, err := os.Executable()
	must(t, err)
	program := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(p.dir))), "other") // where he can run it
	binary, err := os.ReadFile(self)
	must(t, err, os.WriteFile(program, binary, 0o755))
	other := exec.Command(program, otherUser, p.socket)
	other.Env = []string{"GORACE=atexit_sleep_ms=0"}
	other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	said, err := other.CombinedOutput()
	if string(said) != "the end\n" || err != nil {
		t.Errorf("the other user saw %q, %v", said, err)
	}
	log, err := os.ReadFile(filepath.Join(p.dir, logFile))
	if err != nil || !strings.Contains(string(log), fmt.Sprintf("asked for by user %d", nobody)) {
		t.Errorf("the log: %s, %v", log, err)
	}
	s.mustDef(c)
}

// otherUser is the argument that makes the test binary ask a socket for its status.
const otherUser = "other-user"

func beOther() {
	if len(os.Args) != 3 || os.Args[1] != otherUser {
		return
	}
	conn, err := net.Dial("unix", os.Args[2])
	if err != nil {
		fmt.Println(err)
		os.Exit(0)
	}
	request := `{"jsonrpc":"2.0","id":1,"method":"lspine/status","params":{}}`
	fmt.Fprintf(conn, "Content-Length: %d\r\n\r\n%s", len(request), request)
	if answer, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
		fmt.Println("the end")
	} else {
		fmt.Println("answered:", answer)
	}
	os.Exit(0)
}

// Where the path of a socket would be too long, it is in a folder of the user for temporary
// files, which is as private.
func TestLongPaths(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	long := filepath.Join(filepath.Dir(s.configFile), strings.Repeat("long/", 20))
	s.keepIn(long)
	c := s.dial()
	s.mustDef(c)
	p := s.place()
	if short := filepath.Join(filepath.Dir(s.configFile), fmt.Sprintf("lspine-%d", os.Getuid())); filepath.Dir(p.socket) != short {
		t.Errorf("the socket is %s", p.socket)
	}
	if info, err := os.Lstat(filepath.Dir(p.socket)); err != nil || info.Mode() != os.ModeDir|0o700 {
		t.Errorf("its folder: %v, %v", info, err)
	}
	if c.Daemon() == 0 || s.own.Load() != 0 {
		t.Error("no daemon answers")
	}
}

// oneDaemon is how many processes a daemon with a server is: itself, the supervisor and the server.
const oneDaemon = 3

// mustBePrivate fails the test unless what belongs to a daemon is for the user alone.
func mustBePrivate(t *testing.T, p place) {
	t.Helper()
	for path, want := range map[string]os.FileMode{
		filepath.Dir(p.dir): os.ModeDir | 0o700, p.dir: os.ModeDir | 0o700, p.socket: os.ModeSocket | 0o600,
		filepath.Join(p.dir, recordFile): 0o600, filepath.Join(p.dir, logFile): 0o600,
	} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

// terminate asks a daemon to end as the system does.
func (s *shop) terminate(pid int) {
	s.t.Helper()
	must(s.t, syscall.Kill(pid, syscall.SIGTERM))
}
