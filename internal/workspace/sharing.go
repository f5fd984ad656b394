package workspace

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// maxRelated bounds the roots that one process judges although nobody asked about
// them, because they depend on one that somebody asked about.
const maxRelated = 50

// shared are the roots of an instance whose server takes folders. The mutex of the
// instance guards it.
type shared struct {
	// wanted are the roots that somebody asked about, in that order; folders are these
	// and those that depend on them.
	wanted, folders []string
	// former are folders that are roots no more, and that a server may still have.
	former []string
	// projects are what the server is to know of the folders.
	projects []lsp.Project
	// left are the roots that depend on a wanted one and were too many.
	left []string
}

// enrol adds the root of a candidate to those that an instance judges, with the roots
// that depend on it.
func (w *Workspace) enrol(ctx context.Context, i *instance, c *roots.Candidate) error {
	if c.Definition.Sharing == registry.Connected {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.shared.folders = w.connected.of(c.Definition.ID, c.Root)
		return nil
	}
	if c.Definition.Sharing == registry.Discovers {
		i.mu.Lock()
		defer i.mu.Unlock()
		if !slices.Contains(i.shared.wanted, c.Root) {
			i.shared.wanted = append(i.shared.wanted, c.Root)
			i.shared.projects = append(slices.Clone(i.shared.projects), lsp.Project{Root: c.Root})
		}
		return nil
	}
	if c.Definition.Sharing != registry.TakesFolders {
		return nil
	}
	i.mu.Lock()
	known := slices.Contains(i.shared.wanted, c.Root)
	i.mu.Unlock()
	if known {
		return nil
	}
	if err := w.Remember(ctx); err != nil {
		return err
	}
	return w.inTurn(ctx, func() { w.enrolLocked(i, &c.Definition, c.Root) })
}

// enrolLocked adds wanted roots to an instance, and finds out anew which of its
// roots still are some, and what depends on them.
func (w *Workspace) enrolLocked(i *instance, d *registry.Definition, wanted ...string) {
	detection := w.Detection()
	i.mu.Lock()
	defer i.mu.Unlock()
	s := &i.shared
	var roots []string
	wanted = append(slices.Clone(s.wanted), wanted...)
	if i.server != nil && slices.ContainsFunc(wanted, func(root string) bool { return detection.RootNow(d, root) == "" }) {
		for _, path := range i.server.OpenDocuments() { // where a root fell apart, they are of its parts
			wanted = append(wanted, filepath.Dir(path))
		}
	}
	for _, root := range wanted {
		if root = detection.RootNow(d, root); root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	if len(roots) == 0 { // it must have one to go on
		return
	}
	s.wanted = slices.Clone(roots)
	all := w.projectsLocked(detection, d, roots)
	related := all.dependants(roots)
	most := min(len(related), maxRelated)
	roots = append(roots, related[:most]...)
	for _, folder := range s.folders {
		if !slices.Contains(roots, folder) && !slices.Contains(s.former, folder) {
			s.former = append(s.former, folder)
		}
	}
	s.folders, s.left = roots, related[most:]
	s.projects = nil
	for _, root := range roots {
		s.projects = append(s.projects, w.describeLocked(detection, d, all, root))
	}
	s.former = slices.DeleteFunc(s.former, func(folder string) bool { return slices.Contains(roots, folder) })
}

// describeLocked returns what a server is to know of a project. tree.mu is held.
func (w *Workspace) describeLocked(detection *roots.Detection, d *registry.Definition, all *projects, root string) lsp.Project {
	p := lsp.Project{Root: root, Users: all.dependants([]string{root})}
	if list, _, listed := detection.Nearest(root, d.Lists); listed {
		// One that names it would be its root, or lie in it.
		p.Hidden = list != root
	}
	home := root
	if dirs := all.homes[root]; len(dirs) > 0 && !slices.Contains(dirs, root) {
		home = slices.Min(dirs)
	}
	for _, l := range d.Languages[:min(1, len(d.Languages))] {
		p.Probe = filepath.Join(home, "lspine"+l.Patterns[0])
	}
	p.Source = w.sourceLocked(detection, d, root, home)
	return p
}

// sourceLocked returns a source file of a project in a folder or below it, "" if there
// is none. tree.mu is held.
func (w *Workspace) sourceLocked(detection *roots.Detection, d *registry.Definition, root, dir string) string {
	if detection.RootNow(d, dir) != root {
		return ""
	}
	f, _ := w.tree.Folder(dir)
	for _, name := range slices.Sorted(maps.Keys(f.Files)) {
		if _, speaks := d.LanguageID(name); speaks {
			return filepath.Join(dir, name)
		}
	}
	for _, name := range f.Folders {
		if source := w.sourceLocked(detection, d, root, filepath.Join(dir, name)); source != "" {
			return source
		}
	}
	return ""
}

// spread tells a running server which roots came and went since it was told last, and
// reports whether any did.
func (i *instance) spread(s *lsp.Server) (told bool, err error) {
	i.mu.Lock()
	folders, former, projects := slices.Clone(i.shared.folders), slices.Clone(i.shared.former), i.shared.projects
	i.mu.Unlock()
	s.SetProjects(projects)
	if s.Definition().Sharing != registry.TakesFolders {
		return false, nil
	}
	known := s.Folders()
	missing := slices.DeleteFunc(folders, func(folder string) bool { return slices.Contains(known, folder) })
	surplus := slices.DeleteFunc(former, func(folder string) bool { return !slices.Contains(known, folder) })
	var failures []error
	if told = len(missing)+len(surplus) > 0; told {
		failures = append(failures, s.ChangeFolders(missing, surplus))
	}
	for _, p := range projects {
		if p.Hidden && p.Source != "" {
			failures = append(failures, i.workspace.uncover(s, p))
		}
	}
	return told, errors.Join(failures...)
}

// SeenOnDisk reports whether what a new text of a file means for other files is seen by
// a server only when it is on disk; also if ctx ends before that is known.
func (w *Workspace) SeenOnDisk(ctx context.Context, d *roots.Detection, path string) bool {
	return slices.ContainsFunc(d.Candidates(path), func(c roots.Candidate) bool {
		if c.Definition.Has(registry.ConfiguredBySaving) && isManifest(&c.Definition, path) {
			return true
		}
		if c.Unavailable != nil || c.Definition.Sharing != registry.TakesFolders || !c.Definition.Has(registry.ReadsOtherFolders) {
			return false
		}
		i := w.instance(c.Key())
		if w.enrol(ctx, i, &c) != nil {
			return true
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		return slices.ContainsFunc(i.shared.projects, func(p lsp.Project) bool { return p.Root == c.Root && len(p.Users) > 0 })
	})
}

// uncover opens a file of a project that a server otherwise does not judge, if none is.
func (w *Workspace) uncover(s *lsp.Server, p lsp.Project) error {
	if slices.ContainsFunc(s.OpenDocuments(), func(path string) bool { return fspath.Below(p.Root, path) }) {
		return nil
	}
	content, err := w.Read(p.Source)
	if err != nil { // it is none that a server is shown
		return nil
	}
	_, err = s.Sync(p.Source, content)
	return err
}

// reconfigureLocked finds out anew which roots the servers judge if one of the files
// that say so changed. Those that run are told by spread.
func (w *Workspace) reconfigureLocked(events []protocol.FileEvent) {
	concerned := make(map[string]*registry.Definition)
	for n := range w.opts.Servers {
		d := &w.opts.Servers[n]
		if d.Sharing == registry.TakesFolders && slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
			path, err := e.URI.Path()
			return err == nil && (isManifest(d, path) || e.Type != protocol.Changed && d.Has(registry.ReadsOtherFolders))
		}) {
			concerned[d.ID] = d
		}
	}
	w.connectLocked(func(d *registry.Definition) bool {
		return slices.ContainsFunc(events, func(e protocol.FileEvent) bool {
			path, err := e.URI.Path()
			return err == nil && isManifest(d, path)
		})
	})
	if len(concerned) == 0 {
		return
	}
	w.mu.Lock()
	instances := slices.Collect(maps.Values(w.instances))
	w.mu.Unlock()
	for _, i := range instances {
		if d := concerned[i.key.ID]; d != nil {
			w.enrolLocked(i, d)
		}
	}
}

// respread tells a server which of its roots came and went.
func (w *Workspace) respread(t *telling, s *lsp.Server) {
	if s.Definition().Sharing != registry.TakesFolders {
		return
	}
	before := s.Generation()
	told, err := w.instance(roots.Key{ID: s.Definition().ID, Root: s.Root()}).spread(s)
	t.failures = append(t.failures, err)
	t.swept.Told = t.swept.Told || s.Generation() != before
	if told {
		w.beside(t, func() error { return s.AwaitFolders(w.background) })
	}
}

// connected are the roots of servers that go together, by server and root. Each list
// is sorted.
type connected struct {
	known atomic.Bool // since the first look at the disk

	mu   sync.Mutex
	with map[roots.Key][]string
}

// of returns the roots that go with one, itself among them; the first names all.
func (c *connected) of(id, root string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if with := c.with[roots.Key{ID: id, Root: root}]; len(with) > 0 {
		return slices.Clone(with)
	}
	return []string{root}
}

// together returns the roots of a server that go with one, itself among them; the first names all. It looks at the disk if nobody has.
func (w *Workspace) together(id, root string) []string {
	w.takePicture()
	return w.connected.of(id, root)
}

func always(*registry.Definition) bool { return true }

// connectLocked finds out anew which roots go together, for the servers to which that
// matters and that are concerned. tree.mu is held.
func (w *Workspace) connectLocked(concerned func(d *registry.Definition) bool) {
	defer w.connected.known.Store(true)
	for n := range w.opts.Servers {
		d := &w.opts.Servers[n]
		if d.Sharing != registry.Connected || !concerned(d) {
			continue
		}
		found := w.projectsLocked(w.Detection(), d, nil).connected()
		w.connected.mu.Lock()
		maps.DeleteFunc(w.connected.with, func(key roots.Key, _ []string) bool { return key.ID == d.ID })
		for _, group := range found {
			for _, root := range group {
				w.connected.with[roots.Key{ID: d.ID, Root: root}] = group
			}
		}
		w.connected.mu.Unlock()
	}
}

// LeftOut returns, sorted, the roots that depend on what a server judges but were too many to be
// loaded: what a change breaks there is not known.
func (w *Workspace) LeftOut(key roots.Key) []string {
	w.mu.Lock()
	i := w.instances[key]
	w.mu.Unlock()
	if i == nil {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Sorted(slices.Values(i.shared.left))
}

func sortByRoot(instances []*instance) {
	slices.SortFunc(instances, func(a, b *instance) int { return cmp.Compare(a.key.Root, b.key.Root) })
}
