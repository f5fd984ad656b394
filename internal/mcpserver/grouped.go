package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// grouped has diagnostics by the innermost symbol that contains them.
type grouped struct {
	Symbols   []symbolDiagnostics `json:"symbols"`
	Ungrouped []fileDiagnostic    `json:"ungrouped"`
	Verdict   string              `json:"verdict"`
	Notes     []string            `json:"notes,omitempty"`
}

type symbolDiagnostics struct {
	Name        string              `json:"name"`
	Kind        string              `json:"kind"`
	File        string              `json:"file"`
	StartLine   uint32              `json:"start_line"`
	EndLine     uint32              `json:"end_line"`
	Diagnostics []result.Diagnostic `json:"diagnostics"`
}

type fileDiagnostic struct {
	File string `json:"file"`
	result.Diagnostic
}

// wholeOutline asks for an outline without a budget.
var wholeOutline = api.Limits{MaxBytes: math.MaxInt32}

// groupBySymbol returns the result of a call with group_by "symbol", nil for other calls.
func groupBySymbol(ctx context.Context, caller api.Caller, given arguments, replies []result.Result) (*mcp.CallToolResult, error) {
	var by string
	if _ = json.Unmarshal(given["group_by"], &by); by != "symbol" { // the schema allows only its values
		return nil, nil
	}
	check := replies[0].(*result.Check)
	out := grouped{Symbols: []symbolDiagnostics{}, Ungrouped: []fileDiagnostic{}, Verdict: check.Verdict}
	for i := range check.Files {
		f := &check.Files[i]
		if len(f.Diagnostics) == 0 {
			continue
		}
		outline, err := api.Outline.Do(api.Own(ctx), caller, api.SymbolsRequest{File: f.Path, Limits: wholeOutline})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // the diagnostics are listed anyway
			out.Notes = append(out.Notes, "the symbols of "+f.Path+" are not known: "+err.Error())
		}
		out.add(f, outline.Symbols)
	}
	text := render.Brief(check)
	if len(out.Symbols)+len(out.Ungrouped) > 0 {
		text = strings.TrimSpace(out.text() + rest(check))
	}
	return succeed(render.Shortened(text, render.Conclusion(check), budgetOf(given)), out), nil
}

// rest describes everything other than the diagnostics of the files: what was not checked, and
// other files.
func rest(check *result.Check) string {
	without := *check
	without.Files = slices.Clone(check.Files)
	said := check.Cut != "" || len(check.Others)+len(check.Late) > 0
	for i := range without.Files {
		f := &without.Files[i]
		f.Diagnostics = nil
		said = said || f.Error != nil || slices.ContainsFunc(f.Servers, func(a result.Answer) bool { return a.Freshness != "fresh" })
	}
	if !said {
		return ""
	}
	return render.Brief(&without)
}

// add adds the diagnostics of a file under its symbols, in their order.
func (g *grouped) add(f *result.File, symbols []result.Symbol) {
	of := make(map[*result.Symbol]int) // index in g.Symbols
	for _, d := range f.Diagnostics {
		name, around := innermost(symbols, &d)
		if around == nil {
			g.Ungrouped = append(g.Ungrouped, fileDiagnostic{f.Path, d})
			continue
		}
		i, known := of[around]
		if !known {
			i = len(g.Symbols)
			of[around] = i
			g.Symbols = append(g.Symbols, symbolDiagnostics{name, around.Kind, f.Path, around.Line, max(around.Line, around.EndLine), nil})
		}
		g.Symbols[i].Diagnostics = append(g.Symbols[i].Diagnostics, d)
	}
}

// innermost returns the innermost symbol that contains a diagnostic, with its name path, or nil if
// there is none. Of several symbols on one line, it is the last that begins before the diagnostic.
func innermost(symbols []result.Symbol, d *result.Diagnostic) (string, *result.Symbol) {
	var around *result.Symbol
	for i := range symbols {
		s := &symbols[i]
		if d.Line < s.Line || d.Line > max(s.Line, s.EndLine) {
			continue
		}
		if around == nil || s.Line < d.Line || s.Column <= d.Column {
			around = s
		}
	}
	if around == nil {
		return "", nil
	}
	if name, inner := innermost(around.Children, d); inner != nil {
		if !strings.HasPrefix(name, around.Name+".") { // a Go method is not nested in its type
			name = around.Name + "." + name
		}
		return name, inner
	}
	return around.Name, around
}

func (g *grouped) text() string {
	var b strings.Builder
	for i := range g.Symbols {
		s := &g.Symbols[i]
		fmt.Fprintf(&b, "%s:%d-%d %s (%s)\n", line(s.File), s.StartLine, s.EndLine, line(s.Name), s.Kind)
		for j := range s.Diagnostics {
			fmt.Fprintf(&b, "  %s\n", brief(&s.Diagnostics[j]))
		}
	}
	for i := range g.Ungrouped {
		fmt.Fprintf(&b, "%s:%s\n", line(g.Ungrouped[i].File), brief(&g.Ungrouped[i].Diagnostic))
	}
	for _, note := range g.Notes {
		fmt.Fprintf(&b, "note: %s\n", line(note))
	}
	return b.String()
}

func brief(d *result.Diagnostic) string {
	return fmt.Sprintf("%d:%d: %s: %s", d.Line, d.Column, d.Severity, line(d.Message))
}

// line returns a text on one line.
func line(text string) string { return legible.Line(strings.Join(strings.Fields(text), " ")) }
