// Package impact finds out what a change of code affects: which symbols a file exports or a diff
// touches, who uses them, in tests and elsewhere, how risky it is to change them, and which tests
// belong to a file.
package impact

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// A Subject is a symbol that is, or may be, changed.
type Subject struct {
	// Name is the name path, Kind the kind in lower case.
	Name, Kind string
	// Target is what is asked about, Place the name in the declaration.
	Target symbols.Target
	Place  symbols.Place
}

// SubjectOf returns the subject of a declaration.
func SubjectOf(path string, s *symbols.Symbol) Subject {
	return Subject{
		Name: strings.Join(s.Path, "."), Kind: s.Kind, Place: symbols.Place{Path: path, Range: s.Selection},
		Target: symbols.Target{Path: path, At: s.Selection.Start, Name: s.Name, Symbol: s},
	}
}

// A User is what uses a subject.
type User struct {
	// Name is its name path, "" at the top level of a file.
	Name string
	// Place is its first use of the subject; Uses counts them.
	Place symbols.Place
	Uses  int
	Test  bool
	// declared is where its own name stands, nil at the top level; imports says
	// that every use is in a line that imports.
	declared *symbols.Place
	imports  bool
}

// An Effect is a subject and who uses it.
type Effect struct {
	Subject
	// References are the uses in other files outside tests, Own those in its own
	// file, Tests those in tests.
	References, Own, Tests int
	// Users use it outside tests, also in its own file; TestUsers in tests;
	// Transitive use the users, outside tests. All by path and line.
	Users, TestUsers, Transitive []User
	// Tested are the users in files with tests, of itself or of what supports tests and uses it.
	Tested []User
	// Risk is how much a change may break, Why the reason in words.
	Risk Risk
	Why  string
	// Err says why its uses are not known; then nothing else of them is.
	Err error
}

// A Report is the result of an analysis, in the order of its subjects.
type Report struct {
	Effects []Effect
	// TestFiles are those with tests that use a subject, also by way of what supports tests, and
	// through one other symbol if that was asked for; as readers see them, sorted.
	TestFiles []string
	// Notes say what was left out.
	Notes []string
}

// Err returns why nothing is known, if the uses of no subject could be found out; nil otherwise.
func (r *Report) Err() error {
	for i := range r.Effects {
		if r.Effects[i].Err == nil {
			return nil
		}
	}
	if len(r.Effects) == 0 {
		return nil
	}
	return r.Effects[0].Err
}

// Options say what to find out.
type Options struct {
	// Relative returns a path as readers see it.
	Relative func(path string) string
	// Transitive asks for the users of the users, too.
	Transitive bool
	// Files returns the files of the workspace; nil if none is to be searched.
	Files func(ctx context.Context) ([]string, error)
}

// Bounds of one analysis. What lies beyond is said in the notes.
const (
	atOnce = 4 // questions to a server
	// MaxSubjects bounds the subjects of a report.
	MaxSubjects = 300
	maxNamed    = 150 // files whose users get names
	maxFollowed = 40  // users of a subject that are followed, outside of tests and in them
)

// Analyse finds out who uses the subjects, until ctx ends. A subject that could not be asked
// about by then has an error, so that it does not look like one that nobody uses.
func Analyse(ctx context.Context, q *symbols.Inquiry, subjects []Subject, opts Options) Report {
	a := &analysis{
		q: q, opts: opts, outlines: make(map[string]func() (*symbols.Outline, error)),
		followed: make(map[symbols.Place]func() ([]User, error)), tests: make(map[string]bool),
	}
	if left := len(subjects) - MaxSubjects; left > 0 {
		a.note(counted(left, "symbol") + " left out: name fewer files, or the symbols themselves")
		subjects = subjects[:MaxSubjects]
	}
	effects := make([]Effect, len(subjects))
	slots := make(chan struct{}, atOnce)
	var all guard.Group
	for i, s := range subjects {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			effects[i] = a.effect(ctx, s)
		})
	}
	all.Wait()
	report := Report{Effects: effects, Notes: a.notes}
	for path := range a.tests {
		report.TestFiles = append(report.TestFiles, opts.Relative(path))
	}
	slices.Sort(report.TestFiles)
	return report
}

// An analysis is one Analyse at work.
type analysis struct {
	q    *symbols.Inquiry
	opts Options

	mu       sync.Mutex
	outlines map[string]func() (*symbols.Outline, error)
	followed map[symbols.Place]func() ([]User, error)
	tests    map[string]bool // the test files by path
	notes    []string
}

func (a *analysis) note(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.notes, text) {
		a.notes = append(a.notes, text)
	}
}

func (a *analysis) effect(ctx context.Context, s Subject) Effect {
	e := Effect{Subject: s}
	if e.Err = ctx.Err(); e.Err != nil {
		return e
	}
	users, err := a.users(ctx, s.Target, s.Place)
	if err != nil {
		e.Err = err
		return e
	}
	var usage Usage
	files := make(map[string]bool)
	for _, u := range users {
		switch {
		case u.declared != nil && *u.declared == s.Place: // recursion is no use
		case u.Test:
			e.Tests += u.Uses
		case u.Place.Path == s.Place.Path:
			e.Own += u.Uses
		default:
			e.References += u.Uses
			files[u.Place.Path] = true
			usage.Elsewhere = usage.Elsewhere || folder(u.Place.Path) != folder(s.Place.Path)
		}
	}
	e.TestUsers, e.Users = divided(users, s.Place)
	e.Tested = a.tested(ctx, e.TestUsers, s.Place)
	for _, u := range e.Users {
		if u.Place.Path != s.Place.Path {
			usage.Users++
		}
	}
	if a.opts.Transitive {
		usage.Indirect = a.follow(ctx, &e)
	}
	usage.References, usage.Own, usage.Tests, usage.Files = e.References, e.Own, e.Tests, len(files)
	if usage.References+usage.Own+usage.Tests == 0 {
		usage.Shown = a.shown(ctx, s)
	}
	e.Risk, e.Why = Judge(usage)
	return e
}

// shown reports whether other repositories can use a subject, as far as that can be read
// off its file: it is exported, and so is what holds it; in Go its package can be
// imported.
func (a *analysis) shown(ctx context.Context, s Subject) bool {
	o, err := a.outline(ctx, s.Place.Path)
	if err != nil {
		return false
	}
	text, err := a.q.Text(s.Place.Path)
	if err != nil {
		return false
	}
	relative := a.opts.Relative(s.Place.Path)
	if symbols.IsTest(relative) || !hasRules(relative) {
		return false
	}
	if language.Is(relative, language.Go) && (mainPackage.Match(text.Content()) || strings.Contains("/"+relative, "/internal/")) {
		return false
	}
	at := o.Declared(s.Place.Range.Start)
	return at != nil && slices.Contains(Exported(o, text), at)
}

// divided returns the users in tests and the others, without the subject itself
// and without the imports of files that have other users.
func divided(users []User, subject symbols.Place) (tests, others []User) {
	beyondImport := make(map[string]bool)
	for _, u := range users {
		beyondImport[u.Place.Path] = beyondImport[u.Place.Path] || !u.imports
	}
	for _, u := range users {
		switch {
		case u.declared != nil && *u.declared == subject, u.imports && beyondImport[u.Place.Path]:
		case u.Test:
			tests = append(tests, u)
		default:
			others = append(others, u)
		}
	}
	return tests, others
}

// users returns what refers to a target, by path and line, its declaration left
// out. A type that only holds its own name elsewhere is one, too.
func (a *analysis) users(ctx context.Context, t symbols.Target, declaration symbols.Place) ([]User, error) {
	uses, err := a.q.Uses(ctx, t, false)
	if err != nil {
		return nil, err
	}
	type identity struct {
		path string
		name protocol.Range
		test bool
	}
	index := make(map[identity]int)
	var users []User
	for _, p := range slices.Concat(uses.Places, uses.ByText) {
		if p.Path == declaration.Path && p.Range.Start == declaration.Range.Start {
			continue // some servers count it against our word
		}
		u := a.userAt(ctx, p)
		id := identity{path: p.Path, test: u.Test}
		if u.declared != nil {
			id.name = u.declared.Range
		}
		i, known := index[id]
		if !known {
			index[id] = len(users)
			users = append(users, u)
			continue
		}
		users[i].Uses++
		users[i].imports = users[i].imports && u.imports
	}
	return users, nil
}

// userAt returns the innermost function or type around a place, failing that the
// outermost symbol, failing that the file.
func (a *analysis) userAt(ctx context.Context, p symbols.Place) User {
	u := User{Place: p, Uses: 1, Test: symbols.IsTest(a.opts.Relative(p.Path))}
	o, err := a.outline(ctx, p.Path)
	if err != nil {
		if ctx.Err() != nil {
			a.note("the time was over before every user was named; raise timeout_ms")
		}
		return u
	}
	s := container(o, p.Range.Start)
	if s == nil || !isType(s.Kind) && !isFunction(s.Kind) {
		if u.imports = a.isImport(p); s == nil || u.imports { // tsserver outlines imports
			return u
		}
	}
	u.Name = strings.Join(s.Path, ".")
	u.declared = &symbols.Place{Path: p.Path, Range: s.Selection}
	u.Test = u.Test || inlineTest(p.Path, s)
	return u
}

// container returns the innermost function or type around a position, failing
// that the outermost symbol, or nil.
func container(o *symbols.Outline, at protocol.Position) *symbols.Symbol {
	var inner, outer *symbols.Symbol
	for _, s := range o.All() { // outer ones come first
		if at.Before(s.Range.Start) || s.Range.End.Before(at) {
			continue
		}
		if outer == nil {
			outer = s
		}
		if isType(s.Kind) || isFunction(s.Kind) {
			inner = s
		}
	}
	if inner == nil && outer != nil && holdsOthers(outer.Kind) {
		return nil // a namespace or a module uses nothing itself
	}
	return cmp.Or(inner, outer)
}

// outline returns the outline of a file, asked for once, and of no more than
// maxNamed files.
func (a *analysis) outline(ctx context.Context, path string) (*symbols.Outline, error) {
	a.mu.Lock()
	get := a.outlines[path]
	if get == nil {
		if len(a.outlines) == maxNamed {
			a.mu.Unlock()
			a.note("users are named in the first files only")
			return nil, errTooMany
		}
		get = sync.OnceValues(func() (*symbols.Outline, error) { return a.q.Outline(ctx, path) })
		a.outlines[path] = get
	}
	a.mu.Unlock()
	return get()
}

var errTooMany = errors.New("too many files")

// follow adds the users of the users, and reports whether tests are among them.
func (a *analysis) follow(ctx context.Context, e *Effect) (tested bool) {
	var tests []User
	known := map[symbols.Place]bool{e.Place: true}
	for _, u := range append(slices.Clone(e.Users), e.TestUsers...) {
		if u.declared != nil {
			known[*u.declared] = true
		}
	}
	followed := 0
	for _, u := range e.Users {
		if u.declared == nil {
			continue
		}
		if followed++; followed > maxFollowed {
			a.note("of the users of " + e.Name + " only the first are followed")
			break
		}
		further, err := a.further(ctx, *u.declared, u.Name)
		if err != nil {
			a.note("who uses " + u.Name + " is not known: " + err.Error())
			continue
		}
		for _, f := range further {
			if f.Test {
				tests = append(tests, f)
				continue
			}
			if f.imports || f.declared != nil && known[*f.declared] {
				continue
			}
			if f.declared != nil {
				known[*f.declared] = true
			}
			e.Transitive = append(e.Transitive, f)
		}
	}
	a.sort(e.Transitive)
	a.tested(ctx, tests, e.Place)
	return len(tests) > 0
}

// further returns the users of a user, asked for once.
func (a *analysis) further(ctx context.Context, declared symbols.Place, name string) ([]User, error) {
	a.mu.Lock()
	get := a.followed[declared]
	if get == nil {
		get = sync.OnceValues(func() ([]User, error) {
			return a.users(ctx, symbols.Target{Path: declared.Path, At: declared.Range.Start, Name: name}, declared)
		})
		a.followed[declared] = get
	}
	a.mu.Unlock()
	return get()
}

func (a *analysis) sort(users []User) {
	slices.SortStableFunc(users, func(x, y User) int {
		return cmp.Or(
			cmp.Compare(a.opts.Relative(x.Place.Path), a.opts.Relative(y.Place.Path)),
			cmp.Compare(x.Place.Range.Start.Line, y.Place.Range.Start.Line),
			cmp.Compare(x.Place.Range.Start.Character, y.Place.Range.Start.Character),
		)
	})
}
