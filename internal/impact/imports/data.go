package imports

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/language"
)

// IsData reports whether a file is one of data, in no language, that files of the known languages
// may bring in.
func IsData(path string) bool { return bringing(path) != nil }

// bringing returns the family whose files may bring in a file of data, nil if it is none.
func bringing(path string) *family { return families[language.Imported(path)] }

// Unreadable returns why a text is no data, nil if it is.
func Unreadable(text []byte) error {
	_, err := typeOf(text)
	return err
}

// sameType reports whether scripts that bring in data see the same type in both texts: the values
// of texts and numbers are no part of it.
func sameType(before, after []byte) bool {
	if before == nil || after == nil {
		return false
	}
	was, err := typeOf(before)
	if err != nil {
		return false
	}
	is, err := typeOf(after)
	return err == nil && bytes.Equal(was, is)
}

// typeOf returns the type that scripts see in JSON, in a form that is equal for equal types.
func typeOf(text []byte) ([]byte, error) {
	standard, err := jsonc.Standardize(text)
	if err != nil {
		return nil, err
	}
	var value json.RawMessage
	if err := json.Unmarshal(standard, &value); err != nil {
		return nil, err
	}
	return appendType(nil, value), nil
}

// appendType appends the type of a JSON value. That of a list is the union of its members' types.
func appendType(to []byte, value json.RawMessage) []byte {
	switch value[0] {
	case '{':
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(value, &fields) // it is JSON, as are its parts
		to = append(to, '{')
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			quoted, _ := json.Marshal(name)
			to = appendType(append(append(to, quoted...), ':'), fields[name])
			to = append(to, ',')
		}
		return append(to, '}')
	case '[':
		var members []json.RawMessage
		_ = json.Unmarshal(value, &members)
		kinds := make(names)
		for _, member := range members {
			kinds[string(appendType(nil, member))] = true
		}
		to = append(to, '[')
		for _, kind := range kinds.sorted() {
			to = append(append(to, kind...), '|')
		}
		return append(to, ']')
	case '"':
		return append(to, "string"...)
	case 't', 'f':
		return append(to, "boolean"...)
	case 'n':
		return append(to, "null"...)
	}
	return append(to, "number"...)
}
