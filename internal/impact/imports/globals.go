package imports

import (
	"maps"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A global is a declaration that a script makes for files that do not import it: at the top level
// of one that is no module, or within declare global, declare module or a namespace of these.
type global struct {
	// within are the namespaces around it; module is the module that it adds to, "" for none.
	within []string
	module string
	names  []string
	text   string
}

var (
	globalBlock    = lazyregexp.New(`^(?:export\s+)?declare\s+global\b`)
	anyGlobal      = lazyregexp.New(`\bdeclare\s+(?:global|module)\b`)
	ambientModule  = lazyregexp.New(`^(?:export\s+)?declare\s+module\s*["']([^"'\n]+)["']`)
	namespaceBlock = lazyregexp.New(`^(?:export\s+)?(?:declare\s+)?(?:namespace|module)\s+([\w$.]+)\s*\{`)
	hasMembers     = lazyregexp.New(`^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:interface|class)\b`)
	memberName     = lazyregexp.New(`^(?:(?:public|protected|private|readonly|static|abstract|declare|get|set)\s+)*(?:"([^"\n]+)"|'([^'\n]+)'|([\w$]+))\s*[?!]?\s*(?:[:(<]|$)`)
)

// globalsOf returns what statements of a script declare for everybody.
func globalsOf(list []declaration) (all []global) {
	for i := range list {
		all = append(all, list[i].globals()...)
	}
	return all
}

// globals returns what a statement of a script declares for everybody.
func (d *declaration) globals() []global {
	head := d.statement()
	m := ambientModule.FindStringSubmatch(head)
	switch {
	case m != nil:
		return append(d.inside(global{module: m[1]}), global{module: m[1], text: m[1]})
	case globalBlock.MatchString(head):
		return d.inside(global{})
	case len(d.global) > 0:
		return d.flat(global{})
	}
	return nil
}

// inside returns what a block declares, in a place.
func (d *declaration) inside(place global) (all []global) {
	_, inside, found := strings.Cut(d.shown, "{")
	if !found {
		return nil
	}
	inside = inside[:max(0, strings.LastIndexByte(inside, '}'))]
	for _, inner := range scriptDeclarations(anyScript, inside) {
		all = append(all, inner.flat(place)...)
	}
	return all
}

// anyScript is the name of a file in the language of the scripts that declare for everybody.
const anyScript = "globals.d.ts"

// flat returns what a statement in a place declares: itself or, for a namespace, what is in it.
func (d *declaration) flat(place global) []global {
	if m := namespaceBlock.FindStringSubmatch(d.statement()); m != nil {
		inner := place
		inner.within = append(slices.Clone(place.within), strings.Split(m[1], ".")...)
		if all := d.inside(inner); len(all) > 0 {
			return all
		}
	}
	if len(d.names) == 0 {
		return nil
	}
	place.names, place.text = d.names, d.statement()
	return []global{place}
}

// key is equal for declarations that are about the same thing.
func (g *global) key() string {
	return strings.Join(slices.Concat([]string{g.module}, g.within, g.names), "\x00")
}

// members returns the parts of an interface or a class, its head first; nil for all else, which is
// used by its name.
func (g *global) members() (parts []string) {
	head, body, found := strings.Cut(g.text, "{")
	if !found || !hasMembers.MatchString(g.text) {
		return nil
	}
	add := func(part string) {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			parts = append(parts, part)
		}
	}
	add(head)
	depth, from := 0, 0
	for i := range len(body) {
		switch body[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				add(body[from:i])
				return parts
			}
		case ';', ',', '\n':
			if depth == 0 {
				add(body[from:i])
				from = i + 1
			}
		}
	}
	return parts
}

// namesOf returns the words by which others use what a part of an interface or a class declares;
// false if it has no name.
func namesOf(part string) ([]string, bool) {
	m := memberName.FindStringSubmatch(part)
	if m == nil || m[3] == "new" {
		return nil, false
	}
	return identifier.FindAllString(m[1]+m[2]+m[3], -1), true
}

// A spill is what a change of a script means for files that do not import it.
type spill struct {
	// names are those that such files mention.
	names names
	// modules are the names, or patterns with one asterisk, of modules of which any name may mean
	// something else.
	modules names
	// everybody says that files are concerned whatever they mention.
	everybody bool
}

// spillOf compares what the statements of two texts of a script declare for everybody.
func spillOf(before, after []declaration) spill {
	s := spill{names: make(names), modules: make(names)}
	s.everybody = slices.ContainsFunc(slices.Concat(before, after), hidesGlobals)
	was, is := globalsOf(before), globalsOf(after)
	texts := make(map[string]int)
	for i := range was {
		texts[was[i].key()+"\x00"+signature(was[i].text)]--
	}
	for i := range is {
		texts[is[i].key()+"\x00"+signature(is[i].text)]++
	}
	changed := make(map[string][2][]string) // the parts before and after
	for side, list := range [][]global{was, is} {
		for i := range list {
			g := &list[i]
			if texts[g.key()+"\x00"+signature(g.text)] == 0 {
				continue
			}
			both := changed[g.key()]
			both[side] = append(both[side], g.members()...)
			changed[g.key()] = both
			s.add(g)
		}
	}
	for _, both := range changed {
		s.addParts(both[0], both[1])
	}
	return s
}

// hidesGlobals reports whether a text that cannot be divided, and is one statement, may declare
// something for everybody.
func hidesGlobals(d declaration) bool {
	return d.passes && d.shapes && len(d.global) == 0 && anyGlobal.MatchString(d.shown)
}

// add adds a declaration that changes.
func (s *spill) add(g *global) {
	s.names.add(g.names...)
	s.names.add(g.within...)
	if g.module != "" {
		s.modules[g.module] = true
	}
	jsx := slices.Contains(g.within, language.JSXNamespace)
	s.everybody = s.everybody || slices.ContainsFunc(g.names, func(name string) bool {
		return jsx && name != language.JSXElements || !jsx && len(g.within) == 0 && g.module == "" && language.IsImplicitType(name)
	})
}

// addParts adds the parts of declarations of one thing that are in only one of the texts.
func (s *spill) addParts(before, after []string) {
	differ := make(map[string]bool)
	for _, part := range before {
		differ[part] = !slices.Contains(after, part)
	}
	for _, part := range after {
		differ[part] = differ[part] || !slices.Contains(before, part)
	}
	for _, part := range slices.Sorted(maps.Keys(differ)) {
		if !differ[part] {
			continue
		}
		switch found, named := namesOf(part); {
		case hasMembers.MatchString(part): // what it inherits has other names
			s.everybody = s.everybody || strings.Contains(part, " extends ") && hasWord(part, "interface")
		case named:
			s.names.add(found...)
		case strings.HasPrefix(part, "[") || strings.HasPrefix(part, "(") || strings.HasPrefix(part, "<") || strings.HasPrefix(part, "new"):
			s.everybody = true
		default: // it goes on with the part above
			for _, other := range slices.Concat(before, after) {
				found, _ := namesOf(other)
				s.names.add(found...)
			}
		}
	}
}

func hasWord(text, word string) bool {
	return slices.Contains(identifier.FindAllString(text, -1), word)
}

// spreads returns the words by which others use those parts of what a statement declares for
// everybody that mention a name.
func (d *declaration) spreads(n names) (found []string) {
	if len(d.global) == 0 || !strings.Contains(d.shown, "{") {
		return d.global
	}
	found = slices.Clone(d.global)
	for _, g := range d.globals() {
		for _, part := range g.members() {
			if n.mentioned(part) {
				names, _ := namesOf(part)
				found = append(found, names...)
			}
		}
	}
	return found
}

// matches reports whether a reference in a script may name a module, or one of a pattern.
func (r reference) matches(module string) bool {
	name := r.spec
	if name == "" {
		name = r.path
	}
	start, end, pattern := strings.Cut(module, "*")
	if !pattern {
		return name == module
	}
	return len(name) >= len(start)+len(end) && (r.spec == "" || strings.HasPrefix(name, start)) && strings.HasSuffix(name, end)
}

// ambient enters the files that import modules of which any name may mean something else.
func (s *walk) ambient(from step, modules names) (next []step) {
	for _, path := range s.graph.paths {
		bound := make(names)
		for _, ref := range s.graph.files[path].imports {
			for module := range modules {
				if path != from.path && ref.matches(module) {
					bound.add(s.boundBy(path, ref)...)
				}
			}
		}
		if len(bound) == 0 {
			continue
		}
		if len(s.hops) >= maxReached {
			s.cut = true
			return next
		}
		s.concern(path, from.hops+1)
		if n, ok := s.enter(path, step{path: from.path, names: bound, hops: from.hops}, false); ok {
			next = append(next, n)
		}
	}
	return next
}

// boundBy returns the names that the statements of a file bind which import by a reference, and
// "default".
func (s *walk) boundBy(path string, ref reference) []string {
	bound := []string{"default"}
	list := s.graph.declarations(path)
	for i := range list {
		d := &list[i]
		if slices.Contains(s.graph.family.imports(path, []byte(d.shown)), ref) {
			bound = append(append(bound, d.names...), d.words()...)
		}
	}
	return bound
}

// rest concerns all other files of the family, after those that mention what changed.
func (s *walk) rest(changed string) {
	const far = 1 << 10
	for _, path := range s.graph.paths {
		switch _, known := s.hops[path]; {
		case known || path == changed:
		case len(s.hops) >= maxReached:
			s.cut = true
			return
		default:
			s.concern(path, far)
		}
	}
}
