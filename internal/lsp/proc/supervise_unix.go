//go:build unix

package proc

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// grace is how long the tree may take to end after SIGTERM when our parent is
// gone; nobody else would end it later.
const grace = 2 * time.Second

// Supervise is the whole life of the supervisor: args are the server's binary
// and arguments. It does not return.
func Supervise(args []string) {
	if len(args) == 0 {
		os.Exit(2)
	}
	// The parent-death signal of the child is sent when the thread that made
	// it ends.
	runtime.LockOSThread()
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	life, report := os.NewFile(3, "life"), os.NewFile(4, "report")
	// Not for the server: a descriptor it kept open would hide our end.
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	becomeSubreaper()
	pid, err := syscall.ForkExec(args[0], args, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: childAttributes(),
	})
	if err != nil {
		fmt.Fprintf(report, "error %v\n", err)
		os.Exit(1)
	}
	fmt.Fprintf(report, "pid %d\n", pid)
	dropStdio()

	t := &tree{leader: pid}
	ended := make(chan syscall.WaitStatus, 1)
	go t.reap(ended)
	go t.obey(life)
	status := <-ended
	if status.Signaled() {
		fmt.Fprintf(report, "signal %v\n", status.Signal())
	} else {
		fmt.Fprintf(report, "exit %d\n", status.ExitStatus())
	}
	t.killRest()
	os.Exit(0)
}

// dropStdio gives up the server's pipes, so that their ends are seen when the
// server closes them.
func dropStdio() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	for fd := range 3 {
		_ = duplicate(int(null.Fd()), fd)
	}
}

// A tree is the server and what it started.
type tree struct {
	leader int // also the id of its process group
}

// reap collects every child of ours, adopted ones too, and reports the end of
// the leader.
func (t *tree) reap(ended chan<- syscall.WaitStatus) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return
		case pid == t.leader && (status.Exited() || status.Signaled()):
			ended <- status
			return
		}
	}
}

// obey does what the parent says; the end of the pipe means that it is gone.
func (t *tree) obey(life *os.File) {
	buf := make([]byte, 1)
	for {
		if n, err := life.Read(buf); n == 0 || err != nil {
			t.signal(syscall.SIGTERM)
			timer := time.NewTimer(grace)
			<-timer.C
			t.signal(syscall.SIGKILL)
			return
		}
		switch buf[0] {
		case commandTerminate:
			t.signal(syscall.SIGTERM)
		case commandKill:
			t.signal(syscall.SIGKILL)
		}
	}
}

// signal reaches the group and every descendant that left it.
func (t *tree) signal(s syscall.Signal) {
	_ = syscall.Kill(-t.leader, s)
	for _, pid := range descendants(os.Getpid()) {
		_ = syscall.Kill(pid, s)
	}
}

// killRest ends what the leader left behind, and waits for it.
func (t *tree) killRest() {
	for range 1000 {
		t.signal(syscall.SIGKILL)
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(-1, &status, 0, nil); err == syscall.ECHILD {
			return
		}
	}
}
