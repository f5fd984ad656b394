package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) }, daemonOfTest, beOther)
}

// daemonOfTest is the whole life of a daemon that a test starts: the test binary.
func daemonOfTest() {
	if len(os.Args) < 2 || os.Args[1] != "daemon" {
		return
	}
	starter := Detach()
	flags := flag.NewFlagSet("daemon", flag.ExitOnError)
	root, file := flags.String("root", "", ""), flags.String("config", "", "")
	version, key := flags.String("version", "", ""), flags.String("key", "", "")
	idle := flags.Duration("idle", 0, "")
	_ = flags.Parse(os.Args[2:]) // exits by itself
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	cfg, _ := config.Load(config.Options{Root: *root, UserFile: *file})
	e, err := engine.New(engine.Options{Root: *root, Config: cfg, Version: *version})
	if err == nil {
		err = Run(ctx, RunOptions{
			Identity: Identity{Root: *root, Config: cfg, Environ: os.Environ()},
			Key:      Key(*key), Engine: e, Idle: *idle, Version: *version, Level: slog.LevelInfo, Starter: starter,
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A shop is a workspace with the toy server, for which daemons may run. What is left of them
// after a test fails it.
type shop struct {
	t             *testing.T
	root, journal string
	configFile    string
	environ       []string
	marker        string
	version       string
	idle          time.Duration
	own           atomic.Int64 // engines of their own that clients made
}

func newShop(t *testing.T, script lsptest.Script) *shop {
	t.Helper()
	base, err := os.MkdirTemp("", "d") // short: it is to hold sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	s := &shop{
		t: t, journal: filepath.Join(base, "journal"), version: "v1.0.0", idle: time.Hour,
		root: lsptest.Workspace(t, "-- toy.root --\n-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n"),
	}
	script.JournalFile = s.journal
	d := script.Definition(t)
	s.configFile = filepath.Join(base, "config.jsonc")
	env := make(map[string]string)
	for _, variable := range d.Env {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	text, err := json.Marshal(map[string]any{"lsp": map[string]any{"servers": map[string]any{
		d.ID: map[string]any{"command": []string{d.Commands[0].Binary}, "args": []string{}, "env": env, "extensions": []string{".toy"}, "roots": d.Roots},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, s.configFile, string(text))
	s.marker = lsptest.Marker(d)
	s.keepIn(filepath.Join(base, "run"))
	t.Cleanup(s.stopAll)
	return s
}

// keepIn makes the folder in which daemons are.
func (s *shop) keepIn(folder string) {
	s.t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		s.t.Fatal(err)
	}
	base := filepath.Dir(s.configFile)
	s.environ = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + base, "XDG_RUNTIME_DIR=" + folder, s.marker,
		"GORACE=atexit_sleep_ms=0", "TMPDIR=" + base,
	}
	if root := os.Getenv("SYSTEMROOT"); root != "" { // Windows starts nothing without it
		s.environ = append(s.environ, "SYSTEMROOT="+root)
	}
}

// kill ends a process at once.
func kill(t *testing.T, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stopAll ends what a test left, so that the marker's processes have ended.
func (s *shop) stopAll() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	list, err := List(ctx, s.environ, "")
	for _, f := range list {
		err = errors.Join(err, f.Stop(ctx))
	}
	if err != nil {
		s.t.Log(err) // whether that matters, the processes that are left tell
	}
}

func (s *shop) identity() Identity {
	cfg, problems := config.Load(config.Options{Root: s.root, UserFile: s.configFile, Environ: s.environ})
	if len(problems) > 0 {
		s.t.Fatal(problems)
	}
	return Identity{Root: s.root, Config: cfg, Environ: s.environ}
}

func (s *shop) options() Options {
	identity := s.identity()
	return Options{
		Identity: identity, Version: s.version, Name: "test", Fell: func(reason error) { s.t.Log("without a daemon: ", reason) },
		Command: []string{"daemon", "--root", s.root, "--config", s.configFile, "--version", s.version, "--idle", s.idle.String()},
		Own: func() (*engine.Engine, error) {
			s.own.Add(1)
			return engine.New(engine.Options{Root: s.root, Config: identity.Config, State: s.t.TempDir()})
		},
	}
}

// dial returns a client, which ends with the test.
func (s *shop) dial(change ...func(*Options)) *Client {
	s.t.Helper()
	o := s.options()
	for _, c := range change {
		c(&o)
	}
	c, err := Dial(s.t.Context(), o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { s.close(c) })
	return c
}

func (s *shop) close(c *Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	_ = c.Close(ctx)
}

// def asks where helper is defined.
func (s *shop) def(ctx context.Context, c api.Caller) (string, error) {
	d, err := api.Definition.Do(ctx, c, api.DefinitionRequest{Selector: api.Selector{At: "main.toy:1 helper"}})
	if err != nil || len(d.Files) != 1 {
		return "", errors.Join(err, fmt.Errorf("%d places", len(d.Files)))
	}
	return d.Files[0].Path, nil
}

// mustDef fails the test unless a client answers.
func (s *shop) mustDef(c api.Caller) {
	s.t.Helper()
	if path, err := s.def(s.t.Context(), c); path != "lib.toy" || err != nil {
		s.t.Fatalf("definition: %q, %v", path, err)
	}
}

// place returns where the daemon is.
func (s *shop) place() place {
	identity := s.identity()
	key, err := identity.Key()
	if err != nil {
		s.t.Fatal(err)
	}
	p, err := placeOf(key, s.environ)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// starts counts the language servers that were started.
func (s *shop) starts() (n int) {
	for _, entry := range lsptest.ReadJournal(s.t, s.journal) {
		if entry.Method == "initialize" {
			n++
		}
	}
	return n
}

// isGone waits until a process has ended.
func (s *shop) isGone(pid int) {
	s.t.Helper()
	lsptest.Eventually(s.t, 30*time.Second, func() bool {
		for _, p := range lsptest.Marked(s.t, s.marker) {
			if p.PID == pid {
				return false
			}
		}
		return true
	}, "process %d ends", pid)
}

func kindOf(err error) result.Kind {
	if err == nil {
		return ""
	}
	return result.ErrorOf(err).Kind
}
