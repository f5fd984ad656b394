package disk

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
)

// scan brings the picture of dir and of all below it up to date and adds
// what changed to events, which is nil for the first picture. With a watcher it
// watches each folder before it reads it, whatever the folder's time says.
func (p *Picture) scan(dir string, events *[]protocol.FileEvent, x *Watcher) {
	if x != nil {
		p.watch(x, dir)
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		p.vanish(dir, events)
		return
	}
	if x != nil {
		p.checkDevice(x, dir, info)
	}
	old, known := p.folders[dir]
	current := old
	if x == nil && known && old.settled && old.modified.Equal(info.ModTime()) && old.change == fspath.Change(info) {
		p.restamp(dir, old, events)
	} else {
		current = p.read(dir, info, events)
	}
	for _, name := range current.Folders {
		p.scan(filepath.Join(dir, name), events, x)
	}
}

// restamp compares the files of a folder whose entries are the same. A
// file that is gone meanwhile is told by the folder's own time, next time.
func (p *Picture) restamp(dir string, f Folder, events *[]protocol.FileEvent) {
	if len(f.Files) == 0 {
		return
	}
	stampAll(dir, maps.Keys(f.Files), func(name string, now Stamp) {
		if before := f.Files[name]; now != before {
			p.compare(filepath.Join(dir, name), before, now)
			f.Files[name] = now
			note(events, filepath.Join(dir, name), protocol.Changed)
		}
	})
}

// read reads the entries of a folder, compares them with the picture and
// returns what it holds now. A folder that cannot be read keeps its old picture,
// and is read again next time.
func (p *Picture) read(dir string, info os.FileInfo, events *[]protocol.FileEvent) Folder {
	old := p.folders[dir]
	entries, err := os.ReadDir(dir)
	if err != nil {
		old.settled = false
		p.folders[dir] = old
		if p.watcher != nil {
			p.watcher.Mark(dir)
		}
		return old
	}
	current := Folder{
		modified: info.ModTime(), change: fspath.Change(info), settled: time.Since(info.ModTime()) > time.Second,
		Files: make(map[string]Stamp, len(old.Files)),
	}
	p.count -= len(old.Files)
	beside := func(name string) bool {
		_, has := slices.BinarySearchFunc(entries, name, func(e os.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
		return has
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			holds := project.Holds(dir, e.Name(), beside)
			switch {
			case p.Skips(path):
			case holds == project.HoldsFiles:
				current.Folders = append(current.Folders, e.Name())
				continue
			case holds == project.HoldsPackages:
				current.packages = append(current.packages, e.Name())
			}
			if _, was := p.folders[path]; was { // it has become such a folder: its files are not gone
				p.vanish(path, nil)
			}
		case p.Matters(e.Name()) && p.count < MaxFiles:
			info, err := e.Info()
			if err != nil {
				continue
			}
			p.count++
			now := StampOf(info)
			before, existed := old.Files[e.Name()]
			current.Files[e.Name()] = now
			if !existed {
				note(events, path, protocol.Created)
			} else if now != before {
				p.compare(path, before, now)
				note(events, path, protocol.Changed)
			}
		}
	}
	p.folders[dir] = current
	p.miss(dir, old, current, events)
	for _, name := range current.packages {
		if !slices.Contains(old.packages, name) {
			p.installed = append(p.installed, filepath.Join(dir, name))
		}
	}
	return current
}

// miss notes what the old picture of a folder held and current does not.
func (p *Picture) miss(dir string, old, current Folder, events *[]protocol.FileEvent) {
	for name := range old.Files {
		if _, still := current.Files[name]; !still {
			note(events, filepath.Join(dir, name), protocol.Deleted)
		}
	}
	for _, name := range old.Folders {
		if !slices.Contains(current.Folders, name) {
			p.vanish(filepath.Join(dir, name), events)
		}
	}
}

// vanish forgets a folder that is gone, with all below it.
func (p *Picture) vanish(dir string, events *[]protocol.FileEvent) {
	if p.watcher != nil {
		p.watcher.Remove(dir)
	}
	f, known := p.folders[dir]
	if !known {
		return
	}
	delete(p.folders, dir)
	p.count -= len(f.Files)
	for name := range f.Files {
		note(events, filepath.Join(dir, name), protocol.Deleted)
	}
	for _, name := range f.Folders {
		p.vanish(filepath.Join(dir, name), events)
	}
}

func note(events *[]protocol.FileEvent, path string, kind protocol.ChangeType) {
	if events != nil {
		*events = append(*events, protocol.FileEvent{URI: protocol.URIFromPath(path), Type: kind})
	}
}
