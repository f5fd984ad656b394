package symbols

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// A Selector names one symbol, in one of five forms: a position (File, Line,
// Column), a line and a name (File, Line, Symbol), a name path in a file (File,
// Symbol), a name path in the workspace (Symbol), or a snippet with @@ at the
// cursor (File, Pattern). At holds any of the first four in one string.
type Selector struct {
	At string
	// File is a path as the caller names it.
	File string
	// Line and Column are 1-based, Column in UTF-16; 0 means not given.
	Line, Column int
	Symbol       string
	Pattern      string
	// ScopeStart and ScopeEnd are the 1-based lines that the pattern is looked
	// for in, both included; 0 means the ends of the file.
	ScopeStart, ScopeEnd int
	// Language is the LSP language id of a name path in the workspace, "" for
	// any.
	Language string
}

// Empty reports whether no field is set.
func (s Selector) Empty() bool {
	s.Language = ""
	return s == Selector{}
}

func (s Selector) String() string {
	switch {
	case s.Pattern != "":
		return fmt.Sprintf("%s %q", s.File, s.Pattern)
	case s.Line > 0 && s.Symbol != "":
		return fmt.Sprintf("%s:%d %s", s.File, s.Line, s.Symbol)
	case s.Line > 0 && s.Column > 0:
		return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
	case s.Line > 0:
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	case s.File != "" && s.Symbol != "":
		return s.File + " " + s.Symbol
	}
	return s.Symbol + s.File
}

// a place in At: file, line, perhaps a column, perhaps a name.
var placed = lazyregexp.New(`^(.+?)(?::|#L)(-?\d+)(?::(-?\d+))?(?::)?(?:\s+(\S.*))?$`)

// normal returns the selector with At taken apart and everything checked that
// can be without a file. exists says whether a file of that name is there.
func (s Selector) normal(exists func(name string) bool) (Selector, error) {
	if s.At != "" {
		beside := s.Line != 0 || s.Column != 0 || s.Symbol != "" || s.Pattern != ""
		switch {
		case beside && s.File == "" && exists(s.At): // it is the file alone
			s.File, s.At = s.At, ""
			return s, s.check()
		case beside || s.File != "":
			return s, &SelectorError{"at", "it says it all; file, line, column, symbol and pattern go without it", selectorForms}
		}
		if err := s.takeApart(exists); err != nil {
			return s, err
		}
	}
	return s, s.check()
}

func (s *Selector) takeApart(exists func(name string) bool) error {
	at := strings.TrimSpace(s.At)
	s.At = ""
	if m := placed.FindStringSubmatch(at); m != nil {
		s.File, s.Symbol = m[1], m[4]
		var err error
		if s.Line, err = number("line", m[2]); err != nil {
			return err
		}
		if m[3] != "" {
			s.Column, err = number("column", m[3])
		}
		return err
	}
	if file, written, ok := splitDeclaration(at); ok {
		s.File, s.Symbol = strings.TrimSuffix(file, ":"), written
		return nil
	}
	if i := strings.LastIndexAny(at, " \t"); i > 0 {
		s.File, s.Symbol = strings.TrimSpace(at[:i]), at[i+1:]
		return nil
	}
	if exists(at) {
		s.File = at
		return nil
	}
	if file, name, ok := strings.Cut(at, ":"); ok && exists(file) {
		s.File, s.Symbol = file, strings.TrimLeft(name, ":")
		return nil
	}
	s.Symbol = at
	return nil
}

func number(argument, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, &SelectorError{argument, text + " is too large", selectorForms}
	}
	if n < 1 {
		return 0, startsAtOne(argument, n)
	}
	return n, nil
}

func startsAtOne(argument string, n int) error {
	return &SelectorError{argument, fmt.Sprintf("%d: %ss start at 1", n, argument), selectorForms}
}

func (s *Selector) check() error {
	switch {
	case s.Line < 0:
		return startsAtOne("line", s.Line)
	case s.Column < 0:
		return startsAtOne("column", s.Column)
	case s.ScopeStart < 0 || s.ScopeEnd < 0 || s.ScopeEnd > 0 && s.ScopeEnd < s.ScopeStart:
		return &SelectorError{
			"line_scope_end", fmt.Sprintf("%d to %d is no range of lines", s.ScopeStart, s.ScopeEnd),
			"lines start at 1 and the end is not before the start",
		}
	case s.File == "" && s.Symbol == "":
		return &SelectorError{"at", "no symbol is named", selectorForms}
	case s.File == "" && (s.Line > 0 || s.Column > 0 || s.Pattern != ""):
		return &SelectorError{"file", "a line, a column or a pattern needs the file it is in", selectorForms}
	case s.Pattern != "" && (s.Line > 0 || s.Column > 0 || s.Symbol != ""):
		return &SelectorError{"pattern", "it says the place; line, column and symbol go without it", `for example file "a.go" with pattern "func @@Load("`}
	case s.Pattern != "" && strings.Count(s.Pattern, "@@") != 1:
		return &SelectorError{"pattern", "it needs one @@, at the cursor", `for example "func @@Load("`}
	case s.Pattern == "" && s.Column > 0 && s.Line == 0:
		return &SelectorError{"line", "a column needs its line", selectorForms}
	case s.Pattern == "" && s.Line == 0 && s.Symbol == "":
		return &SelectorError{"at", s.File + " is a file; which symbol in it?", selectorForms}
	}
	return nil
}

// written is the head of a declaration as it stands in code: of a Go method with its
// receiver, of a C-like or scripting language with the words before the name.
var (
	writtenMethod = lazyregexp.New(`^(?:func\s*)?\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*(\w+)`)
	writtenName   = lazyregexp.New(`^(?:(?:pub(?:\([^)]*\))?|export|default|public|private|protected|static|abstract|final|async|unsafe|const|extern|inline|virtual|declare|readonly)\s+)*` +
		`(?:fn|func|function\*?|def|class|struct|enum|union|interface|trait|type|const|let|var|mod|namespace)\s+([\w$]+)`)
)

// declarationName returns the name path that a declaration gives, if a text is the
// head of one, such as func (f *File) Cleanup().
func declarationName(text string) (string, bool) {
	if m := writtenMethod.FindStringSubmatch(text); m != nil {
		return m[1] + "." + m[2], true
	}
	if m := writtenName.FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	return "", false
}

// splitDeclaration takes apart a file and the head of a declaration, the file being
// "" if there is none.
func splitDeclaration(at string) (file, written string, ok bool) {
	if _, ok := declarationName(at); ok {
		return "", at, true
	}
	for i, r := range at {
		if r != ' ' && r != '\t' {
			continue
		}
		rest := strings.TrimLeft(at[i:], " \t")
		if _, ok := declarationName(rest); ok && i > 0 {
			return strings.TrimSpace(at[:i]), rest, true
		}
	}
	return "", "", false
}
