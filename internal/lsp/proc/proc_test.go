//go:build unix

package proc_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp/proc"
	"github.com/lspine/lspine/internal/lsptest"
)

// wait is how long a test waits for what must come; it costs nothing when it
// comes.
const wait = 30 * time.Second

// shell starts a script as a server.
func shell(t *testing.T, script string, args ...string) *proc.Process {
	t.Helper()
	p, err := proc.Start(proc.Spec{
		Path: "/bin/sh", Args: append([]string{"-c", script, "sh"}, args...), Dir: t.TempDir(), Env: os.Environ(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		_ = p.Stdio().Close()
	})
	return p
}

// How a server ended is told: by which code or which signal.
func TestExitsAreTold(t *testing.T) {
	for _, c := range []struct {
		script string
		want   proc.Exit
		says   string
	}{
		{"exit 0", proc.Exit{}, "exited with code 0"},
		{"exit 3", proc.Exit{Code: 3}, "exited with code 3"},
		{"exit 255", proc.Exit{Code: 255}, "exited with code 255"},
		{"kill -KILL $$", proc.Exit{Code: -1, Signal: "killed"}, "killed by killed"},
		{"kill -TERM $$", proc.Exit{Code: -1, Signal: "terminated"}, "killed by terminated"},
		{"kill -ABRT $$", proc.Exit{Code: -1, Signal: "aborted"}, "killed by aborted"},
	} {
		p := shell(t, "read x; "+c.script)
		if got := p.Exit(); got != (proc.Exit{Code: -1}) || got.String() != "ended in an unknown way" {
			t.Errorf("%s: while it runs, the exit is %+v", c.script, got)
		}
		p.CloseInput()
		<-p.Done()
		if got := p.Exit(); got != c.want || got.String() != c.says {
			t.Errorf("%s: %+v, %q", c.script, got, got)
		}
	}
}

// It is known what a server and what it started use: one that waits has memory and uses no processor, one whose child works
// does. Nothing is known of one that has ended.
func TestUsageOfAServer(t *testing.T) {
	idle, busy := shell(t, "read x"), shell(t, "(while :; do :; done) & wait")
	_, known := idle.CPUTime()
	lsptest.NeedProcessorTime(t, known)
	const enough = 300 * time.Millisecond
	lsptest.Eventually(t, wait, func() bool {
		used, _ := busy.CPUTime()
		return used >= enough && busy.Runs()
	}, "its processor time is known")
	used, known := idle.CPUTime()
	memory, knownToo := idle.Memory()
	if !known || used >= enough || idle.Runs() || !knownToo || memory < 100<<10 {
		t.Errorf("one that waits used %v (known: %t) and has %d bytes (known: %t)", used, known, memory, knownToo)
	}
	idle.Kill()
	used, known = idle.CPUTime()
	memory, knownToo = idle.Memory()
	if known || knownToo || used != 0 || memory != 0 || idle.Runs() {
		t.Errorf("after its end it used %v and has %d bytes", used, memory)
	}
}

// A server gets its arguments, folder and environment exactly, and nothing of
// ours.
func TestServersGetWhatTheSpecSays(t *testing.T) {
	t.Setenv("PROC_TEST_LEAK", "leaked")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const script = `printf '%s\n' "$(pwd -P)" "$A" "$PROC_TEST_LEAK" "$#" "$@"`
	args := []string{"", "two words", `$HOME "quoted"`, "--", "-x"}
	for _, c := range []struct {
		env []string
		a   string
	}{{[]string{"A=some=thing"}, "some=thing"}, {[]string{}, ""}, {nil, ""}} { // nil is not "inherit"
		p, err := proc.Start(proc.Spec{Path: "/bin/sh", Args: append([]string{"-c", script, "sh"}, args...), Dir: dir, Env: c.env})
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(p.Stdio())
		if err != nil {
			t.Error(err)
		}
		<-p.Done()
		_ = p.Stdio().Close()
		want := strings.Join(append([]string{dir, c.a, "", "5"}, args...), "\n") + "\n"
		if string(out) != want {
			t.Errorf("with %q it got %q, want %q", c.env, out, want)
		}
	}
}

// The last 64 KiB of standard error are kept, and not a byte more, however
// much a server writes without anybody reading.
func TestStderrKeepsTheEnd(t *testing.T) {
	p := shell(t, `i=10000; while [ $i -lt 30000 ]; do echo "line $i"; i=$((i+1)); done >&2; printf end >&2`)
	<-p.Done()
	var all strings.Builder
	for i := 10000; i < 30000; i++ {
		fmt.Fprintf(&all, "line %d\n", i)
	}
	all.WriteString("end")
	want := all.String()[all.Len()-64<<10:]
	if got := p.Stderr(); got != want {
		t.Errorf("%d bytes, from %.20q to %q", len(got), got, got[max(0, len(got)-20):])
	}
	if short := shell(t, "echo oops >&2"); true {
		<-short.Done()
		if got := short.Stderr(); got != "oops\n" {
			t.Errorf("a short one is %q", got)
		}
	}
}

// What is written comes back from cat, byte for byte; the end of its input
// ends it, and then its output.
func TestCloseInputEndsCat(t *testing.T) {
	p := shell(t, "exec cat")
	const text = "a\x00b\r\n\xff"
	if _, err := io.WriteString(p.Stdio(), text); err != nil {
		t.Fatal(err)
	}
	p.CloseInput()
	p.CloseInput()
	out, err := io.ReadAll(p.Stdio())
	if string(out) != text || err != nil {
		t.Errorf("got %q, %v", out, err)
	}
	<-p.Done()
	if got := p.Exit(); got.Code != 0 {
		t.Errorf("cat %v", got)
	}
	if _, err := io.WriteString(p.Stdio(), "more"); err == nil {
		t.Error("a write after the end of input succeeds")
	}
}

// The supervisor holds no end of the server's pipes: a server that closes its
// output and lives on is seen to.
func TestClosedOutputIsSeen(t *testing.T) {
	p := shell(t, "exec >&-; read x; exit 4")
	if out, err := io.ReadAll(p.Stdio()); len(out) > 0 || err != nil {
		t.Errorf("got %q, %v", out, err)
	}
	select {
	case <-p.Done():
		t.Error("it ended, too")
	default:
	}
	p.CloseInput()
	<-p.Done()
	if got := p.Exit(); got.Code != 4 {
		t.Errorf("it %v", got)
	}
}

// A server may end itself on SIGTERM and choose its code; one that ignores the
// signal is killed after the grace.
func TestTerminate(t *testing.T) {
	for _, c := range []struct {
		name, trap string
		grace      time.Duration
		want       proc.Exit
	}{
		{"polite", "exit 7", wait, proc.Exit{Code: 7}},
		{"stubborn", "", 10 * time.Millisecond, proc.Exit{Code: -1, Signal: "killed"}},
		{"no grace", "", 0, proc.Exit{Code: -1, Signal: "killed"}},
	} {
		p := shell(t, "trap '"+c.trap+"' TERM; echo ready; while :; do sleep 0.02; done")
		ready := make([]byte, 6)
		if _, err := io.ReadFull(p.Stdio(), ready); err != nil {
			t.Fatal(err)
		}
		p.Terminate(c.grace)
		select {
		case <-p.Done():
		default:
			t.Errorf("%s: Terminate returned before the end", c.name)
		}
		if got := p.Exit(); got != c.want {
			t.Errorf("%s: it %v, want: %v", c.name, got, c.want)
		}
		p.Terminate(0) // does nothing more
		p.Kill()
	}
}

// Kill takes everything with it: also a grandchild in a session of its own
// that ignores all signals.
func TestKillEndsTheWholeTree(t *testing.T) {
	c := newCast(t)
	p := c.start()
	p.Kill()
	if left := c.alive(); len(left) > 0 {
		t.Errorf("left after Kill: %v", left)
	}
	if got := p.Exit(); got.Signal != "killed" {
		t.Errorf("the server %v", got)
	}
	_ = p.Stdio().Close()
}

// A server that ends by itself leaves nobody behind either, and Done is closed
// only then.
func TestNothingOutlivesTheServer(t *testing.T) {
	c := newCast(t)
	p := c.start()
	p.CloseInput()
	<-p.Done()
	if left := c.alive(); len(left) > 0 {
		t.Errorf("left after Done: %v", left)
	}
	if got := p.Exit(); got != (proc.Exit{}) {
		t.Errorf("the server %v", got)
	}
	_ = p.Stdio().Close()
}

// When we are killed with SIGKILL, nobody can clean up after us; server and
// grandchild end all the same.
func TestNothingOutlivesUs(t *testing.T) {
	c := newCast(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	us := exec.Command(self)
	us.Dir, us.Env = t.TempDir(), c.env("owner")
	out, err := us.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := us.Start(); err != nil {
		t.Fatal(err)
	}
	c.awaitReady(out)
	if n := len(c.alive()); n != 4 {
		t.Errorf("%d processes are alive, want us, supervisor, server and grandchild", n)
	}
	if err := us.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = us.Wait()
	lsptest.Eventually(t, wait, func() bool { return len(c.alive()) == 0 }, "still alive: %v", c.alive())
}

// When the supervisor itself is killed, the server ends with it, and whoever
// waits learns it.
func TestSupervisorIsKilled(t *testing.T) {
	c := newCast(t)
	p := c.start()
	var supervisor int
	for _, process := range c.alive() {
		if process.PID == p.Pid() {
			supervisor = process.Parent
		}
	}
	if supervisor == 0 || supervisor == os.Getpid() {
		t.Fatalf("the parent of %d is %d", p.Pid(), supervisor)
	}
	if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if got := p.Exit(); got != (proc.Exit{Code: -1}) {
		t.Errorf("the server %v", got)
	}
	lsptest.Eventually(t, wait, func() bool {
		for _, process := range c.alive() {
			if process.PID == p.Pid() {
				return false
			}
		}
		return true
	}, "the server lives on")
	for _, process := range c.alive() { // nobody is left who knows the grandchild
		_ = syscall.Kill(process.PID, syscall.SIGKILL)
	}
	lsptest.Eventually(t, wait, func() bool { return len(c.alive()) == 0 }, "still alive: %v", c.alive())
	_ = p.Stdio().Close()
}

// What cannot be started is said with its path and the reason, and leaves no
// process.
func TestWhatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "not-executable")
	if err := os.WriteFile(text, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "garbage")
	if err := os.WriteFile(garbage, []byte{1, 2, 3, 4}, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, dir, says string }{
		{"", dir, "no binary"},
		{filepath.Join(dir, "missing"), dir, "no such file"},
		{text, dir, "permission denied"},
		{garbage, dir, "exec format error"},
		{dir, dir, "permission denied"},
		{"/bin/sh", filepath.Join(dir, "nowhere"), "nowhere"},
	} {
		p, err := proc.Start(proc.Spec{Path: c.path, Dir: c.dir, Env: os.Environ()})
		if err == nil {
			p.Kill()
			t.Errorf("%q was started", c.path)
			continue
		}
		if !strings.Contains(err.Error(), c.path) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: the error is %q, want %q", c.path, err, c.says)
		}
	}
	if left := lsptest.Descendants(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A program that does not become a supervisor when it is started as one starts nothing: it
// would start itself, and that one itself, without an end.
func TestUnsupervised(t *testing.T) {
	cmd := exec.Command(os.Args[0], proc.Marker, os.Args[0])
	cmd.Env = append(os.Environ(), role+"=unsupervised")
	said, err := cmd.Output()
	want := "this program was started as the supervisor of a server: its main function (TestMain, in tests) has to call Supervise first\n"
	if diff := cmp.Diff(want, string(said)); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if left := lsptest.Descendants(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
