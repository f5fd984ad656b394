package assembly

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// declarations returns what the names lead to and is not in view, the closest first. It does not wait
// for all of their types: see [gathering.describeTypes].
func (g *gathering) declarations(ctx context.Context, uses []*use) []*declaration {
	if !g.include[result.ContextType] && !g.include[result.ContextDefinition] && !g.include[result.ContextSummary] {
		return nil
	}
	found := newLookup(g, uses)
	g.beside(len(uses), func(i int) {
		var places []symbols.Place
		t := uses[i].target()
		g.put(ctx, symbols.Definition, symbols.Place{Path: t.Path, Range: protocol.Range{Start: t.At, End: t.At}}, func() (err error) {
			places, err = g.q.Places(ctx, symbols.Definition, t)
			return err
		})
		for _, d := range found.add(i, places) {
			g.askType(ctx, d)
		}
	})
	if g.include[result.ContextDefinition] {
		g.addTypes(ctx, found)
	}
	all := found.declared
	slices.SortStableFunc(all, func(x, y *declaration) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(y.count, x.count))
	})
	return all
}

// A lookup puts together the declarations that uses lead to.
type lookup struct {
	*gathering
	uses []*use

	mu       sync.Mutex
	places   [][]symbols.Place // by use
	answered []bool            // by use
	next     int               // the first use that is not looked at
	declared []*declaration    // in the order of their first uses
	inView   []*declaration    // what is declared in view, in the order of the first uses
}

func newLookup(g *gathering, uses []*use) *lookup {
	return &lookup{gathering: g, uses: uses, places: make([][]symbols.Place, len(uses)), answered: make([]bool, len(uses))}
}

// add notes what a use leads to, and returns the declarations that are known since then. Uses are
// looked at in their order, whatever the order of the answers: the result is the same each time.
func (l *lookup) add(i int, places []symbols.Place) (known []*declaration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.places[i], l.answered[i] = places, true
	before := len(l.declared)
	for ; l.next < len(l.uses) && l.answered[l.next]; l.next++ {
		l.lookAtLocked(l.uses[l.next], l.places[l.next])
	}
	return l.declared[before:]
}

func (l *lookup) lookAtLocked(u *use, places []symbols.Place) {
	if len(places) == 0 {
		return
	}
	list := &l.declared
	if l.focus.shows(places[0]) {
		list = &l.inView
	}
	d := declaredAt(*list, places[0])
	if d == nil {
		d = &declaration{place: places[0], use: u, distance: l.distance(places[0].Path)}
		*list = append(*list, d)
	}
	d.count += u.count
}

// declaredAt returns the declaration at a place, nil if it is none of the list. Servers differ in how
// much of a declaration they give.
func declaredAt(list []*declaration, at symbols.Place) *declaration {
	i := slices.IndexFunc(list, func(d *declaration) bool {
		return d.place.Path == at.Path && d.place.Range.Start == at.Range.Start
	})
	if i < 0 {
		return nil
	}
	return list[i]
}

// How far a file is from the focus.
const (
	sameFile = iota
	sameFolder
	sameWorkspace
	elsewhere
)

func (g *gathering) distance(path string) int {
	files := g.focus.files()
	beside := func(file string) bool { return filepath.Dir(file) == filepath.Dir(path) }
	switch {
	case slices.Contains(files, path):
		return sameFile
	case !g.workspace.Contains(path) || isLibrary(g.workspace.Relative(path)):
		return elsewhere
	case slices.ContainsFunc(files, beside):
		return sameFolder
	}
	return sameWorkspace
}

// isLibrary reports whether a file of the workspace is one of somebody else's: it stands in a hidden
// folder, or where packages are installed.
func isLibrary(path string) bool {
	for _, folder := range strings.Split(filepath.ToSlash(filepath.Dir(path)), "/") {
		if len(folder) > 1 && folder[0] == '.' || folder == language.NodeFolder || folder == "vendor" || folder == "site-packages" {
			return true
		}
	}
	return false
}
