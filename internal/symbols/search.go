package symbols

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/protocol"
)

// A Found is a symbol of the workspace as a search gives it.
type Found struct {
	Server string
	// Name is its own name, Container what holds it in the server's words.
	Name, Container, Kind string
	Place                 Place
	// NoRange says that the server named only the file.
	NoRange bool
}

// Search asks every server of a language, or every one that runs, for names
// like query, best first: exact names before beginnings before parts, the
// project's own files before tests before those of others. Failures are of the
// servers that could not be asked; if none could, they are the error.
func (q *Inquiry) Search(ctx context.Context, query, language string) (found []Found, failures []error, err error) {
	servers, failures := q.access.Searchable(ctx, language)
	if len(servers) == 0 {
		return nil, nil, errors.Join(failures...)
	}
	var mu sync.Mutex
	answered := false
	var asked guard.Group
	for _, s := range servers {
		asked.Go(func() {
			reported, err := askServer(ctx, q, s, "workspace/symbol", func(ctx context.Context, s Server) ([]protocol.Symbol, error) {
				return s.WorkspaceSymbols(ctx, query)
			})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failures = append(failures, err)
				return
			}
			answered = true
			found = append(found, q.foundBy(s, reported)...)
		})
	}
	asked.Wait()
	if !answered {
		return nil, nil, errors.Join(failures...)
	}
	return q.rank(found, query), failures, nil
}

func (q *Inquiry) foundBy(s Server, reported []protocol.Symbol) []Found {
	var found []Found
	for _, r := range reported {
		path, err := r.URI.Path()
		if err != nil {
			continue
		}
		names := searchNames(r.Name)
		container := r.Container
		if len(names) > 1 && container == "" {
			container = strings.Join(names[:len(names)-1], ".")
		}
		found = append(found, Found{
			Server: s.Definition().ID, Name: names[len(names)-1], Container: container, Kind: Kind(r.Kind),
			Place: Place{path, r.SelectionRange}, NoRange: r.NoRange,
		})
	}
	return found
}

// searchNames takes apart the name of a search result: gopls qualifies it by
// package and type.
func searchNames(name string) []string {
	names := nameOf(name)
	last := names[len(names)-1]
	if strings.Contains(strings.Trim(last, "."), ".") && !strings.ContainsAny(last, " /\"'") {
		return append(names[:len(names)-1], strings.Split(last, ".")...)
	}
	return names
}

// unlike says how little a name is like a query.
func unlike(name, query string) int {
	switch {
	case name == query:
		return 0
	case strings.EqualFold(name, query):
		return 1
	case hasPrefixFold(name, query):
		return 2
	case strings.Contains(fold(name), fold(query)):
		return 3
	}
	return 4
}

// rank puts the best first. What only has the letters of the query somewhere
// goes if something is more like it, and so does what lies outside the
// workspace if the workspace has it.
func (q *Inquiry) rank(found []Found, query string) []Found {
	if p, err := ParseNamePath(query); err == nil {
		query = p.Parts[len(p.Parts)-1]
	}
	remote := func(f *Found) int { return remoteness(q.access.Relative(f.Place.Path)) }
	slices.SortStableFunc(found, func(a, b Found) int {
		return cmp.Or(
			cmp.Compare(unlike(a.Name, query), unlike(b.Name, query)),
			cmp.Compare(remote(&a), remote(&b)),
			cmp.Compare(weight(a.Kind), weight(b.Kind)),
			cmp.Compare(a.Place.Path, b.Place.Path),
			compare(a.Place.Range.Start, b.Place.Range.Start),
		)
	})
	if len(found) == 0 {
		return found
	}
	loose := unlike(found[0].Name, query) == 4
	own := remote(&found[0]) < 2
	return slices.DeleteFunc(found, func(f Found) bool {
		return !loose && unlike(f.Name, query) == 4 || own && remote(&f) == 2
	})
}

// maxSearched bounds the files whose outlines are read to find a name path.
const maxSearched = 16

// inWorkspace finds a name path that names no file.
func (q *Inquiry) inWorkspace(ctx context.Context, s Selector) (Target, error) {
	p, err := ParseNamePath(s.Symbol)
	if err != nil {
		return Target{}, err
	}
	last := p.Parts[len(p.Parts)-1]
	h, err := q.hunt(ctx, p, s.Language)
	if err != nil {
		return Target{}, err
	}
	matches := h.matches
	if p.Overload >= 0 && len(matches) > 0 {
		return Target{}, &SelectorError{"symbol", "an overload index needs the file", "for example " + q.access.Relative(matches[0].outline.Path) + " " + p.String()}
	}
	switch len(matches) {
	case 0:
		var near []Candidate
		for _, f := range h.found {
			if similar(f.Name, last) && !f.NoRange {
				near = append(near, q.foundCandidate(f))
			}
		}
		return Target{}, &NotFoundError{
			Selector: p.String(), Where: "the workspace", Nearest: best(near, last),
			Advice: fmt.Sprintf("symbols with another query may find it; as text: grep -rnw %q .", last) + NotSearched(h.failures, "; "),
		}
	case 1:
		return q.declared(matches[0].outline, matches[0].symbol, p, h.quality), nil
	}
	var candidates []Candidate
	for _, m := range matches {
		candidates = append(candidates, q.candidate(m.outline, m.symbol))
	}
	return Target{}, ambiguous(p.String(), candidates)
}

// NotSearched says which servers could not be asked, after a separator; "" if
// there is none.
func NotSearched(failures []error, separator string) string {
	if len(failures) == 0 {
		return ""
	}
	var texts []string
	for _, err := range failures {
		texts = append(texts, err.Error())
	}
	return separator + "not searched: " + strings.Join(texts, "; ")
}

// hunted is what searches for it gave.
type hunted struct {
	found    []Found
	matches  []declaration
	quality  int
	failures []error
}

// hunt searches for a name path: by the whole of it, which some servers
// understand, by its own name, and by what holds it. The first search that
// gives a match ends it.
func (q *Inquiry) hunt(ctx context.Context, p NamePath, language string) (h hunted, err error) {
	n := len(p.Parts)
	last := p.Parts[n-1]
	queries := []string{last}
	if n > 1 {
		queries = []string{strings.Join(p.Parts, "."), last, p.Parts[n-2]}
	}
	for i, query := range queries {
		found, failures, err := q.Search(ctx, query, language)
		if err != nil {
			return h, err
		}
		h.failures = failures
		like := last
		if i == 2 {
			like = query
		} else {
			h.found = append(h.found, found...)
		}
		matches, quality := q.matches(ctx, found, like, p)
		if ctx.Err() != nil {
			return h, ctx.Err()
		}
		if quality > h.quality {
			h.matches, h.quality = matches, quality
		}
		if h.quality >= suffixMatch {
			break
		}
	}
	return h, nil
}

func (q *Inquiry) foundCandidate(f Found) Candidate {
	return Candidate{
		Name: f.Name, Kind: f.Kind, Container: f.Container, Path: q.access.Relative(f.Place.Path),
		Line: int(f.Place.Range.Start.Line) + 1, Column: int(f.Place.Range.Start.Character) + 1,
	}
}

// A declaration is a symbol with the outline it is in.
type declaration struct {
	outline *Outline
	symbol  *Symbol
}

// matches returns the declarations that match p best, in the files where
// something like a name was found. Files of others count only if none of the
// project's own matches.
func (q *Inquiry) matches(ctx context.Context, found []Found, like string, p NamePath) (matches []declaration, quality int) {
	seen := make(map[string]bool)
	nearest := 0
	for _, f := range found {
		path := f.Place.Path
		if seen[path] || len(seen) >= maxSearched || !strings.Contains(fold(f.Name), fold(like)) {
			continue
		}
		seen[path] = true
		far := remoteness(q.access.Relative(path))
		if far > nearest && len(matches) > 0 && far > 1 {
			break
		}
		o, err := q.Outline(ctx, path)
		if err != nil {
			continue
		}
		here, m := o.matching(p)
		if m > quality {
			matches, quality, nearest = nil, m, far
		}
		if m == quality {
			for _, s := range here {
				matches = append(matches, declaration{o, s})
			}
		}
	}
	return matches, quality
}
