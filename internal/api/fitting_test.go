package api

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/result"
)

// A value is put right for its property where it is clear what is meant, and is otherwise as it was, to the byte.
func TestFittingValues(t *testing.T) {
	of := func(kind string) *jsonschema.Schema { return &jsonschema.Schema{Type: kind} }
	list := func(items *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: items}
	}
	edit := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"file": of("string"), "delete": of("boolean")}}
	for _, c := range []struct {
		value    string
		property *jsonschema.Schema
		want     string
	}{
		{` "7" `, nil, `"7"`},
		{``, of("integer"), ``},
		{`null`, list(of("")), `null`},
		{`"7"`, of("integer"), `7`},
		{`" -7 "`, of("number"), `-7`},
		{`"7.5"`, of("number"), `"7.5"`},
		{`"7"`, of("string"), `"7"`},
		{`"7"`, of("boolean"), `"7"`},
		{`"true"`, of("boolean"), `true`},
		{`"false"`, of("boolean"), `false`},
		{`"True"`, of("boolean"), `"True"`},
		{`7`, of("string"), `7`},
		{`"[1]"`, of("array"), `[1]`},
		{`"[1"`, of("array"), `"[1"`},
		{`"{}"`, of("array"), `"{}"`},
		{`"{\"a\":1}"`, of("object"), `{"a":1}`},
		{`"[1]"`, of("object"), `"[1]"`},
		{`"a"`, of("array"), `"a"`}, // of what it is a list is not known
		{`"a"`, list(of("string")), `["a"]`},
		{`"a"`, list(of("")), `["a"]`},
		{`7`, list(of("string")), `7`},
		{`7`, list(of("integer")), `[7]`},
		{`"7"`, list(of("integer")), `"7"`},
		{`[ "7", 8 ]`, list(of("integer")), `[7,8]`},
		{`[ 7, 8 ]`, list(of("integer")), `[ 7, 8 ]`},
		{`{"path":"a","delete":"true"}`, edit, `{"delete":true,"file":"a"}`},
		{`{"path":"a"}`, of("object"), `{"path":"a"}`},
		{`{"path":"a"}`, list(edit), `[{"file":"a"}]`},
		{`[{"path":"a"},{"file":"b"}]`, list(edit), `[{"file":"a"},{"file":"b"}]`},
		{`"{\"path\":\"a\"}"`, edit, `{"file":"a"}`},
		{`[1,`, list(of("integer")), `[1,`},
		{`{"path"`, edit, `{"path"`},
	} {
		kind := "nothing"
		if c.property != nil {
			kind = c.property.Type
		}
		if got := string(fitting(json.RawMessage(c.value), c.property)); got != c.want {
			t.Errorf("%s for %s is %s, want %s", c.value, kind, got, c.want)
		}
	}
}

// Another name of an argument is taken for ours where the schema has ours and it is not given; of two other names of
// one the second stays what it is, so that it is refused.
func TestNamesThatAreTakenForOurs(t *testing.T) {
	schema := &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"files": {Type: "array", Items: &jsonschema.Schema{Type: "string"}}, "symbol": {Type: "string"}}}
	for _, c := range []struct{ given, want string }{
		{`{"file":"a"}`, `{"files":["a"]}`},
		{`{"path":"a"}`, `{"files":["a"]}`},
		{`{"file":"a","files":["b"]}`, `{"file":"a","files":["b"]}`},
		{`{"file_path":"a","path":"b"}`, `{"files":["a"],"path":"b"}`},
		{`{"symbol":"a"}`, `{"symbol":"a"}`},
		{`{"symbol_name":"a"}`, `{"symbol":"a"}`},
		{`{"old_string":"a"}`, `{"old_string":"a"}`},
		{`{"other":"a"}`, `{"other":"a"}`},
	} {
		var given map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.given), &given); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(respell(given, schema))
		if string(got) != c.want || err != nil {
			t.Errorf("%s is %s, %v; want %s", c.given, got, err, c.want)
		}
	}
}

// The names of an argument are ours and those that models use for it.
func TestSpellingsOfAnArgument(t *testing.T) {
	for argument, want := range map[string][]string{
		"symbol": {"symbol", "name", "name_path", "symbol_name"}, "old_text": {"old_text", "oldText", "old_string"}, "depth": {"depth"},
		"files": {"files", "file", "filePath", "file_path", "file_paths", "filename", "filepath", "path", "paths", "uri"},
	} {
		if diff := cmp.Diff(want, Spellings(argument)); diff != "" {
			t.Errorf("%s: %s", argument, diff)
		}
	}
}

// What some clients reject is not in a schema: types that may be null as well, and parts that say nothing.
func TestSimpleSchemas(t *testing.T) {
	of := func(kinds ...string) *jsonschema.Schema { return &jsonschema.Schema{Types: kinds} }
	given := &jsonschema.Schema{
		Types: []string{"null", "object"},
		Properties: map[string]*jsonschema.Schema{
			"list":  {Types: []string{"array", "null"}, Items: of("null", "string")},
			"texts": {Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "array", Items: of("string", "null")}},
			"any":   {Type: "object", AdditionalProperties: &jsonschema.Schema{Types: []string{"null", "string"}}},
			"plain": {Type: "integer"},
		},
	}
	want := &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"list":  {Type: "array", Items: &jsonschema.Schema{Type: "string"}},
			"texts": {Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}},
			"any":   {Type: "object", AdditionalProperties: &jsonschema.Schema{Types: []string{"null", "string"}}},
			"plain": {Type: "integer"},
		},
	}
	simplify(given)
	text := func(s *jsonschema.Schema) string {
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if diff := cmp.Diff(text(want), text(given)); diff != "" {
		t.Error(diff)
	}
	simplify(nil) // there is nothing to do
}

// A line and a column behind a path are no part of it, nor more than these two.
func TestPathsWithPositions(t *testing.T) {
	for path, want := range map[string]string{
		"a.go": "a.go", "a.go:1": "a.go", "a.go:1:2": "a.go", "a.go:1:2:3": "a.go:1", "a.go:": "a.go:", "a.go:x": "a.go:x", "a.go:1x": "a.go:1x",
		"a:1": "a", ":1": ":1", "a.go:1:": "a.go:1:", "": "", "C:/a.go:7": "C:/a.go",
	} {
		if got := withoutPosition(path); got != want {
			t.Errorf("%q without a position is %q, want %q", path, got, want)
		}
	}
	if diff := cmp.Diff([]string{"a", "a b.go", "a b.go:1 F"}, filesAt("a b.go:1 F")); diff != "" {
		t.Error(diff)
	}
}

// An error of an argument is of its kind, with the argument and the reason; one of an operation that there is
// not is another.
func TestErrorsOfRequests(t *testing.T) {
	wrong := &ArgumentError{"line", "it is a string", "give a number"}
	if got := result.ErrorOf(wrong); got.Kind != result.Argument || wrong.Hint() != "give a number" || wrong.Error() != "line: it is a string" {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(result.Data{Argument: "line", Reason: "it is a string"}, wrong.Data()); diff != "" {
		t.Error(diff)
	}
	unknown := &UnknownOperationError{"fly"}
	if got := result.ErrorOf(unknown); got.Kind != result.Unsupported || unknown.Error() != `no operation "fly"` {
		t.Errorf("%+v", got)
	}
}
