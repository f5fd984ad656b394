package navigation

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// methods maps the kinds of places that a request can ask for to LSP methods.
var methods = map[string]string{
	"definition": symbols.Definition, "declaration": symbols.Declaration,
	"type_definition": symbols.TypeDefinition, "implementation": symbols.Implementation,
}

// Definition returns where the selected symbol is defined. A kind in the request asks for its
// declaration, the definition of its type, or its implementations instead.
func (n *Navigator) Definition(ctx context.Context, req api.DefinitionRequest) (result.Places, error) {
	return n.lookUp(ctx, req, api.Definition.Name)
}

// Declaration returns where the selected symbol is declared.
func (n *Navigator) Declaration(ctx context.Context, req api.DefinitionRequest) (result.Places, error) {
	return n.lookUp(ctx, req, api.Declaration.Name)
}

// TypeDefinition returns where the type of the selected symbol is defined.
func (n *Navigator) TypeDefinition(ctx context.Context, req api.DefinitionRequest) (result.Places, error) {
	return n.lookUp(ctx, req, api.TypeDefinition.Name)
}

// Implementation returns what implements the selected symbol.
func (n *Navigator) Implementation(ctx context.Context, req api.DefinitionRequest) (result.Places, error) {
	return n.lookUp(ctx, req, api.Implementation.Name)
}

// lookUp asks for places of a kind. The kind in the request, if it has one, takes precedence.
func (n *Navigator) lookUp(ctx context.Context, req api.DefinitionRequest, kind string) (result.Places, error) {
	kind = cmp.Or(req.Kind, kind)
	method, known := methods[kind]
	if !known {
		return result.Places{}, &api.ArgumentError{
			Argument: "kind", Reason: fmt.Sprintf("%q is no kind", kind), Advice: "kinds are definition, declaration, type_definition and implementation",
		}
	}
	if err := req.Limits.Valid(); err != nil {
		return result.Places{}, err
	}
	if kind == api.Definition.Name && !req.WithSource {
		if indexed := n.kept.Ask(n.names, n.view, req.Selector, true).Indexed(ctx); indexed != nil {
			access := n.view.Access() // to texts alone
			defer access.Close()
			answer := n.placesOf(symbols.New(access), indexed.Target.Name, kind, []symbols.Place{indexed.Defined}, true)
			answer.From = indexed.From
			return answer, nil
		}
	}
	return overlay.Ask(ctx, n.view, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
		return n.defined(ctx, q, req, kind, method)
	})
}

func headOfPlaces(p *result.Places) *result.Head { return &p.Head }

func (n *Navigator) defined(ctx context.Context, q *symbols.Inquiry, req api.DefinitionRequest, kind, method string) (result.Places, error) {
	t, err := q.Resolve(ctx, restate.Selector(req.Selector))
	if err != nil {
		return result.Places{}, err
	}
	places, err := q.Places(ctx, method, t)
	if err != nil {
		return result.Places{}, err
	}
	answer := n.placesOf(q, t.Name, kind, places, !req.WithSource)
	if !req.WithSource {
		return answer, nil
	}
	next := 0
	for i := range answer.Files {
		for j := range answer.Files[i].Places {
			src, err := q.SourceAt(ctx, places[next])
			if err != nil {
				return result.Places{}, err
			}
			answer.Files[i].Places[j].Source = restate.Source(n.names, src)
			next++
		}
	}
	return answer, nil
}

// placesOf returns where something is, with the ends of the places, as the caller is shown it.
func (n *Navigator) placesOf(q *symbols.Inquiry, name, kind string, places []symbols.Place, lines bool) result.Places {
	answer := restate.Places(n.names, q, name, strings.ReplaceAll(kind, "_", " "), places, lines)
	next := 0
	for i := range answer.Files {
		for j := range answer.Files[i].Places {
			place, end := &answer.Files[i].Places[j], places[next].Range.End
			place.EndLine, place.EndColumn = end.Line+1, end.Character+1
			next++
		}
	}
	return answer
}
