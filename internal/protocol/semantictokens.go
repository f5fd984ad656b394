package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A SemanticToken is a piece of a text with what it is.
type SemanticToken struct {
	Range     Range // may span lines; tokens may overlap
	Type      string
	Modifiers []string // in the order of the legend
}

// A TokenLegend gives the numbers in semantic tokens their meaning.
type TokenLegend struct {
	Types, Modifiers []string
}

// DecodeTokenLegend returns the legend of semantic tokens options. What is no
// name keeps its place, empty.
func DecodeTokenLegend(options json.RawMessage) TokenLegend {
	var w struct {
		Legend struct {
			TokenTypes     json.RawMessage `json:"tokenTypes"`
			TokenModifiers json.RawMessage `json:"tokenModifiers"`
		} `json:"legend"`
	}
	_ = json.Unmarshal(options, &w) // if it is odd, the legend is empty
	return TokenLegend{Types: names(w.Legend.TokenTypes), Modifiers: names(w.Legend.TokenModifiers)}
}

func names(raw json.RawMessage) (list []string) {
	elements, _ := splitArray(raw)
	for _, element := range elements {
		list = append(list, text(element))
	}
	return list
}

// tokenSize is the count of numbers that state a token: line and start, both
// relative to the token before, length, type, modifiers.
const tokenSize = 5

// DecodeSemanticTokens decodes the result of textDocument/semanticTokens/full
// or range. Positions are absolute, and a range ends on the line it starts on:
// one that spans lines has an end past the end of its line (see
// [Mapper.Advance]). A token that the legend has no type for, or that is
// nowhere, is skipped and counted; a number that is none ends the list, because
// what follows is relative to it, and the rest counts as skipped.
func DecodeSemanticTokens(raw json.RawMessage, legend TokenLegend) (tokens []SemanticToken, skipped int, err error) {
	if isNull(raw) {
		return nil, 0, nil
	}
	var w struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, 0, fmt.Errorf("semantic tokens: %w", err)
	}
	data, total, err := numbers(w.Data)
	if err != nil {
		return nil, 0, fmt.Errorf("semantic tokens: %w", err)
	}
	whole := len(data) / tokenSize
	skipped = (total+tokenSize-1)/tokenSize - whole
	var at Position // its arithmetic wraps: servers write -1 as 4294967295
	for ; len(data) >= tokenSize; data = data[tokenSize:] {
		if data[0] != 0 {
			at = Position{Line: at.Line + uint32(data[0])}
		}
		at.Character += uint32(data[1])
		token, ok := legend.token(at, data[2], data[3], data[4])
		if !ok {
			skipped++
			continue
		}
		tokens = append(tokens, token)
	}
	return tokens, skipped, nil
}

func (l TokenLegend) token(at Position, length, kind, modifiers int64) (SemanticToken, bool) {
	const most = 1<<31 - 1
	if kind < 0 || kind >= int64(len(l.Types)) || l.Types[kind] == "" ||
		at.Line > most || at.Character > most || length <= 0 || length > most {
		return SemanticToken{}, false
	}
	t := SemanticToken{Range: Range{Start: at, End: at}, Type: l.Types[kind]}
	t.Range.End.Character += uint32(length)
	for i, name := range l.Modifiers {
		if i < 63 && modifiers&(1<<i) != 0 && name != "" {
			t.Modifiers = append(t.Modifiers, name)
		}
	}
	return t, true
}

// numbers returns the elements of an array up to the first that is no number,
// fractions cut off, and how many elements there are.
func numbers(raw json.RawMessage) (list []int64, total int, err error) {
	// The quick way takes null for 0.
	if !bytes.Contains(raw, []byte("null")) && json.Unmarshal(raw, &list) == nil {
		return list, len(list), nil
	}
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	list = nil
	for _, element := range elements {
		n, ok := number(element)
		if !ok {
			break
		}
		list = append(list, n)
	}
	return list, len(elements), nil
}
