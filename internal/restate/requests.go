package restate

import (
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Selector restates how a request names a symbol.
func Selector(s api.Selector) symbols.Selector {
	return symbols.Selector{
		At: s.At, File: s.File, Line: int(s.Line), Column: int(s.Column), Symbol: s.Symbol, Pattern: s.Pattern,
		ScopeStart: int(s.LineScopeStart), ScopeEnd: int(s.LineScopeEnd), Language: s.Language,
	}
}

// Target returns the place that a request names: the exact column if there is
// one, for what is asked about need not be a name.
func Target(ctx context.Context, n workspace.Names, q *symbols.Inquiry, s api.Selector) (symbols.Target, error) {
	if s.File != "" && s.Line > 0 && s.Column > 0 && s.Symbol == "" {
		path, err := n.Resolve(s.File)
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
	return q.Resolve(ctx, Selector(s))
}

// Area returns the range that a request names, within its file.
func Area(n workspace.Names, q *symbols.Inquiry, a api.Area) (symbols.Place, *protocol.Mapper, error) {
	if a.File == "" {
		return symbols.Place{}, nil, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	path, err := n.Resolve(a.File)
	if err != nil {
		return symbols.Place{}, nil, err
	}
	text, err := q.Text(path)
	if err != nil {
		return symbols.Place{}, nil, err
	}
	r := symbols.LineRange(text, 0, text.Lines()-1)
	switch {
	case int(a.StartLine) > text.Lines():
		return symbols.Place{}, nil, &api.ArgumentError{Argument: "start_line", Reason: fmt.Sprintf("%d is past the end: the file has %d lines", a.StartLine, text.Lines()), Advice: "name a line of the file"}
	case a.EndLine > 0 && (a.EndLine < a.StartLine || a.EndLine == a.StartLine && a.EndColumn > 0 && a.EndColumn < a.StartColumn):
		return symbols.Place{}, nil, &api.ArgumentError{Argument: "end_line", Reason: "the end is before the start", Advice: "for example start_line 10, end_line 20"}
	}
	if a.StartLine > 0 {
		r.Start = protocol.Position{Line: uint32(a.StartLine - 1), Character: uint32(max(a.StartColumn, 1) - 1)}
	}
	if a.EndLine > 0 && int(a.EndLine) <= text.Lines() {
		r.End = symbols.LineRange(text, int(a.EndLine)-1, int(a.EndLine)-1).End
		if a.EndColumn > 0 {
			r.End.Character = min(r.End.Character, uint32(a.EndColumn-1))
		}
	}
	return symbols.Place{Path: path, Range: r}, text, nil
}

// Beginning returns what stands of a name before a place.
func Beginning(text *protocol.Mapper, at protocol.Position) string {
	line := text.Line(int(at.Line))
	end := text.Offset(at, protocol.UTF16) - text.Offset(protocol.Position{Line: at.Line}, protocol.UTF16)
	return symbols.NameBefore(line, end)
}
