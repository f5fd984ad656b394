package protocol

import (
	"encoding/json"
	"fmt"
)

// A Report is the result of textDocument/diagnostic.
type Report struct {
	// Unchanged says that the items of the report with ResultID still hold.
	Unchanged bool
	ResultID  string
	Items     []Diagnostic
	Skipped   int
	// Related holds reports for other files, by URI.
	Related map[DocumentURI]Report
}

type wireReport struct {
	Kind             json.RawMessage `json:"kind"`
	ResultID         json.RawMessage `json:"resultId"`
	Items            json.RawMessage `json:"items"`
	RelatedDocuments json.RawMessage `json:"relatedDocuments"`
}

// DecodeReport decodes a DocumentDiagnosticReport. A report without a kind is
// taken as a full one if it has items; null is an empty full report, because
// that is how several servers say "nothing".
func DecodeReport(raw json.RawMessage) (Report, error) {
	if isNull(raw) {
		return Report{}, nil
	}
	var w wireReport
	if err := json.Unmarshal(raw, &w); err != nil {
		return Report{}, fmt.Errorf("diagnostic report: %w", err)
	}
	items, skipped, err := DecodeDiagnostics(w.Items)
	if err != nil {
		return Report{}, fmt.Errorf("diagnostic report: %w", err)
	}
	r := Report{Unchanged: text(w.Kind) == "unchanged", ResultID: text(w.ResultID), Items: items, Skipped: skipped}
	var documents map[string]json.RawMessage
	// Some servers write an empty object as [].
	if !isNull(w.RelatedDocuments) && string(w.RelatedDocuments) != "[]" && json.Unmarshal(w.RelatedDocuments, &documents) != nil {
		r.Skipped++
	}
	for uri, raw := range documents {
		related, err := DecodeReport(raw)
		if err != nil {
			r.Skipped++
			continue
		}
		if r.Related == nil {
			r.Related = make(map[DocumentURI]Report, len(documents))
		}
		r.Related[DocumentURI(uri)] = related
	}
	return r, nil
}

// A ProgressEvent is one $/progress of a work done progress.
type ProgressEvent struct {
	Token string
	// Kind is "begin", "report" or "end"; anything else is a partial result,
	// which we never ask for.
	Kind    string
	Title   string
	Message string
	// Percentage is 0 to 100, or -1 if not given.
	Percentage int
}

// DecodeProgress decodes the parameters of $/progress. Tokens of either kind
// become text.
func DecodeProgress(raw json.RawMessage) (ProgressEvent, error) {
	var w struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind       json.RawMessage `json:"kind"`
			Title      json.RawMessage `json:"title"`
			Message    json.RawMessage `json:"message"`
			Percentage json.RawMessage `json:"percentage"`
		} `json:"value"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return ProgressEvent{}, fmt.Errorf("progress: %w", err)
	}
	e := ProgressEvent{
		Token: codeText(w.Token), Kind: text(w.Value.Kind), Title: text(w.Value.Title),
		Message: text(w.Value.Message), Percentage: -1,
	}
	if n, ok := number(w.Value.Percentage); ok {
		e.Percentage = int(n)
	}
	return e, nil
}

// tsserver's severities, by category.
var tsCategories = map[string]Severity{
	"error": SeverityError, "warning": SeverityWarning, "suggestion": SeverityHint, "message": SeverityInfo,
}

// DecodeTSServer decodes the response that typescript.tsserverRequest gives for
// syntacticDiagnosticsSync and semanticDiagnosticsSync: tsserver's own
// protocol, positions 1-based in UTF-16 units.
func DecodeTSServer(raw json.RawMessage) (items []Diagnostic, skipped int, err error) {
	var response struct {
		Success *bool           `json:"success"`
		Message string          `json:"message"`
		Body    json.RawMessage `json:"body"`
	}
	if err := json.Unmarshal(raw, &response); err != nil {
		return nil, 0, fmt.Errorf("tsserver response: %w", err)
	}
	if isNull(response.Body) || response.Success != nil && !*response.Success {
		return nil, 0, fmt.Errorf("tsserver has no diagnostics to give: %s", response.Message)
	}
	elements, err := splitArray(response.Body)
	if err != nil {
		return nil, 0, fmt.Errorf("tsserver response: %w", err)
	}
	for _, element := range elements {
		d, ok := decodeTSDiagnostic(element)
		if !ok {
			skipped++
			continue
		}
		items = append(items, d)
	}
	return items, skipped, nil
}

type tsPosition struct {
	Line   uint32 `json:"line"`
	Offset uint32 `json:"offset"`
}

func (p tsPosition) position() Position {
	return Position{Line: max(p.Line, 1) - 1, Character: max(p.Offset, 1) - 1}
}

func decodeTSDiagnostic(raw json.RawMessage) (Diagnostic, bool) {
	var w struct {
		Start              *tsPosition     `json:"start"`
		End                *tsPosition     `json:"end"`
		Text               string          `json:"text"`
		Code               json.RawMessage `json:"code"`
		Category           string          `json:"category"`
		Source             string          `json:"source"`
		ReportsUnnecessary bool            `json:"reportsUnnecessary"`
		ReportsDeprecated  bool            `json:"reportsDeprecated"`
		RelatedInformation []struct {
			Message string `json:"message"`
			Span    struct {
				File  string     `json:"file"`
				Start tsPosition `json:"start"`
				End   tsPosition `json:"end"`
			} `json:"span"`
		} `json:"relatedInformation"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Start == nil || w.End == nil {
		return Diagnostic{}, false
	}
	d := Diagnostic{
		Range:    Range{Start: w.Start.position(), End: w.End.position()},
		Severity: SeverityError, Code: codeText(w.Code), Source: w.Source, Message: w.Text,
	}
	if d.Source == "" {
		d.Source = "typescript"
	}
	if s, ok := tsCategories[w.Category]; ok {
		d.Severity = s
	}
	if w.ReportsUnnecessary {
		d.Tags = append(d.Tags, Unnecessary)
	}
	if w.ReportsDeprecated {
		d.Tags = append(d.Tags, Deprecated)
	}
	for _, r := range w.RelatedInformation {
		if r.Span.File != "" {
			d.Related = append(d.Related, Related{
				Location: Location{URIFromPath(r.Span.File), Range{r.Span.Start.position(), r.Span.End.position()}},
				Message:  r.Message,
			})
		}
	}
	return d, true
}
