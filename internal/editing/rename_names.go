package editing

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// adoptRename puts a proposed renaming of old to name into the plan as adopt does, without what would rename other names of the symbol.
func (e *Editor) adoptRename(plan *edit.Plan, p symbols.Proposal, old, name string, excluded func(path string) bool, into *adoption) error {
	w, err := edit.DecodeWorkspaceEdit(p.Edit)
	if err != nil {
		return &ImpossibleError{p.Server.Definition().ID, err}
	}
	for i := range w.Operations {
		e.keepOtherNames(&w.Operations[i], p.Server.EditCounting(), old, name)
	}
	w.Operations = slices.DeleteFunc(w.Operations, func(op edit.Operation) bool { return op.Kind == edit.EditText && len(op.Edits) == 0 })
	return e.adoptDecoded(plan, p.Server, w, excluded, into)
}

// keepOtherNames drops the edits of a script that replace another name by the new one. Of a symbol that is exported by another name
// (export { old as other }), servers for scripts that are not to give aliases rename other in the files that import it, and not where it
// is exported.
func (e *Editor) keepOtherNames(op *edit.Operation, counting protocol.Counting, old, name string) {
	path, err := op.URI.Path()
	if err != nil || op.Kind != edit.EditText || language.Of(path).Family != language.ScriptFamily {
		return
	}
	content, err := e.files.ReadFile(path)
	if err != nil {
		return // the plan says so
	}
	text := protocol.NewMapper(content).As(counting.Ends)
	op.Edits = slices.DeleteFunc(op.Edits, func(a edit.AnnotatedEdit) bool {
		from, to := text.Offset(a.Range.Start, counting.Encoding), text.Offset(a.Range.End, counting.Encoding)
		if a.NewText != name || from >= to {
			return false
		}
		was := text.Content()[from:to]
		return !symbols.Mentions(was, old) && !strings.EqualFold(strings.ReplaceAll(string(was), "-", ""), old) // as templates of Vue spell it
	})
}
