package impact

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/lspine/lspine/internal/impact/imports"
	"github.com/lspine/lspine/internal/protocol"
)

// Texts are the files of a workspace, in which what servers do not tell is looked
// for by text. In the zero value nothing is.
type Texts struct {
	search *imports.Search
	read   func(path string) ([]byte, error)
}

// A TextReader remembers what files bring in. The zero value is ready.
type TextReader = imports.Reader

// A Stamp tells one state of a file from another.
type Stamp = imports.Stamp

// TextsOf returns the files with these paths.
func TextsOf(r *TextReader, paths func() []string, read func(string) ([]byte, error), stamp func(string) (Stamp, bool)) Texts {
	return Texts{r.Search(imports.Tree{Paths: paths, Read: read, Stamp: stamp}), read}
}

// SpreadsByText reports whether the language of a file is one of those in which
// text shows what a change may concern.
func SpreadsByText(path string) bool { return imports.Knows(path) }

// spread adds the files that changes may concern by way of others.
func (r *Reach) spread(changes []imports.Change) {
	if r.texts.search == nil {
		return
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

// spreading says which names a change gives another meaning.
func spreading(c Change, here []touch, text *protocol.Mapper) imports.Change {
	s := imports.Change{Path: c.Path, Before: c.Before, After: c.After, All: c.Before == nil || c.After == nil}
	for _, t := range here {
		if !t.inferred {
			s.Names = append(s.Names, t.names()...)
			s.All = s.All || t.name == "__all__"
		}
	}
	if s.All && c.Before == nil || c.After == nil {
		return s
	}
	note := func(text *protocol.Mapper, n int) {
		line := text.Line(n)
		if passesAll.Match(line) {
			s.All = true
		}
		if handing.Match(line) || inList(text, n) {
			for _, word := range identifier.FindAll(line, -1) {
				if !declaring[string(word)] {
					s.Names = append(s.Names, string(word))
				}
			}
		}
	}
	after := protocol.NewMapper(protocol.Text(c.After))
	for _, l := range changedLines(c) {
		if !l.between {
			note(text, l.from)
		}
	}
	for _, l := range changedLines(Change{Path: c.Path, Before: c.After, After: c.Before}) {
		if !l.between {
			note(after, l.from)
			if isPython(c.Path) { // what is put at the end of a class stands in no symbol of before
				s.Names = append(s.Names, classesAround(after, l.from)...)
			}
		}
	}
	if restructures(c) {
		s.Names = append(s.Names, imports.Declared(c.Path, c.Before)...)
	}
	if isNative(c.Path) {
		s.Names = append(s.Names, macros(c, text)...)
	}
	slices.Sort(s.Names)
	s.Names = slices.Compact(s.Names)
	return s
}

// inList reports whether a line is one of a list of names that are brought in or
// passed on.
func inList(text *protocol.Mapper, line int) bool {
	for n := line; n >= 0; n-- {
		if l := text.Line(n); !listing.Match(l) {
			return n < line && heading.Match(l)
		}
	}
	return false
}

// classesAround returns the names of the Python classes of which a line is a member,
// not part of a function.
func classesAround(text *protocol.Mapper, line int) (names []string) {
	depth := indentOf(text.Line(line))
	for n := line - 1; n >= 0 && depth > 0; n-- {
		above := text.Line(n)
		if d := indentOf(above); d < depth && len(bytes.TrimSpace(above)) > 0 {
			m := classHead.FindSubmatch(above)
			if m == nil {
				return names
			}
			names, depth = append(names, string(m[1])), d
		}
	}
	return names
}

func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// macros returns the names that changed lines define for the preprocessor: no server
// outlines them.
func macros(c Change, text *protocol.Mapper) (names []string) {
	for _, l := range changedLines(c) {
		if m := defining.FindSubmatch(text.Line(l.from)); m != nil && !l.between {
			names = append(names, string(m[1]))
		}
	}
	return names
}

func isNative(path string) bool {
	switch filepath.Ext(path) {
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx":
		return true
	}
	return false
}

var (
	passesAll = regexp.MustCompile(`^\s*(export\s*\*|from\s.*\bimport\s*\*|#\s*include\b)`)
	listing   = regexp.MustCompile(`^\s*(type\s+)?[\w$]+(\s+as\s+[\w$]+)?\s*,?\s*$`) // of several lines
	classHead = regexp.MustCompile(`^\s*class\s+(\w+)`)
	heading   = regexp.MustCompile(`^\s*(import|export|from)\b.*[{(]\s*$`)
	// handing is a statement that brings names in or passes them on.
	handing  = regexp.MustCompile(`^\s*(import\b|export\s*(type\s*)?[{*=]|export\s+default\s+[\w$]+\s*;?\s*$|from\b.*\bimport\b|__all__\b|module\.exports\b|exports\.|using\s+[\w:]+\s*;|#\s*include\b|(const|let|var)\s.*\brequire\()`)
	defining = regexp.MustCompile(`^\s*#\s*define\s+(\w+)`)
	// declaring are the words of statements that bring names in or pass them on.
	declaring = map[string]bool{
		"export": true, "default": true, "from": true, "import": true, "pub": true, "use": true, "crate": true, "self": true,
		"super": true, "type": true, "as": true, "using": true, "__all__": true, "module": true, "exports": true, "include": true,
	}
)
