package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
)

// A program is LSPine's executable, run in a project as its user's shell and agents run it,
// with a daemon that serves nobody else.
type program struct {
	binary, id string
	root       string
	environ    []string
}

// buildProgram builds the executable into dir as a release has it: static, so that no dynamic
// linker has a part in its start, and without the tables of debuggers.
func buildProgram(ctx context.Context, dir string) (string, error) {
	binary := filepath.Join(dir, "lspine")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/lspine")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building lspine: %w\n%s", err, out)
	}
	return binary, nil
}

// start makes the project one in which only the server at hand runs.
func (p *program) start(root string) error {
	p.root = root
	// A short name: the path of a socket may have a hundred bytes or so.
	private, err := os.MkdirTemp("", "lspine-run-")
	if err != nil {
		return err
	}
	p.environ = append(p.environ, "XDG_RUNTIME_DIR="+private, "XDG_STATE_HOME="+private, "LSPINE_DAEMON=auto", "LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off", "CI=")
	only := fmt.Sprintf("{\"lsp\": {\"autoDetect\": false, \"servers\": {%q: {\"enabled\": true}}}}\n", p.id)
	return os.WriteFile(filepath.Join(root, ".lspine.jsonc"), []byte(only), 0o644)
}

// run runs the executable to its end; that it exits with 1 says that there are errors in the code,
// with 3 that not all was judged: a file may have more users than are. Errors that it must name
// are counted.
func (p *program) run(ctx context.Context, input []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, p.binary, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.root, append(os.Environ(), p.environ...), bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var status *exec.ExitError
	if errors.As(err, &status) && (status.ExitCode() == 1 || status.ExitCode() == 3) {
		err = nil
	}
	if err != nil {
		return "", fmt.Errorf("lspine %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}

func (p *program) stop(ctx context.Context) error {
	_, err := p.run(ctx, nil, "daemon", "stop", "--all")
	private, _ := strings.CutPrefix(p.environ[0], "XDG_RUNTIME_DIR=")
	return errors.Join(err, os.RemoveAll(private))
}

// checkSubject runs `lspine check FILE` after each edit, with flags.
type checkSubject struct {
	program
	flags []string
}

func newCheckSubject(binary string, flags ...string) func(raw.Spec, project.Project) Subject {
	return func(spec raw.Spec, _ project.Project) Subject {
		return &checkSubject{program{binary: binary, id: spec.ID}, flags}
	}
}

func (s *checkSubject) Name() string { return "lspine check" }

func (s *checkSubject) Start(_ context.Context, root string) error { return s.start(root) }

func (s *checkSubject) Edit(ctx context.Context, file, text string) (int, error) {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return 0, err
	}
	out, err := s.run(ctx, nil, append([]string{"check", "--timeout", "2m", file}, s.flags...)...)
	return strings.Count(out, ": error: "), err
}

func (s *checkSubject) Stop(ctx context.Context) error { return s.stop(ctx) }

// hookSubject runs `lspine hook` after each edit, as Claude Code does. Before the first one
// somebody has checked a file.
type hookSubject struct {
	program
	first, session string
}

func newHookSubject(binary string) func(raw.Spec, project.Project) Subject {
	return func(spec raw.Spec, p project.Project) Subject {
		return &hookSubject{program{binary: binary, id: spec.ID}, p.File, rand.Text()}
	}
}

func (s *hookSubject) Name() string { return "lspine hook" }

// Start also waits for the server: a hook is silent while there is none.
func (s *hookSubject) Start(ctx context.Context, root string) error {
	if err := s.start(root); err != nil {
		return err
	}
	_, err := s.run(ctx, nil, "check", "--timeout", "2m", s.first)
	return err
}

func (s *hookSubject) Edit(ctx context.Context, file, text string) (int, error) {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return 0, err
	}
	type toolInput struct {
		FilePath string `json:"file_path"`
		Content  string `json:"content"`
	}
	payload, err := json.Marshal(struct {
		SessionID string    `json:"session_id"`
		Directory string    `json:"cwd"`
		Event     string    `json:"hook_event_name"`
		Tool      string    `json:"tool_name"`
		Input     toolInput `json:"tool_input"`
	}{s.session, s.root, "PostToolUse", "Write", toolInput{file, text}})
	if err != nil {
		return 0, err
	}
	out, err := s.run(ctx, payload, "hook")
	return strings.Count(out, ": error: "), err
}

func (s *hookSubject) Stop(ctx context.Context) error { return s.stop(ctx) }
