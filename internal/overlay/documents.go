package overlay

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/result"
)

// Open opens a file in its server, with a text of the caller's own if the request has one:
// that text counts instead of the disk's until the file is closed.
func (v *View) Open(ctx context.Context, req api.OpenRequest) (_ result.Done, err error) {
	path, err := v.names.Resolve(req.File)
	if err != nil {
		return result.Done{}, err
	}
	if req.Text != nil {
		if err := v.texts.opts.Workspace.Diagnosable(path, []byte(*req.Text)); err != nil {
			return result.Done{}, err
		}
		before, given := v.texts.Given(path)
		v.texts.give(path, []byte(*req.Text))
		defer func() {
			switch {
			case err == nil:
			case given:
				v.texts.give(path, before)
			default:
				v.texts.takeBack(path)
			}
		}()
	}
	ctx, cancel := call.Within(ctx, v.texts.opts.Settings.RequestTimeout)
	defer cancel()
	if err := v.texts.opts.Workspace.Remember(ctx); err != nil {
		return result.Done{}, err
	}
	s, err := v.Access().Open(ctx, path, "")
	if err != nil {
		return result.Done{}, err
	}
	return result.Done{Path: v.names.Relative(path), Done: "open in " + s.Definition().ID}, nil
}

// Close closes a file in its servers, and drops the text that it was opened with.
func (v *View) Close(_ context.Context, req api.FileRequest) (result.Done, error) {
	path, err := v.names.Resolve(req.File)
	if err != nil {
		return result.Done{}, err
	}
	v.texts.takeBack(path)
	was, err := v.texts.opts.Workspace.CloseDocument(path)
	v.texts.told()
	if err != nil {
		return result.Done{}, err
	}
	done := result.Done{Path: v.names.Relative(path), Done: "closed"}
	if !was {
		done.Done = "was not open"
	}
	return done, nil
}
