//go:build !windows

package fspath

import "syscall"

// notWaiting makes open return for a pipe into which nobody writes.
const notWaiting = syscall.O_NONBLOCK
