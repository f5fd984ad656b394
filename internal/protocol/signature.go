package protocol

import (
	"encoding/json"
	"unicode/utf16"
)

// SignatureHelp is what can be called at a place (LSP, SignatureHelp).
type SignatureHelp struct {
	Signatures []Signature // at least one
	Active     int         // index into Signatures
}

// A Signature is one way to call.
type Signature struct {
	Label         string
	Documentation string
	Parameters    []Parameter
	// Active is the index into Parameters of the one the place is at, or -1.
	Active int
}

// A Parameter is one of a signature. Label is its part of the signature's.
type Parameter struct {
	Label         string
	Documentation string
}

type wireSignature struct {
	Label           string          `json:"label"`
	Documentation   json.RawMessage `json:"documentation"`
	Parameters      json.RawMessage `json:"parameters"`
	ActiveParameter json.RawMessage `json:"activeParameter"`
}

// DecodeSignatureHelp decodes the result of textDocument/signatureHelp; nil is
// returned for null and for no signature. A bad signature is skipped and
// counted; so is a bad parameter, but it keeps its place, empty.
func DecodeSignatureHelp(raw json.RawMessage) (help *SignatureHelp, skipped int, err error) {
	if isNull(raw) {
		return nil, 0, nil
	}
	var w struct {
		Signatures      json.RawMessage `json:"signatures"`
		ActiveSignature json.RawMessage `json:"activeSignature"`
		ActiveParameter json.RawMessage `json:"activeParameter"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, 0, err
	}
	elements, err := splitArray(w.Signatures)
	if err != nil {
		return nil, 0, err
	}
	chosen, _ := number(w.ActiveSignature)
	help = &SignatureHelp{}
	for i, element := range elements {
		var s wireSignature
		if json.Unmarshal(element, &s) != nil || s.Label == "" {
			skipped++
			continue
		}
		if int64(i) == chosen {
			help.Active = len(help.Signatures)
		}
		if s.ActiveParameter == nil {
			s.ActiveParameter = w.ActiveParameter
		}
		signature, bad := s.signature()
		skipped += bad
		help.Signatures = append(help.Signatures, signature)
	}
	if len(help.Signatures) == 0 {
		return nil, skipped, nil
	}
	return help, skipped, nil
}

func (w wireSignature) signature() (s Signature, skipped int) {
	s = Signature{Label: w.Label, Active: -1}
	s.Documentation, _ = markupText(w.Documentation)
	elements, err := splitArray(w.Parameters)
	if err != nil {
		skipped++
	}
	for _, element := range elements {
		p, ok := decodeParameter(element, w.Label)
		if !ok {
			skipped++ // kept, for the index of the active one
		}
		s.Parameters = append(s.Parameters, p)
	}
	// Absent means the first (LSP). Null and a number outside mean none: pyright
	// and others say so that way, though LSP has it mean the first.
	active, ok := number(w.ActiveParameter)
	if (ok || w.ActiveParameter == nil) && active >= 0 && active < int64(len(s.Parameters)) {
		s.Active = int(active)
	}
	return s, skipped
}

// decodeParameter accepts both forms of a label: its text, or its [start, end)
// in UTF-16 units of the signature's.
func decodeParameter(raw json.RawMessage, signature string) (Parameter, bool) {
	var w struct {
		Label         json.RawMessage `json:"label"`
		Documentation json.RawMessage `json:"documentation"`
	}
	if json.Unmarshal(raw, &w) != nil {
		return Parameter{}, false
	}
	p := Parameter{Label: text(w.Label)}
	p.Documentation, _ = markupText(w.Documentation)
	if ends, err := splitArray(w.Label); err == nil && len(ends) == 2 {
		units := utf16.Encode([]rune(signature))
		start, ok := number(ends[0])
		end, ok2 := number(ends[1])
		if ok && ok2 && start >= 0 && start <= end && end <= int64(len(units)) {
			p.Label = string(utf16.Decode(units[start:end]))
		}
	}
	return p, p.Label != ""
}
