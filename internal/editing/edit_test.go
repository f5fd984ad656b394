package editing_test

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// What cannot be meant, or is not what the caller saw, is refused with a way out,
// and nothing is written.
//
// Requirement: AGENT-18.
func TestEditRefuses(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	before := s.Read("main.toy")
	text, none := "x", ""
	for _, c := range []struct {
		edits []api.FileEdit
		is    func(error) bool
		want  string
	}{
		{nil, enginetest.Is[*api.ArgumentError], "it is empty"},
		{[]api.FileEdit{{File: "main.toy"}}, enginetest.Is[*api.ArgumentError], "says no change"},
		{[]api.FileEdit{{File: "main.toy", Content: &text, Delete: true}}, enginetest.Is[*api.ArgumentError], "several changes: content, delete"},
		{[]api.FileEdit{{Content: &text}}, enginetest.Is[*api.ArgumentError], "edits[0].file"},
		{[]api.FileEdit{{File: "main.toy", OldText: &text}}, enginetest.Is[*api.ArgumentError], "edits[0].new_text"},
		{[]api.FileEdit{{File: "main.toy", Range: &api.Span{StartLine: 2, StartColumn: 1, EndLine: 1, EndColumn: 1}, NewText: &text}}, enginetest.Is[*api.ArgumentError], "ends before"},
		{[]api.FileEdit{enginetest.Replacing("main.toy", "use helpr", "use other")}, enginetest.Is[*edit.NoMatchError], "use helper"},
		{[]api.FileEdit{enginetest.Replacing("main.toy", "e", "f")}, enginetest.Is[*edit.AmbiguousMatchError], "3 times"},
		{[]api.FileEdit{enginetest.Replacing("main.toy", none, "f")}, enginetest.Is[*edit.InvalidEditError], ""},
		{[]api.FileEdit{enginetest.Replacing("nain.toy", "use", "f")}, enginetest.Is[*edit.NotFoundError], "main.toy"},
		{[]api.FileEdit{enginetest.Writing("../out.toy", "x")}, enginetest.Is[*edit.OutsideError], "outside"},
		{[]api.FileEdit{enginetest.Writing(".git/config", "x")}, enginetest.Is[*edit.ProtectedError], ".git"},
		{[]api.FileEdit{enginetest.Writing(".hg/hgrc", "x")}, enginetest.Is[*edit.ProtectedError], ".hg"},
		{[]api.FileEdit{{File: "main.toy", RenameTo: "sub/.jj/x"}}, enginetest.Is[*edit.ProtectedError], ".jj"},
		{[]api.FileEdit{{File: "main.toy", Content: &text, ExpectHash: "0123456789abcdef"}}, enginetest.Is[*edit.StaleError], "changed since"},
		{[]api.FileEdit{enginetest.Writing("main.toy", before)}, enginetest.Is[*edit.NothingToChangeError], "nothing"},
		{[]api.FileEdit{enginetest.Writing("lib.toy", "def other\n"), {Patch: "not a patch"}}, enginetest.Is[*edit.PatchError], "edits[1]: "},
		{[]api.FileEdit{enginetest.Replacing("main.toy", "absent", "f"), enginetest.Writing("lib.toy", "def other\n")}, enginetest.Is[*edit.NoMatchError], "edits[0]: "},
		{[]api.FileEdit{enginetest.Writing("lib.toy", "def other\n"), {File: "main.toy", Content: &text, ExpectHash: "0123456789abcdef"}}, enginetest.Is[*edit.StaleError], "edits[1]: "},
		{[]api.FileEdit{{WorkspaceEdit: []byte(`[]`)}}, enginetest.Is[*api.ArgumentError], "workspace_edit"},
	} {
		_, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: c.edits})
		if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %T %v", c.edits, err, err)
		}
		if len(c.edits) == 1 && !enginetest.Is[*api.ArgumentError](err) && strings.Contains(err.Error(), "edits[") {
			t.Errorf("of one edit: %v", err)
		}
	}
	if _, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("main.toy", "x")}, Writing: api.Writing{Mode: "try"}}); !enginetest.Is[*api.ArgumentError](err) {
		t.Errorf("mode: %v", err)
	}
	if s.Read("main.toy") != before || s.Read("lib.toy") != "def helper\n" {
		t.Error("something was written")
	}
}
