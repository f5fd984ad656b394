//go:build unix && !linux

package proc

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Without a subreaper only the process group is known.
func becomeSubreaper() {}

func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func duplicate(from, to int) error { return unix.Dup2(from, to) }

func descendants(int) []int { return nil }
