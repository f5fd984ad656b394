package dependants

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
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
	// sources returns the files of the workspace; texts is what is searched for users of files that include.
	sources func() []string
	texts   func() impact.Texts
	// named are the files with some endings that include others anywhere, by these endings and the last part of the names of
	// what is included.
	named map[string]map[string][]includer
	found map[string][]includer
}

// An includer is a file that includes another one.
type includer struct {
	path string
	by   language.Inclusion
}

// Includers returns who includes what at this moment.
func (f *Finder) Includers(ctx context.Context) *Includers {
	return &Includers{
		finder: f, found: make(map[string][]includer), named: make(map[string]map[string][]includer),
		texts: sync.OnceValue(func() impact.Texts { return f.textsNow(ctx) }),
		sources: sync.OnceValue(func() []string {
			all, _ := f.workspace.Sources(ctx) // if ctx has ended, the caller notices
			return all
		}),
	}
}

// byName returns the files to whose language a file is foreign and that include others anywhere, by the last part of the names of
// these.
func (x *Includers) byName(path string) map[string][]includer {
	endings := slices.DeleteFunc(x.finder.judgedIncluders(), func(ending string) bool { return !language.IsForeign(ending, path) })
	key := strings.Join(endings, " ")
	if named, known := x.named[key]; known || len(endings) == 0 {
		return named
	}
	named := make(map[string][]includer)
	x.named[key] = named
	for _, source := range x.sources() {
		if !slices.Contains(endings, filepath.Ext(source)) {
			continue
		}
		for _, by := range x.finder.inclusions(source) {
			name := filepath.Base(filepath.FromSlash(by.Name))
			named[name] = append(named[name], includer{source, by})
		}
	}
	return named
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
	for _, file := range x.finder.above(path) {
		for _, by := range x.finder.inclusions(file) {
			if by.Means(file, path) {
				found = append(found, includer{file, by})
			}
		}
	}
	for _, i := range x.byName(path)[filepath.Base(path)] {
		if i.by.Means(i.path, path) {
			found = append(found, i)
		}
	}
	x.found[path] = found
	return found
}

// inclusions returns what a file includes.
func (f *Finder) inclusions(file string) []language.Inclusion {
	if text, given := f.overlay.Given(file); given {
		return language.ForeignInclusions(file, text)
	}
	return f.workspace.Inclusions(file)
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
