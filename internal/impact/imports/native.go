package imports

import (
	"path/filepath"
	"strings"
	"unicode"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

func includes(path string, text []byte) (list []reference) {
	for _, i := range language.Inclusions(path, text) {
		list = append(list, reference{path: filepath.Clean("/" + i.Name), whole: true}) // drops what leads upwards
	}
	return list
}

var (
	// nativeType has words that stand before the name, and behind it, in its only group.
	nativeType     = lazyregexp.New(`\b(?:class|struct|union|enum(?:\s+(?:class|struct))?|using|concept|namespace)\s+(?:\[\[[^\]]*\]\]\s*|\w+\s*\([^;{]*\)\s*)?(\w+(?:\s+\w+)*)`)
	nativeCapitals = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`)
	nativeMacro    = lazyregexp.New(`(?m)^\s*#\s*(?:define|undef)\s+(\w+)`)
	nativeCall     = lazyregexp.New(`(?:\(\s*[*&^]\s*)?\b(\w+)\s*\)?\s*\(`)
	nativeNames    = lazyregexp.New(`(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=[^;,]*|\{[^;]*)?[;,]`)
	// In a text without the insides of its strings.
	nativeSpace  = lazyregexp.New(`^\s*(?:inline\s+)?namespace\b|^\s*extern\s+"`)
	nativeOpened = lazyregexp.New(`\bnamespace\b[^{;]*\{|\bextern\s+"[^"]*"\s*\{`)
	directives   = lazyregexp.New(`(?m)^[ \t]*#`)
	conditional  = lazyregexp.New(`^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b`)
	nativeEnum   = lazyregexp.New(`\benum\b`)
	deduced      = lazyregexp.New(`\b(auto|template|constexpr|consteval|concept|decltype)\b`)
	// nativeShapes gives what follows, or all that looks names up, another meaning.
	nativeShapes = lazyregexp.New(`^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|include|import|pragma\s+(pack|push_macro|pop_macro))\b|\boperator\b|\busing\s+namespace\b|^\s*[A-Za-z_]\w*\s*\(|\bmodule\b|\bfriend\b|\bexplicit\b`)
	// nativeSpecial makes templates mean something else for who mentions only what they are used for.
	nativeSpecial = lazyregexp.New(`^\s*template\s*<\s*>|^\s*template\s*<[^;{]*>\s*(?:struct|class|union)\s+[\w:]+\s*<`)
	nativeGuard   = lazyregexp.New(`^\s*#\s*pragma\s+once\s*$`)
	notCalled     = map[string]bool{
		"__attribute__": true, "alignas": true, "decltype": true, "noexcept": true, "explicit": true, "requires": true, "__declspec": true,
		"int": true, "void": true, "char": true, "bool": true, "long": true, "double": true, "float": true, "unsigned": true, "short": true,
		"if": true, "while": true, "for": true, "switch": true, "return": true, "sizeof": true, "auto": true, "const": true,
	}
)

// nativeDeclarations divides a text where a declaration ends outside of all but
// namespaces. A directive between declarations is a part of its own.
func nativeDeclarations(path, text string) (list []declaration) {
	s := scan(text, language.Of(path).Lexis)
	depth, from, at := 0, 0, 0
	end := func(to int) {
		if strings.TrimSpace(string(s.bare[from:to])) != "" {
			list = append(list, s.native(span{from, to}))
		}
		from = to
	}
	directed, opening := false, false // the line before goes on; the brace of a namespace is to come
	for line := range strings.SplitAfterSeq(string(s.bare), "\n") {
		start := at
		at += len(line)
		trimmed := strings.TrimSpace(line)
		opens := strings.Count(line, "{") - strings.Count(line, "}")
		switch {
		case directed || strings.HasPrefix(trimmed, "#"):
			if depth == 0 && !directed {
				end(start)
			}
			if directed = strings.HasSuffix(trimmed, `\`); depth == 0 && !directed {
				end(at)
			}
		case depth == 0 && nativeSpace.MatchString(line):
			end(start)
			if opening = !strings.ContainsAny(line, "{;"); !opening {
				depth = max(0, opens-max(1, len(nativeOpened.FindAllString(line, -1))))
				end(at)
			}
		case opening && trimmed == "":
		case opening && trimmed[0] == '{':
			opening, depth = false, max(0, opens-1)
			end(at)
		default:
			opening, depth = false, max(0, depth+opens)
			if depth == 0 && (trimmed == "" || strings.HasSuffix(trimmed, ";") || strings.HasSuffix(trimmed, "}")) {
				end(at)
			}
		}
	}
	end(len(s.bare))
	return list
}

// native reads one declaration. What is not surely one, because it has several or a brace
// stands on one side of an #if, may change what any name means.
func (s *source) native(at span) declaration {
	whole := string(s.bare[at.from:at.to])
	head, inside, hasBody := strings.Cut(whole, "{")
	trimmed := strings.TrimSpace(whole)
	shapes := (nativeShapes.MatchString(head) || nativeSpecial.MatchString(head)) && !nativeGuard.MatchString(trimmed)
	if strings.HasPrefix(trimmed, "}") || nativeSpace.MatchString(whole) { // of a namespace
		d := s.part(at.from, at.to, nil)
		d.shapes = true
		return d
	}
	found := typeNames(head)
	for _, m := range nativeMacro.FindAllStringSubmatch(whole, -1) {
		found = append(found, m[1])
	}
	function := calledName(head)
	var bodies []body
	switch {
	case strings.HasPrefix(trimmed, "#"):
	case !isOne(whole):
		found = append(found, typeNames(whole)...)
		found = append(found, namesIn(whole)...)
		shapes = true
	case len(found) > 0 && (function == "" || !hasBody || strings.Contains(head, " enum ")):
		if function != "" { // that returns the type
			found = append(found, function)
		}
		if _, tail, ok := cutLast(whole, "}"); ok { // what is declared with the type
			found = append(found, identifier.FindAllString(tail, -1)...)
		}
		if nativeEnum.MatchString(head) || strings.HasPrefix(trimmed, "typedef") {
			found = append(found, identifier.FindAllString(inside, -1)...)
		}
		if strings.HasPrefix(trimmed, "typedef") {
			found = append(found, identifier.FindAllString(head, -1)...)
		}
	case function != "":
		if top := outsideBrackets(head); !hasBody && strings.Contains(top, ",") { // as in "int n, f();"
			found = append(found, namesIn(top)...)
		} else {
			found = append(found, function)
		}
		if hasBody && !deduced.MatchString(head) && !directives.MatchString(whole) {
			bodies = []body{{span{at.from + len(head) + 1, at.to}, true}}
		}
	default:
		for _, m := range nativeNames.FindAllStringSubmatch(whole, -1) {
			found = append(found, m[1])
		}
	}
	d := s.part(at.from, at.to, bodies)
	d.names, d.shapes = found, shapes
	if len(found) == 0 && !nativeGuard.MatchString(trimmed) && trimmed != ";" {
		d.shapes = true
	}
	return d
}

// isOne reports whether a text is surely no more than one declaration: with one block, if
// any, behind which no other begins, and the same braces whatever an #if decides.
func isOne(text string) bool {
	depth, blocks, ended := 0, 0, false
	var outside []int // the depth at each #if that is open
	directed := false
	for line := range strings.Lines(text) {
		if m := conditional.FindStringSubmatch(line); m != nil && !directed {
			switch {
			case strings.HasPrefix(m[1], "if"):
				outside = append(outside, depth)
			case len(outside) == 0 || outside[len(outside)-1] != depth:
				return false
			case m[1] == "endif":
				outside = outside[:len(outside)-1]
			}
		}
		if directed = directed || strings.HasPrefix(strings.TrimSpace(line), "#"); directed {
			directed = strings.HasSuffix(strings.TrimSpace(line), `\`)
			continue
		}
		for _, c := range line {
			switch {
			case ended && !unicode.IsSpace(c), depth < 0, blocks > 1:
				return false
			case c == '{':
				if depth++; depth == 1 {
					blocks++
				}
			case c == '}':
				depth--
			case c == ';' && depth == 0:
				ended = true
			}
		}
	}
	return depth == 0 && blocks <= 1 && len(outside) == 0
}

// typeNames returns the names of the types that a text declares or mentions by their
// kind, and of what has such a type. A macro in front of a name is none, nor is "final" behind it.
func typeNames(text string) (found []string) {
	for _, m := range nativeType.FindAllStringSubmatch(text, -1) {
		words := strings.Fields(m[1])
		if last := len(words) - 1; last > 0 && words[last] == "final" {
			words = words[:last]
		}
		for i, word := range words {
			if i == len(words)-1 || !nativeCapitals.MatchString(word) {
				found = append(found, word)
			}
		}
	}
	return found
}

// calledName returns the name of the function that a head declares, "" if it is none.
func calledName(head string) string {
	for _, m := range nativeCall.FindAllStringSubmatch(head, -1) {
		if !notCalled[m[1]] {
			return m[1]
		}
	}
	return ""
}

// outsideBrackets returns a text without what stands in brackets.
func outsideBrackets(text string) string {
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch c {
		case ')', ']', '>':
			depth = max(0, depth-1)
		}
		if depth == 0 {
			b.WriteRune(c)
		}
		switch c {
		case '(', '[', '<':
			depth++
		}
	}
	return b.String()
}

// namesIn returns the names that declarations may declare: those that are called, and those that a
// comma or the end follows.
func namesIn(text string) (found []string) {
	for _, pattern := range []*lazyregexp.Regexp{nativeCall, nativeNames} {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
	}
	return found
}

func cutLast(text, mark string) (before, after string, found bool) {
	if i := strings.LastIndex(text, mark); i >= 0 {
		return text[:i], text[i+len(mark):], true
	}
	return text, "", false
}
