package impact

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// A walk finds the tests that use a subject by way of what supports tests: factories, fixtures,
// bases of test classes.
type walk struct {
	a     *analysis
	seen  map[symbols.Place]bool // supports that were followed
	found []User
	err   error // why not all are known
}

// tested returns those of the users that are in files with tests, and the tests that use the others,
// and adds their files to those of the report. A file without tests that no test is known to use is
// kept: who runs it is not known.
func (a *analysis) tested(ctx context.Context, users []User, subject symbols.Place) []User {
	w := &walk{a: a, seen: map[symbols.Place]bool{subject: true}}
	w.follow(ctx, users)
	switch {
	case errors.Is(w.err, errTooMany):
		a.note("tests that use what changes by way of others are followed for the first " + counted(maxFollowed, "helper") + " only")
	case w.err != nil:
		a.note("not all tests that use what changes by way of others are known: " + w.err.Error())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, u := range w.found {
		a.tests[u.Place.Path] = true
	}
	return w.found
}

// follow adds the tests among users, and those that use the supports among them. It reports whether
// there are any.
func (w *walk) follow(ctx context.Context, users []User) (found bool) {
	for _, u := range users {
		tests := w.a.holdsTests(u.Place.Path)
		if tests {
			found = true
			w.found = append(w.found, u)
		}
		led := false
		for _, s := range w.a.supports(ctx, u, tests) {
			if w.seen[s.Place] {
				led = true // others tell of it
				continue
			}
			w.seen[s.Place] = true
			led = w.follow(ctx, w.usersOf(ctx, s)) || led
		}
		if found = found || led; !tests && !led {
			w.found = append(w.found, u)
		}
	}
	return found
}

// usersOf returns the users of a support that are in tests.
func (w *walk) usersOf(ctx context.Context, s Subject) []User {
	if len(w.seen) > maxFollowed {
		w.err = cmp.Or(w.err, errTooMany)
		return nil
	}
	users, err := w.a.further(ctx, s.Place, s.Name)
	w.err = cmp.Or(w.err, err)
	users = slices.Concat(users, w.a.fixed(ctx, s))
	tests, _ := divided(users, s.Place)
	return tests
}

// supports returns what tests may use of a user instead of what it uses: itself, unless it is a
// test; at the top level of a file without tests, all that the file shows.
func (a *analysis) supports(ctx context.Context, u User, tests bool) []Subject {
	if tests && u.declared == nil {
		return nil
	}
	o, err := a.outline(ctx, u.Place.Path)
	if err != nil {
		return nil
	}
	text, err := a.q.Text(u.Place.Path)
	if err != nil {
		return nil
	}
	if u.declared == nil {
		var all []Subject
		for _, s := range Exported(o, text) {
			all = append(all, SubjectOf(o.Path, s))
		}
		return all
	}
	s := o.Declared(u.declared.Range.Start)
	if s == nil || tests && (isTest(o.Path, u.Name, s, text) || !slices.Contains(Exported(o, text), s)) {
		return nil
	}
	return []Subject{SubjectOf(o.Path, s)}
}

// isTest reports whether a symbol is a test or holds some.
func isTest(path, name string, s *symbols.Symbol, text *protocol.Mapper) bool {
	if l := language.Of(path); l.TestFunctions != nil {
		_, is := testName(path, name)
		return is
	}
	return language.HoldsTests(path, declarationText(text, s))
}

// holdsTests reports whether a file has tests, as far as its text shows it.
func (a *analysis) holdsTests(path string) bool {
	text, err := a.q.Text(path)
	return err != nil || language.HoldsTests(path, text.Content())
}

// fixed returns the users of a symbol that its language lets tests name without bringing it in: those
// below its folder with its name.
func (a *analysis) fixed(ctx context.Context, s Subject) (users []User) {
	mark := language.Of(s.Place.Path).Fixtures
	if mark == nil || a.opts.Files == nil {
		return nil
	}
	text, err := a.q.Text(s.Place.Path)
	if err != nil || s.Target.Symbol == nil || !mark.Match(declarationText(text, s.Target.Symbol)) {
		return nil
	}
	files, err := a.opts.Files(ctx)
	if err != nil {
		return nil
	}
	name := regexp.MustCompile(`(?:^|[^\pL\pN_])(` + regexp.QuoteMeta(s.Target.Name) + `)(?:$|[^\pL\pN_])`)
	folder := filepath.Dir(s.Place.Path) + string(filepath.Separator)
	found := make(map[symbols.Place]User)
	for _, file := range files {
		if !strings.HasPrefix(file, folder) || !sameFamily(file, s.Place.Path) || !symbols.IsTest(a.opts.Relative(file)) {
			continue
		}
		for _, p := range occurrencesIn(a.q, file, name) {
			u := a.userAt(ctx, p)
			if _, known := found[u.place()]; !known {
				found[u.place()] = u
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(x, y User) int { return comparePlaces(x.Place, y.Place) })
}

// place tells users from each other.
func (u User) place() symbols.Place {
	if u.declared != nil {
		return *u.declared
	}
	return symbols.Place{Path: u.Place.Path}
}

func comparePlaces(x, y symbols.Place) int {
	return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Range.Start.Line, y.Range.Start.Line), cmp.Compare(x.Range.Start.Character, y.Range.Start.Character))
}

// declarationText returns the text of a declaration.
func declarationText(text *protocol.Mapper, s *symbols.Symbol) []byte {
	return text.Content()[text.Offset(s.Range.Start, protocol.UTF16):text.Offset(s.Range.End, protocol.UTF16)]
}
