package imports

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// An Absent thing is used by a file and not there: a module, or a name that is everybody's.
// A type checker knows nothing of its type, nor of what follows from that.
type Absent struct {
	Module, Name string
}

// An Edit is the change of a file by others.
type Edit struct {
	Path          string
	Before, After []byte
}

// Apart reports whether changes surely do nothing to a script that a type checker would only
// say if it knew the types of absent things: the script uses them as before, no part of it
// that depends on them changed, and none of these mentions what the changes give another
// meaning. Other are further files, by way of which that may be.
func Apart(path string, before, after []byte, absent []Absent, changes []Edit, other map[string][]byte) bool {
	f := familyOf(path)
	if f != families[language.ScriptFamily] {
		return false
	}
	was, is := string(before), string(after)
	unknown := make(names)
	for _, a := range absent {
		if a.Name != "" {
			unknown.add(a.Name)
			continue
		}
		then, sure := boundTo(was, a.Module)
		now, sureNow := boundTo(is, a.Module)
		if !sure || !sureNow {
			return false
		}
		unknown.add(then...)
		unknown.add(now...)
	}
	was, then := withoutComparisons(was, unknown)
	is, now := withoutComparisons(is, unknown)
	if !slices.Equal(then, now) {
		return false
	}
	parts, former := f.declarations(path, is), f.declarations(path, was)
	uses := func(d declaration) bool { return unknown.mentioned(d.shown) || unknown.mentioned(d.hidden) }
	if !slices.ContainsFunc(parts, uses) && !slices.ContainsFunc(former, uses) {
		return true
	}
	files := divided(other)
	unknown, known := spread(unknown, append(files, slices.Concat(parts, former)))
	changed, sure := meaning(changes, files)
	own := grow(changed, parts)
	if !known || !sure || own.shapes {
		return false
	}
	left := make(map[string]int)
	for _, d := range former {
		if uses(d) {
			left[d.shown+"\x00"+d.hidden]++
		}
	}
	for _, d := range parts {
		if !uses(d) {
			continue
		}
		if left[d.shown+"\x00"+d.hidden] == 0 || own.names.mentioned(d.shown) || own.names.mentioned(d.hidden) {
			return false
		}
		left[d.shown+"\x00"+d.hidden]--
	}
	return !slices.ContainsFunc(slices.Collect(maps.Values(left)), func(n int) bool { return n > 0 })
}

// meaning returns the names that changes give another meaning, by way of other files too;
// sure is false where that may be any name.
func meaning(changes []Edit, files [][]declaration) (changed names, sure bool) {
	changed = make(names)
	for _, c := range changes {
		d := Between(c.Path, c.Before, c.After)
		if d.All || familyOf(c.Path) != families[language.ScriptFamily] {
			return nil, false
		}
		changed.add(d.Sure...)
		changed.add(d.Inferred...)
	}
	return spread(changed, files)
}

// divided returns the declarations of the scripts among some files.
func divided(texts map[string][]byte) (files [][]declaration) {
	for path, text := range texts {
		if f := familyOf(path); f == families[language.ScriptFamily] {
			files = append(files, f.declarations(path, string(text)))
		}
	}
	return files
}

// spread adds to names those that files declare by means of them; sure is false where that
// may be any name.
func spread(n names, files [][]declaration) (spread names, sure bool) {
	for grown := true; grown; {
		grown = false
		for _, list := range files {
			g := grow(n, list)
			if g.shapes || len(g.global) > 0 {
				return n, false
			}
			grown = grown || len(g.names) > len(n)
			n = g.names
		}
	}
	return n, true
}

var (
	importFrom = lazyregexp.New(`(?m)^[ \t]*import\s+(?:type\s+)?([^;"'()=]*?)\s*from\s*["']([^"'\n]+)["']`)
	boundName  = lazyregexp.New(`(?:[\w$]+\s+as\s+|\*\s*as\s+|\btype\s+)?([\w$]+)\s*(?:[,{}]|$)`)
)

// boundTo returns the names under which a text imports from a module; sure is false if the
// text speaks of the module in another way as well.
func boundTo(text, module string) (bound []string, sure bool) {
	imported := 0
	for _, m := range importFrom.FindAllStringSubmatch(text, -1) {
		if m[2] != module {
			continue
		}
		imported++
		for _, name := range boundName.FindAllStringSubmatch(m[1], -1) {
			bound = append(bound, name[1])
		}
	}
	mentioned := strings.Count(text, `"`+module+`"`) + strings.Count(text, `'`+module+`'`)
	return bound, imported > 0 && imported == mentioned
}

// A comparison with something that is written out is true or false, whatever the type of
// what is compared: that shows it to nobody.
const comparison = `(?:\??\.[\w$]+|\[["'][\w$]+["']\])*\s*(?:[!=]==?)\s*(?:"[^"\n\\]*"|'[^'\n\\]*'|\d+|undefined\b|null\b|true\b|false\b)`

// withoutComparisons replaces the comparisons of names with what is written out, and returns
// these, sorted.
func withoutComparisons(text string, of names) (rest string, compared []string) {
	for _, name := range of.sorted() {
		pattern := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + comparison)
		var kept strings.Builder
		at := 0
		for _, m := range pattern.FindAllStringIndex(text, -1) {
			if !standsAlone(text[:m[0]], text[m[1]:]) {
				continue
			}
			kept.WriteString(text[at:m[0]])
			kept.WriteString("true")
			compared = append(compared, text[m[0]:m[1]])
			at = m[1]
		}
		text = kept.String() + text[at:]
	}
	slices.Sort(compared)
	return text, compared
}

var assigns = lazyregexp.New(`(?:=>|[^=!<>+\-*/%&|^?~]=)$`)

// standsAlone reports whether what is between two stretches of a text is an operand of
// nothing but logic, or of nothing at all.
func standsAlone(before, behind string) bool {
	before, behind = strings.TrimRight(before, " \t\r\n"), strings.TrimLeft(behind, " \t\r\n")
	begins := before == "" || strings.ContainsRune("(!&|?:,;{}[", rune(before[len(before)-1])) || strings.HasSuffix(before, "return") || assigns.MatchString(before)
	ends := behind == "" || strings.ContainsRune(")&|?:,;{}]", rune(behind[0]))
	return begins && ends
}
