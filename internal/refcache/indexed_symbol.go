package refcache

import (
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/refcache/mentions"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/scip"
	"github.com/lspine/lspine/internal/symbols"
)

// target returns the place that is asked about.
func (a *asking) target(q *Question) (symbols.Target, error) {
	access := q.view.Access()
	defer access.Close()
	inquiry, selector := symbols.New(symbols.OnlyTexts(access)), restate.Selector(q.selector)
	path, named := inquiry.NamedIn(selector)
	if named == "" {
		t, err := inquiry.Resolve(a.ctx, selector)
		if err == nil && len(inquiry.Notes()) > 0 { // what a server says of the file may decide
			err = doubtful("the place is not exact")
		}
		return t, err
	}
	return a.defined(path, named)
}

// defined returns the place of what the index defines in a file under a name path.
func (a *asking) defined(path, named string) (t symbols.Target, err error) {
	file, inside := a.cache.relative(path)
	if !inside {
		return t, doubtful("the file is not in the workspace")
	}
	parts, err := symbols.ParseNamePath(named)
	if err != nil || parts.Overload >= 0 {
		return t, errors.Join(err, doubtful("the name has a number"))
	}
	d, err := a.document(file)
	if err != nil {
		return t, err
	}
	text, err := a.text(file)
	if err != nil {
		return t, err
	}
	m := protocol.NewMapper(text)
	last := parts.Parts[len(parts.Parts)-1]
	matches := 0
	for _, o := range d.Occurrences {
		r := protocolRange(o.Range)
		if o.Roles&scip.Definition == 0 || string(m.Content()[m.Offset(r.Start, protocol.UTF16):m.Offset(r.End, protocol.UTF16)]) != last {
			continue
		}
		// Outlines prefer what is at the top, and what the path names in full.
		if parsed, ok := scip.ParseSymbol(o.Symbol); ok && slices.Equal(namesOf(parsed), parts.Parts) {
			t = symbols.Target{Path: path, At: r.Start, Name: last}
			matches++
		}
	}
	if matches != 1 {
		return t, doubtful("the index defines %d things called %s in %s", matches, last, file)
	}
	return t, nil
}

// namesOf returns the names of a symbol and of the types that it is declared in; none of what is declared otherwise.
func namesOf(s scip.Symbol) (names []string) {
	for i, d := range s.Descriptors {
		switch {
		case d.Suffix == scip.Namespace && names == nil:
		case d.Suffix == scip.Type || i == len(s.Descriptors)-1:
			names = append(names, d.Name)
		default:
			return nil
		}
	}
	return names
}

// protocolRange returns a range that is kept.
func protocolRange(r [4]int32) protocol.Range {
	return protocol.Range{
		Start: protocol.Position{Line: uint32(r[0]), Character: uint32(r[1])}, End: protocol.Position{Line: uint32(r[2]), Character: uint32(r[3])},
	}
}

// place finds the one symbol that stands at a place, and whether the index is believed about it.
func (a *asking) place(t symbols.Target) error {
	file, inside := a.cache.relative(t.Path)
	if !inside || !mentions.IsKnown(file) {
		return doubtful("the rules of the language of %s are not known", file)
	}
	if a.file = file; a.server == nil {
		primary, why := a.cache.answering(file)
		if why != "" {
			return doubtful("%s", why)
		}
		a.server = &primary.Definition
	}
	d, err := a.document(file)
	if err != nil {
		return err
	}
	at := 0
	for _, o := range d.Occurrences {
		if r := protocolRange(o.Range); !t.At.Before(r.Start) && t.At.Before(r.End) {
			a.symbol = o.Symbol
			at++
		}
	}
	if at != 1 {
		return doubtful("%d symbols of the index stand there", at)
	}
	var ok bool
	if a.parsed, ok = scip.ParseSymbol(a.symbol); !ok {
		return doubtful("its symbol is malformed")
	}
	switch suffix := a.parsed.Last().Suffix; {
	case a.parsed.Local == "" && suffix != scip.Term && suffix != scip.Method && suffix != scip.Type:
		return doubtful("it is neither a type, a function nor a variable")
	case a.parsed.Local != "" && !language.Is(file, language.Go):
		return doubtful("it is local to a file")
	}
	a.name = t.Name
	if a.name == "_" || a.name == "init" || a.name == "main" {
		return doubtful("the name means something to the language")
	}
	odd, err := a.cache.store.IsOdd(a.ctx, a.index.Number, keyOf(file, a.symbol))
	if err != nil {
		return err
	}
	if odd {
		return doubtful("the index names it otherwise in places, or relates it to others")
	}
	return nil
}
