//go:build unix

package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// readyDescriptor is the file descriptor of the pipe on which a daemon tells the process that
// started it that it listens, or why not.
const readyDescriptor = 3

// startDetached starts a daemon and waits until it listens. The caller holds the lock.
//
// A process in between starts the daemon and ends at once, so that the daemon is not a child of the
// caller's process and never becomes a zombie of it.
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
		Env:    append(slices.Clone(o.Environ), stepVariable+"="+stepBetween),
		Stdout: log, Stderr: log, ExtraFiles: []*os.File{theirs},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = between.Start()
	_ = theirs.Close()
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = ready.Close() })() // ends the wait
	line, err := bufio.NewReader(ready).ReadString('\n')
	_ = between.Wait() // it has ended, or will at once
	switch reason, failed := strings.CutPrefix(strings.TrimSpace(line), "error "); {
	case ctx.Err() != nil:
		return ctx.Err() // the daemon goes on, and whoever comes next finds it
	case failed:
		return errors.New(reason)
	case err != nil:
		return fmt.Errorf("it ended before it was ready; %s says why", filepath.Join(p.dir, logFile))
	}
	return nil
}

// stepVariable says to our own program which step of a start it is.
const (
	stepVariable = "LSPINE_DAEMON_STEP"
	stepBetween  = "between"
	stepDaemon   = "daemon"
)

// Detach is called first by the command that runs a daemon. In the process in between it starts the
// daemon and does not return. In the daemon it returns the pipe to the process that waits for it,
// in any other process nil.
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
