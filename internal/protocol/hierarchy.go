package protocol

import (
	"bytes"
	"encoding/json"
)

// A HierarchyItem is one of a call hierarchy or type hierarchy.
type HierarchyItem struct {
	Name   string
	Detail string
	Kind   int // LSP, SymbolKind
	URI    DocumentURI
	// Range is the whole of it, SelectionRange its name.
	Range, SelectionRange Range
	// Raw is the item as the server gave it, in the server's encoding and with
	// its data: what is sent back to ask on. It may share memory with the answer.
	Raw json.RawMessage
}

// A Call is one edge of a call hierarchy.
type Call struct {
	// Item is the other end: who calls, or what is called.
	Item HierarchyItem
	// Ranges are the calls themselves, in the file of the caller.
	Ranges []Range
}

// DecodeHierarchyItems decodes the results of textDocument/prepareCallHierarchy
// and prepareTypeHierarchy, and of typeHierarchy/*. An item without a name,
// file or range is skipped and counted.
func DecodeHierarchyItems(raw json.RawMessage) (items []HierarchyItem, skipped int, err error) {
	if scanned(raw, func(s *scanner) { items = s.items() }) {
		return items, 0, nil
	}
	return eachItem(raw)
}

func eachItem(raw json.RawMessage) (items []HierarchyItem, skipped int, err error) {
	elements, err := oneOrMany(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		item, ok := decodeHierarchyItem(element)
		if !ok {
			skipped++
			continue
		}
		items = append(items, item)
	}
	return items, skipped, nil
}

func decodeHierarchyItem(raw json.RawMessage) (HierarchyItem, bool) {
	var w struct {
		Name           string          `json:"name"`
		Detail         json.RawMessage `json:"detail"`
		Kind           json.RawMessage `json:"kind"`
		URI            string          `json:"uri"`
		Range          *wireRange      `json:"range"`
		SelectionRange *wireRange      `json:"selectionRange"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Name == "" || w.URI == "" || w.Range == nil {
		return HierarchyItem{}, false
	}
	item := HierarchyItem{
		Name: w.Name, Detail: text(w.Detail), URI: DocumentURI(w.URI),
		Range: w.Range.Range(), Raw: bytes.Clone(raw),
	}
	kind, _ := number(w.Kind)
	item.Kind = int(kind)
	item.SelectionRange = item.Range
	if w.SelectionRange != nil {
		item.SelectionRange = w.SelectionRange.Range()
	}
	return item, true
}

// DecodeCalls decodes the result of callHierarchy/incomingCalls or
// outgoingCalls. A call without an item is skipped and counted; so is a bad
// range of it.
func DecodeCalls(raw json.RawMessage) (calls []Call, skipped int, err error) {
	if scanned(raw, func(s *scanner) { calls = s.calls() }) {
		return calls, 0, nil
	}
	return eachCall(raw)
}

func eachCall(raw json.RawMessage) (calls []Call, skipped int, err error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		var w struct {
			From       json.RawMessage `json:"from"`
			To         json.RawMessage `json:"to"`
			FromRanges json.RawMessage `json:"fromRanges"`
		}
		if json.Unmarshal(element, &w) != nil {
			skipped++
			continue
		}
		if isNull(w.From) {
			w.From = w.To
		}
		item, ok := decodeHierarchyItem(w.From)
		if !ok {
			skipped++
			continue
		}
		ranges, bad := decodeRanges(w.FromRanges)
		skipped += bad
		calls = append(calls, Call{Item: item, Ranges: ranges})
	}
	return calls, skipped, nil
}

func decodeRanges(raw json.RawMessage) (ranges []Range, skipped int) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 1
	}
	for _, element := range elements {
		var w *wireRange
		if json.Unmarshal(element, &w) != nil || w == nil {
			skipped++
			continue
		}
		ranges = append(ranges, w.Range())
	}
	return ranges, skipped
}
