package checking_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// openSlow opens an engine with a server that takes long to start, after others; told is what that
// one is told.
func openSlow(t *testing.T, others ...registry.Definition) (s *enginetest.Shop, told string) {
	t.Helper()
	told = filepath.Join(t.TempDir(), "told")
	script := lsptest.Script{ID: "slow", JournalFile: told, Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Pause(6000))}}
	return enginetest.Open(t, lsptest.Project, append(others, script.Definition(t))), told
}

// wasShown reports whether a server was shown a document with such words in its name or its text.
func wasShown(t *testing.T, told, words string) bool {
	t.Helper()
	return slices.ContainsFunc(lsptest.ReadJournal(t, told), func(e lsptest.Entry) bool {
		return strings.HasPrefix(e.Method, "textDocument/did") && strings.Contains(string(e.Params), words)
	})
}

// A preview whose deadline passes while the server starts leaves nothing behind: the server is not
// shown the draft once it runs.
func TestPreviewGivenUpWhileTheServerStarts(t *testing.T) {
	t.Parallel()
	s, told := openSlow(t)
	preview, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{
		Edits:   []api.FileEdit{enginetest.Writing("draft.toy", "def helper\nuse nothing\n"), enginetest.Writing("lib.toy", "def other\n")},
		Writing: api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 3000}},
	})
	if err != nil || preview.Verdict != "unknown" {
		t.Fatalf("verdict %q, error %v", preview.Verdict, err)
	}
	if check := s.Check(api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 20_000}); check.Verdict != "clean" {
		t.Errorf("verdict %q", check.Verdict)
	}
	if wasShown(t, told, "draft.toy") || wasShown(t, told, "def other") {
		t.Error("the server was shown the draft")
	}
}

// Nor is it shown the former text of a file that is gone, for the comparison of a check that was
// given up.
func TestCheckGivenUpWhileTheServerStarts(t *testing.T) {
	t.Parallel()
	s, _ := openSlow(t)
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Remove("lib.toy")
	if first := s.Check(api.CheckRequest{Baseline: "head", TimeoutMS: 3000}); first.Verdict != "unknown" {
		t.Errorf("verdict %q", first.Verdict)
	}
	now := s.Check(api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 20_000})
	if now.Verdict != "new_errors" && now.Verdict != "baseline_error" {
		t.Errorf("verdict %q: %s", now.Verdict, render.Brief(&now))
	}
	for _, e := range enginetest.Do(t, s, api.Diagnostics, api.DiagnosticsRequest{}).Files {
		if e.Path == "lib.toy" {
			t.Errorf("%+v", e)
		}
	}
}

// Nor a text that the caller opened a file with, and closed it again.
func TestTextGivenUpWhileTheServerStarts(t *testing.T) {
	t.Parallel()
	s, told := openSlow(t, lsptest.Script{}.Definition(t))
	text := "use nothing\n"
	enginetest.Do(t, s, api.Open, api.OpenRequest{File: "main.toy", Text: &text})
	first := s.Check(api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 3000})
	if !slices.ContainsFunc(first.Files[0].Servers, func(a result.Answer) bool { return a.Server == "slow" && a.Freshness == "indexing" }) {
		t.Errorf("%+v", first.Files[0].Servers)
	}
	enginetest.Do(t, s, api.Close, api.FileRequest{File: "main.toy"})
	s.Check(api.CheckRequest{Files: []string{"lib.toy"}, TimeoutMS: 20_000})
	if wasShown(t, told, "use nothing") {
		t.Error("the server was shown the text")
	}
}
