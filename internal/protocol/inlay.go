package protocol

import (
	"encoding/json"
	"strings"
)

// An InlayHint is a text that an editor shows between those of a document.
type InlayHint struct {
	Position Position
	Label    string // parts joined
	Kind     int    // 1 type, 2 parameter, 0 if not given (LSP, InlayHintKind)
	// PaddingLeft and PaddingRight say that a space belongs on that side.
	PaddingLeft, PaddingRight bool
	Tooltip                   string
}

// DecodeInlayHints decodes the result of textDocument/inlayHint. A hint without
// a position or label is skipped and counted.
func DecodeInlayHints(raw json.RawMessage) (hints []InlayHint, skipped int, err error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		var w struct {
			Position     *wirePosition   `json:"position"`
			Label        json.RawMessage `json:"label"`
			Kind         json.RawMessage `json:"kind"`
			PaddingLeft  json.RawMessage `json:"paddingLeft"`
			PaddingRight json.RawMessage `json:"paddingRight"`
			Tooltip      json.RawMessage `json:"tooltip"`
		}
		if json.Unmarshal(element, &w) != nil || w.Position == nil {
			skipped++
			continue
		}
		label := hintLabel(w.Label)
		if label == "" {
			skipped++
			continue
		}
		hint := InlayHint{
			Position: w.Position.position(), Label: label,
			PaddingLeft: isTrue(w.PaddingLeft), PaddingRight: isTrue(w.PaddingRight),
		}
		kind, _ := number(w.Kind)
		hint.Kind = int(kind)
		hint.Tooltip, _ = markupText(w.Tooltip)
		hints = append(hints, hint)
	}
	return hints, skipped, nil
}

// hintLabel accepts both forms: a string, or parts.
func hintLabel(raw json.RawMessage) string {
	parts, err := splitArray(raw)
	if err != nil {
		return text(raw)
	}
	var label strings.Builder
	for _, part := range parts {
		var w struct {
			Value json.RawMessage `json:"value"`
		}
		if json.Unmarshal(part, &w) == nil {
			label.WriteString(text(w.Value))
		}
	}
	return label.String()
}
