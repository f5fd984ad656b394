package symbols

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// insight is a server that notes what it is asked about, and answers each question with one thing, or
// with its error.
type insight struct {
	*fake
	err   error
	mute  bool // it answers nothing of this
	about []any
}

func (s *insight) Open(context.Context, string, string) (Server, error) { return s, nil }
func (s *insight) Supports(string) bool                                 { return !s.mute }

// asked notes a question, and returns its answer.
func asked[T any](s *insight, about ...any) ([]T, error) {
	s.about = append(s.about, about...)
	return make([]T, 1), s.err
}

func (s *insight) Highlights(_ context.Context, path string, at protocol.Position) ([]protocol.Highlight, error) {
	return asked[protocol.Highlight](s, path, at)
}

func (s *insight) InlayHints(_ context.Context, path string, r protocol.Range) ([]protocol.InlayHint, error) {
	return asked[protocol.InlayHint](s, path, r)
}

func (s *insight) SemanticTokens(_ context.Context, path string, r *protocol.Range) ([]protocol.SemanticToken, error) {
	return asked[protocol.SemanticToken](s, path, *r)
}

func (s *insight) FoldingRanges(_ context.Context, path string) ([]protocol.FoldingRange, error) {
	return asked[protocol.FoldingRange](s, path)
}

func (s *insight) CodeLenses(_ context.Context, path string) ([]protocol.CodeLens, error) {
	return asked[protocol.CodeLens](s, path)
}

func (s *insight) CodeActions(_ context.Context, path string, r protocol.Range, _ []protocol.Diagnostic, only []string) ([]protocol.CodeAction, error) {
	return asked[protocol.CodeAction](s, path, r, only)
}

func (s *insight) Format(_ context.Context, path string, r *protocol.Range, _ protocol.FormattingOptions) ([]protocol.TextEdit, error) {
	if r != nil {
		return asked[protocol.TextEdit](s, path, *r)
	}
	return asked[protocol.TextEdit](s, path)
}

// A server is asked about the place that the question is about, and its answer is passed on; so is its
// error, a refusal of what leads to a change in its own words.
func TestQuestionsAboutPlaces(t *testing.T) {
	path, whole := here("/r/a.go"), span(1, 2, 3, 4)
	const refuses = "fakels refuses to "
	for name, c := range map[string]struct {
		ask     func(q *Inquiry, s Server) (int, error)
		about   []any
		refusal string // what it refuses to do; "" if its error is passed on as it is
	}{
		"highlights": {func(q *Inquiry, _ Server) (int, error) {
			list, err := q.Highlights(t.Context(), Target{Path: path, At: whole.Start})
			return len(list), err
		}, []any{path, whole.Start}, ""},
		"hints": {func(q *Inquiry, _ Server) (int, error) {
			list, err := q.InlayHints(t.Context(), Place{path, whole})
			return len(list), err
		}, []any{path, whole}, ""},
		"tokens": {func(q *Inquiry, _ Server) (int, error) {
			list, err := q.SemanticTokens(t.Context(), Place{path, whole})
			return len(list), err
		}, []any{path, whole}, ""},
		"folds": {func(q *Inquiry, _ Server) (int, error) {
			list, err := q.FoldingRanges(t.Context(), path)
			return len(list), err
		}, []any{path}, ""},
		"lenses": {func(q *Inquiry, s Server) (int, error) {
			list, err := q.CodeLenses(t.Context(), s, path)
			return len(list), err
		}, []any{path}, "offer code lenses"},
		"actions": {func(q *Inquiry, s Server) (int, error) {
			list, err := q.Actions(t.Context(), s, path, whole, nil, []string{"quickfix"})
			return len(list), err
		}, []any{path, whole, []string{"quickfix"}}, "offer actions"},
		"format of a file": {func(q *Inquiry, _ Server) (int, error) {
			list, _, err := q.Format(t.Context(), path, nil, protocol.FormattingOptions{})
			return len(list), err
		}, []any{path}, "format a.go"},
		"format of lines": {func(q *Inquiry, _ Server) (int, error) {
			list, _, err := q.Format(t.Context(), path, &whole, protocol.FormattingOptions{})
			return len(list), err
		}, []any{path, whole}, "format a.go"},
	} {
		s := &insight{fake: newFake("a.go", "")}
		if n, err := c.ask(New(s), s); n != 1 || err != nil {
			t.Errorf("%s: %d answers, %v", name, n, err)
		}
		if diff := cmp.Diff(c.about, s.about); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		s.err = &jsonrpc.ResponseError{Method: "m", Code: -32803, Message: "not here"}
		want := s.err.Error()
		if c.refusal != "" {
			want = refuses + c.refusal + ": not here"
		}
		if n, err := c.ask(New(s), s); n != 0 || err == nil || err.Error() != want {
			t.Errorf("%s: refused: %d answers, %v, want %s", name, n, err, want)
		}
	}
}

// What a server does not offer it is not asked for; whoever wants to rename where nobody can is told.
func TestWhatNobodyOffers(t *testing.T) {
	s := &insight{fake: newFake("a.go", ""), mute: true}
	var unsupported *lsp.UnsupportedError
	if _, err := New(s).Actions(t.Context(), s, here("/r/a.go"), span(0, 0, 0, 0), nil, nil); !errors.As(err, &unsupported) || unsupported.Method != "textDocument/codeAction" || s.about != nil {
		t.Errorf("actions: %v, asked about %v", err, s.about)
	}
	none := errors.New("no server")
	f := newFake("a.go", "")
	if err := New(f).CanRename(t.Context(), here("/r/a.go")); err != nil {
		t.Errorf("rename: %v", err)
	}
	f.opens = func() error { return none }
	if err := New(f).CanRename(t.Context(), here("/r/a.go")); !errors.Is(err, none) {
		t.Errorf("rename where nobody can: %v", err)
	}
}
