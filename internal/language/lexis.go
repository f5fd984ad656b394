package language

import "github.com/lspine/lspine/internal/lazyregexp"

// A Lexis is what tells the code of a language from its comments and strings.
type Lexis struct {
	// Comment begins a comment that ends with its line.
	Comment string
	// BlockComments says that there are comments between /* and */.
	BlockComments bool
	// Quotes are the quotes of strings that end with their line, one byte each.
	Quotes string
	// Triple says that three quotes enclose strings of several lines.
	Triple bool
	// Templates says that backquotes enclose strings of several lines, with code in ${ }.
	Templates bool
	// Regexps says that a slash may begin a regular expression.
	Regexps bool
	// Raw says that there are raw strings of C++.
	Raw bool
	// Meaning finds comments that a type checker reads; nil if it reads none.
	Meaning *lazyregexp.Regexp
}

var (
	nativeLexis = &Lexis{Comment: "//", BlockComments: true, Quotes: `"'`, Raw: true}
	pythonLexis = &Lexis{
		Comment: "#", Quotes: `"'`, Triple: true,
		Meaning: lazyregexp.New(`^#\s*(type|pyright|mypy)\s*:`),
	}
	typedLexis = &Lexis{
		Comment: "//", BlockComments: true, Quotes: `"'`, Templates: true, Regexps: true,
		Meaning: lazyregexp.New(`@ts-|^///\s*<|@jsx`),
	}
	// In JavaScript comments tell types.
	plainLexis = &Lexis{
		Comment: "//", BlockComments: true, Quotes: `"'`, Templates: true, Regexps: true,
		Meaning: lazyregexp.New(`@|^///\s*<`),
	}
)
