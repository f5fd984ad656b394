package protocol

import (
	"encoding/json"
	"strings"
)

// A Hover is what a server says about a place.
type Hover struct {
	Text string // markdown or plain, "" for nothing
	// Range is what the text is about, nil if the server does not say.
	Range *Range
}

// DecodeHover decodes a hover result. Its contents may be MarkupContent, a
// string, a marked string with a language (fenced), or an array of the latter
// two. Null is the empty Hover.
func DecodeHover(raw json.RawMessage) (Hover, error) {
	if isNull(raw) {
		return Hover{}, nil
	}
	var w struct {
		Contents json.RawMessage `json:"contents"`
		Range    json.RawMessage `json:"range"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Hover{}, err
	}
	parts, err := splitArray(w.Contents)
	if err != nil { // no array: one value
		parts = []json.RawMessage{w.Contents}
	}
	var texts []string
	for _, part := range parts {
		if t := readable(withoutPictures(markedText(part))); t != "" {
			texts = append(texts, t)
		}
	}
	hover := Hover{Text: strings.Join(texts, "\n\n")}
	var r *wireRange
	if json.Unmarshal(w.Range, &r) == nil && r != nil {
		hover.Range = new(r.Range())
	}
	return hover, nil
}

func markedText(raw json.RawMessage) string {
	var marked struct {
		Language string `json:"language"`
		Value    string `json:"value"`
	}
	if json.Unmarshal(raw, &marked) == nil {
		if marked.Language != "" {
			return "```" + marked.Language + "\n" + marked.Value + "\n```"
		}
		return marked.Value
	}
	return text(raw)
}
