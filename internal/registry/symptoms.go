package registry

// Symptoms are the errors by which a server tells of a project that is not set up, and
// not of a text that is wrong. Each field is a regular expression for "CODE: MESSAGE";
// "" matches nothing.
type Symptoms struct {
	// Missing is of an error about something that is not found. Its first group that
	// matched is the name of that: a module, a header.
	Missing string
	// Follows is of errors that may come of what is missing, anywhere in the file.
	Follows string
	// Nearby is of those that may come of it only in the line of another such error, or
	// in the next.
	Nearby string
	// Apart is of a finding that says that the server has the file in none of the projects
	// it has loaded.
	Apart string
}

// Unable is a message by which a server says that it judges a file not at all, although it
// answers as if nothing were wrong with it.
type Unable struct {
	Method string
	// URI is the member of the parameters that names the file, dotted.
	URI string
	// Member says whether it is so, if it has this JSON value; "": it always is.
	Member, Value string
	// Reason is for people.
	Reason string
}

// cSymptoms: without the headers, names are unknown; and where a macro is one of them,
// what stands beside it is no longer a declaration.
var cSymptoms = &Symptoms{
	Missing: `^pp_file_not_found\w*: .*'([^']+)' file not found|^no_member: (?i:no member named) '([^']+)' in namespace 'std'|^pp_hash_error: (.*)`,
	Follows: `^(?:unknown_typename|undeclared_|no_member|no_template|no_type_named|typename_nested_not_found|expected_(?:namespace|class)_name|explicit_instantiation_not_known|` +
		`using_decl|template_|incomplete_|\w+_incomplete_|-Wimplicit-function-declaration|-Wimplicit-int|` +
		// A type that is not known is taken for int.
		`\w+: .*(?:'int'|\(aka 'int'\))|excess_initializers|typecheck_subscript_value|ovl_no_)`,
	Nearby: `^(?:expected|extraneous_|missing_|invalid_|unexpected_|decl_|constructor_|not_|bad_)`,
}

// scriptSymptoms: what comes of a package that is not there has no type.
var scriptSymptoms = &Symptoms{
	Missing: `^(?:2307|2792|2732): Cannot find (?:module|type definition file for) '([^']+)'|^7016: .* for module '([^']+)'|^2882: .* import of '([^']+)'|^2875: .* module path '([^']+)'|^2688: .*'([^']+)'|` +
		"^(?:2580|2581|2582|2591|2592|2593): .*`npm i --save-dev (@types/[\\w.-]+)`",
	Follows: `^(?:7005|7006|7019|7026|7031|7034|2503|2578|2686): `,
}

var pythonSymptoms = &Symptoms{
	Missing: `^reportMissingImports: Import "([^"]+)" could not be resolved`,
	Follows: `^reportUn(?:known|typed)\w+: |^reportMissingType\w+: `,
}

var goSymptoms = &Symptoms{Missing: `^BrokenImport: could not import (\S+)`}

var javaSymptoms = &Symptoms{
	Missing: `: The import (\S+) cannot be resolved`,
	Follows: `: .*(?:cannot be resolved|is undefined for the type|is undefined$|must override or implement a supertype method|is inconsistent$|` +
		`refers to the missing type|is not applicable for the arguments)|: The declared package |: Implicit super constructor `,
	Apart: `^16: .* is a non-project file`,
}
