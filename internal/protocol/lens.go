package protocol

import "encoding/json"

// A CodeLens is a command that a server offers at a range.
type CodeLens struct {
	Range   Range
	Command *Command // nil until it is resolved
	// Raw is the lens as the server sent it, for codeLens/resolve.
	Raw json.RawMessage
}

// DecodeCodeLenses decodes the result of textDocument/codeLens. An element without a
// range is skipped and counted.
func DecodeCodeLenses(raw json.RawMessage) (lenses []CodeLens, skipped int, err error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	for _, element := range elements {
		lens, ok := DecodeCodeLens(element)
		if !ok {
			skipped++
			continue
		}
		lenses = append(lenses, lens)
	}
	return lenses, skipped, nil
}

// DecodeCodeLens decodes one CodeLens, and reports whether it is one: it has a range.
func DecodeCodeLens(raw json.RawMessage) (CodeLens, bool) {
	var w struct {
		Range   *wireRange      `json:"range"`
		Command json.RawMessage `json:"command"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Range == nil {
		return CodeLens{}, false
	}
	lens := CodeLens{Range: w.Range.Range(), Raw: raw}
	var command Command
	if !isNull(w.Command) && json.Unmarshal(w.Command, &command) == nil && command.Command != "" {
		lens.Command = &command
	}
	return lens, true
}
