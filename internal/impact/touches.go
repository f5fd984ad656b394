package impact

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// A touch is a symbol that an edit changes.
type touch struct {
	target symbols.Target
	name   string // the name path
	// inferred says that only the body of a function changes, and that its type
	// may follow from it.
	inferred bool
	// derives says that only types derived from it are concerned.
	derives bool
}

// deriving is a line in which a type is derived from another.
var deriving = lazyregexp.New(`\b(class|extends|implements|interface|struct|impl|trait|dyn)\b`)

// touches returns the symbols of the old text that a change touches: those around
// a changed line, and the types around members of theirs.
func touches(c Change, o *symbols.Outline, text *protocol.Mapper) []touch {
	members := outside(nil, o.Symbols)
	if c.After == nil {
		var all []touch
		for _, s := range members {
			all = append(all, touching(o.Path, s))
		}
		return all
	}
	lines := changedLines(c)
	hit := make(map[*symbols.Symbol]bool)
	var all []touch
	for _, l := range lines {
		s := innermost(o, members, l.from, l.to)
		if s == nil {
			all = append(all, passedOn(o.Path, text, l)...)
		}
		hit[s] = true
	}
	for _, s := range members {
		if !hit[s] {
			continue
		}
		t := touching(o.Path, s)
		if isFunction(s.Kind) && bodyOnly(o.Path, s, text, lines) {
			if !infers(o.Path, s, text) {
				continue
			}
			t.inferred = !instantiated(o.Path, s, text) && !ownTypes.Match(textOf(s, text))
		}
		all = append(all, t)
		if holder := holderOf(members, s); holder != nil && !t.inferred && !hit[holder] {
			h := touching(o.Path, holder)
			h.derives = isFunction(s.Kind)
			all = append(all, h)
		}
	}
	return all
}

// ownTypes are declared in a body: a server says their names, not what they are.
var ownTypes = lazyregexp.New(`(?m)^\s*(abstract\s+|const\s+)?(class|interface|type|enum)\b`)

// textOf returns the lines of a symbol.
func textOf(s *symbols.Symbol, text *protocol.Mapper) []byte {
	from := text.Offset(protocol.Position{Line: s.Range.Start.Line + 1}, protocol.UTF16)
	return text.Content()[from:max(from, text.Offset(s.Range.End, protocol.UTF16))]
}

func touching(path string, s *symbols.Symbol) touch {
	return touch{
		name:   strings.Join(s.Path, "."),
		target: symbols.Target{Path: path, At: s.Selection.Start, Name: s.Name, Symbol: s},
	}
}

// outside returns the symbols that others can see: none from within functions.
func outside(found, list []*symbols.Symbol) []*symbols.Symbol {
	for _, s := range list {
		found = append(found, s)
		if !isFunction(s.Kind) && s.Kind != "constructor" && s.Kind != "variable" && s.Kind != "constant" {
			found = outside(found, s.Children)
		}
	}
	return found
}

// holderOf returns the type that s is a member of, nil if there is none.
func holderOf(members []*symbols.Symbol, s *symbols.Symbol) *symbols.Symbol {
	for _, m := range members {
		if isType(m.Kind) && slices.Contains(m.Children, s) {
			return m
		}
	}
	return nil
}

// A stretch is what an edit changes of the old text: the 0-based lines from to to,
// both included, or what is put between them if nothing of them stands changed.
type stretch struct {
	from, to int
	between  bool
}

// changedLines returns what a change does to the lines of the old text, a stretch
// for each line.
func changedLines(c Change) []stretch {
	m := edit.NewLineMap(c.Before, c.After)
	var all []stretch
	last := -1 // the new line of the last old one that stands
	count := protocol.NewMapper(protocol.Text(c.Before)).Lines()
	whole := true // since the last line that stands none was changed
	for line := range count {
		now, stands := m.Line(line)
		if !stands {
			all = append(all, stretch{from: line, to: line})
			whole = false
			continue
		}
		if whole && now != last+1 && line > 0 {
			all = append(all, stretch{from: line - 1, to: line, between: true})
		}
		last, whole = now, true
	}
	return all
}

// bodyOnly reports whether all changes within a function come after its head.
func bodyOnly(path string, s *symbols.Symbol, text *protocol.Mapper, lines []stretch) bool {
	end := headEnd(path, s, text)
	for _, l := range lines {
		inside := l.from >= int(s.Range.Start.Line) && l.to <= int(s.Range.End.Line)
		if inside && l.from <= end && !(l.between && l.from == end) {
			return false
		}
	}
	return end < int(s.Range.End.Line)
}

// headEnd returns the line on which the head of a function ends: where its body
// begins. Without a body it is the last line.
func headEnd(path string, s *symbols.Symbol, text *protocol.Mapper) int {
	depth := 0
	opens := byte('{')
	if language.Of(path).Indented {
		opens = ':'
	}
	for n := int(s.Selection.Start.Line); n <= int(s.Range.End.Line); n++ {
		line := text.Line(n)
		if n == int(s.Selection.Start.Line) {
			line = line[min(len(line), int(s.Selection.Start.Character)):]
		}
		for i, c := range line {
			switch {
			case depth == 0 && c == opens && endsLine(line[i+1:]):
				return n
			case c == '(' || c == '[' || c == '{':
				depth++
			case c == ')' || c == ']' || c == '}':
				depth--
			}
		}
	}
	return int(s.Range.End.Line)
}

// endsLine reports whether nothing but a comment follows.
func endsLine(rest []byte) bool {
	r := strings.TrimSpace(string(rest))
	return r == "" || strings.HasPrefix(r, "//") || strings.HasPrefix(r, "#") || strings.HasPrefix(r, "/*")
}

// infers reports whether the type of a function may follow from its body.
func infers(path string, s *symbols.Symbol, text *protocol.Mapper) bool {
	head := headOf(path, s, text)
	switch language.Of(path).Result {
	case language.Always:
		return false
	case language.UnlessTemplate:
		return templated.MatchString(headAbove(s, text)+head) || instantiated(path, s, text)
	case language.AfterArrow:
		return !strings.Contains(head, "->")
	}
	closing := strings.LastIndexByte(head, ')')
	return closing < 0 || !strings.HasPrefix(strings.TrimSpace(head[closing+1:]), ":")
}

// instantiated reports whether the body of a function is part of what its users see,
// so that no type of its own tells whether they are concerned.
func instantiated(path string, s *symbols.Symbol, text *protocol.Mapper) bool {
	if !language.Of(path).C {
		return false
	}
	above := ""
	if line := int(s.Range.Start.Line); line > 0 { // servers leave out the line with the parameters
		above = string(text.Line(line - 1))
	}
	return instance.MatchString(above + headAbove(s, text) + headOf(path, s, text))
}

var instance = lazyregexp.New(`\b(template|constexpr|consteval)\b`)

var templated = lazyregexp.New(`\b(template|auto|constexpr|consteval)\b`)

// headOf returns the text of a function from its name to its body.
func headOf(path string, s *symbols.Symbol, text *protocol.Mapper) string {
	end := headEnd(path, s, text)
	from := text.Offset(s.Selection.Start, protocol.UTF16)
	to := text.Offset(protocol.Position{Line: uint32(end) + 1}, protocol.UTF16)
	return string(text.Content()[from:max(from, to)])
}

// headAbove returns what stands before the name of a symbol.
func headAbove(s *symbols.Symbol, text *protocol.Mapper) string {
	return string(text.Content()[text.Offset(s.Range.Start, protocol.UTF16):text.Offset(s.Selection.Start, protocol.UTF16)])
}

var (
	passing    = lazyregexp.New(`^\s*(export\b|from\b.*\bimport\b|pub\b.*\buse\b|__all__\b|using\b|module\.exports\b)`)
	identifier = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)
	// declaring are the words of statements that bring names in or pass them on.
	declaring = map[string]bool{
		"export": true, "default": true, "from": true, "import": true, "pub": true, "use": true, "crate": true, "self": true,
		"super": true, "type": true, "as": true, "using": true, "__all__": true, "module": true, "exports": true, "include": true,
	}
)

// passedOn returns the names in a changed line outside of all symbols that passes
// names on to other files.
func passedOn(path string, text *protocol.Mapper, l stretch) []touch {
	line := text.Line(l.from)
	if l.between || !passing.Match(line) {
		return nil
	}
	start := text.Offset(protocol.Position{Line: uint32(l.from)}, protocol.UTF16)
	var all []touch
	for _, at := range identifier.FindAllIndex(line, -1) {
		name := string(line[at[0]:at[1]])
		if declaring[name] {
			continue
		}
		place := text.Position(start+at[0], protocol.UTF16)
		all = append(all, touch{name: name, target: symbols.Target{Path: path, At: place, Name: name}})
	}
	return all
}
