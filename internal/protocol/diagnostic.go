package protocol

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// A Severity is the severity of a diagnostic (LSP, DiagnosticSeverity).
type Severity int

const (
	SeverityError   Severity = 1
	SeverityWarning Severity = 2
	SeverityInfo    Severity = 3
	SeverityHint    Severity = 4
)

var severityNames = [...]string{SeverityError: "error", SeverityWarning: "warning", SeverityInfo: "info", SeverityHint: "hint"}

func (s Severity) String() string {
	if s < SeverityError || s > SeverityHint {
		return "error"
	}
	return severityNames[s]
}

// ParseSeverity returns the severity with the name.
func ParseSeverity(name string) (Severity, bool) {
	for s := SeverityError; s <= SeverityHint; s++ {
		if severityNames[s] == name {
			return s, true
		}
	}
	return 0, false
}

// A Tag is LSP's DiagnosticTag.
type Tag int

const (
	Unnecessary Tag = 1
	Deprecated  Tag = 2
)

// A Diagnostic is LSP's Diagnostic with its unions resolved: Code is text
// whatever it was on the wire ("" if absent), a missing or unknown severity is
// an error, a markup message its text.
type Diagnostic struct {
	Range    Range
	Severity Severity
	Code     string
	Source   string
	Message  string
	Tags     []Tag
	Related  []Related
	// Raw is the diagnostic as the server sent it, in the server's encoding, to be
	// sent back when its fixes are asked for; nil if it came another way.
	Raw json.RawMessage
}

// A Related is a place that explains a diagnostic.
type Related struct {
	Location Location
	Message  string
}

// wireDiagnostic reads what servers send rather than what LSP allows: every
// field on its own, so that one odd value does not cost the others.
type wireDiagnostic struct {
	Range              *wireRange      `json:"range"`
	Severity           json.RawMessage `json:"severity"`
	Code               json.RawMessage `json:"code"`
	Source             json.RawMessage `json:"source"`
	Message            json.RawMessage `json:"message"`
	Tags               json.RawMessage `json:"tags"`
	RelatedInformation json.RawMessage `json:"relatedInformation"`
}

// DecodeDiagnostics decodes an array of diagnostics element by element. An
// element without a range or message is skipped and counted. A null or absent
// array is empty. The error is non-nil only if raw is no array at all.
func DecodeDiagnostics(raw json.RawMessage) (items []Diagnostic, skipped int, err error) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil, 0, err
	}
	items = make([]Diagnostic, 0, len(elements))
	for _, element := range elements {
		d, ok := decodeDiagnostic(element)
		if !ok {
			skipped++
			continue
		}
		items = append(items, d)
	}
	return items, skipped, nil
}

func decodeDiagnostic(raw json.RawMessage) (Diagnostic, bool) {
	var w wireDiagnostic
	if json.Unmarshal(raw, &w) != nil || w.Range == nil {
		return Diagnostic{}, false
	}
	message, ok := markupText(w.Message)
	if !ok {
		return Diagnostic{}, false
	}
	d := Diagnostic{
		Range:    w.Range.Range(),
		Severity: SeverityError,
		Code:     codeText(w.Code),
		Source:   text(w.Source),
		Message:  readable(message),
		Related:  decodeRelated(w.RelatedInformation),
		Raw:      raw,
	}
	if n, ok := number(w.Severity); ok && n >= 1 && n <= 4 {
		d.Severity = Severity(n)
	}
	if tags, err := splitArray(w.Tags); err == nil {
		for _, raw := range tags {
			if n, ok := number(raw); ok {
				d.Tags = append(d.Tags, Tag(n))
			}
		}
	}
	return d, true
}

func decodeRelated(raw json.RawMessage) (related []Related) {
	elements, err := splitArray(raw)
	if err != nil {
		return nil
	}
	for _, element := range elements {
		var w struct {
			Location *wireLocation   `json:"location"`
			Message  json.RawMessage `json:"message"`
		}
		if json.Unmarshal(element, &w) != nil || w.Location == nil {
			continue
		}
		if l, ok := w.Location.Location(); ok {
			related = append(related, Related{Location: l, Message: readable(text(w.Message))})
		}
	}
	return related
}

// splitArray returns the elements of a JSON array; null and nothing are empty.
func splitArray(raw json.RawMessage) ([]json.RawMessage, error) {
	if isNull(raw) {
		return nil, nil
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(raw, &elements); err != nil {
		return nil, err
	}
	return elements, nil
}

func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

// text returns a JSON string's value, or "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// markupText returns the text of a string or of MarkupContent.
func markupText(raw json.RawMessage) (string, bool) {
	if isNull(raw) {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	var markup struct {
		Value *string `json:"value"`
	}
	if json.Unmarshal(raw, &markup) == nil && markup.Value != nil {
		return *markup.Value, true
	}
	return "", false
}

// codeText states a code as text: a string, an integer, a float that some
// servers send for one, or the old {value, target} form.
func codeText(raw json.RawMessage) string {
	if isNull(raw) {
		return ""
	}
	if s := text(raw); s != "" {
		return s
	}
	if n, ok := number(raw); ok {
		return strconv.FormatInt(n, 10)
	}
	var object struct {
		Value json.RawMessage `json:"value"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Value != nil {
		return codeText(object.Value)
	}
	return ""
}

// number returns a JSON number's integer value, fractions cut off.
func number(raw json.RawMessage) (int64, bool) {
	if isNull(raw) {
		return 0, false
	}
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != f || f > 1<<53 || f < -1<<53 {
		return 0, false
	}
	return int64(f), true
}

// wirePosition accepts negative, fractional and huge numbers, and clamps them.
type wirePosition struct {
	Line      clamped `json:"line"`
	Character clamped `json:"character"`
}

func (w wirePosition) position() Position {
	return Position{Line: uint32(w.Line), Character: uint32(w.Character)}
}

// clamped is a number that is never refused. Nearly all are a few digits, and
// there are two in each position.
type clamped uint32

func (c *clamped) UnmarshalJSON(raw []byte) error {
	n := uint32(0)
	for _, digit := range raw {
		if digit < '0' || digit > '9' || len(raw) > 9 {
			*c = clamped(clamp(raw))
			return nil
		}
		n = n*10 + uint32(digit-'0')
	}
	*c = clamped(n)
	return nil
}

func clamp(raw json.RawMessage) uint32 {
	var f float64
	if json.Unmarshal(raw, &f) != nil || !(f > 0) {
		return 0
	}
	return uint32(min(f, 1<<31-1))
}

type wireRange struct {
	Start wirePosition `json:"start"`
	End   wirePosition `json:"end"`
}

// Range returns the range with its ends in order.
func (w wireRange) Range() Range {
	r := Range{Start: w.Start.position(), End: w.End.position()}
	if r.End.Before(r.Start) {
		r.End = r.Start
	}
	return r
}

type wireLocation struct {
	URI                  string     `json:"uri"`
	Range                *wireRange `json:"range"`
	TargetURI            string     `json:"targetUri"`
	TargetRange          *wireRange `json:"targetRange"`
	TargetSelectionRange *wireRange `json:"targetSelectionRange"`
}

// Location accepts a Location or a LocationLink, whose selection range (the
// name, not the body) is what a reader wants.
func (w wireLocation) Location() (Location, bool) {
	switch {
	case w.URI != "" && w.Range != nil:
		return Location{DocumentURI(w.URI), w.Range.Range()}, true
	case w.TargetURI != "" && w.TargetSelectionRange != nil:
		return Location{DocumentURI(w.TargetURI), w.TargetSelectionRange.Range()}, true
	case w.TargetURI != "" && w.TargetRange != nil:
		return Location{DocumentURI(w.TargetURI), w.TargetRange.Range()}, true
	}
	return Location{}, false
}
