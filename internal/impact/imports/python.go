package imports

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

var (
	pythonFrom   = lazyregexp.New(`(?m)(?:^|[;:])[ \t]*from[ \t]*(\.*)[ \t]*([\pL\pN_.]*)[ \t]+import\b[ \t]*(\([^)]*\)|[^\n;]*)`)
	pythonImport = lazyregexp.New(`(?m)(?:^|[;:])[ \t]*import[ \t]+([^\n;]+)`)
	// pythonBy is an import that names its module in a string.
	pythonBy = lazyregexp.New(`import_module\(\s*["']([\w.]+)["']`)
	// pythonSpace binds a module.
	pythonSpace = lazyregexp.New(`\bimport[ \t]+[\w.]+[ \t]+as[ \t]+(\w+)|\bimport[ \t]+(\w+)`)
	continued   = lazyregexp.New(`\\\r?\n`)
)

func pythonImports(path string, text []byte) (list []reference) {
	code := continued.ReplaceAll(scan(string(text), language.Of(path).Lexis).code, []byte(" "))
	inPackage := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) == "__init__"
	for _, m := range pythonFrom.FindAllSubmatch(code, -1) {
		base, exact := string(filepath.Separator), false
		if dots := len(m[1]); dots > 0 {
			base, exact = filepath.Dir(path), true
			for range dots - 1 {
				base = filepath.Dir(base)
			}
		}
		module := filepath.Join(base, strings.ReplaceAll(string(m[2]), ".", "/"))
		// A package has the modules that it imports for members.
		list = append(list, reference{path: module, exact: exact, whole: inPackage || bytes.ContainsRune(m[3], '*')})
		for _, name := range identifier.FindAll(m[3], -1) { // it may be a module
			list = append(list, reference{path: filepath.Join(module, string(name)), exact: exact, whole: true})
		}
	}
	for _, m := range pythonImport.FindAllSubmatch(code, -1) {
		for part := range bytes.SplitSeq(m[1], []byte(",")) {
			name, _, _ := strings.Cut(strings.TrimSpace(string(part)), " ")
			list = append(list, pythonModule(name)...)
		}
	}
	for _, m := range pythonBy.FindAllSubmatch(code, -1) {
		list = append(list, pythonModule(string(m[1]))...)
	}
	return list
}

// pythonModule returns the module of a name, and the packages around it, which are
// brought in with it.
func pythonModule(name string) (list []reference) {
	const top = string(filepath.Separator)
	for path := top + strings.ReplaceAll(name, ".", top); path != top; path = filepath.Dir(path) {
		list = append(list, reference{path: path, whole: true})
	}
	return list
}

func pythonNamed(path string) (name, folder string) {
	path = strings.TrimSuffix(path, filepath.Ext(path))
	if filepath.Base(path) == "__init__" {
		folder = filepath.Dir(path)
	}
	return path, folder
}

var (
	pythonDef     = lazyregexp.New(`^(?:async\s+)?(?:def|class)\s+([\pL\pN_]+)`)
	pythonAny     = lazyregexp.New(`(?m)^[ \t]*(?:async\s+)?(?:def|class)\s+([\pL\pN_]+)`)
	pythonAssign  = lazyregexp.New(`(?m)^[ \t]*(?:type\s+)?([\pL\pN_., ()*\[\]]+?)\s*(?::[^=\n]*)?(?:[-+*/|&^%@]|//|\*\*|>>|<<)?=[^=]`)
	pythonBare    = lazyregexp.New(`(?m)^[ \t]*([\pL_][\pL\pN_]*)\s*:`)
	pythonPasses  = lazyregexp.New(`^(from|import)\b`)
	pythonBlock   = lazyregexp.New(`^(if|try|else|elif|except|finally|with|async\s+(?:with|for)|for|while|match|case)\b`)
	pythonTargets = lazyregexp.New(`\b(?:for|as|import|global)\s+([^\n:]+)`)
	pythonWalrus  = lazyregexp.New(`([\pL_][\pL\pN_]*)\s*:=`)
	pythonMain    = lazyregexp.New(`^if\s+__name__\s*==`)
	// sets is a statement in a body that gives an object an attribute, or the module a name.
	sets = lazyregexp.New(`(?m)^[ \t]*global\s|[\pL_][\pL\pN_]*\.[\pL_][\pL\pN_]*\s*(:|,|=[^=]|[-+*/|&^%@]=)|\bsetattr\b`)
)

func pythonDeclarations(path, text string) (list []declaration) {
	s := scan(text, language.Of(path).Lexis)
	if s.broken {
		return s.whole(pythonAny)
	}
	for _, part := range s.blocks() {
		d := s.python(part)
		if filepath.Base(path) == language.PythonGlobals {
			d.global = d.names
		}
		list = append(list, d)
	}
	return list
}

// blocks divides the top level of a Python text: decorators belong to what follows.
func (s *source) blocks() (parts []span) {
	depth, from := 0, 0
	decorated, goesOn := false, false
	for at := 0; at < len(s.bare); {
		end := at + 1 + bytes.IndexByte(s.bare[at:], '\n')
		if end == at {
			end = len(s.bare)
		}
		line := s.bare[at:end]
		if first := line[0]; depth == 0 && !goesOn && !isSpace(first) {
			if !decorated && at > from {
				parts = append(parts, span{from, at})
				from = at
			}
			decorated = first == '@'
		}
		for _, c := range line {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		goesOn = bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte("\\")) || s.inString(end)
		at = end
	}
	return append(parts, span{from, len(s.bare)})
}

// inString reports whether an offset is inside of a string.
func (s *source) inString(at int) bool {
	for _, str := range s.strings {
		if str.from < at && at <= str.to {
			return true
		}
	}
	return false
}

// python reads one block.
func (s *source) python(at span) declaration {
	bare := string(s.bare[at.from:at.to])
	head := bare
	for strings.HasPrefix(head, "@") || len(head) > 0 && isSpace(head[0]) {
		_, rest, found := strings.Cut(head, "\n")
		if !found {
			break
		}
		head = rest
	}
	if strings.HasPrefix(head, ")") || strings.HasPrefix(head, "]") { // a decorator of several lines
		if m := pythonAny.FindStringIndex(head); m != nil {
			head = strings.TrimLeft(head[m[0]:], " \t\r\n")
		}
	}
	d := s.part(at.from, at.to, s.pythonBodies(at))
	m := pythonDef.FindStringSubmatch(head)
	switch {
	case m != nil:
		d.names = m[1:]
	case pythonMain.MatchString(head):
		d.hidden, d.shown, d.sure = d.shown+d.hidden, "", ""
	case pythonPasses.MatchString(head):
		d.passes = true
		d.shapes = strings.Contains(head, "*")
	case pythonBlock.MatchString(head):
		d.passes = true
		d.names = pythonBound(bare)
		d.shapes = len(d.names) == 0
	case strings.HasPrefix(head, "\"") || strings.HasPrefix(head, "'"): // a text that documents the module
		d.shown, d.sure = "", ""
	default:
		d.names = pythonBound(head)
		d.shapes = len(d.names) == 0 && strings.TrimSpace(head) != "" || strings.HasPrefix(head, "__all__")
		if strings.Contains(head, ";") {
			d.names = append(d.names, identifier.FindAllString(head, -1)...)
		}
	}
	d.shapes = d.shapes || strings.Contains(head, "__all__") || len(d.names) > 0 && d.names[0] == "__getattr__"
	return d
}

// pythonBound returns the names that statements bind.
func pythonBound(text string) (bound []string) {
	for _, binds := range []*lazyregexp.Regexp{pythonAny, pythonAssign, pythonBare, pythonTargets, pythonWalrus} {
		for _, m := range binds.FindAllStringSubmatch(text, -1) {
			bound = append(bound, identifier.FindAllString(m[1], -1)...)
		}
	}
	kept := bound[:0]
	for _, name := range bound {
		if !keywords[name] && !pythonWords[name] {
			kept = append(kept, name)
		}
	}
	return kept
}

var pythonWords = map[string]bool{
	"in": true, "not": true, "and": true, "or": true, "is": true, "None": true, "True": true, "False": true, "lambda": true,
	"for": true, "while": true, "with": true, "finally": true, "elif": true, "return": true, "match": true, "case": true,
}

// pythonBodies returns the bodies of functions that set nothing but their own
// variables.
func (s *source) pythonBodies(at span) (bodies []body) {
	text := s.bare[at.from:at.to]
	for _, m := range pythonAny.FindAllIndex(text, -1) {
		from := at.from + m[0]
		if len(bodies) > 0 && from < bodies[len(bodies)-1].to || !pythonFunction.Match(text[m[0]:m[1]]) {
			continue
		}
		colon, written := s.headEnd(from, at.to)
		end := s.bodyEnd(from, colon, at.to)
		if colon < end && !sets.Match(s.bare[colon:end]) {
			bodies = append(bodies, body{span{colon, end}, written})
		}
	}
	return bodies
}

var pythonFunction = lazyregexp.New(`\bdef\b`)

// headEnd returns the offset beyond the colon that ends the head of a function, and
// whether its result is written.
func (s *source) headEnd(from, to int) (colon int, written bool) {
	depth := 0
	for i := from; i < to; i++ {
		switch c := s.bare[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth > 0:
		case c == '-' && i+1 < to && s.bare[i+1] == '>':
			written = true
		case c == ':':
			return i + 1, written
		}
	}
	return to, false
}

// bodyEnd returns where the body ends of a function whose head begins at from: before
// the next line of code that is not deeper.
func (s *source) bodyEnd(from, colon, to int) int {
	lineStart := bytes.LastIndexByte(s.bare[:from+1], '\n') + 1
	for isSpace(s.bare[from]) {
		from++
	}
	lineStart = max(lineStart, bytes.LastIndexByte(s.bare[:from], '\n')+1)
	depth := from - lineStart
	for at := colon; ; {
		n := bytes.IndexByte(s.bare[at:to], '\n')
		if n < 0 {
			return to
		}
		at += n + 1
		line, _, _ := bytes.Cut(s.bare[at:to], []byte("\n"))
		if len(bytes.TrimSpace(line)) > 0 && indent(line) <= depth && !s.inString(at) {
			return at
		}
	}
}
