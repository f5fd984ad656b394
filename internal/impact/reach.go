package impact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/impact/imports"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// A Change is a file that is about to be edited. Before is nil for a new file, After for one that
// is deleted.
type Change struct {
	// Path is absolute.
	Path          string
	Before, After []byte
}

// A Reach is what an edit may break in other files. It must be found before the servers see the
// edit: who uses a symbol can only be asked while the symbol exists.
type Reach struct {
	changed map[string]bool
	// files are those that use what the edit changes for certain, or may do so by
	// way of others. hops says of the latter by way of how many.
	files map[string]bool
	hops  map[string]int
	texts Texts
	// inferred are functions whose body alone changes: their users are concerned
	// if their type turns out to be another.
	inferred []inferredUse
	// Notes say what was left out because it was too much, Unknown what could not be
	// found out.
	Notes, Unknown []string
	// Mute are the changed files whose server does not say what they declare, so that
	// nobody can be asked who uses it.
	Mute []string
	// Unproven says that the texts alone do not prove that nobody else is concerned.
	Unproven bool
}

type inferredUse struct {
	path, name string
	hover      string
	files      map[string]bool
}

// touched returns the symbols whose users are to be asked for because of a change, and
// what it may concern by way of others.
func (r *Reach) touched(ctx context.Context, q *symbols.Inquiry, c Change) ([]touch, imports.Change) {
	d := r.texts.between(c)
	spread := imports.Change{Path: c.Path, Before: c.Before, After: c.After, Names: slices.Concat(d.Sure, d.Inferred), All: d.All}
	if c.Before == nil || imports.Knows(c.Path) && d.IsNothing() || imports.Configures(c.Path) || imports.IsData(c.Path) {
		return nil, spread
	}
	outline, err := q.Outline(ctx, c.Path)
	var unsupported *lsp.UnsupportedError
	switch {
	case err != nil && r.seesText(c.Path): // it shows no less than references do
		return nil, spread
	case errors.As(err, &unsupported):
		r.Mute = append(r.Mute, c.Path)
		return nil, spread
	case err != nil:
		r.unknown("what %s reaches is not known: %v", filepath.Base(c.Path), err)
		return nil, spread
	}
	here := touches(c, outline, protocol.NewMapper(protocol.Text(c.Before)))
	if imports.Knows(c.Path) {
		here = slices.DeleteFunc(here, func(t touch) bool { return d.Keeps(t.names()[0]) })
	}
	spread.Names = slices.Clone(d.Sure)
	for _, name := range d.Inferred {
		if !slices.ContainsFunc(here, func(t touch) bool { return t.inferred && t.names()[0] == name }) {
			spread.Names = append(spread.Names, name)
		}
	}
	for _, t := range here {
		if !t.inferred {
			spread.Names = append(spread.Names, t.names()...)
		}
	}
	return here, spread
}

func newReach(texts Texts, changes []Change) *Reach {
	r := &Reach{changed: make(map[string]bool), files: make(map[string]bool), hops: make(map[string]int), texts: texts}
	for _, c := range changes {
		r.changed[c.Path] = true
	}
	return r
}

// maxTouched bounds the symbols of one edit whose uses are looked for.
const maxTouched = 100

// FindUsers finds out what changes affect: who uses the symbols that they touch, as the servers
// say, and who depends on those, as far as the texts show. Every server must still have the texts
// from before the changes. What could not be found out is in the notes; the error is that of ctx.
func FindUsers(ctx context.Context, q *symbols.Inquiry, texts Texts, changes []Change) (*Reach, error) {
	r := newReach(texts, changes)
	var all []touch
	var spreads []imports.Change
	for _, c := range changes {
		here, spread := r.touched(ctx, q, c)
		all = append(all, here...)
		spreads = append(spreads, spread)
	}
	if len(all) > maxTouched { // texts show who uses most of them
		all = slices.DeleteFunc(all, func(t touch) bool { return !t.inferred && r.seesText(t.target.Path) })
	}
	if len(all) > maxTouched {
		r.note("only the first %d of the %d symbols that the edit touches were followed", maxTouched, len(all))
		all = all[:maxTouched]
	}
	found := make([]use, len(all))
	slots := make(chan struct{}, atOnce)
	var asked guard.Group
	asked.Go(func() { r.spread(spreads) }) // beside the questions, which read nothing of what it finds
	for i, t := range all {
		slots <- struct{}{}
		asked.Go(func() {
			defer func() { <-slots }()
			found[i] = r.uses(ctx, q, t)
		})
	}
	asked.Wait()
	for i, t := range all {
		switch f := found[i]; {
		case f.err != nil && r.seesText(t.target.Path): // which shows no less
			maps.Copy(r.files, f.files)
		case f.err != nil:
			r.unknown("who uses %s is not known: %v", t.target.Name, f.err)
		case t.inferred:
			if f.cut {
				r.note("who is concerned by another type of %s is not known for all of too many files", t.target.Name)
			}
			r.inferred = append(r.inferred, inferredUse{t.target.Path, t.name, f.hover, f.files})
		default:
			maps.Copy(r.files, f.files)
		}
	}
	return r, ctx.Err()
}

func (r *Reach) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *Reach) unknown(format string, args ...any) {
	r.Unknown = append(r.Unknown, fmt.Sprintf(format, args...))
}

// A use is who uses a touched symbol.
type use struct {
	files map[string]bool
	hover string
	cut   bool // not all of files were found
	err   error
}

// uses asks for the files that use a symbol.
func (r *Reach) uses(ctx context.Context, q *symbols.Inquiry, t touch) use {
	u := use{files: make(map[string]bool)}
	var places []symbols.Place
	var err error
	if !r.texts.alone || !r.seesText(t.target.Path) {
		places, err = q.References(ctx, t.target, false)
	}
	if u.err = err; err != nil && !(t.inferred && r.seesText(t.target.Path)) {
		return u
	}
	for _, p := range places {
		if r.changed[p.Path] || protocol.IsVirtual(p.Path) || t.derives && !derivesAt(q, p) {
			continue
		}
		u.files[p.Path] = true
	}
	if t.inferred {
		files, complete := r.byInference(t)
		maps.Copy(u.files, files)
		u.cut = !complete
	}
	if len(u.files) > 0 && t.inferred && u.err == nil {
		u.hover, u.err = hoverText(ctx, q, t.target)
	}
	return u
}

// seesText reports whether the users of a file are found by text.
func (r *Reach) seesText(path string) bool { return r.texts.search != nil && imports.Knows(path) }

// derivesAt reports whether a line looks as if it derived a type from another.
func derivesAt(q *symbols.Inquiry, p symbols.Place) bool {
	text, err := q.Text(p.Path)
	return err != nil || deriving.Match(text.Line(int(p.Range.Start.Line)))
}

func hoverText(ctx context.Context, q *symbols.Inquiry, t symbols.Target) (string, error) {
	h, err := q.Hover(ctx, t)
	return h.Text, err
}

// Files returns the files that certainly use what the edit changes, or may be affected by way of
// others. Files that use it themselves come first; among those, the ones in folders of changed
// files; then by path.
func (r *Reach) Files() []string { return r.nearest(r.files) }

// Possible returns the further files that are affected if the inferred type of a function turns
// out to have changed.
func (r *Reach) Possible() []string {
	files := make(map[string]bool)
	for _, i := range r.inferred {
		maps.Copy(files, i.files)
	}
	return r.nearest(r.without(files))
}

// Inferred asks the servers, which now know the edit, for functions whose inferred type has
// changed, and returns the files that use them and are not among Files.
func (r *Reach) Inferred(ctx context.Context, q *symbols.Inquiry) []string {
	files := make(map[string]bool)
	for _, i := range r.inferred {
		if len(i.files) == 0 {
			continue
		}
		now, err := hoverOf(ctx, q, i.path, i.name)
		if err != nil || now != i.hover || shortened.MatchString(now) {
			maps.Copy(files, i.files)
		}
	}
	return r.nearest(r.without(files))
}

// shortened is a type of which a server leaves out a part.
var shortened = lazyregexp.New(`\.\.\.([^\pL_$(\[]|$)|…`)

func (r *Reach) without(files map[string]bool) map[string]bool {
	maps.DeleteFunc(files, func(path string, _ bool) bool { return r.files[path] })
	return files
}

// hoverOf returns what the server says of a symbol named by its path; nothing if
// it is gone.
func hoverOf(ctx context.Context, q *symbols.Inquiry, path, name string) (string, error) {
	outline, err := q.Outline(ctx, path)
	if err != nil {
		return "", err
	}
	for _, s := range outline.All() {
		if strings.Join(s.Path, ".") == name {
			return hoverText(ctx, q, symbols.Target{Path: path, At: s.Selection.Start, Name: s.Name, Symbol: s})
		}
	}
	return "", nil
}

// nearest sorts files by how near they are to the changed ones, then by path.
func (r *Reach) nearest(files map[string]bool) []string {
	folders := make(map[string]bool)
	for path := range r.changed {
		folders[filepath.Dir(path)] = true
	}
	far := func(path string) int {
		if folders[filepath.Dir(path)] {
			return 0
		}
		return 1
	}
	return slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.hops[a], r.hops[b]), cmp.Compare(far(a), far(b)), cmp.Compare(a, b))
	})
}
