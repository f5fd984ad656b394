package hook

import (
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/fspath"
)

// An Event is the content of a hook's payload, regardless of the agent.
type Event struct {
	Agent Agent
	// Name is the event in the agent's spelling.
	Name   string
	Moment Moment
	// Session is the agent's id of the conversation, "" if it sends none.
	Session string
	// Dir is the absolute path of the agent's working folder, "" if it sends none.
	Dir string
	// Edits are the files that tools report as changed, each once.
	Edits []Edit
	// Sweep reports that any other file may have changed too.
	Sweep bool
	// Aborted reports that the user stopped the turn.
	Aborted bool
}

// An Edit is a change of one file.
type Edit struct {
	// Path is absolute, or relative to the event's Dir.
	Path string
	// Before is the whole text before the change, nil if the payload does not include it.
	Before *string
	// Undo has the replacements that undo the change, to be made in this order; nil if they are
	// unknown.
	Undo []Replacement
}

// A Replacement replaces Old, which must occur exactly once, by New.
type Replacement struct {
	Old, New string
	// Lines reports that both are whole lines.
	Lines bool
}

// path returns the absolute path of a name.
func (e *Event) path(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Dir, name)
	}
	return fspath.Here.Clean(name)
}

// resolve resolves symbolic links in all paths, so that each file has one name.
func (e *Event) resolve() {
	if dir, err := fspath.Real(e.Dir); err == nil {
		e.Dir = dir
	}
	for i := range e.Edits {
		path := &e.Edits[i].Path
		if dir, err := fspath.Real(filepath.Dir(*path)); err == nil {
			*path = filepath.Join(dir, filepath.Base(*path))
		}
	}
}

// addEdit adds an edit. It joins several edits of a file: Before is that of the first, and Undo undoes
// the last one first.
func (e *Event) addEdit(edit Edit) {
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
