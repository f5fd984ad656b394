package disk

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/protocol"
)

// hearing is how a picture hears of changes.
type hearing struct {
	// watcher is nil before somebody wants one, and when blind says why there is none.
	watcher *Watcher
	blind   string
	late    int         // fences in a row that came too late
	again   time.Time   // when it is tried again after that, if blind
	root    os.FileInfo // the folder that is watched as the root
}

// Watcher returns the watcher, nil for none.
func (p *Picture) Watcher() *Watcher { return p.watcher }

// Watching reports whether changes are heard of, and why not.
func (p *Picture) Watching() (bool, string) {
	switch {
	case p.watcher != nil:
		return true, ""
	case p.blind != "":
		return false, p.blind
	}
	return false, "it begins with the first look"
}

// CanWatch reports whether changes are heard of, or nobody has tried yet.
func (p *Picture) CanWatch() bool { return p.blind == "" || p.triesAgain() }

// triesAgain reports whether what kept us from watching may be over.
func (p *Picture) triesAgain() bool {
	return !p.again.IsZero() && !p.Now().Before(p.again)
}

// Watch returns the watcher, made if need be, or nil if there is none.
func (p *Picture) Watch() *Watcher {
	if p.blind != "" && p.triesAgain() {
		p.blind, p.late, p.again = "", 0, time.Time{}
	}
	if p.watcher != nil || p.blind != "" {
		return p.watcher
	}
	if p.blind = p.Conditions.Distrust(p.Root); p.blind != "" {
		return nil
	}
	x, err := NewWatcher(p.Conditions, p.Matters)
	if err != nil {
		p.blind = err.Error()
		return nil
	}
	p.watcher = x
	return x
}

// Blind ends the watcher: for good, unless it is said when another one is made.
// Later calls change nothing.
func (p *Picture) Blind(reason string) {
	if p.blind == "" {
		p.blind = reason
	}
	if x := p.watcher; x != nil {
		p.watcher = nil
		x.Close()
	}
}

// Judge draws the conclusion from the end of a fence of x. One that comes
// late tells of a busy machine, and so do those that waited beside it; several one after the other tell of a watcher
// that is of no use for a while. missed is how many were held against x when the fence began.
func (p *Picture) Judge(x *Watcher, missed uint64, heard error) {
	switch {
	case p.watcher != x:
	case heard == nil:
		p.late = 0
	case !errors.Is(heard, ErrLate):
		p.Blind(heard.Error())
	case missed == x.Missed.Load():
		x.Missed.Add(1)
		if p.late++; p.late >= x.conditions.Misses {
			p.Blind(heard.Error())
			p.again = p.Now().Add(x.conditions.Rest)
		}
	}
}

// watch watches a folder. If that fails nobody watches any more.
func (p *Picture) watch(x *Watcher, dir string) {
	if p.watcher != x {
		return
	}
	if err := x.Add(dir); err != nil {
		p.Blind(fspath.Relative(p.Root, dir) + ": " + err.Error())
	}
}

// checkDevice ends the watcher at a folder of another file system, which
// may be changed by other machines.
func (p *Picture) checkDevice(x *Watcher, dir string, info os.FileInfo) {
	if p.watcher == x && p.root != nil && device(info) != device(p.root) {
		p.Blind(fspath.Relative(p.Root, dir) + " is on another file system")
	}
}

// look brings the picture up to date where there is news.
func (p *Picture) look(x *Watcher, events *[]protocol.FileEvent) {
	n := x.Take()
	heard := n
	// Nobody tells of a move of the folders above the root.
	root, err := os.Lstat(p.Root)
	if n.All || err != nil || !os.SameFile(root, p.root) {
		heard.All, n = true, News{Names: map[string]bool{p.Root: true}}
		p.root = root
		if _, known := p.folders[p.Root]; !known {
			p.folders[p.Root] = Folder{}
		}
	}
	// fsnotify knows folders by name. A watch of a folder that was moved must end
	// before that folder is watched by its other name, or that shares the old one.
	for name := range n.Names {
		p.unwatch(x, name)
	}
	for _, dir := range slices.Sorted(maps.Keys(n.Folders)) {
		if !n.Names[dir] && !n.Below(dir) {
			p.reread(x, dir, n, events)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.Names)) {
		if _, known := p.folders[name]; known && !n.Below(name) {
			p.scan(name, events, x)
		}
	}
	p.lookBeyond(x, heard, events)
}

// reread brings the picture of one folder up to date, and of folders that
// are new in it, unless they are news themselves: those only enter the picture.
func (p *Picture) reread(x *Watcher, dir string, n News, events *[]protocol.FileEvent) {
	if _, known := p.folders[dir]; !known {
		return
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		p.vanish(dir, events)
		return
	}
	for _, name := range p.read(dir, info, events).Folders {
		path := filepath.Join(dir, name)
		if _, known := p.folders[path]; known {
			continue
		}
		if n.Names[path] {
			p.folders[path] = Folder{}
			continue
		}
		p.scan(path, events, x)
	}
}

// unwatch ends the watches of a folder in the picture and of all below it.
func (p *Picture) unwatch(x *Watcher, dir string) {
	f, known := p.folders[dir]
	if !known {
		return
	}
	x.Remove(dir)
	for _, name := range f.Folders {
		p.unwatch(x, filepath.Join(dir, name))
	}
}
