package dependants

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// Includers finds the files that include others by a name in their text, whatever the language of these, as of one moment: what
// Go embeds, include_str! of Rust, #include of C. It is not safe for concurrent use.
type Includers struct {
	finder *Finder
	// sources returns the files that may include files of any folder; texts is what is searched for users of files that include.
	sources func() []string
	texts   func() impact.Texts
	given   map[string][]language.Inclusion // of texts that somebody gave
	found   map[string][]includer
}

// An includer is a file that includes another one.
type includer struct {
	path string
	by   language.Inclusion
}

// Includers returns who includes what at this moment.
func (f *Finder) Includers(ctx context.Context) *Includers {
	return &Includers{
		finder: f, given: make(map[string][]language.Inclusion), found: make(map[string][]includer),
		texts: sync.OnceValue(func() impact.Texts { return f.textsNow(ctx) }),
		sources: sync.OnceValue(func() (sources []string) {
			judged := f.judgedIncluders()
			if len(judged) == 0 {
				return nil
			}
			all, _ := f.workspace.Sources(ctx) // if ctx has ended, the caller notices
			for _, source := range all {
				if slices.Contains(judged, filepath.Ext(source)) {
					sources = append(sources, source)
				}
			}
			return sources
		}),
	}
}

// judgedIncluders returns the endings of files that may include files of any folder and that some server knows.
func (f *Finder) judgedIncluders() []string {
	return slices.DeleteFunc(language.IncluderEndings(), func(ending string) bool {
		return !slices.ContainsFunc(f.config.Servers, func(d registry.Definition) bool { return slices.Contains(d.Endings(), ending) })
	})
}

// Of returns the files that include the file at path, themselves or by way of others of their language; sorted.
func (x *Includers) Of(path string) []string {
	return x.concerned(path, func(language.Inclusion) bool { return true })
}

// Concerned returns those of the files that include the file at path to which a change of its text matters; nil stands for no file.
func (x *Includers) Concerned(path string, before, after []byte) []string {
	return x.concerned(path, func(by language.Inclusion) bool { return by.Matters(before, after) })
}

// ConcernedBy returns the files that include a file that a change alters, makes or takes away, as far as that matters to them.
func (x *Includers) ConcernedBy(c edit.Change) []string {
	before, after := c.Before, c.After
	switch {
	case c.Deleted:
		before, after = present(before), nil
	case c.Created || c.From != "":
		before, after = nil, present(after)
	case before == nil: // nobody knows what it was
		return x.Of(c.Path)
	}
	files := x.Concerned(c.Path, before, after)
	if c.From != "" {
		files = append(files, x.Concerned(c.From, present(c.Before), nil)...)
		slices.Sort(files)
	}
	return slices.Compact(files)
}

// present returns the text of a file that is there, which may not be known.
func present(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// Names returns the names by which files include the file at path, and report that it is missing if it is; none if one of them
// asks whether there is such a file.
func (x *Includers) Names(path string) (names []string) {
	for _, i := range x.direct(path) {
		if i.by.Asks {
			return nil
		}
		if !slices.Contains(names, i.by.Name) {
			names = append(names, i.by.Name)
		}
	}
	return names
}

// ReadsAll reports whether all of the content of the file at path is a part of a program that includes it.
func (x *Includers) ReadsAll(path string) bool {
	return slices.ContainsFunc(x.direct(path), func(i includer) bool { return i.by.Reads == language.InclusionContent })
}

func (x *Includers) concerned(path string, matters func(by language.Inclusion) bool) (files []string) {
	var through []impact.Change
	for _, i := range x.direct(path) {
		if !matters(i.by) || slices.Contains(files, i.path) {
			continue
		}
		if files = append(files, i.path); impact.SpreadsByText(i.path) {
			if text, err := x.finder.workspace.Searched(i.path, maxSearched); err == nil {
				through = append(through, impact.Change{Path: i.path, After: text}) // as if all of it had come
			}
		}
	}
	if len(through) > 0 {
		reach := impact.FindUsersByText(x.texts(), through)
		files = append(files, reach.Files()...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// direct returns the files that include a file themselves.
func (x *Includers) direct(path string) []includer {
	found, known := x.found[path]
	if known {
		return found
	}
	for _, file := range append(x.finder.above(path), x.others(path)...) {
		for _, by := range x.inclusions(file) {
			if by.Means(file, path) {
				found = append(found, includer{file, by})
			}
		}
	}
	x.found[path] = found
	return found
}

// others returns the files anywhere that may include a file.
func (x *Includers) others(path string) []string {
	return slices.DeleteFunc(slices.Clone(x.sources()), func(source string) bool {
		return source == path || !language.IsForeign(source, path)
	})
}

// inclusions returns what a file includes.
func (x *Includers) inclusions(file string) []language.Inclusion {
	text, given := x.finder.overlay.Given(file)
	if !given {
		return x.finder.workspace.Inclusions(file)
	}
	list, known := x.given[file]
	if !known {
		list = language.ForeignInclusions(file, text)
		x.given[file] = list
	}
	return list
}

// above returns the files in the folder of a file, and in those above it, that include only what is below them.
func (f *Finder) above(path string) (files []string) {
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		for _, file := range f.filesIn(folder) {
			if language.IncludesBelow(file) && file != path {
				files = append(files, file)
			}
		}
		if folder == f.workspace.Root() || folder == filepath.Dir(folder) {
			return files
		}
	}
}
