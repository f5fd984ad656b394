package daemon

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"golang.org/x/sys/windows"
)

// startDetached starts a daemon and waits until it listens. The caller holds the lock.
//
// The daemon has no window, and no Ctrl-C reaches it. If an agent runs its commands in a job that
// ends all of them, the daemon leaves that job where the job allows it; otherwise the daemon ends
// with the agent, and others cannot use it. It runs in its own folder, because a folder that is the
// current one of a process cannot be removed.
func startDetached(ctx context.Context, p place, o *Options, key Key) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := openLog(p)
	if err != nil {
		return err
	}
	defer log.Close()
	ready, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	start := func(flags uint32) error {
		daemon := &exec.Cmd{
			Path: self, Args: slices.Concat([]string{self}, o.Command, []string{"--key", string(key)}), Dir: p.dir,
			Env:    append(o.environ(), stepVariable+"="+stepDaemon),
			Stdout: theirs, Stderr: log,
			SysProcAttr: &syscall.SysProcAttr{CreationFlags: flags | windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP},
		}
		err := daemon.Start()
		if err == nil {
			err = daemon.Process.Release()
		}
		return err
	}
	if err = start(windows.CREATE_BREAKAWAY_FROM_JOB); errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		err = start(0)
	}
	_ = theirs.Close()
	if err != nil {
		return err
	}
	return awaitReady(ctx, p, ready)
}

// Detach must be called first by the command that runs a daemon. In the daemon, it returns the pipe
// to the process that waits for it, which is its standard output; in any other process, nil.
func Detach() (starter *os.File) {
	step := os.Getenv(stepVariable)
	_ = os.Unsetenv(stepVariable)
	if step != stepDaemon {
		return nil
	}
	starter, os.Stdout = os.Stdout, os.Stderr
	return starter
}
