package protocol

import "encoding/json"

// A HighlightKind is LSP's DocumentHighlightKind.
type HighlightKind int

const (
	HighlightText  HighlightKind = 1
	HighlightRead  HighlightKind = 2
	HighlightWrite HighlightKind = 3
)

// A Highlight is a place that belongs together with another one.
type Highlight struct {
	Range Range
	Kind  HighlightKind // HighlightText if not given or unknown
}

// DecodeHighlights decodes the result of textDocument/documentHighlight. A
// highlight without a range is skipped and counted.
func DecodeHighlights(raw json.RawMessage) (highlights []Highlight, skipped int, err error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		var w struct {
			Range *wireRange      `json:"range"`
			Kind  json.RawMessage `json:"kind"`
		}
		if json.Unmarshal(element, &w) != nil || w.Range == nil {
			skipped++
			continue
		}
		h := Highlight{Range: w.Range.Range(), Kind: HighlightText}
		if n, ok := number(w.Kind); ok && n >= 1 && n <= 3 {
			h.Kind = HighlightKind(n)
		}
		highlights = append(highlights, h)
	}
	return highlights, skipped, nil
}
