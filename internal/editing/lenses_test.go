package editing_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// offering is a server that offers lenses, actions and formatting in main.toy.
func offering(rules ...lsptest.Rule) lsptest.Script {
	return lsptest.Script{
		Capabilities: json.RawMessage(`{"codeLensProvider":{"resolveProvider":true},"codeActionProvider":true,"documentFormattingProvider":true,
			"executeCommandProvider":{"commands":["toy.run","toy.tidy"]},"renameProvider":null}`),
		Rules: rules,
	}
}

const twoLenses = `[
	{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"data":1},
	{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":10}},"command":{"title":"peek","command":"editor.peek","arguments":[7]}}]`

// Code lenses are listed by place, resolved; what only editors can execute is said.
// One is executed by its number or title, when that is confirmed.
func TestCodeLenses(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, offering(
		lsptest.On("textDocument/codeLens", lsptest.Reply(twoLenses)),
		lsptest.On("codeLens/resolve", lsptest.Reply(`{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"command":{"title":"run it","command":"toy.run","arguments":[{"a":1}]}}`)),
		lsptest.On("workspace/executeCommand", lsptest.Reply(`{"ran":true}`)),
	), lsptest.Project+"-- two.toy --\nuse helper\ndef b\n")
	got := enginetest.Do(t, s, api.CodeLenses, api.LensRequest{File: "two.toy"})
	want := []result.Lens{
		{Number: 1, Line: 1, Column: 5, EndLine: 1, Title: "peek", Server: "toy", Command: "editor.peek", Arguments: []json.RawMessage{json.RawMessage("7")}, Problem: "it is a command of editors, not of toy"},
		{Number: 2, Line: 2, Column: 1, EndLine: 2, Title: "run it", Server: "toy", Command: "toy.run", Arguments: []json.RawMessage{json.RawMessage(`{"a":1}`)}},
	}
	if diff := cmp.Diff(want, got.Lenses); diff != "" || got.Total != 2 {
		t.Error(diff)
	}
	if got := enginetest.Do(t, s, api.CodeLenses, api.LensRequest{File: "two.toy", Line: 2}); got.Total != 1 || got.Lenses[0].Number != 1 || got.Lenses[0].Title != "run it" {
		t.Errorf("of a line: %+v", got)
	}
	const gone = "there is no such code lens, but 2"
	for _, c := range []struct {
		req  api.ExecuteLensRequest
		err  func(error) bool
		want string
	}{
		{api.ExecuteLensRequest{File: "two.toy", Number: 2}, enginetest.Is[*editing.UnconfirmedError], "toy.run: a command of a server may do anything, so it has to be confirmed"},
		{api.ExecuteLensRequest{File: "two.toy", Confirm: true}, enginetest.Is[*editing.LensError], `code lens 1, "peek", cannot be executed: it is a command of editors, not of toy`},
		{api.ExecuteLensRequest{File: "two.toy", Number: 3, Confirm: true}, enginetest.Is[*editing.LensError], gone},
		{api.ExecuteLensRequest{File: "two.toy", Number: 2, Title: "peek", Confirm: true}, enginetest.Is[*editing.LensError], `code lens 2 is now "run it"`},
		{api.ExecuteLensRequest{File: "two.toy", Title: "nothing", Confirm: true}, enginetest.Is[*editing.LensError], gone},
		{api.ExecuteLensRequest{File: "two.toy", Number: 2, Title: "run it", Confirm: true}, nil, ""},
		{api.ExecuteLensRequest{File: "two.toy", Number: 2, Confirm: true}, nil, ""},
		{api.ExecuteLensRequest{File: "two.toy", Title: "run it", Confirm: true}, nil, ""},
		{api.ExecuteLensRequest{File: "two.toy", Line: 2, Confirm: true}, nil, ""},
	} {
		got, err := api.ExecuteLens.Do(t.Context(), s.Engine, c.req)
		switch {
		case c.err != nil && (!c.err(err) || err.Error() != c.want):
			t.Errorf("%+v: %v, want %s", c.req, err, c.want)
		case c.err == nil && (err != nil || got.Command != "toy.run" || got.Result != `{"ran":true}`):
			t.Errorf("%+v: %+v, %v", c.req, got, err)
		}
	}
}

// Of a lens that cannot be executed it is said why, in the list and to who would execute it.
func TestLensWithoutCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		resolved lsptest.Action
		problem  string
	}{
		{lsptest.Reply(`{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}}`), "it has no command"},
		{lsptest.ReplyError(-32603, "no tests here", ""), "codeLens/resolve: no tests here (-32603)"},
	} {
		s := enginetest.OpenToy(t, offering(
			lsptest.On("textDocument/codeLens", lsptest.Reply(`[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"data":1}]`)),
			lsptest.On("codeLens/resolve", c.resolved),
		), lsptest.Project+"-- two.toy --\nuse helper\ndef b\n")
		got := enginetest.Do(t, s, api.CodeLenses, api.LensRequest{File: "two.toy"})
		want := []result.Lens{{Number: 1, Line: 2, Column: 1, EndLine: 2, Server: "toy", Problem: c.problem}}
		if diff := cmp.Diff(want, got.Lenses); diff != "" {
			t.Error(diff)
		}
		_, err := api.ExecuteLens.Do(t.Context(), s.Engine, api.ExecuteLensRequest{File: "two.toy", Number: 1, Confirm: true})
		if !enginetest.Is[*editing.LensError](err) || !strings.HasSuffix(err.Error(), "cannot be executed: "+c.problem) {
			t.Errorf("%s: %v", c.problem, err)
		}
	}
}

// An action with an edit that changes nothing is its command, which is executed and
// whose edits are made.
func TestActionWithAnEmptyEdit(t *testing.T) {
	t.Parallel()
	for _, edit := range []string{`{}`, `{"changes":{}}`, `{"documentChanges":[]}`} {
		s := enginetest.OpenToy(t, offering(lsptest.On("textDocument/codeAction", lsptest.Reply(
			`[{"title":"tidy","kind":"source","edit":`+edit+`,"command":{"title":"tidy","command":"toy.tidy","arguments":["x"]}}]`)),
			lsptest.On("workspace/executeCommand", lsptest.Ask("workspace/applyEdit", `{"edit":{"changes":{}}}`), lsptest.Reply("null"))), lsptest.Project)
		list := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: api.Selector{File: "main.toy"}, WithEdits: true})
		if len(list.Actions) != 1 || list.Actions[0].Command != "toy.tidy" || len(list.Actions[0].Arguments) != 1 || list.Actions[0].Problem != "" || list.Actions[0].Edit != nil {
			t.Errorf("%s: %+v", edit, list.Actions)
		}
		done, err := api.Fixes.Do(t.Context(), s.Engine, api.FixesRequest{Selector: api.Selector{File: "main.toy"}, Apply: 1})
		if err != nil || !strings.Contains(done.Summary, "executed toy.tidy") {
			t.Errorf("%s: %+v, %v", edit, done, err)
		}
	}
}

// How a file would be formatted is told without writing it; a caller may choose the
// indentation.
func TestFormatEdits(t *testing.T) {
	t.Parallel()
	journal := t.TempDir() + "/journal"
	script := offering(lsptest.On("textDocument/formatting", lsptest.Reply(`[{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"newText":"  "}]`)))
	script.JournalFile = journal
	s := enginetest.OpenToy(t, script, lsptest.Project)
	before := s.Read("main.toy")
	got := enginetest.Do(t, s, api.FormatEdits, api.FormatEditsRequest{Area: api.Area{File: "main.toy"}, TabSize: 7, InsertSpaces: new(bool)})
	want := []result.TextEdit{{StartLine: 1, StartColumn: 4, EndLine: 1, EndColumn: 5, NewText: "  "}}
	if diff := cmp.Diff(want, got.Edits); diff != "" || s.Read("main.toy") != before || got.Path != "main.toy" {
		t.Errorf("%+v %s", got, diff)
	}
	if said, err := os.ReadFile(journal); err != nil || !strings.Contains(string(said), `"tabSize":7,"insertSpaces":false`) {
		t.Errorf("the server heard %s, %v", said, err)
	}
	_, err := api.FormatEdits.Do(t.Context(), s.Engine, api.FormatEditsRequest{Area: api.Area{File: "main.toy", StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 2}})
	if !enginetest.Is[*editing.NoFormatterError](err) {
		t.Errorf("a range: %v", err)
	}
}

// Whether a symbol can be renamed is not said of a server that does not rename.
func TestPrepareRenameWithoutRename(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, offering(), lsptest.Project)
	_, err := api.PrepareRename.Do(t.Context(), s.Engine, api.PrepareRenameRequest{Selector: api.Selector{At: "main.toy:1 helper"}})
	var unsupported *lsp.UnsupportedError
	if !errors.As(err, &unsupported) || unsupported.Method != "textDocument/rename" {
		t.Errorf("%v", err)
	}
	s = enginetest.OpenToy(t, lsptest.Script{Capabilities: json.RawMessage(`{"renameProvider":true}`)}, lsptest.Project)
	got := enginetest.Do(t, s, api.PrepareRename, api.PrepareRenameRequest{Selector: api.Selector{At: "main.toy:1 helper"}})
	want := result.PreparedRename{
		Path: "main.toy", Line: 1, Column: 5, EndLine: 1, EndColumn: 11, Placeholder: "helper",
		Head: result.Head{Notes: []string{"toy cannot say before; it may refuse the rename itself"}, Next: "rename at main.toy:1:5 with new_name"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Changes of files come as LSP writes them, too: a URI, and a number for what happened.
func TestChangesAsLSPWritesThem(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "main.toy"})
	s.Write("new.toy", "def more\n")
	raw := `{"changes":[{"uri":"` + fspath.Here.URI(filepath.Join(s.Folder, "new.toy")) + `","type":1},{"uri":"main.toy","type":"2"},{"file":"lib.toy","type":"changed"}]}`
	var done result.Done
	if err := s.Call(t.Context(), "notify_changed", json.RawMessage(raw), &done); err != nil || !strings.HasPrefix(done.Done, "told of 1 created, 2 changed, 0 deleted") {
		t.Errorf("%+v, %v", done, err)
	}
	for _, wrong := range []string{`{"changes":[{"uri":"main.toy","type":4}]}`, `{"changes":[{"uri":"main.toy","type":0}]}`, `{"changes":[{"uri":"main.toy","type":true}]}`} {
		if err := s.Call(t.Context(), "notify_changed", json.RawMessage(wrong), &done); !enginetest.Is[*api.ArgumentError](err) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// A command with a file is for a server of that file, which is started for it; without one only for
// a server that runs. A file outside, or one that no server serves,
// is refused as such.
func TestCommandsOfAFile(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, offering(lsptest.On("workspace/executeCommand", lsptest.Reply(`{"ran":true}`))), lsptest.Project+"-- plain.txt --\nx\n")
	run := func(file string) (string, error) {
		done, err := api.ExecuteCommand.Do(t.Context(), s.Engine, api.CommandRequest{Command: "toy.run", File: file, Confirm: true})
		return done.Result, err
	}
	if _, err := run(""); !enginetest.Is[*editing.UnknownCommandError](err) {
		t.Errorf("before any server runs: %v", err)
	}
	if _, err := run("plain.txt"); !enginetest.Is[*overlay.NoServerError](err) {
		t.Errorf("of a file that no server serves: %v", err)
	}
	if _, err := run("../main.toy"); !enginetest.Is[*workspace.OutsideWorkspaceError](err) {
		t.Errorf("of a file outside: %v", err)
	}
	for _, file := range []string{"main.toy", ""} {
		if got, err := run(file); got != `{"ran":true}` || err != nil {
			t.Errorf("of %q: %s, %v", file, got, err)
		}
	}
}
