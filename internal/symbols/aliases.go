package symbols

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// maxAliases bounds the names of one symbol whose uses are looked for.
const maxAliases = 40

// named is what is known of the names of one symbol.
type named struct {
	// asked are the places that were asked about, each at one of the names.
	asked []Place
	// given are the names that imports give it.
	given []Target
}

// mayAsk reports whether a place was not asked about before, and one more may be.
func (n *named) mayAsk(q *Inquiry, p Place) bool {
	if hasPlace(n.asked, p) {
		return false
	}
	if len(n.asked) < maxAliases {
		return true
	}
	q.judge(result.NotKnown)
	return false
}

// followNames adds the uses by other names: an import may give what it brings in another name (import a as b), or bring it in for
// others (from .core import a as a). Asked about a name that an import gave, servers list the uses of that name and
// not those of the symbol; asked about the symbol, some list only what has its own name; and the files of other projects that have
// another name are looked for by that.
func (f *finding) followNames(ctx context.Context, t Target, names *named) error {
	if len(language.Of(t.Path).Aliases) == 0 {
		return nil
	}
	if err := f.askMeant(ctx, t, names); err != nil {
		return err
	}
	for i := 0; i < len(f.uses.Places); i++ { // it grows
		p := f.uses.Places[i]
		if err := f.addOrigin(ctx, p, names); err != nil {
			return err
		}
		if err := f.addAlias(ctx, p, names); err != nil {
			return err
		}
	}
	return nil
}

// addOrigin adds the uses of what an import gives the name at a place.
func (f *finding) addOrigin(ctx context.Context, p Place, names *named) error {
	origin, given := f.q.importing(p, language.NameBefore)
	if !given || hasPlace(f.uses.Places, placeAt(origin)) || !names.mayAsk(f.q, placeAt(origin)) {
		return nil
	}
	other, err := f.q.usesByName(ctx, origin, f.whole, names)
	if err != nil {
		return err
	}
	f.addFrom(other)
	return nil
}

// addAlias adds the uses by the name that an import gives to what stands at a place.
func (f *finding) addAlias(ctx context.Context, p Place, names *named) error {
	alias, given := f.q.importing(p, language.AliasBehind)
	known := given && hasPlace(f.uses.Places, placeAt(alias))
	if !given || known && alias.Name == f.name {
		return nil
	}
	names.given = append(names.given, alias)
	if !names.mayAsk(f.q, placeAt(alias)) {
		return nil
	}
	other, err := f.q.usesByName(ctx, alias, f.whole, names)
	if err != nil {
		return err
	}
	if known || hasPlace(other.uses.Places, placeAt(alias)) {
		f.addFrom(other)
	}
	return nil
}

// tellUnlisted says which of the names that imports give the symbol are none of its uses: the server does not list uses by them.
func (f *finding) tellUnlisted(names *named) {
	for _, alias := range names.given {
		if !hasPlace(f.uses.Places, placeAt(alias)) {
			f.q.judge(result.OfLoaded)
			f.q.note("%s:%d gives it the name %s; uses by that name are not known", f.q.access.Relative(alias.Path), alias.At.Line+1, alias.Name)
		}
	}
}

// addFrom adds what was found by another name.
func (f *finding) addFrom(other finding) {
	f.add(other.uses.Places)
	f.uses.ByText = append(f.uses.ByText, slices.DeleteFunc(other.uses.ByText, func(p Place) bool { return slices.Contains(f.uses.ByText, p) })...)
}

// askMeant adds the uses of the declarations in other files that a target means and that are none of its uses. One that has no use
// in common with the target is of something else, such as the module that a name stands for.
func (f *finding) askMeant(ctx context.Context, t Target, names *named) error {
	meant := slices.DeleteFunc(slices.Clone(f.declared), func(d Place) bool {
		_, err := f.q.access.Resolve(d.Path)
		return err != nil || d.Path == t.Path
	})
	if len(meant) == 0 {
		return nil
	}
	known, err := f.uses.Places, error(nil)
	if !f.whole {
		if known, err = f.q.References(ctx, t, true); err != nil {
			return err
		}
	}
	for _, d := range meant {
		at, isName := f.q.targetAt(d)
		if !isName || hasPlace(known, d) || !names.mayAsk(f.q, d) {
			continue
		}
		places, err := f.q.References(ctx, at, true)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(places, func(p Place) bool { return hasPlace(known, p) }) {
			continue
		}
		other, err := f.q.usesByName(ctx, at, f.whole, names)
		if err != nil {
			return err
		}
		f.addFrom(other)
	}
	return nil
}

// ownName returns the declaration of what a target means, if the target is another name that an import gave it, or stands in an import:
// there servers know of no hierarchy, or only of that of the name.
func (q *Inquiry) ownName(ctx context.Context, t Target) (Target, error) {
	here, isName := q.targetAt(placeAt(t))
	if !isName || len(language.Of(t.Path).Aliases) == 0 || protocol.IsVirtual(t.Path) {
		return t, nil
	}
	meant, err := q.Places(ctx, Definition, t)
	if err != nil {
		return t, lsp.UnlessUnsupported(err)
	}
	for _, p := range meant {
		if _, err := q.access.Resolve(p.Path); err != nil || p.Range.Start == p.Range.End { // a library, or a module
			continue
		}
		s, _, err := q.declarationAt(ctx, p)
		if err != nil || s == nil || s.Kind == "constructor" {
			if err := onlyEnd(ctx, err); err != nil {
				return t, err
			}
			continue
		}
		if own, isName := q.targetAt(Place{p.Path, s.Selection}); isName && (own.Name != here.Name || q.inImport(t)) {
			return own, nil
		}
	}
	return t, nil
}

// inImport reports whether a target stands in an import.
func (q *Inquiry) inImport(t Target) bool {
	text, err := q.Text(t.Path)
	return err == nil && slices.ContainsFunc(language.Of(t.Path).Aliases, func(s *language.Statement) bool {
		return s.Holds(text.Content(), text.Offset(t.At, protocol.UTF16))
	})
}

// targetAt returns the name in which a place begins, false if it begins in none.
func (q *Inquiry) targetAt(p Place) (t Target, isName bool) {
	text, err := q.Text(p.Path)
	if err != nil {
		return Target{}, false
	}
	at := text.Offset(p.Range.Start, protocol.UTF16)
	from, to, isName := identifierAt(text.Content(), at)
	return Target{Path: p.Path, At: p.Range.Start, Name: string(text.Content()[from:to])}, isName
}

// importing returns the name that an import has beside the one at a place, on the side where find looks: that which it gives
// to what it brings in, or what it gives that. It returns false if there is no import, or none that gives a name.
func (q *Inquiry) importing(p Place, find func(text []byte, start, end int) (from, to int, ok bool)) (other Target, given bool) {
	statements := language.Of(p.Path).Aliases
	if len(statements) == 0 || protocol.IsVirtual(p.Path) {
		return Target{}, false
	}
	text, err := q.Text(p.Path)
	if err != nil {
		return Target{}, false
	}
	content, start, end := text.Content(), text.Offset(p.Range.Start, protocol.UTF16), text.Offset(p.Range.End, protocol.UTF16)
	from, to, given := find(content, start, end)
	if !given || !slices.ContainsFunc(statements, func(s *language.Statement) bool { return s.Holds(content, start) }) {
		return Target{}, false
	}
	return Target{Path: p.Path, At: text.Position(from, protocol.UTF16), Name: string(content[from:to])}, true
}

// placeAt returns where a target stands.
func placeAt(t Target) Place { return Place{t.Path, protocol.Range{Start: t.At, End: t.At}} }

// hasPlace reports whether one of places begins where p does.
func hasPlace(places []Place, p Place) bool {
	return slices.ContainsFunc(places, func(known Place) bool { return known.Path == p.Path && known.Range.Start == p.Range.Start })
}
