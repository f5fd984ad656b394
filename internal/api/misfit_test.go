package api

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// What is wrong with a value is said in words, of a list by its first element that does not fit; what
// fits, and what nothing is known of, is not wrong.
func TestValuesThatDoNotFit(t *testing.T) {
	below := func(least float64) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(least)}
	}
	of := func(kind string) *jsonschema.Schema { return &jsonschema.Schema{Type: kind} }
	list := func(items *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: items}
	}
	for _, c := range []struct {
		value    string
		property *jsonschema.Schema
		want     string
	}{
		{`0`, below(1), "0 is below 1: lines and columns start there"},
		{`-7`, below(1), "-7 is below 1: lines and columns start there"},
		{`1`, below(1), ""},
		{`2`, below(1), ""},
		{`0`, of("integer"), ""},
		{`0`, &jsonschema.Schema{Type: "number", Minimum: jsonschema.Ptr(1.0)}, ""}, // only of whole numbers
		{`1.5`, below(1), "it is a number; an integer is needed"},
		{`1`, of("number"), ""},
		{`1.5`, of("number"), ""},
		{`1`, of("string"), "it is an integer; a string is needed"},
		{`"x"`, of("string"), ""},
		{`"x"`, of("number"), "it is a string; a number is needed"},
		{`"x"`, of(""), ""},
		{`[]`, of(""), ""},
		{`{}`, of("array"), "it is an object; an array is needed"},
		{`[]`, of("object"), "it is an array; an object is needed"},
		{`null`, of("string"), "it is null; a string is needed"},
		{`true`, of("integer"), "it is a boolean; an integer is needed"},
		{` false`, of("boolean"), ""},
		{`[1]`, of("array"), ""},
		{`["a"]`, list(of("string")), ""},
		{`["a",7,true]`, list(of("string")), "element 1: it is an integer; a string is needed"},
		{`[3,0]`, list(below(1)), "element 1: 0 is below 1: lines and columns start there"},
		{`[[1],["x"]]`, list(list(of("integer"))), "element 1: element 0: it is a string; an integer is needed"},
		{`[1]`, &jsonschema.Schema{Type: "string", Items: of("string")}, "it is an array; a string is needed"},
	} {
		if got := misfit(json.RawMessage(c.value), c.property); got != c.want {
			t.Errorf("%s for %s: %q, want %q", c.value, c.property.Type, got, c.want)
		}
	}
}

// What is missing, unknown or of another kind is explained by the name of the argument; what decodes
// otherwise not is said as it is.
func TestArgumentsOfSchemas(t *testing.T) {
	schema := &jsonschema.Schema{
		Required: []string{"name", "items"},
		Properties: map[string]*jsonschema.Schema{
			"name": {Type: "string"}, "items": {Type: "array"}, "count": {Type: "integer"}, "sure": {Type: "boolean"},
			"settings": {Type: "object"}, "timeout_ms": {Type: "integer"},
		},
	}
	const known = "known are count, items, name, settings, sure, timeout_ms"
	unreadable := errors.New("it cannot be read")
	for raw, want := range map[string]*ArgumentError{
		`{"name":"n","items":[]}`:             {"arguments", "it cannot be read", ""},
		`{"name":"n","items":null}`:           {"items", "it is null; an array is needed", `for example items: ["…"]`},
		`{"name":"n"}`:                        {"items", "it is missing; an array is needed", `for example items: ["…"]`},
		`{"items":[]}`:                        {"name", "it is missing; a string is needed", `for example name: "…"`},
		`{"items":{},"name":7}`:               {"items", "it is an object; an array is needed", `for example items: ["…"]`}, // the first of them
		`{"count":"x"}`:                       {"count", "it is a string; an integer is needed", "for example count: 1"},
		`{"sure":1}`:                          {"sure", "it is an integer; a boolean is needed", "for example sure: true"},
		`{"settings":1}`:                      {"settings", "it is an integer; an object is needed", "for example settings: {}"},
		`{"timeout_ms":"x"}`:                  {"timeout_ms", "it is a string; an integer is needed", "for example timeout_ms: 5000"},
		`{"name":"n","items":[],"Timeout":1}`: {"Timeout", "there is no such argument", known},
		`{"time_ms":1}`:                       {"time_ms", "there is no such argument", known},
		`{"timeouts":1}`:                      {"timeouts", "there is no such argument", `did you mean "timeout_ms"?`},
		`{"timeoutMS":1}`:                     {"timeoutMS", "there is no such argument", `did you mean "timeout_ms"?`},
		`{"timeouts_m":1}`:                    {"timeouts_m", "there is no such argument", `did you mean "timeout_ms"?`},
		`{"ITEM":1}`:                          {"ITEM", "there is no such argument", `did you mean "items"?`},
		`{"na":1}`:                            {"na", "there is no such argument", known},
		`7`:                                   {"arguments", "they are no JSON object", `for example {"file":"src/a.go"}`},
	} {
		if diff := cmp.Diff(error(want), explainArguments(json.RawMessage(raw), unreadable, schema)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
	}
}

// A request may be nothing at all where no argument is needed; where one is, it must be there, and be more than null.
func TestRequestsOfNothing(t *testing.T) {
	for _, raw := range []string{"", " ", "null", "{}", "\tnull\n"} {
		request := CheckRequest{}
		if err := Decode(json.RawMessage(raw), &request); err != nil || !cmp.Equal(CheckRequest{}, request) {
			t.Errorf("%q: %+v, %v", raw, request, err)
		}
		var open OpenRequest
		want := &ArgumentError{"file", "it is missing; a string is needed", `for example file: "src/a.go"`}
		if diff := cmp.Diff(error(want), Decode(json.RawMessage(raw), &open)); diff != "" {
			t.Errorf("%q: %s", raw, diff)
		}
	}
	var open OpenRequest
	if err := Decode(json.RawMessage(`{"file":null}`), &open); err == nil || err.Error() != "file: it is null; a string is needed" {
		t.Errorf("null: %v", err)
	}
	if err := Decode(json.RawMessage(`{"path":"a.go"}`), &open); err != nil || open.File != "a.go" {
		t.Errorf("another name: %+v, %v", open, err)
	}
	// What a first reading left behind does not stay.
	check := CheckRequest{}
	err := Decode(json.RawMessage(`{"contents":{"a":"1"},"contents":{"b":"2"},"timeout_ms":"7"}`), &check)
	if diff := cmp.Diff(CheckRequest{Contents: map[string]string{"b": "2"}, TimeoutMS: 7}, check); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

// Lines and columns are whole numbers from 1 on.
func TestNumbersFromOneOn(t *testing.T) {
	type read struct {
		Number OneBased
		Err    string
	}
	for raw, want := range map[string]read{
		`1`: {Number: 1}, `42`: {Number: 42},
		`0`:   {Err: "0: lines and columns start at 1"},
		`-1`:  {Err: "-1: lines and columns start at 1"},
		`"1"`: {Err: "json: cannot unmarshal string into Go value of type int"},
	} {
		var got read
		if err := got.Number.UnmarshalJSON([]byte(raw)); err != nil {
			got.Err = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}
