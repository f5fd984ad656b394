package imports

import (
	"maps"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// A declaration is a part of the top level of a file, and what it declares.
type declaration struct {
	names []string
	// shown is the code that users may see; hidden shows nothing to them: bodies of
	// functions whose types are written.
	shown, hidden string
	// sure is what is shown without the bodies of functions from which types follow.
	sure string
	// passes says that it brings names in or passes them on.
	passes bool
	// shapes says that it may change what any other name of the file means.
	shapes bool
	// links says that it does so only as an import that may lead back.
	links bool
	// qualified says that in other packages only the name of the package leads to its names.
	qualified bool
	// global are names that it declares for every file.
	global []string
}

// A body is a stretch of a declaration that users do not see themselves: it shows
// nothing to them if it is hidden, and only the type that follows from it if not.
type body struct {
	span
	hidden bool
}

// part returns the code from one offset to another, with these bodies in it.
func (s *source) part(from, to int, bodies []body) declaration {
	var shown, sure, hidden strings.Builder
	at := from
	for _, b := range bodies {
		shown.Write(s.code[at:b.from])
		sure.Write(s.code[at:b.from])
		if at = b.to; b.hidden {
			hidden.Write(s.code[b.from:b.to])
			hidden.WriteByte('\n')
		} else {
			shown.Write(s.code[b.from:b.to])
		}
	}
	shown.Write(s.code[at:to])
	sure.Write(s.code[at:to])
	return declaration{shown: shown.String(), sure: sure.String(), hidden: hidden.String()}
}

// whole returns a text that could not be divided as one part, which declares all that
// looks declared.
func (s *source) whole(declared *lazyregexp.Regexp) []declaration {
	d := declaration{shown: string(s.code), sure: string(s.code), passes: true, shapes: true}
	for _, m := range declared.FindAllStringSubmatch(d.shown, -1) {
		d.names = append(d.names, m[1])
	}
	return []declaration{d}
}

// signature returns a text in one line, "" if nothing is in it.
func signature(text string) string {
	var seen []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimRight(line, " \t\r"); strings.TrimSpace(line) != "" {
			seen = append(seen, line)
		}
	}
	return strings.Join(seen, "\x00")
}

// words returns the names that a declaration mentions, without those in strings.
func (d *declaration) words() []string {
	words := identifier.FindAllString(quotedPath.ReplaceAllString(d.shown, ""), -1)
	return slices.DeleteFunc(words, func(word string) bool { return keywords[word] })
}

// names are words that mean something else after a change.
type names map[string]bool

// sorted returns the names in order.
func (n names) sorted() []string { return slices.Sorted(maps.Keys(n)) }

func (n names) add(list ...string) {
	for _, name := range list {
		n[name] = true
	}
}

// mentioned reports whether a text has one of the names.
func (n names) mentioned(text string) bool {
	if len(n) <= few && !n.within(text) {
		return false
	}
	from := -1
	for i := range len(text) {
		switch part := isWord(text[i]); {
		case part && from < 0:
			from = i
		case !part && from >= 0:
			if n[text[from:i]] {
				return true
			}
			from = -1
		}
	}
	return from >= 0 && n[text[from:]]
}

// few names are faster to look for one by one.
const few = 12

// within reports whether a text has one of the names, if only as part of a word.
func (n names) within(text string) bool {
	for name := range n {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// isWord takes every byte of a letter beyond ASCII for part of a word.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// A growth is what a file makes of names.
type growth struct {
	// names are those that were there, and those declared by means of them.
	names names
	// mentions says that the file mentions one, shapes that one is mentioned where it
	// may change what all other names of the file mean.
	mentions, shapes bool
	// global are those that the file declares for every other one.
	global names
}

// grow finds what a file declares by means of names.
func grow(n names, list []declaration) growth {
	g := growth{names: maps.Clone(n), global: make(names)}
	done := make([]bool, len(list))
	for grown := true; grown; {
		grown = false
		for i := range list {
			d := &list[i]
			if done[i] && !d.passes {
				continue
			}
			shows := g.names.mentioned(d.shown)
			g.mentions = g.mentions || shows || g.names.mentioned(d.hidden)
			if !shows {
				continue
			}
			done[i] = true
			g.shapes = g.shapes || d.shapes
			g.global.add(d.spreads(g.names)...)
			for _, name := range d.declares(g.names) {
				if !g.names[name] {
					g.names[name], grown = true, true
				}
			}
		}
	}
	return g
}

var alias = lazyregexp.New(`([\pL_$][\pL\pN_$]*)\s+as\s+([\pL_$][\pL\pN_$]*)`)

// hasAs reports whether a text may match alias: "as" stands in it between white space.
func hasAs(text string) bool {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "as")
		if !found {
			return false
		}
		before := len(text) - len(after) - len("as") - 1
		if before >= 0 && after != "" && strings.IndexByte(blanks, text[before]) >= 0 && strings.IndexByte(blanks, after[0]) >= 0 {
			return true
		}
		rest = after
	}
}

// blanks are the bytes that \s matches in an expression.
const blanks = " \t\n\f\r"

// declares returns the names that a declaration gives to what n means.
func (d *declaration) declares(n names) []string {
	if !d.passes {
		return d.names
	}
	found := slices.Clone(d.names)
	if !hasAs(d.shown) { // most have none, and the expression is slow
		return found
	}
	for _, m := range alias.FindAllStringSubmatch(d.shown, -1) {
		if n[m[1]] {
			found = append(found, m[2])
		}
	}
	return found
}

// A division is what a text was divided into.
type division struct {
	path, text string
	list       []declaration
}
