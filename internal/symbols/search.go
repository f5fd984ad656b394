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
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
)

// A Found is a symbol that a search of the workspace found.
type Found struct {
	Server string
	// Name is its own name, Container the name of what contains it in the server's words.
	Name, Container, Kind string
	Place                 Place
	// NoRange says that the server gave only the file, not the place in it.
	NoRange bool
	// names are all names in the server's name for it.
	names []string
}

// means reports whether a name path is the container and the name as they are shown:
// a package path, such as golang.org/x/mod/modfile, before the names.
func (f *Found) means(p NamePath) bool {
	if f.Container == "" || p.Absolute {
		return false
	}
	container := splitPath(f.Container)
	for i := range f.names {
		if slices.Equal(slices.Concat(container, f.names[i:]), p.Parts) {
			return true
		}
	}
	return false
}

// patterns are what a regular expression has and a name has not.
var patterns = lazyregexp.New(`\.[*+?]|\\[a-zA-Z.*|()]|\||^\^|\[[^\]\d][^\]]*\]|\(\?|\*$|^\*`)

// classes are letters of a regular expression that are no part of a name.
var classes = lazyregexp.New(`\\[a-zA-Z]`)

// noPattern refuses a regular expression where a name is wanted.
func noPattern(argument, text string) error {
	if _, _, _, ok := operatorName(text); ok || !patterns.MatchString(text) || goReceiver.MatchString(text) {
		return nil
	}
	if _, ok := declarationName(strings.TrimSpace(text)); ok {
		return nil
	}
	longest := "Load"
	if names := identifiersOf(classes.ReplaceAll([]byte(text), []byte(" "))); len(names) > 0 {
		longest = slices.MaxFunc(names, func(a, b identifier) int { return cmp.Compare(len(a.name), len(b.name)) }).name
	}
	return &SelectorError{
		argument, fmt.Sprintf("%q is a regular expression, which is not what servers search for", text),
		fmt.Sprintf("give a name, or a part of one, for example %s; as text: grep -rnE %q .", longest, text),
	}
}

// Search asks every server of a language ("" is any) for symbols with names like query, and returns
// those of the project before those of others, best first: exact names, then beginnings, then parts; its files, then tests. If
// nothing is like query it returns what may be meant, with a note. failures are of servers that could not be asked; if none could
// be, they are the error.
//
// A query that is a regular expression is a *[SelectorError], as servers would look for its
// letters.
func (q *Inquiry) Search(ctx context.Context, query, language string) (found []Found, failures []error, err error) {
	if err := noPattern("query", query); err != nil {
		return nil, nil, err
	}
	name := query
	if p, err := ParseNamePath(query); err == nil {
		name = p.Parts[len(p.Parts)-1]
	}
	found, failures, err = q.search(ctx, query, language, name)
	if err == nil && (len(found) == 0 || unlike(found[0].Name, name) == 4) {
		if near := q.similar(slices.Concat(q.misspelled(ctx, name, language), found), name); len(near) > 0 {
			q.note("nothing is named %s; this is most like it", name)
			return near, failures, nil
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int { return cmp.Compare(q.ofOthers(&a), q.ofOthers(&b)) })
	return found, failures, err
}

// ofOthers is 1 for what others wrote, 0 for the project's own.
func (q *Inquiry) ofOthers(f *Found) int { return remoteness(q.access.Relative(f.Place.Path)) / 2 }

// search asks the servers that know files with the name.
func (q *Inquiry) search(ctx context.Context, query, language, name string) (found []Found, failures []error, err error) {
	if names := identifiersOf([]byte(name)); len(names) > 0 {
		name = names[0].name
	}
	servers, failures := q.access.Searchable(ctx, language, name)
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
		path, exists := q.pathOf(s, r.URI)
		if !exists {
			continue
		}
		names := searchNames(r.Name)
		container := r.Container
		if len(names) > 1 && container == "" {
			container = strings.Join(names[:len(names)-1], ".")
		}
		found = append(found, Found{
			Server: s.Definition().ID, Name: names[len(names)-1], Container: container, Kind: Kind(r.Kind),
			Place: Place{path, r.SelectionRange}, NoRange: r.NoRange, names: names,
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
	if err := noPattern("symbol", s.Symbol); err != nil {
		return Target{}, err
	}
	p, err := ParseNamePath(s.Symbol)
	if err != nil {
		return Target{}, err
	}
	last := p.Parts[len(p.Parts)-1]
	h, err := q.hunt(ctx, p, s.Language)
	if err != nil {
		return Target{}, err
	}
	matches := withoutParts(h.matches)
	if p.Overload >= 0 && len(matches) > 0 {
		return Target{}, &SelectorError{"symbol", "an overload index needs the file", "for example " + q.access.Relative(matches[0].outline.Path) + " " + p.String()}
	}
	switch len(matches) {
	case 0:
		if why := q.whyUnfounded(); why != nil {
			return Target{}, why
		}
		near := q.near(h.found, last)
		if len(near) == 0 {
			near = q.near(q.misspelled(ctx, last, s.Language), last)
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

// similar returns what may be meant by a name, of what was found: each once, the most similar first, at most five.
func (q *Inquiry) similar(found []Found, name string) []Found {
	seen := make(map[Place]bool)
	found = slices.DeleteFunc(found, func(f Found) bool {
		if seen[f.Place] || !similar(f.Name, name) {
			return true
		}
		seen[f.Place] = true
		return false
	})
	slices.SortStableFunc(found, func(a, b Found) int {
		return cmp.Or(
			cmp.Compare(q.ofOthers(&a), q.ofOthers(&b)),
			cmp.Compare(distance(fold(a.Name), fold(name)), distance(fold(b.Name), fold(name))),
		)
	})
	return found[:min(len(found), 5)]
}

// near returns what was found and is like a name.
func (q *Inquiry) near(found []Found, name string) (near []Candidate) {
	for _, f := range found {
		if similar(f.Name, name) && !f.NoRange {
			near = append(near, q.foundCandidate(f))
		}
	}
	return near
}

// maxMisspelled bounds the letters that are left out of a name, one at a time.
const maxMisspelled = 12

// misspelled searches for a name without each of its letters: servers find names that
// have the letters of a query in their order, so that two of them that changed places
// hide it.
func (q *Inquiry) misspelled(ctx context.Context, name, language string) (found []Found) {
	letters := []rune(name)
	if len(letters) < 3 {
		return nil
	}
	for i := range letters[:min(len(letters), maxMisspelled)] {
		less := string(slices.Delete(slices.Clone(letters), i, i+1))
		some, _, err := q.search(ctx, less, language, name)
		if err != nil || ctx.Err() != nil {
			return found
		}
		found = append(found, some...)
	}
	return found
}

// NotSearched returns which servers could not be asked, with the separator before it; "" if all
// could.
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
		queries = []string{strings.Join(p.Parts[n-2:], "."), last, p.Parts[n-2]}
	}
	for i, query := range queries {
		found, failures, err := q.search(ctx, query, language, last)
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
	meant := make(map[string]protocol.Position) // by path
	for _, f := range found {
		if f.means(p) {
			meant[f.Place.Path] = f.Place.Range.Start
		}
	}
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
		if strings.EqualFold(f.Name, like) {
			q.read(ctx, []Place{f.Place})
		}
		o, err := q.Outline(ctx, path)
		if err != nil {
			continue
		}
		here, m := o.matching(p)
		if at, ok := meant[path]; ok && m < exactMatch {
			if d := o.Declared(at); d != nil {
				here, m = []*Symbol{d}, exactMatch
			}
		}
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
