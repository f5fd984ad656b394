package truth

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/scip"
)

// A difference explains why a place is in one of two answers about the uses of a symbol, and not in the other.
type difference struct {
	// server is a pattern; "" is about all.
	server string
	kind   string
	// missing says that the index has the place, and LSPine has not; else it is the other way round.
	missing bool
	// fault is whose answer leaves something out, or puts more under one name than it should.
	fault  string
	reason string
	fits   func(q *question, p place) bool
}

const (
	script = "typescript|typescript-language-server"
	anyOf  = ""
)

// differences are those that are no defects of LSPine: docs/reference/truth.md has them.
var differences = []difference{
	{
		server: anyOf, kind: "in a library", fault: "nobody",
		reason: "what overrides or implements something of a library is listed with the declaration there; an index has only files of the project",
		fits:   func(q *question, p place) bool { _, own := q.w.Files[p.file]; return !own },
	},
	{
		server: anyOf, kind: "of the same member", fault: "nobody",
		reason: "methods and fields that implement, override or, in a union of types, stand for each other are one answer of a server, and several symbols of an index",
		fits: func(q *question, p place) bool {
			return q.symbol.isMember() && q.another(p, (*symbol).isMember)
		},
	},
	{
		server: anyOf, kind: "not indexed", fault: "the indexer",
		reason: "the indexer has no symbol where the name stands: in a file or a branch for another system, in a comment that links to it, at a label, at a name that an import repeats",
		fits: func(q *question, p place) bool {
			return len(q.x.at[p]) == 0 && q.isNamed(q.w.wordAt(p))
		},
	},
	{
		server: script, kind: "not indexed", fault: "the indexer",
		reason: "the name that an import renames has a symbol of its own there",
		fits:   func(q *question, p place) bool { return q.w.isRenamed(p) },
	},
	{
		server: "pyright", kind: "arguments by name", fault: "the indexer",
		reason: "the name of an argument that is also one of the standard library has the symbol of that",
		fits: func(q *question, p place) bool {
			return q.symbol.isParameter() && q.another(p, func(s *symbol) bool { return len(s.defined) == 0 })
		},
	},
	{
		server: "pyright", kind: "arguments of unknown calls", missing: true, fault: "the server",
		reason: "an argument by name is none of the uses of the parameter, and has no definition either, if the server knows only in part what is called; the answer does not say so",
		fits: func(q *question, p place) bool {
			return q.symbol.isParameter() && regexp.MustCompile(`[(,]\s*`+regexp.QuoteMeta(q.symbol.name)+`\s*=[^=]`).MatchString(q.w.lineAt(p))
		},
	},
	{
		server: anyOf, kind: "parameters of overloads", missing: true, fault: "the indexer",
		reason: "the parameters and type parameters of all overloads of a function have one symbol",
		fits:   func(q *question, _ place) bool { return len(q.symbol.defined) > 1 && q.symbol.isParameter() },
	},
	{
		server: script, kind: "local symbols", fault: "the indexer",
		reason: "members of classes and overloads of functions that are declared in a function are related to nothing; and where a name is that of a variable and of a property, a server lists both",
		fits: func(q *question, p place) bool {
			return q.symbol.local && q.another(p, func(*symbol) bool { return true }) || q.another(p, func(s *symbol) bool { return s.local })
		},
	},
	{
		server: "pyright", kind: "several declarations", fault: "the indexer",
		reason: "what one name stands for in different branches, such as those for another system, are several symbols",
		fits: func(q *question, p place) bool {
			return q.another(p, func(s *symbol) bool { return s.module == q.symbol.module && !s.member || q.symbol.sharesFile(s) })
		},
	},
	{
		server: script, kind: "a type and a value", missing: true, fault: "the indexer",
		reason: "a type and a value of the same name have one symbol; a server tells them apart where they are used",
		fits:   func(q *question, _ place) bool { return len(q.symbol.defined) > 1 && q.symbol.last.Suffix == scip.Type },
	},
	{
		server: script, kind: "constructors", missing: true, fault: "nobody",
		reason: "a class and its constructor are one answer of a server where the class is created, and two symbols of an index",
		fits: func(q *question, p place) bool {
			return q.w.wordAt(p) == "constructor" && q.w.wordAt(q.at) != "constructor"
		},
	},
	{
		server: script, kind: "constructors", fault: "nobody",
		reason: "a class and its constructor are one answer of a server where the class is created, and two symbols of an index",
		fits: func(q *question, p place) bool {
			return q.w.wordAt(p) == "super" || slices.ContainsFunc(q.x.at[p], func(id string) bool { return q.x.isConstructor(id) != q.x.isConstructor(q.symbol.id) })
		},
	},
	{
		server: "rust-analyzer", kind: "Self", fault: "nobody",
		reason: "Self is listed as a use of the type; in the index, it is one of the implementation",
		fits:   func(q *question, p place) bool { return q.w.wordAt(p) == "Self" },
	},
	{
		server: "rust-analyzer", kind: "one symbol of several things", missing: true, fault: "the indexer",
		reason: "methods of several implementations, and items of several functions and crates, have one symbol",
		fits:   func(q *question, _ place) bool { return len(q.symbol.defined) > 1 },
	},
	{
		server: "pyright", kind: "attributes by another name", missing: true, fault: "the indexer",
		reason: "attributes that are assigned in a method have the symbol of the class",
		fits: func(q *question, p place) bool {
			return q.symbol.last.Suffix == scip.Type && strings.Contains(q.w.lineAt(p), "."+q.w.wordAt(p))
		},
	},
}

// differenceOf returns the entry that explains a place, or nil.
func differenceOf(q *question, p place, missing bool) *difference {
	for i := range differences {
		d := &differences[i]
		if d.missing == missing && (d.server == "" || regexp.MustCompile("^(?:"+d.server+")$").MatchString(q.w.Server)) && d.fits(q, p) {
			return d
		}
	}
	return nil
}

// isNamed reports whether a word is the name of the symbol, or one that an import gives it.
func (q *question) isNamed(word string) bool {
	if word == q.symbol.name {
		return true
	}
	for p := range q.symbol.places {
		if q.w.wordAt(p) == word {
			return true
		}
	}
	return false
}

func (s *symbol) isParameter() bool {
	return s.last.Suffix == scip.Parameter || s.last.Suffix == scip.TypeParameter
}

func (s *symbol) isMember() bool { return s.member || s.last.Suffix == scip.Meta } // of a type, or of an object

// another reports whether the index has another symbol at a place that has the name of the one that is asked about, and is so.
func (q *question) another(p place, is func(*symbol) bool) bool {
	return q.w.wordAt(p) == q.symbol.name && slices.ContainsFunc(q.x.at[p], func(id string) bool { return is(q.x.symbols[id]) })
}

// sharesFile reports whether another symbol stands in a file in which this one is defined.
func (s *symbol) sharesFile(other *symbol) bool {
	for p := range other.places {
		for d := range s.defined {
			if d.file == p.file {
				return true
			}
		}
	}
	return false
}

func (x *index) isConstructor(id string) bool { return strings.HasSuffix(id, "`<constructor>`().") }

var identifier = regexp.MustCompile(`^[\p{L}\p{N}_$]+`)

// wordAt returns the name that stands at a place, "" if none does.
func (w *world) wordAt(p place) string {
	lines := strings.Split(w.Files[p.file], "\n")
	if p.line > len(lines) {
		return ""
	}
	line := lines[p.line-1]
	from, ok := offset(line, p.column-1, scip.UTF16)
	if !ok {
		return ""
	}
	return identifier.FindString(line[from:])
}

// isRenamed reports whether an import gives what stands at a place another name.
func (w *world) isRenamed(p place) bool {
	return regexp.MustCompile(`(?:^|[{,\s])` + regexp.QuoteMeta(w.wordAt(p)) + `\s+as\s`).MatchString(w.lineAt(p))
}

// differencesInWords are the entries, each once.
func differencesInWords() string {
	var lines []string
	for _, d := range differences {
		about := strings.ReplaceAll(d.server, "|", ", ")
		if about == "" {
			about = "all"
		}
		line := fmt.Sprintf("* %s, %s (%s): %s.", about, d.kind, map[string]string{"nobody": "no fault"}[d.fault], d.reason)
		if d.fault != "nobody" {
			line = fmt.Sprintf("* %s, %s (a fault of %s): %s.", about, d.kind, d.fault, d.reason)
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
