package protocol

import "encoding/json"

// A FoldingRange is a piece of a text that can be folded: whole lines, because
// that is what we announce.
type FoldingRange struct {
	StartLine, EndLine uint32 // 0-based, both inside
	Kind               string // "comment", "imports", "region" or another, "" if not given
	CollapsedText      string
}

// DecodeFoldingRanges decodes the result of textDocument/foldingRange. A range
// that lacks one of its lines is skipped and counted.
func DecodeFoldingRanges(raw json.RawMessage) (ranges []FoldingRange, skipped int, err error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		var w struct {
			StartLine     json.RawMessage `json:"startLine"`
			EndLine       json.RawMessage `json:"endLine"`
			Kind          json.RawMessage `json:"kind"`
			CollapsedText json.RawMessage `json:"collapsedText"`
		}
		if json.Unmarshal(element, &w) != nil || isNull(w.StartLine) || isNull(w.EndLine) {
			skipped++
			continue
		}
		start := clamp(w.StartLine)
		ranges = append(ranges, FoldingRange{
			StartLine: start, EndLine: max(start, clamp(w.EndLine)),
			Kind: text(w.Kind), CollapsedText: text(w.CollapsedText),
		})
	}
	return ranges, skipped, nil
}
