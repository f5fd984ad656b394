package truth

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/e2e/judge"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// A world is a project on disk, with an engine at work in it, and what the compiler
// says of it.
type world struct {
	*code.Tree
	large  bool // whatever its size, it is treated as a large project
	engine *engine.Engine
	truth  judge.Findings
}

func plant(t *testing.T, p code.Project, server string, large bool) *world {
	t.Helper()
	w := &world{Tree: code.Plant(t, p, server), large: large}
	w.gitBegin(t)
	w.truth = w.Ask(t)
	w.restart(t)
	return w
}

// restart opens an engine anew.
func (w *world) restart(t *testing.T) {
	w.engine = w.openEngine(t, false)
	w.Forget()
}

func (w *world) openEngine(t *testing.T, once bool) *engine.Engine {
	t.Helper()
	cfg, problems := config.Load(config.Options{Root: w.Root, Environ: []string{"LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off"}, Host: w.Host})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if w.large {
		cfg.Settings.LargeProjectFiles = 1
	}
	e, err := engine.New(engine.Options{Root: w.Root, Config: cfg, Only: []string{w.Server}, Once: once})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeEngine(e) })
	return e
}

func closeEngine(e *engine.Engine) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // what they were about to do is of no use
	_ = e.Close(ctx)
}

func (w *world) gitBegin(t *testing.T) {
	t.Helper()
	w.git(t, nil, "", "init", "-q", "-b", "main")
	lsptest.WriteFile(t, filepath.Join(w.Root, ".git", "info", "exclude"), code.Excluded)
	w.commit(t, "as it was")
}

func (w *world) commit(t *testing.T, message string) {
	t.Helper()
	w.git(t, nil, "", "add", "-A")
	w.git(t, nil, "", "commit", "-q", "--allow-empty", "-m", message)
}

// git runs a command of git and returns what it prints.
func (w *world) git(t *testing.T, env []string, input string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", "advice.detachedHead=false",
	}, args...)...)
	cmd.Dir, cmd.Stdin = w.Root, strings.NewReader(input)
	cmd.Env = append(append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
