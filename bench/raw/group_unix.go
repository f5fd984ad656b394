//go:build unix

package raw

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the server the head of a process group, so that the children
// of npm's wrappers can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
