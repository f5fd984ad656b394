package diagnostics

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// listed removes from a server's answer what it reports only because a document is not on disk:
// that its project does not list the document, which it may do once the file exists; and, for the
// state before a change, errors that name a file which existed then. Other errors may follow from
// these: only those stay that were reported before; if nothing was, the answer is misled. So it is, whatever the errors
// name, where the file imports by the name of one that the server finds only on disk: it may have found a namesake.
func (t *turn) listed(items []protocol.Diagnostic, freshness Freshness) ([]protocol.Diagnostic, Freshness) {
	t.misled, t.proven = false, false
	code := t.server.Definition().Diagnostics.Unlisted
	if code == "" && len(t.gone) == 0 {
		return items, freshness
	}
	var unlisted string
	missed := t.past && t.server.Definition().Has(registry.FindsSaved) && importsAny(t.path, t.content, t.gone)
	kept := slices.DeleteFunc(slices.Clone(items), func(d protocol.Diagnostic) bool {
		if t.past && missesAny(d.Message, t.gone) {
			missed = true
			return true
		}
		name := filepath.FromSlash(firstQuoted(d.Message))
		if code == "" || d.Code != code || !filepath.IsAbs(name) {
			return false
		}
		if !fspath.Missing(name) {
			return false
		}
		unlisted = name
		return true
	})
	if unlisted != "" && freshness == Fresh && !t.past {
		t.quick, t.wanting, freshness = kept, true, Partial
		t.reason = "whether the project lists " + filepath.Base(unlisted) + " is known once it is on disk"
	}
	if missed {
		t.stream.missed(t)
	}
	if missed && len(kept) > 0 {
		kept, t.misled = t.stream.proven(t, kept)
		t.proven = !t.misled
	}
	return kept, freshness
}

// proven returns those of the items that were also the last findings about the turn's file with this text; doubtful says that
// there were no findings about this text, or none that are certain: the files that are gone may have been missing then as well.
func (s *stream) proven(t *turn, items []protocol.Diagnostic) (kept []protocol.Diagnostic, doubtful bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.fileLocked(t.path).last
	if !last.known || last.imagined || !bytes.Equal(last.text, t.content) ||
		slices.ContainsFunc(last.items, func(d protocol.Diagnostic) bool { return missesAny(d.Message, t.gone) }) {
		return items, true
	}
	return slices.DeleteFunc(items, func(d protocol.Diagnostic) bool { return !has(last.items, d) }), false
}

// has reports whether one of the items has the range and message of d.
func has(items []protocol.Diagnostic, d protocol.Diagnostic) bool {
	return slices.ContainsFunc(items, func(o protocol.Diagnostic) bool { return o.Range == d.Range && o.Message == d.Message })
}

// namesAny reports whether a message names one of the files in quotes: by a path, with or without
// its extension as in imports, or by its full base name. A base name without extension does not
// count, because a declaration may have the same name.
func namesAny(message string, files []string) bool {
	for _, name := range quoted.FindAllString(message, -1) {
		name = strings.Trim(name, "'\"`")
		if slices.ContainsFunc(files, func(file string) bool {
			byPath := strings.Contains(name, "/") && (bare(filepath.ToSlash(file)) == bare(name) || stands(file) == bare(name))
			return byPath || filepath.Base(file) == name
		}) {
			return true
		}
	}
	return false
}

// importsAny reports whether a statement of a file that imports has the name of one of the other files, or of the
// folder that it stands for.
func importsAny(path string, text []byte, files []string) bool {
	imports := language.Of(path).Imports
	if imports == nil {
		return false
	}
	for _, at := range imports.FindAll(text) {
		names := word.FindAllString(string(text[at[0]:at[1]]), -1)
		if slices.ContainsFunc(files, func(file string) bool {
			return slices.Contains(names, cmp.Or(stands(file), bare(filepath.ToSlash(file))))
		}) {
			return true
		}
	}
	return false
}

// missesAny reports whether a message says that one of the files was not found.
func missesAny(message string, files []string) bool {
	return namesAny(message, files) || slices.ContainsFunc(files, func(file string) bool { return misses(message, file) })
}

var word = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)

// misses reports whether a message says that something was not found for which the file stands: a
// Java type, including errors about a hierarchy with a gap, or a Python module.
func misses(message, file string) bool {
	name := cmp.Or(stands(file), bare(filepath.ToSlash(file)))
	switch language.Of(file).ID {
	case language.Java:
		if strings.HasPrefix(message, "The hierarchy of the type ") {
			return true
		}
		return strings.Contains(message, "cannot be resolved") && slices.Contains(word.FindAllString(message, -1), name)
	case language.Python:
		module := strings.Trim(quoted.FindString(message), "\"")
		last := module[strings.LastIndexByte(module, '.')+1:]
		return last == name && (strings.HasPrefix(message, "Import ") || strings.HasSuffix(message, " is unknown import symbol"))
	}
	return false
}

// stands returns the name of the folder that a file stands for in imports, "" if it stands for
// none.
func stands(file string) string {
	switch bare(filepath.ToSlash(file)) {
	case "index", "mod", "__init__":
		return filepath.Base(filepath.Dir(file))
	}
	return ""
}

// bare returns the last element of a slash-separated path, without any extensions.
func bare(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	stem, _, _ := strings.Cut(base, ".")
	return stem
}

// firstQuoted returns the first text in single quotes in a message, "" if there is none.
func firstQuoted(message string) string {
	_, rest, _ := strings.Cut(message, "'")
	name, _, _ := strings.Cut(rest, "'")
	return name
}
