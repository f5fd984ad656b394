package navigation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Symbols returns the outline of a file or, without a file, the result of a search by name in the
// workspace.
func (n *Navigator) Symbols(ctx context.Context, req api.SymbolsRequest) (result.Symbols, error) {
	switch {
	case req.File == "" && req.Query == "":
		return result.Symbols{}, &api.ArgumentError{Argument: "file", Reason: "neither a file nor a query is given", Advice: `for example file "src/a.go", or query "Load"`}
	case req.File != "" && req.Query != "":
		return result.Symbols{}, &api.ArgumentError{Argument: "query", Reason: "it goes without file", Advice: `name a symbol in a file as "src/a.go Config.Load"`}
	case req.File != "":
		return n.Outline(ctx, req)
	}
	return n.FindSymbol(ctx, req)
}

func headOfSymbols(s *result.Symbols) *result.Head { return &s.Head }

// Outline returns the symbols that a file declares.
func (n *Navigator) Outline(ctx context.Context, req api.SymbolsRequest) (result.Symbols, error) {
	if err := checkSymbols(req); err != nil {
		return result.Symbols{}, err
	}
	if req.File == "" {
		return result.Symbols{}, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	return overlay.Ask(ctx, n.view, req.Limits, headOfSymbols, func(ctx context.Context, q *symbols.Inquiry) (result.Symbols, error) {
		path, err := n.names.Resolve(req.File)
		if err != nil {
			return result.Symbols{}, err
		}
		o, err := q.Outline(ctx, path)
		if err != nil {
			return result.Symbols{}, err
		}
		declared, left := o.Declarations()
		if req.Kind != "" { // who asks for variables wants locals too
			declared, left = o.Symbols, 0
		}
		result := result.Symbols{Path: n.names.Relative(path), Total: len(o.All()) - left, Symbols: []result.Symbol{}}
		if left > 0 {
			result.Notes = []string{fmt.Sprintf("without %d imports, locals and callbacks; a kind lists all of it", left)}
		}
		if req.Format == "flat" {
			result.Symbols = flat(declared, req.Kind)
		} else {
			result.Symbols = restate.Symbols(declared, req.Depth, req.Kind)
		}
		result.Symbols, result.Offset = page(result.Symbols, req.Offset, req.Limit)
		return result, nil
	})
}

// FindSymbol searches the workspace for symbols by name.
func (n *Navigator) FindSymbol(ctx context.Context, req api.SymbolsRequest) (result.Symbols, error) {
	if err := checkSymbols(req); err != nil {
		return result.Symbols{}, err
	}
	if req.Query == "" {
		return result.Symbols{}, &api.ArgumentError{Argument: "query", Reason: "it is missing", Advice: `for example "Load"`}
	}
	return overlay.Ask(ctx, n.view, req.Limits, headOfSymbols, func(ctx context.Context, q *symbols.Inquiry) (result.Symbols, error) {
		found, failures, err := q.Search(ctx, req.Query, req.Language)
		if err != nil {
			return result.Symbols{}, err
		}
		result, err := n.foundSymbols(ctx, q, req, found)
		if len(result.Symbols) > 0 {
			first := result.Symbols[0]
			result.Next = fmt.Sprintf("source at %s:%d:%d", first.Path, first.Line, first.Column)
		}
		if left := symbols.NotSearched(failures, ""); left != "" {
			result.Notes = append(result.Notes, left)
		}
		return result, err
	})
}

func checkSymbols(r api.SymbolsRequest) error {
	switch {
	case r.Kind != "" && !slices.Contains(symbols.Kinds(), r.Kind):
		return &api.ArgumentError{Argument: "kind", Reason: fmt.Sprintf("%q is no kind of symbol", r.Kind), Advice: "kinds are " + strings.Join(symbols.Kinds(), ", ")}
	case r.Format != "" && r.Format != "tree" && r.Format != "flat" && r.Format != "outline":
		return &api.ArgumentError{Argument: "format", Reason: fmt.Sprintf("%q is no format", r.Format), Advice: "formats are tree and flat"}
	case r.Limit < 0 || r.Offset < 0 || r.Depth < 0:
		return &api.ArgumentError{Argument: "limit", Reason: "limit, offset and depth are not negative", Advice: "for example limit 20, offset 40"}
	}
	return nil
}

// page returns the part of a list that begins at offset, and that offset, at most the length of the
// list. A limit of 0 means no limit.
func page(list []result.Symbol, offset, limit int) ([]result.Symbol, int) {
	offset = min(offset, len(list))
	list = list[offset:]
	if limit > 0 {
		list = list[:min(limit, len(list))]
	}
	return list, offset
}

func flat(declared []*symbols.Symbol, kind string) []result.Symbol {
	list := []result.Symbol{}
	for _, s := range declared {
		if kind == "" || s.Kind == kind {
			list = append(list, restate.Symbol(s, strings.Join(s.Path, ".")))
		}
		list = append(list, flat(s.Children, kind)...)
	}
	return list
}

// defaultFound is how many symbols a search returns if the request sets no limit.
const defaultFound = 50

// foundSymbols returns a page of what a search found.
func (n *Navigator) foundSymbols(ctx context.Context, q *symbols.Inquiry, req api.SymbolsRequest, found []symbols.Found) (result.Symbols, error) {
	answer := result.Symbols{Query: req.Query, Symbols: []result.Symbol{}}
	if req.Limit == 0 {
		req.Limit = defaultFound
	}
	for _, f := range found {
		if req.Kind != "" && f.Kind != req.Kind {
			continue
		}
		if answer.Total++; answer.Total <= req.Offset || len(answer.Symbols) == req.Limit {
			continue
		}
		s := result.Symbol{
			Name: f.Name, Kind: f.Kind, Container: f.Container, Path: n.names.Relative(f.Place.Path),
			Line: f.Place.Range.Start.Line + 1, Column: f.Place.Range.Start.Character + 1,
		}
		if req.Hover {
			hover, err := q.Hover(ctx, symbols.Target{Path: f.Place.Path, At: f.Place.Range.Start, Name: f.Name})
			if err != nil && ctx.Err() != nil {
				return result.Symbols{}, err
			}
			s.Detail = hover.Text
		}
		answer.Symbols = append(answer.Symbols, s)
	}
	answer.Offset = min(req.Offset, answer.Total)
	return answer, nil
}
