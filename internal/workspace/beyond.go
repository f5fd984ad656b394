package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Limits of what is looked at in libraries. Those that are most likely to change come first.
const (
	maxLibraryFolders = 4_000
	maxLibraryFiles   = 20_000
)

// Limits of what is looked at in Python's folders of packages below the root.
const (
	maxPackageFolders = 50_000
	maxPackageFiles   = 100_000
)

// A library is the picture of a folder that projects read although the tree does not have it: an installed package, which a
// generator may write again, or a folder elsewhere that a manifest names.
type library struct {
	files   map[string]stamp // by path
	folders []string
	// installed says that it is a folder of packages below the root, which the picture leaves out.
	installed bool
	// heard is the watcher that watches all of its folders; nil: it is read at each look.
	heard *watcher
}

// follow has the looks notice changes in the libraries of the projects that a server reads. It must be called before the
// server starts: what it reads then is what the picture has.
func (w *Workspace) follow(d *registry.Definition) {
	if w.opts.Once {
		return
	}
	w.takePicture()
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	w.followLocked(d)
}

func (w *Workspace) followLocked(d *registry.Definition) {
	if readsPackages(d) {
		for dir, f := range w.tree.folders {
			for _, name := range f.packages {
				w.followLibraryLocked(filepath.Join(dir, name), true, nil)
			}
		}
	}
	for _, folder := range w.librariesLocked(d) {
		if !w.walks(folder) && !w.isInstalledLocked(folder) {
			w.followLibraryLocked(folder, false, nil)
		}
	}
}

// followLibraryLocked has the looks notice changes in a library, and adds all that is in it now to events, unless that is nil.
func (w *Workspace) followLibraryLocked(folder string, installed bool, events *[]protocol.FileEvent) {
	if _, known := w.tree.libraries[folder]; known {
		return
	}
	if w.tree.libraries == nil {
		w.tree.libraries = make(map[string]library)
	}
	l := w.readLibraryLocked(folder, installed, w.tree.watcher)
	w.tree.libraries[folder] = l
	noteDifferences(nil, l.files, events)
}

// readsPackages reports whether a server reads what is installed in a Python environment: modules, or headers of C that are
// installed with them.
func readsPackages(d *registry.Definition) bool {
	isNative := func(pattern string) bool { return language.Of("a"+pattern).Family == language.NativeFamily }
	reads := func(l registry.Language) bool {
		return l.ID == string(language.Python) || slices.ContainsFunc(l.Patterns, isNative)
	}
	return d.Environment != nil || d.Role == registry.Primary && slices.ContainsFunc(d.Languages, reads)
}

// isInstalledLocked reports whether a folder is in a folder of packages that is followed as a whole.
func (w *Workspace) isInstalledLocked(folder string) bool {
	for dir := folder; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if w.tree.libraries[dir].installed {
			return true
		}
	}
	return false
}

// lookAtInstalledLocked follows the folders of packages that came, if a server runs that reads them, and adds what is in them to events.
func (w *Workspace) lookAtInstalledLocked(events *[]protocol.FileEvent) {
	if len(w.tree.installed) == 0 || w.opts.Once {
		return
	}
	reads := slices.ContainsFunc(w.running(), func(s *lsp.Server) bool { return readsPackages(s.Definition()) })
	w.tree.installed = slices.DeleteFunc(w.tree.installed, func(folder string) bool {
		if reads {
			w.followLibraryLocked(folder, true, events)
		}
		return reads || !isFolder(folder)
	})
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// librariesLocked returns the folders of libraries that a server reads for the projects in the picture.
func (w *Workspace) librariesLocked(d *registry.Definition) (folders []string) {
	var manifests, environments []string
	for dir, f := range w.tree.folders {
		for name := range f.files {
			switch {
			case slices.Contains(d.Roots, name) && project.NamesLibraries(name):
				manifests = append(manifests, filepath.Join(dir, name))
			case d.Environment != nil && slices.Contains(d.Roots, name):
				environments = append(environments, dir)
			}
		}
	}
	manifests = append(manifests, w.unasked(d, manifests)...)
	slices.Sort(manifests)
	for _, manifest := range manifests {
		folders = append(folders, project.Libraries(manifest)...)
	}
	if d.Environment != nil {
		for _, dir := range append(environments, w.root) {
			e, _ := w.Python(dir) // without one there are no paths
			slices.Reverse(e.Paths)
			folders = append(folders, e.Paths...) // what it only names comes before what is installed in it
		}
	}
	return folders
}

// unasked returns where the manifest would be of packages that scripts find although none asks for them there: in a node_modules beside a
// project without one, in the root, or above it. The lock of the picture is held.
func (w *Workspace) unasked(d *registry.Definition, manifests []string) (more []string) {
	if !slices.Contains(d.Roots, language.PackageJSON) {
		return nil
	}
	folders := []string{}
	for dir, f := range w.tree.folders {
		if slices.ContainsFunc(d.Roots, func(name string) bool { _, has := f.files[name]; return has }) {
			folders = append(folders, dir)
		}
	}
	for dir := w.root; ; dir = filepath.Dir(dir) {
		if folders = append(folders, dir); dir == filepath.Dir(dir) {
			break
		}
	}
	for _, dir := range folders {
		manifest := filepath.Join(dir, language.PackageJSON)
		if !slices.Contains(manifests, manifest) && !slices.Contains(more, manifest) && isFolder(filepath.Join(dir, language.NodeFolder)) {
			more = append(more, manifest)
		}
	}
	return more
}

// walks reports whether the tree has a folder.
func (w *Workspace) walks(folder string) bool {
	return fspath.Below(w.root, folder) && w.skipped(folder) == "" && !w.leavesOut(folder)
}

// leavesOut reports whether a folder below the root, or one that it is in, has only what tools keep for themselves, or packages.
func (w *Workspace) leavesOut(folder string) bool {
	for ; folder != w.root && fspath.Below(w.root, folder); folder = filepath.Dir(folder) {
		if project.HoldsNow(folder) != project.HoldsFiles {
			return true
		}
	}
	return false
}

// readLibraryLocked reads what is in the folder of a library now, and watches it with x unless that is nil.
func (w *Workspace) readLibraryLocked(root string, ofPackages bool, x *watcher) library {
	l := library{files: make(map[string]stamp), installed: ofPackages, heard: x}
	mostFolders, mostFiles := maxLibraryFolders, maxLibraryFiles
	if ofPackages {
		mostFolders, mostFiles = maxPackageFolders, maxPackageFiles
	}
	outside := !fspath.Below(w.root, root) // only then the tree has folders of it
	installed := slices.Contains(strings.Split(root, string(filepath.Separator)), language.NodeFolder)
	others, files := 0, 0
	for folder, other := range w.tree.libraries {
		if folder != root && other.installed == ofPackages {
			others += len(other.folders)
			files += len(other.files)
		}
	}
	next := []string{root}
	for len(next) > 0 && others+len(l.folders) < mostFolders {
		dir := next[0]
		next = next[1:]
		if x != nil && x.add(dir) != nil {
			l.heard = nil
		}
		entries, err := os.ReadDir(dir)
		if err != nil { // it is gone, or may not be read
			continue
		}
		l.folders = append(l.folders, dir)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case e.IsDir():
				scratch := project.HoldsNow(path) == project.HoldsScratch
				if !scratch && !slices.Contains(skippedFolders, e.Name()) && (!outside || !w.walks(path)) {
					next = append(next, path)
				}
			case w.decidesTypes(e.Name(), installed) && files+len(l.files) < mostFiles:
				if info, err := e.Info(); err == nil {
					l.files[path] = stampOf(info)
				}
			}
		}
	}
	if len(l.folders) == 0 {
		l.heard = nil // nobody tells when it comes back
	}
	return l
}

// decidesTypes reports whether what a file of a library says can matter to those that use it: of installed JavaScript no server
// reads the text.
func (w *Workspace) decidesTypes(name string, installed bool) bool {
	if !w.matters(name) || !installed {
		return w.matters(name)
	}
	id := language.Of(name).ID
	return id != language.JavaScript && id != language.JavaScriptReact
}

// lookBeyondLocked adds to events what changed in libraries. With a watcher, only those are read of which it heard, or does not
// hear.
func (w *Workspace) lookBeyondLocked(x *watcher, n news, events *[]protocol.FileEvent) {
	w.lookAtInstalledLocked(events)
	for root, old := range w.tree.libraries {
		if x != nil && old.heard == x && !n.all && !n.touches(root) {
			continue
		}
		if x != nil { // see lookLocked: a folder may have been moved
			for _, dir := range old.folders {
				x.remove(dir)
			}
		}
		now := w.readLibraryLocked(root, old.installed, x)
		if x == nil && slices.Equal(old.folders, now.folders) {
			now.heard = old.heard
		}
		w.tree.libraries[root] = now
		noteDifferences(old.files, now.files, events)
	}
}

// fenced returns the watcher, if there are libraries and it has heard of all that happened in them so far.
func (w *Workspace) fenced() *watcher {
	w.tree.mu.Lock()
	x, has := w.tree.watcher, len(w.tree.libraries) > 0
	w.tree.mu.Unlock()
	if x == nil || !has || x.fence(w.background) != nil {
		return nil
	}
	return x
}

// noteDifferences notes what came, went or changed.
func noteDifferences(old, now map[string]stamp, events *[]protocol.FileEvent) {
	for path, stamp := range now {
		if before, existed := old[path]; !existed {
			note(events, path, protocol.Created)
		} else if stamp != before {
			note(events, path, protocol.Changed)
		}
	}
	for path := range old {
		if _, still := now[path]; !still {
			note(events, path, protocol.Deleted)
		}
	}
}

// dividedLocked returns the events of files in libraries, and the others.
func (w *Workspace) dividedLocked(events []protocol.FileEvent) (ofLibraries, others []protocol.FileEvent) {
	for _, e := range events {
		if path, err := e.URI.Path(); err == nil && w.inLibraryLocked(path) {
			ofLibraries = append(ofLibraries, e)
		} else {
			others = append(others, e)
		}
	}
	return ofLibraries, others
}

// inLibraryLocked reports whether a path is in one of the libraries.
func (w *Workspace) inLibraryLocked(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir) && len(w.tree.libraries) > 0; dir = filepath.Dir(dir) {
		if _, known := w.tree.libraries[dir]; known {
			return true
		}
	}
	return false
}

// touches reports whether something in a folder is news, or the folder itself.
func (n news) touches(folder string) bool {
	for dir := range n.folders {
		if fspath.Below(folder, dir) {
			return true
		}
	}
	for name := range n.names {
		if fspath.Below(folder, name) || fspath.Below(name, folder) {
			return true
		}
	}
	return false
}
