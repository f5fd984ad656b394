package editing_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// Every way to say an edit makes it, and its summary says in one line what was, or would be, done to which files.
func TestEditsAreSummarized(t *testing.T) {
	t.Parallel()
	text, empty := "use helper\nuse helper\n", ""
	for name, c := range map[string]struct {
		edit          func(s *enginetest.Shop) []api.FileEdit
		applied, not  string
		file, content string
	}{
		"a new file": {
			func(*enginetest.Shop) []api.FileEdit {
				return []api.FileEdit{enginetest.Writing("new.toy", "def new\ndef more\n")}
			},
			"Created new.toy (2 lines).", "Preview, nothing is written: creation of new.toy (2 lines).", "new.toy", "def new\ndef more\n",
		},
		"all occurrences": {
			func(*enginetest.Shop) []api.FileEdit {
				e := enginetest.Replacing("two.toy", "use", "def")
				e.ReplaceAll = true
				return []api.FileEdit{e}
			},
			"Edit applied to two.toy (2 replacements).", "Preview, nothing is written: edit of two.toy (2 replacements).", "two.toy", "def helper\ndef helper\n",
		},
		"a range": {
			func(*enginetest.Shop) []api.FileEdit {
				return []api.FileEdit{{File: "two.toy", Range: &api.Span{StartLine: 1, StartColumn: 1, EndLine: 2, EndColumn: 1}, NewText: &empty}}
			},
			"Edit applied to two.toy (+0 -1 lines).", "Preview, nothing is written: edit of two.toy (+0 -1 lines).", "two.toy", "use helper\n",
		},
		"a workspace edit": {
			func(s *enginetest.Shop) []api.FileEdit {
				at := map[string]any{"start": protocol.Position{Line: 1}, "end": protocol.Position{Line: 2}}
				raw, err := json.Marshal(map[string]any{"changes": map[string]any{string(protocol.URIFromPath(filepath.Join(s.Folder, "two.toy"))): []any{map[string]any{"range": at, "newText": "def more\n"}}}})
				if err != nil {
					t.Error(err)
				}
				return []api.FileEdit{{WorkspaceEdit: raw}}
			},
			"Edit applied to two.toy (+1 -1 lines).", "Preview, nothing is written: edit of two.toy (+1 -1 lines).", "two.toy", "use helper\ndef more\n",
		},
		"a deletion": {
			func(*enginetest.Shop) []api.FileEdit { return []api.FileEdit{{File: "two.toy", Delete: true}} },
			"Deleted two.toy.", "Preview, nothing is written: deletion of two.toy.", "", "",
		},
		"a move": {
			func(*enginetest.Shop) []api.FileEdit {
				return []api.FileEdit{{File: "two.toy", RenameTo: "sub/three.toy"}}
			},
			"Renamed two.toy to sub/three.toy.", "Preview, nothing is written: renaming of two.toy to sub/three.toy.", "sub/three.toy", text,
		},
		"several files": {
			func(*enginetest.Shop) []api.FileEdit {
				return []api.FileEdit{enginetest.Writing("new.toy", "def new\n"), {File: "two.toy", Delete: true}}
			},
			"Edit applied to 2 files: new.toy, two.toy.", "Preview, nothing is written: edit of 2 files: new.toy, two.toy.", "new.toy", "def new\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project+"-- two.toy --\n"+text)
			preview := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: c.edit(s), Writing: api.Writing{Mode: api.Preview}})
			if diff := cmp.Diff(c.not, preview.Summary); diff != "" {
				t.Errorf("of a preview (-want +got):\n%s", diff)
			}
			if s.Read("two.toy") != text {
				t.Error("the preview wrote")
			}
			applied := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: c.edit(s)})
			if diff := cmp.Diff(c.applied, applied.Summary); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if c.file != "" {
				if diff := cmp.Diff(c.content, s.Read(c.file)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", c.file, diff)
				}
			}
		})
	}
}

// A request that lacks something, or says two things, is refused with the argument that is wrong and what it may be.
func TestWrongRequests(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	text := "x"
	span := func(list ...api.OneBased) *api.Span {
		return &api.Span{StartLine: list[0], StartColumn: list[1], EndLine: list[2], EndColumn: list[3]}
	}
	edit := func(f api.FileEdit) func() error {
		return func() error {
			_, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: []api.FileEdit{f}})
			return err
		}
	}
	rename := func(r api.RenameRequest) func() error {
		return func() error { _, err := api.Rename.Do(t.Context(), s.Engine, r); return err }
	}
	at := api.Selector{At: "main.toy:1:5"}
	for name, c := range map[string]struct {
		ask  func() error
		want string
	}{
		"a hash of no file":       {edit(api.FileEdit{Patch: "x", ExpectHash: "12"}), "edits[0].expect_hash"},
		"line 0":                  {edit(api.FileEdit{File: "main.toy", Range: span(0, 1, 1, 1), NewText: &text}), "edits[0].range"},
		"column 0":                {edit(api.FileEdit{File: "main.toy", Range: span(1, 0, 1, 1), NewText: &text}), "edits[0].range"},
		"an end in line 0":        {edit(api.FileEdit{File: "main.toy", Range: span(1, 1, 0, 1), NewText: &text}), "edits[0].range"},
		"an end in column 0":      {edit(api.FileEdit{File: "main.toy", Range: span(1, 1, 1, 0), NewText: &text}), "edits[0].range"},
		"an end before the start": {edit(api.FileEdit{File: "main.toy", Range: span(1, 2, 1, 1), NewText: &text}), "edits[0].range"},
		"two new names":           {rename(api.RenameRequest{Selector: at, NewName: "a", NewPath: "b.toy"}), "new_path"},
		"no new name":             {rename(api.RenameRequest{Selector: at}), "new_name"},
		"no glob":                 {rename(api.RenameRequest{Selector: at, NewName: "a", ExcludeGlobs: []string{"b", ""}}), "exclude_globs[1]"},
		"a broken glob":           {rename(api.RenameRequest{Selector: at, NewName: "a", ExcludeGlobs: []string{"[b"}}), "exclude_globs[0]"},
		"no command":              {func() error { _, err := api.ExecuteCommand.Do(t.Context(), s.Engine, api.CommandRequest{}); return err }, "command"},
		"no file to format":       {func() error { _, err := api.Format.Do(t.Context(), s.Engine, api.FormatRequest{}); return err }, "file"},
		"no file of lenses":       {func() error { _, err := api.CodeLenses.Do(t.Context(), s.Engine, api.LensRequest{}); return err }, "file"},
		"no file of edits": {func() error {
			_, err := api.FormatEdits.Do(t.Context(), s.Engine, api.FormatEditsRequest{})
			return err
		}, "file"},
		"tabs of no columns": {func() error {
			_, err := api.FormatEdits.Do(t.Context(), s.Engine, api.FormatEditsRequest{Area: api.Area{File: "main.toy"}, TabSize: -1})
			return err
		}, "tab_size"},
		"the file's own place": {rename(api.RenameRequest{Selector: api.Selector{File: "main.toy"}, NewPath: "./main.toy"}), "new_path"},
		"no action with a symbol": {func() error {
			_, err := api.EditSymbol.Do(t.Context(), s.Engine, api.EditSymbolRequest{Selector: at})
			return err
		}, "action"},
	} {
		var wrong *api.ArgumentError
		if err := c.ask(); !errors.As(err, &wrong) || wrong.Argument != c.want || wrong.Advice == "" {
			t.Errorf("%s: %v is not about %s", name, err, c.want)
		}
	}
	if s.Read("main.toy") != "use helper\n" {
		t.Error("something was written")
	}
}

// A file that moves to a folder keeps its name there; one that is not there does not move.
func TestFilesThatMoveToFolders(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	for to, want := range map[string]string{"sub/": "sub/main.toy", "sub/other.toy": "sub/other.toy", "./": ""} {
		answer, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{File: "main.toy"}, NewPath: to, Writing: api.Writing{Mode: api.Preview}})
		got := ""
		if err == nil {
			got = answer.Changes[0].Path
		}
		if got != want {
			t.Errorf("to %s: %q, %v, want %q", to, got, err, want)
		}
	}
	_, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{File: "none.toy"}, NewPath: "sub/"})
	if failure := result.ErrorOf(err); failure == nil || failure.Kind != result.NotFound {
		t.Errorf("what is not there: %v", err)
	}
}

// What cannot be found is not prepared to be renamed, and the reason is told.
//
// Requirement: AGENT-10.
func TestRenameOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	answer, err := api.PrepareRename.Do(t.Context(), s.Engine, api.PrepareRenameRequest{Selector: api.Selector{At: "main.toy:99:1"}})
	const want = "line: 99 is past the end of main.toy, which has 2 lines"
	if err == nil || err.Error() != want || answer.Path != "" {
		t.Errorf("%+v, %v, want %s", answer, err, want)
	}
}
