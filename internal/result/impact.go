package result

// An Impact is what a change of symbols reaches.
type Impact struct {
	Head
	// Changed are the files that the symbols are of, if files were named.
	Changed []string       `json:"changed,omitempty" jsonschema:"the changed files"`
	Total   int            `json:"total" jsonschema:"number of symbols"`
	Symbols []ImpactSymbol `json:"symbols"`
	// TestFiles are all files with tests that use one of the symbols.
	TestFiles []string `json:"test_files,omitempty"`
	// References, Own and Tests count the uses of all symbols: in other files, in
	// the file of the symbol, and in tests. Failed counts the symbols whose uses
	// are not known.
	References int `json:"references" jsonschema:"uses in other files, outside tests"`
	Own        int `json:"own,omitempty" jsonschema:"uses in the file of the symbol"`
	Tests      int `json:"tests" jsonschema:"uses in tests"`
	Failed     int `json:"failed,omitempty" jsonschema:"symbols whose uses are not known"`
}

// An ImpactSymbol is one symbol and who uses it.
type ImpactSymbol struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// At is path:line:column.
	At string `json:"at"`
	// Risk is none, low, medium, high or, if its uses are not known, unknown; Why
	// is the reason.
	Risk string `json:"risk" jsonschema:"none, low, medium, high or unknown"`
	Why  string `json:"why,omitempty"`
	// References are uses in other files outside tests, Own those in its own file,
	// Tests those in tests, each counted.
	References int `json:"references"`
	Own        int `json:"own,omitempty"`
	Tests      int `json:"tests"`
	// Users are the symbols, outside tests and in them, that use it; those in its
	// own file are among them.
	Users     []User `json:"users,omitempty"`
	TestUsers []User `json:"test_users,omitempty"`
	// Transitive are those that use the users.
	Transitive []User `json:"transitive,omitempty"`
	// Failed says why its uses are not known.
	Failed string `json:"failed,omitempty"`
}

// A User is a symbol that uses another one.
type User struct {
	Name string `json:"name,omitempty" jsonschema:"empty at the top level of a file"`
	Path string `json:"path"`
	Line uint32 `json:"line" jsonschema:"line of the first use, or of what is used"`
	// Uses is the number of uses, if there are several.
	Uses int `json:"uses,omitempty"`
}

// Tests are the tests of files.
type Tests struct {
	Head
	Files []TestsOf `json:"files"`
}

// TestsOf are the tests of one file.
type TestsOf struct {
	Path string `json:"path"`
	// Tests are the files with its tests, best first.
	Tests []TestFile `json:"tests"`
}

// A TestFile is a file with tests.
type TestFile struct {
	Path string `json:"path"`
	// Why is name (by the naming rules), references (it uses the file), "name and
	// references", inside (the file holds its tests) or itself (it is a test).
	Why string `json:"why" jsonschema:"name, references, name and references, inside or itself"`
	// Functions are the tests in it that use the file, if that is known.
	Functions []string `json:"functions,omitempty"`
}
