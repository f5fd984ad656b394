package render

import (
	"fmt"
	"strings"
)

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
	Line uint32 `json:"line" jsonschema:"of the first use, or of what is used"`
	// Uses is the number of uses, if there are several.
	Uses int `json:"uses,omitempty"`
}

// Brief implements [Reply].
func (i *Impact) Brief() string {
	outcome := ""
	if i.Failed > 0 {
		outcome = fmt.Sprintf("of %d %s the uses are not known", i.Failed, plural(i.Failed, "symbol"))
	}
	return i.writeWith(outcome, func(b *strings.Builder) {
		fmt.Fprintf(b, "%d %s, %d %s, %d in tests", i.Total, plural(i.Total, "symbol"), i.References, plural(i.References, "reference"), i.Tests)
		if i.Own > 0 {
			fmt.Fprintf(b, ", %d in their own files", i.Own)
		}
		if i.Failed > 0 {
			fmt.Fprintf(b, "; %s", outcome)
		}
		fmt.Fprintln(b)
		for j := range i.Symbols {
			i.Symbols[j].write(b)
		}
		if len(i.TestFiles) > 0 {
			fmt.Fprintf(b, "tests to run: %s\n", defused(strings.Join(i.TestFiles, " ")))
		}
	})
}

func (s *ImpactSymbol) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s %s (%s) risk %s", defused(s.At), defused(s.Name), s.Kind, s.Risk)
	if s.Why != "" {
		fmt.Fprintf(b, ": %s", defused(s.Why))
	}
	fmt.Fprintln(b)
	if s.Failed != "" {
		fmt.Fprintf(b, "  not known: %s\n", oneLine(s.Failed))
	}
	writeUsers(b, "used by", s.Users)
	writeUsers(b, "tested by", s.TestUsers)
	writeUsers(b, "reaches", s.Transitive)
}

func writeUsers(b *strings.Builder, title string, users []User) {
	if len(users) == 0 {
		return
	}
	fmt.Fprintf(b, "  %s\n", title)
	for _, u := range users {
		fmt.Fprintf(b, "    %s:%d", defused(u.Path), u.Line)
		if u.Name != "" {
			fmt.Fprintf(b, " %s", defused(u.Name))
		}
		if u.Uses > 1 {
			fmt.Fprintf(b, " ×%d", u.Uses)
		}
		fmt.Fprintln(b)
	}
}

// Fit implements [Reply]: what is reached goes, then the users, then symbols
// from the end.
func (i *Impact) Fit(max int) {
	strip := func(what string, of func(*ImpactSymbol) *[]User) func() bool {
		return func() (had bool) {
			for j := range i.Symbols {
				users := of(&i.Symbols[j])
				had = had || *users != nil
				*users = nil
			}
			i.Cut = what + "; ask about one symbol, or raise max_bytes"
			return had
		}
	}
	fit(max, i,
		strip("what is reached through others", func(s *ImpactSymbol) *[]User { return &s.Transitive }),
		strip("the users in tests", func(s *ImpactSymbol) *[]User { return &s.TestUsers }),
		strip("the users", func(s *ImpactSymbol) *[]User { return &s.Users }),
		func() bool {
			n := len(i.Symbols)
			i.Symbols = i.Symbols[:halve(n)]
			i.Cut = fmt.Sprintf("all but %d of %d symbols, and the users; ask about fewer files, or raise max_bytes", len(i.Symbols), i.Total)
			return n > 0
		},
		func() bool {
			n := len(i.TestFiles)
			i.TestFiles = i.TestFiles[:halve(n)]
			return n > 0
		})
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

// Brief implements [Reply].
func (t *Tests) Brief() string {
	return t.write(func(b *strings.Builder) {
		for _, f := range t.Files {
			if len(f.Tests) == 0 {
				fmt.Fprintf(b, "%s: no tests\n", defused(f.Path))
				continue
			}
			fmt.Fprintf(b, "%s:\n", defused(f.Path))
			for _, test := range f.Tests {
				fmt.Fprintf(b, "  %s (%s)", defused(test.Path), test.Why)
				if len(test.Functions) > 0 {
					fmt.Fprintf(b, " %s", defused(strings.Join(test.Functions, " ")))
				}
				fmt.Fprintln(b)
			}
		}
	})
}

// Fit implements [Reply]: the functions go, then files from the end.
func (t *Tests) Fit(max int) {
	fit(max, t,
		func() (had bool) {
			for i := range t.Files {
				for j := range t.Files[i].Tests {
					had = had || t.Files[i].Tests[j].Functions != nil
					t.Files[i].Tests[j].Functions = nil
				}
			}
			t.Cut = "the names of the tests; raise max_bytes to get them"
			return had
		},
		func() bool {
			n := len(t.Files)
			t.Files = t.Files[:halve(n)]
			t.Cut = fmt.Sprintf("all but %d files; ask about fewer", len(t.Files))
			return n > 0
		})
}
