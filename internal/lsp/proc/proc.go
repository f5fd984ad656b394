// Package proc starts language server processes and ends them with everything
// they started, however our own process ends.
//
// On Unix a server runs under a supervisor: our own executable, run again as
// [Marker]. It holds a pipe to us, is the subreaper of what it starts (Linux),
// and kills the whole tree when the pipe closes, which also happens when we are
// killed with SIGKILL. A parent-death signal alone leaves grandchildren alive,
// and npm and JVM servers have those. The server inherits the pipes of its
// supervisor, so no byte is copied in between. On Windows a job object does the
// same.
package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Marker is the first argument that makes an executable the supervisor. The
// main function, and TestMain of packages that start servers, must call
// [Supervise] first thing when os.Args[1] is Marker.
const Marker = "__exec"

// errUnsupervised is of a process that was made to be a supervisor, and starts servers.
var errUnsupervised = errors.New("this program was started as the supervisor of a server: its main function (TestMain, in tests) has to call Supervise first")

// A Spec says what to start.
type Spec struct {
	// Path is the absolute path of the binary.
	Path string
	Args []string
	// Dir is the working folder.
	Dir string
	// Env is the whole environment, as KEY=value.
	Env []string
}

// An Exit says how a server ended.
type Exit struct {
	// Code is the exit code, or -1 if Signal ended it or nobody knows.
	Code   int
	Signal string
}

func (e Exit) String() string {
	switch {
	case e.Signal != "":
		return "killed by " + e.Signal
	case e.Code < 0:
		return "ended in an unknown way"
	}
	return fmt.Sprintf("exited with code %d", e.Code)
}

// A Process is a running server. It is safe for concurrent use.
type Process struct {
	stdin, stdout *os.File
	stderr        *ring
	control       control
	pid           int
	done          chan struct{} // closed once the whole tree has ended
	exit          Exit          // set before done is closed
	closeInput    sync.Once
}

// control is how the tree is ended and what it uses; it differs between systems.
type control interface {
	// cpuTime, memory and runs are as those of Process.
	cpuTime() (time.Duration, bool)
	memory() (int64, bool)
	runs() bool
	// terminate asks the tree to end; kill ends it. release gives up what is
	// held for it, after its end.
	terminate()
	kill()
	release()
}

// Start starts a server. Its standard error is kept, as far as [Process.Stderr]
// goes. The caller must call Kill, or see Done closed, or the tree runs until
// our own end.
func Start(spec Spec) (*Process, error) {
	if len(os.Args) > 1 && os.Args[1] == Marker { // it would start itself for ever
		return nil, errUnsupervised
	}
	if spec.Path == "" {
		return nil, errors.New("no binary to start")
	}
	if spec.Dir != "" { // the system blames the binary
		if _, err := os.Stat(spec.Dir); err != nil {
			return nil, fmt.Errorf("start %s: working folder: %w", spec.Path, err)
		}
	}
	p, err := start(spec)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", spec.Path, err)
	}
	return p, nil
}

// Pid is the process id of the server itself.
func (p *Process) Pid() int { return p.pid }

// CPUTime returns the processor time that the server and all it started have used so
// far; false where the system does not tell.
func (p *Process) CPUTime() (time.Duration, bool) { return p.control.cpuTime() }

// Memory returns the memory that the server and all it started have in use, in bytes, what
// they share counted for each; false where the system does not tell.
func (p *Process) Memory() (int64, bool) { return p.control.memory() }

// Runs reports whether a thread of the server, or of what it started, runs right now or
// waits for the disk; false where the system does not tell.
func (p *Process) Runs() bool { return p.control.runs() }

// Stdio returns the server's output to read and its input to write. Closing it
// closes both.
func (p *Process) Stdio() io.ReadWriteCloser { return stdio{p} }

// CloseInput closes the server's input, which ends many servers.
func (p *Process) CloseInput() {
	p.closeInput.Do(func() { _ = p.stdin.Close() })
}

// Stderr returns the last 64 KiB that the server wrote to its standard error.
func (p *Process) Stderr() string { return p.stderr.String() }

// Done is closed when the server and all it started have ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the server ended, once Done is closed.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{Code: -1}
	}
}

// Terminate sends SIGTERM to the tree, waits for at most grace, kills what is
// left, and returns when it has ended.
func (p *Process) Terminate(grace time.Duration) {
	p.control.terminate()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.Kill()
	}
}

// Kill ends the tree at once and returns when it has ended.
func (p *Process) Kill() {
	p.control.kill()
	<-p.done
}

type stdio struct{ p *Process }

func (s stdio) Read(b []byte) (int, error)  { return s.p.stdout.Read(b) }
func (s stdio) Write(b []byte) (int, error) { return s.p.stdin.Write(b) }

func (s stdio) Close() error {
	s.p.CloseInput()
	return s.p.stdout.Close()
}

// ring keeps the last bytes written to it.
type ring struct {
	mu   sync.Mutex
	data []byte
}

const ringSize = 64 << 10

func (r *ring) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.data = append(r.data, b...)
	if excess := len(r.data) - ringSize; excess > 0 {
		r.data = append(r.data[:0], r.data[excess:]...)
	}
	return len(b), nil
}

func (r *ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.data)
}
