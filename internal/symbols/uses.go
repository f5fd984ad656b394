package symbols

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// A Beyond is a file beyond the project of the file that declares a symbol that may use the symbol,
// judging by its text.
type Beyond struct {
	Path string
	// Project identifies the project that the file is part of: a server that opens one of its files
	// knows the others. It is "" if no project includes the file.
	Project string
}

// Uses are where a symbol is used.
type Uses struct {
	// Places are what the servers say, ordered by path as shown to the caller, then by line and
	// column.
	Places []Place
	// ByText are further places that have its name, in files that bring in the one that declares
	// it, and of which no server says what the name means. The caller is told of them in a note.
	ByText []Place
	// Declared are where it is declared and defined, if the target is a use beyond the declaring project: what a
	// server says about the target may leave out what it says about these.
	Declared []Target
	// Beyond are those of both in files beyond the project of the target.
	Beyond []Place
	// Twins are one use by the target's name in each project of Beyond: what a server says about the target may leave
	// out what it says about these.
	Twins []Target
}

// Bounds of what is done for one symbol beyond its project.
const (
	maxShown = 30  // projects, and files in none, that are opened
	maxMeant = 100 // files in which it is asked what the name means
	maxWords = 4   // different mentions in one of them whose meaning is asked
	maxTried = 3   // files in which it is asked whether a server knows what its project brings in
)

// Uses returns where a target is used, in every project whose files may use it by their text. Of the
// project that declares what is used in another, the server of the use may know only what that needs; so it
// is asked about the declaration, too. Where no use is known in such a file, the file is opened and the question put again; and where another
// server then knows a use that the target's does not, that one is asked as well. So the answer does
// not depend on which files were open.
func (q *Inquiry) Uses(ctx context.Context, t Target, includeDeclaration bool) (Uses, error) {
	names := new(named)
	f, err := q.usesByName(ctx, t, includeDeclaration, names)
	if err != nil {
		return Uses{}, err
	}
	if err := f.doubt(ctx); err != nil {
		return Uses{}, err
	}
	if len(f.uses.Places)+len(f.uses.ByText) == 0 {
		if err := q.doubtMeaning(ctx, t); err != nil {
			return Uses{}, err
		}
	}
	f.tellUnlisted(names)
	q.sort(f.uses.Places)
	q.tellByText(f.uses.ByText)
	return f.found(), nil
}

// usesByName returns the uses of one of the names of a symbol, and of those that are known by it.
func (q *Inquiry) usesByName(ctx context.Context, t Target, includeDeclaration bool, names *named) (finding, error) {
	names.asked = append(names.asked, placeAt(t))
	q.judge(result.Complete)
	looked := guard.Begin(func() finding { return q.beyond(ctx, t) })
	before := q.shownProjects()
	places, err := q.References(ctx, t, includeDeclaration)
	f := looked()
	f.whole, f.uses.Places = includeDeclaration, places
	if err != nil {
		return finding{}, err
	}
	if err := f.askDeclared(ctx, t); err != nil {
		return finding{}, err
	}
	if f.lacks() {
		if f.show(ctx, before) {
			if f.uses.Places, err = q.References(ctx, t, includeDeclaration); err != nil {
				return finding{}, err
			}
			if err := f.askDeclared(ctx, t); err != nil {
				return finding{}, err
			}
		}
		if err := f.ask(ctx); err != nil {
			return finding{}, err
		}
	}
	err = f.followNames(ctx, t, names)
	return f, err
}

// doubt makes sure that a server which knows no use outside of the declaring folders knows what its project brings in: it asks
// what the name means in a few files of the project that use the symbol by their text. If nobody can say, the others are uses by
// text as well.
func (f *finding) doubt(ctx context.Context) error {
	if slices.ContainsFunc(f.uses.Places, func(p Place) bool { return !f.isBeside(p.Path) }) {
		return nil
	}
	tried := 0
	for _, b := range f.within(ctx) {
		words, err := f.words(b.Path)
		if err != nil || len(words) == 0 {
			continue
		}
		said := len(f.uses.ByText)
		switch {
		case tried < maxTried:
			if err := f.meaning(ctx, b, words); err != nil {
				return err
			}
			tried++
		case f.unloaded:
			f.uses.ByText = append(f.uses.ByText, slices.Concat(words...)...)
		default:
			return nil
		}
		if len(f.uses.ByText) > said {
			f.unloaded = true
		}
	}
	return nil
}

// doubtMeaning is for a target of which nothing was found. It says so if that is because no server knows what the target means, such
// as an argument by name of a call whose function it does not know, or a keyword.
func (q *Inquiry) doubtMeaning(ctx context.Context, t Target) error {
	if t.Symbol != nil {
		return nil
	}
	meant, err := q.Places(ctx, Definition, t)
	if err != nil || len(meant) > 0 {
		return lsp.UnlessUnsupported(err)
	}
	q.judge(result.NotKnown)
	q.note("no server says what %s is at %s:%d:%d", t.Name, q.access.Relative(t.Path), t.At.Line+1, t.At.Character+1)
	return nil
}

// isBeside reports whether a file is in the folder of a declaration.
func (f *finding) isBeside(path string) bool {
	return slices.ContainsFunc(f.declared, func(p Place) bool { return filepath.Dir(p.Path) == filepath.Dir(path) })
}

// within returns the files of the declaring projects that may use the symbol by their text.
func (f *finding) within(ctx context.Context) (files []Beyond) {
	for _, file := range filesOf(f.declared) {
		if _, err := f.q.access.Resolve(file); err != nil { // it is in a library
			continue
		}
		more, all := f.q.access.Beyond(ctx, file, f.name, true)
		if !all {
			f.q.judge(result.NotKnown)
		}
		files = append(files, more...)
	}
	return files
}

// declaredIn notes the declarations in a file that the target is a use of, beyond the project of that file.
func (f *finding) declaredIn(file string) {
	for _, p := range f.declared {
		if p.Path == file {
			f.uses.Declared = append(f.uses.Declared, Target{Path: p.Path, At: p.Range.Start, Name: f.name})
		}
	}
}

// askDeclared adds what servers know of the declarations elsewhere that the target means: a declaration that is none of the
// uses of the target is of something else, such as the type of an embedded field.
func (f *finding) askDeclared(ctx context.Context, t Target) error {
	if len(f.uses.Declared) == 0 {
		return nil
	}
	known, err := f.uses.Places, error(nil)
	if !f.whole {
		if known, err = f.q.References(ctx, t, true); err != nil {
			return err
		}
	}
	f.uses.Declared = slices.DeleteFunc(f.uses.Declared, func(d Target) bool {
		return !slices.ContainsFunc(known, func(p Place) bool { return p.Path == d.Path && p.Range.Start == d.At })
	})
	for _, d := range f.uses.Declared {
		places, err := f.q.References(ctx, d, f.whole)
		if err != nil {
			return err
		}
		f.add(places)
	}
	return nil
}

// usesBeyond has everything opened that may use a target, and returns its uses beyond its project.
func (q *Inquiry) usesBeyond(ctx context.Context, t Target) ([]Place, error) {
	q.judge(result.Complete)
	if f := q.beyond(ctx, t); len(f.beyond) == 0 {
		return nil, nil // any server knows all
	}
	uses, err := q.Uses(ctx, t, false)
	return uses.Beyond, lsp.UnlessUnsupported(err)
}

// usesDoubted returns the uses of a target in its project that its server does not know, if it knows none outside of the
// declaring folders: see [finding.doubt].
func (q *Inquiry) usesDoubted(ctx context.Context, t Target, known []*Node) ([]Place, error) {
	f := finding{q: q, name: t.Name, declared: q.declarationsOf(ctx, t)}
	if slices.ContainsFunc(known, func(n *Node) bool { return !f.isBeside(n.Place.Path) }) {
		return nil, nil
	}
	if err := f.doubt(ctx); err != nil {
		return nil, lsp.UnlessUnsupported(err)
	}
	q.tellByText(f.uses.ByText)
	return slices.Concat(f.uses.Places, f.uses.ByText), nil
}

// beyond begins a finding of the uses of a target: it looks for the files that may have some.
func (q *Inquiry) beyond(ctx context.Context, t Target) finding {
	f := finding{q: q, name: t.Name}
	f.declared = q.declarationsOf(ctx, t)
	for _, file := range filesOf(f.declared) {
		if _, err := q.access.Resolve(file); err != nil { // it is in a library
			q.judge(result.OfLoaded)
			continue
		}
		more, all := q.access.Beyond(ctx, file, t.Name, false)
		if !all {
			q.judge(result.NotKnown)
		}
		if file != t.Path && slices.ContainsFunc(more, func(b Beyond) bool { return b.Path == t.Path }) {
			f.declaredIn(file)
		}
		for _, b := range more {
			if !slices.Contains(f.beyond, b) {
				f.beyond = append(f.beyond, b)
			}
		}
	}
	return f
}

// shownProjects returns the projects that this inquiry has had opened, by their keys.
func (q *Inquiry) shownProjects() map[string]bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return maps.Clone(q.shown)
}

// show opens a file without a known use of each project, and those files that are in none. A project
// of which a use is known may not be loaded: others may bring in the file. It reports whether any was
// not open before, as far as that is known.
func (f *finding) show(ctx context.Context, before map[string]bool) (opened bool) {
	asked := make(map[string]bool)
	for _, b := range f.beyond {
		key := b.key()
		if f.usedIn(b.Path) || asked[key] || len(asked) == maxShown || ctx.Err() != nil {
			continue
		}
		asked[key] = true
		if before[key] {
			continue
		}
		if _, err := f.q.open(ctx, b.Path, "textDocument/references"); err != nil {
			continue // its text counts
		}
		opened = true
		f.q.mu.Lock()
		f.q.shown[key] = true
		f.q.mu.Unlock()
	}
	return opened
}

// found returns the uses.
func (f *finding) found() Uses {
	seen := make(map[string]bool) // projects
	for _, p := range f.uses.Places {
		i := slices.IndexFunc(f.beyond, func(b Beyond) bool { return b.Path == p.Path })
		if i < 0 {
			continue
		}
		f.uses.Beyond = append(f.uses.Beyond, p)
		if at, isName := f.q.targetAt(p); isName && at.Name != f.name {
			continue
		}
		if key := f.beyond[i].key(); !seen[key] {
			seen[key] = true
			f.uses.Twins = append(f.uses.Twins, Target{Path: p.Path, At: p.Range.Start, Name: f.name})
		}
	}
	f.uses.Beyond = append(f.uses.Beyond, f.uses.ByText...)
	return f.uses
}

// key tells what is opened at once.
func (b Beyond) key() string {
	if b.Project == "" {
		return b.Path
	}
	return b.Project
}

// declarationsOf returns where a target is declared and defined, and the target itself. A symbol of
// an outline is its own declaration, but outlines of scripts have imports, and what C and C++ declare
// is defined elsewhere. Of languages whose texts do not show who uses what, the target is enough.
func (q *Inquiry) declarationsOf(ctx context.Context, t Target) (places []Place) {
	of := language.Of(t.Path)
	family := of.Family
	if (family != 0 || of.Parts != nil) && t.Symbol == nil || family == language.ScriptFamily || family == language.NativeFamily {
		places, _ = q.Places(ctx, Definition, t)
	}
	if family == language.NativeFamily {
		also, _ := q.Places(ctx, Declaration, t)
		places = append(places, also...)
	}
	return append(places, Place{t.Path, protocol.Range{Start: t.At, End: t.At}})
}

// filesOf returns the files of places, each once.
func filesOf(places []Place) (files []string) {
	for _, p := range places {
		if !slices.Contains(files, p.Path) {
			files = append(files, p.Path)
		}
	}
	return files
}

// A finding looks for the uses of a symbol in the files beyond its project.
type finding struct {
	q        *Inquiry
	name     string
	declared []Place
	// whole says that declarations are uses.
	whole  bool
	beyond []Beyond
	// unloaded says that a server does not know what a declaring project brings in.
	unloaded bool
	uses     Uses
}

// ask asks what the name means in each file in which no use is known. The files of a project that was
// opened and has a known use have no others: its server was asked.
func (f *finding) ask(ctx context.Context) error {
	asked := 0
	for _, b := range f.beyond {
		if f.knows(b) {
			continue
		}
		words, err := f.words(b.Path)
		if err != nil { // it has the name, but nobody can be shown its text
			f.uses.ByText = append(f.uses.ByText, Place{Path: b.Path})
		}
		if len(words) == 0 {
			continue
		}
		if asked++; asked > maxMeant {
			f.uses.ByText = append(f.uses.ByText, slices.Concat(words...)...)
			continue
		}
		if err := f.meaning(ctx, b, words); err != nil {
			return err
		}
	}
	f.uses.ByText = slices.DeleteFunc(f.uses.ByText, func(p Place) bool { return f.usedIn(p.Path) })
	return nil
}

// lacks reports whether there is a file without a known use.
func (f *finding) lacks() bool {
	return slices.ContainsFunc(f.beyond, func(b Beyond) bool { return !f.usedIn(b.Path) })
}

// knows reports whether a use is known in the file, or in its project, which was opened.
func (f *finding) knows(b Beyond) bool {
	return f.usedIn(b.Path) || f.q.shownProjects()[b.key()] && slices.ContainsFunc(f.beyond, func(other Beyond) bool {
		return other.key() == b.key() && f.usedIn(other.Path)
	})
}

func (f *finding) usedIn(path string) bool {
	return slices.ContainsFunc(f.uses.Places, func(p Place) bool { return p.Path == path })
}

// words returns where the name stands in the code of a file; places that nearly always have the same
// meaning are together.
func (f *finding) words(path string) (groups [][]Place, err error) {
	text, err := f.q.Text(path)
	if err != nil {
		return nil, err
	}
	index := make(map[string]int)
	for _, n := range CodeNames(path, text, LineRange(text, 0, text.Lines()-1)) {
		if n.Text != f.name {
			continue
		}
		i, known := index[n.Of]
		if !known {
			i, index[n.Of] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		end := text.Position(text.Offset(n.At, protocol.UTF16)+len(n.Text), protocol.UTF16)
		groups[i] = append(groups[i], Place{path, protocol.Range{Start: n.At, End: end}})
	}
	return groups, nil
}

// meaning asks what words of a file mean. If they mean the symbol they are uses, and so is what the
// file's server knows of it. Those without any meaning are uses by text.
func (f *finding) meaning(ctx context.Context, b Beyond, words [][]Place) error {
	var mute []Place
	for i, group := range words {
		if i == maxWords {
			mute = append(mute, slices.Concat(words[i:]...)...)
			break
		}
		twin := Target{Path: b.Path, At: group[0].Range.Start, Name: f.name}
		means, err := f.q.Places(ctx, Definition, twin)
		if last := group[len(group)-1].Range.Start; err == nil && len(means) == 0 && len(group) > 1 { // the first may be in what is not compiled
			twin.At = last
			means, err = f.q.Places(ctx, Definition, twin)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil || !slices.ContainsFunc(means, func(p Place) bool { return !f.q.isBrought(p, b.Path) }):
			mute = append(mute, group...)
		case slices.ContainsFunc(means, f.isDeclared):
			places, err := f.q.References(ctx, twin, f.whole)
			if err != nil {
				return err
			}
			f.add(places)
			f.add(group) // a server may not count the file
		}
	}
	f.uses.ByText = append(f.uses.ByText, mute...)
	return nil
}

// clause matches a text that ends within the clause of an import, or of an export of what another module has.
var clause = lazyregexp.New(`\bimport\s*(?:type\s*)?(?:[\w$]+\s*,\s*)?(?:\{[\s\w$,]*|\*\s*as\s+)?$|\bexport\s*(?:type\s*)?\{[\s\w$,]*$`)

// isBrought reports whether a place is in a file and is where a script brings in a name: of a module that a server does
// not find it says that the name means that place.
func (q *Inquiry) isBrought(p Place, path string) bool {
	if p.Path != path || language.Of(path).Family != language.ScriptFamily {
		return false
	}
	text, err := q.Text(path)
	return err == nil && clause.Match(text.Content()[:text.Offset(p.Range.Start, protocol.UTF16)])
}

// isDeclared reports whether a place is one of the declarations.
func (f *finding) isDeclared(p Place) bool {
	return slices.ContainsFunc(f.declared, func(d Place) bool { return d.Path == p.Path && d.Range.Start.Line == p.Range.Start.Line })
}

// add adds uses that are not known yet.
func (f *finding) add(places []Place) {
	for _, p := range places {
		if !slices.Contains(f.uses.Places, p) {
			f.uses.Places = append(f.uses.Places, p)
		}
	}
}
