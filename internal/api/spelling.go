package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// spellings are names that models give to arguments, from the tools of other
// products, and ours, best first.
var spellings = map[string][]string{
	"file_path": {"file", "files"}, "filepath": {"file", "files"}, "filePath": {"file", "files"}, "filename": {"file", "files"},
	"path": {"file", "files"}, "uri": {"file", "files"}, "file": {"files"}, "paths": {"files"}, "file_paths": {"files"},
	"old_string": {"old_text"}, "new_string": {"new_text"}, "oldText": {"old_text"}, "newText": {"new_text"},
	"name": {"symbol"}, "symbol_name": {"symbol"}, "name_path": {"symbol"}, "newName": {"new_name"},
}

// Spellings returns the name of an argument, followed by the other names that models use for it,
// the most usual first.
func Spellings(argument string) []string {
	names := []string{argument}
	for _, name := range slices.Sorted(maps.Keys(spellings)) {
		if slices.Contains(spellings[name], argument) {
			names = append(names, name)
		}
	}
	return names
}

// Respell returns a request with the usual deviations of models put right: other known names of
// arguments, numbers and truth values written as strings, a single value where a list is wanted,
// a list or an object written as a string of JSON. Everything else stays as it is, also what is
// wrong.
func (o *Operation) Respell(request map[string]json.RawMessage) map[string]json.RawMessage {
	return respell(request, o.Input())
}

func respell(request map[string]json.RawMessage, schema *jsonschema.Schema) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(request))
	for _, name := range slices.Sorted(maps.Keys(request)) {
		value := request[name]
		own := ourName(name, request, schema)
		if _, taken := out[own]; own != "" && !taken {
			name = own
		}
		out[name] = fitting(value, schema.Properties[name])
	}
	return out
}

// ourName returns how the schema calls an argument of another name, "" if it
// knows the name, knows none for it, or if ours is given as well.
func ourName(name string, request map[string]json.RawMessage, schema *jsonschema.Schema) string {
	if _, known := schema.Properties[name]; known {
		return ""
	}
	for _, own := range spellings[name] {
		if _, known := schema.Properties[own]; !known {
			continue
		}
		if _, given := request[own]; given {
			return ""
		}
		return own
	}
	return ""
}

// fitting returns a value as its property wants it.
func fitting(value json.RawMessage, property *jsonschema.Schema) json.RawMessage {
	value = bytes.TrimSpace(value)
	if property == nil || len(value) == 0 || string(value) == "null" {
		return value
	}
	is := typeOf(value)
	if is == "string" {
		var text string
		_ = json.Unmarshal(value, &text) // it is one
		if inner := ofText(strings.TrimSpace(text), property.Type); inner != nil {
			value = inner
			is = typeOf(value)
		}
	}
	switch {
	case property.Type == "array" && is != "array" && property.Items != nil && (property.Items.Type == is || property.Items.Type == ""):
		value = slices.Concat(json.RawMessage("["), value, json.RawMessage("]"))
		fallthrough
	case property.Type == "array" && is == "array":
		return fittingElements(value, property)
	case property.Type == "object" && is == "object" && len(property.Properties) > 0:
		return fittingMembers(value, property)
	}
	return value
}

// ofText returns the number, truth value, list or object of a kind (a type of JSON Schema) that
// a string spells, nil if it spells none or the kind is another.
func ofText(text, kind string) json.RawMessage {
	switch kind {
	case "integer", "number":
		if n, err := strconv.Atoi(text); err == nil {
			return strconv.AppendInt(nil, int64(n), 10)
		}
	case "boolean":
		if text == "true" || text == "false" {
			return json.RawMessage(text)
		}
	case "array", "object":
		opening := map[string]string{"array": "[", "object": "{"}[kind]
		if strings.HasPrefix(text, opening) && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	}
	return nil
}

func fittingElements(value json.RawMessage, property *jsonschema.Schema) json.RawMessage {
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) != nil {
		return value
	}
	changed := false
	for i, element := range elements {
		elements[i] = fitting(element, property.Items)
		changed = changed || !bytes.Equal(elements[i], bytes.TrimSpace(element))
	}
	return encoded(elements, value, changed)
}

func fittingMembers(value json.RawMessage, schema *jsonschema.Schema) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return value
	}
	return encoded(respell(members, schema), value, true)
}

// encoded returns the JSON of a value, or the original if nothing has changed.
func encoded(value any, original json.RawMessage, changed bool) json.RawMessage {
	if !changed {
		return original
	}
	text, err := json.Marshal(value)
	if err != nil {
		return original
	}
	return text
}
