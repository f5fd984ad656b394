package proc

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/child"
)

// Supervise is not used on Windows, where a job object ends the tree.
func Supervise([]string) { os.Exit(2) }

// tree is the job of a server. Windows has no signal that asks: to terminate is to kill.
type tree struct{ *child.Job }

func (t tree) terminate() { t.Kill() }
func (t tree) kill()      { t.Kill() }
func (t tree) release()   { t.Close() }

func (t tree) cpuTime() (time.Duration, bool) {
	u, known := t.Usage()
	return u.CPUTime, known
}

func (t tree) memory() (int64, bool) {
	u, known := t.Usage()
	return u.Memory, known
}

func (t tree) runs() bool {
	u, _ := t.Usage()
	return u.Runs
}

func start(spec Spec) (_ *Process, err error) {
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
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: spec.Path, Args: append([]string{spec.Path}, spec.Args...), Dir: spec.Dir, Env: append([]string{}, spec.Env...),
		Stdin: childIn, Stdout: childOut, Stderr: childErr,
	}
	child.Prepare(cmd)
	_ = child.Bind() // without it, only a kill in the next moment leaves something
	job, err := child.Start(cmd)
	if err != nil {
		return nil, err
	}
	p := &Process{
		stdin: stdin, stdout: stdout, stderr: new(ring),
		control: tree{job}, pid: cmd.Process.Pid, done: make(chan struct{}),
	}
	var drained sync.WaitGroup
	drained.Go(func() {
		_, _ = io.Copy(p.stderr, stderr)
		_ = stderr.Close()
	})
	go func() {
		_ = cmd.Wait()
		p.exit = Exit{Code: cmd.ProcessState.ExitCode()}
		if p.exit.Code == child.KillCode && job.Killed() {
			p.exit = Exit{Code: -1, Signal: "killed"}
		}
		job.Wait()
		job.Close()
		drained.Wait()
		close(p.done)
	}()
	return p, nil
}
