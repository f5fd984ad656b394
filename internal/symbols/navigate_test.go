package symbols

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// References come in the order of the paths as readers see them, each once;
// what is no file is left out. Definitions keep the server's order.
func TestOrderOfPlaces(t *testing.T) {
	f := newFake("a.go", "")
	reported := located(
		Place{"/usr/x.go", span(0, 0, 0, 1)}, Place{"/r/b.go", span(9, 0, 9, 1)}, Place{"/r/b.go", span(2, 7, 2, 8)},
		Place{"/r/b.go", span(2, 3, 2, 4)}, Place{"/r/a.go", span(5, 0, 5, 1)}, Place{"/r/b.go", span(9, 0, 9, 1)},
	)
	reported = append(reported, protocol.Location{URI: "jdt://contents/String.class"})
	f.references = func(context.Context, string, protocol.Position) ([]protocol.Location, error) { return reported, nil }
	f.locations = func(string, string, protocol.Position) ([]protocol.Location, error) { return reported, nil }
	drawn := func(places []Place) string {
		var parts []string
		for _, p := range places {
			parts = append(parts, (&Candidate{Path: f.Relative(p.Path), Line: int(p.Range.Start.Line), Column: int(p.Range.Start.Character)}).At())
		}
		return strings.Join(parts, " ")
	}
	q := New(f)
	places, err := q.References(t.Context(), Target{Path: "/r/a.go"}, true)
	if got := drawn(places); err != nil || got != "/usr/x.go:0:0 a.go:5:0 b.go:2:3 b.go:2:7 b.go:9:0" {
		t.Errorf("references: %s, %v", got, err)
	}
	places, err = q.Places(t.Context(), Definition, Target{Path: "/r/a.go"})
	if got := drawn(places); err != nil || got != "/usr/x.go:0:0 b.go:9:0 b.go:2:7 b.go:2:3 a.go:5:0" {
		t.Errorf("definitions: %s, %v", got, err)
	}
}

// told is a server that has one answer for every question about a place; its
// error for each if it has one.
type told struct {
	*fake
	err error
}

func (s told) Open(context.Context, string, string) (Server, error) { return s, nil }

func (s told) HoverAt(context.Context, string, protocol.Position) (protocol.Hover, error) {
	return protocol.Hover{Text: "says"}, s.err
}

func (s told) SignatureHelp(context.Context, string, protocol.Position) (*protocol.SignatureHelp, error) {
	return nil, s.err
}

func (s told) Completions(context.Context, string, protocol.Position) (protocol.CompletionList, error) {
	return protocol.CompletionList{Incomplete: true}, s.err
}

// A question with one answer gives it, also none; and the error of the server is
// not taken for no answer.
func TestSingleAnswers(t *testing.T) {
	q, target := New(told{newFake("a.go", ""), nil}), Target{Path: "/r/a.go"}
	hover, err := q.Hover(t.Context(), target)
	if err != nil || hover.Text != "says" {
		t.Errorf("%v, %v", hover, err)
	}
	help, err := q.SignatureHelp(t.Context(), target)
	if err != nil || help != nil {
		t.Errorf("%v, %v", help, err)
	}
	list, err := q.Completions(t.Context(), target)
	if err != nil || !list.Incomplete {
		t.Errorf("%v, %v", list, err)
	}
	broken := errors.New("broken")
	q = New(told{newFake("a.go", ""), broken})
	if _, err = q.Hover(t.Context(), target); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err = q.SignatureHelp(t.Context(), target); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err = q.Completions(t.Context(), target); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// Errors say what to do next.
func TestErrorsAdvise(t *testing.T) {
	for _, err := range []interface {
		error
		Hint() string
	}{&NotReadyError{"gopls", "Loading"}, &TimeoutError{"gopls", "textDocument/references"}, &SelectorError{"at", "wrong", "right"}} {
		if err.Hint() == "" || err.Error() == "" || strings.Contains(err.Hint(), err.Error()) {
			t.Errorf("%T: %v, %q", err, err, err.Hint())
		}
	}
	if Outside(&NotReadyError{}) || Outside(&TimeoutError{}) || !Outside(&SelectorError{}) {
		t.Error("a server's error is taken for the caller's, or the other way round")
	}
}
