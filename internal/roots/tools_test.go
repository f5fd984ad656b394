package roots

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// On Windows, Python is found under the names that it has there, and its launcher first; on other systems
// python3 is only itself. No other program has several names.
func TestFindTool(t *testing.T) {
	found := func(windows bool, tool string, onPath ...string) string {
		f := open(t, "-- a.toy --\n", Options{LookPath: func(name string) (string, error) {
			if !slices.Contains(onPath, name) {
				return "", exec.ErrNotFound
			}
			return filepath.Join(t.TempDir(), name), nil
		}})
		path, err := f.findTool(tool, windows)
		if err != nil {
			return err.Error()
		}
		return filepath.Base(path)
	}
	missing := exec.ErrNotFound.Error()
	got := []string{
		found(true, "python3", "python3", "python", "py"), found(true, "python3", "python3", "python"), found(true, "python3", "python3"),
		found(true, "python3"), found(true, "go", "py", "python", "python3"),
		found(false, "python3", "python3", "python", "py"), found(false, "python3", "python", "py"),
	}
	if diff := cmp.Diff([]string{"py", "python", "python3", missing, missing, "python3", missing}, got); diff != "" {
		t.Error(diff)
	}
}

// A tool is run without a shell, in an empty folder unless one is named, with
// bounded output and time; what goes wrong has a reason.
func TestRunTool(t *testing.T) {
	lsptest.NeedShell(t) // and what is beside it
	f := open(t, "-- a.toy --\n", Options{})
	run := func(ctx context.Context, tool Tool) (string, error) {
		output, err := f.RunTool(ctx, tool)
		return string(output), err
	}
	if out, err := run(t.Context(), Tool{Name: "ls", Args: []string{"-A"}}); out != "" || err != nil {
		t.Errorf("an empty folder holds %q, %v", out, err)
	}
	if out, _ := run(t.Context(), Tool{Name: "ls", Dir: f.opts.Root}); out != "a.toy\n" {
		t.Errorf("the root holds %q", out)
	}
	if out, _ := run(t.Context(), Tool{Name: "echo", Args: []string{"$HOME; true", "*"}}); out != "$HOME; true *\n" {
		t.Errorf("a shell read %q", out)
	}
	if out, err := run(t.Context(), Tool{Name: "yes"}); len(out) != maxToolOutput || err != nil {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	var failed *ToolError
	for _, tool := range []Tool{{Name: "no-such-tool-anywhere"}, {Name: "ls", Args: []string{"no-such-file"}}, {Name: "false"}} {
		if _, err := run(t.Context(), tool); !errors.As(err, &failed) || failed.Reason == "" || !strings.HasPrefix(failed.Tool, tool.Name) {
			t.Errorf("%s: %v", tool, err)
		}
	}
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := run(soon, Tool{Name: "sleep", Args: []string{"60"}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a tool that hangs: %v", err)
	}
}
