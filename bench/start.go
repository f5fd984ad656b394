package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/bench/raw"
)

// goalStart is how much more than an empty program a command may take, with all that the daemon does for it.
const goalStart = 7 * time.Millisecond

// supervise is the argument by which our program supervises another one.
const supervise = "__exec"

// A starting is one row of the section about starts: a command, and how long it took from its start to its end, or until it was ready.
type starting struct {
	what    string
	goal    bool // whether goalStart counts for it
	run     func(ctx context.Context) error
	samples []time.Duration
}

// starts measures the section about processes of our own: what they take beside an empty program of Go.
func starts(ctx context.Context, o options) (string, []error) {
	c := circumstances{command: o.command}
	rows, err := startRows(ctx, &c, 4*o.rounds)
	if err != nil {
		return "", []error{fmt.Errorf("start: %w", err)}
	}
	return startsMarkdown(c, rows), nil
}

func startRows(ctx context.Context, c *circumstances, rounds int) (rows []*starting, err error) {
	at := slices.IndexFunc(raw.Specs(), func(s raw.Spec) bool { return s.ID == "gopls" })
	version, err := raw.Specs()[at].Version(ctx)
	if err != nil {
		return nil, err
	}
	c.versions = []string{"gopls: " + version}
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	binary, err := buildProgram(ctx, dir)
	if err != nil {
		return nil, err
	}
	empty, err := buildEmpty(ctx, filepath.Join(dir, "empty"))
	if err != nil {
		return nil, err
	}
	root := filepath.Join(dir, "project")
	file := filepath.Join(root, "a.go")
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "a.go": "package m\n\nfunc F() int { return 1 }\n\nvar X = F()\n"} {
		if err := write(filepath.Join(root, name), text); err != nil {
			return nil, err
		}
	}
	p := &program{binary: binary, id: "gopls"}
	if err := p.start(root); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.stop(context.WithoutCancel(ctx))) }()
	payload := fmt.Appendf(nil, `{"session_id":"s","cwd":%q,"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":%q}}`, root, file)
	ours := func(input []byte, args ...string) func(context.Context) error {
		return func(ctx context.Context) error { _, err := p.run(ctx, input, args...); return err }
	}
	rows = []*starting{
		{what: "an empty program of Go", run: func(ctx context.Context) error { return exec.CommandContext(ctx, empty).Run() }},
		{what: "`lspine version`", goal: true, run: ours(nil, "version")},
		{what: "the supervisor of a server, which is the empty program", goal: true, run: ours(nil, supervise, empty)},
		{what: "`lspine hook`, nothing changed", goal: true, run: ours(payload, "hook")},
		{what: "`lspine def FILE NAME`", goal: true, run: ours(nil, "def", file, "F")},
		{what: "`lspine check --scope file FILE`, nothing changed", goal: true, run: ours(nil, "check", "--scope", "file", file)},
		{what: "`lspine mcp`, until it has listed its tools", run: p.listTools},
	}
	for round := range rounds + 3 { // the first ones start the daemon and the server
		for _, row := range rows {
			begun := time.Now()
			if err := row.run(ctx); err != nil {
				return nil, fmt.Errorf("%s: %w", row.what, err)
			}
			if round >= 3 {
				row.samples = append(row.samples, time.Since(begun))
			}
		}
	}
	return rows, nil
}

// buildEmpty builds a program that does nothing.
func buildEmpty(ctx context.Context, dir string) (string, error) {
	if err := errors.Join(write(filepath.Join(dir, "go.mod"), "module empty\n"), write(filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")); err != nil {
		return "", err
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", "empty", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building an empty program: %w\n%s", err, out)
	}
	return filepath.Join(dir, "empty"), nil
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// listTools starts `lspine mcp`, asks for its tools, and ends it.
func (p *program) listTools(ctx context.Context) (err error) {
	cmd := exec.CommandContext(ctx, p.binary, "mcp")
	cmd.Dir, cmd.Env = p.root, append(os.Environ(), p.environ...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Wait() }() // it is killed
	defer func() { err = errors.Join(err, cmd.Process.Kill()) }()
	_, err = fmt.Fprint(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var answer struct {
			ID     int `json:"id"`
			Result struct {
				Tools []json.RawMessage `json:"tools"`
			} `json:"result"`
		}
		if json.Unmarshal(lines.Bytes(), &answer) == nil && answer.ID == 2 && len(answer.Result.Tools) > 0 {
			return nil
		}
	}
	return errors.Join(errors.New("it lists no tools"), lines.Err())
}

func startsMarkdown(c circumstances, rows []*starting) string {
	var b strings.Builder
	fmt.Fprintf(&b, "From the start of a process to its end, in milliseconds: median (90th percentile) of %d, one after the other in each round, with a warm daemon in a small project of Go. \"More\" is the median of the differences to the empty program in the same round. "+
		"The goal is at most %d ms more.\n\n| process | time | more | goal met |\n|---|---:|---:|---|\n", len(rows[0].samples), goalStart/time.Millisecond)
	for i, row := range rows {
		more, met := "", ""
		if i > 0 {
			d := medianMore(rows[0].samples, row.samples)
			if more = fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond)); row.goal {
				met = yes(d <= goalStart)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row.what, fine(row.samples), more, met)
	}
	c.end(&b)
	return b.String()
}
