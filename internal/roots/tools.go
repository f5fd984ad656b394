package roots

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/language"
)

// A Tool is a program of a language and its arguments, which no shell reads.
type Tool struct {
	Name string
	Args []string
	// Dir is where it runs; "" is a new, empty folder: it sees nothing of the
	// workspace.
	Dir string
	// Env is added to the environment of servers.
	Env []string
	// Both keeps what it writes to standard error, too, and the output of a tool
	// that fails.
	Both bool
	// Executes says that it runs what the workspace brings: builds, tests, macros. It does not run in one that is not trusted.
	Executes bool
}

// String shows the command.
func (t Tool) String() string { return strings.Join(append([]string{t.Name}, t.Args...), " ") }

// A ToolError says that a tool could not answer.
type ToolError struct {
	Tool, Reason string
	// Ran says that the tool could be started, Untrusted that it may not be in this workspace.
	Ran, Untrusted bool
}

func (e *ToolError) Error() string { return e.Tool + ": " + e.Reason }

// Hint says what to do.
func (e *ToolError) Hint() string {
	if e.Untrusted {
		return toTrust
	}
	return "run it yourself to see more"
}

// LookPath returns where a program is.
func (f *Finder) LookPath(name string) (string, error) {
	path, err := f.opts.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// findTool is LookPath for a program of a language, which can have another name on Windows.
func (f *Finder) findTool(name string, windows bool) (path string, err error) {
	for _, name := range language.CommandNames(name, windows) {
		if path, err = f.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}

// maxToolOutput bounds what is kept of a tool's output.
const maxToolOutput = 256 << 10

// RunTool runs a tool until it ends, ctx does, or its output is too long, and
// returns what it wrote to standard output. It gets no input, and no secrets of
// the environment. A failure is a *ToolError, or that of ctx.
func (f *Finder) RunTool(ctx context.Context, t Tool) (output []byte, err error) {
	if t.Executes && !f.opts.Trusted {
		return nil, &ToolError{Tool: t.String(), Reason: "it would run what this checkout brings, and the checkout is not trusted", Untrusted: true}
	}
	path, err := f.findTool(t.Name, runtime.GOOS == "windows")
	if err != nil {
		return nil, &ToolError{Tool: t.String(), Reason: t.Name + " is not installed"}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := child.Command(ctx, path, t.Args...)
	if cmd.Dir = t.Dir; t.Dir == "" {
		if cmd.Dir, err = os.MkdirTemp("", "lspine-tool-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(cmd.Dir)) }()
	}
	cmd.Env = append(append([]string(nil), f.env...), t.Env...)
	cmd.WaitDelay = time.Second
	out := &bounded{max: maxToolOutput, full: cancel}
	complaint := &bounded{max: 4 << 10, full: func() {}}
	cmd.Stdout, cmd.Stderr = out, complaint
	if t.Both {
		out.full = func() {} // its outcome still counts
		cmd.Stderr = out
	}
	err = child.Run(cmd)
	switch {
	case err == nil || out.over && !t.Both:
		return out.buffer.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	var failed *exec.ExitError
	if t.Both {
		return out.buffer.Bytes(), &ToolError{Tool: t.String(), Reason: fmt.Sprint(err), Ran: errors.As(err, &failed)}
	}
	reason, _, _ := strings.Cut(strings.TrimSpace(complaint.buffer.String()), "\n")
	if reason == "" {
		reason = fmt.Sprint(err)
	}
	return nil, &ToolError{Tool: t.String(), Reason: reason, Ran: errors.As(err, &failed)}
}

// bounded keeps the first max bytes, and calls full when there are more.
type bounded struct {
	buffer bytes.Buffer
	max    int
	over   bool
	full   func()
}

func (b *bounded) Write(p []byte) (int, error) {
	kept := p[:min(len(p), b.max-b.buffer.Len())]
	b.buffer.Write(kept)
	if len(kept) < len(p) && !b.over {
		b.over = true
		b.full()
	}
	return len(p), nil
}
