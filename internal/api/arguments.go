package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/google/jsonschema-go/jsonschema"
)

// examples show a value for an argument, by its name.
var examples = map[string]string{
	"at": `"src/a.go:42 Load"`, "file": `"src/a.go"`, "files": `["src/a.go"]`, "line": "42", "column": "7",
	"start_line": "10", "end_line": "20", "start_column": "1", "end_column": "1", "symbol": `"Config.Load"`,
	"edits":   `[{"file":"src/a.go","old_text":"x := 1","new_text":"x := 2"}]`,
	"pattern": `"func @@Load("`, "query": `"Load"`, "direction": `"callers"`, "kind": `"function"`,
	"max_bytes": "12000", "timeout_ms": "5000", "depth": "2", "limit": "20", "changes": `[{"file":"a.go","type":"changed"}]`,
	"contents": `{"src/a.go":"package a"}`, "severities": `["error","warning"]`, "language": `"go"`,
}

// Example returns a value for an argument, as JSON.
func Example(argument string) string { return examples[argument] }

// Decode reads the JSON of a request into *request, after putting right what [Operation.Respell]
// can. An error is an *[ArgumentError] that names the argument, its type and an example.
func Decode[Req any](raw json.RawMessage, request *Req) error {
	schema := schemaOf[Req]
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		raw = json.RawMessage("{}")
	}
	err := decodeStrictly(raw, request)
	if err == nil && missing(raw, schema) == "" {
		return nil
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) == nil {
		if respelled, e := json.Marshal(respell(given, schema())); e == nil {
			raw = respelled
		}
		var zero Req
		*request = zero
		err = decodeStrictly(raw, request)
	}
	if err != nil || missing(raw, schema) != "" {
		return explainArguments(raw, err, schema())
	}
	return nil
}

func decodeStrictly(raw json.RawMessage, request any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return decoder.Decode(request)
}

// missing returns the name of a required argument that is not given, or "".
func missing(raw json.RawMessage, schema func() *jsonschema.Schema) string {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return ""
	}
	for _, name := range schema().Required {
		if value, ok := given[name]; !ok || string(value) == "null" {
			return name
		}
	}
	return ""
}

func explainArguments(raw json.RawMessage, err error, schema *jsonschema.Schema) error {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return &ArgumentError{"arguments", "they are no JSON object", `for example {"file":"src/a.go"}`}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		property, known := schema.Properties[name]
		if !known {
			return unknownArgument(name, schema)
		}
		if reason := misfit(given[name], property); reason != "" {
			return &ArgumentError{name, reason, "for example " + example(name, property)}
		}
	}
	if name := missing(raw, func() *jsonschema.Schema { return schema }); name != "" {
		return &ArgumentError{name, fmt.Sprintf("it is missing; %s is needed", article(schema.Properties[name].Type)), "for example " + example(name, schema.Properties[name])}
	}
	return &ArgumentError{"arguments", err.Error(), ""}
}

func unknownArgument(name string, schema *jsonschema.Schema) error {
	known := slices.Sorted(maps.Keys(schema.Properties))
	advice := "known are " + strings.Join(known, ", ")
	for _, k := range known {
		if levenshtein.ComputeDistance(k, strings.ToLower(name)) <= max(1, len(name)/3) {
			advice = fmt.Sprintf("did you mean %q?", k)
		}
	}
	return &ArgumentError{name, "there is no such argument", advice}
}

// misfit says how a value does not fit a property, or "".
func misfit(value json.RawMessage, property *jsonschema.Schema) string {
	is := typeOf(value)
	switch is {
	case "integer":
		if n, err := strconv.Atoi(string(value)); property.Type == is && property.Minimum != nil && err == nil && float64(n) < *property.Minimum {
			return fmt.Sprintf("%d is below %g: lines and columns start there", n, *property.Minimum)
		}
	case "array":
		if property.Type == is && property.Items != nil {
			return misfitElement(value, property)
		}
	}
	if property.Type == "" || is == property.Type || is == "integer" && property.Type == "number" {
		return ""
	}
	return fmt.Sprintf("it is %s; %s is needed", article(is), article(property.Type))
}

// typeOf returns the JSON schema type of a value.
func typeOf(value json.RawMessage) string {
	value = bytes.TrimSpace(value)
	switch value[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if _, err := strconv.Atoi(string(value)); err == nil {
		return "integer"
	}
	return "number"
}

func misfitElement(value json.RawMessage, property *jsonschema.Schema) string {
	var elements []json.RawMessage
	_ = json.Unmarshal(value, &elements) // it is one
	for i, element := range elements {
		if reason := misfit(element, property.Items); reason != "" {
			return fmt.Sprintf("element %d: %s", i, reason)
		}
	}
	return ""
}

func article(kind string) string {
	switch kind {
	case "null":
		return kind
	case "integer", "object", "array":
		return "an " + kind
	}
	return "a " + kind
}

func example(name string, property *jsonschema.Schema) string {
	if shown, ok := examples[name]; ok {
		return name + ": " + shown
	}
	switch property.Type {
	case "integer":
		return name + ": 1"
	case "boolean":
		return name + ": true"
	case "array":
		return name + `: ["…"]`
	case "object":
		return name + `: {}`
	}
	return name + `: "…"`
}
