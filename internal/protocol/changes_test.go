package protocol

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// withoutRaw compares diagnostics by what they say.
var withoutRaw = cmpopts.IgnoreFields(Diagnostic{}, "Raw")

// Commands and code actions become one type.
//
// Requirement: AGENT-45.
func TestCodeActions(t *testing.T) {
	const edit = `{"changes":{"file:///a":[{"newText":"x"}]}}`
	for _, c := range []struct {
		name, json string
		want       []CodeAction
		skipped    int
	}{
		{"null", `null`, nil, 0},
		{
			"a bare command", `[{"title":"Do","command":"do.it","arguments":[1,"x"]}]`,
			[]CodeAction{{Title: "Do", Command: &Command{"Do", "do.it", []json.RawMessage{json.RawMessage("1"), json.RawMessage(`"x"`)}}}},
			0,
		},
		{
			"an action", `[{"title":"Fix","kind":"quickfix","isPreferred":true,"edit":` + edit + `,"data":{"a":1}}]`,
			[]CodeAction{{Title: "Fix", Kind: "quickfix", IsPreferred: true, Edit: json.RawMessage(edit), Data: json.RawMessage(`{"a":1}`)}},
			0,
		},
		{
			"an action with a command", `[{"title":"Fix","command":{"title":"Do","command":"do.it"}}]`,
			[]CodeAction{{Title: "Fix", Command: &Command{Title: "Do", Command: "do.it"}}},
			0,
		},
		{"a disabled one", `[{"title":"Fix","disabled":{"reason":"not here"}}]`, []CodeAction{{Title: "Fix", Disabled: "not here"}}, 0},
		{"disabled for no reason", `[{"title":"Fix","disabled":{}},{"title":"Fix","disabled":false}]`, []CodeAction{{Title: "Fix", Disabled: "the server does not say why"}, {Title: "Fix"}}, 0},
		{
			"what it mends", `[{"title":"Fix","diagnostics":[{` + plainRange + `,"message":"m"},7]}]`,
			[]CodeAction{{Title: "Fix", Diagnostics: []Diagnostic{{Range: at(1, 2, 1, 5), Severity: SeverityError, Message: "m"}}}},
			0,
		},
		{"arguments that are no list", `[{"title":"Do","command":"do.it","arguments":7}]`, []CodeAction{{Title: "Do", Command: &Command{Title: "Do", Command: "do.it"}}}, 0},
		{"nulls", `[{"title":"Fix","kind":null,"isPreferred":null,"disabled":null,"edit":null,"command":null}]`, []CodeAction{{Title: "Fix"}}, 0},
		{"odd members", `[{"title":"Fix","kind":7,"isPreferred":"yes","command":7}]`, []CodeAction{{Title: "Fix"}}, 0},
		{"bad elements", `[null,7,{},{"title":""},{"title":7},{"title":"Fix"}]`, []CodeAction{{Title: "Fix"}}, 5},
	} {
		got, skipped, err := DecodeCodeActions(json.RawMessage(c.json))
		if d := cmp.Diff(c.want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(CodeAction{}, "Raw"), withoutRaw); d != "" || skipped != c.skipped || err != nil {
			t.Errorf("%s: %d skipped, %v\n%s", c.name, skipped, err, d)
		}
	}
	if _, _, err := DecodeCodeActions(json.RawMessage(`{}`)); err == nil {
		t.Error("an object is a list of actions")
	}
}

// A diagnostic and an action keep what the server sent, which goes back to it
// unchanged: also what no client understands.
func TestWhatGoesBackIsKept(t *testing.T) {
	const diagnostic = `{` + plainRange + `,"message":"m","code":{"value":7},"data":{"x":[1.50]},"mystery":true}`
	items, _, err := DecodeDiagnostics(json.RawMessage(`[` + diagnostic + `]`))
	if err != nil || string(items[0].Raw) != diagnostic {
		t.Errorf("%s, %v", items[0].Raw, err)
	}
	const action = `{"title":"Fix","data":{"x":1.0},"mystery":[]}`
	actions, _, err := DecodeCodeActions(json.RawMessage(`[` + action + `]`))
	if err != nil || string(actions[0].Raw) != action {
		t.Errorf("%s, %v", actions[0].Raw, err)
	}
}

// The answer before a rename comes in three shapes; null and a default behaviour
// of false say no.
func TestPrepareRename(t *testing.T) {
	const r = `{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}`
	place := at(1, 2, 1, 5)
	for text, want := range map[string]*Renameable{
		r:                                       {Range: &place},
		`{"range":` + r + `,"placeholder":"x"}`: {Range: &place, Placeholder: "x"},
		`{"range":` + r + `,"placeholder":7}`:   {Range: &place},
		`{"defaultBehavior":true}`:              {},
		`{"defaultBehavior":false}`:             nil,
		`null`:                                  nil,
		``:                                      nil,
	} {
		if got, err := DecodePrepareRename(json.RawMessage(text)); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, odd := range []string{`{}`, `7`, `[]`, `"x"`, `{"placeholder":"x"}`, `{"start":7}`} {
		if got, err := DecodePrepareRename(json.RawMessage(odd)); err == nil {
			t.Errorf("%s is %+v", odd, got)
		}
	}
}

// Text edits are all taken or none: half of them would be worse.
func TestTextEdits(t *testing.T) {
	const edit = `{` + plainRange + `,"newText":"x"}`
	want := []TextEdit{{at(1, 2, 1, 5), "x"}, {at(1, 2, 1, 5), ""}}
	got, err := DecodeTextEdits(json.RawMessage(`[` + edit + `,{` + plainRange + `,"newText":"","annotationId":"a"}]`))
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, none := range []string{`null`, ``, `[]`} {
		if got, err := DecodeTextEdits(json.RawMessage(none)); err != nil || len(got) != 0 {
			t.Errorf("%q is %+v, %v", none, got, err)
		}
	}
	for _, odd := range []string{`{}`, `[null]`, `[7]`, `[` + edit + `,{}]`, `[{` + plainRange + `}]`, `[{"newText":"x"}]`, `[{` + plainRange + `,"newText":7}]`} {
		if got, err := DecodeTextEdits(json.RawMessage(odd)); err == nil {
			t.Errorf("%s is %+v", odd, got)
		}
	}
}

// What a server declares about files is found where LSP hides it, and the files
// that it means; what cannot be read means all.
func TestFileOperations(t *testing.T) {
	c, err := DecodeInitializeResult(json.RawMessage(`{"capabilities":{"workspace":{"fileOperations":{
		"willRename":{"filters":[{"pattern":{"glob":"**/*.ts","matches":"file"}},{"pattern":{"glob":"**","matches":"folder"}},7]},"didRename":null,"didCreate":{}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if offered := c.Offered(nil); !slices.Equal(offered, []string{"workspace/didCreateFiles", "workspace/willRenameFiles"}) {
		t.Errorf("offered %v", offered)
	}
	options, _ := c.Options(WillRenameFiles)
	for folders, want := range map[bool][]string{false: {"**/*.ts"}, true: {"**"}} {
		if globs, limited := FileGlobs(options, folders); !limited || !slices.Equal(globs, want) {
			t.Errorf("folders: %t: %v, %t", folders, globs, limited)
		}
	}
	for _, all := range []string{`{}`, `null`, `true`, `{"filters":[]}`, `{"filters":7}`} {
		if globs, limited := FileGlobs(json.RawMessage(all), false); limited {
			t.Errorf("%s is limited to %v", all, globs)
		}
	}
	for _, capabilities := range []string{`{}`, `{"workspace":null}`, `{"workspace":{"fileOperations":true}}`} {
		c, err := DecodeInitializeResult(json.RawMessage(`{"capabilities":` + capabilities + `}`))
		if err != nil || c.Supports(WillRenameFiles) {
			t.Errorf("%s: %v", capabilities, err)
		}
	}
}
