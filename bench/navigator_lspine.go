package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/bench/project"
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
		return engine.Definition.Name, engine.DefinitionRequest{Selector: used}, new(result.Places), err
	case references, referencesLines:
		lines := q == referencesLines
		return engine.References.Name, engine.ReferencesRequest{Selector: declared, SourceLines: &lines}, new(result.Places), err
	case hover:
		return engine.Inspect.Name, engine.InspectRequest{Selector: used, Parts: []string{"hover"}}, new(result.Inspection), err
	case inspect:
		return engine.Inspect.Name, engine.InspectRequest{Selector: used}, new(result.Inspection), err
	case outline:
		file, _, _ := strings.Cut(declared.At, ":")
		return engine.Symbols.Name, engine.SymbolsRequest{File: file}, new(result.Symbols), err
	case search:
		return engine.Symbols.Name, engine.SymbolsRequest{Query: s.Name}, new(result.Symbols), err
	case callers:
		return engine.Hierarchy.Name, engine.HierarchyRequest{Selector: declared}, new(result.Hierarchy), err
	}
	return "", nil, nil, fmt.Errorf("no question %q", q)
}

func selector(root string, p project.Place) (engine.Selector, error) {
	name, err := filepath.Rel(root, p.File)
	return engine.Selector{At: fmt.Sprintf("%s:%d:%d", filepath.ToSlash(name), p.Line+1, p.Character+1)}, err
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
