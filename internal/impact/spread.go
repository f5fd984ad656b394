package impact

import (
	"path/filepath"

	"github.com/lspine/lspine/internal/impact/imports"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/symbols"
)

// An Absent thing is one whose type nobody knows.
type Absent = imports.Absent

// An Edit is the change of a file by others.
type Edit = imports.Edit

// Apart reports whether changes of other files certainly do nothing to a file that only somebody
// would see who knew the types of things that are absent; see [imports.Apart].
func Apart(path string, before, after []byte, absent []Absent, changes []Edit, other map[string][]byte) bool {
	return imports.Apart(path, before, after, absent, changes, other)
}

// Texts are the files of a workspace, which are searched for what servers do not tell. The zero
// value finds nothing.
type Texts struct {
	search *imports.Search
	read   func(path string) ([]byte, error)
	// alone says that no server is asked who uses what text shows.
	alone bool
}

// Alone returns the same texts for a project in which servers take too long to say who uses a
// symbol: they are not asked where the texts show no less.
func (t Texts) Alone() Texts {
	t.alone = true
	return t
}

// A TextReader remembers what files bring in. The zero value is ready.
type TextReader = imports.Reader

// A Tree is the files of a workspace, as a search for dependants reads them.
type Tree = imports.Tree

// A Stamp tells one state of a file from another.
type Stamp = imports.Stamp

// TextsOf returns the files of a tree.
func TextsOf(r *TextReader, tree Tree) Texts {
	return Texts{search: r.Search(tree), read: tree.Read}
}

// between compares the texts of a changed file.
func (t Texts) between(c Change) imports.Difference {
	if t.search == nil {
		return imports.Between(c.Path, c.Before, c.After)
	}
	return t.search.Between(c.Path, c.Before, c.After)
}

// BroughtIn reports whether a file for which meets returns true imports the file at path,
// directly or by way of others. Where that is not known it returns true.
func (t Texts) BroughtIn(path string, meets func(path string) bool) bool {
	return t.search == nil || t.search.BroughtIn(path, meets)
}

// Extended returns the families of whose configurations some extend a file, which is not named like one of theirs.
func (t Texts) Extended(path string) []language.Family {
	if t.search == nil {
		return nil
	}
	return t.search.Extended(path)
}

// Importers returns the files that bring in the file at path, directly or by way of others. Known is false if it may matter to more
// than these.
func (t Texts) Importers(path string) (files map[string]bool, known bool) {
	if t.search == nil {
		return nil, false
	}
	return t.search.Importers(path)
}

// Replaced returns the scripts that bring in the file at path, which is gone, where another file that did not change is found in its place,
// directly or by way of others.
func (t Texts) Replaced(path string, changed func(path string) bool) map[string]bool {
	if t.search == nil {
		return nil
	}
	return t.search.Replaced(path, changed)
}

// Extending returns the configurations that extend a file, whether it is there or not.
func (t Texts) Extending(path string) []string {
	if t.search == nil {
		return nil
	}
	return t.search.Extending(path)
}

// SpreadsByText reports whether the texts show what a change of a file may affect: it is of a
// language for which they do, configures one, or is data that files of one may import.
func SpreadsByText(path string) bool {
	return imports.Knows(path) || imports.Configures(path) || imports.IsData(path)
}

// IsData reports whether a file is one of data, in no language, that files may import of which the
// texts show it.
func IsData(path string) bool { return imports.IsData(path) }

// Configures reports whether a file configures a language for which the texts show what a change
// may affect.
func Configures(path string) bool { return imports.Configures(path) }

// FollowsText reports whether the texts show what a change of a file may affect, even if its
// server would find out by itself later.
func FollowsText(path string) bool { return imports.Follows(path) }

// spread adds the files that changes may concern by way of others.
func (r *Reach) spread(changes []imports.Change) {
	if r.texts.search == nil {
		return
	}
	for _, c := range changes {
		if c.After == nil || !imports.IsData(c.Path) || !imports.Configures(c.Path) && !r.texts.BroughtIn(c.Path, func(string) bool { return true }) {
			continue
		}
		if err := imports.Unreadable(c.After); err != nil {
			r.unknown("what the change of %s means for others is not known: it cannot be read: %v", filepath.Base(c.Path), err)
		}
	}
	reached, complete := r.texts.search.Reach(changes)
	if !complete {
		r.note("there are too many files to find all that may be concerned by way of others: whether those are broken is not known")
	}
	for _, f := range reached {
		if !r.changed[f.Path] {
			r.files[f.Path] = true
			r.hops[f.Path] = f.Hops - 1
		}
	}
}

// byInference returns the files that another type of a function may concern.
// complete is false if there are too many to find all.
func (r *Reach) byInference(t touch) (files map[string]bool, complete bool) {
	files = make(map[string]bool)
	if r.texts.search == nil {
		return files, true
	}
	text, err := r.texts.read(t.target.Path)
	if err != nil {
		return files, true // it is gone, and that is the edit's own doing
	}
	reached, complete := r.texts.search.Reach([]imports.Change{{Path: t.target.Path, Before: text, After: text, Names: t.names()}})
	for _, f := range reached {
		if !r.changed[f.Path] {
			files[f.Path] = true
		}
	}
	return files, complete
}

// names are the words by which others mention what is touched.
func (t *touch) names() []string {
	if t.target.Symbol == nil {
		return []string{t.name}
	}
	return t.target.Symbol.Path
}

// Naming returns, by hops and path, the files that may use what a file declares by a name: those that
// bring in the file, also by way of others, and have the name; of one that is exported by default also those that bring in
// such a thing by another name. all is false if there are too many to find all.
func (t Texts) Naming(path, name string) (files []string, all bool) {
	if t.search == nil {
		return nil, true
	}
	text, err := t.read(path)
	if err != nil {
		return nil, false
	}
	names, byDefault := []string{name}, t.IsDefault(path, name)
	if byDefault {
		names = append(names, "default")
	}
	reached, all := t.search.Reach([]imports.Change{{Path: path, Before: text, After: text, Names: names}})
	for _, f := range reached {
		if f.Path == path {
			continue
		}
		if user, err := t.read(f.Path); err == nil && (symbols.Mentions(user, name) || byDefault && imports.TakesDefault(string(user))) {
			files = append(files, f.Path)
		}
	}
	return files, all
}

// IsDefault reports whether a file exports a name by default, so that others may call it by another.
func (t Texts) IsDefault(path, name string) bool {
	if t.search == nil || language.Of(path).Family != language.ScriptFamily {
		return false
	}
	text, err := t.read(path)
	return err == nil && imports.GivesByDefault(string(text), name)
}
