// Package enginetest opens whole engines for the tests of the rooms that carry out operations: each
// room shows what it does by its own operations, as a caller has them.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// Main runs the tests of a package, or the toy server and the supervisor that they start.
func Main(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// Options are those of an engine.
type Options = engine.Options

// A Shop is an engine over files of a test.
type Shop struct {
	*engine.Engine
	T *testing.T
	// Folder is the workspace, links resolved.
	Folder string
	// Config is what the engine goes by; what a test changes in it counts from the next call on.
	Config *config.Config
	// Options are those that it was opened with.
	Options Options
}

// OpenToy opens an engine over files of the toy language.
func OpenToy(t *testing.T, script lsptest.Script, archive string) *Shop {
	t.Helper()
	return Open(t, archive, registry.Table{script.Definition(t)})
}

// Open opens an engine over files that these servers serve.
func Open(t *testing.T, archive string, servers registry.Table) *Shop {
	t.Helper()
	root := lsptest.Workspace(t, archive)
	cfg := Configure(t, root)
	cfg.Servers = servers
	return OpenWith(t, Options{Root: root, Config: cfg, State: t.TempDir()})
}

// OpenReal opens an engine over files that the real servers with the ids serve.
func OpenReal(t *testing.T, archive string, ids ...string) *Shop {
	t.Helper()
	for _, id := range ids {
		lsptest.Require(t, id)
	}
	root := lsptest.Workspace(t, archive)
	cfg := Configure(t, root)
	// Only a broken machine reaches them: patience with one that works needs its processor time,
	// which not every system tells.
	cfg.Settings.RequestTimeout, cfg.Settings.DiagnosticTimeout, cfg.Settings.FirstTouchTimeout = 2*time.Minute, 2*time.Minute, 2*time.Minute
	return OpenWith(t, Options{Root: root, Config: cfg, Only: ids, State: t.TempDir(), StateFolder: t.TempDir()})
}

// Configure returns the configuration of a folder, without the one of the user. Nothing is kept for later: tests are about what servers
// say now.
func Configure(t *testing.T, root string) *config.Config {
	t.Helper()
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return cfg
}

// OpenWith opens an engine with these options.
func OpenWith(t *testing.T, options Options) *Shop {
	t.Helper()
	lsptest.MustHaveMain(t)
	e, err := engine.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // clangd finishes its index first
		defer cancel()
		_ = e.Close(ctx)
	})
	return &Shop{Engine: e, T: t, Folder: options.Root, Config: options.Config, Options: options}
}

// Write writes a file of the workspace.
func (s *Shop) Write(name, text string) { lsptest.WriteFile(s.T, filepath.Join(s.Folder, name), text) }

// Read returns the text of a file of the workspace.
func (s *Shop) Read(name string) string {
	s.T.Helper()
	text, err := os.ReadFile(filepath.Join(s.Folder, name))
	if err != nil {
		s.T.Fatal(err)
	}
	return string(text)
}

// Exists reports whether the workspace has a file or folder of this name.
func (s *Shop) Exists(name string) bool {
	_, err := os.Stat(filepath.Join(s.Folder, name))
	return err == nil
}

// Remove takes a file away.
func (s *Shop) Remove(name string) {
	s.T.Helper()
	if err := os.Remove(filepath.Join(s.Folder, name)); err != nil {
		s.T.Fatal(err)
	}
}

// Git runs git in the workspace, as somebody.
func (s *Shop) Git(args ...string) {
	s.T.Helper()
	lsptest.Git(s.T, s.Folder, args...)
}

// Check runs a check with a deadline that only a broken machine reaches.
func (s *Shop) Check(req api.CheckRequest) result.Check {
	s.T.Helper()
	if req.TimeoutMS == 0 {
		req.TimeoutMS = 20_000
	}
	return Do(s.T, s, api.Check, req)
}

// Expect checks main.toy and wants a fresh answer in this form, which is that of Told.
func (s *Shop) Expect(want string, change ...func(*api.CheckRequest)) {
	s.T.Helper()
	req := api.CheckRequest{Files: []string{"main.toy"}}
	for _, c := range change {
		c(&req)
	}
	if got := Told(s.Check(req).Files[0]); got != want {
		s.T.Errorf("got %s\nwant %s", got, want)
	}
}

// Do runs an operation that must succeed.
func Do[Req, Res any](t *testing.T, caller api.Caller, op api.Op[Req, Res], req Req) Res {
	t.Helper()
	answer, err := op.Do(t.Context(), caller, req)
	if err != nil {
		t.Fatalf("%s: %v", op.Name, err)
	}
	return answer
}

// Told states a file's result: path, verdict and findings, new ones with +,
// fixed ones with -; and what is not fresh.
func Told(f result.File) string {
	if f.Error != nil {
		return f.Path + " " + string(f.Error.Kind)
	}
	text := f.Path + " " + f.Verdict
	for _, d := range f.Diagnostics {
		sign := ""
		if d.New {
			sign = "+"
		}
		text += fmt.Sprintf(" %s%d:%d %s", sign, d.Line, d.Column, d.Message)
	}
	for _, d := range f.Fixed {
		text += " -" + d.Message
	}
	for _, a := range f.Servers {
		if a.Freshness != "fresh" {
			text += " (" + a.Freshness + ")"
		}
	}
	return text
}

// Writing is the edit that gives a file this text.
func Writing(file, content string) api.FileEdit { return api.FileEdit{File: file, Content: &content} }

// Replacing is the edit that replaces a text of a file.
func Replacing(file, old, text string) api.FileEdit {
	return api.FileEdit{File: file, OldText: &old, NewText: &text}
}

// Is reports whether an error is, or wraps, one of this type.
func Is[E error](err error) bool {
	var wanted E
	return errors.As(err, &wanted)
}

// Reopen opens another engine over the same files, with other options.
func (s *Shop) Reopen(change func(*Options)) *Shop {
	s.T.Helper()
	options := s.Options
	options.StateFolder = s.T.TempDir()
	change(&options)
	return OpenWith(s.T, options)
}

// Distrusted opens another engine over the same files, of which nothing may run.
func (s *Shop) Distrusted() *Shop {
	s.T.Helper()
	s.Config.Settings.TrustedRoots = nil
	return s.Reopen(func(*Options) {})
}

// Relative returns the name of a file of the workspace.
func (s *Shop) Relative(path string) string {
	s.T.Helper()
	name, err := filepath.Rel(s.Folder, path)
	if err != nil {
		s.T.Fatal(err)
	}
	return filepath.ToSlash(name)
}

// Absent is a server of the files that a pattern names, which is not installed.
func Absent(id, pattern string, change func(d *registry.Definition)) registry.Definition {
	d := registry.Definition{
		ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{pattern}}}, Role: registry.Primary, SingleFile: true,
		Commands: []registry.Command{{Binary: "no-such-" + id}}, Install: []string{"get " + id},
	}
	change(&d)
	return d
}
