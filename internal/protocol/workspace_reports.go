package protocol

import (
	"encoding/json"
	"fmt"
)

// A WorkspaceReport is what workspace/diagnostic says of one document.
type WorkspaceReport struct {
	URI DocumentURI
	// Version is that of an open document; nil says that the server speaks of the file on disk.
	Version *int32
	Report
}

// WorkspacePullParams returns the parameters of workspace/diagnostic. previous has the result ids of earlier
// reports; partial results come as $/progress with the token.
func WorkspacePullParams(identifier string, previous map[DocumentURI]string, token string) any {
	type resultID struct {
		URI   DocumentURI `json:"uri"`
		Value string      `json:"value"`
	}
	p := struct {
		Identifier        string     `json:"identifier,omitempty"`
		PreviousResultIDs []resultID `json:"previousResultIds"`
		Token             string     `json:"partialResultToken"`
	}{Identifier: identifier, PreviousResultIDs: []resultID{}, Token: token}
	for uri, id := range previous {
		p.PreviousResultIDs = append(p.PreviousResultIDs, resultID{uri, id})
	}
	return p
}

// DecodeWorkspaceReports decodes the result of workspace/diagnostic, or a partial one. A report that cannot be
// read is skipped and counted.
func DecodeWorkspaceReports(raw json.RawMessage) (reports []WorkspaceReport, skipped int, err error) {
	if isNull(raw) {
		return nil, 0, nil
	}
	var w struct {
		Items json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, 0, fmt.Errorf("workspace diagnostic report: %w", err)
	}
	if isNull(w.Items) {
		return nil, 0, nil
	}
	elements, err := splitArray(w.Items)
	if err != nil {
		return nil, 0, fmt.Errorf("workspace diagnostic report: %w", err)
	}
	for _, element := range elements {
		var of struct {
			URI     string          `json:"uri"`
			Version json.RawMessage `json:"version"`
		}
		report, err := DecodeReport(element)
		if json.Unmarshal(element, &of) != nil || of.URI == "" || err != nil || report.Skipped > 0 {
			skipped++
			continue
		}
		one := WorkspaceReport{URI: DocumentURI(of.URI), Report: report}
		if n, ok := number(of.Version); ok {
			v := int32(max(min(n, 1<<31-1), -1<<31))
			one.Version = &v
		}
		reports = append(reports, one)
	}
	return reports, skipped, nil
}

// PartialResult returns the token and the value of a $/progress that has a partial result; false of any other.
func PartialResult(raw json.RawMessage) (token string, value json.RawMessage, ok bool) {
	var w struct {
		Token json.RawMessage `json:"token"`
		Value json.RawMessage `json:"value"`
	}
	var kind struct {
		Kind json.RawMessage `json:"kind"`
	}
	if json.Unmarshal(raw, &w) != nil || json.Unmarshal(w.Value, &kind) != nil || text(kind.Kind) != "" {
		return "", nil, false
	}
	return codeText(w.Token), w.Value, true
}
