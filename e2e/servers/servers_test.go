//go:build unix

package servers

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// TestStory tells every server the same story. At each turn the state that is
// reported is the true one; where a server could not be asked, that is said and
// never looks like "clean".
//
// Requirement: SYN-8, OPTA-11.
func TestStory(t *testing.T) {
	for _, p := range projects {
		t.Run(p.server, func(t *testing.T) {
			lsptest.Require(t, p.server)
			s := begin(t, p)
			t.Run("clean", s.clean)
			t.Run("counts as we do", s.countsAsWeDo)
			t.Run("own edit", s.ownEdit)
			t.Run("text that is not on disk", s.unsavedText)
			t.Run("outside edit of a dependency", s.outsideEdit)
			t.Run("own edit of a dependency", s.dependencyEdit)
			t.Run("new and deleted file", s.newAndDeleted)
			t.Run("unusual text", s.unusualText)
			t.Run("hang", s.hang)
			t.Run("crash", s.crash)
			t.Run("shutdown", s.shutdown)
		})
	}
}

// A story is one server at work in a copy of its project.
type story struct {
	project
	root   string
	engine *engine.Engine
}

// begin opens a copy of the project, in which only its server may run, and those
// beside it.
func begin(t *testing.T, p project, beside ...string) *story {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &story{project: p, root: root}
	for name, text := range p.files {
		s.write(t, name, text)
	}
	options := config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off"}}
	if p.user != "" {
		options.UserFile = filepath.Join(t.TempDir(), "config.jsonc")
		lsptest.WriteFile(t, options.UserFile, p.user)
	}
	cfg, problems := config.Load(options)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s.engine, err = engine.New(engine.Options{Root: root, Config: cfg, Only: append(beside, p.server), StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.engine.Close(context.Background()) })
	return s
}

func (s *story) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(s.root, name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *story) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(s.root, name)); err != nil {
		t.Fatal(err)
	}
}

// check checks the main file; a minute is for slow machines, not for servers.
func (s *story) check(t *testing.T, change func(*api.CheckRequest)) result.File {
	t.Helper()
	req := api.CheckRequest{Files: []string{s.main}, TimeoutMS: 60_000}
	if change != nil {
		change(&req)
	}
	result, err := api.Check.Do(context.Background(), s.engine, req)
	if err != nil {
		t.Fatal(err)
	}
	return result.Files[0]
}

// expect checks the main file and wants exactly these findings.
func (s *story) expect(t *testing.T, wanted ...finding) {
	t.Helper()
	s.compare(t, s.check(t, nil), wanted...)
}

func (s *story) compare(t *testing.T, f result.File, wanted ...finding) {
	t.Helper()
	s.trust(t, f, "fresh")
	s.found(t, f, wanted...)
}

// compareUnsaved is compare for an answer about a text that is not on disk: where
// a server cannot know all of that, the answer says so.
func (s *story) compareUnsaved(t *testing.T, f result.File, wanted ...finding) {
	t.Helper()
	if s.unsaved == "" {
		s.trust(t, f, "fresh")
	} else if s.trust(t, f, "partial"); !strings.Contains(f.Servers[0].Reason, s.unsaved) {
		t.Errorf("the reason is %q, want %q", f.Servers[0].Reason, s.unsaved)
	}
	s.found(t, f, wanted...)
}

func (s *story) trust(t *testing.T, f result.File, freshness string) {
	t.Helper()
	if f.Error != nil {
		t.Fatalf("not checked: %s", f.Error.Message)
	}
	if len(f.Servers) != 1 || f.Servers[0].Server != s.server {
		t.Fatalf("asked %+v, want %s alone", f.Servers, s.server)
	}
	if a := f.Servers[0]; a.Freshness != freshness {
		t.Fatalf("%s: %s", a.Freshness, a.Reason)
	}
}

func (s *story) found(t *testing.T, f result.File, wanted ...finding) {
	t.Helper()
	if len(wanted) == 0 && len(f.Diagnostics) > 0 || len(wanted) > 0 && len(f.Diagnostics) == 0 {
		t.Fatalf("diagnostics %+v, want %v", f.Diagnostics, wanted)
	}
	for _, w := range wanted {
		found := false
		for _, d := range f.Diagnostics {
			found = found || d.Line == w.line && strings.Contains(d.Message, w.message)
		}
		if !found {
			t.Errorf("diagnostics %+v, want %q in line %d", f.Diagnostics, w.message, w.line)
		}
	}
}

// clean: the project as it is has no errors.
func (s *story) clean(t *testing.T) { s.expect(t) }

// countsAsWeDo: columns are in UTF-16, so that no file that is named in an answer has
// to be read to restate them.
func (s *story) countsAsWeDo(t *testing.T) {
	for _, server := range s.engine.Workspace().Running() {
		if e := server.EditCounting().Encoding; e != protocol.UTF16 {
			t.Errorf("%s counts in %s", server.Definition().ID, e)
		}
	}
}

// ownEdit: a break that is on disk is seen, and its mending.
func (s *story) ownEdit(t *testing.T) {
	for range 2 {
		s.write(t, s.main, strings.Replace(s.files[s.main], s.good, s.broken, 1))
		s.expect(t, s.wrong)
		s.write(t, s.main, s.files[s.main])
		s.expect(t)
	}
}

// unsavedText: text that a caller gives counts, whatever is on disk; without it
// the disk counts again.
func (s *story) unsavedText(t *testing.T) {
	broken := strings.Replace(s.files[s.main], s.good, s.broken, 1)
	f := s.check(t, func(req *api.CheckRequest) { req.Contents = map[string]string{s.main: broken} })
	s.compareUnsaved(t, f, s.wrong)
	s.expect(t)
}

// outsideEdit: somebody else changes a file that was never opened; the answer
// for the unchanged main file is the new truth.
func (s *story) outsideEdit(t *testing.T) {
	good := s.files[s.dependency]
	for range 2 {
		s.write(t, s.dependency, strings.Replace(good, s.dependencyGood, s.dependencyBroken, 1))
		s.expect(t, s.wrongByDependency)
		s.write(t, s.dependency, good)
		s.expect(t)
	}
}

// dependencyEdit: the dependency is checked itself after an edit, and then the
// main file, which did not change.
func (s *story) dependencyEdit(t *testing.T) {
	good := s.files[s.dependency]
	dependency := func(req *api.CheckRequest) { req.Files = []string{s.dependency} }
	s.write(t, s.dependency, strings.Replace(good, s.dependencyGood, s.dependencyBroken, 1))
	if f := s.check(t, dependency); s.dependency != "a.go" && len(f.Servers) > 0 && f.Servers[0].Freshness != "fresh" {
		t.Fatalf("%s: %+v", s.dependency, f.Servers)
	}
	s.expect(t, s.wrongByDependency)
	s.write(t, s.dependency, good)
	s.check(t, dependency)
	s.expect(t)
}

// newAndDeleted: main uses a file that is not there, that comes, and that goes.
func (s *story) newAndDeleted(t *testing.T) {
	s.write(t, s.main, s.missing)
	s.expect(t, s.wrongByMissing)
	s.write(t, s.missingFile, s.supply)
	s.expect(t)
	s.remove(t, s.missingFile)
	s.expect(t, s.wrongByMissing)
	s.write(t, s.main, s.files[s.main])
	s.expect(t)
}

// comments begin a comment in the language of a file.
var comments = map[string]string{".go": "//", ".ts": "//", ".py": "#", ".cc": "//", ".rs": "//", ".java": "//"}

// unusualText: byte order mark, CRLF, emoji and combining marks before the
// finding move neither its line nor its column.
func (s *story) unusualText(t *testing.T) {
	broken := strings.Replace(s.files[s.main], s.good, s.broken, 1)
	plain := s.check(t, func(req *api.CheckRequest) { req.Contents = map[string]string{s.main: broken} })
	s.compareUnsaved(t, plain, s.wrong)
	comment := comments[filepath.Ext(s.main)] + " 👩‍👩‍👧 e\u0301 𝒳\n"
	unusual := "\ufeff" + strings.ReplaceAll(comment+broken, "\n", "\r\n")
	f := s.check(t, func(req *api.CheckRequest) { req.Contents = map[string]string{s.main: unusual} })
	s.compareUnsaved(t, f, finding{s.wrong.line + 1, s.wrong.message})
	if got, want := f.Diagnostics[0].Column, plain.Diagnostics[0].Column; got != want {
		t.Errorf("column %d, want %d as without the comment", got, want)
	}
	// The emoji on the very line count two UTF-16 units each.
	emoji := strings.Replace(broken, "1, \"x\"", "1, /* 𝒳 */ \"x\"", 1)
	if filepath.Ext(s.main) == ".py" {
		emoji = strings.Replace(broken, "add(1,", "(\"𝒳\" and add)(1,", 1)
	}
	marked := s.check(t, func(req *api.CheckRequest) { req.Contents = map[string]string{s.main: emoji} })
	s.compareUnsaved(t, marked, s.wrong)
	s.expect(t)
}

// process returns the pid of the running server.
func (s *story) process(t *testing.T) int {
	t.Helper()
	status, err := api.Status.Do(context.Background(), s.engine, api.StatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range status.Servers {
		if server.ID == s.server && server.State == "active" {
			return server.Pid
		}
	}
	t.Fatalf("%s does not run: %+v", s.server, status.Servers)
	return 0
}

// tree returns the server's process and all below it.
func (s *story) tree(t *testing.T) []int {
	t.Helper()
	leader := s.process(t)
	pids := []int{leader}
	all := lsptest.Descendants(t)
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if contains(pids, p.Parent) && !contains(pids, p.PID) {
				pids, grown = append(pids, p.PID), true
			}
		}
	}
	return pids
}

func contains(pids []int, pid int) bool {
	for _, p := range pids {
		if p == pid {
			return true
		}
	}
	return false
}

func (s *story) signal(t *testing.T, sig syscall.Signal, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, sig); err != nil {
			t.Fatalf("kill -%v %d: %v", sig, pid, err)
		}
	}
}

// hang: a server that stops answering is a time-out, not a clean file, also
// when the disk changes elsewhere meanwhile; when it goes on, the truth is there
// again.
func (s *story) hang(t *testing.T) {
	pids := s.tree(t)
	s.signal(t, syscall.SIGSTOP, pids...)
	s.write(t, s.main, strings.Replace(s.files[s.main], s.good, s.broken, 1))
	s.write(t, s.missingFile, s.supply)
	f := s.check(t, func(req *api.CheckRequest) { req.TimeoutMS = 500 })
	s.signal(t, syscall.SIGCONT, pids...)
	if len(f.Servers) != 1 || f.Servers[0].Freshness != "timeout" && f.Servers[0].Freshness != "indexing" {
		t.Errorf("a stopped server is %+v, want timeout", f.Servers)
	}
	if f.Verdict != "unknown" {
		t.Errorf("verdict %s, want unknown", f.Verdict)
	}
	s.expect(t, s.wrong)
	s.remove(t, s.missingFile)
	s.write(t, s.main, s.files[s.main])
	s.expect(t)
}

// crash: a server that is killed in the middle is started again, and the answer
// is the truth, or says that there is none.
func (s *story) crash(t *testing.T) {
	s.write(t, s.main, strings.Replace(s.files[s.main], s.good, s.broken, 1))
	pid := s.process(t)
	answers := make(chan result.File, 1)
	s.signal(t, syscall.SIGSTOP, pid)
	go func() {
		answer, err := api.Check.Do(context.Background(), s.engine, api.CheckRequest{Files: []string{s.main}, TimeoutMS: 30_000})
		if err != nil || len(answer.Files) == 0 {
			answers <- result.File{}
			return
		}
		answers <- answer.Files[0]
	}()
	lsptest.Eventually(t, 10*time.Second, func() bool { return s.process(t) == pid }, "the server is gone before it is killed")
	s.signal(t, syscall.SIGKILL, pid)
	f := <-answers
	if len(f.Servers) != 1 {
		t.Fatalf("answer %+v", f)
	}
	switch a := f.Servers[0]; a.Freshness {
	case "fresh":
		s.compare(t, f, s.wrong)
	case "unavailable":
		if f.Verdict != "lsp_unavailable" || !strings.Contains(a.Reason, "killed") {
			t.Errorf("verdict %s, reason %q; want to hear that it was killed", f.Verdict, a.Reason)
		}
	default:
		t.Errorf("a killed server is %+v", a)
	}
	s.expect(t, s.wrong) // started again
	s.write(t, s.main, s.files[s.main])
	s.expect(t)
}

// shutdown: nothing that was started is left.
func (s *story) shutdown(t *testing.T) {
	if err := s.engine.Close(context.Background()); err != nil {
		t.Errorf("close: %v", err)
	}
	lsptest.Eventually(t, 10*time.Second, func() bool { return len(lsptest.Descendants(t)) == 0 },
		"left behind: %v", lsptest.Descendants(t))
}
