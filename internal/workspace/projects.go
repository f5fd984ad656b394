package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// projects are the roots of a server in the workspace, and which needs which.
type projects struct {
	roots []string // sorted
	needs map[string]map[string]bool
	// homes are the folders of each root's manifests.
	homes map[string][]string
}

// isManifest reports whether a file says where roots are, or what they need.
func isManifest(d *registry.Definition, path string) bool {
	name := filepath.Base(path)
	return slices.Contains(d.Roots, name) || slices.Contains(d.Manifests, name)
}

// projectsLocked returns the roots of a server, those in known among them. It reads the
// manifests that changed since the last time. tree.mu is held.
func (w *Workspace) projectsLocked(detection *roots.Detection, d *registry.Definition, known []string) *projects {
	p := &projects{roots: slices.Clone(known), needs: make(map[string]map[string]bool), homes: make(map[string][]string)}
	manifests := make(map[string][]string) // paths, by root
	for dir, f := range w.tree.Folders() {
		for _, name := range slices.Concat(d.Roots, d.Manifests) {
			if _, there := f.Files[name]; !there {
				continue
			}
			if root := detection.RootNow(d, dir); root != "" {
				manifests[root] = append(manifests[root], filepath.Join(dir, name))
				p.roots, p.homes[root] = append(p.roots, root), append(p.homes[root], dir)
			}
		}
	}
	slices.Sort(p.roots)
	p.roots = slices.Compact(p.roots)
	if len(p.roots) < 2 {
		return p
	}
	byName := make(map[string][]string)
	for _, root := range p.roots {
		byName[filepath.Base(root)] = append(byName[filepath.Base(root)], root)
	}
	for root, paths := range manifests {
		needs := make(map[string]bool)
		for _, path := range paths {
			for _, word := range w.ManifestWords(path) {
				p.lead(needs, filepath.Dir(path), word)
				if name := strings.Trim(word, ":/"); name != filepath.Base(root) {
					for _, other := range nearestRoots(root, byName[name]) {
						needs[other] = true
					}
				}
			}
		}
		delete(needs, root)
		p.needs[root] = needs
	}
	return p
}

// nearestRoots returns those of some roots that have most of their path in common with
// another.
func nearestRoots(to string, roots []string) (near []string) {
	most := 0
	for _, root := range roots {
		common := 0
		for common < min(len(root), len(to)) && root[common] == to[common] {
			common++
		}
		common = strings.LastIndexByte(to[:common], filepath.Separator)
		if common > most {
			most, near = common, nil
		}
		if common == most {
			near = append(near, root)
		}
	}
	return near
}

// lead adds to needs the roots that a word in a manifest leads into: the one around the
// path that it is, and those below that.
func (p *projects) lead(needs map[string]bool, dir, word string) {
	path := filepath.Join(dir, filepath.FromSlash(word))
	if filepath.IsAbs(word) {
		if path = filepath.Clean(word); !slices.ContainsFunc(p.roots, func(root string) bool { return fspath.Below(root, path) }) {
			path = filepath.Join(dir, path)
		}
	}
	if path == dir {
		return
	}
	if around := p.around(path); around != "" {
		needs[around] = true
	}
	if !strings.Contains(word, "/") && word != ".." {
		return // a word like any other
	}
	first, _ := slices.BinarySearch(p.roots, path+string(filepath.Separator))
	for _, root := range p.roots[first:] {
		if !strings.HasPrefix(root, path+string(filepath.Separator)) {
			break
		}
		needs[root] = true
	}
}

// around returns the innermost root that holds a path, "" if none does.
func (p *projects) around(path string) string {
	for dir := path; ; dir = filepath.Dir(dir) {
		if _, found := slices.BinarySearch(p.roots, dir); found {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// RootsNeeding returns a root of a server, and the other roots that need it, directly or by way of others.
func (w *Workspace) RootsNeeding(d *registry.Definition, root string) []string {
	w.takePicture()
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	roots := []string{root}
	return append(roots, w.projectsLocked(w.Detection(), d, roots).dependants(roots)...)
}

// dependants returns the other roots that need one of some: directly first, then by
// way of others.
func (p *projects) dependants(of []string) []string {
	var found []string
	reached := slices.Clone(of)
	for len(reached) > 0 {
		var next []string
		for _, root := range p.roots {
			if slices.Contains(of, root) || slices.Contains(found, root) {
				continue
			}
			if slices.ContainsFunc(reached, func(needed string) bool { return p.needs[root][needed] }) {
				found, next = append(found, root), append(next, root)
			}
		}
		reached = next
	}
	return found
}

// connected returns the roots in groups: those of which one needs the other, directly
// or by way of others.
func (p *projects) connected() (groups [][]string) {
	grouped := make(map[string]bool)
	for _, first := range p.roots {
		if grouped[first] {
			continue
		}
		group := []string{first}
		grouped[first] = true
		for n := 0; n < len(group); n++ {
			for _, root := range p.roots {
				if !grouped[root] && (p.needs[root][group[n]] || p.needs[group[n]][root]) {
					group, grouped[root] = append(group, root), true
				}
			}
		}
		slices.Sort(group)
		groups = append(groups, group)
	}
	return groups
}
