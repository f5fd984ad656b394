package hook

import (
	"path/filepath"
	"slices"
)

// An Event is what the payload of a hook says, whichever agent sent it.
type Event struct {
	Agent Agent
	// Name is the event in the agent's spelling.
	Name   string
	Moment Moment
	// Session is the agent's name for the conversation; "" if it says none.
	Session string
	// Dir is the folder that the agent works in, absolute; "" if it says none.
	Dir string
	// Edits are the files that tools name as changed, each once.
	Edits []Edit
	// Sweep says that any other file may have changed as well.
	Sweep bool
	// Aborted says that the person ended the turn.
	Aborted bool
}

// An Edit is a change of one file.
type Edit struct {
	// Path is absolute, or relative to the event's Dir.
	Path string
	// Before is the text before, nil if the payload does not have it whole.
	Before *string
	// Undo takes the change back, the last replacement first; nil if that is not known.
	Undo []Replacement
}

// A Replacement puts one text in the place of another, which has to occur once.
type Replacement struct {
	Old, New string
	// Lines says that both are whole lines.
	Lines bool
}

// path returns the absolute path of a name.
func (e *Event) path(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Dir, name)
	}
	return filepath.Clean(name)
}

// resolve follows the links in the folders of all paths, so that a file has one name.
func (e *Event) resolve() {
	if dir, err := filepath.EvalSymlinks(e.Dir); err == nil {
		e.Dir = dir
	}
	for i := range e.Edits {
		path := &e.Edits[i].Path
		if dir, err := filepath.EvalSymlinks(filepath.Dir(*path)); err == nil {
			*path = filepath.Join(dir, filepath.Base(*path))
		}
	}
}

// add adds an edit. Of several of one file the text before the first counts, and they are
// taken back from the last to the first.
func (e *Event) add(edit Edit) {
	if edit.Path == "" {
		return
	}
	edit.Path = e.path(edit.Path)
	i := slices.IndexFunc(e.Edits, func(known Edit) bool { return known.Path == edit.Path })
	if i < 0 {
		e.Edits = append(e.Edits, edit)
		return
	}
	known := &e.Edits[i]
	if known.Undo == nil || edit.Undo == nil {
		known.Undo = nil
		return
	}
	known.Undo = append(slices.Clip(edit.Undo), known.Undo...)
}
