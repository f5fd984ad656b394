package mcpserver

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// The structured results of the full profile. Their members have the names that agent-lsp uses.
// Lines and columns are 1-based; paths are relative to the root. What is an array in agent-lsp is a
// member here, because MCP requires an object.

// shapeOf returns the shape of a function of all replies.
func shapeOf[S any](f func([]result.Result) S) *shape {
	return &shape{schema: schemaOf[S](), make: func(replies []result.Result) any { return f(replies) }}
}

// schemaOf returns a function that returns the schema of a type. The schema is made at the first
// call: shapes are package variables, and most runs of the program need none.
func schemaOf[S any]() func() *schema {
	return sync.OnceValue(func() *schema { return shallow(new(S)) })
}

// alone returns the shape of a function of the only reply.
func alone[R, S any, P interface {
	*R
	result.Result
}](f func(P) S) *shape {
	return shapeOf(func(replies []result.Result) S { return f(replies[0].(P)) })
}

type done struct {
	Done string `json:"done"`
}

func (d done) String() string { return d.Done }

type location struct {
	File   string `json:"file"`
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	// The end of the range, for definitions and the like.
	EndLine   uint32 `json:"end_line,omitempty"`
	EndColumn uint32 `json:"end_column,omitempty"`
	Text      string `json:"text,omitempty"`
	Kind      string `json:"kind,omitempty"`
}

type locations struct {
	result.Head
	Locations []location `json:"locations"`
	Total     int        `json:"total"`
	From      string     `json:"from,omitempty"`
}

var locationsShape = alone(locationsOf)

func locationsOf(p *result.Places) locations {
	out := locations{Head: p.Head, Locations: []location{}, Total: p.Total, From: p.From}
	for _, f := range p.Files {
		for _, place := range f.Places {
			out.Locations = append(out.Locations, locationAt(f.Path, &place))
		}
	}
	return out
}

func locationAt(path string, p *result.Place) location {
	return location{path, p.Line, p.Column, p.EndLine, p.EndColumn, p.Text, p.Kind}
}

type highlights struct {
	result.Head
	Highlights []location `json:"highlights"`
}

var highlightsShape = alone(func(p *result.Places) highlights {
	all := locationsOf(p)
	return highlights{p.Head, all.Locations}
})

// A party is a symbol in a hierarchy.
type party struct {
	Name string `json:"name"`
	Kind string `json:"kind,omitempty"`
	location
}

func partyOf(n *result.Node) party {
	return party{n.Name, n.Kind, location{File: n.Path, Line: n.Line, Column: n.Column}}
}

type incoming struct {
	From party    `json:"from"`
	Ways []string `json:"fromRanges"`
}

type outgoing struct {
	To   party    `json:"to"`
	Ways []string `json:"fromRanges"`
}

// heads joins the heads of several answers.
type heads struct{ result.Head }

func (h *heads) join(other *result.Head, derived bool) {
	add := func(list, more []string) []string {
		for _, text := range more {
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
		return list
	}
	h.State, h.Notes = add(h.State, other.State), add(h.Notes, other.Notes)
	if derived {
		h.Notes = add(h.Notes, []string{"derived from references: it may hold more than the server's own hierarchy would"})
	}
	if other.Cut != "" {
		h.Cut = other.Cut
	}
}

type calls struct {
	heads
	Items      []string   `json:"items"`
	Incoming   []incoming `json:"incoming"`
	Outgoing   []outgoing `json:"outgoing"`
	Concurrent []party    `json:"concurrent_callers"`
}

var callsShape = shapeOf(func(replies []result.Result) calls {
	out := calls{Incoming: []incoming{}, Outgoing: []outgoing{}, Concurrent: []party{}}
	for _, reply := range replies {
		h := reply.(*result.Hierarchy)
		out.Items = []string{h.Symbol}
		out.join(&h.Head, h.Derived)
		for i := range h.Nodes {
			n := &h.Nodes[i]
			if h.Direction == "callees" {
				out.Outgoing = append(out.Outgoing, outgoing{partyOf(n), orNone(n.Sites)})
				continue
			}
			out.Incoming = append(out.Incoming, incoming{partyOf(n), orNone(n.Sites)})
			if n.Concurrent != "" {
				out.Concurrent = append(out.Concurrent, partyOf(n))
			}
		}
	}
	return out
})

type types struct {
	heads
	Items      []string `json:"items"`
	Supertypes []party  `json:"supertypes"`
	Subtypes   []party  `json:"subtypes"`
}

var typesShape = shapeOf(func(replies []result.Result) types {
	out := types{Supertypes: []party{}, Subtypes: []party{}}
	for _, reply := range replies {
		h := reply.(*result.Hierarchy)
		out.Items = []string{h.Symbol}
		out.join(&h.Head, h.Derived)
		for i := range h.Nodes {
			if h.Direction == "subtypes" {
				out.Subtypes = append(out.Subtypes, partyOf(&h.Nodes[i]))
			} else {
				out.Supertypes = append(out.Supertypes, partyOf(&h.Nodes[i]))
			}
		}
	}
	return out
})

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

type symbolSource struct {
	result.Head
	Name   string `json:"symbol_name"`
	Kind   string `json:"symbol_kind"`
	File   string `json:"file"`
	Start  uint32 `json:"start_line"`
	End    uint32 `json:"end_line"`
	Source string `json:"source"`
}

func sourceOf(s *result.Source) symbolSource {
	return symbolSource{s.Head, s.Symbol, s.Kind, s.Path, s.Line, s.EndLine, s.Code}
}

var sourceShape = alone(sourceOf)

type usage struct {
	Count    int      `json:"count"`
	TopFiles []string `json:"top_files"`
}

type exploration struct {
	result.Head
	Type         string       `json:"type_info"`
	Source       symbolSource `json:"source"`
	Callers      []party      `json:"callers"`
	CallersCount int          `json:"callers_count"`
	References   usage        `json:"references"`
	TestCallers  int          `json:"test_callers_count"`
}

var explorationShape = alone(func(i *result.Inspection) exploration {
	out := exploration{Head: i.Head, Type: i.Hover, Callers: []party{}, References: usage{TopFiles: []string{}}, TestCallers: i.Tests}
	if i.Source != nil {
		out.Source = sourceOf(i.Source)
	}
	if i.Callers != nil {
		out.CallersCount = i.Callers.Total
		for j := range i.Callers.Nodes {
			out.Callers = append(out.Callers, partyOf(&i.Callers.Nodes[j]))
		}
	}
	if i.References != nil {
		out.References.Count = i.References.Total
		for _, f := range i.References.Files {
			out.References.TopFiles = append(out.References.TopFiles, f.Path)
		}
	}
	return out
})

type affected struct {
	Name     string        `json:"name"`
	Kind     string        `json:"kind"`
	At       string        `json:"at"`
	Risk     string        `json:"risk"`
	Why      string        `json:"why,omitempty"`
	Failed   string        `json:"failed,omitempty"`
	Tests    []result.User `json:"test_callers"`
	NonTests []result.User `json:"non_test_callers"`
	Indirect []result.User `json:"transitive_callers,omitempty"`
}

type blast struct {
	result.Head
	ChangedFiles []string      `json:"changed_files"`
	Changed      []string      `json:"changed_symbols"`
	Affected     []affected    `json:"affected_symbols"`
	TestFiles    []string      `json:"test_files"`
	NonTests     []result.User `json:"non_test_callers"`
	Summary      string        `json:"summary"`
}

var impactShape = alone(func(i *result.Impact) blast {
	out := blast{
		Head: i.Head, ChangedFiles: orNone(i.Changed), Changed: []string{}, Affected: []affected{},
		TestFiles: orNone(i.TestFiles), NonTests: []result.User{},
		Summary: fmt.Sprintf("%d symbols, %d references, %d in tests", i.Total, i.References, i.Tests),
	}
	for j := range i.Symbols {
		s := &i.Symbols[j]
		out.Changed = append(out.Changed, s.Name)
		out.Affected = append(out.Affected, affected{
			s.Name, s.Kind, s.At, s.Risk, s.Why, s.Failed, orNone(s.TestUsers), orNone(s.Users), s.Transitive,
		})
		out.NonTests = append(out.NonTests, s.Users...)
	}
	return out
})

// diagnosed is the result of a check. An empty list does not prove that a file is clean: Unknown
// and the verdict say whether that is known.
type diagnosed struct {
	Verdict     string                         `json:"verdict"`
	Summary     string                         `json:"summary"`
	Diagnostics map[string][]result.Diagnostic `json:"diagnostics"`
	Others      map[string][]result.Diagnostic `json:"others,omitempty"`
	Unknown     []string                       `json:"unknown,omitempty"`
	Cut         string                         `json:"cut,omitempty"`
}

var diagnosticsShape = alone(func(c *result.Check) diagnosed {
	out := diagnosed{Verdict: c.Verdict, Summary: render.Conclusion(c), Diagnostics: map[string][]result.Diagnostic{}, Cut: c.Cut}
	if c.Verdict == "clean" && len(c.Files)+len(c.Deleted)+len(c.Others) == 0 {
		out.Verdict = "unknown" // nothing was looked at
	}
	for i := range c.Files {
		f := &c.Files[i]
		out.Diagnostics[f.Path] = orNone(f.Diagnostics)
		if f.Error != nil {
			delete(out.Diagnostics, f.Path)
			out.Unknown = append(out.Unknown, strings.TrimSpace(f.Error.Message+"\n"+f.Error.Hint))
		}
	}
	out.Unknown = append(out.Unknown, render.Silence(c, func(path string) string { return path })...)
	out.Unknown = append(out.Unknown, c.Unknown...)
	for _, files := range [][]result.File{c.Others, c.Late} {
		for i := range files {
			if len(files[i].Diagnostics) == 0 {
				continue
			}
			if out.Others == nil {
				out.Others = make(map[string][]result.Diagnostic)
			}
			out.Others[files[i].Path] = append(out.Others[files[i].Path], files[i].Diagnostics...)
		}
	}
	return out
})

type completions struct {
	result.Head
	Incomplete bool                `json:"isIncomplete"`
	Items      []result.Completion `json:"items"`
}

var completionsShape = alone(func(c *result.Completions) completions {
	return completions{c.Head, c.Incomplete, orNone(c.Items)}
})

type testsOfFile struct {
	result.Head
	Source string   `json:"source_file"`
	Tests  []string `json:"test_files"`
}

var testsShape = alone(func(t *result.Tests) testsOfFile {
	out := testsOfFile{Head: t.Head, Tests: []string{}}
	for _, f := range t.Files {
		out.Source = f.Path
		for _, test := range f.Tests {
			out.Tests = append(out.Tests, test.Path)
		}
	}
	return out
})
