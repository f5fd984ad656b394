package registry

// A Wording is how a server says the same finding in more than one way: a suggestion that it makes or does not
// make, names that it shortens or does not, an explanation that it picks by chance. Whether a finding was there
// before is told by its place and its code; where the text was rewritten, its message has to do, and is compared
// as the rewrites make it.
type Wording []Rewrite

// A Rewrite makes different texts of the form "CODE: MESSAGE" about the same finding equal.
type Rewrite struct {
	// Has is a part of every text that Pattern matches, so that others need not be searched.
	Has string
	// Pattern is a regular expression, With what takes the place of each match, as in [regexp.Regexp.ReplaceAllString].
	Pattern, With string
}

// goWording: Go's type checker names a package by its full path while it knows two of the same name.
var goWording = Wording{
	{`".`, `"(?:[^"\s]*/)?([\pL_][\pL\pN_]*)(?:[./]v[0-9]+)?"\.([\pL_])`, "$1.$2"},
}

// scriptWording: TypeScript stops suggesting after ten suggestions, wherever they are, and an error with one has
// another code. It explains why types do not match, in indented lines, by the first reason that it finds.
// What a module declares but does not export is an error of its own.
var scriptWording = Wording{
	{"\n  ", `\n  [^\n]*`, ""},
	{". Did you mean ", `\. Did you mean [^?\n]*\?`, "."},
	{"2724: ", `^2724: '("[^"\n]*")' has no exported member named `, "2305: Module '$1' has no exported member "},
	{" locally, but it is ", `^(?:2459|2460): (Module '"[^"\n]*"') declares ('[^'\n]*') locally, but it is (?:not exported|exported as '[^'\n]*')\.`, "2305: $1 has no exported member $2."},
	{"2551: ", `^2551: `, "2339: "},
	{"2552: ", `^2552: `, "2304: "},
	{"2561: ", `^2561: `, "2353: "},
	{"2576: ", `^2576: `, "2339: "},
	{"2614: ", `^2614: `, "2305: "},
	{"2662: ", `^2662: `, "2304: "},
	{"2663: ", `^2663: `, "2304: "},
	{"2727: ", `^2727: `, "2726: "},
	{"2820: ", `^2820: `, "2322: "},
	{"2833: ", `^2833: `, "2503: "},
}

// clangWording: clang stops suggesting after fifty errors in a file and its includes, and suggests no name that is
// too different; an error with a suggestion has another code.
var clangWording = Wording{
	{"_suggest: ", `^(\w+)_suggest: `, "$1: "},
	{"; did you mean ", `; did you mean (?:simply )?'[^'\n]*'\?`, ""},
}

// rustWording: rustc names a file to create relative to the folder in which it runs.
var rustWording = Wording{
	{`create file "`, `((?:create file|or) )"[^"\n]*/([^"/\n]+)"`, `$1"$2"`},
}
