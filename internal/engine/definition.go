package engine

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// methods are the LSP methods behind the kinds.
var methods = map[string]string{
	"definition": symbols.Definition, "declaration": symbols.Declaration,
	"type_definition": symbols.TypeDefinition, "implementation": symbols.Implementation,
}

var (
	doDefinition     = bindDefinition(api.Definition)
	doDeclaration    = bindDefinition(api.Declaration)
	doTypeDefinition = bindDefinition(api.TypeDefinition)
	doImplementation = bindDefinition(api.Implementation)
)

// bindDefinition binds an operation of the family, whose name is the kind.
func bindDefinition(op api.Op[api.DefinitionRequest, result.Places]) binding {
	return bind(op, func(ctx context.Context, e *Engine, req api.DefinitionRequest) (result.Places, error) {
		kind := op.Name
		if req.Kind != "" {
			kind = req.Kind
		}
		method, known := methods[kind]
		if !known {
			return result.Places{}, &api.ArgumentError{
				Argument: "kind", Reason: fmt.Sprintf("%q is no kind", kind), Advice: "kinds are definition, declaration, type_definition and implementation",
			}
		}
		return overlay.Ask(ctx, e.view, req.Limits, headOfPlaces, func(ctx context.Context, q *symbols.Inquiry) (result.Places, error) {
			return e.defined(ctx, q, req, kind, method)
		})
	})
}

func headOfPlaces(p *result.Places) *result.Head { return &p.Head }

func (e *Engine) defined(ctx context.Context, q *symbols.Inquiry, req api.DefinitionRequest, kind, method string) (result.Places, error) {
	t, err := q.Resolve(ctx, selectorOf(req.Selector))
	if err != nil {
		return result.Places{}, err
	}
	places, err := q.Places(ctx, method, t)
	if err != nil {
		return result.Places{}, err
	}
	answer := e.places(q, t.Name, strings.ReplaceAll(kind, "_", " "), places, !req.WithSource)
	next := 0
	for i := range answer.Files {
		for j := range answer.Files[i].Places {
			place, end := &answer.Files[i].Places[j], places[next].Range.End
			place.EndLine, place.EndColumn = end.Line+1, end.Character+1
			if req.WithSource {
				src, err := q.SourceAt(ctx, places[next])
				if err != nil {
					return result.Places{}, err
				}
				place.Source = e.source(src)
			}
			next++
		}
	}
	return answer, nil
}

// places groups places by file; they are in the order of files already, or few.
func (e *Engine) places(q *symbols.Inquiry, symbol, what string, places []symbols.Place, lines bool) result.Places {
	answer := result.Places{Symbol: symbol, What: what, Total: len(places), Files: []result.PlaceFile{}}
	var texts [][]byte
	if lines {
		texts = q.Lines(places)
	}
	for i, p := range places {
		last := len(answer.Files) - 1
		if i == 0 || places[i-1].Path != p.Path {
			if path := e.relative(p.Path); last < 0 || answer.Files[last].Path != path {
				answer.Files = append(answer.Files, result.PlaceFile{Path: path})
				last++
			}
		}
		f := &answer.Files[last]
		f.Count++
		place := place(p)
		if lines {
			place.Text = shown(texts[i])
		}
		f.Places = append(f.Places, place)
	}
	answer.FileCount = len(answer.Files)
	return answer
}

func place(p symbols.Place) result.Place {
	return result.Place{Line: p.Range.Start.Line + 1, Column: p.Range.Start.Character + 1}
}

// maxLine bounds the text of a line in an answer, in bytes.
const maxLine = 160

// lineOf returns the line that a place begins in, as it is shown.
func lineOf(q *symbols.Inquiry, p symbols.Place) string {
	return shown(q.Lines([]symbols.Place{p})[0])
}

// shown returns a line trimmed, and cut if it is too long.
func shown(text []byte) string {
	line := string(bytes.TrimSpace(text))
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	return line
}

func (e *Engine) source(src symbols.Source) *result.Source {
	s := &result.Source{
		Path: e.relative(src.Path), Line: uint32(src.First + 1), EndLine: uint32(src.Last + 1),
		Code: strings.Join(src.Lines, "\n"),
	}
	if src.Symbol != nil {
		s.Symbol, s.Kind = strings.Join(src.Symbol.Path, "."), src.Symbol.Kind
	}
	return s
}
