package imports

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A declaration is a stretch of lines at the top level of a file, and what it
// declares.
type declaration struct {
	names []string
	// lines are the text, in which those of opaque show nothing to users: bodies of
	// functions whose types are written.
	lines  []string
	opaque []bool
	// passes says that every name that is mentioned is passed on.
	passes bool
}

// names are words that mean something else after a change.
type names map[string]bool

// sorted returns the names in order.
func (n names) sorted() []string { return slices.Sorted(maps.Keys(n)) }

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

// grow returns the names, with those that a file declares by means of them, and
// whether it mentions any.
func grow(n names, list []declaration) (all names, mentions bool) {
	all = make(names, len(n))
	for name := range n {
		all[name] = true
	}
	for grown := true; grown; {
		grown = false
		for _, d := range list {
			uses, shows := d.mentions(all)
			mentions = mentions || uses
			if !shows {
				continue
			}
			for _, name := range d.declares(all) {
				if !all[name] {
					all[name], grown = true, true
				}
			}
		}
	}
	return all, mentions
}

// mentions reports whether a declaration mentions a name at all, and whether it does
// where users can see it.
func (d *declaration) mentions(n names) (uses, shows bool) {
	for i, line := range d.lines {
		if n.mentioned(line) {
			uses = true
			shows = shows || !d.opaque[i]
		}
	}
	return uses, shows
}

var alias = regexp.MustCompile(`([\pL_$][\pL\pN_$]*)\s+as\s+([\pL_$][\pL\pN_$]*)`)

// declares returns the names that a declaration gives to what n means.
func (d *declaration) declares(n names) []string {
	if !d.passes {
		return d.names
	}
	found := slices.Clone(d.names)
	for _, line := range d.lines {
		for _, m := range alias.FindAllStringSubmatch(line, -1) {
			if n[m[1]] {
				found = append(found, m[2])
			}
		}
	}
	return found
}

// stretches divides lines where one begins a declaration.
func stretches(text string, begins func(line string) bool) (all [][]string) {
	for line := range strings.SplitSeq(text, "\n") {
		if len(all) == 0 || begins(line) {
			all = append(all, nil)
		}
		last := len(all) - 1
		all[last] = append(all[last], line)
	}
	return all
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

var (
	scriptNames  = regexp.MustCompile(`^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|interface|type|enum|const\s+enum|const|let|var|namespace|module)\s+([\w$]+|[{\[][^}\]]*[}\]])`)
	scriptPasses = regexp.MustCompile(`^(import|export)\b`)
	writtenType  = regexp.MustCompile(`\)\s*:\s*[^=]*\{\s*$`)
	scriptTyped  = regexp.MustCompile(`^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+[\w$]+\s*:`)
)

func scriptDeclarations(text string) (list []declaration) {
	for _, lines := range stretches(text, func(line string) bool {
		return line != "" && indent(line) == 0 && !strings.ContainsAny(line[:1], "})]/*")
	}) {
		d := declaration{lines: lines, opaque: make([]bool, len(lines))}
		m := scriptNames.FindStringSubmatch(lines[0])
		if m == nil {
			d.passes = scriptPasses.MatchString(lines[0])
		} else {
			d.names = identifier.FindAllString(m[1], -1)
			d.hideBodies(writtenType, lines[0])
		}
		if strings.HasPrefix(lines[0], "export default") {
			d.names = append(d.names, "default")
		}
		if m != nil && scriptTyped.MatchString(lines[0]) && strings.Contains(lines[0], "=") {
			for i := 1; i < len(lines); i++ {
				d.opaque[i] = true
			}
		}
		list = append(list, d)
	}
	return list
}

// hideBodies makes the bodies opaque that follow a line with a written type: that of
// a function, or those of the members of a type.
func (d *declaration) hideBodies(head *regexp.Regexp, first string) {
	if strings.Contains(first, "function") || strings.HasPrefix(first, "def ") || strings.HasPrefix(first, "async def ") {
		d.hide(0, head)
		return
	}
	for i := 1; i < len(d.lines); i++ {
		d.hide(i, head)
	}
}

// hide makes what stands deeper than line i opaque, if it heads a body.
func (d *declaration) hide(i int, head *regexp.Regexp) {
	// A head of several lines ends with one that is no deeper.
	if !head.MatchString(d.lines[i]) {
		return
	}
	for j := i + 1; j < len(d.lines); j++ {
		if strings.TrimSpace(d.lines[j]) == "" {
			continue
		}
		if indent(d.lines[j]) <= indent(d.lines[i]) {
			return
		}
		d.opaque[j] = true
	}
}

var (
	pythonDef     = regexp.MustCompile(`^(?:async\s+)?(?:def|class)\s+(\w+)`)
	pythonAssign  = regexp.MustCompile(`^(?:type\s+)?([\w., ()*\[\]]+?)\s*(?::[^=]*)?=[^=]`)
	pythonPasses  = regexp.MustCompile(`^(from|import|if|try|else|except)\b`)
	pythonReturns = regexp.MustCompile(`->.*:\s*(#.*)?$`)
)

func pythonDeclarations(text string) (list []declaration) {
	decorated := false
	for _, lines := range stretches(text, func(line string) bool {
		begins := line != "" && indent(line) == 0 && !strings.ContainsAny(line[:1], ")]}#") && !decorated
		decorated = strings.HasPrefix(line, "@")
		return begins
	}) {
		first := lines[0]
		for _, line := range lines {
			if first = line; !strings.HasPrefix(line, "@") {
				break
			}
		}
		d := declaration{lines: lines, opaque: make([]bool, len(lines))}
		if m := pythonDef.FindStringSubmatch(first); m != nil {
			d.names = m[1:]
			d.hideBodies(pythonReturns, first)
		} else if pythonPasses.MatchString(first) {
			d.passes = true
		} else if m := pythonAssign.FindStringSubmatch(first); m != nil {
			d.names = identifier.FindAllString(m[1], -1)
		}
		list = append(list, d)
	}
	return list
}

var (
	nativeType  = regexp.MustCompile(`\b(?:class|struct|union|enum(?:\s+class)?|using|concept|namespace)\s+(?:\[\[[^\]]*\]\]\s*)?(\w+)`)
	nativeMacro = regexp.MustCompile(`^\s*#\s*define\s+(\w+)`)
	nativeCall  = regexp.MustCompile(`(\w+)\s*\(`)
	nativeNames = regexp.MustCompile(`(\w+)\s*(?:\[[^\]]*\])?\s*(?:=[^;]*|\{[^;]*)?;`)
	nativeSpace = regexp.MustCompile(`^\s*(?:inline\s+)?namespace\b|^\s*extern\s+"C"`)
	deduced     = regexp.MustCompile(`\b(auto|template|constexpr|consteval|concept|decltype)\b`)
)

// nativeDeclarations divides a text at blank lines and where a declaration ends
// outside of all but namespaces.
func nativeDeclarations(text string) (list []declaration) {
	depth := 0
	var lines []string
	end := func() {
		if len(lines) > 0 {
			list = append(list, nativeDeclaration(lines))
		}
		lines = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if nativeSpace.MatchString(line) {
			end()
			continue
		}
		lines = append(lines, line)
		depth = max(0, depth+strings.Count(line, "{")-strings.Count(line, "}"))
		trimmed := strings.TrimSpace(line)
		if depth == 0 && (trimmed == "" || strings.HasSuffix(trimmed, ";") || strings.HasSuffix(trimmed, "}") || strings.HasPrefix(trimmed, "#")) {
			end()
		}
	}
	end()
	return list
}

func nativeDeclaration(lines []string) declaration {
	d := declaration{lines: lines, opaque: make([]bool, len(lines))}
	whole := strings.Join(lines, "\n")
	head, body, hasBody := strings.Cut(whole, "{")
	for _, m := range slices.Concat(nativeMacro.FindAllStringSubmatch(whole, -1), nativeType.FindAllStringSubmatch(head, -1)) {
		d.names = append(d.names, m[1])
	}
	function := nativeCall.FindStringSubmatch(head)
	switch {
	case len(d.names) > 0:
	case function != nil:
		d.names = function[1:]
		if hasBody && !deduced.MatchString(head) {
			first := len(lines) - 1 - strings.Count(body, "\n")
			for i := first + 1; i < len(lines); i++ {
				d.opaque[i] = true
			}
			if first == len(lines)-1 && strings.Count(whole, "{") > 0 { // on one line
				d.lines = append(slices.Clone(lines[:first]), lines[first][:strings.Index(lines[first], "{")], lines[first][strings.Index(lines[first], "{"):])
				d.opaque = append(d.opaque, true)
			}
		}
	default:
		for _, m := range nativeNames.FindAllStringSubmatch(whole, -1) {
			d.names = append(d.names, m[1])
		}
	}
	return d
}
