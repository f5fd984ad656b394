package scip

import "strings"

// A Suffix says what kind of thing a descriptor names.
type Suffix byte

// The suffixes of descriptors. Those of methods, parameters and type parameters have more characters in a symbol.
const (
	Namespace     Suffix = '/'
	Type          Suffix = '#'
	Term          Suffix = '.'
	Method        Suffix = '('
	TypeParameter Suffix = '['
	Parameter     Suffix = ')'
	Meta          Suffix = ':'
	Macro         Suffix = '!'
)

// A Descriptor is one name in the path of a symbol.
type Descriptor struct {
	Name   string
	Suffix Suffix
}

// A Symbol is what the text of a symbol says.
type Symbol struct {
	// Local is the name of a symbol that belongs to one document, "" of all others.
	Local                             string
	Scheme, Manager, Package, Version string
	Descriptors                       []Descriptor
}

// Last returns the descriptor of the symbol itself, the zero one of a local symbol.
func (s Symbol) Last() Descriptor {
	if len(s.Descriptors) == 0 {
		return Descriptor{}
	}
	return s.Descriptors[len(s.Descriptors)-1]
}

// IsMember reports whether a symbol is declared in a type.
func (s Symbol) IsMember() bool {
	for _, d := range s.Descriptors[:max(0, len(s.Descriptors)-1)] {
		if d.Suffix != Namespace {
			return true
		}
	}
	return false
}

// ParseSymbol takes a symbol apart, false if it is not well-formed.
func ParseSymbol(text string) (s Symbol, ok bool) {
	if id, local := strings.CutPrefix(text, "local "); local {
		return Symbol{Local: id}, id != ""
	}
	for _, part := range []*string{&s.Scheme, &s.Manager, &s.Package, &s.Version} {
		if *part, text, ok = word(text); !ok {
			return Symbol{}, false
		}
	}
	for text != "" {
		var d Descriptor
		if d, text, ok = descriptor(text); !ok {
			return Symbol{}, false
		}
		s.Descriptors = append(s.Descriptors, d)
	}
	return s, len(s.Descriptors) > 0
}

// word returns what stands before the next single space; a double one stands for a space.
func word(text string) (first, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == ' ' {
			if i+1 == len(text) || text[i+1] != ' ' {
				return b.String(), text[i+1:], true
			}
			i++
		}
		b.WriteByte(text[i])
	}
	return "", "", false
}

func descriptor(text string) (d Descriptor, rest string, ok bool) {
	switch text[0] {
	case '[', '(':
		d.Suffix = TypeParameter
		end := "]"
		if text[0] == '(' {
			d.Suffix, end = Parameter, ")"
		}
		if d.Name, rest, ok = name(text[1:]); !ok || !strings.HasPrefix(rest, end) {
			return d, "", false
		}
		return d, rest[1:], true
	}
	if d.Name, rest, ok = name(text); !ok || rest == "" {
		return d, "", false
	}
	d.Suffix, rest = Suffix(rest[0]), rest[1:]
	switch d.Suffix {
	case Namespace, Type, Term, Meta, Macro:
		return d, rest, true
	case Method:
		_, rest, ok = strings.Cut(rest, ").")
		return d, rest, ok
	}
	return d, "", false
}

// name returns the name that a text begins with.
func name(text string) (first, rest string, ok bool) {
	if !strings.HasPrefix(text, "`") {
		i := 0
		for i < len(text) && isSimple(text[i]) {
			i++
		}
		return text[:i], text[i:], i > 0
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] == '`' {
			if i+1 == len(text) || text[i+1] != '`' {
				return b.String(), text[i+1:], true
			}
			i++
		}
		b.WriteByte(text[i])
	}
	return "", "", false
}

func isSimple(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '+' || c == '-' || c == '$'
}

// String returns the text of a symbol.
func (s Symbol) String() string {
	if s.Local != "" {
		return "local " + s.Local
	}
	var b strings.Builder
	for _, part := range []string{s.Scheme, s.Manager, s.Package, s.Version} {
		if part == "" {
			part = "."
		}
		b.WriteString(strings.ReplaceAll(part, " ", "  ") + " ")
	}
	for _, d := range s.Descriptors {
		b.WriteString(d.String())
	}
	return b.String()
}

// String returns the text of a descriptor.
func (d Descriptor) String() string {
	named := d.Name
	if named == "" || strings.ContainsFunc(named, func(r rune) bool { return r > 0x7f || !isSimple(byte(r)) }) {
		named = "`" + strings.ReplaceAll(named, "`", "``") + "`"
	}
	switch d.Suffix {
	case Method:
		return named + "()."
	case TypeParameter:
		return "[" + named + "]"
	case Parameter:
		return "(" + named + ")"
	}
	return named + string(rune(d.Suffix))
}
