//go:build unix

package daemon

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

// readyDescriptor is the file descriptor of the pipe on which a daemon reports to the process that
// started it that it is listening, or why not.
const readyDescriptor = 3

// startDetached starts a daemon and waits until it listens. The caller holds the lock.
//
// An intermediate process starts the daemon and exits at once, so that the daemon is not a child of
// the caller's process and never becomes its zombie.
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
	between := &exec.Cmd{
		Path: self, Args: slices.Concat([]string{self}, o.Command, []string{"--key", string(key)}), Dir: o.Root,
		Env:    append(o.environ(), stepVariable+"="+stepBetween),
		Stdout: log, Stderr: log, ExtraFiles: []*os.File{theirs},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = between.Start()
	_ = theirs.Close()
	if err != nil {
		return err
	}
	defer func() { _ = between.Wait() }() // it has exited, or is about to
	return awaitReady(ctx, p, ready)
}

// stepBetween is the step that the intermediate process carries out.
const stepBetween = "between"

// Detach must be called first by the command that runs a daemon. In the intermediate process, it
// starts the daemon and does not return. In the daemon, it returns the pipe to the process that
// waits for it; in any other process, nil.
func Detach() (starter *os.File) {
	step := os.Getenv(stepVariable)
	_ = os.Unsetenv(stepVariable)
	if step != stepBetween && step != stepDaemon {
		return nil
	}
	syscall.CloseOnExec(readyDescriptor)
	starter = os.NewFile(readyDescriptor, "starter")
	if step == stepDaemon {
		return starter
	}
	self, err := os.Executable()
	if err == nil {
		daemon := &exec.Cmd{
			Path: self, Args: os.Args, Env: append(os.Environ(), stepVariable+"="+stepDaemon),
			Stdout: os.Stdout, Stderr: os.Stderr, ExtraFiles: []*os.File{starter},
			SysProcAttr: &syscall.SysProcAttr{Setsid: true},
		}
		err = daemon.Start()
	}
	if err != nil {
		fmt.Fprintf(starter, "error %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
	return nil
}
