package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefImpact(i *result.Impact) string {
	outcome := ""
	if i.Failed > 0 {
		outcome = fmt.Sprintf("of %d %s the uses are not known", i.Failed, plural(i.Failed, "symbol"))
	}
	return writeWith(&i.Head, outcome, func(b *strings.Builder) {
		fmt.Fprintf(b, "%d %s, %d %s, %d in tests", i.Total, plural(i.Total, "symbol"), i.References, plural(i.References, "reference"), i.Tests)
		if i.Own > 0 {
			fmt.Fprintf(b, ", %d in their own files", i.Own)
		}
		if i.Failed > 0 {
			fmt.Fprintf(b, "; %s", outcome)
		}
		fmt.Fprintln(b)
		for j := range i.Symbols {
			writeImpactSymbol(&i.Symbols[j], b)
		}
		if len(i.TestFiles) > 0 {
			fmt.Fprintf(b, "tests to run: %s\n", legible.Line(strings.Join(i.TestFiles, " ")))
		}
	})
}

func writeImpactSymbol(s *result.ImpactSymbol, b *strings.Builder) {
	fmt.Fprintf(b, "%s %s (%s) risk %s", legible.Line(s.At), legible.Line(s.Name), legible.Line(s.Kind), s.Risk)
	if s.Why != "" {
		fmt.Fprintf(b, ": %s", legible.Line(s.Why))
	}
	fmt.Fprintln(b)
	if s.Failed != "" {
		fmt.Fprintf(b, "  not known: %s\n", oneLine(s.Failed))
	}
	writeUsers(b, "used by", s.Users)
	writeUsers(b, "tested by", s.TestUsers)
	writeUsers(b, "reaches", s.Transitive)
}

func writeUsers(b *strings.Builder, title string, users []result.User) {
	if len(users) == 0 {
		return
	}
	fmt.Fprintf(b, "  %s\n", title)
	for _, u := range users {
		fmt.Fprintf(b, "    %s:%d", legible.Line(u.Path), u.Line)
		if u.Name != "" {
			fmt.Fprintf(b, " %s", legible.Line(u.Name))
		}
		if u.Uses > 1 {
			fmt.Fprintf(b, " ×%d", u.Uses)
		}
		fmt.Fprintln(b)
	}
}

// fitImpact shortens: what is reached goes, then the users, then symbols
// from the end.
func fitImpact(i *result.Impact, max int) {
	strip := func(what string, of func(*result.ImpactSymbol) *[]result.User) func() bool {
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
		strip("what is reached through others", func(s *result.ImpactSymbol) *[]result.User { return &s.Transitive }),
		strip("the users in tests", func(s *result.ImpactSymbol) *[]result.User { return &s.TestUsers }),
		strip("the users", func(s *result.ImpactSymbol) *[]result.User { return &s.Users }),
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

func briefTests(t *result.Tests) string {
	return write(&t.Head, func(b *strings.Builder) {
		for _, f := range t.Files {
			if len(f.Tests) == 0 {
				fmt.Fprintf(b, "%s: no tests\n", legible.Line(f.Path))
				continue
			}
			fmt.Fprintf(b, "%s:\n", legible.Line(f.Path))
			for _, test := range f.Tests {
				fmt.Fprintf(b, "  %s (%s)", legible.Line(test.Path), legible.Line(test.Why))
				if len(test.Functions) > 0 {
					fmt.Fprintf(b, " %s", legible.Line(strings.Join(test.Functions, " ")))
				}
				fmt.Fprintln(b)
			}
		}
	})
}

// fitTests shortens: the functions go, then files from the end.
func fitTests(t *result.Tests, max int) {
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
			t.Cut = fmt.Sprintf("all but %d %s; ask about fewer", len(t.Files), plural(len(t.Files), "file"))
			return n > 0
		})
}
