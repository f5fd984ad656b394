package config

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/lspine/lspine/internal/jsonc"
	"github.com/tailscale/hujson"
)

// A valueError is why a value is refused.
type valueError struct{ message, hint string }

func (e *valueError) Error() string { return e.message }

// Hint says what may be written instead, "" if that is clear.
func (e *valueError) Hint() string { return e.hint }

func impossible(format string, args ...any) error {
	return &valueError{message: fmt.Sprintf(format, args...)}
}

func wrongType(want string, v hujson.Value) error {
	return impossible("must be %s, not %s", want, describe(v))
}

func describe(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "the number " + v.Value.(hujson.Literal).String()
	case 'n':
		return "null"
	}
	return v.Value.(hujson.Literal).String()
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// compact returns the value as plain JSON on one line.
func compact(v hujson.Value) []byte {
	v = v.Clone()
	v.Minimize()
	return v.Pack()
}

// jsonText reads the text of a variable as JSON; what is none is a string.
func jsonText(text string) hujson.Value {
	if v, err := jsonc.Parse([]byte(text)); err == nil {
		return v
	}
	quoted, _ := json.Marshal(text) // a string can be written
	return hujson.Value{Value: hujson.Literal(quoted)}
}

func wholeNumber(v hujson.Value, kind string, least, most int) (int, error) {
	if v.Value.Kind() != '0' {
		return 0, wrongType(kind, v)
	}
	text := v.Value.(hujson.Literal).String()
	f, err := strconv.ParseFloat(text, 64)
	if err == nil && f != math.Trunc(f) {
		return 0, wrongType(kind, v)
	}
	if err != nil || f < float64(least) || f > float64(most) {
		return 0, impossible("must be from %d to %d, not %s", least, most, text)
	}
	return int(f), nil
}

func readBool(v hujson.Value) (bool, error) {
	if k := v.Value.Kind(); k != 't' && k != 'f' {
		return false, wrongType("true or false", v)
	}
	return v.Value.(hujson.Literal).Bool(), nil
}

func readString(v hujson.Value) (string, error) {
	if v.Value.Kind() != '"' {
		return "", wrongType("a string", v)
	}
	s := v.Value.(hujson.Literal).String()
	if strings.Contains(s, "\x00") {
		return "", impossible("has a NUL character in it")
	}
	return s, nil
}

// readStrings reads an array of strings that the check (if not nil) accepts;
// none are nil.
func readStrings(v hujson.Value, kind string, check func(string) error) ([]string, error) {
	a, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, wrongType(kind, v)
	}
	var list []string
	for _, e := range a.Elements {
		s, err := readString(e)
		if e.Value.Kind() != '"' {
			err = impossible("must be %s, and has %s in it", kind, describe(e))
		}
		if err != nil {
			return nil, err
		}
		if check != nil {
			if err := check(s); err != nil {
				return nil, err
			}
		}
		list = append(list, s)
	}
	return list, nil
}

func readWord[T ~string](v hujson.Value, known []T) (T, error) {
	s, err := readString(v)
	if err == nil && !slices.Contains(known, T(s)) {
		err = &valueError{fmt.Sprintf("there is no %q here", s), "it may be " + strings.Join(wordsOf(known), ", ")}
	}
	return T(s), err
}

func wordsOf[T ~string](list []T) (words []string) {
	for _, word := range list {
		words = append(words, string(word))
	}
	return words
}

func checkGlob(s string) error {
	if s == "" || !doublestar.ValidatePattern(s) {
		return impossible("%q is not a glob", s)
	}
	return nil
}

// isPlainObject reports whether a value is an object whose members have different names, and
// all of which are plain.
func isPlainObject(v hujson.Value, plain func(name string, value hujson.Value) bool) bool {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return false
	}
	names := make(map[string]bool)
	for _, m := range o.Members {
		if name := nameOf(m); names[name] || !plain(name, m.Value) {
			return false
		}
		names[nameOf(m)] = true
	}
	return true
}

func ofType(name string) func() *jsonschema.Schema {
	return func() *jsonschema.Schema { return &jsonschema.Schema{Type: name} }
}

func enumOf(words []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, word)
	}
	return s
}

func wholeNumbers(least, most int) *jsonschema.Schema {
	low, high := float64(least), float64(most)
	return &jsonschema.Schema{Type: "integer", Minimum: &low, Maximum: &high}
}

func stringsSchema(pattern string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string", Pattern: pattern}}
}

func anyStrings() *jsonschema.Schema { return stringsSchema("") }

// closed is an object with these members alone.
func closed(members map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: members, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}
