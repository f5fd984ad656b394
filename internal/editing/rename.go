package editing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Rename renames a symbol, or moves a file, and updates everything that uses it.
func (e *Editor) Rename(ctx context.Context, req api.RenameRequest) (result.Edit, error) {
	excluded, err := e.excluded(req.ExcludeGlobs)
	if err != nil {
		return result.Edit{}, err
	}
	switch {
	case req.NewName != "" && req.NewPath != "":
		return result.Edit{}, &api.ArgumentError{Argument: "new_path", Reason: "it goes without new_name", Advice: "rename the symbol and the file one after the other"}
	case req.NewPath != "":
		return e.renameFile(ctx, req, excluded)
	case req.NewName == "":
		return result.Edit{}, &api.ArgumentError{Argument: "new_name", Reason: "it is missing; a string is needed", Advice: `for example new_name: "Fetch"`}
	}
	return e.renameSymbol(ctx, req, excluded)
}

// excluded returns whether a file is to be left alone: its path from the root, or
// that of a folder it is in, matches a glob.
func (e *Editor) excluded(globs []string) (func(path string) bool, error) {
	for i, glob := range globs {
		if glob == "" || !doublestar.ValidatePattern(glob) {
			return nil, &api.ArgumentError{Argument: fmt.Sprintf("exclude_globs[%d]", i), Reason: fmt.Sprintf("%q is no glob", glob), Advice: `for example "**/*_test.go" or "vendor"`}
		}
	}
	return func(file string) bool {
		for name := e.workspace.Relative(file); name != "." && name != "/" && name != ""; name = path.Dir(name) {
			for _, glob := range globs {
				if doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "./"), name) {
					return true
				}
			}
		}
		return false
	}, nil
}

func (e *Editor) renameSymbol(ctx context.Context, req api.RenameRequest, excluded func(string) bool) (result.Edit, error) {
	adopted := newAdoption()
	answer, err := e.write(ctx, req.Writing, func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error) {
		ctx, cancel := e.drafting(ctx)
		defer cancel()
		t, err := q.Resolve(ctx, restate.Selector(req.Selector))
		if err != nil {
			return nil, err
		}
		old, err := e.renameable(ctx, q, t)
		if err == nil {
			err = checkName(old, req.NewName)
		}
		if err != nil {
			return nil, err
		}
		t.Name = old
		uses, err := q.Uses(ctx, t, true)
		if err := lsp.UnlessUnsupported(err); err != nil {
			return nil, err
		}
		if err := checkReserved(q, uses.Places, t.Path, req.NewName); err != nil {
			return nil, err
		}
		proposed, err := q.Rename(ctx, t, req.NewName)
		if err != nil {
			return nil, err
		}
		if err := e.adoptRename(plan, proposed, old, req.NewName, excluded, adopted); err != nil {
			return nil, err
		}
		if err := e.listedUses(q, proposed.Server, uses, old, req.NewName, plan, excluded, adopted); err != nil {
			return nil, err
		}
		if err := e.further(ctx, q, uses, old, req.NewName, plan, excluded, adopted); err != nil {
			return nil, err
		}
		if err := e.missed(ctx, proposed, old, excluded, adopted); err != nil {
			return nil, err
		}
		e.leftInTemplates(plan, old, adopted)
		if len(adopted.taken) == 0 && len(adopted.left) > 0 {
			return nil, &api.ArgumentError{Argument: "exclude_globs", Reason: "they leave out all: " + e.counted(adopted.left), Advice: "leave some of the files in"}
		}
		return func(_ []edit.Change, applied bool) string {
			return fmt.Sprintf("%s %s to %s: %s.", verb("Renamed", "renaming of", applied), old, req.NewName, e.counted(adopted.taken))
		}, nil
	})
	if err != nil {
		return result.Edit{}, err
	}
	adopted.tell(e, &answer)
	return answer, nil
}

// renameable returns the name of what would be renamed at a target. What the
// server will not rename is an error.
func (e *Editor) renameable(ctx context.Context, q *symbols.Inquiry, t symbols.Target) (string, error) {
	prepared, err := q.PrepareRename(ctx, t)
	var unsupported *lsp.UnsupportedError
	switch {
	case errors.As(err, &unsupported): // it says so when it is asked to rename
		return t.Name, nil
	case err != nil:
		return "", err
	case prepared.Placeholder != "":
		return prepared.Placeholder, nil
	case prepared.Range == nil:
		return t.Name, nil
	}
	text, err := q.Text(t.Path)
	if err != nil {
		return "", err
	}
	return textOf(text, *prepared.Range), nil
}

// A HalfKnownError says that a rename would be incomplete: the server knows only open files, and
// others mention the name.
type HalfKnownError struct {
	Server, Name string
	// Missing is the file that the server would need, Files those that have the
	// name and are not open in it, as readers see them.
	Missing string
	Files   []string
}

func (e *HalfKnownError) Error() string {
	return fmt.Sprintf("%s knows only open files here, for there is no %s; %s also in: %s", e.Server, e.Missing, e.Name, strings.Join(e.Files, ", "))
}

// Hint says what to do.
func (e *HalfKnownError) Hint() string {
	return "make " + e.Missing + ", or leave those files out by exclude_globs and change them with edit"
}

// An UnrenamedError says that a symbol was not renamed, because no server renames these uses of it.
type UnrenamedError struct {
	Name string
	// Places are the uses, as readers see them.
	Places []string
}

func (e *UnrenamedError) Error() string {
	const most = 8
	places := e.Places
	if more := len(places) - most; more > 0 {
		places = append(places[:most:most], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s is not renamed: no server renames it in %s", e.Name, strings.Join(places, ", "))
}

// Hint says what to do.
func (e *UnrenamedError) Hint() string {
	return "leave those files out by exclude_globs, and change them with edit"
}

// listedUses puts into the plan the uses that a server lists and leaves out of its renames.
func (e *Editor) listedUses(q *symbols.Inquiry, s symbols.Server, uses symbols.Uses, old, name string, plan *edit.Plan, excluded func(string) bool, adopted *adoption) error {
	if !s.Definition().Has(registry.RenamesLess) {
		return nil
	}
	left := make(map[string][]edit.TextEdit)
	for _, p := range uses.Places {
		if adopted.taken[p.Path] > 0 || protocol.IsVirtual(p.Path) {
			continue
		}
		text, err := q.Text(p.Path)
		if err != nil {
			return err
		}
		said := textOf(text, p.Range)
		if said != old && !strings.HasSuffix(said, "."+old) { // it may be the full name
			continue
		}
		p.Range.Start = text.Position(text.Offset(p.Range.End, protocol.UTF16)-len(old), protocol.UTF16)
		if excluded(p.Path) {
			adopted.left[p.Path]++
			continue
		}
		left[p.Path] = append(left[p.Path], edit.TextEdit{Range: p.Range, NewText: name})
	}
	for _, path := range slices.Sorted(maps.Keys(left)) {
		if err := plan.Ranges(path, left[path], protocol.UTF16); err != nil {
			return err
		}
		adopted.taken[path] = len(left[path])
	}
	return nil
}

// further puts into the plan what servers propose elsewhere, as long as uses are in files without an edit: where the symbol is
// declared, because a server asked at a use may know of the declaring project only what the use needs; and at uses beyond that
// project. A rename that leaves the declaration as it is gives a name to an import, and the symbol keeps its own. Uses beyond
// that nobody renames are an *UnrenamedError.
func (e *Editor) further(ctx context.Context, q *symbols.Inquiry, uses symbols.Uses, old, name string, plan *edit.Plan, excluded func(string) bool, adopted *adoption) error {
	renamed := func(t symbols.Target) bool { return adopted.taken[t.Path] > 0 }
	declared := slices.DeleteFunc(slices.Clone(uses.Declared), func(t symbols.Target) bool { return !renamed(t) })
	if err := e.alsoAt(ctx, q, declared, uses.Places, old, name, plan, excluded, adopted); err != nil {
		return err
	}
	if err := e.alsoAt(ctx, q, uses.Twins, uses.Beyond, old, name, plan, excluded, adopted); err != nil {
		return err
	}
	if left := e.unrenamed(q, uses.Beyond, old, excluded, adopted); len(left) > 0 {
		return &UnrenamedError{old, left}
	}
	return nil
}

// alsoAt puts into the plan what servers propose at targets for files without an edit, until no use is in such a file.
func (e *Editor) alsoAt(ctx context.Context, q *symbols.Inquiry, targets []symbols.Target, uses []symbols.Place, old, name string, plan *edit.Plan, excluded func(string) bool, adopted *adoption) error {
	for _, t := range targets {
		if text, err := q.Text(t.Path); err != nil || textOf(text, nameAround(text, symbols.Target{At: t.At, Name: old})) != old {
			continue // it has another name there, which stays
		}
		if len(e.unrenamed(q, uses, old, excluded, adopted)) == 0 {
			return nil
		}
		proposed, err := q.Rename(ctx, t, name)
		if err != nil {
			continue // what it leaves is told
		}
		further := newAdoption()
		known := func(path string) bool { return excluded(path) || adopted.taken[path] > 0 }
		if err := e.adoptRename(plan, proposed, old, name, known, further); err != nil {
			return err
		}
		for _, c := range plan.Changes() {
			if further.taken[c.Path] > 0 && aliases(c, old, name) {
				return &UnrenamedError{old, []string{e.names.Relative(c.Path)}}
			}
		}
		maps.Copy(adopted.taken, further.taken)
		adopted.notes = append(adopted.notes, further.notes...)
	}
	return nil
}

// aliases reports whether a change gives an import of the old name the new one beside it: once the declaration has the new name,
// nothing is found by the old one.
func aliases(c edit.Change, old, name string) bool {
	alias := regexp.MustCompile(`\b` + regexp.QuoteMeta(old) + `\s+as\s+` + regexp.QuoteMeta(name) + `\b`)
	return len(alias.FindAll(c.After, -1)) > len(alias.FindAll(c.Before, -1))
}

// unrenamed returns those of the uses by a name that are in files without an edit, as readers see them.
func (e *Editor) unrenamed(q *symbols.Inquiry, uses []symbols.Place, name string, excluded func(string) bool, adopted *adoption) (places []string) {
	for _, p := range uses {
		if excluded(p.Path) || adopted.taken[p.Path] > 0 {
			continue
		}
		if text, err := q.Text(p.Path); err != nil || textOf(text, p.Range) == name {
			places = append(places, e.names.At(p.Path, p.Range.Start))
		}
	}
	return places
}

// maxSearched bounds the files that are looked through for a name; more would cost
// more than what it tells.
const maxSearched = 3000

// missed looks for files of the server's languages that have the old name and are
// left as they are: the name of something else, or a place that the server does
// not know, as it does not all files that others build. They are noted; where it
// knows only open files, they are a *HalfKnownError.
func (e *Editor) missed(ctx context.Context, p symbols.Proposal, name string, excluded func(string) bool, adopted *adoption) error {
	const most = 8
	paths, err := e.workspace.Files(ctx)
	if err != nil {
		return err
	}
	var found, unknown []string
	for _, file := range paths[:min(maxSearched, len(paths))] {
		if err := ctx.Err(); err != nil {
			return err // nothing is written that is not known to be all
		}
		_, ours := p.Server.Definition().LanguageID(file)
		if !ours || adopted.taken[file] > 0 || excluded(file) {
			continue
		}
		if text, err := e.read(file); err != nil || !symbols.Mentions(text, name) {
			continue
		}
		found = append(found, e.names.Relative(file))
		if _, _, open := p.Server.Document(file); !open {
			unknown = append(unknown, e.names.Relative(file))
		}
	}
	first := func(names []string) []string {
		if more := len(names) - most; more > 0 {
			return append(names[:most:most], fmt.Sprintf("%d more", more))
		}
		return names
	}
	switch {
	case len(unknown) > 0 && p.Missing != "":
		return &HalfKnownError{p.Server.Definition().ID, name, p.Missing, first(unknown)}
	case len(found) > 0 && len(adopted.taken) > 1: // else it is private to its file
		adopted.notes = append(adopted.notes, fmt.Sprintf("%s stands also in files that %s leaves as they are: %s", name, p.Server.Definition().ID, strings.Join(first(found), ", ")))
	}
	return nil
}

// leftInTemplates notes the changed components whose code has the old name still: what a template uses, a server knows only with
// the types of the framework.
func (e *Editor) leftInTemplates(plan *edit.Plan, name string, adopted *adoption) {
	var left []string
	for _, c := range plan.Changes() {
		if c.Deleted || !slices.ContainsFunc(registry.ComponentPlugins(), func(p registry.Plugin) bool { return strings.HasSuffix(c.Path, p.Ending) }) {
			continue
		}
		text := protocol.NewMapper(c.After)
		names := symbols.CodeNames(c.Path, text, symbols.LineRange(text, 0, text.Lines()-1))
		if i := slices.IndexFunc(names, func(n symbols.CodeName) bool { return n.Text == name }); i >= 0 {
			left = append(left, e.names.At(c.Path, names[i].At))
		}
	}
	if len(left) > 0 {
		adopted.notes = append(adopted.notes, fmt.Sprintf("%s stands still in %s: look whether it is meant there", name, strings.Join(left, ", ")))
	}
}

// textOf returns what stands in a range.
func textOf(text *protocol.Mapper, r protocol.Range) string {
	from, to := text.Offset(r.Start, protocol.UTF16), text.Offset(r.End, protocol.UTF16)
	return string(text.Content()[from:max(from, to)])
}

// checkName refuses a name that cannot stand where the old one does. What may
// stand for a name that is no plain identifier, its language knows.
func checkName(old, name string) error {
	const advice = `for example new_name: "Fetch"`
	if name == old {
		return &api.ArgumentError{Argument: "new_name", Reason: fmt.Sprintf("it is called %s already", old), Advice: "give another name"}
	}
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			return &api.ArgumentError{Argument: "new_name", Reason: fmt.Sprintf("%q is no identifier: it has a blank", name), Advice: advice}
		case unicode.IsControl(r):
			return &api.ArgumentError{Argument: "new_name", Reason: fmt.Sprintf("%q is no identifier: it has a control character", name), Advice: advice}
		case symbols.IsName(old) && !symbols.IsName("_"+string(r)):
			return &api.ArgumentError{Argument: "new_name", Reason: fmt.Sprintf("%q is no identifier: it has %q", name, r), Advice: advice}
		}
	}
	if symbols.IsName(old) && !symbols.IsName(name) {
		return &api.ArgumentError{Argument: "new_name", Reason: fmt.Sprintf("%q is no identifier: it begins with a digit", name), Advice: advice}
	}
	return nil
}

// checkReserved refuses a word that no declaration of the language can have as its name, unless the uses show that it is a member, and the
// language allows that.
func checkReserved(q *symbols.Inquiry, uses []symbols.Place, path, name string) error {
	in := language.Of(path)
	if !in.Reserved.Has(name) {
		return nil
	}
	for _, use := range uses {
		text, err := q.Text(use.Path)
		if err != nil || !in.FreeMembers {
			continue
		}
		if at := text.Offset(use.Range.Start, protocol.UTF16); at > 0 && text.Content()[at-1] == '.' {
			return nil
		}
	}
	return &api.ArgumentError{Argument: "new_name", Reason: fmt.Sprintf("%q is a word of the language", name), Advice: "give a name that a declaration can have"}
}

// PrepareRename returns what would be renamed at a place, and its present name.
func (e *Editor) PrepareRename(ctx context.Context, req api.PrepareRenameRequest) (result.PreparedRename, error) {
	head := func(p *result.PreparedRename) *result.Head { return &p.Head }
	return overlay.Ask(ctx, e.view, req.Limits, head, func(ctx context.Context, q *symbols.Inquiry) (result.PreparedRename, error) {
		t, err := q.Resolve(ctx, restate.Selector(req.Selector))
		if err != nil {
			return result.PreparedRename{}, err
		}
		text, err := q.Text(t.Path)
		if err != nil {
			return result.PreparedRename{}, err
		}
		r, answer := nameAround(text, t), result.PreparedRename{Path: e.names.Relative(t.Path), Placeholder: t.Name}
		prepared, err := q.PrepareRename(ctx, t)
		var unsupported *lsp.UnsupportedError
		switch {
		case errors.As(err, &unsupported):
			if err := q.CanRename(ctx, t.Path); err != nil {
				return result.PreparedRename{}, err
			}
			answer.Notes = append(answer.Notes, unsupported.Server+" cannot say before; it may refuse the rename itself")
		case err != nil:
			return result.PreparedRename{}, err
		case prepared.Range != nil:
			r = *prepared.Range
			answer.Placeholder = textOf(text, r)
		}
		if prepared.Placeholder != "" {
			answer.Placeholder = prepared.Placeholder
		}
		answer.Line, answer.Column = r.Start.Line+1, r.Start.Character+1
		answer.EndLine, answer.EndColumn = r.End.Line+1, r.End.Character+1
		answer.Next = fmt.Sprintf("rename at %s:%d:%d with new_name", answer.Path, answer.Line, answer.Column)
		return answer, nil
	})
}

// nameAround returns the range of the identifier at a target.
func nameAround(text *protocol.Mapper, t symbols.Target) protocol.Range {
	start := text.Offset(t.At, protocol.UTF16)
	start -= len(restate.Beginning(text, t.At))
	return protocol.Range{Start: text.Position(start, protocol.UTF16), End: text.Position(start+len(t.Name), protocol.UTF16)}
}
