// Package jsonc reads JSON with comments and trailing commas, as people write it for editors and
// agents. It is package hujson, which refuses a file whose last line is a comment without an end of
// line.
package jsonc

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// Parse parses a text, which the value refers to: its Pack returns the text as it is. Offsets in
// errors and values are those of the text.
func Parse(text []byte) (hujson.Value, error) {
	value, err := hujson.Parse(text)
	if err == nil {
		return value, nil
	}
	ended, failed := hujson.Parse(withEnd(text))
	if failed != nil {
		return value, err
	}
	ended.AfterExtra = bytes.TrimSuffix(ended.AfterExtra, []byte("\n"))
	return ended, nil
}

// Standardize returns a text as JSON, with spaces for what is none. The text is not changed.
func Standardize(text []byte) ([]byte, error) { return hujson.Standardize(withoutMark(withEnd(text))) }

// Minimize returns a text as JSON without white space. The text is not changed.
func Minimize(text []byte) ([]byte, error) { return hujson.Minimize(withoutMark(withEnd(text))) }

// withEnd returns a copy of a text, with an end of line.
func withEnd(text []byte) []byte { return append(slices.Clip(text), '\n') }

// withoutMark replaces a byte order mark, which compilers pass over, by white space.
func withoutMark(text []byte) []byte {
	if mark := []byte("\ufeff"); bytes.HasPrefix(text, mark) {
		copy(text, bytes.Repeat([]byte(" "), len(mark)))
	}
	return text
}
