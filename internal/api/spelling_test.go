package api

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/result"
)

// What models write another way is understood as it is meant; what is right stays as
// it is, and what cannot be meant is refused.
func TestSpellingsOfModels(t *testing.T) {
	text := "x"
	for _, c := range []struct {
		raw  string
		want any
	}{
		{`{"at":"a.go Load","depth":"2","direction":"incoming"}`, HierarchyRequest{Selector: Selector{At: "a.go Load"}, Depth: 2, Direction: "incoming"}},
		{`{"file_path":"a.go","line":"230","column":" 7 "}`, DefinitionRequest{Selector: Selector{File: "a.go", Line: 230, Column: 7}}},
		{`{"path":"a.go","symbol_name":"Load","with_source":"true"}`, DefinitionRequest{Selector: Selector{File: "a.go", Symbol: "Load"}, WithSource: true}},
		{`{"file":"a.go","path":"b.go"}`, nil}, // which of the two?
		{`{"files":"a.go"}`, CheckRequest{Files: []string{"a.go"}}},
		{`{"file":"a.go"}`, CheckRequest{Files: []string{"a.go"}}},
		{`{"file_path":["a.go","b.go"]}`, CheckRequest{Files: []string{"a.go", "b.go"}}},
		{`{"files":"[\"a.go\",\"b.go\"]"}`, CheckRequest{Files: []string{"a.go", "b.go"}}},
		{`{"files":"7"}`, CheckRequest{Files: []string{"7"}}},
		{`{"files":"[a].go"}`, CheckRequest{Files: []string{"[a].go"}}}, // a glob, and no list
		{`{"files":["a.go"],"severities":"warning"}`, CheckRequest{Files: []string{"a.go"}, Severities: []string{"warning"}}},
		{`{"files":[7]}`, nil},
		{`{"edits":[{"file_path":"a.go","old_string":"x","new_string":"x"}]}`, EditRequest{Edits: []FileEdit{{File: "a.go", OldText: &text, NewText: &text}}}},
		{`{"edits":{"path":"a.go","content":"x"}}`, EditRequest{Edits: []FileEdit{{File: "a.go", Content: &text}}}},
		{`{"edits":"[{\"file\":\"a.go\",\"content\":\"x\"}]"}`, EditRequest{Edits: []FileEdit{{File: "a.go", Content: &text}}}},
		{`{"edits":[{"file":"a.go","delete":"true"}]}`, EditRequest{Edits: []FileEdit{{File: "a.go", Delete: true}}}},
		{`{"edits":"none"}`, nil},
		{`{"at":"a.go Load","depth":"two"}`, nil},
	} {
		got, err := decoded(c.raw, c.want)
		if c.want == nil {
			if err == nil || result.ErrorOf(err).Kind != result.Argument {
				t.Errorf("%s: got %v", c.raw, err)
			}
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.raw, err, diff)
		}
	}
}

// An object whose members nobody declared is passed on byte by byte: it may be meant for a server.
func TestFreeObjectsStay(t *testing.T) {
	const free = `{"b": "<", "a": 1, "a": 2}`
	for name, property := range map[string]*jsonschema.Schema{
		"an object":     {Type: "object"},
		"anything":      {},
		"a list of any": {Type: "array", Items: &jsonschema.Schema{}},
	} {
		text := free
		if property.Type == "array" {
			text = "[" + free + "]"
		}
		if got := string(fitting(json.RawMessage(text), property)); got != text {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}

// decoded reads JSON as the type of what is wanted; as none of them if nothing is.
func decoded(raw string, want any) (any, error) {
	var err error
	switch want.(type) {
	case HierarchyRequest:
		var r HierarchyRequest
		err = Decode(json.RawMessage(raw), &r)
		return r, err
	case DefinitionRequest:
		var r DefinitionRequest
		err = Decode(json.RawMessage(raw), &r)
		return r, err
	case CheckRequest:
		var r CheckRequest
		err = Decode(json.RawMessage(raw), &r)
		return r, err
	case EditRequest:
		var r EditRequest
		err = Decode(json.RawMessage(raw), &r)
		return r, err
	}
	for _, one := range []any{HierarchyRequest{}, DefinitionRequest{}, CheckRequest{}, EditRequest{}} {
		if got, err := decoded(raw, one); err == nil {
			return got, nil
		}
	}
	var r CheckRequest
	return r, Decode(json.RawMessage(raw), &r)
}

// Numbers and lists keep what is right, byte by byte.
func TestRespellLeavesTheRightAlone(t *testing.T) {
	for _, op := range Operations() {
		if op.Name != "edit" {
			continue
		}
		const right = `[{"file":"a.go","content":"{ \"x\": 1 }"},{"workspace_edit":{"changes":{"file:///a":[]}}}]`
		got := op.Respell(map[string]json.RawMessage{"edits": json.RawMessage(right), "mode": json.RawMessage(`"preview"`), "other": json.RawMessage(`"7"`)})
		var want, have any
		if json.Unmarshal([]byte(right), &want) != nil || json.Unmarshal(got["edits"], &have) != nil {
			t.Fatalf("%s", got["edits"])
		}
		if diff := cmp.Diff(want, have); diff != "" || string(got["mode"]) != `"preview"` || string(got["other"]) != `"7"` {
			t.Errorf("%s\n%s", got, diff)
		}
	}
}
