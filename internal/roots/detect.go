package roots

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// A Candidate is a server that may serve a file, with what decides how it is started.
type Candidate struct {
	Definition registry.Definition
	// Root is the folder of the project; Marker the file that chose it, or "" if
	// it is the workspace root for want of one.
	Root, Marker string
	// Home names the process if that judges several roots: it is the workspace root, or one of
	// its roots. It is "" for a process of one root.
	Home string
	// Binary and Args start it; empty for a peer.
	Binary string
	Args   []string
	// Wanted is the version of the project's package that decides which server is taken, zero
	// where none does. Used is the version that judges.
	Wanted, Used project.NPMPackage
	// Unavailable is nil if the server can be started.
	Unavailable *UnavailableError
}

// Key returns the key of the server that the candidate stands for. Several roots may share one.
func (c *Candidate) Key() Key { return Key{c.Definition.ID, cmp.Or(c.Home, c.Root)} }

// Candidates returns the servers that apply to the file at a resolved path, the
// better of a group first: all that can be started, one of each group, and those
// that cannot with the reason. Empty: no server knows the file.
func (f *Finder) Candidates(path string) []Candidate { return f.Detection().Candidates(path) }

// A Detection finds the candidates of many files at one moment, looking at each folder only once.
// It is not safe for concurrent use.
type Detection struct {
	finder    *Finder
	above     map[string][]level // by folder
	found     map[kindIn][]Candidate
	packages  map[packageIn]project.NPMPackage
	installed *project.Packages
	scopes    *project.Scopes
}

// kindIn are the files of a folder that the same definitions serve: the first and the
// number of a list of the index tell it from others.
type kindIn struct {
	folder string
	first  **registry.Definition
	n      int
}

// Detection returns a detection that has seen nothing yet.
func (f *Finder) Detection() *Detection {
	return &Detection{
		finder: f, above: make(map[string][]level), found: make(map[kindIn][]Candidate),
		packages: make(map[packageIn]project.NPMPackage), installed: project.NewPackages(f.opts.Root), scopes: project.NewScopes(f.opts.Root),
	}
}

// levels returns the folders from dir up to the root, the nearest first, with the
// markers in them.
func (d *Detection) levels(dir string) []level {
	known, ok := d.above[dir]
	if ok || !fspath.Below(d.finder.opts.Root, dir) {
		return known
	}
	known = []level{d.finder.markers.at(dir)}
	if dir != d.finder.opts.Root {
		known = append(known, d.levels(filepath.Dir(dir))...)
	}
	d.above[dir] = known
	return known
}

// Nearest returns the nearest folder, from dir up to the root, that holds the best of some markers, and which.
func (d *Detection) Nearest(dir string, markers []string) (folder, marker string, found bool) {
	return find(d.levels(dir), markers)
}

// Candidates returns what [Finder.Candidates] does. The caller must not change them.
func (d *Detection) Candidates(path string) []Candidate {
	definitions := d.finder.index.Serving(path)
	if len(definitions) == 0 {
		return nil
	}
	if slices.ContainsFunc(definitions, func(definition *registry.Definition) bool { return len(definition.Within) > 0 }) {
		return d.candidatesWithin(definitions, path)
	}
	kind := kindIn{filepath.Dir(path), &definitions[0], len(definitions)}
	candidates, known := d.found[kind]
	if !known {
		candidates = d.candidates(definitions, kind.folder)
		d.found[kind] = candidates
	}
	return candidates
}

// candidates returns which of the definitions apply to files of a folder.
func (d *Detection) candidates(definitions []*registry.Definition, folder string) []Candidate {
	var candidates []Candidate
	served := make(map[string]bool) // groups
	levels := d.levels(folder)
	for _, definition := range d.preferred(definitions, folder) {
		if definition.Group != "" && served[definition.Group] {
			continue
		}
		c, applies := d.finder.candidate(*definition, levels)
		if !applies {
			continue
		}
		d.equip(&c, folder)
		if c.Unavailable == nil && definition.Group != "" {
			served[definition.Group] = true
		}
		candidates = append(candidates, c)
	}
	// A server that stands in for one that is missing makes the absence
	// uninteresting; and of many that could, the best are enough to name: those that are there and not trusted, if any is.
	const named = 2
	missing, here := make(map[string]int), make(map[string]bool)
	for _, c := range candidates {
		here[c.Definition.Group] = here[c.Definition.Group] || c.Unavailable != nil && c.Unavailable.State == Untrusted
	}
	return slices.DeleteFunc(candidates, func(c Candidate) bool {
		group := c.Definition.Group
		if c.Unavailable == nil || group == "" {
			return false
		}
		if here[group] && c.Unavailable.State == Unavailable {
			return true
		}
		missing[group]++
		return served[group] || missing[group] > named
	})
}

// LeftOut returns the file by which the project of a file leaves it out, and the way in
// which it does; "" if it is a part of it or nobody says.
func (d *Detection) LeftOut(path string) (by string, scope registry.Scope) {
	for _, c := range d.Candidates(path) {
		if c.Unavailable == nil && c.Definition.Role == registry.Primary {
			return d.scopes.LeftOut(c.Definition.Scope, path, c.Root), c.Definition.Scope
		}
	}
	return "", registry.Everywhere
}

// ConfigOf returns what [project.Scopes.ConfigOf] does.
func (d *Detection) ConfigOf(path string) string { return d.scopes.ConfigOf(path) }

// Missed returns the candidates that matter: those that can be started, and those whose absence
// is to be reported. If there are none the file needs no server.
func Missed(candidates []Candidate) []Candidate {
	return slices.DeleteFunc(slices.Clone(candidates), func(c Candidate) bool {
		return c.Definition.Optional && c.Unavailable != nil
	})
}

// candidate finds root and binary for a file below the levels; applies is false
// if the server is not for it.
func (f *Finder) candidate(d registry.Definition, levels []level) (c Candidate, applies bool) {
	if d.Configured.Command {
		f.mu.Lock()
		if program, other := f.programs[d.ID]; other {
			d = asProgram(d, program)
		}
		f.mu.Unlock()
	}
	c = Candidate{Definition: d}
	if len(d.Requires) > 0 {
		if _, _, found := find(levels, d.Requires); !found {
			return c, false
		}
	}
	var found bool
	if c.Root, c.Marker, found = f.rootOf(&d, levels); !found {
		if !d.SingleFile {
			return c, f.noRoot(&c)
		}
		c.Root = f.opts.Root
	}
	switch d.Sharing {
	case registry.OneRoot:
	case registry.Connected:
		c.Home = f.opts.Together(d.ID, c.Root)[0]
	default:
		c.Home = f.opts.Root
	}
	if _, _, excluded := find(levels, d.Excludes); excluded {
		return c, false
	}
	switch {
	case d.Disabled:
		c.Unavailable = disabled(&d)
	case d.Connect == "":
		if c.Binary, c.Args, c.Unavailable = f.binary(d); c.Unavailable == nil {
			f.restrain(&c)
		}
	}
	return c, true
}

// rootOf returns the root of a project and the marker that makes it one: the nearest
// best, but none that lists other projects and not this.
func (f *Finder) rootOf(d *registry.Definition, levels []level) (root, marker string, found bool) {
	lists := func(pattern string) bool { return slices.Contains(d.Lists, pattern) }
	for _, pattern := range d.Roots {
		if root, marker, found = find(levels, []string{pattern}); !found {
			continue
		}
		if !lists(pattern) {
			return root, marker, true
		}
		project, _, other := find(levels, slices.DeleteFunc(slices.Clone(d.Roots), lists))
		if !other || !fspath.Below(root, project) || f.manifests.names(filepath.Join(root, marker), project) {
			return root, marker, true
		}
	}
	return "", "", false
}

// noRoot says that a server knows the file but not where it would belong.
func (f *Finder) noRoot(c *Candidate) bool {
	c.Root = f.opts.Root
	c.Unavailable = &UnavailableError{
		ID: c.Definition.ID, State: Unavailable,
		Reason: fmt.Sprintf("no %s in or above the file's folder, up to the workspace root %s",
			strings.Join(c.Definition.Roots, " or "), f.opts.Root),
	}
	return true
}

// remembered is how long what was found out about a binary, or that there is
// none, is not looked for again.
const remembered = 30 * time.Second

// binary finds the first command of d that can be started.
func (f *Finder) binary(d registry.Definition) (string, []string, *UnavailableError) {
	now := f.opts.Now()
	f.mu.Lock()
	known, ok := f.lookups[d.ID]
	f.mu.Unlock()
	if !ok || now.Sub(known.at) >= remembered || known.unavailable != nil && f.justInstalled(&d) {
		known = f.look(d)
		known.at = now
		f.mu.Lock()
		f.lookups[d.ID] = known
		f.mu.Unlock()
	}
	return known.path, known.args, known.unavailable
}

func (f *Finder) look(d registry.Definition) lookup {
	var tried, misfits []string
	for _, c := range d.Commands {
		places := f.places(c.Binary)
		if len(places) == 0 {
			tried = append(tried, c.Binary)
		}
		for _, p := range places {
			reason := cmp.Or(misfit(p.path, c.Package), f.lacks(p))
			if reason == "" {
				return lookup{path: p.path, args: registry.FillJobs(c.Args)}
			}
			misfits = append(misfits, reason)
		}
	}
	reason := "no command is configured"
	if len(misfits) > 0 {
		reason = strings.Join(misfits, ", ")
	} else if len(tried) > 0 {
		reason = strings.Join(tried, " and ") + " not found in PATH"
		for _, program := range tried {
			if path := f.foreign.skips(program); path != "" {
				return lookup{unavailable: &UnavailableError{ID: d.ID, State: Untrusted, Reason: liesHere(path)}}
			}
		}
	}
	return lookup{unavailable: &UnavailableError{d.ID, Unavailable, reason, d.Install}}
}

// RootNow returns the root that a folder that was one belongs to now, "" if to none.
func (d *Detection) RootNow(definition *registry.Definition, folder string) string {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return ""
	}
	if root, _, found := d.finder.rootOf(definition, d.levels(folder)); found {
		return root
	}
	if definition.SingleFile {
		return d.finder.opts.Root
	}
	return ""
}

// ManifestWords returns what could be a path or the name of a project in the manifest at a path, each once; none if it cannot be read.
func (f *Finder) ManifestWords(path string) []string { return f.manifests.words(path) }

// IsMarker reports whether a file is one of those by which servers find projects.
func (f *Finder) IsMarker(path string) bool { return f.markers.wanted(filepath.Base(path)) }
