package editing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// renameFile moves a file with what names it. Where no server says that anything must follow, the file
// moves only if that breaks nothing, for half a rename is worse than none.
func (e *Editor) renameFile(ctx context.Context, req api.RenameRequest, excluded func(string) bool) (result.Edit, error) {
	if req.Selector != (api.Selector{File: req.File}) || req.File == "" {
		return result.Edit{}, &api.ArgumentError{Argument: "new_path", Reason: "it needs file, and no symbol in it", Advice: `for example {"file":"src/a.ts","new_path":"src/b.ts"}`}
	}
	moved, err := e.movement(req)
	if err != nil {
		return result.Edit{}, err
	}
	how, alone := req.Writing, false
	if how.Mode == "" || how.Mode == api.Apply {
		if alone = !e.followed(ctx, moved); alone {
			how.Mode = api.ApplyIfClean
		}
	}
	adopted := newAdoption()
	answer, err := e.write(ctx, how, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		ctx, cancel := e.drafting(ctx)
		defer cancel()
		var err error
		if moved, err = e.movement(req); err != nil {
			return nil, err
		}
		if err := e.followers(ctx, q, plan, moved, excluded, adopted); err != nil {
			return nil, err
		}
		if err := plan.Rename(moved.From, moved.To, edit.Existing{}); err != nil {
			return nil, err
		}
		return func(_ []edit.Change, applied bool) string {
			text := fmt.Sprintf("%s %s to %s", verb("Renamed", "renaming of", applied), e.names.Relative(moved.From), e.names.Relative(moved.To))
			if len(adopted.taken) > 0 {
				text += "; what names it: " + e.counted(adopted.taken)
			}
			return text + "."
		}, nil
	})
	if err != nil {
		return result.Edit{}, err
	}
	if alone && !answer.Applied {
		adopted.notes = append(adopted.notes, "no server says what must follow: make the renaming and what must follow it in one edit")
	}
	adopted.tell(e, &answer)
	return answer, nil
}

// followed reports whether a server says that something must follow when a file moves, or there is none.
func (e *Editor) followed(ctx context.Context, moved lsp.FileRename) bool {
	ctx, cancel := e.drafting(ctx)
	defer cancel()
	a := e.view.Access()
	defer a.Close()
	proposed, err := symbols.New(a).WillRenameFile(ctx, moved.From, moved.To)
	var unsupported *lsp.UnsupportedError
	if err != nil {
		return !errors.As(err, &unsupported)
	}
	if proposed.Edit == nil {
		return false
	}
	w, err := edit.DecodeWorkspaceEdit(proposed.Edit)
	return err != nil || len(w.Operations) > 0
}

// movement resolves the paths of a request. A new path that is a folder, or ends
// like one, keeps the name of the file.
func (e *Editor) movement(req api.RenameRequest) (lsp.FileRename, error) {
	from, err := e.names.Resolve(req.File)
	if err != nil {
		return lsp.FileRename{}, err
	}
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		return lsp.FileRename{}, &api.ArgumentError{
			Argument: "file", Reason: e.names.Relative(from) + " is a folder: what must follow when all in it moves, servers say of its files one by one",
			Advice: `rename its files; a new_path that ends with / keeps their names`,
		}
	}
	if _, err := e.read(from); err != nil {
		return lsp.FileRename{}, err
	}
	name := req.NewPath
	if strings.HasSuffix(filepath.ToSlash(name), "/") {
		name = filepath.Join(name, filepath.Base(from))
	}
	to, err := e.files.Resolve(name)
	if err != nil {
		return lsp.FileRename{}, err
	}
	if to == from {
		return lsp.FileRename{}, &api.ArgumentError{Argument: "new_path", Reason: "the file is there already", Advice: "give another path"}
	}
	return lsp.FileRename{From: from, To: to}, nil
}

// followers puts into the plan what is to change because a file moves. A server
// that knows nothing of that is named in a note.
func (e *Editor) followers(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan, moved lsp.FileRename, excluded func(string) bool, adopted *adoption) error {
	proposed, err := q.WillRenameFile(ctx, moved.From, moved.To)
	var unsupported *lsp.UnsupportedError
	var none *overlay.NoServerError
	switch {
	case errors.As(err, &none):
		return nil
	case errors.As(err, &unsupported):
		adopted.notes = append(adopted.notes, unsupported.Server+" does not say what must follow when a file moves: only the file is renamed, and only if that breaks nothing")
		return nil
	case err != nil:
		return err
	}
	if proposed.Edit != nil {
		if err := e.adopt(plan, proposed.Server, proposed.Edit, excluded, adopted); err != nil {
			return err
		}
	}
	return e.followInTexts(ctx, plan, moved, excluded, adopted)
}
