package editing_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/symbols"
)

const (
	changing = `{"renameProvider":{"prepareProvider":true},"codeActionProvider":{"resolveProvider":true},"documentFormattingProvider":true,
	"executeCommandProvider":{"commands":["toy.fix","toy.far"]},"workspace":{"fileOperations":{"willRename":{},"didRename":{}}}}`
	named1     = `{"start":{"line":0,"character":4},"end":{"line":0,"character":10}}`
	toProposed = `[{"range":` + named1 + `,"newText":"other"}]`
)

// openRude opens a shop over the toy project, whose server declares all that leads
// to changes and has rules made of the replies: $main, $lib and $out are URIs of a
// file with a use, one with its definition, and one outside the workspace.
func openRude(t *testing.T, rules func(fill func(string) string) []lsptest.Rule) *enginetest.Shop {
	t.Helper()
	root := lsptest.Workspace(t, lsptest.Project)
	uri := func(name string) string { return string(protocol.URIFromPath(filepath.Join(root, name))) }
	fill := strings.NewReplacer("$main", uri("main.toy"), "$lib", uri("lib.toy"), "$out", uri("../out.toy"), "$new", uri("new.toy")).Replace
	script := lsptest.Script{JournalFile: root + ".journal", Capabilities: json.RawMessage(changing), Rules: rules(fill)}
	cfg := enginetest.Configure(t, root)
	cfg.Servers = registry.Table{script.Definition(t)}
	return enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
}

// untouched fails the test if the project is not as it was.
func untouched(s *enginetest.Shop) {
	s.T.Helper()
	if s.Read("main.toy") != "use helper\n" || s.Read("lib.toy") != "def helper\n" {
		s.T.Errorf("it was written: %q, %q", s.Read("main.toy"), s.Read("lib.toy"))
	}
}

func inLib(edits string) string { return `{"changes":{"$lib":` + edits + `}}` }

// What a server proposes is made as a whole or not at all: edits that touch each
// other, or places that are none, files outside, a text that is not the one on
// disk, an answer that is no edit, null; each with what is the matter.
func TestRudeRenames(t *testing.T) {
	t.Parallel()
	const prepared = `{"range":` + named1 + `,"placeholder":"helper"}`
	for name, c := range map[string]struct {
		prepare, rename string
		is              func(error) bool
	}{
		"null":          {prepared, `null`, enginetest.Is[*lsp.NotRenameableError]},
		"prepared null": {`null`, inLib(toProposed), enginetest.Is[*lsp.NotRenameableError]},
		"overlapping": {
			prepared, inLib(`[{"range":` + named1 + `,"newText":"a"},{"range":{"start":{"line":0,"character":6},"end":{"line":0,"character":11}},"newText":"b"}]`),
			enginetest.Is[*edit.OverlapError],
		},
		"past the end": {prepared, inLib(`[{"range":{"start":{"line":9,"character":0},"end":{"line":9,"character":1}},"newText":"a"}]`), enginetest.Is[*edit.RangeError]},
		"half outside": {prepared, `{"documentChanges":[{"textDocument":{"uri":"$lib","version":1},"edits":` + toProposed + `},{"textDocument":{"uri":"$out"},"edits":` + toProposed + `}]}`, enginetest.Is[*edit.OutsideError]},
		"no file":      {prepared, `{"changes":{"untitled:1":` + toProposed + `}}`, enginetest.Is[*editing.ImpossibleError]},
		"no edit":      {prepared, `{"documentChanges":[{"kind":"mystery"}]}`, enginetest.Is[*editing.ImpossibleError]},
		"half an edit": {prepared, inLib(`[{"range":` + named1 + `,"newText":"a"},{"newText":"b"}]`), enginetest.Is[*editing.ImpossibleError]},
		"another text": {prepared, `{"documentChanges":[{"textDocument":{"uri":"$lib","version":7},"edits":` + toProposed + `}]}`, enginetest.Is[*editing.MovedOnError]},
		"nothing":      {prepared, `{}`, enginetest.Is[*edit.NothingToChangeError]},
	} {
		t.Run(name, func(t *testing.T) {
			s := openRude(t, func(fill func(string) string) []lsptest.Rule {
				return []lsptest.Rule{
					lsptest.On("textDocument/prepareRename", lsptest.Reply(fill(c.prepare))),
					lsptest.On("textDocument/rename", lsptest.Reply(fill(c.rename))),
				}
			})
			enginetest.Do(t, s, api.Open, api.OpenRequest{File: "lib.toy"})
			_, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: "lib.toy:1:5"}, NewName: "other"})
			if err == nil || !c.is(err) || restate.Hint(err) == "" {
				t.Errorf("%v (%s)", err, restate.Hint(err))
			}
			untouched(s)
		})
	}
}

// A refusal of the server is the answer, in its words; one to prepare it, too.
func TestRefusalsOfTheServer(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"textDocument/prepareRename", "textDocument/rename"} {
		s := openRude(t, func(func(string) string) []lsptest.Rule {
			return []lsptest.Rule{
				lsptest.On("textDocument/prepareRename", lsptest.Reply(`{"defaultBehavior":true}`)),
				lsptest.On(method, lsptest.ReplyError(-32803, "other is taken here", "")),
			}
		})
		_, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: "lib.toy:1:5"}, NewName: "other"})
		if err == nil || !strings.Contains(err.Error(), "other is taken here") || !strings.Contains(err.Error(), "toy") {
			t.Errorf("%s: %v", method, err)
		}
		untouched(s)
	}
}

// What a server proposes may be in parts, make files and want to be confirmed.
func TestRenameWithAllItsParts(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{
			lsptest.On("textDocument/prepareRename", lsptest.Reply(`{"defaultBehavior":true}`)),
			lsptest.On("textDocument/rename", lsptest.Reply(fill(`{"documentChanges":[
				{"textDocument":{"uri":"$main","version":null},"edits":[{"range":`+named1+`,"newText":"other","annotationId":"a"}]},
				{"textDocument":{"uri":"$lib","version":1},"edits":`+toProposed+`},
				{"kind":"rename","oldUri":"$lib","newUri":"$new"}],
				"changeAnnotations":{"a":{"label":"In main","needsConfirmation":true,"description":"perhaps another"}}}`))),
		}
	})
	done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "lib.toy:1:5"}, NewName: "other"})
	if s.Read("main.toy") != "use other\n" || s.Read("new.toy") != "def other\n" || s.Exists("lib.toy") {
		t.Error(render.Brief(&done))
	}
	if want := "Renamed helper to other: 2 places in 2 files (lib.toy 1, main.toy 1)."; done.Summary != want {
		t.Errorf("%s", done.Summary)
	}
	if !strings.Contains(strings.Join(done.Notes, ", "), "wants this confirmed: In main perhaps another") || done.Changes[1].From != "lib.toy" || done.Changes[1].Replacements != 1 {
		t.Errorf("%+v", done)
	}
}

// A server is told of a file that moved after it has moved, before it hears of files or
// is asked what is wrong, and its edits for that are made before; those that name the
// file where it will be are refused. Of a rename within an edit it hears, too.
func TestRudeRenameOfAFile(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{
			// Each is asked for twice: whether anything must follow, and what.
			lsptest.OnNth("workspace/willRenameFiles", 1, lsptest.Reply(`null`)),
			lsptest.OnNth("workspace/willRenameFiles", 2, lsptest.Reply(`null`)),
			lsptest.OnNth("workspace/willRenameFiles", 3, lsptest.Reply(fill(`{"changes":{"$new":`+toProposed+`,"$main":`+toProposed+`}}`))),
			lsptest.OnNth("workspace/willRenameFiles", 4, lsptest.Reply(fill(`{"changes":{"$new":`+toProposed+`,"$main":`+toProposed+`}}`))),
			lsptest.OnNth("workspace/willRenameFiles", 5, lsptest.ReplyError(-32803, "not now", "")),
			lsptest.OnNth("workspace/willRenameFiles", 6, lsptest.ReplyError(-32803, "not now", "")),
		}
	})
	done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{File: "lib.toy"}, NewPath: "sub/lib.toy"})
	if !s.Exists("sub/lib.toy") || done.Summary != "Renamed lib.toy to sub/lib.toy." {
		t.Error(render.Brief(&done))
	}
	for range 2 {
		if _, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{File: "sub/lib.toy"}, NewPath: "new.toy"}); err == nil {
			t.Error("no error")
		}
	}
	if s.Exists("new.toy") || s.Read("main.toy") != "use helper\n" {
		t.Error("it was written")
	}
	enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "sub/lib.toy", RenameTo: "back.toy"}, {File: "main.toy", RenameTo: "first.toy"}}})
	var told, naming []string
	for _, entry := range lsptest.ReadJournal(t, s.Folder+".journal") {
		if entry.Method == "workspace/didRenameFiles" {
			told = append(told, string(entry.Params))
		}
		if strings.Contains(string(entry.Params), `/sub/lib.toy"`) {
			naming = append(naming, entry.Method)
		}
	}
	if len(told) != 2 || !strings.Contains(told[0], `/sub/lib.toy"`) || !strings.Contains(told[1], `/back.toy"`) || !strings.Contains(told[1], `/first.toy"`) {
		t.Errorf("told %q", told)
	}
	if got := strings.Join(naming, " "); !strings.HasPrefix(got, "workspace/willRenameFiles workspace/willRenameFiles workspace/didRenameFiles ") {
		t.Errorf("the moved file was named by %s", got)
	}
}

// An action that cannot be worked out, or brings nothing, or only a command that
// does nothing, says so; the list shows the others all the same.
func TestRudeActions(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{
			lsptest.On("textDocument/codeAction", lsptest.Reply(fill(`[
				{"title":"Unresolved","kind":"quickfix","data":1},
				{"title":"Made","kind":"quickfix","isPreferred":true,"edit":`+inLib(toProposed)+`},
				{"title":"Same","kind":"quickfix","edit":`+inLib(`[{"range":`+named1+`,"newText":"helper"}]`)+`},
				{"title":"Disabled","kind":"quickfix","disabled":{"reason":"not on Sundays"}},
				{"title":"Command","command":"toy.fix","arguments":["$lib"]},
				{"title":"Both","kind":"quickfix","edit":`+inLib(toProposed)+`,"command":{"title":"t","command":"toy.fix"}},
				{"title":"Editor","kind":"quickfix","edit":`+inLib(toProposed)+`,"command":{"title":"t","command":"editor.show"}},
				7,{"kind":"quickfix"}]`))),
			lsptest.On("codeAction/resolve", lsptest.ReplyError(-32603, "lost it", "")),
			lsptest.OnNth("workspace/executeCommand", 1, lsptest.Reply(`null`)),
			lsptest.OnNth("workspace/executeCommand", 2, lsptest.AskFirst("workspace/applyEdit", fill(`{"edit":{"changes":{"$main":`+toProposed+`}}}`)), lsptest.Reply(`{"n":1}`)),
		}
	})
	at := api.Selector{File: "lib.toy", Line: 1}
	list := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: at})
	var told []string
	for _, a := range list.Actions {
		told = append(told, fmt.Sprintf("%d %s %t%t %s%s%s", a.Number, a.Title, a.Preferred, a.Diff != "", a.Problem, a.Disabled, a.Command))
	}
	want := `1 Made truetrue |2 Unresolved falsefalse toy could not work out the action "Unresolved": codeAction/resolve: lost it (-32603)|` +
		`3 Same falsefalse it would change nothing|4 Both falsetrue |5 Editor falsetrue |6 Command falsefalse toy.fix|7 Disabled falsefalse not on Sundays`
	if got := strings.Join(told, "|"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for title, reason := range map[string]string{"Unresolved": "could not work out", "Disabled": "not on Sundays", "Same": "nothing would change"} {
		if _, err := api.Fixes.Do(t.Context(), s.Engine, api.FixesRequest{Selector: at, Title: title}); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", title, err)
		}
	}
	untouched(s)
	done := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: at, Title: "Command"})
	if done.Edit != nil || render.Brief(&done) != "toy executed toy.fix: it asked for no edit and answered nothing." {
		t.Errorf("a command: %s", render.Brief(&done))
	}
	both := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: at, Title: "Both"})
	if !both.Edit.Applied || both.Then == nil || !both.Then.Applied || s.Read("lib.toy") != "def other\n" || s.Read("main.toy") != "use other\n" {
		t.Errorf("both: %s", render.Brief(&both))
	}
	s.Write("lib.toy", "def helper\n")
	editor := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: at, Title: "Editor"})
	if !strings.Contains(strings.Join(editor.Edit.Notes, ", "), "not run: editor.show") {
		t.Errorf("for editors: %s", render.Brief(&editor))
	}
}

// A list that changed between two requests is noticed by the title.
func TestActionsThatChange(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		first, second := `{"title":"First","edit":`+inLib(toProposed)+`}`, `{"title":"Second","edit":`+inLib(toProposed)+`}`
		return []lsptest.Rule{
			lsptest.OnNth("textDocument/codeAction", 1, lsptest.Reply(fill("["+first+","+second+"]"))),
			{On: "textDocument/codeAction", Nth: 2, Times: 9, Do: []lsptest.Action{lsptest.Reply(fill("[" + second + "]"))}},
		}
	})
	req := api.FixesRequest{Selector: api.Selector{File: "lib.toy", Line: 1}}
	list := enginetest.Do(t, s, api.Fixes, req)
	req.Apply, req.Title = 1, list.Actions[0].Title
	_, err := api.Fixes.Do(t.Context(), s.Engine, req)
	var choice *editing.ChoiceError
	if !errors.As(err, &choice) || choice.Error() != `the list has changed: action 1 is now "Second"` || !strings.Contains(choice.Hint(), "1. Second") {
		t.Errorf("%v", err)
	}
	untouched(s)
}

// A command that does not answer ends with the deadline; the edit that it asked for
// is not made, and the next waits no longer than it may.
func TestCommandWithoutAnswer(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{
			lsptest.On("workspace/executeCommand", lsptest.Ask("workspace/applyEdit", fill(`{"edit":`+inLib(toProposed)+`}`)), lsptest.Hang()),
		}
	})
	s.Check(api.CheckRequest{Files: []string{"lib.toy"}}) // the server runs
	req := api.CommandRequest{Command: "toy.far", File: "lib.toy", Confirm: true, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 1000}}}
	_, err := api.ExecuteCommand.Do(t.Context(), s.Engine, req)
	if !enginetest.Is[*symbols.TimeoutError](err) {
		t.Errorf("%v", err)
	}
	if _, err = api.ExecuteCommand.Do(t.Context(), s.Engine, req); !enginetest.Is[*lsp.BusyError](err) {
		t.Errorf("after it: %v", err)
	}
	untouched(s)
	if result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Replacing("lib.toy", "helper", "other")}}); !result.Applied {
		t.Errorf("an edit after it: %s", render.Brief(&result))
	}
}

// A command that fails after it asked for edits changes nothing.
func TestCommandThatFails(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{
			lsptest.On("workspace/executeCommand", lsptest.AskFirst("workspace/applyEdit", fill(`{"edit":`+inLib(toProposed)+`}`)), lsptest.ReplyError(-32603, "it broke", "")),
		}
	})
	_, err := api.ExecuteCommand.Do(t.Context(), s.Engine, api.CommandRequest{Command: "toy.fix", File: "lib.toy", Confirm: true})
	if err == nil || !strings.Contains(err.Error(), "it broke") {
		t.Errorf("%v", err)
	}
	untouched(s)
}

// A command whose edits cannot be written fails, although the server answered it.
func TestCommandWhoseEditsCannotBeWritten(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{
			lsptest.On("workspace/executeCommand", lsptest.AskFirst("workspace/applyEdit", fill(`{"edit":`+inLib(toProposed)+`}`)), lsptest.Reply(`null`)),
		}
	})
	s = s.Reopen(func(o *enginetest.Options) { o.State = filepath.Join(s.Folder, "lib.toy") }) // no folder
	done, err := api.ExecuteCommand.Do(t.Context(), s.Engine, api.CommandRequest{Command: "toy.fix", File: "lib.toy", Confirm: true})
	if err == nil || done.Server != "" || done.Edit != nil {
		t.Errorf("%s: %v", render.Brief(&done), err)
	}
	untouched(s)
}

// Formatting that overlaps or is no edit is refused; null is formatted.
func TestRudeFormatting(t *testing.T) {
	t.Parallel()
	for reply, formatted := range map[string]bool{
		`null`: true, `[]`: true,
		`[{"range":` + named1 + `,"newText":"a"},{"range":` + named1 + `,"newText":"b"}]`: false,
		`[{"newText":"b"}]`: false, `{}`: false,
	} {
		s := openRude(t, func(func(string) string) []lsptest.Rule {
			return []lsptest.Rule{lsptest.On("textDocument/formatting", lsptest.Reply(reply))}
		})
		result, err := api.Format.Do(t.Context(), s.Engine, api.FormatRequest{Area: api.Area{File: "lib.toy"}})
		if (err == nil) != formatted || formatted && result.Summary != "lib.toy is already formatted." {
			t.Errorf("%s: %s, %v", reply, result.Summary, err)
		}
		untouched(s)
	}
}

// What a command edits is told like any edit: how many places of each file, and what the server
// wants confirmed.
func TestCommandTellsWhatItEdited(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{lsptest.On("workspace/executeCommand", lsptest.AskFirst("workspace/applyEdit", fill(`{"edit":{
			"changeAnnotations":{"risky":{"label":"Renames","needsConfirmation":true,"description":"in a comment"}},
			"documentChanges":[{"textDocument":{"uri":"$lib","version":null},"edits":[
				{"range":`+named1+`,"newText":"other","annotationId":"risky"},
				{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"newText":"use"}]}]}}`)), lsptest.Reply(`null`))}
	})
	s.Check(api.CheckRequest{Files: []string{"lib.toy", "main.toy"}}) // what is on disk may be as young as the server
	done := enginetest.Do(t, s, api.ExecuteCommand, api.CommandRequest{Command: "toy.fix", File: "lib.toy", Confirm: true})
	if done.Edit == nil {
		t.Fatal(render.Brief(&done))
	}
	places := make(map[string]int)
	for _, c := range done.Edit.Changes {
		places[c.Path] = c.Replacements
	}
	if diff := cmp.Diff(map[string]int{"lib.toy": 2}, places); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"the server wants this confirmed: Renames in a comment"}, done.Edit.Notes); diff != "" {
		t.Error(diff)
	}
}

// Actions are asked for at what the request names: a symbol, a pattern or a column is one place, a
// line or a range all of it, and a file alone the whole file.
func TestWhereActionsAreAskedFor(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(func(string) string) []lsptest.Rule {
		return []lsptest.Rule{lsptest.On("textDocument/codeAction", lsptest.Reply("[]"))}
	})
	s.Write("lib.toy", "def helper\ndef more\n")
	for name, c := range map[string]struct {
		req  api.FixesRequest
		want string
	}{
		"a symbol":  {api.FixesRequest{Selector: api.Selector{File: "lib.toy", Symbol: "more"}}, "1:4-1:4"},
		"a pattern": {api.FixesRequest{Selector: api.Selector{File: "lib.toy", Pattern: "def @@more"}}, "1:4-1:4"},
		"a column":  {api.FixesRequest{Selector: api.Selector{File: "lib.toy", Line: 2, Column: 5}}, "1:4-1:4"},
		"a place":   {api.FixesRequest{Selector: api.Selector{At: "lib.toy:2:5"}}, "1:4-1:4"},
		"a line":    {api.FixesRequest{Selector: api.Selector{At: "lib.toy:2"}}, "1:0-1:8"},
		"a range":   {api.FixesRequest{Selector: api.Selector{File: "lib.toy"}, StartLine: 1, EndLine: 2}, "0:0-1:8"},
		"a file":    {api.FixesRequest{Selector: api.Selector{File: "lib.toy"}}, "0:0-2:0"},
	} {
		seen := len(lsptest.ReadJournal(t, s.Folder+".journal"))
		enginetest.Do(t, s, api.Fixes, c.req)
		var got string // the last one; those before it are for diagnostics
		for _, e := range lsptest.ReadJournal(t, s.Folder+".journal")[seen:] {
			if e.Method != "textDocument/codeAction" {
				continue
			}
			var p struct{ Range protocol.Range }
			if err := json.Unmarshal(e.Params, &p); err != nil {
				t.Fatal(err)
			}
			got = fmt.Sprintf("%d:%d-%d:%d", p.Range.Start.Line, p.Range.Start.Character, p.Range.End.Line, p.Range.End.Character)
		}
		if got != c.want {
			t.Errorf("%s: asked for %s, want %s", name, got, c.want)
		}
	}
}

// A rename leaves out the files that the caller excludes, and says how many places they have.
//
// Requirement: AGENT-10.
func TestRenameTellsWhatItLeftOut(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{
			lsptest.On("textDocument/prepareRename", lsptest.Reply(`{"defaultBehavior":true}`)),
			lsptest.On("textDocument/rename", lsptest.Reply(fill(`{"changes":{"$lib":`+toProposed+`,"$main":`+toProposed+`}}`))),
		}
	})
	done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "lib.toy:1:5"}, NewName: "other", ExcludeGlobs: []string{"main.*"}})
	if s.Read("lib.toy") != "def other\n" || s.Read("main.toy") != "use helper\n" {
		t.Errorf("%q, %q", s.Read("lib.toy"), s.Read("main.toy"))
	}
	if diff := cmp.Diff([]string{"left out by exclude_globs: 1 place in 1 file (main.toy 1)"}, done.Notes); diff != "" {
		t.Error(diff)
	}
}
