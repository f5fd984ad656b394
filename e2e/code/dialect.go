package code

import (
	"strings"
	"unicode"
)

// A Dialect is how a language is changed: by patterns, so that what comes out may be
// anything. The compiler judges it.
type Dialect struct {
	endings []string
	comment string
	// wrong is a line with an error, which holds at the end of a file.
	wrong string
	// heads are the patterns of declarations, with NAME for the name; they match from the
	// beginning of a line.
	heads []string
	// types are what is put in place of each other; extra is one more parameter, after
	// what receiver matches.
	types    []string
	extra    string
	receiver string
	// returns matches the type that a function returns; its first group is replaced.
	returns string
	// hidden is how a head looks to others no more.
	hidden func(head, name string) string
	// indented blocks end where the indentation does.
	indented bool
}

const scriptModifiers = `(?:export |default |declare |abstract |async |readonly |public |private |protected |static )*`

var script = Dialect{
	endings: []string{".ts"}, comment: "// a comment", wrong: `export const wrongX: number = "x"`,
	heads: []string{
		`[ \t]*` + scriptModifiers + `(?:function\*?|class|interface|type|const enum|const|let|var|enum|namespace) +NAME\b`,
		`[ \t]+` + scriptModifiers + `NAME[?!]?\s*[:(<]`,
	},
	types: []string{"number", "string", "boolean", "any", "void"}, extra: "extra: number", returns: `\)\s*:\s*([^{=;\n]+?)\s*(?:\{|;|\n|$)`,
	hidden: func(head, _ string) string {
		return strings.Replace(strings.Replace(head, "export ", "", 1), "public ", "private ", 1)
	},
}

// Dialects are those of the languages, by server.
var Dialects = map[string]Dialect{
	"gopls": {
		endings: []string{".go"}, comment: "// a comment", wrong: `var wrongX int = "x"`,
		heads: []string{`func (?:\([^)\n]*\) )?NAME\b`, `(?:type|var|const) NAME\b`, `\tNAME +[\w.*\[\]]+`},
		types: []string{"int", "string", "error", "bool"}, extra: "extra int", returns: `\)\s+([\w.*\[\]]+|\([^)\n]*\))\s*\{`,
		hidden: func(head, name string) string {
			first := []rune(name)
			if unicode.IsUpper(first[0]) {
				first[0] = unicode.ToLower(first[0])
			} else {
				first[0] = unicode.ToUpper(first[0])
			}
			return strings.Replace(head, name, string(first), 1)
		},
	},
	"typescript":                 script,
	"typescript-language-server": script,
	"pyright": {
		endings: []string{".py"}, comment: "# a comment", wrong: `wrongX: int = "x"`,
		heads: []string{`[ \t]*(?:async )?(?:def|class) +NAME\b`, `[ \t]*NAME\s*(?::|=)`},
		types: []string{"int", "str", "bool", "bytes"}, extra: "extra: int", receiver: `self|cls`, returns: `->\s*([^:\n]+):`, indented: true,
		hidden: func(head, name string) string { return strings.Replace(head, name, "_"+name, 1) },
	},
	"clangd": {
		endings: []string{".cpp", ".cc", ".h", ".hpp"}, comment: "// a comment", wrong: `int wrongX = "x";`,
		heads: []string{`(?:class|struct|enum|union)(?: [A-Z_]+)? +NAME\b[^;\n]*$`, `[ \t]*[\w:<>*&~ \t]*\bNAME\s*\([^\n]*$`, `[ \t]+[\w:<>*& \t]+\bNAME;`},
		types: []string{"int", "double", "bool", "void", "char"}, extra: "int extra", returns: `^[ \t]*((?:[\w:<>*&]+[ \t]+)+[*&]?)NAME`,
		hidden: func(head, name string) string { return strings.Replace(head, name, "hidden"+name, 1) },
	},
	"rust-analyzer": {
		endings: []string{".rs"}, comment: "// a comment", wrong: `pub static WRONG: u32 = "x";`,
		heads: []string{`[ \t]*(?:pub(?:\([^)\n]*\))? )?(?:const |unsafe |async )*(?:fn|struct|enum|trait|type|static|mod|const|union) NAME\b`, `[ \t]+(?:pub(?:\([^)\n]*\))? )?NAME:`},
		types: []string{"u64", "usize", "bool", "u8", "str"}, extra: "extra: u32", receiver: `&(?:mut )?self|mut self|self`, returns: `->\s*([^{;\n]+?)\s*(?:\{|;|where)`,
		hidden: func(head, _ string) string {
			return strings.Replace(strings.Replace(head, "pub(crate) ", "", 1), "pub ", "", 1)
		},
	},
	"jdtls": {
		endings: []string{".java"}, comment: "// a comment", wrong: `class WrongX { int wrong = "x"; }`,
		heads: []string{
			`(?:public |final |abstract )*(?:class|interface|enum) NAME\b`,
			`[ \t]+(?:public |protected |private |static |final |abstract |synchronized )+[\w<>\[\], ?]*\bNAME\s*[(;=]`,
		},
		types: []string{"int", "String", "boolean", "char", "long", "void"}, extra: "int extra", returns: `((?:[\w<>\[\]]+))\s+NAME\s*\(`,
		hidden: func(head, _ string) string {
			if open, ok := strings.CutPrefix(head, "public "); ok { // a type that no other holds cannot be private
				return open
			}
			return strings.Replace(strings.Replace(head, "public ", "private ", 1), "protected ", "private ", 1)
		},
	},
}

// dialectOf returns the dialect of what a server reads; of several servers, separated by commas, only the endings.
func dialectOf(servers string) Dialect {
	all := strings.Split(servers, ",")
	if len(all) == 1 {
		return Dialects[servers]
	}
	var d Dialect
	for _, one := range all {
		d.endings = append(d.endings, Dialects[one].endings...)
	}
	return d
}
