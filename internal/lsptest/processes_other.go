//go:build !linux && !windows

package lsptest

const countsProcesses = false

// KilledCode is the exit code of a process that was killed, as os.ProcessState tells it.
const KilledCode = -1

func processes([]byte) []Process { return nil }
