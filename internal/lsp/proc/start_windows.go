package proc

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Supervise is not used on Windows, where a job object ends the tree.
func Supervise([]string) { os.Exit(2) }

// job is a job object that kills its processes when its last handle closes,
// which the system does for us when we end in whatever way.
type job struct {
	mu     sync.Mutex
	handle windows.Handle
}

func newJob() (*job, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(handle)
		return nil, err
	}
	return &job{handle: handle}, nil
}

func (j *job) add(pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	return windows.AssignProcessToJobObject(j.handle, process)
}

// terminate is kill: Windows has no signal that asks.
func (j *job) terminate() { j.kill() }

func (j *job) kill() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.TerminateJobObject(j.handle, 1)
	}
}

func (j *job) release() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.CloseHandle(j.handle)
		j.handle = 0
	}
}

func start(spec Spec) (*Process, error) {
	cmd := &exec.Cmd{Path: spec.Path, Args: append([]string{spec.Path}, spec.Args...), Dir: spec.Dir, Env: append([]string{}, spec.Env...)}
	childIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, childOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stderr, childErr, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, childErr
	tree, err := newJob()
	if err != nil {
		return nil, err
	}
	err = cmd.Start()
	for _, f := range []*os.File{childIn, childOut, childErr} {
		_ = f.Close()
	}
	if err == nil {
		if err = tree.add(cmd.Process.Pid); err != nil {
			_ = cmd.Process.Kill()
		}
	}
	if err != nil {
		tree.release()
		return nil, err
	}
	p := &Process{
		stdin: stdin, stdout: stdout, stderr: new(ring),
		control: tree, pid: cmd.Process.Pid, done: make(chan struct{}),
	}
	var drained sync.WaitGroup
	drained.Go(func() {
		_, _ = io.Copy(p.stderr, stderr)
		_ = stderr.Close()
	})
	go func() {
		_ = cmd.Wait()
		p.exit = Exit{Code: cmd.ProcessState.ExitCode()}
		tree.release()
		drained.Wait()
		close(p.done)
	}()
	return p, nil
}
