package imports

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var nativeLexis = &lexis{comment: "//", multiline: true, quotes: `"'`, raw: true}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:include|import|include_next|embed)[ \t]*["<]([^">\n]+)[">]`)

func includes(_ string, text []byte) (list []reference) {
	for _, m := range includeLine.FindAllSubmatch(text, -1) {
		list = append(list, reference{path: filepath.Clean("/" + string(m[1])), whole: true}) // drops what leads upwards
	}
	return list
}

var (
	nativeType  = regexp.MustCompile(`\b(?:class|struct|union|enum(?:\s+class)?|using|concept|namespace)\s+(?:\[\[[^\]]*\]\]\s*)?(\w+)`)
	nativeMacro = regexp.MustCompile(`(?m)^\s*#\s*(?:define|undef)\s+(\w+)`)
	nativeCall  = regexp.MustCompile(`(?:\(\s*[*&^]\s*)?\b(\w+)\s*\)?\s*\(`)
	nativeNames = regexp.MustCompile(`(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=[^;,]*|\{[^;]*)?[;,]`)
	nativeSpace = regexp.MustCompile(`^\s*(?:inline\s+)?namespace\b|^\s*extern\s+"C"`)
	nativeEnum  = regexp.MustCompile(`\benum\b`)
	deduced     = regexp.MustCompile(`\b(auto|template|constexpr|consteval|concept|decltype)\b`)
	// nativeShapes gives what follows, or all that looks names up, another meaning.
	nativeShapes = regexp.MustCompile(`^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|include|import|pragma\s+(pack|push_macro|pop_macro))\b|\boperator\b|\busing\s+namespace\b|^\s*[A-Za-z_]\w*\s*\(|\bmodule\b|\bfriend\b|\bexplicit\b`)
	nativeGuard  = regexp.MustCompile(`^\s*#\s*pragma\s+once\s*$`)
	notCalled    = map[string]bool{
		"__attribute__": true, "alignas": true, "decltype": true, "noexcept": true, "explicit": true, "requires": true, "__declspec": true,
		"int": true, "void": true, "char": true, "bool": true, "long": true, "double": true, "float": true, "unsigned": true, "short": true,
		"if": true, "while": true, "for": true, "switch": true, "return": true, "sizeof": true, "auto": true, "const": true,
	}
)

// nativeDeclarations divides a text where a declaration ends outside of all but
// namespaces.
func nativeDeclarations(_, text string) (list []declaration) {
	s := scan(text, nativeLexis)
	depth, from, at := 0, 0, 0
	end := func(to int) {
		if strings.TrimSpace(string(s.bare[from:to])) != "" {
			list = append(list, s.native(span{from, to}))
		}
		from = to
	}
	goesOn := false
	for line := range strings.SplitAfterSeq(string(s.bare), "\n") {
		start := at
		at += len(line)
		trimmed := strings.TrimSpace(line)
		directive := strings.HasPrefix(trimmed, "#")
		if directive && !goesOn {
			end(start)
		}
		wasDirective := directive || goesOn && from < start && strings.HasPrefix(strings.TrimSpace(string(s.bare[from:start])), "#")
		goesOn = strings.HasSuffix(trimmed, `\`)
		if wasDirective {
			if !goesOn {
				end(at)
			}
			continue
		}
		if depth == 0 && nativeSpace.MatchString(line) {
			end(start)
			depth = strings.Count(line, "{") - strings.Count(line, "}") - 1
			depth = max(0, depth)
			end(at)
			continue
		}
		depth = max(0, depth+strings.Count(line, "{")-strings.Count(line, "}"))
		if depth == 0 && (trimmed == "" || strings.HasSuffix(trimmed, ";") || strings.HasSuffix(trimmed, "}")) {
			end(at)
		}
	}
	end(len(s.bare))
	return list
}

// native reads one declaration.
func (s *source) native(at span) declaration {
	whole := string(s.bare[at.from:at.to])
	head, inside, hasBody := strings.Cut(whole, "{")
	trimmed := strings.TrimSpace(whole)
	shapes := nativeShapes.MatchString(head) && !nativeGuard.MatchString(trimmed)
	if strings.HasPrefix(trimmed, "}") || nativeSpace.MatchString(whole) { // of a namespace
		d := s.part(at.from, at.to, nil)
		d.shapes = true
		return d
	}
	var found []string
	for _, m := range slices.Concat(nativeMacro.FindAllStringSubmatch(whole, -1), nativeType.FindAllStringSubmatch(head, -1)) {
		found = append(found, m[1])
	}
	function := calledName(head)
	var bodies []body
	switch {
	case strings.HasPrefix(trimmed, "#"):
	case len(found) > 0 && (function == "" || !hasBody || strings.Contains(head, " enum ")):
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
		found = append(found, function)
		if hasBody && !deduced.MatchString(head) {
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

// calledName returns the name of the function that a head declares, "" if it is none.
func calledName(head string) string {
	for _, m := range nativeCall.FindAllStringSubmatch(head, -1) {
		if !notCalled[m[1]] {
			return m[1]
		}
	}
	return ""
}

func cutLast(text, mark string) (before, after string, found bool) {
	if i := strings.LastIndex(text, mark); i >= 0 {
		return text[:i], text[i+len(mark):], true
	}
	return text, "", false
}
