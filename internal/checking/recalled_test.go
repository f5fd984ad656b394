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
)

// A preview whose deadline passes while the server starts leaves nothing behind: the server is not
// shown the draft once it runs.
func TestPreviewGivenUpWhileTheServerStarts(t *testing.T) {
	t.Parallel()
	told := filepath.Join(t.TempDir(), "told")
	script := lsptest.Script{JournalFile: told, Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Pause(1500))}}
	root := lsptest.Workspace(t, lsptest.Project)
	cfg := enginetest.Configure(t, root)
	cfg.Servers = registry.Table{script.Definition(t)}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
	preview, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{
		Edits:   []api.FileEdit{enginetest.Writing("draft.toy", "def helper\nuse nothing\n"), enginetest.Writing("lib.toy", "def other\n")},
		Writing: api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 300}},
	})
	if err != nil || preview.Verdict != "unknown" {
		t.Fatalf("verdict %q, error %v", preview.Verdict, err)
	}
	if check := s.Check(api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 20_000}); check.Verdict != "clean" {
		t.Errorf("verdict %q", check.Verdict)
	}
	shown := slices.ContainsFunc(lsptest.ReadJournal(t, told), func(e lsptest.Entry) bool {
		return strings.HasPrefix(e.Method, "textDocument/did") && (strings.Contains(string(e.Params), "draft.toy") || strings.Contains(string(e.Params), "def other"))
	})
	if shown {
		t.Error("the server was shown the draft")
	}
}

// Nor is it shown the former text of a file that is gone, for the comparison of a check that was
// given up.
func TestCheckGivenUpWhileTheServerStarts(t *testing.T) {
	t.Parallel()
	script := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Pause(1500))}}
	root := lsptest.Workspace(t, lsptest.Project)
	cfg := enginetest.Configure(t, root)
	cfg.Servers = registry.Table{script.Definition(t)}
	s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Remove("lib.toy")
	if first := s.Check(api.CheckRequest{Baseline: "head", TimeoutMS: 300}); first.Verdict != "unknown" {
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
