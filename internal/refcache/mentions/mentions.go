// Package mentions finds where a name stands in a text as a word, and says of each place whether it may be a use of what is
// called so. It never takes for a comment what might be code: in doubt, a place is a possible use. It is pure.
package mentions

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A Mention is a place where a name stands as a word.
type Mention struct {
	// Offset is that of its first byte.
	Offset int
	// Harmless says that it cannot be a use: it is in a comment, or in a string that no tool looks into.
	Harmless bool
	// Renames says that what is called so may get another name here.
	Renames bool
	// Key says that it may be the key of a literal in Go: whether that is a field depends on the type of the literal.
	Key bool
}

// IsKnown reports whether the rules of a file's language are known: what may be a use of a name, and where a thing gets
// another name.
func IsKnown(path string) bool {
	of := language.Of(path)
	switch of.ID {
	case language.Go, language.TypeScript, language.TypeScriptReact, language.Python, language.Rust:
		return true
	}
	return false
}

// Of returns where a name, which must not be empty, stands as a word in the text of a file, in order.
func Of(path string, text []byte, name string) (found []Mention) {
	var harmless []span
	looked := false
	of := language.Of(path)
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(name))
		if i < 0 {
			return found
		}
		start, end := at+i, at+i+len(name)
		at = start + 1
		if isJoined(of.Family, text, start) || isJoined(of.Family, text, end) {
			continue
		}
		if !looked {
			looked, harmless = true, harmlessIn(path, of, text)
		}
		m := Mention{Offset: start, Renames: of.ID != language.Go && renames(text, start, end)}
		rest := bytes.TrimLeft(text[end:], " \t")
		m.Key = of.ID == language.Go && bytes.HasPrefix(rest, []byte(":")) && !bytes.HasPrefix(rest, []byte(":="))
		for _, s := range harmless {
			if s.from <= start && end <= s.to {
				m.Harmless = true
				break
			}
		}
		found = append(found, m)
	}
}

// isJoined reports whether the characters on both sides of an offset belong to one word.
func isJoined(family language.Family, text []byte, at int) bool {
	if at == 0 || at == len(text) {
		return false
	}
	before, _ := utf8.DecodeLastRune(text[:at])
	after, _ := utf8.DecodeRune(text[at:])
	return isWord(family, before) && isWord(family, after)
}

func isWord(family language.Family, r rune) bool {
	return r == '_' || r == '$' && family == language.ScriptFamily || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// IsName reports whether a text is one word that does not begin with a digit.
func IsName(text []byte) bool {
	for i, r := range string(text) {
		if r == utf8.RuneError || !isWord(language.ScriptFamily, r) && !unicode.In(r, unicode.Mn, unicode.Mc) || i == 0 && unicode.IsDigit(r) {
			return false
		}
	}
	return len(text) > 0
}

// A span is a part of a text.
type span struct{ from, to int }

// harmlessIn returns the parts of a text that no use is in.
func harmlessIn(path string, of language.Language, text []byte) []span {
	switch {
	case of.ID == language.Go:
		return ofGo(text)
	case of.ID == language.TypeScript:
		return ofScript(text)
	case of.ID == language.Python:
		return ofPython(text)
	}
	return nil
}

// ofGo returns the comments and the literals of a text in Go.
func ofGo(text []byte) (found []span) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", text, parser.ImportsOnly)
	if err != nil || slices.ContainsFunc(parsed.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` }) {
		return nil // comments may be code in C
	}
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	failed := false
	s.Init(file, text, func(token.Position, string) { failed = true }, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		switch kind {
		case token.EOF:
			if failed {
				return nil
			}
			return found
		case token.COMMENT, token.STRING, token.CHAR:
			from := file.Offset(pos)
			// The literal has no carriage returns: it may end further behind, where a name in it is in doubt.
			found = append(found, span{from, from + len(literal)})
		}
	}
}

// KeepsScopes reports whether two texts of a file in Go have the same clause and imports, and the same comments before and between
// these: what names of packages, and names that are declared outside of the file, mean in other files does not depend on the rest of it, except for
// what it declares by these names.
func KeepsScopes(path string, former, now []byte) bool {
	if !language.Is(path, language.Go) {
		return false
	}
	before, ok := header(former)
	after, also := header(now)
	return ok && also && bytes.Equal(before, after)
}

// header returns what a text in Go has up to the end of its imports.
func header(text []byte) ([]byte, bool) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", text, parser.ImportsOnly)
	if err != nil {
		return nil, false
	}
	end := parsed.Name.End()
	for _, d := range parsed.Decls {
		end = max(end, d.End())
	}
	return text[:set.File(parsed.FileStart).Offset(end)], true
}

// ofPython returns the comments of a text in Python that have a line of their own, or follow code without a quote: those in lines that
// a string spans are in doubt.
func ofPython(text []byte) (found []span) {
	for _, begin := range []string{`"""`, "'''", "\\\n", "\\\r"} {
		if bytes.Contains(text, []byte(begin)) {
			return nil
		}
	}
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if hash := bytes.IndexByte(text[at:end], '#'); hash >= 0 {
			comment := text[at+hash : end]
			// What is annotated in a comment is a use.
			if !bytes.ContainsAny(text[at:at+hash], `"'`) && !bytes.Contains(comment, []byte("type:")) {
				found = append(found, span{at + hash, end})
			}
		}
		at = end + 1
	}
	return found
}

var (
	// renamed matches what stands behind a name that gets another one, and rename what stands before a name that is given.
	renamed = lazyregexp.New(`^\s+as\b`)
	rename  = lazyregexp.New(`\bas\s+$`)
	// byDefault matches the head of a declaration that others import by a name of their own.
	byDefault = lazyregexp.New(`\bdefault\s+(?:(?:async|abstract|declare|class|interface|function|enum)\b[\s*]*)*$`)
	// aliased matches a line that gives a name to something in a way of its own.
	aliased = lazyregexp.New(`^\s*(?:export\s+)?import\b[^"'{]*=|\bexports\b|\bexport\s*=|\brequire\s*\(`)
)

// renames reports whether what stands in a part of a text may get another name there.
func renames(text []byte, start, end int) bool {
	line := bytes.LastIndexByte(text[:start], '\n') + 1
	stop := len(text)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		stop = end + i
	}
	const near = 200
	before, after := text[max(0, start-near):start], text[end:min(len(text), end+near)]
	return matches(renamed, after) || matches(rename, before) || matches(byDefault, before) || matches(aliased, text[line:stop])
}

func matches(form *lazyregexp.Regexp, text []byte) bool { return form.Match(text) }

// augments matches what declares things of other modules, or of all.
var augments = lazyregexp.New(`\bdeclare\s+(?:global|module)\b`)

// IsOpen reports whether what a text declares may be declared elsewhere, too, in files that bring in nothing of it.
func IsOpen(path string, text []byte) bool {
	return language.Of(path).Family == language.ScriptFamily && (augments.Match(text) || !moduleWord.Match(text))
}

// moduleWord matches a statement that makes a script a module.
var moduleWord = lazyregexp.New(`(?m)^\s*(?:export|import)\b`)
