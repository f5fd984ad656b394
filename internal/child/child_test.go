package child

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What a program writes to standard output is returned; one that fails, or is not to run any more,
// is an error.
func TestOutput(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := Output(Command(t.Context(), self, "-test.list=^TestOutput$")); err != nil || strings.TrimSpace(string(out)) != "TestOutput" {
		t.Errorf("%q, %v", out, err)
	}
	var failed *exec.ExitError
	if out, err := Output(Command(t.Context(), self, "-test.nothing")); !errors.As(err, &failed) || len(out) > 0 {
		t.Errorf("of one that fails: %q, %v", out, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Output(Command(ctx, self, "-test.list=.")); !errors.Is(err, context.Canceled) {
		t.Errorf("of one that is not to run: %v", err)
	}
}
