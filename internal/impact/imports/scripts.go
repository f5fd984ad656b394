package imports

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

func scanScript(path string, text []byte) source { return scan(string(text), language.Of(path).Lexis) }

var (
	beforeSpec  = lazyregexp.New(`(\b(from|import)|\b(require|import|resolve|mock)\s*\()\s*$`)
	beforeWhole = lazyregexp.New(`\*\s*(as\s+[\pL_$][\pL\pN_$]*\s*)?from\s*$|\(\s*$`)
	commentSpec = lazyregexp.New(`(?:\bfrom|\bimport\s*\(|\brequire\s*\(|<reference\s+(?:path|types)\s*=)\s*["']([^"'\n]+)["']`)
)

func scriptImports(path string, text []byte) (list []reference) {
	s := scanScript(path, text)
	add := func(spec string, whole bool) {
		ref := reference{whole: whole, exact: strings.HasPrefix(spec, ".")}
		if ref.exact {
			ref.path, _ = scriptNamed(filepath.Join(filepath.Dir(path), spec))
		} else {
			ref.path, _ = scriptNamed(filepath.FromSlash("/" + strings.TrimLeft(spec, "@~#/")))
			ref.spec = spec
		}
		if !slices.Contains(list, ref) {
			list = append(list, ref)
		}
	}
	for _, str := range s.strings {
		before := s.bare[max(0, str.from-1-80) : str.from-1]
		if mayImport(before) && beforeSpec.Match(before) {
			add(string(text[str.from:str.to]), beforeWhole.Match(before))
		}
	}
	for _, comment := range s.comments { // types and paths in comments
		for _, m := range commentSpec.FindAllSubmatch(text[comment.from:comment.to], -1) {
			add(string(m[1]), true)
		}
	}
	if s.broken { // the text of components, too
		for _, m := range commentSpec.FindAllSubmatch(text, -1) {
			add(string(m[1]), true)
		}
	}
	return list
}

// mayImport reports whether what stands before a string may say that it names a module:
// most are told apart without an expression.
func mayImport(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r\n")
	if call, ok := bytes.CutSuffix(before, []byte("(")); ok {
		before = bytes.TrimRight(call, " \t\r\n")
	}
	for _, word := range []string{"from", "import", "require", "resolve", "mock"} {
		if bytes.HasSuffix(before, []byte(word)) {
			return true
		}
	}
	return false
}

func scriptNamed(path string) (name, folder string) {
	for _, ending := range language.ModuleEndings {
		if short, ok := strings.CutSuffix(path, ending); ok {
			path = short
			break
		}
	}
	if filepath.Base(path) == language.IndexName {
		folder = filepath.Dir(path)
	}
	return path, folder
}

const scriptHead = `(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?`

var (
	scriptNames  = lazyregexp.New(`^(?:@[^\n]*\s+)*` + scriptHead + `(?:function\s*\*?|class|interface|type|enum|const\s+enum|const|let|var|using|namespace|module)\s+([\w$]+|[{\[][^=]*[}\]])`)
	scriptAny    = lazyregexp.New(`\b(?:function\s*\*?|class|interface|type|enum|const|let|var|namespace|module)\s+([\w$]+)`)
	scriptPasses = lazyregexp.New(`^(import|export)\b`)
	scriptTyped  = lazyregexp.New(`^` + scriptHead + `(?:const|let|var)\s+[\w$]+\s*:`)
	variables    = lazyregexp.New(`^` + scriptHead + `(?:const|let|var|using)\s`)
	moreNames    = lazyregexp.New(`,\s*([\w$]+)\s*[=:!,;]`)
	starPassing  = lazyregexp.New(`^(?:export\s*(type\s*)?\*|import\s*["'])`)
	starExport   = lazyregexp.New(`^export\s*(?:type\s*)?\*\s*from\b`)
	forEverybody = lazyregexp.New(`^(?:(?:export\s+)?declare\s+(?:global|module\s*["'])|export\s+as\s+namespace)`)
	opensDefault = lazyregexp.New(`^export(?:\s+default\b|\s*=)`)
	asDefault    = lazyregexp.New(`\bmodule\.exports\b|^export\s*\{[^}]*\bas\s+default\b`)
	forModule    = lazyregexp.New(`\bexports\b`)
	// startWord begins a statement wherever it stands; goesOn ends a line that does not
	// end its statement, and goingOn begins one that goes on with the line above.
	startWord = lazyregexp.New(`^(?:export|import|function|class|interface|type|enum|const|let|var|declare|namespace|module|abstract|async)\b[ \t]*[\w$*{"'=(\[]|^@[\w$]`)
	goesOn    = lazyregexp.New(`([=(,+*/&|?:<.{\[!~^%-]|=>|\b(extends|implements|export|default|declare|abstract|async|return|typeof|keyof|new|in|of|as|from|import|type|const|let|var))\s*$`)
	goingOn   = lazyregexp.New(`^([^\w$@"'\x60(\[]|(extends|implements|from|as|in|of|instanceof|satisfies|else|catch|finally|is)\b)`)
)

func scriptDeclarations(path, text string) []declaration {
	s := scanScript(path, []byte(text))
	if s.broken {
		return s.whole(scriptAny)
	}
	var list []declaration
	module := s.isModule()
	for _, part := range s.statements() {
		list = append(list, s.script(part, module))
	}
	return list
}

// isModule reports whether a script is a module: at its top level it imports or exports something. What
// it declares for everybody, or in a namespace, may be exported without that.
func (s *source) isModule() bool {
	if moduleMark.Match(s.code) {
		return true
	}
	depth, at := 0, 0
	for _, found := range moduleWord.FindAllIndex(s.bare, -1) {
		for ; at < found[1]; at++ {
			switch s.bare[at] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		if depth <= 0 || s.broken {
			return true
		}
	}
	return false
}

// statements divides the top level of a script.
func (s *source) statements() (parts []span) {
	depth, from := 0, 0
	fresh := true // a statement may begin here
	lineStart := 0
	for i, c := range s.bare {
		switch c {
		case '\n':
			lineStart = i + 1
			fresh = fresh || depth == 0
			continue
		case ' ', '\t', '\r':
			continue
		}
		if depth == 0 && fresh && i > from && s.begins(from, i, lineStart) {
			parts = append(parts, span{from, i})
			from = i
		}
		fresh = false
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			fresh = depth == 0 && c == '}'
		case ';':
			fresh = depth == 0
		}
	}
	return append(parts, span{from, len(s.bare)})
}

// begins reports whether a statement begins at an offset where another may end.
func (s *source) begins(from, at, lineStart int) bool {
	before := bytes.TrimSpace(s.bare[from:at])
	if len(before) == 0 || before[0] == '@' && !bytes.ContainsAny(before, "{;") {
		return false // a decorator belongs to what follows
	}
	if len(before) > 32 {
		before = before[len(before)-32:]
	}
	ended := before[len(before)-1] == ';' || before[len(before)-1] == '}'
	if startWord.Match(s.bare[at:min(len(s.bare), at+24)]) {
		return ended || !goesOn.Match(before)
	}
	if at != lineStart {
		return before[len(before)-1] == ';'
	}
	if !ended && goesOn.Match(before) {
		return false
	}
	return !goingOn.Match(s.bare[at:min(len(s.bare), at+16)])
}

// script reads one statement.
func (s *source) script(at span, module bool) declaration {
	bare := string(s.bare[at.from:at.to])
	head := strings.TrimLeft(bare, " \t\r\n")
	opens := opening(head)
	start := at.from + len(bare) - len(head)
	d := s.part(at.from, at.to, s.scriptBodies(start, at.to, opens))
	m := scriptNames.FindStringSubmatch(head)
	if m == nil {
		d.passes = scriptPasses.MatchString(opens)
	} else {
		d.names = slices.DeleteFunc(identifier.FindAllString(m[1], -1), func(name string) bool { return name == "extends" })
	}
	if variables.MatchString(opens) {
		for _, more := range moreNames.FindAllStringSubmatch(string(flat([]byte(head)))+";", -1) {
			d.names = append(d.names, more[1])
		}
	}
	named := strings.Contains(head, "exports") && forModule.MatchString(head)
	if opensDefault.MatchString(opens) || (named || strings.Contains(head, "default")) && asDefault.MatchString(head) {
		d.names = append(d.names, "default")
	}
	switch {
	case forEverybody.MatchString(opens):
		for _, inside := range scriptAny.FindAllStringSubmatch(head, -1) {
			d.global = append(d.global, inside[1])
		}
		d.global = append(d.global, d.names...)
		d.names = d.global
		d.shapes = true
	case !module:
		d.global = d.names
	}
	empty := strings.Trim(head, "; \t\r\n") == ""
	d.shapes = d.shapes || starPassing.MatchString(opens) || !empty && len(d.names) == 0 && !d.passes && !named
	if named && m == nil { // exports.name = value
		d.names = append(d.names, identifier.FindAllString(head, -1)...)
	}
	return d
}

// statement returns the code of a statement, from its first word on.
func (d *declaration) statement() string { return strings.TrimLeft(d.shown, " \t\r\n;") }

// exports reports whether a statement of a script exports something.
func (d *declaration) exports() bool { return strings.HasPrefix(d.statement(), "export") }

// opening returns the first words of a statement, with one space for each gap:
// expressions that look at its beginning only are slow on a long text.
func opening(statement string) string {
	const most = 160
	words := make([]byte, 0, most)
	for i := 0; i < len(statement) && len(words) < most; i++ {
		c := statement[i]
		if isSpace(c) {
			if len(words) > 0 && words[len(words)-1] != ' ' {
				words = append(words, ' ')
			}
			continue
		}
		words = append(words, c)
	}
	return string(words)
}

// scriptBodies returns what a statement hides: the bodies of functions whose result is
// written, and the value of a variable whose type is. Opens is how it begins.
func (s *source) scriptBodies(from, to int, opens string) (bodies []body) {
	if scriptTyped.MatchString(opens) {
		if at := valueAt(s.bare[from:to]); at > 0 && bytes.IndexByte(flat(s.bare[from+at:to]), ',') < 0 {
			return []body{{span{from + at, to}, true}}
		}
		return nil
	}
	var open []int
	for i := from; i < to; i++ {
		switch s.bare[i] {
		case '(':
			open = append(open, i)
			continue
		case ')':
		default:
			continue
		}
		first := from
		if len(open) > 0 {
			first, open = open[len(open)-1], open[:len(open)-1]
		}
		before := bytes.TrimRight(s.bare[from:first], " \t\r\n")
		at, arrow := bodyAfter(s.bare[:to], i+1)
		written := at > 0 && (!arrow || beforeArrow.Match(before))
		if !written {
			if at = untypedBody(s.bare[:to], i+1); at == 0 || controls.Match(before) {
				continue
			}
		}
		end := closing(s.bare[:to], at)
		bodies = append(bodies, body{span{at + 1, end}, written})
		i = end
	}
	return bodies
}

var (
	beforeBody = lazyregexp.New(`^\s*(=>\s*)?\{`)
	controls   = lazyregexp.New(`(^|[^\w$.])(if|for|while|switch|catch|with)$`)
)

// untypedBody returns where the body begins of the function whose parameters end before
// an offset, if its result is not written; 0 if not.
func untypedBody(text []byte, at int) int {
	if m := beforeBody.FindIndex(text[at:]); m != nil {
		return at + m[1] - 1
	}
	return 0
}

// beforeArrow is what may stand before the parameters of an arrow function and not
// before an operand of a conditional expression.
var beforeArrow = lazyregexp.New(`([=(,:\[{>]|\basync|\breturn|\bdefault)$`)

// flat returns what of a text stands in no brackets.
func flat(text []byte) (outside []byte) {
	depth := 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		default:
			if depth == 0 {
				outside = append(outside, c)
			}
		}
	}
	return outside
}

// valueAt returns the offset beyond the equals sign of a variable, 0 if there is none.
func valueAt(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '=':
			if depth == 0 && i+1 < len(text) && text[i+1] != '>' {
				return i + 1
			}
		}
	}
	return 0
}

// typeWord may stand before another word in a type.
var typeWord = lazyregexp.New(`(?:^|[^\w$])(is|extends|keyof|infer|asserts|typeof|readonly|unique|new|in|out|abstract)$`)

// bodyAfter returns where the body begins of the function whose parameters end before
// an offset, if its result is written; 0 if not. Arrow says that it follows one.
func bodyAfter(text []byte, at int) (begin int, arrow bool) {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	if at >= len(text) || text[at] != ':' {
		return 0, false
	}
	operand := true // a type comes next; else the one before may be all
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case isSpace(c):
		case c == '{' && !operand:
			return i, false
		case c == '{' || c == '(' || c == '[':
			i = closing(text, i)
			operand = false
		case c == '=' && i+1 < len(text) && text[i+1] == '>':
			i++
			operand = true
			if next := bytes.TrimLeft(text[i+1:], " \t\r\n"); len(next) > 0 && next[0] == '{' && arrowBody(text[at:i-1]) {
				return i + 1 + bytes.IndexByte(text[i+1:], '{'), true
			}
		case strings.IndexByte("|&,<?:.", c) >= 0:
			operand = true
		case c == '>' || c == '"' || c == '\'' || c == '`':
			operand = false
			if c != '>' {
				i = max(i, i+bytes.IndexByte(text[i+1:], c)+1)
			}
		case isWord(c):
			if !operand && !typeWord.Match(bytes.TrimRight(text[at:i], " \t\r\n")) && !typeWord.Match(wordAt(text, i)) {
				return 0, false
			}
			word := wordAt(text, i)
			i += len(word) - 1
			operand = typeWord.Match(word)
		default:
			return 0, false
		}
	}
	return 0, false
}

// arrowBody reports whether the arrow after a type begins a body: the type is no list
// of parameters.
func arrowBody(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r\n")
	return len(before) > 0 && before[len(before)-1] != ')'
}

func wordAt(text []byte, at int) []byte {
	end := at
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return text[at:end]
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// closing returns the offset of the bracket that closes the one at an offset.
func closing(text []byte, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

var (
	moduleWord    = lazyregexp.New(`(?m)(?:^|[;}])[ \t]*(?:import|export)\b`)
	moduleMark    = lazyregexp.New(`\brequire\s*\(|\bmodule\.exports\b`)
	defaultImport = lazyregexp.New(`\bimport\s+(?:type\s+)?([\pL_$][\pL\pN_$]*)\s*(?:,[^;]*)?\bfrom\b|\b(?:const|let|var|import)\s+([\pL_$][\pL\pN_$]*)\s*=\s*require\(`)
	namespace     = lazyregexp.New(`\*\s*as\s+([\pL_$][\pL\pN_$]*)\s+from\b|\b(?:const|let|var|import)\s+([\pL_$][\pL\pN_$]*)\s*=\s*(?:await\s+import|require)\s*\(`)
)

const scriptName = `([\pL_$][\pL\pN_$]*)`

var exportedByDefault = lazyregexp.New(`\bexport\s+default\s+(?:abstract\s+)?(?:async\s+)?(?:function\b\s*\*?|class\b|interface\b)?\s*` + scriptName +
	`|` + scriptName + `\s+as\s+default\b|\b(?:module\.exports|export)\s*=\s*` + scriptName)

// GivesByDefault reports whether a script exports a name by default: others call it what they like.
func GivesByDefault(text, name string) bool {
	for _, m := range exportedByDefault.FindAllStringSubmatch(text, -1) {
		if m[1]+m[2]+m[3] == name {
			return true
		}
	}
	return false
}

// TakesDefault reports whether a script brings in what another exports by default.
func TakesDefault(text string) bool { return defaultImport.MatchString(text) }
