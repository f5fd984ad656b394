package all

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A story is one server at work in a copy of its project.
type story struct {
	entry
	root   string
	engine *engine.Engine
}

func begin(t *testing.T, e entry, program string) *story {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &story{entry: e, root: root}
	for _, f := range e.files {
		s.write(t, f.Name, string(f.Data))
	}
	if link := e.header["link"]; link != "" {
		if err := os.Symlink(filepath.Join(filepath.Dir(nodeModules(program)), link), filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	// What servers write there belongs to no branch.
	s.write(t, ".gitignore", "node_modules\ntarget\nbin\n")
	s.git(t, "init", "-q", "-b", "main")
	s.commit(t)
	user := filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, user, e.configuration(t, program, t.TempDir()))
	cfg, problems := config.Load(config.Options{Root: root, UserFile: user, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s.engine, err = engine.New(engine.Options{Root: root, Config: cfg, Only: []string{e.id}, StateFolder: t.TempDir(), State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.engine.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func (s *story) write(t *testing.T, name, text string) {
	t.Helper()
	lsptest.WriteFile(t, filepath.Join(s.root, filepath.FromSlash(name)), text)
}

func (s *story) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(s.root, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

// apply makes the change on disk, undo takes it back.
func (s *story) apply(t *testing.T, c change) {
	t.Helper()
	text, _ := s.text(c.file)
	s.write(t, c.file, strings.Replace(text, c.old, c.new, 1))
}

func (s *story) undo(t *testing.T, file string) {
	t.Helper()
	text, _ := s.text(file)
	s.write(t, file, text)
}

func (s *story) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.hooksPath=/dev/null"}, args...)...)
	cmd.Dir = s.root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (s *story) commit(t *testing.T) {
	t.Helper()
	s.git(t, "add", "-A")
	s.git(t, "commit", "-qm", "x")
}

// What a cell of the table can say. A lie is what no cell may say: fresh, and not
// so.
const (
	proven    = "true"
	unknown   = "not known: "
	lie       = "wrong: "
	notStated = "–"
)

// worse returns the cell of two states.
func worse(a, b string) string {
	rank := func(cell string) int {
		switch {
		case strings.HasPrefix(cell, lie):
			return 2
		case strings.HasPrefix(cell, unknown):
			return 1
		}
		return 0
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// judge says whether what is known of a file is its state: with something that
// says expect, or without that and any error.
func (s *story) judge(f result.File, broken bool, expect string) string {
	if f.Error != nil {
		return unknown + f.Error.Message
	}
	// Others that know the language are switched off, and named.
	i := slices.IndexFunc(f.Servers, func(a result.Answer) bool { return a.Server == s.id })
	if i < 0 {
		return unknown + "the server was not asked"
	}
	if a := f.Servers[i]; a.Freshness != "fresh" {
		return unknown + plain(a.Freshness+", "+a.Reason, s.root)
	}
	if broken && says(f.Diagnostics, expect) || !broken && !says(f.Diagnostics, expect) && !fails(f.Diagnostics) {
		return proven
	}
	if broken {
		return lie + fmt.Sprintf("no %q in %s", expect, listed(f.Diagnostics))
	}
	return lie + "mended, but there is still " + listed(f.Diagnostics)
}

func says(diagnostics []result.Diagnostic, expect string) bool {
	return slices.ContainsFunc(diagnostics, func(d result.Diagnostic) bool { return strings.Contains(d.Message, expect) })
}

func fails(diagnostics []result.Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(d result.Diagnostic) bool { return d.Severity == "error" })
}

func listed(diagnostics []result.Diagnostic) string {
	if len(diagnostics) == 0 {
		return "clean"
	}
	var lines []string
	for _, d := range diagnostics {
		lines = append(lines, fmt.Sprintf("%d: %s: %s", d.Line, d.Severity, d.Message))
	}
	return strings.Join(lines, "; ")
}

var (
	numbers = regexp.MustCompile(`\d+`)
	spaces  = regexp.MustCompile(`\s+`)
	paths   = regexp.MustCompile(`(/[\w.@+-]+){2,}`)
)

// plain is a reason without what differs from run to run.
func plain(reason, root string) string {
	reason = strings.ReplaceAll(strings.TrimSuffix(reason, ", "), root, "the root")
	reason, _, _ = strings.Cut(reason, "\n")
	reason = paths.ReplaceAllString(reason, "…")
	return strings.ReplaceAll(spaces.ReplaceAllString(numbers.ReplaceAllString(reason, "N"), " "), "|", "/")
}

// check asks for a file; a first answer may wait for the server's start.
func (s *story) check(t *testing.T, file string, milliseconds int) result.File {
	t.Helper()
	result, err := api.Check.Do(context.Background(), s.engine,
		api.CheckRequest{Files: []string{file}, Scope: "file", Severities: s.severities(), TimeoutMS: milliseconds, MaxBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	f := result.Files[0]
	t.Logf("%s: %+v %s", file, f.Servers, listed(f.Diagnostics))
	return f
}

const patience = 10_000 // milliseconds: for slow machines, not for servers

func (s *story) is(t *testing.T, broken bool, expect string) string {
	t.Helper()
	return s.judge(s.check(t, s.main(), patience), broken, expect)
}

func (s *story) good(t *testing.T) string {
	t.Helper()
	return worse(s.is(t, false, s.header["expect"]), s.is(t, false, s.crossExpect()))
}

func (s *story) broken(t *testing.T) string {
	t.Helper()
	return s.is(t, true, s.header["expect"])
}

// clean: the project as it is has no errors.
func (s *story) clean(t *testing.T) string {
	return s.judge(s.check(t, s.main(), 40_000), false, s.header["expect"])
}

// ownEdit: our edit that breaks main says so, and the one that mends it.
func (s *story) ownEdit(t *testing.T) string {
	c := s.breaks()
	f := s.edit(t, c.old, c.new)
	cell := s.judge(f, true, s.header["expect"])
	if cell == proven && !slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return d.New }) {
		cell = lie + "the error is not new"
	}
	cell = worse(cell, s.judge(s.edit(t, c.new, c.old), false, s.header["expect"]))
	s.undo(t, s.main())
	return cell
}

func (s *story) edit(t *testing.T, old, text string) result.File {
	t.Helper()
	now, err := os.ReadFile(filepath.Join(s.root, s.main()))
	if err != nil {
		t.Fatal(err)
	}
	content := strings.Replace(string(now), old, text, 1)
	req := api.EditRequest{Edits: []api.FileEdit{{File: s.main(), Content: &content}}}
	req.Severities, req.TimeoutMS = s.severities(), patience
	answer, err := api.EditFiles.Do(context.Background(), s.engine, req)
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Files) == 0 {
		return result.File{}
	}
	t.Logf("edit: %+v %s", answer.Files[0].Servers, listed(answer.Files[0].Diagnostics))
	return answer.Files[0]
}

// outsideEdit: somebody else breaks main, and mends it; twice.
func (s *story) outsideEdit(t *testing.T) string {
	cell := proven
	for range 2 {
		s.apply(t, s.breaks())
		cell = worse(cell, s.broken(t))
		s.undo(t, s.main())
		cell = worse(cell, s.good(t))
	}
	return cell
}

// crossFile: somebody else changes a file that main uses.
func (s *story) crossFile(t *testing.T) string {
	c, ok := s.cross()
	if !ok {
		return notStated
	}
	s.apply(t, c)
	cell := s.is(t, true, s.crossExpect())
	s.undo(t, c.file)
	return worse(cell, s.good(t))
}

// newFile: a broken file that comes is broken, one that comes right is right.
func (s *story) created(t *testing.T) string {
	name, ok := s.newFile()
	if !ok {
		return notStated
	}
	text, _ := s.text(s.main())
	c := s.breaks()
	s.write(t, name, strings.Replace(text, c.old, c.new, 1))
	cell := s.judge(s.check(t, name, patience), true, s.header["expect"])
	// Beside main it may be a second declaration of the same, which is an error, too.
	s.write(t, name, text)
	f := s.check(t, name, patience)
	f.Diagnostics = slices.DeleteFunc(f.Diagnostics, func(d result.Diagnostic) bool { return !strings.Contains(d.Message, s.header["expect"]) })
	cell = worse(cell, s.judge(f, false, s.header["expect"]))
	s.remove(t, name)
	return worse(cell, s.good(t))
}

// deleted: what main uses goes, and comes back.
func (s *story) deleted(t *testing.T) string {
	c, ok := s.cross()
	if !ok || s.header["delete"] == "-" {
		return notStated
	}
	s.remove(t, c.file)
	cell := s.is(t, true, s.header["delete"])
	s.undo(t, c.file)
	return worse(cell, s.good(t))
}

// branchSwitch: git puts other files there.
func (s *story) branchSwitch(t *testing.T) string {
	s.git(t, "checkout", "-qfb", "broken")
	s.apply(t, s.breaks())
	s.commit(t)
	s.git(t, "checkout", "-qf", "main")
	cell := s.good(t)
	s.git(t, "checkout", "-qf", "broken")
	cell = worse(cell, s.broken(t))
	s.git(t, "checkout", "-qf", "main")
	return worse(cell, s.good(t))
}

// crash: a server that is killed is started again, and the truth is there again.
func (s *story) crash(t *testing.T) string {
	s.apply(t, s.breaks())
	pid := s.process(t)
	if pid == 0 {
		return unknown + "no process"
	}
	server, err := os.FindProcess(pid)
	if err == nil {
		err = server.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	// The answer in between may be that there is none.
	if cell := s.judge(s.check(t, s.main(), 60_000), true, s.header["expect"]); strings.HasPrefix(cell, lie) {
		return cell
	}
	cell := s.broken(t)
	s.undo(t, s.main())
	return worse(cell, s.good(t))
}

// process returns the pid of the running server, 0 if there is none.
func (s *story) process(t *testing.T) int {
	t.Helper()
	status, err := api.Status.Do(context.Background(), s.engine, api.StatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range status.Servers {
		if server.ID == s.id && server.State == "active" {
			return server.Pid
		}
	}
	return 0
}
