package imports

import (
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/language"
)

// kept is the graph of a search, for the next one: as long as it can be said which files
// changed since, only these are read again, and what others bring in stays as it is.
type kept struct {
	graph *graph
	// paths is the list of which the graph is, mark the moment before it was read.
	paths []string
	mark  uint64
	// restless are the files whose state did not tell whether they would change.
	restless []string
}

// keep keeps a graph in mind. A mark of 0 is none.
func (r *Reader) keep(g *graph, paths []string, mark uint64) {
	k := &kept{paths: paths, mark: mark, graph: &graph{
		paths: g.paths, files: g.files, importers: g.importers, under: g.under, workspace: g.workspace, meanings: g.meanings, state: g.state, modules: g.modules,
	}}
	for path, file := range g.files {
		if file.restless {
			k.restless = append(k.restless, path)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = make(map[*family]*kept)
	}
	if delete(r.kept, g.family); mark != 0 && !g.cut {
		r.kept[g.family] = k
	}
}

// again returns the graph of the same list of files, as they are now, nil if there was
// none or it cannot be said what changed; and the mark of now.
func (r *Reader) again(tree Tree, f *family, paths []string) (g *graph, mark uint64) {
	if tree.Touched == nil {
		return nil, 0
	}
	r.mu.Lock()
	k := r.kept[f]
	r.mu.Unlock()
	if k == nil || len(paths) == 0 || len(k.paths) != len(paths) || &k.paths[0] != &paths[0] {
		_, now, _ := tree.Touched(0)
		return nil, now
	}
	touched, now, ok := tree.Touched(k.mark)
	if !ok {
		return nil, now
	}
	g = &graph{
		reader: r, tree: tree, family: f, texts: make(map[string]string), parsed: make(map[string][]declaration),
		paths: k.graph.paths, files: maps.Clone(k.graph.files),
		importers: k.graph.importers, under: k.graph.under, meanings: k.graph.meanings, state: k.graph.state,
	}
	same := true // what the files bring in, and what that means
	touched = append(touched, k.restless...)
	slices.Sort(touched)
	for _, path := range slices.Compact(touched) {
		old, ours := g.files[path]
		if !ours {
			continue
		}
		file, _ := r.imports(tree, f, path)
		same = same && slices.Equal(old.imports, file.imports)
		g.files[path] = file
	}
	switch f {
	case families[language.ScriptFamily]:
		w := *k.graph.workspace
		w.tree, w.found, g.workspace = tree, nil, &w
		state, reliable := w.stateOf(g.state.specs)
		same = same && reliable && g.state.reliable && state == g.state.state
	case families[language.GoFamily]:
		g.modules = goModulesOf(tree, paths)
		same = same && slices.Equal(g.modules, k.graph.modules)
	}
	if !same {
		r.linkAll(g)
	}
	return g, now
}
