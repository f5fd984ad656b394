package imports

import (
	"slices"
	"strings"
	"sync"
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

// maxHops bounds by how many files that declare something by means of the one
// before a change is followed.
const maxHops = 4

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
}

// Search returns a search that reads what it needs of a tree, once.
func (r *Reader) Search(tree Tree) *Search {
	return &Search{reader: r, tree: tree, graphs: make(map[*family]*graph)}
}

func (s *Search) graph(f *family) *graph {
	if s.graphs[f] == nil {
		s.graphs[f] = s.reader.graph(s.tree, f)
	}
	return s.graphs[f]
}

// Reach returns the files that the changes may concern, nearest first, but not many
// more than 500; changed ones are among them if another change concerns them. Complete is false if there were
// too many files to look at.
func (s *Search) Reach(changes []Change) (reached []Reached, complete bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	complete = true
	for _, f := range families {
		var own []Change
		for _, c := range changes {
			if familyOf(c.Path) == f {
				own = append(own, c)
			}
		}
		if len(own) == 0 {
			continue
		}
		if !slices.ContainsFunc(own, func(c Change) bool { return concerns(f, c) }) {
			continue
		}
		w := walk{graph: s.graph(f), hops: make(map[string]int), passed: make(map[string]names)}
		w.run(own)
		complete = complete && !w.graph.cut
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

// A walk is one search on its way through the files of a family.
type walk struct {
	graph  *graph
	hops   map[string]int   // by file that is concerned
	passed map[string]names // by file: what its importers are told
}

// A step is a file whose importers are to be looked at.
type step struct {
	path  string
	names names
	hops  int
	// all says that its importers are concerned whatever they mention.
	all bool
}

func (s *walk) run(changes []Change) {
	var steps []step
	for _, c := range changes {
		changed := make(names)
		for _, name := range c.Names {
			changed[name] = true
		}
		before := s.graph.family.declarations(string(c.Before))
		for _, name := range fresh(before, s.graph.family.declarations(string(c.After))) {
			changed[name] = true
		}
		grown, _ := grow(changed, before)
		if s.graph.family == families[script] && !isModule(c) {
			s.everybody(c.Path, grown)
		}
		steps = append(steps, step{c.Path, grown, 0, c.All})
	}
	for len(steps) > 0 && len(s.hops) < maxReached {
		var next []step
		for _, st := range steps {
			for _, path := range s.graph.of(st.path) {
				if len(s.hops) >= maxReached {
					return
				}
				if n, ok := s.enter(path, st); ok {
					next = append(next, n)
				}
			}
		}
		steps = next
	}
}

// concerns reports whether a change can concern anybody.
func concerns(f *family, c Change) bool {
	return c.All || len(c.Names) > 0 || len(fresh(f.declarations(string(c.Before)), f.declarations(string(c.After)))) > 0
}

// fresh returns the names that are declared after a change and were not before.
func fresh(before, after []declaration) (added []string) {
	old := make(names)
	for _, d := range before {
		for _, name := range d.names {
			old[name] = true
		}
	}
	for _, d := range after {
		for _, name := range d.names {
			if !old[name] {
				added = append(added, name)
			}
		}
	}
	return added
}

func isModule(c Change) bool {
	for _, text := range [][]byte{c.Before, c.After} {
		if len(text) > 0 && !moduleMark.Match(text) {
			return false
		}
	}
	return true
}

// everybody concerns all files that mention a name: that of a script is global.
func (s *walk) everybody(own string, n names) {
	for _, path := range s.graph.paths {
		if path != own && n.mentioned(s.graph.text(path)) {
			s.concern(path, 1)
		}
	}
}

func (s *walk) concern(path string, hops int) {
	if old, ok := s.hops[path]; !ok || hops < old {
		s.hops[path] = hops
	}
}

// enter looks at a file that brings in another, and returns what that means for those
// that bring it in, if that is news.
func (s *walk) enter(path string, from step) (step, bool) {
	text := s.graph.text(path)
	includes := s.graph.family == families[native]
	star := s.graph.passers[path]
	if !from.all && !star && !from.names["default"] && !from.names.mentioned(text) {
		return step{}, false
	}
	list := s.graph.declarations(path)
	told := from.names
	if from.all {
		told = s.bound(list, from)
	}
	if told["default"] {
		told = withDefault(told, text)
	}
	grown, mentions := grow(told, list)
	hops := from.hops
	if mentions || from.all {
		hops++
		s.concern(path, hops)
	}
	if hops > maxHops {
		return step{}, false
	}
	if !includes && !star {
		grown = s.offered(grown, list, told)
	}
	news := make(names)
	for name := range grown {
		if !s.passed[path][name] {
			news[name] = true
		}
	}
	goesOn := from.all && (includes || star) && s.passed[path] == nil
	if len(news) == 0 && !goesOn {
		return step{}, false
	}
	if s.passed[path] == nil {
		s.passed[path] = make(names)
	}
	for name := range news {
		s.passed[path][name] = true
	}
	return step{path, news, hops, goesOn}, true
}

// bound returns the names, with those that the statements bind that may bring in the
// file of a step.
func (s *walk) bound(list []declaration, from step) names {
	all := make(names)
	for name := range from.names {
		all[name] = true
	}
	name, folder := s.graph.family.named(from.path)
	for i := range list {
		d := &list[i]
		statement := strings.Join(d.lines, "\n")
		for _, ref := range s.graph.family.imports(from.path, []byte(statement)) {
			// Relative ones were resolved from the wrong place here: the last word does.
			last := ref.path[strings.LastIndexByte(ref.path, '/')+1:]
			if d.passes && (strings.HasSuffix(name, last) || folder != "" && strings.HasSuffix(folder, last)) {
				for _, word := range identifier.FindAllString(quotedPath.ReplaceAllString(statement, ""), -1) {
					if !keywords[word] {
						all[word] = true
					}
				}
			}
		}
	}
	return all
}

// offered returns the names that a file shows to those that bring it in: what it
// declares and, where it passes on what it imports, those.
func (s *walk) offered(grown names, list []declaration, told names) names {
	offers := make(names)
	var reexports []string
	for i := range list {
		d := &list[i]
		for _, name := range d.names {
			if grown[name] {
				offers[name] = true
			}
		}
		if d.passes && (s.graph.family == families[python] || strings.HasPrefix(d.lines[0], "export")) {
			reexports = append(reexports, strings.Join(d.lines, "\n"))
		}
	}
	for _, statement := range reexports {
		if !grown.mentioned(statement) {
			continue
		}
		for name := range told { // the members of what is passed on are passed on with it
			offers[name] = true
		}
		for _, word := range identifier.FindAllString(statement, -1) {
			if grown[word] {
				offers[word] = true
			}
		}
	}
	return offers
}

// withDefault adds the names by which a file calls what others export by default.
func withDefault(n names, text string) names {
	all := make(names, len(n))
	for name := range n {
		all[name] = true
	}
	for _, m := range defaultImport.FindAllStringSubmatch(text, -1) {
		all[m[1]+m[2]] = true
	}
	return all
}
