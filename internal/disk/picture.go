// Package disk keeps a picture of the files below a folder, and of the libraries that these use, so that what changed since it
// was last looked at is found by comparing: all of it, or what a [Watcher] heard of.
package disk

import (
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// MaxFiles bounds the files of a picture; in a larger tree only those seen before it was
// reached are compared.
const MaxFiles = 500_000

// Skipped are folders that are never diagnosed nor watched.
var Skipped = []string{".git", language.NodeFolder}

// Options say what a picture is of. All are needed.
type Options struct {
	// Root is absolute, links resolved.
	Root string
	// Skips reports whether a folder below the root is left alone, Matters whether files of a name are in the picture.
	Skips   func(path string) bool
	Matters func(name string) bool
	// ReadsPackages reports whether anybody reads the packages of Python that are installed below the root.
	ReadsPackages func() bool
	Now           func() time.Time
}

// A Picture remembers what the disk looked like. It has no lock: only [Picture.Walks] and [Picture.LeavesOut] may be called
// beside others. The lock of its owner is held from when a change is found until everybody was told of it: what the picture
// holds, they know.
type Picture struct {
	Options
	// Conditions are when folders are watched.
	Conditions Conditions

	taken   bool
	folders map[string]Folder // with every folder there is the one above it
	count   int               // of the files in folders
	// libraries are what the projects read beyond the folders, by the library's folder.
	libraries map[string]library
	// installed are the folders of packages that the picture has met since somebody last looked beyond it.
	installed []string
	// sameTime are the paths of files that changed and have the time of modification that they had.
	sameTime map[string]bool
	notes
	hearing
}

// A Folder is one directory as it was last seen. Its entries need to be read
// again only if its own time of modification, or of change, changed.
type Folder struct {
	// Files are those that matter, by name.
	Files map[string]Stamp
	// Folders are the names of those in it that are in the picture.
	Folders []string
	// packages are the folders in it that have installed packages: the picture has none of what is in them, see libraries.
	packages []string

	modified time.Time
	change   uint64
	// settled says that modified was old enough, when it was read, for every
	// later change of the entries to make a different time.
	settled bool
}

// New returns a picture that is not taken yet.
func New(opts Options) *Picture {
	return &Picture{Options: opts, Conditions: Usual}
}

// Take takes the first picture, if there is none. It reports whether there was none.
func (p *Picture) Take() bool {
	if p.taken {
		return false
	}
	p.taken = true
	p.folders = make(map[string]Folder)
	p.scan(p.Root, nil, nil)
	return true
}

// Compare looks at the whole tree, and returns what changed. x is the watcher, if it has heard of all that happened in libraries so
// far, else nil.
func (p *Picture) Compare(x *Watcher) (events []protocol.FileEvent) {
	p.scan(p.Root, &events, nil)
	if x != nil && x == p.watcher {
		p.lookBeyond(x, x.Pending(), &events)
	} else {
		p.lookBeyond(nil, News{}, &events)
	}
	return events
}

// Listen looks where the watcher heard of news, and returns what changed there. If there is no picture it takes the first one,
// and reports that.
func (p *Picture) Listen() (events []protocol.FileEvent, first bool) {
	if p.taken {
		p.look(p.watcher, &events)
		return events, false
	}
	p.taken = true
	p.folders = make(map[string]Folder)
	p.look(p.watcher, nil)
	return nil, true
}

// Taken reports whether there is a picture.
func (p *Picture) Taken() bool { return p.taken }

// Whole reports whether there is a picture that has all files.
func (p *Picture) Whole() bool { return p.taken && p.count < MaxFiles }

// Folders returns all folders, by their paths.
func (p *Picture) Folders() iter.Seq2[string, Folder] {
	return func(yield func(string, Folder) bool) {
		for dir, f := range p.folders {
			if !yield(dir, f) {
				return
			}
		}
	}
}

// Count returns the number of files in the folders.
func (p *Picture) Count() int { return p.count }

// Len returns the number of folders.
func (p *Picture) Len() int { return len(p.folders) }

// Folder returns a folder, if the picture has it.
func (p *Picture) Folder(dir string) (Folder, bool) {
	f, known := p.folders[dir]
	return f, known
}

// File returns the stamp of a file, zero if the picture does not have it.
func (p *Picture) File(path string) Stamp {
	return p.folders[filepath.Dir(path)].Files[filepath.Base(path)]
}

// Has reports whether the picture has a file.
func (p *Picture) Has(path string) bool {
	_, has := p.folders[filepath.Dir(path)].Files[filepath.Base(path)]
	return has
}

// AddNamed adds the files that are called like one of some names, which matter from now on: those that are there do not come later.
func (p *Picture) AddNamed(names []string) {
	for dir, f := range p.folders {
		for _, name := range names {
			if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && f.Files != nil {
				f.Files[name] = StampOf(info)
				p.count++
			}
		}
	}
}

// compare notes whether a file that changed looks as it did to who compares only times of modification.
func (p *Picture) compare(path string, before, now Stamp) {
	if !before.Modified.Equal(now.Modified) {
		return
	}
	if p.sameTime == nil {
		p.sameTime = make(map[string]bool)
	}
	p.sameTime[path] = true
}

// HasSameTime reports whether a file changed, since [Picture.ForgetSameTimes], and has the time of modification that it had.
func (p *Picture) HasSameTime(path string) bool { return p.sameTime[path] }

// ForgetSameTimes is called when everybody was told of what changed.
func (p *Picture) ForgetSameTimes() { p.sameTime = nil }
