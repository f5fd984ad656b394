package protocol

import (
	"bytes"
	"encoding/json"
)

// A CompletionList is what could stand at a place.
type CompletionList struct {
	Items []CompletionItem // in the server's order
	// Incomplete says that more typing would give other items.
	Incomplete bool
}

// A CompletionItem is one of a CompletionList, its unions resolved and its snippet made
// plain.
type CompletionItem struct {
	Label         string
	Kind          int // LSP, CompletionItemKind; 0 if not given
	Detail        string
	Documentation string
	// InsertText is what would be inserted, plain: that of the text edit, else
	// the insert text, else the label.
	InsertText string
	// SortText and FilterText are the label if not given (LSP).
	SortText, FilterText string
	Deprecated           bool
}

// DecodeCompletions decodes the result of textDocument/completion:
// CompletionList, CompletionItem[] or null. An item without a label is skipped
// and counted.
func DecodeCompletions(raw json.RawMessage) (list CompletionList, skipped int, err error) {
	snippets := false // unless an item says otherwise
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' {
		var w struct {
			IsIncomplete json.RawMessage `json:"isIncomplete"`
			Items        json.RawMessage `json:"items"`
			Defaults     struct {
				Format json.RawMessage `json:"insertTextFormat"`
			} `json:"itemDefaults"`
		}
		if err := json.Unmarshal(raw, &w); err != nil {
			return CompletionList{}, 0, err
		}
		list.Incomplete = isTrue(w.IsIncomplete)
		snippets = isSnippet(w.Defaults.Format, false)
		raw = w.Items
	}
	elements, err := splitArray(raw)
	if err != nil {
		return CompletionList{}, 0, err
	}
	for _, element := range elements {
		item, ok := decodeCompletion(element, snippets)
		if !ok {
			skipped++
			continue
		}
		list.Items = append(list.Items, item)
	}
	return list, skipped, nil
}

func decodeCompletion(raw json.RawMessage, snippet bool) (CompletionItem, bool) {
	var w struct {
		Label         string          `json:"label"`
		Kind          json.RawMessage `json:"kind"`
		Detail        json.RawMessage `json:"detail"`
		Documentation json.RawMessage `json:"documentation"`
		TextEdit      json.RawMessage `json:"textEdit"`
		InsertText    json.RawMessage `json:"insertText"`
		SortText      json.RawMessage `json:"sortText"`
		FilterText    json.RawMessage `json:"filterText"`
		Deprecated    json.RawMessage `json:"deprecated"`
		Tags          json.RawMessage `json:"tags"`
		Format        json.RawMessage `json:"insertTextFormat"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Label == "" {
		return CompletionItem{}, false
	}
	item := CompletionItem{
		Label: w.Label, Detail: text(w.Detail), InsertText: w.Label, SortText: w.Label, FilterText: w.Label,
		Deprecated: isTrue(w.Deprecated) || hasNumber(w.Tags, 1),
	}
	kind, _ := number(w.Kind)
	item.Kind = int(kind)
	item.Documentation, _ = markupText(w.Documentation)
	var edit struct {
		NewText *string `json:"newText"`
	}
	if json.Unmarshal(w.TextEdit, &edit) == nil && edit.NewText != nil {
		item.InsertText = *edit.NewText
	} else if t := text(w.InsertText); t != "" {
		item.InsertText = t
	}
	if isSnippet(w.Format, snippet) {
		item.InsertText = plainSnippet(item.InsertText)
	}
	if t := text(w.SortText); t != "" {
		item.SortText = t
	}
	if t := text(w.FilterText); t != "" {
		item.FilterText = t
	}
	return item, true
}

// isSnippet reports whether an InsertTextFormat is that of snippets.
func isSnippet(format json.RawMessage, byDefault bool) bool {
	n, given := number(format)
	if !given {
		return byDefault
	}
	return n == 2
}

func isTrue(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "true" }

// hasNumber reports whether an array, if it is one, has the number.
func hasNumber(raw json.RawMessage, want int64) bool {
	elements, _ := splitArray(raw)
	for _, element := range elements {
		if n, ok := number(element); ok && n == want {
			return true
		}
	}
	return false
}
