package editing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// renameFile moves a file, or a folder with all in it, with what names it. Where a server does not say that anything must follow, it
// moves only if that breaks nothing, for half a rename is worse than none.
func (e *Editor) renameFile(ctx context.Context, req api.RenameRequest, excluded func(string) bool) (result.Edit, error) {
	if req.Selector != (api.Selector{File: req.File}) || req.File == "" {
		return result.Edit{}, &api.ArgumentError{Argument: "new_path", Reason: "it needs file, and no symbol in it", Advice: `for example {"file":"src/a.ts","new_path":"src/b.ts"}`}
	}
	m, err := e.movement(ctx, req)
	if err != nil {
		return result.Edit{}, err
	}
	how, alone := req.Writing, false
	if how.Mode == "" || how.Mode == api.Apply {
		if alone = !e.followed(ctx, m); alone {
			how.Mode = api.ApplyIfClean
		}
	}
	adopted := newAdoption()
	answer, err := e.write(ctx, how, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		ctx, cancel := e.drafting(ctx)
		defer cancel()
		var err error
		if m, err = e.movement(ctx, req); err != nil {
			return nil, err
		}
		if err := e.followers(ctx, q, plan, m, excluded, adopted); err != nil {
			return nil, err
		}
		if err := plan.Rename(m.From, m.To, edit.Existing{}); err != nil {
			return nil, err
		}
		return func(_ []edit.Change, applied bool) string {
			text := fmt.Sprintf("%s %s to %s", verb("Renamed", "renaming of", applied), e.names.Relative(m.From), e.names.Relative(m.To))
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

// followed reports whether each server that was asked says that something must follow a movement, or there is none to ask.
func (e *Editor) followed(ctx context.Context, m movement) bool {
	ctx, cancel := e.drafting(ctx)
	defer cancel()
	a := e.view.Access()
	defer a.Close()
	q := symbols.New(a)
	return len(m.lacks) == 0 && !slices.ContainsFunc(m.asked, func(path string) bool {
		proposed, err := q.WillRenameFile(ctx, path, m.FileRename)
		var unsupported *lsp.UnsupportedError
		if err != nil {
			return errors.As(err, &unsupported)
		}
		if proposed.Edit == nil {
			return true
		}
		w, err := edit.DecodeWorkspaceEdit(proposed.Edit)
		return err == nil && len(w.Operations) == 0
	})
}

// A movement is a file that moves, or a folder with all in it.
type movement struct {
	lsp.FileRename
	// asked are the files by which servers are asked what must follow: the file, and of a folder one for each server.
	asked []string
	// lacks are the servers of files in a folder that cannot be had, and so are not asked.
	lacks []string
	// scripts says that it is a script, or has some; code that it has Go code.
	scripts, code bool
}

// after returns where a path leads when all has moved.
func (m *movement) after(path string) string {
	if path == m.From {
		return m.To
	}
	if m.Folder && fspath.Below(m.From, path) {
		return m.To + strings.TrimPrefix(path, m.From)
	}
	return path
}

// movement resolves the paths of a request. A new path that ends like that of a folder keeps the name of the file. It finds out
// what moves, and who is to be asked what must follow.
func (e *Editor) movement(ctx context.Context, req api.RenameRequest) (movement, error) {
	from, err := e.names.Resolve(req.File)
	if err != nil {
		return movement{}, err
	}
	if info, err := os.Lstat(e.named(req.File)); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return movement{}, &api.ArgumentError{
			Argument: "file", Reason: req.File + " is a link: what it leads to would move, and it would lead nowhere", Advice: "name " + e.names.Relative(from),
		}
	}
	m := movement{FileRename: lsp.FileRename{From: from}}
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		m.Folder = true
	} else if _, err := e.read(from); err != nil {
		return movement{}, err
	}
	name := req.NewPath
	if strings.HasSuffix(filepath.ToSlash(name), "/") && !m.Folder {
		name = filepath.Join(name, filepath.Base(from))
	}
	if m.To, err = e.files.Resolve(name); err != nil {
		return movement{}, err
	}
	if m.To == from {
		return movement{}, &api.ArgumentError{Argument: "new_path", Reason: "it is there already", Advice: "give another path"}
	}
	return m, e.moving(ctx, &m)
}

// named returns the absolute path that a caller wrote, with its links.
func (e *Editor) named(file string) string {
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.names.Base(), path)
	}
	return path
}

// moving finds out what moves, and who is to be asked.
func (e *Editor) moving(ctx context.Context, m *movement) error {
	files := []string{m.From}
	if m.Folder {
		all, err := e.workspace.Files(ctx)
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(slices.Clone(all), func(file string) bool { return !fspath.Below(m.From, file) })
	}
	detection, asked := e.workspace.Detection(), make(map[string]bool)
	for _, file := range files {
		family := language.Of(file).Family
		m.scripts = m.scripts || family == language.ScriptFamily
		m.code = m.code || language.Of(file).ID == language.Go
		if !m.Folder {
			m.asked = files
			continue
		}
		for _, c := range detection.Candidates(file) {
			switch {
			case c.Definition.Role != registry.Primary || asked[c.Definition.ID]:
				continue
			case c.Unavailable != nil:
				m.lacks = append(m.lacks, c.Definition.ID)
			default:
				m.asked = append(m.asked, file)
			}
			asked[c.Definition.ID] = true
		}
	}
	return nil
}

// followers puts into the plan what is to change because of a movement. A server
// that knows nothing of that is named in a note.
func (e *Editor) followers(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan, m movement, excluded func(string) bool, adopted *adoption) error {
	if len(m.lacks) > 0 {
		adopted.notes = append(adopted.notes, strings.Join(m.lacks, ", ")+" cannot be had to say what must follow: the folder moves only if that breaks nothing")
	}
	for _, path := range m.asked {
		proposed, err := q.WillRenameFile(ctx, path, m.FileRename)
		var unsupported *lsp.UnsupportedError
		var none *overlay.NoServerError
		switch {
		case errors.As(err, &none):
			continue
		case errors.As(err, &unsupported):
			adopted.notes = append(adopted.notes, unsupported.Server+" does not say what must follow when "+m.what()+" moves: only "+m.onlyMoves()+", and only if that breaks nothing")
			continue
		case err != nil:
			return err
		}
		if proposed.Edit != nil {
			if err := e.adopt(plan, proposed.Server, proposed.Edit, excluded, adopted); err != nil {
				return err
			}
		}
	}
	if err := e.keepRelative(plan, adopted); err != nil {
		return err
	}
	return e.followInTexts(ctx, plan, m, excluded, adopted)
}

func (m *movement) what() string {
	if m.Folder {
		return "a folder"
	}
	return "a file"
}

// onlyMoves says what is done where the server does not say what must follow.
func (m *movement) onlyMoves() string {
	switch {
	case m.code && m.Folder:
		return "the folder and imports of its packages are renamed"
	case m.Folder:
		return "the folder is renamed"
	}
	return "the file is renamed"
}
