package main

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/internal/registry"
)

// A question of navigation, in the words of the report.
type question string

const (
	definition      question = "definition"
	references      question = "references, positions only"
	referencesLines question = "references, with the lines"
	hover           question = "hover"
	inspect         question = "hover, definition and outline in one"
	outline         question = "outline of a file"
	search          question = "search in the workspace"
	callers         question = "callers"
)

// A navigator is one client that can be asked.
type navigator interface {
	// ask puts a question about a symbol. The number of things found is counted
	// by the function returned, which is not timed.
	ask(ctx context.Context, q question, s project.Symbol) (count func() (int, error), err error)
}

// rawNavigator sends what the protocol has for each question.
type rawNavigator struct {
	client *raw.Client
	// declares says that uses are asked for together with the declaration, because
	// the server leaves out others without it.
	declares bool
}

func startRawNavigator(ctx context.Context, spec raw.Spec, root string) (*rawNavigator, error) {
	client, err := raw.Start(ctx, spec.EditedFileOnly(), root) // nothing is edited
	if err != nil {
		return nil, err
	}
	table := registry.Builtin()
	definition, _ := table.Get(spec.ID)
	return &rawNavigator{client, definition.Has(registry.DeclarationsByHand)}, nil
}

func (n *rawNavigator) ask(ctx context.Context, q question, s project.Symbol) (func() (int, error), error) {
	answer, err := n.answer(ctx, q, s)
	return func() (int, error) { return answer.Count, nil }, err
}

func (n *rawNavigator) answer(ctx context.Context, q question, s project.Symbol) (raw.Answer, error) {
	for _, file := range []string{s.Used.File, s.Declared.File} {
		if q == definition && file == s.Declared.File {
			continue // not needed
		}
		if err := n.client.Show(file); err != nil { // the first time
			return raw.Answer{}, err
		}
	}
	d, u := s.Declared, s.Used
	switch q {
	case definition:
		return n.client.Definition(ctx, u.File, u.Line, u.Character)
	case references, referencesLines:
		answer, err := n.client.References(ctx, d.File, d.Line, d.Character, n.declares)
		if err == nil && q == referencesLines {
			_, err = answer.Lines()
		}
		if n.declares {
			answer.Count--
		}
		return answer, err
	case hover:
		return n.client.Hover(ctx, u.File, u.Line, u.Character)
	case inspect:
		return n.inspect(ctx, u)
	case outline:
		return n.client.DocumentSymbols(ctx, d.File)
	case search:
		return n.client.WorkspaceSymbols(ctx, s.Name)
	case callers:
		return n.client.IncomingCalls(ctx, d.File, d.Line, d.Character)
	}
	return raw.Answer{}, fmt.Errorf("no question %q", q)
}

// inspect sends the three requests that LSPine's inspect needs.
func (n *rawNavigator) inspect(ctx context.Context, p project.Place) (raw.Answer, error) {
	answer, err := n.client.Hover(ctx, p.File, p.Line, p.Character)
	if err != nil {
		return answer, err
	}
	defined, err := n.client.Definition(ctx, p.File, p.Line, p.Character)
	if err != nil {
		return answer, err
	}
	_, err = n.client.DocumentSymbols(ctx, defined.First)
	return answer, err
}
