package disk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
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
	files   map[string]Stamp // by path
	folders []string
	// installed says that it is a folder of packages below the root, which the picture leaves out.
	installed bool
	// heard is the watcher that watches all of its folders; nil: it is read at each look.
	heard *Watcher
}

// Follow notices changes in a library from now on; installed says that it is a folder of packages below the root.
func (p *Picture) Follow(folder string, installed bool) { p.follow(folder, installed, nil) }

// FollowInstalled notices changes in the folders of Python's packages below the root from now on.
func (p *Picture) FollowInstalled() {
	for dir, f := range p.folders {
		for _, name := range f.packages {
			p.Follow(filepath.Join(dir, name), true)
		}
	}
}

// follow is [Picture.Follow], and adds all that is in the library now to events, unless that is nil.
func (p *Picture) follow(folder string, installed bool, events *[]protocol.FileEvent) {
	if _, known := p.libraries[folder]; known {
		return
	}
	if p.libraries == nil {
		p.libraries = make(map[string]library)
	}
	l := p.readLibrary(folder, installed, p.watcher)
	p.libraries[folder] = l
	noteDifferences(nil, l.files, events)
}

// IsInstalled reports whether a folder is in a folder of packages that is followed as a whole.
func (p *Picture) IsInstalled(folder string) bool {
	for dir := folder; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if p.libraries[dir].installed {
			return true
		}
	}
	return false
}

// lookAtInstalled follows the folders of packages that came, if anybody reads them, and adds what is in them to events.
func (p *Picture) lookAtInstalled(events *[]protocol.FileEvent) {
	if len(p.installed) == 0 {
		return
	}
	reads := p.ReadsPackages()
	p.installed = slices.DeleteFunc(p.installed, func(folder string) bool {
		if reads {
			p.follow(folder, true, events)
		}
		return reads || !isFolder(folder)
	})
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// Walks reports whether the picture has, or would have, a folder.
func (p *Picture) Walks(folder string) bool {
	return fspath.Below(p.Root, folder) && !p.Skips(folder) && !p.LeavesOut(folder)
}

// LeavesOut reports whether a folder below the root, or one that it is in, has only what tools keep for themselves, or packages.
func (p *Picture) LeavesOut(folder string) bool {
	for ; folder != p.Root && fspath.Below(p.Root, folder); folder = filepath.Dir(folder) {
		if project.HoldsNow(folder) != project.HoldsFiles {
			return true
		}
	}
	return false
}

// readLibrary reads what is in the folder of a library now, and watches it with x unless that is nil.
func (p *Picture) readLibrary(root string, ofPackages bool, x *Watcher) library {
	l := library{files: make(map[string]Stamp), installed: ofPackages, heard: x}
	mostFolders, mostFiles := maxLibraryFolders, maxLibraryFiles
	if ofPackages {
		mostFolders, mostFiles = maxPackageFolders, maxPackageFiles
	}
	outside := !fspath.Below(p.Root, root) // only then the tree has folders of it
	installed := slices.Contains(strings.Split(root, string(filepath.Separator)), language.NodeFolder)
	others, files := 0, 0
	for folder, other := range p.libraries {
		if folder != root && other.installed == ofPackages {
			others += len(other.folders)
			files += len(other.files)
		}
	}
	next := []string{root}
	for len(next) > 0 && others+len(l.folders) < mostFolders {
		dir := next[0]
		next = next[1:]
		if x != nil && x.Add(dir) != nil {
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
				if !scratch && !slices.Contains(Skipped, e.Name()) && (!outside || !p.Walks(path)) {
					next = append(next, path)
				}
			case p.decidesTypes(e.Name(), installed) && files+len(l.files) < mostFiles:
				if info, err := e.Info(); err == nil {
					l.files[path] = StampOf(info)
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
func (p *Picture) decidesTypes(name string, installed bool) bool {
	if !p.Matters(name) || !installed {
		return p.Matters(name)
	}
	id := language.Of(name).ID
	return id != language.JavaScript && id != language.JavaScriptReact
}

// lookBeyond adds to events what changed in libraries. With a watcher, only those are read of which it heard, or does not
// hear.
func (p *Picture) lookBeyond(x *Watcher, n News, events *[]protocol.FileEvent) {
	p.lookAtInstalled(events)
	for root, old := range p.libraries {
		if x != nil && old.heard == x && !n.All && !n.touches(root) {
			continue
		}
		if x != nil { // see look: a folder may have been moved
			for _, dir := range old.folders {
				x.Remove(dir)
			}
		}
		now := p.readLibrary(root, old.installed, x)
		if x == nil && slices.Equal(old.folders, now.folders) {
			now.heard = old.heard
		}
		p.libraries[root] = now
		noteDifferences(old.files, now.files, events)
	}
}

// HasLibraries reports whether changes in libraries are noticed.
func (p *Picture) HasLibraries() bool { return len(p.libraries) > 0 }

// noteDifferences notes what came, went or changed.
func noteDifferences(old, now map[string]Stamp, events *[]protocol.FileEvent) {
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

// InLibrary reports whether a path is in one of the libraries.
func (p *Picture) InLibrary(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir) && len(p.libraries) > 0; dir = filepath.Dir(dir) {
		if _, known := p.libraries[dir]; known {
			return true
		}
	}
	return false
}

// touches reports whether something in a folder is news, or the folder itself.
func (n News) touches(folder string) bool {
	for dir := range n.Folders {
		if fspath.Below(folder, dir) {
			return true
		}
	}
	for name := range n.Names {
		if fspath.Below(folder, name) || fspath.Below(name, folder) {
			return true
		}
	}
	return false
}
