package render

import (
	"cmp"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// The parts of SARIF 2.1.0 that a check fills; the names are those of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation        `json:"invocations"`
		BaseIDs     map[string]sarifArtifact `json:"originalUriBaseIds"`
		ColumnKind  string                   `json:"columnKind"`
		Results     []sarifResult            `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string            `json:"id"`
		Properties map[string]string `json:"properties"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`

		path string
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Baseline  string          `json:"baselineState,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   uint32 `json:"startLine"`
		StartColumn uint32 `json:"startColumn"`
		EndLine     uint32 `json:"endLine"`
		EndColumn   uint32 `json:"endColumn"`
	}
)

// sourceRoot is the name of the workspace root in a log.
const sourceRoot = "SRCROOT"

// SARIF writes a check as one run of SARIF 2.1.0: each finding a result, whose rule
// is its source and code. A file without a complete answer is a notification, and an
// error makes the run an unsuccessful one: silence is not a clean file.
func SARIF(c *result.Check, w io.Writer, version string) error {
	run := sarifRun{
		ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		BaseIDs: map[string]sarifArtifact{sourceRoot: {URI: fileURI(c.Root) + "/"}},
	}
	run.Tool.Driver = sarifDriver{Name: "LSPine", Version: version, Rules: []sarifRule{}}
	for _, files := range [][]result.File{c.Files, c.Others, c.Late} {
		for i := range files {
			for _, d := range files[i].Diagnostics {
				run.addFinding(&files[i], d)
			}
		}
	}
	notes := unansweredNotes(c)
	failed := slices.ContainsFunc(notes, func(n sarifNotification) bool { return n.Level == "error" })
	run.Invocations = []sarifInvocation{{Successful: !failed, Notifications: notes}}
	return legible.Encode(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	}, "  ")
}

// addFinding adds a finding, and its rule if it is the first of that.
func (r *sarifRun) addFinding(f *result.File, d result.Diagnostic) {
	id := path.Join(cmp.Or(d.Source, d.Server), d.Code)
	rules := &r.Tool.Driver.Rules
	rule := slices.IndexFunc(*rules, func(known sarifRule) bool { return known.ID == id })
	if rule < 0 {
		rule = len(*rules)
		*rules = append(*rules, sarifRule{ID: id, Properties: map[string]string{"server": d.Server}})
	}
	result := sarifResult{
		RuleID: id, RuleIndex: rule, Message: sarifMessage{d.Message},
		Level: cmp.Or(map[string]string{"error": "error", "warning": "warning"}[d.Severity], "note"),
		Locations: []sarifLocation{{sarifPhysical{locate(f.Path), &sarifRegion{
			max(d.Line, 1), max(d.Column, 1), max(d.EndLine, 1), max(d.EndColumn, 1),
		}}}},
	}
	result.Baseline = map[age]string{isNew: "new", isOlder: "unchanged"}[ageOf(f, &d)]
	r.Results = append(r.Results, result)
}

// unansweredNotes says which files got no complete answer, and why, and what else is not known.
func unansweredNotes(c *result.Check) (notes []sarifNotification) {
	add := func(f *result.File, level, message string) {
		notes = append(notes, sarifNotification{level, sarifMessage{message}, []sarifLocation{{sarifPhysical{Artifact: locate(f.Path)}}}, f.Path})
	}
	defer func() { // of no file
		level := "warning"
		if c.Verdict == result.Unknown {
			level = "error"
		}
		for _, unknown := range append(slices.Clone(c.Unknown), uncheckedOf(&c.Dependants)) {
			if unknown != "" {
				notes = append(notes, sarifNotification{Level: level, Message: sarifMessage{"not known: " + unknown}})
			}
		}
	}()
	for i := range c.Files {
		f := &c.Files[i]
		switch {
		case f.Error != nil:
			add(f, "error", f.Error.Message)
		case f.ByUsers:
		case len(f.Servers) == 0:
			add(f, "warning", "no server knows this kind of file")
		default:
			fresh := slices.ContainsFunc(f.Servers, func(a result.Answer) bool { return a.Freshness == "fresh" })
			for _, a := range f.Servers {
				switch {
				case a.Freshness == "unavailable" && fresh: // a second server that is missing takes nothing away
					add(f, "note", a.Server+": "+why(a))
				case a.Freshness != "fresh":
					add(f, "error", a.Server+": "+why(a))
				}
			}
		}
	}
	return notes
}

// locate returns where a file is: below the root, or, if it is outside, anywhere.
func locate(name string) sarifArtifact {
	if filepath.IsAbs(name) {
		return sarifArtifact{URI: fileURI(name)}
	}
	return sarifArtifact{URI: (&url.URL{Path: name}).EscapedPath(), BaseID: sourceRoot}
}

func fileURI(name string) string {
	slashed := filepath.ToSlash(name)
	if !strings.HasPrefix(slashed, "/") { // a drive
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
