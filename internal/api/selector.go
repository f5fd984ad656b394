package api

import (
	"encoding/json"
	"fmt"
)

// A OneBased is a line or column: 1-based.
type OneBased int

// UnmarshalJSON refuses numbers below 1: no editor shows such a line or column.
func (p *OneBased) UnmarshalJSON(raw []byte) error {
	var n int
	if err := json.Unmarshal(raw, &n); err != nil {
		return err
	}
	if n < 1 {
		return fmt.Errorf("%d: lines and columns start at 1", n)
	}
	*p = OneBased(n)
	return nil
}

// A Selector names one symbol: by At alone, or by the other fields.
type Selector struct {
	At      string   `json:"at,omitempty" jsonschema:"the symbol: file:line:column, file:line name, file Name.path or Name.path"`
	File    string   `json:"file,omitempty" jsonschema:"instead of at, with line and column, line and symbol, symbol, or pattern"`
	Line    OneBased `json:"line,omitempty"`
	Column  OneBased `json:"column,omitempty"`
	Symbol  string   `json:"symbol,omitempty" jsonschema:"name or name path"`
	Pattern string   `json:"pattern,omitempty" jsonschema:"snippet of the file with @@ before the symbol"`
	// LineScopeStart and LineScopeEnd bound where the pattern is looked for.
	LineScopeStart OneBased `json:"line_scope_start,omitempty"`
	LineScopeEnd   OneBased `json:"line_scope_end,omitempty"`
	Language       string   `json:"language,omitempty" jsonschema:"LSP language id, for a name path without file"`
}

// An Area is a range of a file; without lines it is the whole.
type Area struct {
	File        string   `json:"file" jsonschema:"path"`
	StartLine   OneBased `json:"start_line,omitempty"`
	StartColumn OneBased `json:"start_column,omitempty"`
	EndLine     OneBased `json:"end_line,omitempty"`
	EndColumn   OneBased `json:"end_column,omitempty"`
}
