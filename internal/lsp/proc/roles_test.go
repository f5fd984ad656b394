//go:build unix

package proc_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/lsp/proc"
	"github.com/lspine/lspine/internal/lsptest"
)

// The test binary plays several parts: the supervisor, a server with a
// grandchild, and the owner of such a server.
func TestMain(m *testing.M) {
	lsptest.Main(m, func() {
		_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // else each process exits a second late
		if os.Getenv(role) == "unsupervised" {
			_, err := proc.Start(proc.Spec{Path: os.Args[0], Dir: ".", Env: without(role)})
			fmt.Println(err)
			os.Exit(0)
		}
		if len(os.Args) > 2 && os.Args[1] == proc.Marker {
			proc.Supervise(os.Args[2:])
		}
		switch os.Getenv(role) {
		case "family":
			family(os.Stdin)
		case "deaf family": // does not see the end of its input
			var never *os.File
			never, heldOpen, _ = os.Pipe()
			family(never)
		case "owner":
			owner()
		}
	})
}

// heldOpen keeps the pipe of a deaf family from ending.
var heldOpen *os.File

const (
	role      = "PROC_TEST_ROLE"
	childFile = "PROC_TEST_CHILD" // where the grandchild writes its pid
	mark      = "PROC_TEST_MARK"  // only there to be found
)

// family is a server that starts a process in a session of its own, which
// ignores every signal that can be ignored, and then waits for the end of in.
func family(in *os.File) {
	signal.Ignore(syscall.SIGPIPE)
	child := exec.Command(os.Args[0])
	child.Env = append(without(role), "LSPTEST_CHILD="+os.Getenv(childFile))
	child.Stderr = os.Stderr // holds the pipe open
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := child.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, in)
	os.Exit(0)
}

// owner starts a family through the package, and then waits to be killed.
func owner() {
	self, _ := os.Executable()
	p, err := proc.Start(proc.Spec{Path: self, Dir: ".", Env: append(without(role), role+"=deaf family")})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_, _ = io.Copy(os.Stdout, p.Stdio())
	os.Exit(0)
}

func without(name string) (env []string) {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, name+"=") {
			env = append(env, v)
		}
	}
	return env
}

// A cast is the environment of a family, and how to find its processes.
type cast struct {
	t          *testing.T
	mark, file string
}

// newCast fails the test for processes that are left at its end.
func newCast(t *testing.T) cast {
	t.Helper()
	dir := t.TempDir()
	c := cast{t, mark + "=" + filepath.Base(filepath.Dir(dir)) + fmt.Sprint(os.Getpid()), filepath.Join(dir, "child")}
	t.Cleanup(func() {
		for _, p := range c.alive() {
			t.Errorf("left behind: %v", p)
			_ = syscall.Kill(p.PID, syscall.SIGKILL)
		}
	})
	return c
}

func (c cast) env(part string) []string {
	return append(os.Environ(), c.mark, childFile+"="+c.file, role+"="+part)
}

func (c cast) alive() []lsptest.Process { return lsptest.Marked(c.t, c.mark) }

// start starts a family and returns when the grandchild is up.
func (c cast) start() *proc.Process {
	c.t.Helper()
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	p, err := proc.Start(proc.Spec{Path: self, Dir: c.t.TempDir(), Env: c.env("family")})
	if err != nil {
		c.t.Fatal(err)
	}
	c.awaitReady(p.Stdio())
	return p
}

func (c cast) awaitReady(out io.Reader) {
	c.t.Helper()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		c.t.Fatalf("the server said %q, %v", line, err)
	}
	lsptest.Eventually(c.t, wait, func() bool {
		text, _ := os.ReadFile(c.file)
		return len(text) > 0
	}, "the grandchild did not write its pid")
	if n := len(c.alive()); n < 3 {
		c.t.Fatalf("%d processes are alive, want supervisor, server and grandchild", n)
	}
}
