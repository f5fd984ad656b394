package editing_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Files that have the old name and stay as they are are told, at most eight, where the name is not private to a file
// and nobody excluded them; a rename that leaves out all files is refused.
func TestFilesThatARenameLeaves(t *testing.T) {
	t.Parallel()
	const both, one = `{"changes":{"$lib":` + toProposed + `,"$main":` + toProposed + `}}`, `{"changes":{"$lib":` + toProposed + `}}`
	type told struct {
		Notes        []string
		Summary      string
		Replacements map[string]int
		Err          string
	}
	renamed := func(places string) string {
		return "Preview, nothing is written: renaming of helper to other: " + places + "."
	}
	twice, once := renamed("2 places in 2 files (lib.toy 1, main.toy 1)"), renamed("1 place in 1 file (lib.toy 1)")
	stands := func(files string) []string {
		return []string{"helper stands also in files that toy leaves as they are: " + files}
	}
	nine := []string{"more1.toy"}
	for n := range 8 {
		nine = append(nine, fmt.Sprintf("more%d.toy", n+2))
	}
	for name, c := range map[string]struct {
		others   []string
		reply    string
		excluded []string
		want     told
	}{
		"none":                   {nil, both, nil, told{nil, twice, map[string]int{"lib.toy": 1, "main.toy": 1}, ""}},
		"one":                    {[]string{"more.toy"}, both, nil, told{stands("more.toy"), twice, map[string]int{"lib.toy": 1, "main.toy": 1}, ""}},
		"eight":                  {nine[:8], both, nil, told{stands(strings.Join(nine[:8], ", ")), twice, map[string]int{"lib.toy": 1, "main.toy": 1}, ""}},
		"nine":                   {nine, both, nil, told{stands(strings.Join(nine[:8], ", ") + ", 1 more"), twice, map[string]int{"lib.toy": 1, "main.toy": 1}, ""}},
		"of another kind":        {[]string{"more.txt"}, both, nil, told{nil, twice, map[string]int{"lib.toy": 1, "main.toy": 1}, ""}},
		"one that is excluded":   {[]string{"more.toy"}, both, []string{"more.*"}, told{nil, twice, map[string]int{"lib.toy": 1, "main.toy": 1}, ""}},
		"the name is private":    {[]string{"more.toy"}, one, nil, told{nil, once, map[string]int{"lib.toy": 1}, ""}},
		"a user is excluded":     {nil, both, []string{"main.toy"}, told{[]string{"left out by exclude_globs: 1 place in 1 file (main.toy 1)"}, once, map[string]int{"lib.toy": 1}, ""}},
		"everything is excluded": {nil, both, []string{"*.toy"}, told{Err: "exclude_globs: they leave out all: 2 places in 2 files (lib.toy 1, main.toy 1)"}},
	} {
		s := openRude(t, func(fill func(string) string) []lsptest.Rule {
			return []lsptest.Rule{
				lsptest.On("textDocument/prepareRename", lsptest.Reply(`{"range":`+named1+`}`)),
				lsptest.On("textDocument/rename", lsptest.Reply(fill(c.reply))),
			}
		})
		for _, other := range c.others {
			s.Write(other, "use helper\n")
		}
		s.Write("unrelated.toy", "use helpers\n")
		answer, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: "lib.toy:1:5"}, NewName: "other", ExcludeGlobs: c.excluded, Writing: api.Writing{Mode: api.Preview}})
		got := told{Notes: answer.Notes, Summary: answer.Summary}
		for _, change := range answer.Changes {
			if got.Replacements == nil {
				got.Replacements = make(map[string]int)
			}
			got.Replacements[change.Path] = change.Replacements
		}
		if err != nil {
			got.Err = err.Error()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		untouched(s)
	}
}

// Before a rename it is told what would be renamed: what the server says stands there, by its place, its name or both,
// else the name at the place.
func TestWhatWouldBeRenamed(t *testing.T) {
	t.Parallel()
	prepared := func(line, column, end uint32, placeholder string) result.PreparedRename {
		return result.PreparedRename{
			Path: "lib.toy", Line: line, Column: column, EndLine: line, EndColumn: end, Placeholder: placeholder,
			Head: result.Head{Next: fmt.Sprintf("rename at lib.toy:%d:%d with new_name", line, column)},
		}
	}
	for reply, want := range map[string]result.PreparedRename{
		`{"defaultBehavior":true}`:                                          prepared(1, 5, 11, "helper"),
		`{"range":` + named1 + `}`:                                          prepared(1, 5, 11, "helper"),
		`{"range":` + named1 + `,"placeholder":"::helper"}`:                 prepared(1, 5, 11, "::helper"),
		`{"start":{"line":0,"character":5},"end":{"line":0,"character":8}}`: prepared(1, 6, 9, "elp"),
	} {
		s := openRude(t, func(func(string) string) []lsptest.Rule {
			return []lsptest.Rule{lsptest.On("textDocument/prepareRename", lsptest.Reply(reply))}
		})
		if diff := cmp.Diff(want, enginetest.Do(t, s, api.PrepareRename, api.PrepareRenameRequest{Selector: api.Selector{At: "lib.toy:1:6"}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reply, diff)
		}
	}
}

// A command that an action brings besides its edit is run only when the edit is made, and what comes of it is told;
// an action that is a command alone has no preview.
func TestCommandsOfActions(t *testing.T) {
	t.Parallel()
	const edited, unedited = `{"title":"Act","kind":"quickfix","edit":{"changes":{"$lib":` + toProposed + `}},"command":{"title":"t","command":"toy.fix"}}`, `{"title":"Act","kind":"quickfix","command":{"title":"t","command":"toy.fix"}}`
	type outcome struct {
		Notes               []string
		Edit, Summary, Then string
		Err                 string
	}
	const applied = `Applied "Act" in lib.toy.`
	for name, c := range map[string]struct {
		action, mode string
		run          []lsptest.Action
		want         outcome
	}{
		"a preview":             {edited, api.Preview, nil, outcome{Notes: []string{"after its edit the action runs a command, here not run: toy.fix"}, Edit: `Preview, nothing is written: application of "Act" in lib.toy.`}},
		"it does nothing":       {edited, api.Apply, []lsptest.Action{lsptest.Reply("null")}, outcome{Notes: []string{"toy executed toy.fix: it asked for no edit and answered nothing."}, Edit: applied}},
		"it fails":              {edited, api.Apply, []lsptest.Action{lsptest.ReplyError(-32603, "it broke", "")}, outcome{Notes: []string{"the edit is made, but then: toy refuses to execute toy.fix: it broke"}, Edit: applied}},
		"it edits":              {edited, api.Apply, []lsptest.Action{lsptest.AskFirst("workspace/applyEdit", `{"edit":{"changes":{"$main":`+toProposed+`}}}`), lsptest.Reply("null")}, outcome{Edit: applied, Then: `Applied "Act" in main.toy.`}},
		"a command, in preview": {unedited, api.Preview, nil, outcome{Err: `"Act" is a command, toy.fix: what it changes is known only when it is run, so there is no preview`}},
		"a command":             {unedited, api.Apply, []lsptest.Action{lsptest.Reply("7")}, outcome{Summary: "toy executed toy.fix: it asked for no edit."}},
		"a command that fails":  {unedited, api.Apply, []lsptest.Action{lsptest.ReplyError(-32603, "it broke", "")}, outcome{Err: "toy refuses to execute toy.fix: it broke"}},
		"nothing at all":        {`{"title":"Act","kind":"quickfix"}`, api.Apply, nil, outcome{Err: `"Act" brings neither an edit nor a command`}},
	} {
		s := openRude(t, func(fill func(string) string) []lsptest.Rule {
			for i := range c.run {
				c.run[i].JSON = []byte(fill(string(c.run[i].JSON)))
			}
			return []lsptest.Rule{
				lsptest.On("textDocument/codeAction", lsptest.Reply(fill("["+c.action+"]"))), lsptest.On("codeAction/resolve", lsptest.Reply(fill(c.action))),
				lsptest.On("workspace/executeCommand", c.run...),
			}
		})
		done, err := api.Fixes.Do(t.Context(), s.Engine, api.FixesRequest{Selector: api.Selector{File: "lib.toy", Line: 1}, Apply: 1, Writing: api.Writing{Mode: c.mode}})
		got := outcome{Summary: done.Summary}
		if done.Edit != nil {
			got.Notes, got.Edit = done.Edit.Notes, done.Edit.Summary
		}
		if done.Then != nil {
			got.Then = done.Then.Summary
		}
		if err != nil {
			got.Err = err.Error()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of many actions the first are listed with their diffs, and of many diagnostics the first are asked about.
func TestManyActions(t *testing.T) {
	t.Parallel()
	const most = 24
	for _, diagnosed := range []int{most, most + 1} {
		s := openRude(t, func(fill func(string) string) []lsptest.Rule {
			var list []string
			for n := range most + 2 {
				list = append(list, fill(fmt.Sprintf(`{"title":"Act %d","kind":"quickfix","edit":{"changes":{"$lib":`+toProposed+`}}}`, n)))
			}
			return []lsptest.Rule{lsptest.On("textDocument/codeAction", lsptest.Reply("["+strings.Join(list, ",")+"]"))}
		})
		s.Write("lib.toy", "def helper\n"+strings.Repeat("ERROR wrong\n", diagnosed))
		list := enginetest.Do(t, s, api.Fixes, api.FixesRequest{Selector: api.Selector{File: "lib.toy"}, Only: []string{"quickfix"}, Writing: api.Writing{Limits: api.Limits{MaxBytes: math.MaxInt32}}})
		diffs := 0
		for i, a := range list.Actions {
			if (a.Diff != "") != (i < most) || a.Problem != "" || a.Number != i+1 {
				t.Errorf("action %d of %d: %+v", i+1, len(list.Actions), a)
			}
			if a.Diff != "" {
				diffs++
			}
		}
		if len(list.Actions) != most+2 || list.Total != most+2 || diffs != most || len(list.Actions[0].Mends) != most {
			t.Errorf("%d actions of %d, %d diffs, the first mends %d", len(list.Actions), list.Total, diffs, len(list.Actions[0].Mends))
		}
		var want []string
		if diagnosed > most {
			want = []string{"only the first 24 diagnostics are asked about; name a line or a diagnostic"}
		}
		if diff := cmp.Diff(want, list.Notes); diff != "" {
			t.Errorf("of %d (-want +got):\n%s", diagnosed, diff)
		}
		asked := 0
		for _, e := range lsptest.ReadJournal(t, s.Folder+".journal") {
			if e.Method == "textDocument/codeAction" {
				asked++
			}
		}
		if asked != most {
			t.Errorf("of %d diagnostics %d were asked about", diagnosed, asked)
		}
	}
}

// An action of a place that is none is not applied, and the reason is that of the place.
func TestActionOfNoPlace(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(fill func(string) string) []lsptest.Rule {
		return []lsptest.Rule{lsptest.On("textDocument/codeAction", lsptest.Reply(fill(`[{"title":"Act","edit":{"changes":{"$lib":`+toProposed+`}}}]`)))}
	})
	for _, apply := range []api.OneBased{0, 1} {
		_, err := api.Fixes.Do(t.Context(), s.Engine, api.FixesRequest{Selector: api.Selector{File: "lib.toy", Line: 99}, Apply: apply})
		if !enginetest.Is[*api.ArgumentError](err) || err.Error() != "start_line: 99 is past the end: the file has 2 lines" {
			t.Errorf("apply %d: %v", apply, err)
		}
	}
	untouched(s)
}
