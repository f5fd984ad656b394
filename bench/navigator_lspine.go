package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/result"
)

// engineNavigator asks the engine in this process.
type engineNavigator struct{ engine *engine.Engine }

func (n *engineNavigator) ask(ctx context.Context, q question, s project.Symbol) (func() (int, error), error) {
	operation, request, reply, err := asOperation(n.engine.Root(), q, s)
	if err != nil {
		return nil, err
	}
	err = n.engine.Call(ctx, operation, request, reply)
	return func() (int, error) { return found(reply), nil }, err
}

// asOperation is a question in LSPine's words: an operation, which the default
// profile has as a tool of that name, its request, and where its reply goes.
func asOperation(root string, q question, s project.Symbol) (operation string, request any, reply result.Result, err error) {
	declared, err := selector(root, s.Declared)
	if err != nil {
		return "", nil, nil, err
	}
	used, err := selector(root, s.Used)
	switch q {
	case definition:
		return api.Definition.Name, api.DefinitionRequest{Selector: used}, new(result.Places), err
	case references, referencesLines:
		lines := q == referencesLines
		return api.References.Name, api.ReferencesRequest{Selector: declared, SourceLines: &lines}, new(result.Places), err
	case hover:
		return api.Inspect.Name, api.InspectRequest{Selector: used, Parts: []string{"hover"}}, new(result.Inspection), err
	case inspect:
		return api.Inspect.Name, api.InspectRequest{Selector: used}, new(result.Inspection), err
	case outline:
		file, _, _ := strings.Cut(declared.At, ":")
		return api.Symbols.Name, api.SymbolsRequest{File: file}, new(result.Symbols), err
	case search:
		return api.Symbols.Name, api.SymbolsRequest{Query: s.Name}, new(result.Symbols), err
	case callers:
		return api.Hierarchy.Name, api.HierarchyRequest{Selector: declared}, new(result.Hierarchy), err
	}
	return "", nil, nil, fmt.Errorf("no question %q", q)
}

func selector(root string, p project.Place) (api.Selector, error) {
	name, err := filepath.Rel(root, p.File)
	return api.Selector{At: fmt.Sprintf("%s:%d:%d", filepath.ToSlash(name), p.Line+1, p.Character+1)}, err
}

// found is how many things a reply has found, as [raw.Answer] counts.
func found(reply result.Result) int {
	switch r := reply.(type) {
	case *result.Places:
		return r.Total
	case *result.Symbols:
		return r.Total
	case *result.Hierarchy:
		return r.Total
	case *result.Inspection:
		return min(len(r.Hover), 1)
	}
	return 0
}
