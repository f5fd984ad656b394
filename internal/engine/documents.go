package engine

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

var doOpen = bind(api.Open, func(ctx context.Context, e *Engine, req api.OpenRequest) (_ result.Done, err error) {
	path, err := e.workspace.Resolve(e.base(), req.File)
	if err != nil {
		return result.Done{}, err
	}
	if req.Text != nil {
		if err := e.workspace.Diagnosable(path, []byte(*req.Text)); err != nil {
			return result.Done{}, err
		}
		before, given := e.given(path)
		e.give(path, []byte(*req.Text))
		defer func() {
			switch {
			case err == nil:
			case given:
				e.give(path, before)
			default:
				e.takeBack(path)
			}
		}()
	}
	ctx, cancel := e.drafting(ctx)
	defer cancel()
	if err := e.workspace.Remember(ctx); err != nil {
		return result.Done{}, err
	}
	s, err := e.newAccess().Open(ctx, path, "")
	if err != nil {
		return result.Done{}, err
	}
	return result.Done{Path: e.relative(path), Done: "open in " + s.Definition().ID}, nil
})

var doClose = bind(api.Close, func(_ context.Context, e *Engine, req api.FileRequest) (result.Done, error) {
	path, err := e.workspace.Resolve(e.base(), req.File)
	if err != nil {
		return result.Done{}, err
	}
	e.takeBack(path)
	was, err := e.workspace.CloseDocument(path)
	if err != nil {
		return result.Done{}, err
	}
	done := result.Done{Path: e.relative(path), Done: "closed"}
	if !was {
		done.Done = "was not open"
	}
	return done, nil
})

// give makes a text count instead of the disk, until it is taken back.
func (e *Engine) give(path string, text []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.texts[path] = text
}

func (e *Engine) takeBack(path string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.texts, path)
}

// given returns the text that a caller opened a document with.
func (e *Engine) given(path string) ([]byte, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if text, ok := e.pending[path]; ok {
		return text, true
	}
	text, ok := e.texts[path]
	return text, ok
}
