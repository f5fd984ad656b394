// Package child starts programs that we wait for, such as git and the tools of languages: no window
// appears for them, and on Windows they end with all that they started. Language servers and the
// daemon, which stay, are started by their rooms.
package child

import (
	"bytes"
	"context"
	"os/exec"
)

// Command returns the command that runs a program with arguments until ctx ends. Unlike with
// exec.CommandContext, a script of cmd.exe is given its arguments exactly.
func Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	Prepare(cmd)
	return cmd
}

// Output runs a command as [Run] does, and returns what it writes to standard output.
func Output(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	err := Run(cmd)
	return out.Bytes(), err
}
