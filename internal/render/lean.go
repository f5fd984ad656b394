package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// LeanBytes is what a short structured form may always take; beyond it is at most three
// tenths longer than the text.
const LeanBytes = 256

// LeanJSON returns the lean form of a reply whose text is known. If it is longer than it
// may be, it is the text, with the verdict.
func LeanJSON(of result.Result, text string) (json.RawMessage, error) {
	form, has := Lean(of)
	if !has {
		return nil, fmt.Errorf("%T has no lean form", of)
	}
	raw, err := marshal(form)
	if err != nil || len(raw) <= max(LeanBytes, len(text)*13/10) {
		return raw, err
	}
	short := struct {
		Verdict string `json:"verdict,omitempty"`
		Text    string `json:"text"`
	}{Text: text}
	switch r := of.(type) {
	case *result.Check:
		short.Verdict = r.Verdict
	case *result.Edit:
		short.Verdict = r.Verdict
	case *result.Simulation:
		if r.Evaluation != nil {
			short.Verdict = r.Evaluation.Verdict
		}
	}
	return marshal(short)
}

// marshal returns JSON without escapes that only a web page needs.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	err := legible.Encode(&b, v, "")
	return bytes.TrimSpace(b.Bytes()), err
}

// A branch is a folder or a file with lines about it.
type branch struct {
	path  string
	lines []string
	below branches
}

// branches are written as an object, in their order: a file's value is its line, or the
// list of its lines.
type branches []branch

// MarshalJSON implements [json.Marshaler].
func (list branches) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, item := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := marshal(item.path)
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		switch {
		case item.below != nil:
			value, err = item.below.MarshalJSON()
		case len(item.lines) == 1:
			value, err = marshal(item.lines[0])
		default:
			value, err = marshal(item.lines)
		}
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// linesOf returns what a function writes, line by line.
func linesOf(write func(*strings.Builder)) []string {
	var b strings.Builder
	write(&b)
	if b.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}

// findings returns the new and the standing diagnostics of files; of an edit all are new.
func findings(files []result.File, allNew bool) (list branches) {
	for i := range files {
		f := &files[i]
		item := branch{path: legible.Line(f.Path)}
		for j := range f.Diagnostics {
			d := &f.Diagnostics[j]
			if !allNew && !d.New && !d.Standing {
				continue
			}
			line := fmt.Sprintf("%d:%d %s: %s", d.Line, d.Column, d.Severity, oneLine(d.Message))
			if d.Code != "" {
				line += " (" + legible.Line(d.Code) + ")"
			}
			item.lines = append(item.lines, line)
		}
		if f.More > 0 {
			item.lines = append(item.lines, fmt.Sprintf("... and %d more", f.More))
		}
		if f.Error != nil {
			item.lines = append(item.lines, strings.TrimSpace(oneLine(f.Error.Message)+"\n"+f.Error.Hint))
		}
		if len(item.lines) > 0 {
			list = append(list, item)
		}
	}
	return list
}

// leanCheck is the lean form of a check.
type leanCheck struct {
	Verdict  string   `json:"verdict"`
	Summary  string   `json:"summary"`
	Findings branches `json:"findings,omitempty"`
	Others   branches `json:"others,omitempty"`
	Late     branches `json:"late,omitempty"`
	Mended   string   `json:"mended,omitempty"`
	Silent   []string `json:"not_known,omitempty"`
	Cut      string   `json:"cut,omitempty"`
}

func leanFormOfCheck(c *result.Check) any {
	return leanCheck{
		Verdict: c.Verdict, Summary: Conclusion(c),
		Findings: findings(c.Files, false), Others: findings(c.Others, false), Late: findings(c.Late, false),
		Mended: strings.TrimSpace(lateClean(c.Late)), Silent: Silence(c, func(path string) string { return path }), Cut: c.Cut,
	}
}

// leanEdit is the lean form of an edit.
type leanEdit struct {
	Verdict  string   `json:"verdict,omitempty"`
	Applied  bool     `json:"applied"`
	Summary  string   `json:"summary"`
	Judged   string   `json:"diagnostics,omitempty"`
	Findings branches `json:"findings,omitempty"`
	Others   branches `json:"others,omitempty"`
	Late     branches `json:"late,omitempty"`
	Mended   string   `json:"mended,omitempty"`
	Silent   string   `json:"not_known,omitempty"`
	Escalate string   `json:"escalate,omitempty"`
	Diff     string   `json:"diff,omitempty"`
	result.Head
}

func leanFormOfEdit(e *result.Edit) any { return leanOfEdit(e) }

func leanOfEdit(e *result.Edit) *leanEdit {
	if e == nil {
		return nil
	}
	lean := leanEdit{
		Verdict: e.Verdict, Applied: e.Applied, Summary: e.Summary, Judged: conclusionOfEdit(e),
		Findings: findings(e.Files, true), Others: findings(e.Others, true), Late: findings(e.Late, true),
		Mended: strings.TrimSpace(lateClean(e.Late)), Diff: legible.Model(e.Diff), Head: e.Head,
	}
	if e.Verdict == "new_errors" {
		lean.Silent = silentOf(e)
	}
	if e.Escalate {
		lean.Escalate = escalation(e)
	}
	return &lean
}

// leanPlaces is the lean form of places.
type leanPlaces struct {
	Symbol string   `json:"symbol"`
	What   string   `json:"what"`
	From   string   `json:"from,omitempty"`
	Total  int      `json:"total"`
	Places branches `json:"places,omitempty"`
	result.Head
}

func leanFormOfPlaces(p *result.Places) any { return leanOfPlaces(p) }

func leanOfPlaces(p *result.Places) *leanPlaces {
	if p == nil {
		return nil
	}
	lean := leanPlaces{Symbol: p.Symbol, What: p.What, From: p.From, Total: p.Total, Head: p.Head}
	paths := make([]string, len(p.Files))
	for i := range p.Files {
		paths[i] = p.Files[i].Path
	}
	for _, r := range runs(paths) {
		var files branches
		for i := r.from; i < r.to; i++ {
			files = append(files, branch{path: legible.Line(strings.TrimPrefix(p.Files[i].Path, r.folder)), lines: leanLines(&p.Files[i])})
		}
		if r.folder == "" {
			lean.Places = append(lean.Places, files...)
			continue
		}
		lean.Places = append(lean.Places, branch{path: legible.Line(r.folder), below: files})
	}
	return &lean
}

// leanLines returns the places of a file in as few lines as the text has.
func leanLines(f *result.PlaceFile) []string {
	lines := linesOf(func(b *strings.Builder) { writePlaceFile(f, b) })
	if isPlain(f) || len(f.Places) == 1 && isInLine(&f.Places[0]) {
		return []string{strings.TrimLeft(lines[0], " :")}
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return lines[1:]
}

// leanSymbols is the lean form of symbols.
type leanSymbols struct {
	Path    string   `json:"path,omitempty"`
	Query   string   `json:"query,omitempty"`
	Total   int      `json:"total"`
	Offset  int      `json:"offset,omitempty"`
	Symbols []string `json:"symbols,omitempty"`
	result.Head
}

func leanFormOfSymbols(o *result.Symbols) any {
	lean := leanSymbols{Path: o.Path, Query: o.Query, Total: o.Total, Offset: o.Offset, Head: o.Head}
	if o.Path != "" {
		lean.Symbols = linesOf(func(b *strings.Builder) { writeSymbols(b, o.Symbols, "") })
		return lean
	}
	if found := linesOf(func(b *strings.Builder) { writeFound(o, b) }); len(found) > 1 {
		lean.Symbols = found[1:]
	}
	return lean
}

// leanSource is the lean form of a declaration.
type leanSource struct {
	Path    string `json:"path"`
	Line    uint32 `json:"line"`
	EndLine uint32 `json:"end_line"`
	Symbol  string `json:"symbol,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Code    string `json:"code,omitempty"`
	result.Head
}

func leanFormOfSource(s *result.Source) any { return leanOfSource(s) }

func leanOfSource(s *result.Source) *leanSource {
	if s == nil {
		return nil
	}
	return &leanSource{s.Path, s.Line, s.EndLine, s.Symbol, s.Kind, codeOf(s), s.Head}
}

// leanHierarchy is the lean form of a hierarchy.
type leanHierarchy struct {
	Symbol    string   `json:"symbol"`
	Direction string   `json:"direction"`
	Derived   bool     `json:"derived,omitempty"`
	Total     int      `json:"total"`
	Nodes     []string `json:"nodes,omitempty"`
	result.Head
}

func leanFormOfHierarchy(h *result.Hierarchy) any { return leanOfHierarchy(h) }

func leanOfHierarchy(h *result.Hierarchy) *leanHierarchy {
	if h == nil {
		return nil
	}
	return &leanHierarchy{h.Symbol, h.Direction, h.Derived, h.Total, linesOf(func(b *strings.Builder) { writeNodes(b, h.Nodes, "") }), h.Head}
}

// leanInspection is the lean form of an inspection.
type leanInspection struct {
	Symbol     string         `json:"symbol"`
	Kind       string         `json:"kind,omitempty"`
	At         string         `json:"at"`
	Definition string         `json:"definition,omitempty"`
	Signature  string         `json:"signature,omitempty"`
	Hover      string         `json:"hover,omitempty"`
	Source     *leanSource    `json:"source,omitempty"`
	Callers    *leanHierarchy `json:"callers,omitempty"`
	References *leanPlaces    `json:"references,omitempty"`
	Tests      int            `json:"tests,omitempty"`
	TestFiles  []string       `json:"test_files,omitempty"`
	result.Head
}

func leanFormOfInspection(i *result.Inspection) any {
	lean := leanInspection{
		Symbol: i.Symbol, Kind: i.Kind, At: i.At, Signature: i.Signature, Hover: i.Hover,
		Source: leanOfSource(i.Source), Callers: leanOfHierarchy(i.Callers), References: leanOfPlaces(i.References),
		Tests: i.Tests, TestFiles: i.TestFiles, Head: i.Head,
	}
	if i.Definition != i.At {
		lean.Definition = i.Definition
	}
	if strings.Contains(i.Hover, i.Signature) {
		lean.Signature = ""
	}
	return lean
}

// leanImpact is the lean form of an impact.
type leanImpact struct {
	Total      int      `json:"total"`
	References int      `json:"references"`
	Own        int      `json:"own,omitempty"`
	Tests      int      `json:"tests"`
	Failed     int      `json:"failed,omitempty"`
	Symbols    []string `json:"symbols,omitempty"`
	TestFiles  []string `json:"test_files,omitempty"`
	result.Head
}

func leanFormOfImpact(i *result.Impact) any {
	symbols := linesOf(func(b *strings.Builder) {
		for j := range i.Symbols {
			writeImpactSymbol(&i.Symbols[j], b)
		}
	})
	return leanImpact{i.Total, i.References, i.Own, i.Tests, i.Failed, symbols, i.TestFiles, i.Head}
}

// leanFixes is the lean form of fixes.
type leanFixes struct {
	Total   int       `json:"total,omitempty"`
	Actions []string  `json:"actions,omitempty"`
	Summary string    `json:"summary,omitempty"`
	Edit    *leanEdit `json:"edit,omitempty"`
	Then    *leanEdit `json:"then,omitempty"`
	result.Head
}

func leanFormOfFixes(f *result.Fixes) any {
	lean := leanFixes{Total: f.Total, Summary: f.Summary, Edit: leanOfEdit(f.Edit), Then: leanOfEdit(f.Then), Head: f.Head}
	if f.Edit == nil && f.Summary == "" {
		lean.Actions = linesOf(func(b *strings.Builder) {
			for i := range f.Actions {
				writeFixAction(&f.Actions[i], b)
			}
		})
	}
	return lean
}

// leanStatus is the lean form of a status.
type leanStatus struct {
	Disabled bool     `json:"disabled,omitempty"`
	Servers  []string `json:"servers,omitempty"`
	Cut      string   `json:"cut,omitempty"`
}

func leanFormOfStatus(s *result.Status) any {
	uncut := *s
	uncut.Cut = ""
	lines := linesOf(func(b *strings.Builder) { _ = StatusText(&uncut, b) }) // a builder never fails
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return leanStatus{s.Disabled, lines[1:], s.Cut}
}
