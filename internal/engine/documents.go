package engine

import (
	"context"

	"github.com/lspine/lspine/internal/result"
)

// An OpenRequest opens a document, perhaps with a text that is not on disk.
type OpenRequest struct {
	File string `json:"file" jsonschema:"path"`
	// Text counts instead of the disk until the document is closed.
	Text *string `json:"text,omitempty" jsonschema:"text that counts instead of the disk until close"`
}

// Open makes a text count instead of the disk.
var Open = Op[OpenRequest, result.Done]{
	Name:  "open",
	Title: "Open document",
	Doc:   "Open a document in its server; a given text counts instead of the disk until it is closed.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req OpenRequest) (_ result.Done, err error) {
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
	},
}

// Close makes the disk count again.
var Close = Op[FileRequest, result.Done]{
	Name:  "close",
	Title: "Close document",
	Doc:   "Close a document; the disk counts again.",
	Class: Read,
	run: func(_ context.Context, e *Engine, req FileRequest) (result.Done, error) {
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
	},
}

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
