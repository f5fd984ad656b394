package protocol

import (
	"bytes"
	"encoding/json"
)

// DecodeLocations decodes the result of the definition family and of
// references: null, one Location, or an array of Location or LocationLink. A
// bad element is skipped and counted.
func DecodeLocations(raw json.RawMessage) (locations []Location, skipped int, err error) {
	var all []wireLocation
	if json.Unmarshal(raw, &all) == nil { // at once, which is twice as fast
		for _, w := range all {
			if l, ok := w.Location(); ok {
				locations = append(locations, l)
			} else {
				skipped++
			}
		}
		return locations, skipped, nil
	}
	elements, err := oneOrMany(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		var w wireLocation
		if json.Unmarshal(element, &w) == nil {
			if l, ok := w.Location(); ok {
				locations = append(locations, l)
				continue
			}
		}
		skipped++
	}
	return locations, skipped, nil
}

// oneOrMany returns the elements of an array, or the one object there is.
func oneOrMany(raw json.RawMessage) ([]json.RawMessage, error) {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' {
		return []json.RawMessage{trimmed}, nil
	}
	return splitArray(raw)
}

// A Symbol is a DocumentSymbol; a flat SymbolInformation becomes one without
// children, its SelectionRange equal to its Range.
type Symbol struct {
	Name           string
	Detail         string
	Kind           int // LSP, SymbolKind
	Container      string
	URI            DocumentURI // "" for a DocumentSymbol
	Range          Range
	SelectionRange Range
	// NoRange says that the server named only the file: a WorkspaceSymbol that
	// would have to be resolved.
	NoRange  bool
	Children []Symbol
}

// symbolFields are those of a symbol but for its children.
type symbolFields struct {
	Name           string          `json:"name"`
	Detail         json.RawMessage `json:"detail"`
	Kind           json.RawMessage `json:"kind"`
	ContainerName  json.RawMessage `json:"containerName"`
	Range          *wireRange      `json:"range"`
	SelectionRange *wireRange      `json:"selectionRange"`
	Location       *wireLocation   `json:"location"`
}

// A wireSymbol is read one by one, a wholeSymbol with all that is in it, which
// is faster where nothing is odd.
type (
	wireSymbol struct {
		symbolFields
		Children []json.RawMessage `json:"children"`
	}
	wholeSymbol struct {
		symbolFields
		Children []wholeSymbol `json:"children"`
	}
)

// DecodeSymbols decodes DocumentSymbol[], SymbolInformation[] or
// WorkspaceSymbol[], or a mixture.
// A bad element is skipped and counted, with its children.
func DecodeSymbols(raw json.RawMessage) (symbols []Symbol, skipped int, err error) {
	var whole []wholeSymbol
	if json.Unmarshal(raw, &whole) == nil {
		symbols, skipped = symbolsOf(whole)
		return symbols, skipped, nil
	}
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	symbols, skipped = decodeSymbols(elements)
	return symbols, skipped, nil
}

func symbolsOf(whole []wholeSymbol) (symbols []Symbol, skipped int) {
	for i := range whole {
		s, ok := whole[i].symbol()
		if !ok {
			skipped++
			continue
		}
		var bad int
		s.Children, bad = symbolsOf(whole[i].Children)
		skipped += bad
		symbols = append(symbols, s)
	}
	return symbols, skipped
}

func decodeSymbols(elements []json.RawMessage) (symbols []Symbol, skipped int) {
	for _, element := range elements {
		var w wireSymbol
		if json.Unmarshal(element, &w) != nil {
			skipped++
			continue
		}
		s, ok := w.symbol()
		if !ok {
			skipped++
			continue
		}
		var bad int
		s.Children, bad = decodeSymbols(w.Children)
		skipped += bad
		symbols = append(symbols, s)
	}
	return symbols, skipped
}

// symbol returns the symbol without its children, and whether it is one.
func (w *symbolFields) symbol() (Symbol, bool) {
	s := Symbol{Name: w.Name, Detail: text(w.Detail), Container: text(w.ContainerName)}
	kind, _ := number(w.Kind)
	s.Kind = int(kind)
	switch {
	case w.Name == "":
		return s, false
	case w.Range != nil:
		s.Range = w.Range.Range()
		s.SelectionRange = s.Range
		if w.SelectionRange != nil {
			s.SelectionRange = w.SelectionRange.Range()
		}
	case w.Location != nil && w.Location.URI != "":
		s.URI = DocumentURI(w.Location.URI)
		if s.NoRange = w.Location.Range == nil; !s.NoRange {
			s.Range = w.Location.Range.Range()
		}
		s.SelectionRange = s.Range
	default:
		return s, false
	}
	return s, true
}
