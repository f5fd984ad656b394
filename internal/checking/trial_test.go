package checking_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A compilerShop is a shop whose server records in a file what it is told.
type compilerShop struct {
	*enginetest.Shop
	told string
}

// openCompiler opens an engine over a toy server that finds nothing in what it is shown,
// and all that is wrong when it is told to compile the disk, which takes a while.
func openCompiler(t *testing.T, archive string, milliseconds int) *compilerShop {
	t.Helper()
	return openJudge(t, archive, lsptest.On("toy/compile", lsptest.Delay(milliseconds)),
		lsptest.On("textDocument/diagnostic", lsptest.Reply(`{"kind":"full","items":[]}`)))
}

// trying are the capabilities of a server that is told of renamed files.
const trying = `{"renameProvider":{"prepareProvider":true},"workspace":{"fileOperations":{"willRename":{},"didRename":{}}}}`

// openJudge opens an engine over a toy server that compiles the disk, with more rules.
func openJudge(t *testing.T, archive string, rules ...lsptest.Rule) *compilerShop {
	t.Helper()
	script := lsptest.Script{
		Mode: lsptest.PushAndPull, PublishClosed: true, JournalFile: filepath.Join(t.TempDir(), "journal"), Capabilities: []byte(trying),
		Rules: append([]lsptest.Rule{lsptest.On("toy/compile", lsptest.Reply(`null`))}, rules...),
	}
	d := script.Definition(t)
	d.Diagnostics.Strategies = []registry.Strategy{registry.Pull}
	d.Diagnostics.ClosedFiles = registry.ClosedPushes
	d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/compile", Params: json.RawMessage(`{}`), Whole: true, Lacks: "it compiles only the disk"}
	return &compilerShop{enginetest.Open(t, archive, registry.Table{d}), script.JournalFile}
}

const compiled = `
-- toy.root --
-- main.toy --
use helper
-- lib.toy --
def helper
-- old.toy --
use missing
-- gone.toy --
def gone
`

// tree is what the folder has: each path with its mode and text.
func (s *compilerShop) tree() map[string]string {
	s.T.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(s.Folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			text, err = os.ReadFile(path)
		}
		all[s.Relative(path)] = fmt.Sprintf("%s %s", info.Mode(), text)
		return err
	})
	if err != nil {
		s.T.Fatal(err)
	}
	return all
}

// tried edits with apply_if_clean.
func (s *compilerShop) tried(ctx context.Context, edits ...api.FileEdit) (result.Edit, error) {
	return api.EditFiles.Do(ctx, s.Engine, api.EditRequest{Edits: edits, Writing: api.Writing{Mode: api.ApplyIfClean, Limits: api.Limits{TimeoutMS: 20_000}}})
}

// Where a server judges nothing but the disk, apply_if_clean writes an edit to have it judged. An
// edit that breaks something is rolled back completely: texts, modes, and files that it created,
// deleted and renamed; the servers see what was there before, and have no errors of the edit. The
// answer is that of a preview, with what was found.
func TestIfCleanOnDisk(t *testing.T) {
	t.Parallel()
	s := openCompiler(t, compiled, 0)
	if err := os.Chmod(filepath.Join(s.Folder, "lib.toy"), 0o751); err != nil {
		t.Fatal(err)
	}
	before := s.tree()
	bad, err := s.tried(t.Context(), enginetest.Writing("lib.toy", "def other\nuse nothing\n"), enginetest.Writing("sub/new.toy", "use nobody\n"),
		api.FileEdit{File: "gone.toy", Delete: true}, api.FileEdit{File: "old.toy", RenameTo: "moved.toy"})
	if err != nil {
		t.Fatal(err)
	}
	brief := render.Brief(&bad)
	if bad.Applied || bad.Verdict != "new_errors" || !strings.HasPrefix(bad.Summary, "Not applied, because it is not clean") || bad.Rounds != 0 ||
		!strings.Contains(brief, "nothing") || !strings.Contains(brief, "nobody") || !strings.Contains(brief, "helper") || strings.Contains(brief, "only seen when") {
		t.Errorf("%s\n%+v", brief, bad)
	}
	if d := cmp.Diff(before, s.tree()); d != "" {
		t.Error(d)
	}
	s.seesDisk()
	if known := enginetest.Do(t, s.Shop, api.Diagnostics, api.DiagnosticsRequest{}); len(known.Files) != 1 || known.Files[0].Path != "old.toy" {
		t.Errorf("known: %+v", known.Files)
	}
	if now := s.Check(api.CheckRequest{Files: []string{"main.toy", "lib.toy", "gone.toy"}}); now.Verdict != "clean" {
		t.Errorf("now: %+v", now)
	}
	var moves []string
	for _, entry := range lsptest.ReadJournal(t, s.told) {
		if entry.Method == "workspace/didRenameFiles" {
			moves = append(moves, strings.ReplaceAll(string(entry.Params), string(protocol.URIFromPath(s.Folder)), "file://"))
		}
	}
	if got := strings.Join(moves, " "); got != `{"files":[{"oldUri":"file:///old.toy","newUri":"file:///moved.toy"}]} {"files":[{"oldUri":"file:///moved.toy","newUri":"file:///old.toy"}]}` {
		t.Errorf("moves: %s", got)
	}
	good, err := s.tried(t.Context(), enginetest.Writing("lib.toy", "def helper\ndef more\n"))
	if err != nil || !good.Applied || good.Verdict != "clean" || s.Read("lib.toy") != "def helper\ndef more\n" {
		t.Errorf("%v %s\n%+v", err, render.Brief(&good), good)
	}
	older, err := s.tried(t.Context(), enginetest.Writing("old.toy", "use missing\n# c\n"))
	if err != nil || !older.Applied || older.Verdict != "baseline_error" {
		t.Errorf("%v %s\n%+v", err, render.Brief(&older), older)
	}
	broken, err := s.tried(t.Context(), api.FileEdit{File: "lib.toy", Delete: true})
	if err != nil || broken.Applied || !strings.Contains(render.Brief(&broken), "helper") || s.Read("lib.toy") == "" {
		t.Errorf("%v %s\n%+v", err, render.Brief(&broken), broken)
	}
}

// seesDisk fails the test if the server has a document that differs from the disk.
func (s *compilerShop) seesDisk() {
	s.T.Helper()
	for _, server := range s.Workspace().Running() {
		for _, path := range server.OpenDocuments() {
			if _, seen, _ := server.Document(path); string(seen) != s.Read(s.Relative(path)) {
				s.T.Errorf("%s is seen as %q", path, seen)
			}
		}
	}
}

// unwritten runs something that must not write a file, not even to roll it back.
func (s *compilerShop) unwritten(name string, do func()) {
	s.T.Helper()
	path := filepath.Join(s.Folder, name)
	before, err := os.Stat(path)
	if err != nil {
		s.T.Fatal(err)
	}
	do()
	if now, err := os.Stat(path); err != nil || !os.SameFile(before, now) || !now.ModTime().Equal(before.ModTime()) {
		s.T.Errorf("%s was written: %v", name, err)
	}
}

// A preview is not written. Nor is an edit tried on disk if a server finds a new error without
// that.
func TestWhatIsNotTried(t *testing.T) {
	t.Parallel()
	s := openCompiler(t, compiled, 0)
	s.unwritten("lib.toy", func() {
		result := enginetest.Do(t, s.Shop, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("lib.toy", "def helper\n\n")}, Writing: api.Writing{Mode: "preview"}})
		if result.Applied || result.Verdict != "unknown" {
			t.Errorf("%s\n%+v", render.Brief(&result), result)
		}
	})
	s = openJudge(t, compiled)
	s.unwritten("lib.toy", func() {
		result, err := s.tried(t.Context(), enginetest.Writing("lib.toy", "def helper\nuse nothing\n"))
		if err != nil || result.Applied || result.Verdict != "new_errors" {
			t.Errorf("%v %s\n%+v", err, render.Brief(&result), result)
		}
	})
}

// That a preview would not have checked all users does not matter for an edit tried on disk: its
// server reports on all files.
func TestTrialsHaveNoLimitOfUsers(t *testing.T) {
	t.Parallel()
	s := openCompiler(t, compiled+"-- more.toy --\nuse helper\n-- most.toy --\nuse helper\n", 0)
	s.Config.Settings.MaxDependants = 1
	result, err := s.tried(t.Context(), enginetest.Writing("lib.toy", "def  helper\n"))
	if err != nil || !result.Applied || result.Verdict != "clean" {
		t.Errorf("%v %s\n%+v", err, render.Brief(&result), result)
	}
}

// onceWritten does something as soon as a file, which has another size so far, holds a text. It
// opens the file only then: on Windows, one that is open cannot be replaced.
func (s *compilerShop) onceWritten(name, text string, do func()) (done chan struct{}) {
	done = make(chan struct{})
	path := filepath.Join(s.Folder, name)
	go func() {
		defer close(done)
		ticker := time.NewTicker(2 * time.Millisecond)
		defer ticker.Stop()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); <-ticker.C {
			if info, err := os.Stat(path); err != nil || info.Size() != int64(len(text)) {
				continue
			}
			if now, err := os.ReadFile(path); err == nil && string(now) == text {
				do()
				return
			}
		}
	}()
	return done
}

// What somebody else writes while an edit is on trial is not overwritten: the error says so, and
// everything else is rolled back. The servers see what they wrote.
func TestOthersWriteDuringATrial(t *testing.T) {
	t.Parallel()
	s := openCompiler(t, compiled, 500)
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	wrote := s.onceWritten("main.toy", "use nothing\n", func() { s.Write("main.toy", "use helper\n# mine\n") })
	_, err := s.tried(t.Context(), enginetest.Writing("main.toy", "use nothing\n"), enginetest.Writing("lib.toy", "def helper\nuse nobody\n"))
	<-wrote
	var torn *edit.TornError
	if !errors.As(err, &torn) || !strings.Contains(err.Error(), "written by somebody else") {
		t.Fatal(err)
	}
	if s.Read("main.toy") != "use helper\n# mine\n" || s.Read("lib.toy") != "def helper\n" {
		t.Errorf("main %q, lib %q", s.Read("main.toy"), s.Read("lib.toy"))
	}
	if now := s.Check(api.CheckRequest{Files: []string{"main.toy", "lib.toy"}}); now.Verdict != "clean" {
		t.Errorf("now: %+v", now)
	}
}

// If the caller goes away while an edit is on trial, the tree is left as it was.
func TestTrialGivenUp(t *testing.T) {
	t.Parallel()
	s := openCompiler(t, compiled, 500)
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	before := s.tree()
	ctx, cancel := context.WithCancel(t.Context())
	wrote := s.onceWritten("lib.toy", "def helper\n# more\n", cancel)
	if _, err := s.tried(ctx, enginetest.Writing("lib.toy", "def helper\n# more\n")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-wrote
	if d := cmp.Diff(before, s.tree()); d != "" {
		t.Error(d)
	}
	if result, err := s.tried(t.Context(), enginetest.Writing("lib.toy", "def helper\n# more\n")); err != nil || !result.Applied {
		t.Errorf("the next one: %v %s", err, render.Brief(&result))
	}
}

// A trial that cannot be written, or for which too much stays unknown, changes nothing.
func TestTrialThatIsNotMade(t *testing.T) {
	t.Parallel()
	s := openCompiler(t, compiled, 0)
	before := s.tree()
	s.unwritten("lib.toy", func() {
		if result, err := s.tried(t.Context(), enginetest.Writing("lib.toy", "def helper\n\n"), enginetest.Writing("main.toy", strings.Repeat("#", 3<<20))); err != nil || result.Applied {
			t.Errorf("a file too large: %v %s", err, render.Brief(&result))
		}
	})
	s.Shop = s.Reopen(func(o *enginetest.Options) { o.State = filepath.Join(s.Folder, "lib.toy") }) // no folder
	if result, err := s.tried(t.Context(), enginetest.Writing("lib.toy", "def helper\n\n")); err == nil {
		t.Errorf("written: %s", render.Brief(&result))
	}
	s.seesDisk()
	if d := cmp.Diff(before, s.tree()); d != "" {
		t.Error(d)
	}
	if now := s.Check(api.CheckRequest{Files: []string{"main.toy", "lib.toy"}}); now.Verdict != "clean" {
		t.Errorf("now: %+v", now)
	}
}

// What an edit breaks in other files, whose server reads it from disk, is not known before it is
// applied, and the preview says so: as long as others use it, or several files change.
func TestPreviewOfWhatServersReadFromDisk(t *testing.T) {
	t.Parallel()
	const unknown = "what the edit breaks in other files: their server reads it from disk, so apply it to know"
	for name, c := range map[string]struct {
		edits []api.FileEdit
		want  []string
	}{
		"others use it": {[]api.FileEdit{enginetest.Writing("lib.toy", "def other\n")}, []string{unknown}},
		"nobody does":   {[]api.FileEdit{enginetest.Writing("main.toy", "use helper\n\n")}, nil},
		"two files":     {[]api.FileEdit{enginetest.Writing("main.toy", "use helper\n\n"), enginetest.Writing("free.toy", "\n")}, []string{unknown}},
	} {
		d := lsptest.Script{}.Definition(t)
		d.Quirks = append(d.Quirks, registry.ReadsSaved)
		s := enginetest.Open(t, lsptest.Project+"-- free.toy --\n", registry.Table{d})
		preview := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: c.edits, Writing: api.Writing{Mode: api.Preview}})
		if diff := cmp.Diff(c.want, preview.Unknown); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
