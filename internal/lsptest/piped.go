package lsptest

import (
	"io"
	"os/exec"
	"testing"
)

// Piped starts a command with pipes to its standard input and from its standard output. The caller
// closes in, and waits for the command when it has read what it wants of out, which is closed then.
func Piped(t testing.TB, cmd *exec.Cmd) (in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}
