package impact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// Exported returns the symbols that a file shows to others, by the rules of its
// language as far as they can be read off names and lines. A language without
// known rules shows all that it declares.
func Exported(o *symbols.Outline, text *protocol.Mapper) []*symbols.Symbol {
	declared := Declared(o, text)
	shows := rulesOf(o, text)
	return slices.DeleteFunc(declared, func(s *symbols.Symbol) bool { return !shows(s) })
}

// An exportRule makes of a file what tells whether it shows one of its symbols to others.
type exportRule func(o *symbols.Outline, text *protocol.Mapper) func(*symbols.Symbol) bool

// exportRules are those of the languages whose rules can be read off names and lines.
var exportRules = map[language.ID]exportRule{
	language.Go:              goShows,
	language.Python:          pythonShows,
	language.TypeScript:      scriptShows,
	language.TypeScriptReact: scriptShows,
	language.JavaScript:      scriptShows,
	language.JavaScriptReact: scriptShows,
	language.C:               nativeShows,
	language.CPP:             nativeShows,
	language.ObjectiveC:      nativeShows,
	language.ObjectiveCPP:    nativeShows,
	language.Rust:            rustShows,
	language.Java:            unlessPrivate,
	language.Kotlin:          unlessPrivate,
	language.CSharp:          unlessPrivate,
	language.Scala:           unlessPrivate,
	language.Swift:           unlessPrivate,
	language.PHP:             unlessPrivate,
}

func rulesOf(o *symbols.Outline, text *protocol.Mapper) func(*symbols.Symbol) bool {
	if rule, known := exportRules[language.Of(o.Path).ID]; known {
		return rule(o, text)
	}
	return func(*symbols.Symbol) bool { return true }
}

// hasRules reports whether it can be read off a file of the name what it exports. What a source
// of C defines others may declare wherever they like.
func hasRules(name string) bool {
	l := language.Of(name)
	_, known := exportRules[l.ID]
	return known && (l.Family != language.NativeFamily || language.IsHeader(name))
}

// goShows follows the capital letter.
func goShows(*symbols.Outline, *protocol.Mapper) func(*symbols.Symbol) bool {
	return func(s *symbols.Symbol) bool {
		first, _ := utf8.DecodeRuneInString(s.Name)
		return unicode.IsUpper(first)
	}
}

func unlessPrivate(_ *symbols.Outline, text *protocol.Mapper) func(*symbols.Symbol) bool {
	return func(s *symbols.Symbol) bool { return !private.MatchString(head(s, text)) }
}

// mainPackage is the clause of a Go package that nobody can import.
var mainPackage = lazyregexp.New(`(?m)^package main\b`)

var (
	private  = lazyregexp.New(`\b(private|fileprivate)\b`)
	public   = lazyregexp.New(`\bpub\b`)
	static   = lazyregexp.New(`\bstatic\b`)
	exports  = lazyregexp.New(`\bexport\b`)
	listed   = lazyregexp.New(`(?s)(?:\bexport\s*(?:type\s*)?|module\.exports\s*=\s*)\{([^}]*)\}`)
	singly   = lazyregexp.New(`(?m)(?:\bexport\s+default\s+|\bexport\s*=\s*|module\.exports\s*=\s*)([\w$]+)\s*;?\s*$|^\s*(?:module\.)?exports\.([\w$]+)\s*=`)
	allNames = lazyregexp.New(`(?s)(?:^|\n)__all__\s*(?::[^=]*)?=\s*[\[(]([^\])]*)[\])]`)
	quoted   = lazyregexp.New(`["']([^"']+)["']`)
	word     = lazyregexp.New(`[\w$]+`)
)

// head returns the text of a declaration up to its name, with the rest of the
// lines it stands in.
func head(s *symbols.Symbol, text *protocol.Mapper) string {
	first, last := s.Range.Start, s.Selection.Start
	var lines []string
	for n := first.Line; n <= last.Line; n++ {
		line := text.Line(int(n))
		if n == last.Line {
			to := text.Offset(last, protocol.UTF16) - text.Offset(protocol.Position{Line: n}, protocol.UTF16)
			line = line[:min(max(to, 0), len(line))]
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\n")
}

// pythonShows follows __all__ where it is a plain list, underscores otherwise.
func pythonShows(_ *symbols.Outline, text *protocol.Mapper) func(*symbols.Symbol) bool {
	var all map[string]bool
	if m := allNames.FindSubmatch(text.Content()); m != nil {
		all = make(map[string]bool)
		for _, name := range quoted.FindAllSubmatch(m[1], -1) {
			all[string(name[1])] = true
		}
	}
	return func(s *symbols.Symbol) bool {
		for _, name := range s.Path {
			if strings.HasPrefix(name, "_") {
				return false
			}
		}
		return all == nil || all[s.Path[0]]
	}
}

// scriptShows follows export and CommonJS; a file with neither is a script, whose
// top level everybody sees.
func scriptShows(_ *symbols.Outline, text *protocol.Mapper) func(*symbols.Symbol) bool {
	content := text.Content()
	named := make(map[string]bool)
	for _, m := range listed.FindAllSubmatch(content, -1) {
		for item := range strings.SplitSeq(string(m[1]), ",") {
			item, _, _ = strings.Cut(item, ":") // {name: value}
			if w := word.FindString(strings.TrimPrefix(strings.TrimSpace(item), "type ")); w != "" {
				named[w] = true
			}
		}
	}
	for _, m := range singly.FindAllSubmatch(content, -1) {
		named[string(m[1])+string(m[2])] = true
	}
	isModule := len(named) > 0 || exports.Match(content)
	return func(s *symbols.Symbol) bool {
		if strings.HasPrefix(s.Name, "#") || private.MatchString(head(s, text)) {
			return false
		}
		if !isModule || named[s.Path[0]] {
			return true
		}
		if len(s.Path) > 1 {
			return exportedLine(s.Path[0], text)
		}
		return exports.MatchString(head(s, text))
	}
}

// exportedLine reports whether a line exports the declaration of a name.
func exportedLine(name string, text *protocol.Mapper) bool {
	declares := regexp.MustCompile(`\bexport\b.*\b` + regexp.QuoteMeta(name) + `\b`)
	return declares.Match(text.Content())
}

// nativeShows takes what has a name and is not static at the top level.
func nativeShows(_ *symbols.Outline, text *protocol.Mapper) func(*symbols.Symbol) bool {
	return func(s *symbols.Symbol) bool {
		if slices.ContainsFunc(s.Path, func(name string) bool { return strings.Contains(name, "anonymous") }) {
			return false
		}
		return len(s.Path) > 1 || !static.MatchString(head(s, text))
	}
}

// rustShows takes what is pub, and the methods of traits, which are as public as
// the trait.
func rustShows(o *symbols.Outline, text *protocol.Mapper) func(*symbols.Symbol) bool {
	traits := make(map[*symbols.Symbol]*symbols.Symbol) // by method
	for _, s := range o.All() {
		for _, child := range s.Children {
			if s.Kind == "interface" {
				traits[child] = s
			}
		}
	}
	return func(s *symbols.Symbol) bool {
		if trait := traits[s]; trait != nil {
			s = trait
		}
		return !inlineTest(o.Path, s) && public.MatchString(head(s, text))
	}
}
