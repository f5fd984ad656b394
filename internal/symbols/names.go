package symbols

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// nameOf returns the names that a server's symbol name stands for, outermost
// first. Servers write receivers, parameters, type parameters and scopes into
// it: gopls "(*Config).Load", jdtls "load(String)", clangd "ns::Config::load",
// rust-analyzer "impl Loader for Config".
func nameOf(name string) []string {
	name = strings.TrimSpace(name)
	if rest, ok := strings.CutPrefix(name, "impl"); ok && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "<")) {
		rest = strings.TrimSpace(withoutBrackets(rest, '<', '>'))
		if i := strings.LastIndex(rest, " for "); i >= 0 {
			rest = rest[i+len(" for "):]
		}
		parts := splitScopes(referred.ReplaceAllString(strings.TrimSpace(rest), ""))
		return parts[len(parts)-1:]
	}
	if strings.HasPrefix(name, "(") { // a Go method
		if end := strings.Index(name, ")."); end > 0 {
			receiver := strings.TrimLeft(name[1:end], "*& ")
			return append(nameOf(receiver), nameOf(name[end+2:])...)
		}
	}
	if scope, own, _, ok := operatorName(name); ok { // C++: <, (), [] are the name
		if scope == "" {
			return []string{own}
		}
		return append(splitScopes(scope), own)
	}
	if open := strings.IndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") {
		name = name[:open]
	}
	if open := strings.IndexByte(name, '['); open > 0 && strings.HasSuffix(name, "]") {
		name = name[:open]
	}
	if stripped := withoutBrackets(name, '<', '>'); stripped != "" {
		name = stripped
	}
	return splitScopes(strings.TrimSpace(name))
}

// referred is what may stand before the type that a Rust impl is for.
var referred = lazyregexp.New(`^(?:&|\*|'\w+\s|mut\s|const\s|dyn\s)+`)

// operators are the names of C++'s: what holds it, its name, an overload index.
var operators = lazyregexp.New(`^(|.*?(?:::|[./#]))(operator\s*(?:\(\)|\[\]|""\s*\w+|[-+*/%^&|~!=<>,]+|\s\w[\w\s:<>,*&]*))(?:\(.*\))?(\[\d+\])?$`)

// operatorName takes apart the name of a C++ operator.
func operatorName(name string) (scope, own, index string, ok bool) {
	if !strings.Contains(name, "operator") {
		return "", "", "", false // of nearly all, and told faster than by the expression
	}
	m := operators.FindStringSubmatch(name)
	if m == nil {
		return "", "", "", false
	}
	return m[1], m[2], m[3], true
}

func splitScopes(name string) []string {
	parts := strings.Split(name, "::")
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return []string{name}
	}
	return parts
}

// withoutBrackets removes what stands between brackets of ASCII, nested ones too.
func withoutBrackets(s string, open, end rune) string {
	if strings.IndexByte(s, byte(open)) < 0 && strings.IndexByte(s, byte(end)) < 0 {
		return s
	}
	var kept strings.Builder
	depth := 0
	before := ' '
	for _, r := range s {
		switch {
		case r == open:
			depth++
		case r == end && before == '-': // an arrow
			if depth == 0 {
				kept.WriteRune(r)
			}
		case r == end && depth > 0:
			depth--
		case depth == 0:
			kept.WriteRune(r)
		}
		before = r
	}
	return kept.String()
}

// A NamePath names a symbol by its own name and the names of what contains it.
type NamePath struct {
	// Parts are the names, outermost first; at least one.
	Parts []string
	// Absolute says that the first part is at the top level of its file.
	Absolute bool
	// Overload is the 0-based index among the symbols with that path, or -1 for any.
	Overload int
}

func (p NamePath) String() string {
	text := strings.Join(p.Parts, ".")
	if p.Absolute {
		text = "/" + strings.Join(p.Parts, "/")
	}
	if p.Overload >= 0 {
		text += "[" + strconv.Itoa(p.Overload) + "]"
	}
	return text
}

// goReceiver is a receiver as Go writes it.
var goReceiver = lazyregexp.New(`\(\*?(\w+)(?:\[[^\]]*\])?\)\.`)

// ParseNamePath reads "Config.Load", "Config/Load", "Config::Load",
// "Config#Load", "(*Config).Load", "/Config/Load" (absolute), "Load[1]" (the
// second of that name), the operators of C++, and the head of a declaration as it
// stands in code. Parameters are not looked at.
func ParseNamePath(text string) (NamePath, error) {
	p := NamePath{Overload: -1}
	rest := strings.TrimSpace(text)
	if name, ok := declarationName(rest); ok {
		rest = name
	}
	if strings.HasPrefix(rest, "/") {
		p.Absolute, rest = true, rest[1:]
	}
	if scope, own, index, ok := operatorName(rest); ok {
		if scope != "" {
			p.Parts = splitPath(strings.TrimRight(scope, ":./#"))
		}
		p.Parts = append(p.Parts, own)
		if index != "" {
			p.Overload, _ = strconv.Atoi(strings.Trim(index, "[]"))
		}
		return p, nil
	}
	if open := strings.LastIndexByte(rest, '['); open > 0 && strings.HasSuffix(rest, "]") {
		n, err := strconv.Atoi(rest[open+1 : len(rest)-1])
		if err != nil || n < 0 {
			return p, &SelectorError{"symbol", "the overload index of " + text + " is no number from 0", "for example Load[1], the second Load"}
		}
		p.Overload, rest = n, rest[:open]
	}
	rest = goReceiver.ReplaceAllString(rest, "$1.")
	if open := strings.IndexByte(rest, '('); open > 0 && strings.HasSuffix(rest, ")") {
		rest = rest[:open]
	}
	if p.Parts = splitPath(rest); rest == "()" {
		p.Parts = nil
	}
	if len(p.Parts) == 0 || slices.Contains(p.Parts, "") {
		return p, &SelectorError{"symbol", strconv.Quote(text) + " names nothing", "for example Config.Load"}
	}
	return p, nil
}

func splitPath(text string) []string {
	text = strings.NewReplacer("::", "\x00", "/", "\x00", "#", "\x00", ".", "\x00").Replace(text)
	return strings.Split(text, "\x00")
}

// How well a symbol matches a name path; higher is better, 0 is not at all.
const (
	noMatch = iota
	looseMatch
	prefixMatch
	foldMatch
	suffixMatch
	exactMatch
)

// match compares a name path with the path of a symbol in a file, whose own
// names (folders, package, module) may stand before it.
func (p NamePath) match(names []string, files [][]string) int {
	best := noMatch
	for _, file := range files {
		best = max(best, p.matchIn(names, file))
	}
	return best
}

func (p NamePath) matchIn(names, file []string) int {
	if m := p.matchBy(names, file, func(a, b string) bool { return a == b }); m != noMatch {
		return m
	}
	if p.matchBy(names, file, strings.EqualFold) != noMatch {
		return foldMatch
	}
	own, last := names[len(names)-1], p.Parts[len(p.Parts)-1]
	held := NamePath{Parts: append(slices.Clone(p.Parts[:len(p.Parts)-1]), own), Absolute: p.Absolute}
	switch {
	case held.matchBy(names, file, strings.EqualFold) == noMatch:
		return noMatch
	case hasPrefixFold(own, last):
		return prefixMatch
	case strings.Contains(strings.ToLower(own), strings.ToLower(last)):
		return looseMatch
	}
	return noMatch
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func (p NamePath) matchBy(names, file []string, equal func(a, b string) bool) int {
	switch {
	case slices.EqualFunc(p.Parts, names, equal):
		return exactMatch
	case p.Absolute:
		return noMatch
	case endsWith(names, p.Parts, equal):
		return suffixMatch
	case endsWith(p.Parts, names, equal) && endsWith(file, p.Parts[:len(p.Parts)-len(names)], equal):
		return exactMatch
	}
	return noMatch
}

func endsWith(s, tail []string, equal func(a, b string) bool) bool {
	return len(s) >= len(tail) && slices.EqualFunc(s[len(s)-len(tail):], tail, equal)
}

// fileNames returns the names that may stand before the symbols of a file at a
// root-relative path: its folders, with and without its own name; for Go its
// folders, or the package clause where that is not the folder's name.
func fileNames(relative string, text []byte) [][]string {
	dir, base := path.Split(relative)
	var folders []string
	if dir = strings.Trim(dir, "/"); dir != "" {
		folders = strings.Split(dir, "/")
	}
	stem, _, _ := strings.Cut(base, ".")
	l := language.Of(base)
	switch {
	case l.Clause != nil:
		names := [][]string{folders}
		if clause := packageClause(l.Clause, text); clause != "" && (len(folders) == 0 || folders[len(folders)-1] != clause) {
			names = append(names, []string{clause})
		}
		return names
	case slices.Contains(l.FolderNames, stem):
		return [][]string{folders}
	}
	return [][]string{append(slices.Clone(folders), stem), folders}
}

func packageClause(clause *lazyregexp.Regexp, text []byte) string {
	if m := clause.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}
