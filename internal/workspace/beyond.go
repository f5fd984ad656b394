package workspace

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

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
		w.tree.FollowInstalled()
	}
	for _, folder := range w.librariesLocked(d) {
		if !w.tree.Walks(folder) && !w.tree.IsInstalled(folder) {
			w.tree.Follow(folder, false)
		}
	}
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

// librariesLocked returns the folders of libraries that a server reads for the projects in the picture.
func (w *Workspace) librariesLocked(d *registry.Definition) (folders []string) {
	var manifests, environments []string
	for dir, f := range w.tree.Folders() {
		for name := range f.Files {
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
	for dir, f := range w.tree.Folders() {
		if slices.ContainsFunc(d.Roots, func(name string) bool { _, has := f.Files[name]; return has }) {
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

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// dividedLocked returns the events of files in libraries, and the others.
func (w *Workspace) dividedLocked(events []protocol.FileEvent) (ofLibraries, others []protocol.FileEvent) {
	for _, e := range events {
		if path, err := e.URI.Path(); err == nil && w.tree.InLibrary(path) {
			ofLibraries = append(ofLibraries, e)
		} else {
			others = append(others, e)
		}
	}
	return ofLibraries, others
}
