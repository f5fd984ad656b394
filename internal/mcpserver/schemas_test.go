package mcpserver

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// The listed schema of a result has what is always there, each by its type in JSON; what may be anything, is left out
// when empty or is no member, is not listed.
func TestSchemaOfAResult(t *testing.T) {
	type inner struct {
		Deep string `json:"deep"`
	}
	type embedded struct {
		Risen bool `json:"risen"`
	}
	type everything struct {
		embedded
		Text    string          `json:"text"`
		Truth   *bool           `json:"truth"`
		Number  int             `json:"number"`
		Size    uint64          `json:"size"`
		Share   float64         `json:"share"`
		Narrow  float32         `json:"narrow"`
		List    []inner         `json:"list"`
		Pair    [2]int          `json:"pair"`
		Inner   inner           `json:"inner"`
		Pointed *inner          `json:"pointed"`
		Members map[string]int  `json:"members"`
		When    time.Time       `json:"when"`
		Raw     json.RawMessage `json:"raw"`
		Any     any             `json:"any"`
		Left    string          `json:"left,omitempty"`
		Zero    inner           `json:"zero,omitzero"`
		Hidden  string          `json:"-"`
		Unnamed string
		Asked   string `json:"asked,string"`
	}
	object := &schema{Type: "object", Properties: properties{}}
	want := &schema{Type: "object", Properties: properties{
		"risen": {Type: "boolean"}, "text": {Type: "string"}, "truth": {Type: "boolean"}, "number": {Type: "integer"}, "size": {Type: "integer"}, "share": {Type: "number"}, "narrow": {Type: "number"},
		"list": {Type: "array"}, "pair": {Type: "array"}, "inner": object, "pointed": object, "members": object, "when": {Type: "string"}, "asked": {Type: "string"},
	}}
	of := &everything{}
	if diff := cmp.Diff(want, shallow(&of)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, other := range []any{7, map[string]int{}, []inner{}} {
		if diff := cmp.Diff(object, shallow(other)); diff != "" {
			t.Errorf("%T (-want +got):\n%s", other, diff)
		}
	}
}

// toyOperation is an operation whose arguments are of several kinds.
func toyOperation(class api.Class, classOf func(json.RawMessage) api.Class) api.Operation {
	one := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"file": {Type: "string", Description: "theirs"}, "old_text": {Type: "string", Description: "theirs"}}}
	return api.Operation{
		Name: "toy", Class: class, ClassOf: classOf, New: func() result.Result { return &result.Done{} },
		Input: func() *jsonschema.Schema {
			return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
				"at": {Type: "string", Description: "theirs"}, "count": {Type: "integer"}, "names": {Type: "array", Items: &jsonschema.Schema{Type: "string"}}, "edits": {Type: "array", Items: one},
				"options": {Type: "object"}, "sure": {Type: "boolean"},
			}}
		},
	}
}

// The arguments of a tool are listed with the types of the operation's, in our words, and only those members and values
// that are meant; a workspace can be named unless there is only one.
func TestListedArguments(t *testing.T) {
	operation := toyOperation(api.Read, nil)
	text, workspace := &schema{Type: "string"}, &schema{Type: "string"}
	for name, c := range map[string]struct {
		tool tool
		want *schema
	}{
		"none":          {tool{}, &schema{Type: "object", Properties: properties{"workspace": workspace}}},
		"none, alone":   {tool{alone: true}, &schema{Type: "object", Properties: properties{}}},
		"its type":      {tool{alone: true, parameters: []parameter{{name: "count", required: true}, {name: "at"}}}, &schema{Type: "object", Properties: properties{"count": {Type: "integer"}, "at": {Type: "string", Description: words["at"]}}, Required: []string{"count"}}},
		"another type":  {tool{alone: true, parameters: []parameter{{name: "count", kind: "string", description: "how many"}}}, &schema{Type: "object", Properties: properties{"count": {Type: "string", Description: "how many"}}}},
		"another name":  {tool{alone: true, parameters: []parameter{{name: "n", to: "count"}}}, &schema{Type: "object", Properties: properties{"n": {Type: "integer"}}}},
		"a list":        {tool{alone: true, parameters: []parameter{{name: "names"}}}, &schema{Type: "object", Properties: properties{"names": {Type: "array", Items: text}}}},
		"its members":   {tool{alone: true, parameters: []parameter{{name: "edits"}}}, &schema{Type: "object", Properties: properties{"edits": {Type: "array", Items: &schema{Type: "object", Properties: properties{"file": {Type: "string", Description: "theirs"}, "old_text": {Type: "string", Description: "theirs"}}}}}}},
		"some members":  {tool{alone: true, parameters: []parameter{{name: "edits", members: []string{"old_text"}}}}, &schema{Type: "object", Properties: properties{"edits": {Type: "array", Items: &schema{Type: "object", Properties: properties{"old_text": {Type: "string", Description: words["edits.old_text"]}}}}}}},
		"a member":      {tool{alone: true, parameters: []parameter{{name: "text", to: "edits.old_text"}}}, &schema{Type: "object", Properties: properties{"text": {Type: "string"}}}},
		"own items":     {tool{alone: true, parameters: []parameter{{name: "x", kind: "array", items: "object"}, {name: "y", kind: "array", items: "string"}}}, &schema{Type: "object", Properties: properties{"x": {Type: "array", Items: &schema{Type: "object", Properties: properties{}}}, "y": {Type: "array", Items: text}}}},
		"an object":     {tool{alone: true, parameters: []parameter{{name: "options"}}}, &schema{Type: "object", Properties: properties{"options": {Type: "object", Properties: properties{}}}}},
		"values":        {tool{alone: true, parameters: []parameter{{name: "at", values: []value{{name: "a"}, {name: "b"}}, also: []value{{name: "c"}}}}}, &schema{Type: "object", Properties: properties{"at": {Type: "string", Description: words["at"], Enum: []string{"a", "b"}}}}},
		"true or false": {tool{alone: true, parameters: []parameter{{name: "sure", values: []value{{name: "true"}, {name: "false"}}}}}, &schema{Type: "object", Properties: properties{"sure": {Type: "boolean"}}}},
		"refused":       {tool{alone: true, parameters: []parameter{{name: "count", refused: "leave it", required: true}}}, &schema{Type: "object", Properties: properties{}}},
	} {
		c.tool.op = operation
		if diff := cmp.Diff(c.want, c.tool.input()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A tool says of itself what it does: that it only reads, that it destroys, that it may be repeated; by its class, which
// its fixed arguments may decide, unless it says otherwise.
func TestAnnotationsOfTools(t *testing.T) {
	byMode := func(raw json.RawMessage) api.Class {
		if string(raw) == `{"mode":"preview"}` {
			return api.Read
		}
		return api.Edit
	}
	type hints struct{ Reads, Destroys, Repeats bool }
	for name, c := range map[string]struct {
		tool tool
		want hints
	}{
		"it reads":                    {tool{op: toyOperation(api.Read, nil)}, hints{true, false, true}},
		"it edits":                    {tool{op: toyOperation(api.Edit, nil)}, hints{false, true, true}},
		"it edits again":              {tool{op: toyOperation(api.Edit, nil), effect: changesAgain}, hints{false, true, false}},
		"it executes":                 {tool{op: toyOperation(api.Execute, nil), effect: changes}, hints{false, true, true}},
		"it reads, and changes":       {tool{op: toyOperation(api.Read, nil), effect: changes}, hints{false, false, true}},
		"it could edit":               {tool{op: toyOperation(api.Edit, nil), reads: true}, hints{true, false, true}},
		"it manages":                  {tool{op: toyOperation(api.Class(99), nil)}, hints{false, false, true}},
		"its arguments decide":        {tool{op: toyOperation(api.Execute, byMode), fixed: map[string]string{"mode": `"preview"`}}, hints{true, false, true}},
		"its arguments decide, too":   {tool{op: toyOperation(api.Read, byMode), fixed: map[string]string{"mode": `"apply"`}}, hints{false, true, true}},
		"it has no arguments of that": {tool{op: toyOperation(api.Read, byMode)}, hints{true, false, true}},
		"nothing decides":             {tool{op: toyOperation(api.Read, nil), fixed: map[string]string{"mode": `"apply"`}}, hints{true, false, true}},
	} {
		c.tool.name, c.tool.title, c.tool.description = "toy", "Toy", "Plays."
		listed := c.tool.listed()
		no := false
		want := &mcp.ToolAnnotations{Title: "Toy", ReadOnlyHint: c.want.Reads, DestructiveHint: &c.want.Destroys, IdempotentHint: c.want.Repeats, OpenWorldHint: &no}
		if diff := cmp.Diff(want, listed.Annotations); diff != "" || listed.Name != "toy" || listed.Description != "Plays." {
			t.Errorf("%s: %s %s (-want +got):\n%s", name, listed.Name, listed.Description, diff)
		}
	}
}

// The result of a tool is listed as its shape says, else with those members that are meant, else with all; in its lean
// form where it has one and that is given.
func TestListedResults(t *testing.T) {
	operations := make(map[string]api.Operation)
	for _, op := range api.Operations() {
		operations[op.Name] = op
	}
	members := func(tool tool) []string { return slices.Sorted(maps.Keys(tool.output().Properties)) }
	check := operations["check"]
	all := slices.Sorted(maps.Keys(shallow(check.New()).Properties))
	lean := members(tool{op: check, lean: true})
	if slices.Equal(all, lean) || !slices.Equal(members(tool{op: check}), all) {
		t.Errorf("all are %q, lean %q", all, lean)
	}
	if diff := cmp.Diff([]string{"verdict"}, members(tool{op: check, results: []string{"verdict", "none"}})); diff != "" {
		t.Errorf("what is meant (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"verdict"}, members(tool{op: check, lean: true, results: []string{"verdict"}})); diff != "" {
		t.Errorf("what is meant, lean (-want +got):\n%s", diff)
	}
	shaped := tool{op: check, shape: &shape{schema: func() *schema { return &schema{Type: "object", Properties: properties{"own": {Type: "string"}}} }}, results: []string{"verdict"}}
	if diff := cmp.Diff([]string{"own"}, members(shaped)); diff != "" {
		t.Errorf("shaped (-want +got):\n%s", diff)
	}
}
