//go:build unix

package proc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Commands on the pipe to the supervisor; its end means kill.
const (
	commandTerminate = 't'
	commandKill      = 'k'
)

// supervisor is the parent's side of a supervisor.
type supervisor struct {
	processes
	mu   sync.Mutex
	pipe *os.File
}

func (s *supervisor) terminate() { s.send(commandTerminate) }
func (s *supervisor) kill()      { s.send(commandKill) }

func (s *supervisor) send(command byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pipe != nil {
		_, _ = s.pipe.Write([]byte{command})
	}
}

func (s *supervisor) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pipe != nil {
		_ = s.pipe.Close()
		s.pipe = nil
	}
}

func start(spec Spec) (_ *Process, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var ends pipes
	defer func() {
		closeAll(ends.theirs)
		if err != nil {
			closeAll(ends.mine)
		}
	}()
	stdin, childIn, err1 := ends.open(true)
	stdout, childOut, err2 := ends.open(false)
	stderr, childErr, err3 := ends.open(false)
	life, childLife, err4 := ends.open(true)
	report, childReport, err5 := ends.open(false)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: self, Args: append([]string{self, Marker, spec.Path}, spec.Args...),
		Dir: spec.Dir, Env: append([]string{}, spec.Env...), // nil would mean ours
		Stdin: childIn, Stdout: childOut, Stderr: childErr,
		ExtraFiles: []*os.File{childLife, childReport}, // descriptors 3 and 4
		// A group of its own: Ctrl-C at the terminal is for us to handle.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	reports := bufio.NewReader(report)
	closeAll(ends.theirs)
	ends.theirs = nil
	pid, err := readPid(reports)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, err
	}
	p := &Process{
		stdin: stdin, stdout: stdout, stderr: new(ring),
		control: &supervisor{processes: processes(pid), pipe: life}, pid: pid, done: make(chan struct{}),
	}
	var drained sync.WaitGroup
	drained.Go(func() {
		_, _ = io.Copy(p.stderr, stderr)
		_ = stderr.Close()
	})
	go func() {
		var told bool
		p.exit, told = readExit(reports)
		_ = cmd.Wait()
		if !told {
			// The supervisor was killed, and the server with it. What has left the
			// server's group is out of reach, and may hold the pipe for ever.
			_ = syscall.Kill(-pid, syscall.SIGKILL)
			_ = stderr.Close()
		}
		drained.Wait()
		_ = report.Close()
		p.control.release()
		close(p.done)
	}()
	return p, nil
}

// readPid reads the supervisor's first line: the pid, or why there is none.
func readPid(r *bufio.Reader) (int, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("supervisor ended before it started the server: %w", err)
	}
	what, value, _ := strings.Cut(strings.TrimSpace(line), " ")
	if what != "pid" {
		return 0, errors.New(value)
	}
	return strconv.Atoi(value)
}

// readExit reads the supervisor's second line, if it came to write it.
func readExit(r *bufio.Reader) (exit Exit, told bool) {
	line, _ := r.ReadString('\n')
	what, value, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch what {
	case "exit":
		if code, err := strconv.Atoi(value); err == nil {
			return Exit{Code: code}, true
		}
	case "signal":
		return Exit{Code: -1, Signal: value}, true
	}
	return Exit{Code: -1}, false
}
