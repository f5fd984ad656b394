package symbols

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// counterpart replaces the places of a definition by those that the declaration leads to, and the
// reverse, for servers that toggle between them.
func (q *Inquiry) counterpart(ctx context.Context, t Target, places []Place) ([]Place, error) {
	s, err := q.open(ctx, t.Path, Definition)
	if err != nil || !s.Definition().Has(registry.TogglesDefinition) {
		return places, nil // what it said stands
	}
	again := func(p Place) ([]Place, error) {
		return ask(ctx, q, p.Path, Definition, func(ctx context.Context, s Server) ([]Place, error) {
			locations, err := s.Locations(ctx, Definition, p.Path, p.Range.Start)
			return q.placesOf(s, locations), err
		})
	}
	if len(places) == 1 && KnowsOpenFilesAlone(s) && q.body(places[0]) < whole {
		// The definition may stand in a file that it does not know.
		here := Place{Path: t.Path, Range: protocol.Range{Start: t.At, End: t.At}}
		found := q.showSources(ctx, places[0].Path)
		if found {
			if places, err = again(here); err != nil {
				return nil, err
			}
		}
		if !found || len(places) == 1 && q.body(places[0]) < whole {
			language, _ := s.Definition().LanguageID(t.Path)
			q.access.Searchable(ctx, language, t.Name)
			if places, err = again(here); err != nil {
				return nil, err
			}
		}
	}
	if len(places) != 1 {
		return places, nil
	}
	others, err := again(places[0])
	if err != nil || len(others) != 1 || others[0] == places[0] {
		return places, nil
	}
	if back, err := again(others[0]); err != nil || len(back) != 1 || back[0] != places[0] {
		return places, nil // they are not two sides of one thing
	}
	if q.body(others[0]) > q.body(places[0]) {
		return others, nil
	}
	return places, nil
}

// showSources shows its server the sources of a header that are there, and reports whether there
// are any.
func (q *Inquiry) showSources(ctx context.Context, header string) (found bool) {
	for _, source := range sourcesOf(header) {
		if _, err := q.access.Resolve(source); err != nil {
			continue // it is outside of the workspace
		}
		if _, err := q.access.Text(source); err != nil {
			continue // it is not there
		}
		if s, err := q.open(ctx, source, Definition); err == nil {
			_, _ = s.Symbols(ctx, source) // its answer says that the file is read
			found = true
		}
	}
	return found
}

// sourceFolders are where the sources of headers in a folder include usually are.
var sourceFolders = []string{"src", "source", "lib"}

// sourcesOf returns the paths at which the sources of a header are looked for: files of its name in
// its folder, and those in a folder of sources that is in the place of the folder include, with the
// folders below that or without the first of them, which is often named after the project.
func sourcesOf(header string) (paths []string) {
	stems := []string{strings.TrimSuffix(header, filepath.Ext(header))}
	if project, below, ok := strings.Cut(filepath.ToSlash(stems[0]), "/include/"); ok {
		_, deeper, _ := strings.Cut(below, "/")
		for _, folder := range sourceFolders {
			for _, rest := range []string{below, deeper} {
				if rest != "" {
					stems = append(stems, filepath.FromSlash(project+"/"+folder+"/"+rest))
				}
			}
		}
	}
	for _, stem := range stems {
		for _, ending := range language.SourceEndings(header) {
			paths = append(paths, stem+ending)
		}
	}
	return paths
}

// How much of a definition stands at a place of C or C++.
const (
	announced = iota // extern
	declared         // up to a semicolon
	valued           // with a value
	whole            // with a body
)

// body says how much of a definition stands at a place.
func (q *Inquiry) body(p Place) int {
	text, err := q.access.Text(p.Path)
	if err != nil {
		return declared
	}
	mapper := protocol.NewMapper(text)
	from := mapper.Offset(p.Range.Start, protocol.UTF16)
	line := text[mapper.Offset(protocol.Position{Line: p.Range.Start.Line}, protocol.UTF16):from]
	depth, value := 0, false
	for _, c := range text[from:] {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0:
		case c == '{':
			return whole
		case c == '=':
			value = true
		case c == ';' && value:
			return valued
		case c == ';' && bytes.Contains(line, []byte("extern")):
			return announced
		case c == ';':
			return declared
		}
	}
	return declared
}
