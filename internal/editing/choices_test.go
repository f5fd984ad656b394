package editing

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// editorOf is an editor of a new workspace.
func editorOf(t *testing.T, archive string) (e *Editor, root string) {
	t.Helper()
	root = lsptest.Workspace(t, archive)
	w, err := workspace.Open(workspace.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	return New(Options{Workspace: w, Names: w.Names("")}), root
}

// Each error says what is wrong, what to do about it, and what kind of failure it is.
func TestErrorsOfEditing(t *testing.T) {
	titles := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint("t", i+1))
		}
		return list
	}
	outside := &edit.OutsideError{Path: "f", Roots: []string{"/w"}}
	for _, c := range []struct {
		err interface {
			error
			Hint() string
		}
		text, hint string
		kind       result.Kind
	}{
		{&UnknownCommandError{"fly", nil, nil}, "fly: no server runs that could declare it", "give a file: its server is started", result.Argument},
		{&UnknownCommandError{"fly", []string{"gopls", "toy"}, titles(2)}, "fly: not declared by gopls, toy", "declared: t1, t2", result.Argument},
		{&UnknownCommandError{"fly", []string{"toy"}, titles(12)}, "fly: not declared by toy", "declared: " + strings.Join(titles(12), ", "), result.Argument},
		{&UnknownCommandError{"fly", []string{"toy"}, titles(14)}, "fly: not declared by toy", "declared: " + strings.Join(titles(12), ", ") + " and 2 more", result.Argument},
		{&ChoiceError{"none", nil}, "none", "fixes without apply lists the actions with their diffs", result.Argument},
		{&ChoiceError{"none", titles(2)}, "none", "fixes without apply lists the actions with their diffs\n  1. t1\n  2. t2", result.Argument},
		{&LensError{"none", titles(2)}, "none", "code_lenses lists them\n  1. t1\n  2. t2", result.Argument},
		{&MovedOnError{"toy", "f"}, "f: the edit of toy is for another text than the one on disk", "nothing was changed; ask again", result.Stale},
		{&ImpossibleError{"toy", errors.New("no")}, "what toy proposes cannot be made: no", "nothing was changed; change it with edit", result.Failed},
		{&ImpossibleError{"toy", outside}, "what toy proposes cannot be made: f is outside /w", "nothing was changed: the symbol belongs to code outside the workspace", result.Outside},
		{&NoDeclarationError{"F", "a.go:1:1"}, "F at a.go:1:1 is no declaration", "name the declaration by its path, such as a.go Config.Load; definition finds where it is", result.Failed},
		{&SharedLinesError{"F", "a.go:1:1"}, "F at a.go:1:1 shares its lines with other declarations", "use edit with the exact text", result.Failed},
		{&NoBodyError{"F", "a.go:1:1"}, "F at a.go:1:1 has no body to replace", "use action replace with the whole declaration", result.Failed},
		{&InUseError{"F", 1, []string{"a.go:1:1  F()"}}, "F is not deleted: it is used in 1 place:\na.go:1:1  F()", "change these uses first, then delete it", result.InUse},
		{&InUseError{"F", 3, []string{"a", "b"}}, "F is not deleted: it is used in 3 places:\na\nb\n... and 1 more", "change these uses first, then delete it", result.InUse},
		{&HalfKnownError{"clangd", "F", "db.json", []string{"a.c", "b.c"}}, "clangd knows only open files here, for there is no db.json; F also in: a.c, b.c", "make db.json, or leave those files out by exclude_globs and change them with edit", result.Failed},
		{&NoFormatterError{"toy", "a.toy", false}, "toy does not format a.toy", "run a formatter of the language", result.Unsupported},
		{&NoFormatterError{"toy", "a.toy", true}, "toy does not format ranges of a.toy", "format without a range, or run a formatter of the language", result.Unsupported},
	} {
		if diff := cmp.Diff([]string{c.text, c.hint, string(c.kind)}, []string{c.err.Error(), c.err.Hint(), string(result.ErrorOf(c.err).Kind)}); diff != "" {
			t.Errorf("%T: %s", c.err, diff)
		}
	}
	if hint := (&ChoiceError{"none", titles(23)}).Hint(); !strings.HasSuffix(hint, "\n  20. t20\n  … and 3 more") {
		t.Error(hint)
	}
	if hint := (&ChoiceError{"none", titles(20)}).Hint(); !strings.HasSuffix(hint, "\n  20. t20") {
		t.Error(hint)
	}
	if hint := (&LensError{"none", titles(13)}).Hint(); !strings.HasSuffix(hint, "\n  12. t12") {
		t.Error(hint)
	}
}

// An action is chosen by its number, its title, or both, and only if that means one that can be applied.
func TestChoiceOfAnAction(t *testing.T) {
	o := actionList{}
	for _, a := range []protocol.CodeAction{{Title: "Fix"}, {Title: "Move"}, {Title: "Fix"}, {Title: "Drop", Disabled: "not here"}} {
		o.list = append(o.list, codeAction{action: a})
	}
	for _, c := range []struct {
		number api.OneBased
		title  string
		want   string
	}{
		{1, "", "Fix"},
		{2, "", "Move"},
		{2, "Move", "Move"},
		{3, "Fix", "Fix"},
		{0, "Move", "Move"},
		{5, "", "apply: there is no action 5, but 4 actions"},
		{4, "", `"Drop" cannot be applied: not here`},
		{0, "Drop", `"Drop" cannot be applied: not here`},
		{1, "Move", `the list has changed: "Move" is now action 2`},
		{2, "Fix", `the list has changed: action 2 is now "Move"`},
		{2, "Gone", `the list has changed: action 2 is now "Move"`},
		{0, "Gone", `title: no action is called "Gone"`},
		{0, "Fix", `title: 2 actions are called "Fix"; give the number too`},
	} {
		chosen, err := o.choose(api.FixesRequest{Apply: c.number, Title: c.title})
		got := chosen.action.Title
		if err != nil {
			got = err.Error()
			var choice *ChoiceError
			if !errors.As(err, &choice) || !cmp.Equal(choice.Titles, []string{"Fix", "Move", "Fix", "Drop"}) {
				t.Errorf("%+v: %#v", c, err)
			}
		}
		if got != c.want {
			t.Errorf("%d %q: %s, want %s", c.number, c.title, got, c.want)
		}
	}
	if _, err := (&actionList{list: o.list[:1]}).choose(api.FixesRequest{Apply: 2}); err == nil || err.Error() != "apply: there is no action 2, but 1 action" {
		t.Errorf("of one: %v", err)
	}
	o.enabled()
	if diff := cmp.Diff([]string{"1 action left out that need a place in the file; name a line or a symbol"}, o.notes); diff != "" || len(o.list) != 3 {
		t.Errorf("%d are left: %s", len(o.list), diff)
	}
	if o.enabled(); len(o.notes) != 1 {
		t.Errorf("once more: %q", o.notes)
	}
}

// The kinds that are wanted are asked for with each diagnostic if they fix, and else with the range; without any all are.
func TestKindsThatAreAskedFor(t *testing.T) {
	for kinds, want := range map[string]string{
		"": "[quickfix] [[] [source]]", "quickfix": "[quickfix] []", "quickfix.import": "[quickfix.import] []", "quickfixes": "[] [[quickfixes]]",
		"source refactor": "[] [[source refactor]]", "quickfix source": "[quickfix] [[source]]",
	} {
		fixing, tidying := only(strings.Fields(kinds))
		if got := fmt.Sprint(fixing, " ", tidying); got != want {
			t.Errorf("%q: %s, want %s", kinds, got, want)
		}
	}
	for kind, want := range map[string]bool{"source": true, "source.fixAll": true, "sources": false, "refactor.x": true, "": false} {
		if got := wantedKind(kind, []string{"source", "refactor"}); got != want {
			t.Errorf("%q is wanted: %t", kind, got)
		}
	}
}

// What is the same is listed once, with all that it fixes; one thing that differs makes two of it.
//
// Requirement: AGENT-18.
func TestActionsThatAreTheSame(t *testing.T) {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	command := func(name string, arguments ...json.RawMessage) *protocol.Command {
		return &protocol.Command{Command: name, Arguments: arguments}
	}
	at := func(line uint32, message string) protocol.Diagnostic {
		return protocol.Diagnostic{Range: protocol.Range{Start: protocol.Position{Line: line}}, Message: message}
	}
	plain := protocol.CodeAction{Title: "Fix", Kind: "quickfix", Edit: raw("{}"), Data: raw("1"), Command: command("run", raw("1"))}
	var o actionList
	add := func(action protocol.CodeAction, fixes ...protocol.Diagnostic) {
		o.add(codeAction{action: action, fixes: fixes})
	}
	add(plain, at(1, "a"))
	add(plain, at(1, "a"), at(1, "b"), at(2, "a"))
	other := plain
	other.Diagnostics = []protocol.Diagnostic{at(9, "z")}
	add(other, at(1, "b"))
	if diff := cmp.Diff([]protocol.Diagnostic{at(1, "a"), at(1, "b"), at(2, "a")}, o.list[0].fixes); diff != "" || len(o.list) != 1 {
		t.Errorf("%d actions: %s", len(o.list), diff)
	}
	for i, change := range []func(*protocol.CodeAction){
		func(a *protocol.CodeAction) { a.Title = "x" }, func(a *protocol.CodeAction) { a.Kind = "x" }, func(a *protocol.CodeAction) { a.Edit = raw("1") }, func(a *protocol.CodeAction) { a.Data = raw("2") },
		func(a *protocol.CodeAction) { a.Command = nil }, func(a *protocol.CodeAction) { a.Command = command("walk", raw("1")) }, func(a *protocol.CodeAction) { a.Command = command("run", raw("2")) },
		func(a *protocol.CodeAction) { a.Command = command("run") },
	} {
		other := plain
		change(&other)
		if add(other); len(o.list) != i+2 {
			t.Errorf("change %d: %d actions", i, len(o.list))
		}
	}
	without := plain
	without.Command = nil
	if add(without); len(o.list) != 9 {
		t.Errorf("without a command twice: %d actions", len(o.list))
	}
	asked := at(1, "a")
	more := others(protocol.CodeAction{Diagnostics: []protocol.Diagnostic{asked, at(1, "b"), at(2, "a")}}, asked)
	if diff := cmp.Diff([]protocol.Diagnostic{at(1, "b"), at(2, "a")}, more); diff != "" {
		t.Error(diff)
	}
}

// A diagnostic is meant by its line, its code, or a part of its message in any letters; if none is, those are told that there are.
func TestDiagnosticsThatAreMeant(t *testing.T) {
	t.Parallel()
	d := diagnostics.Diagnostic{Diagnostic: protocol.Diagnostic{Code: "E7", Message: "Undefined: x", Range: protocol.Range{Start: protocol.Position{Line: 6, Character: 2}}}}
	for by, want := range map[string]bool{"7": true, "6": false, "E7": true, "e7": false, "undefined": true, "UNDEFINED: X": true, "unknown": false} {
		if got := named(d, by); got != want {
			t.Errorf("%q: %t", by, got)
		}
	}
	e, root := editorOf(t, "-- a.toy --\n")
	for n, advice := range map[int]string{0: "the file has no diagnostics", 1: "the file has:\n  7:3 Undefined: x", 12: "the file has:" + strings.Repeat("\n  7:3 Undefined: x", 10)} {
		var there []diagnostics.Diagnostic
		for range n {
			there = append(there, d)
		}
		want := &api.ArgumentError{Argument: "diagnostic", Reason: `no diagnostic of a.toy is meant by "y"`, Advice: advice}
		if diff := cmp.Diff(error(want), e.noDiagnostic(filepath.Join(root, "a.toy"), "y", there)); diff != "" {
			t.Errorf("of %d: %s", n, diff)
		}
	}
}

// Names are told by how little they differ from one, each once; one that has it in it comes first.
func TestNearestNamesFirst(t *testing.T) {
	got := nearestFirst("run", []string{"walk", "go.RunTests", "ruin", "run", "walk", "tun"})
	if diff := cmp.Diff([]string{"go.RunTests", "run", "ruin", "tun", "walk"}, got); diff != "" {
		t.Error(diff)
	}
}

// What came of a command is told in one line; null is nothing.
func TestWordsOfACommand(t *testing.T) {
	for want, r := range map[string]ran{
		"toy executed fix: it asked for no edit and answered nothing.": {"toy", "fix", json.RawMessage("null"), 0},
		"toy executed fix: it asked for no edit.":                      {"toy", "fix", json.RawMessage("1"), 0},
		"toy executed fix: it asked for 1 edit and answered nothing.":  {"toy", "fix", nil, 1},
		"toy executed fix: it asked for 2 edits.":                      {"toy", "fix", json.RawMessage(`{ "a": 1 }`), 2},
	} {
		if got := r.said(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for raw, want := range map[string]string{`{ "a": [1, 2] }`: `{"a":[1,2]}`, ` null `: "", ``: "", `{`: ""} {
		if got := compact(json.RawMessage(raw)); got != want {
			t.Errorf("%q: %q", raw, got)
		}
	}
}

// Of many files the first are named, and how many more there are; of one it is told what became of it, or would.
func TestWordsOfChanges(t *testing.T) {
	t.Parallel()
	e, root := editorOf(t, "-- a.toy --\n")
	at := func(name string) string { return filepath.Join(root, name) }
	for _, c := range []struct {
		n    int
		want string
	}{{1, "2 places in 1 file (0.toy 2)"}, {8, "16 places in 8 files (0.toy 2, 1.toy 2, 2.toy 2, 3.toy 2, 4.toy 2, 5.toy 2, 6.toy 2, 7.toy 2)"}, {9, "18 places in 9 files (0.toy 2, 1.toy 2, 2.toy 2, 3.toy 2, 4.toy 2, 5.toy 2, 6.toy 2, 7.toy 2, 1 more)"}} {
		byPath := make(map[string]int)
		var changes []edit.Change
		for i := range c.n {
			byPath[at(fmt.Sprintf("%d.toy", i))] = 2
			changes = append(changes, edit.Change{Path: at(fmt.Sprintf("%d.toy", i))})
		}
		if got := e.counted(byPath); got != c.want {
			t.Errorf("%d files: %s, want %s", c.n, got, c.want)
		}
		want := strings.ReplaceAll(c.want[strings.Index(c.want, "(")+1:len(c.want)-1], ".toy 2", ".toy")
		if got := e.namesOf(changes); got != want {
			t.Errorf("%d files: %s, want %s", c.n, got, want)
		}
	}
	text := func(s string) []byte { return []byte(s) }
	for _, c := range []struct {
		change        edit.Change
		done, planned string
	}{
		{edit.Change{Path: at("a"), After: text("1\n2\n"), Created: true}, "Created a (2 lines).", "creation of a (2 lines)."},
		{edit.Change{Path: at("a"), Before: text("1\n"), Deleted: true}, "Deleted a.", "deletion of a."},
		{edit.Change{Path: at("b"), From: at("a")}, "Renamed a to b.", "renaming of a to b."},
		{edit.Change{Path: at("a"), Before: text("1\n"), After: text("2\n3\n")}, "Edit applied to a (+2 -1 lines).", "edit of a (+2 -1 lines)."},
		{edit.Change{Path: at("a"), Replacements: 1}, "Edit applied to a (1 replacement).", "edit of a (1 replacement)."},
		{edit.Change{Path: at("a"), Replacements: 2}, "Edit applied to a (2 replacements).", "edit of a (2 replacements)."},
	} {
		if diff := cmp.Diff([]string{c.done, c.planned}, []string{e.applied([]edit.Change{c.change}, true), e.applied([]edit.Change{c.change}, false)}); diff != "" {
			t.Error(diff)
		}
	}
	two := []edit.Change{{Path: at("a")}, {Path: at("b")}}
	if diff := cmp.Diff([]string{"Edit applied to 2 files: a, b.", "edit of 2 files: a, b."}, []string{e.applied(two, true), e.applied(two, false)}); diff != "" {
		t.Error(diff)
	}
}

// A new name must be able to stand where the old one does: where that is an identifier, the new one is one.
func TestNamesThatCannotStand(t *testing.T) {
	for _, c := range []struct{ old, name, want string }{
		{"load", "fetch", ""},
		{"load", "é2", ""},
		{"operator<", "operator>", ""},
		{"a-b", "c-d", ""},
		{"a-b", "1", ""},
		{"load", "load", "it is called load already"},
		{"load", "a b", `"a b" is no identifier: it has a blank`},
		{"a-b", "a b", `"a b" is no identifier: it has a blank`},
		{"a-b", "a\x01", `"a\x01" is no identifier: it has a control character`},
		{"load", "a-b", `"a-b" is no identifier: it has '-'`},
		{"load", "1a", `"1a" is no identifier: it begins with a digit`},
	} {
		err := checkName(c.old, c.name)
		var wrong *api.ArgumentError
		if (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &wrong) || wrong.Reason != c.want || wrong.Argument != "new_name") {
			t.Errorf("%s to %q: %v, want %s", c.old, c.name, err, c.want)
		}
	}
}

// What a server proposes is counted by places, and what it wants confirmed is told.
func TestWhatIsAdopted(t *testing.T) {
	one := edit.TextEdit{NewText: "x"}
	two := edit.TextEdit{NewText: "y"}
	if got := distinct([]edit.AnnotatedEdit{{TextEdit: one}, {TextEdit: two}, {TextEdit: one, Annotation: "a"}}); got != 2 {
		t.Errorf("%d edits are distinct", got)
	}
	a := newAdoption()
	a.annotate(edit.WorkspaceEdit{Annotations: map[string]edit.Annotation{"b": {Label: "Two", Description: "of them", NeedsConfirmation: true}, "a": {Label: "One", NeedsConfirmation: true}, "c": {Label: "Three"}}})
	if diff := cmp.Diff([]string{"the server wants this confirmed: One", "the server wants this confirmed: Two of them"}, a.notes); diff != "" {
		t.Error(diff)
	}
}

// A change says one thing, of a file, and with the new text where it needs one.
func TestChangesThatSayTooLittle(t *testing.T) {
	text := "x"
	const advice = "give one of: old_text and new_text, content, range and new_text, patch, workspace_edit, delete, rename_to"
	for name, c := range map[string]struct {
		change api.FileEdit
		want   *api.ArgumentError
	}{
		"nothing":           {api.FileEdit{File: "a"}, &api.ArgumentError{Argument: "edits[0]", Reason: "it says no change", Advice: advice}},
		"two":               {api.FileEdit{File: "a", Delete: true, RenameTo: "b"}, &api.ArgumentError{Argument: "edits[0]", Reason: "it says several changes: delete, rename_to", Advice: advice}},
		"no file":           {api.FileEdit{Content: &text}, &api.ArgumentError{Argument: "edits[0].file", Reason: "it is missing", Advice: `for example "src/a.go"`}},
		"no new text":       {api.FileEdit{File: "a", OldText: &text}, &api.ArgumentError{Argument: "edits[0].new_text", Reason: "it is missing", Advice: `to delete the text give ""`}},
		"no text for lines": {api.FileEdit{File: "a", Range: &api.Span{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1}}, &api.ArgumentError{Argument: "edits[0].new_text", Reason: "it is missing", Advice: `to delete the text give ""`}},
	} {
		if diff := cmp.Diff(error(c.want), draftEdit(&c.change, "edits[0]", nil)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := strings.Join(kindsOf(&api.FileEdit{OldText: &text, Content: &text, Range: &api.Span{}, Patch: "p", WorkspaceEdit: json.RawMessage("{}"), Delete: true, RenameTo: "b"}), " "); got != "old_text content range patch workspace_edit delete rename_to" {
		t.Error(got)
	}
	r, err := rangeOf(&api.Span{StartLine: 1, StartColumn: 2, EndLine: 1, EndColumn: 2}, "r")
	if diff := cmp.Diff(protocol.Range{Start: protocol.Position{Character: 1}, End: protocol.Position{Character: 1}}, r); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := rangeOf(&api.Span{StartLine: 2, StartColumn: 1, EndLine: 1, EndColumn: 9}, "r"); err == nil || err.Error() != "r: it ends before it starts" {
		t.Error(err)
	}
}

// A new path, a new name, or neither of them: the last is refused as two are.
func TestRenamesThatSayTooMuch(t *testing.T) {
	t.Parallel()
	e, _ := editorOf(t, "-- a.toy --\n")
	for name, c := range map[string]struct {
		req  api.RenameRequest
		want string
	}{
		"two":            {api.RenameRequest{NewName: "x", NewPath: "y"}, "new_path: it goes without new_name"},
		"none":           {api.RenameRequest{}, "new_name: it is missing; a string is needed"},
		"a path alone":   {api.RenameRequest{NewPath: "y"}, "new_path: it needs file, and no symbol in it"},
		"of a symbol":    {api.RenameRequest{NewPath: "y", Selector: api.Selector{File: "a.toy", Symbol: "x"}}, "new_path: it needs file, and no symbol in it"},
		"without a glob": {api.RenameRequest{NewName: "x", ExcludeGlobs: []string{"a", ""}}, `exclude_globs[1]: "" is no glob`},
	} {
		answer, err := e.Rename(t.Context(), c.req)
		if err == nil || err.Error() != c.want || !cmp.Equal(result.Edit{}, answer, cmpopts.EquateEmpty()) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// A declaration goes with the smaller of the gaps around it, or the one at the edge of its block, and nothing else goes.
func TestLinesOfADeletedDeclaration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"between two":              {"a\n\nX\n\nb\n", "a\n\nb\n"},
		"a larger gap below":       {"a\n\nX\n\n\nb\n", "a\n\n\nb\n"},
		"a larger gap above":       {"a\n\n\nX\n\nb\n", "a\n\n\nb\n"},
		"no gap":                   {"a\nX\nb\n", "a\nb\n"},
		"the first":                {"X\n\nb\n", "b\n"},
		"the first, after blanks":  {"\n\nX\n\nb\n", "\n\nb\n"},
		"the last":                 {"a\n\nX\n", "a\n"},
		"the last, without an end": {"a\n\nX", "a\n"},
		"the only one":             {"X\n", ""},
		"the first of a block":     {"a {\n  X\n\n  b\n}\n", "a {\n  b\n}\n"},
		"the last of a block":      {"a {\n  b\n\n  X\n}\n", "a {\n  b\n}\n"},
		"the only one of a block":  {"a {\n\n  X\n\n}\n", "a {\n\n}\n"},
		"blanks that are no lines": {"a\n \t\nX\n  \nb\n", "a\n  \nb\n"},
		"before blanks at the end": {"a\n\nX\n\n\n", "a\n\n\n"},
	} {
		root := lsptest.Workspace(t, "")
		path := filepath.Join(root, "f.go")
		lsptest.WriteFile(t, path, c.text)
		tree, err := edit.NewTree(1<<20, root)
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Count(c.text[:strings.Index(c.text, "X")], "\n")
		d := &declaration{
			path: path, text: protocol.NewMapper([]byte(c.text)), first: line, last: line,
			symbol: &symbols.Symbol{Range: protocol.Range{Start: protocol.Position{Line: uint32(line)}, End: protocol.Position{Line: uint32(line), Character: 9}}},
		}
		plan := edit.NewPlan(tree)
		if err := d.remove(plan); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		content, err := plan.ReadFile(path)
		if diff := cmp.Diff(c.want, string(content)); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}
