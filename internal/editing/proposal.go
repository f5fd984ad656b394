package editing

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A MovedOnError says that a server proposed an edit for another text than the one on disk, so
// that its positions cannot be trusted.
type MovedOnError struct {
	Server, Path string
}

func (e *MovedOnError) Error() string {
	return fmt.Sprintf("%s: the edit of %s is for another text than the one on disk", e.Path, e.Server)
}

// Hint says what to do.
func (e *MovedOnError) Hint() string { return "nothing was changed; ask again" }

// An ImpossibleError says that the edit which a server proposed cannot be made. Nothing of it is
// made, as a part alone would do harm. Err is an error of package edit.
type ImpossibleError struct {
	Server string
	Err    error
}

func (e *ImpossibleError) Error() string {
	return fmt.Sprintf("what %s proposes cannot be made: %v", e.Server, e.Err)
}

func (e *ImpossibleError) Unwrap() error { return e.Err }

// Hint says what that means.
func (e *ImpossibleError) Hint() string {
	var outside *edit.OutsideError
	if errors.As(e.Err, &outside) {
		return "nothing was changed: the symbol belongs to code outside the workspace"
	}
	return "nothing was changed; change it with edit"
}

// A LinesError says that an edit of a file by what a server says of its places cannot be made, because of
// a character in the file on which programs disagree whether it ends a line.
type LinesError struct {
	Server, Path string
	End          rune
	// Known says that it is known how the server counts lines, and that its edits are wrong nevertheless.
	Known bool
}

func (e *LinesError) Error() string {
	if e.Known {
		return fmt.Sprintf("%s has %s, with which %s proposes edits in wrong places", e.Path, protocol.EndName(e.End), e.Server)
	}
	return fmt.Sprintf("%s has %s, and it is not known whether that ends a line for %s: an edit could be in wrong places", e.Path, protocol.EndName(e.End), e.Server)
}

// Hint says what to do.
func (e *LinesError) Hint() string {
	return "nothing was changed; change the file by its text with edit, or first replace that character"
}

// placeable fails if nobody can tell which places of a file a server's edits are for.
func (e *Editor) placeable(s symbols.Server, path string, text []byte) error {
	d := s.Definition()
	if end := lsp.DoubtfulEdits(d, text); end != 0 {
		return &LinesError{d.ID, e.names.Relative(path), end, d.Lines != nil}
	}
	return nil
}

// An adoption is what a plan took over of what servers proposed, and what it did
// not: places and file operations, by path.
type adoption struct {
	taken, left map[string]int
	notes       []string
}

func newAdoption() *adoption { return &adoption{taken: map[string]int{}, left: map[string]int{}} }

// adopt puts a server's WorkspaceEdit, as it came, into the plan, without what is
// excluded (nil: nothing is). Whatever else cannot be made is an error: nothing is
// silently dropped.
func (e *Editor) adopt(plan *edit.Plan, s symbols.Server, raw json.RawMessage, excluded func(path string) bool, into *adoption) error {
	w, err := edit.DecodeWorkspaceEdit(raw)
	if err != nil {
		return &ImpossibleError{s.Definition().ID, err}
	}
	return e.adoptDecoded(plan, s, w, excluded, into)
}

// adoptDecoded is adopt for an edit that is decoded.
func (e *Editor) adoptDecoded(plan *edit.Plan, s symbols.Server, w edit.WorkspaceEdit, excluded func(path string) bool, into *adoption) error {
	kept := w.Operations[:0]
	for _, op := range w.Operations {
		path, err := op.URI.Path()
		if err != nil {
			return &ImpossibleError{s.Definition().ID, err}
		}
		weight := 1
		if op.Kind == edit.EditText {
			weight = distinct(op.Edits)
		}
		if excluded != nil && excluded(path) {
			into.left[path] += weight
			continue
		}
		if err := e.current(s, path, op); err != nil {
			return err
		}
		if op.Kind == edit.EditText {
			into.taken[path] += weight
		}
		kept = append(kept, op)
	}
	w.Operations = kept
	into.annotate(w)
	if err := plan.Workspace(w, s.EditCounting()); err != nil {
		return &ImpossibleError{s.Definition().ID, err}
	}
	return nil
}

// distinct counts edits; one that comes twice is one.
func distinct(edits []edit.AnnotatedEdit) int {
	seen := make(map[edit.TextEdit]bool)
	for _, e := range edits {
		seen[e.TextEdit] = true
	}
	return len(seen)
}

// current fails unless the text that a server edits is the one on disk, and the places are known.
func (e *Editor) current(s symbols.Server, path string, op edit.Operation) error {
	if op.Kind != edit.EditText {
		return nil
	}
	disk, err := e.files.ReadFile(path)
	if err != nil {
		return nil // the plan says so
	}
	if err := e.placeable(s, path, disk); err != nil {
		return err
	}
	version, text, open := s.Document(path)
	if !open {
		return nil // it reads the disk
	}
	if string(protocol.Text(disk)) != string(text) || op.Version != nil && *op.Version != int64(version) {
		return &MovedOnError{s.Definition().ID, e.names.Relative(path)}
	}
	return nil
}

// annotate notes what a server wants people to confirm.
func (a *adoption) annotate(w edit.WorkspaceEdit) {
	for _, id := range slices.Sorted(maps.Keys(w.Annotations)) {
		if n := w.Annotations[id]; n.NeedsConfirmation {
			a.notes = append(a.notes, strings.TrimSpace("the server wants this confirmed: "+n.Label+" "+n.Description))
		}
	}
}

// counted says of places by path how many they are, and of the first files how
// many are in each.
func (e *Editor) counted(byPath map[string]int) string {
	const most = 8
	total := 0
	var names []string
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		total += byPath[path]
		names = append(names, fmt.Sprintf("%s %d", e.names.Relative(path), byPath[path]))
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s in %s (%s)", several(total, "place"), several(len(byPath), "file"), strings.Join(names, ", "))
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tell puts the counts of places and the notes into a result.
func (a *adoption) tell(e *Editor, result *result.Edit) {
	for i := range result.Changes {
		c := &result.Changes[i]
		for path, n := range a.taken {
			if shown := e.names.Relative(path); shown == c.Path || shown == c.From {
				c.Replacements = n
			}
		}
	}
	if len(a.left) > 0 {
		a.notes = append(a.notes, "left out by exclude_globs: "+e.counted(a.left))
	}
	result.Notes = append(result.Notes, a.notes...)
}
