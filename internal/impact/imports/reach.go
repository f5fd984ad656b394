package imports

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/language"
)

// A Change is a file of which names mean something else.
type Change struct {
	Path string
	// Before and After are its texts; nil if there is none.
	Before, After []byte
	// Names are those that change, as the text before has them.
	Names []string
	// All says that whoever brings it in is concerned: it comes or goes, or passes
	// on all that another holds.
	All bool
}

// maxReached bounds the files that are found: far fewer are asked about.
const maxReached = 500

// A Reached is a file that may be concerned.
type Reached struct {
	Path string
	Hops int // 1: it mentions what changed, or brings in what comes or goes
}

// A Search looks at one state of a tree. It is safe for concurrent use.
type Search struct {
	reader *Reader
	tree   Tree

	mu     sync.Mutex
	graphs map[*family]*graph // with what was read of the texts
	// settings are by family.
	settings map[language.Family]*settings
}

// Search returns a search that reads what it needs of a tree, once.
func (r *Reader) Search(tree Tree) *Search {
	return &Search{reader: r, tree: tree, graphs: make(map[*family]*graph), settings: make(map[language.Family]*settings)}
}

func (s *Search) graphLocked(f *family) *graph {
	if s.graphs[f] == nil {
		s.graphs[f] = s.reader.graph(s.tree, f)
	}
	return s.graphs[f]
}

// Between does what the function Between does, for less where a text was compared before.
func (s *Search) Between(path string, before, after []byte) Difference {
	return s.reader.Between(path, before, after)
}

// Reach returns the files that the changes may concern, nearest first, but not many
// more than 500; changed ones are among them if another change concerns them. Complete is false if there were
// too many files to look at.
func (s *Search) Reach(changes []Change) (reached []Reached, complete bool) {
	extended := make(map[string][]language.Family)
	for _, c := range changes {
		extended[c.Path] = s.Extended(c.Path)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	complete = true
	for id, f := range families {
		if f == nil {
			continue
		}
		var own, configs []Change
		for _, c := range changes {
			switch {
			case familyOf(c.Path) == f && (c.All || len(c.Names) > 0):
				own = append(own, c)
			case configures(c.Path) == f, slices.Contains(extended[c.Path], language.Family(id)):
				configs = append(configs, c)
			}
			if bringing(c.Path) == f && !sameType(c.Before, c.After) {
				own = append(own, Change{Path: c.Path, All: true}) // its text declares nothing
			}
		}
		if len(own)+len(configs) == 0 {
			continue
		}
		w := walk{graph: s.graphLocked(f), hops: make(map[string]int), passed: make(map[string]names), whole: make(map[string]bool)}
		w.configure(configs)
		w.run(own)
		complete = complete && !w.graph.cut && !w.cut && w.graph.knowsHomes(own)
		for path, hops := range w.hops {
			reached = append(reached, Reached{path, hops})
		}
	}
	slices.SortFunc(reached, func(a, b Reached) int {
		if a.Hops != b.Hops {
			return a.Hops - b.Hops
		}
		return strings.Compare(a.Path, b.Path)
	})
	return reached, complete
}

// BroughtIn reports whether a file that meets a condition brings in the file at path,
// itself or by way of others. Where not all is known it does.
func (s *Search) BroughtIn(path string, meets func(path string) bool) bool {
	f := familyOf(path)
	if f == nil {
		f = bringing(path)
	}
	if f == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.graphLocked(f)
	return g.cut || g.importedBy(path, meets)
}

// Importers returns the files that bring in the file at path, themselves or by way of others. Known is false if it may matter to
// more than these: not all files were read, or one of these declares something for everybody.
func (s *Search) Importers(path string) (files map[string]bool, known bool) {
	f := familyOf(path)
	if f == nil {
		f = bringing(path)
	}
	if f == nil {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.graphLocked(f)
	files = make(map[string]bool)
	forAll := g.cut || g.importedBy(path, func(importer string) bool {
		files[importer] = true
		list := g.declarations(importer)
		return len(globalsOf(list)) > 0 || slices.ContainsFunc(list, hidesGlobals)
	})
	return files, !forAll
}

// importedBy reports whether a file that meets a condition brings in the file at path, itself or by way of others.
func (g *graph) importedBy(path string, meets func(path string) bool) bool {
	seen, next := map[string]bool{path: true}, []string{path}
	for len(next) > 0 {
		path, next = next[0], next[1:]
		for importer := range g.of(path) {
			switch {
			case seen[importer]:
			case meets(importer):
				return true
			default:
				seen[importer], next = true, append(next, importer)
			}
		}
	}
	return false
}

// A walk is one search on its way through the files of a family.
type walk struct {
	graph  *graph
	hops   map[string]int   // by file that is concerned
	passed map[string]names // by file: what its importers are told
	whole  map[string]bool  // the files of which they are told that all of it may be different
	cut    bool             // there were too many
}

// A step is a file whose importers are to be looked at.
type step struct {
	path  string
	names names
	// global are those of them that any file may mention.
	global names
	hops   int
	// all says that its importers are concerned whatever they mention.
	all bool
	// coming are those that a script exports now and did not, or the reverse: they may be the
	// same as another's in a file that passes on all of both.
	coming names
	// qualified says which of the names other Go packages can write only behind the package's own.
	qualified goQualified
}

func (s *walk) run(changes []Change) {
	var steps, outside []step
	var everybody []string
	for _, c := range changes {
		changed := make(names)
		changed.add(c.Names...)
		st := step{path: c.Path, all: c.All, names: changed, global: make(names), coming: s.coming(c)}
		var lists [2][]declaration
		for i, text := range [][]byte{c.Before, c.After} {
			if text == nil {
				continue
			}
			list := s.graph.reader.divide(s.graph.family, c.Path, text)
			lists[i] = list
			g := grow(changed, list)
			maps.Copy(st.names, g.names)
			maps.Copy(st.global, g.global)
			if c.All { // of a script, everything is everybody's
				for _, d := range list {
					st.global.add(d.global...)
				}
			}
			st.all = st.all || g.shapes
		}
		if s.graph.family == families[language.GoFamily] {
			st.qualified = qualifiedBy(st.names, slices.Concat(lists[0], lists[1]), string(c.Before), string(c.After))
		}
		if s.graph.family == families[language.ScriptFamily] {
			spills := spillOf(lists[0], lists[1])
			maps.Copy(st.global, spills.names)
			outside = append(outside, s.ambient(st, spills.modules)...)
			if spills.everybody {
				everybody = append(everybody, c.Path)
			}
		}
		steps = append(steps, st)
	}
	s.follow(append(steps, outside...))
	for _, path := range everybody {
		s.rest(path)
	}
}

// follow looks at the importers of steps, and at theirs.
func (s *walk) follow(steps []step) {
	for len(steps) > 0 {
		var next []step
		for _, st := range steps {
			importers := s.graph.of(st.path)
			for _, path := range slices.Sorted(maps.Keys(importers)) {
				if len(s.hops) >= maxReached {
					s.cut = true
					return
				}
				if n, ok := s.enter(path, st, importers[path]); ok {
					next = append(next, n)
				}
			}
			next = append(next, s.everybody(st)...)
		}
		steps = next
	}
}

// configure concerns the files that are understood in another way.
func (s *walk) configure(changes []Change) {
	for _, c := range changes {
		for _, path := range s.graph.configured(c) {
			s.concern(path, 1)
		}
	}
}

// everybody enters the files that mention names that a file declares for all.
func (s *walk) everybody(st step) (next []step) {
	if len(st.global) == 0 {
		return nil
	}
	for _, path := range s.graph.paths {
		if len(s.hops) >= maxReached {
			s.cut = true
			return next
		}
		if path == st.path {
			continue
		}
		if n, ok := s.enter(path, step{path: st.path, names: st.global, hops: st.hops}, false); ok {
			next = append(next, n)
		}
	}
	return next
}

func (s *walk) concern(path string, hops int) {
	if old, ok := s.hops[path]; !ok || hops < old {
		s.hops[path] = hops
	}
}

// enter looks at a file that brings in another, and returns what that means for those
// that bring it in, if that is news. Whole says that they can reach all that the other
// holds through it.
func (s *walk) enter(path string, from step, whole bool) (step, bool) {
	text := s.graph.text(path)
	from.names = s.graph.written(path, text, from)
	if !from.all && !whole && !from.names["default"] && !from.names.mentioned(text) {
		return step{}, false
	}
	list := s.graph.declarations(path)
	told := from.names
	if from.all {
		told = s.bound(path, list, from)
	}
	if told["default"] {
		told = withDefault(told, text)
	}
	if whole {
		told = maps.Clone(told)
		told.add(s.spaces(path, list, from)...)
	}
	g := grow(told, list)
	hops := from.hops
	var coming names
	if whole && s.passesAll(path, list, from) {
		coming = from.coming
	}
	switch {
	case g.mentions || from.all:
		hops++
		s.concern(path, hops)
	case len(coming) > 0:
		s.concern(path, hops+1)
	}
	offers := g.names
	if !whole {
		offers = s.offered(g.names, list, told)
	}
	news := make(names)
	for name := range offers {
		if !s.passed[path][name] {
			news[name] = true
		}
	}
	goesOn := (from.all && whole || g.shapes) && !s.whole[path]
	if len(news) == 0 && !goesOn {
		return step{}, false
	}
	if s.passed[path] == nil {
		s.passed[path] = make(names)
	}
	maps.Copy(s.passed[path], news)
	s.whole[path] = s.whole[path] || goesOn
	on := step{path: path, names: news, global: g.global, hops: hops, all: goesOn, coming: coming}
	if s.graph.family == families[language.GoFamily] {
		on.qualified = qualifiedBy(news, list, text)
	}
	return on, true
}

// coming returns the names that only one of the texts of a script exports.
func (s *walk) coming(c Change) names {
	if s.graph.family != families[language.ScriptFamily] {
		return nil
	}
	coming := make(names)
	was, is := s.exports(c.Path, c.Before), s.exports(c.Path, c.After)
	for name := range was {
		if !is[name] {
			coming[name] = true
		}
	}
	for name := range is {
		if !was[name] {
			coming[name] = true
		}
	}
	return coming
}

// exports returns the names that a text of a script exports, without what it passes on all of.
func (s *walk) exports(path string, text []byte) names {
	all := make(names)
	if text == nil {
		return all
	}
	for _, d := range s.graph.reader.divide(s.graph.family, path, text) {
		if !d.exports() {
			continue
		}
		if all.add(d.names...); d.passes {
			all.add(d.words()...)
		}
	}
	return all
}

// passesAll reports whether a script may pass on all that the file of a step exports.
func (s *walk) passesAll(path string, list []declaration, from step) (passes bool) {
	if len(from.coming) > 0 {
		s.statements(path, list, from, func(d *declaration) { passes = passes || starExport.MatchString(d.statement()) })
	}
	return passes
}

// statements calls f for each statement of a file that may bring in the file of a step.
func (s *walk) statements(path string, list []declaration, from step, f func(d *declaration)) {
	for i := range list {
		d := &list[i]
		for _, ref := range s.graph.family.imports(path, []byte(d.shown)) {
			if s.graph.means(path, ref, from.path) {
				f(d)
				break
			}
		}
	}
}

// bound returns the names, with those that the statements bind that may bring in the
// file of a step.
func (s *walk) bound(path string, list []declaration, from step) names {
	all := maps.Clone(from.names)
	s.statements(path, list, from, func(d *declaration) {
		if d.passes {
			all.add(d.words()...)
		} else {
			all.add(d.names...)
		}
	})
	return all
}

// spaces returns the names by which a file calls the whole of the file of a step where
// it uses more of them than a member.
func (s *walk) spaces(path string, list []declaration, from step) (bare []string) {
	find := namespace
	switch s.graph.family {
	case families[language.PythonFamily]:
		find = pythonSpace
	case families[language.NativeFamily]:
		return nil
	}
	s.statements(path, list, from, func(d *declaration) {
		for _, m := range find.FindAllStringSubmatch(d.shown, -1) {
			name := m[1] + m[2]
			for i := range list {
				if other := &list[i]; other != d && isBare(name, other.shown+"\n"+other.hidden) {
					bare = append(bare, name)
					break
				}
			}
		}
	})
	return bare
}

// isBare reports whether a text mentions a name without asking for a member of it.
func isBare(name, text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 || name == "" {
			return false
		}
		end := at + i + len(name)
		alone := (at+i == 0 || !isWord(text[at+i-1])) && (end == len(text) || !isWord(text[end]))
		if rest := strings.TrimLeft(text[end:], " \t\r\n"); alone && !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "?.") {
			return true
		}
		at = end
	}
}

// offered returns the names that a file shows to those that bring it in: what it
// declares and, where it passes on what it imports, those.
func (s *walk) offered(grown names, list []declaration, told names) names {
	offers := make(names)
	for i := range list {
		d := &list[i]
		for _, name := range d.names {
			if grown[name] {
				offers[name] = true
			}
		}
		passesOn := d.passes && (s.graph.family == families[language.PythonFamily] || d.exports())
		if !passesOn || !grown.mentioned(d.shown) {
			continue
		}
		maps.Copy(offers, told) // the members of what is passed on are passed on with it
		for _, word := range identifier.FindAllString(d.shown, -1) {
			if grown[word] {
				offers[word] = true
			}
		}
	}
	return offers
}

// withDefault adds the names by which a file calls what others export by default.
func withDefault(n names, text string) names {
	all := maps.Clone(n)
	for _, m := range defaultImport.FindAllStringSubmatch(text, -1) {
		all[m[1]+m[2]] = true
	}
	return all
}
