package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// place returns the place that a request names: the exact column if there is
// one, for what is asked about need not be a name.
func (e *Engine) place(ctx context.Context, q *symbols.Inquiry, s api.Selector) (symbols.Target, error) {
	if s.File != "" && s.Line > 0 && s.Column > 0 && s.Symbol == "" {
		path, err := e.workspace.Resolve(e.base(), s.File)
		if err != nil {
			return symbols.Target{}, err
		}
		text, err := q.Text(path)
		if err != nil {
			return symbols.Target{}, err
		}
		if int(s.Line) > text.Lines() {
			return symbols.Target{}, &api.ArgumentError{Argument: "line", Reason: fmt.Sprintf("%d is past the end: the file has %d lines", s.Line, text.Lines()), Advice: "name a line of the file"}
		}
		at := protocol.Position{Line: uint32(s.Line - 1), Character: uint32(s.Column - 1)}
		return symbols.Target{Path: path, At: text.Convert(at, protocol.UTF16, protocol.UTF16)}, nil
	}
	return q.Resolve(ctx, selectorOf(s))
}

var doSignatureHelp = bind(api.SignatureHelp, func(ctx context.Context, e *Engine, req api.PlaceRequest) (result.Signatures, error) {
	return overlay.Ask(ctx, e.view, req.Limits, func(s *result.Signatures) *result.Head { return &s.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Signatures, error) {
			t, err := e.place(ctx, q, req.Selector)
			if err != nil {
				return result.Signatures{}, err
			}
			help, err := q.SignatureHelp(ctx, t)
			if err != nil {
				return result.Signatures{}, err
			}
			return signatures(e.names.At(t.Path, t.At), help), nil
		})
})

func signatures(at string, help *protocol.SignatureHelp) result.Signatures {
	answer := result.Signatures{At: at, Signatures: []result.Signature{}}
	if help == nil {
		return answer
	}
	answer.Active = help.Active
	for _, s := range help.Signatures {
		signature := result.Signature{Label: s.Label, Documentation: s.Documentation}
		for i, p := range s.Parameters {
			signature.Parameters = append(signature.Parameters, p.Label)
			if i == s.Active {
				signature.ActiveParameter = p.Label
			}
		}
		answer.Signatures = append(answer.Signatures, signature)
	}
	return answer
}

var doCompletions = bind(api.Completions, func(ctx context.Context, e *Engine, req api.PlaceRequest) (result.Completions, error) {
	return overlay.Ask(ctx, e.view, req.Limits, func(c *result.Completions) *result.Head { return &c.Head },
		func(ctx context.Context, q *symbols.Inquiry) (result.Completions, error) {
			t, err := e.place(ctx, q, req.Selector)
			if err != nil {
				return result.Completions{}, err
			}
			list, err := q.Completions(ctx, t)
			if err != nil {
				return result.Completions{}, err
			}
			text, err := q.Text(t.Path)
			if err != nil {
				return result.Completions{}, err
			}
			return completions(e.names.At(t.Path, t.At), list, beginning(text, t.At)), nil
		})
})

// beginning returns what stands of a name before a place.
func beginning(text *protocol.Mapper, at protocol.Position) string {
	line := text.Line(int(at.Line))
	end := text.Offset(at, protocol.UTF16) - text.Offset(protocol.Position{Line: at.Line}, protocol.UTF16)
	return symbols.NameBefore(line, end)
}

// completions presents items as an editor would: those that go on from what is
// written, in the server's order. A server may leave both to us.
func completions(at string, list protocol.CompletionList, written string) result.Completions {
	items := slices.Clone(list.Items)
	going := slices.DeleteFunc(slices.Clone(items), func(item protocol.CompletionItem) bool {
		return !strings.HasPrefix(strings.ToLower(strings.TrimSpace(item.FilterText)), strings.ToLower(written))
	})
	if len(going) > 0 {
		items = going
	}
	slices.SortStableFunc(items, func(a, b protocol.CompletionItem) int { return cmp.Compare(a.SortText, b.SortText) })
	answer := result.Completions{At: at, Total: len(items), Items: []result.Completion{}, Incomplete: list.Incomplete}
	for _, item := range items {
		label := strings.TrimSpace(item.Label)
		c := result.Completion{Label: label, Kind: symbols.CompletionKind(item.Kind), Detail: item.Detail, Deprecated: item.Deprecated}
		if item.InsertText != label {
			c.Insert = item.InsertText
		}
		answer.Items = append(answer.Items, c)
	}
	return answer
}
