package child

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// Prepare sets what a command needs so that nobody sees it run: no window appears under an agent
// that has none, Ctrl-C is for us to handle, and cmd.exe reads the arguments of a script as they are.
func Prepare(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP
	if !isScript(cmd.Path) {
		return
	}
	folder, err := windows.GetSystemDirectory()
	if err == nil {
		shell := filepath.Join(folder, "cmd.exe")
		cmd.SysProcAttr.CmdLine, err = scriptLine(shell, cmd.Path, cmd.Args[1:])
		cmd.Path = shell
	}
	if cmd.Err == nil {
		cmd.Err = err
	}
}

// Start starts a command of [Command] in a job. The caller must wait for it, and close the job.
func Start(cmd *exec.Cmd) (*Job, error) {
	job, err := NewJob()
	if err != nil {
		return nil, err
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_SUSPENDED
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { job.Kill(); return nil }
	}
	if err := cmd.Start(); err != nil {
		job.Close()
		return nil, located(cmd.Path, err)
	}
	if err := job.Take(cmd.Process.Pid); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		job.Close()
		return nil, err
	}
	return job, nil
}

// located returns an error of a program that is not there as one of its path, if it has one: nobody looked
// for it in PATH.
func located(program string, err error) error {
	if errors.Is(err, exec.ErrNotFound) && strings.ContainsAny(program, `/\\`) {
		return &fs.PathError{Op: "start", Path: program, Err: syscall.ENOENT}
	}
	return err
}

// Run runs a command of [Command] until it ends, and what it started with it.
func Run(cmd *exec.Cmd) error {
	job, err := Start(cmd)
	if err != nil {
		return err
	}
	defer job.Close()
	return cmd.Wait()
}
