package disk

import (
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// maxChanged bounds the events that are kept in mind.
const maxChanged = 4096

// notes are the events that everybody was told of.
type notes struct {
	names uint64 // how many files came or went since the first picture
	// changed are the files of the last events; before them were so many.
	changed []string
	before  uint64
}

// Note keeps in mind that everybody is told of an event of a file.
func (n *notes) Note(path string, kind protocol.ChangeType) {
	if kind != protocol.Changed {
		n.names++
	}
	if len(n.changed) == maxChanged {
		n.changed = slices.Clone(n.changed[maxChanged/2:])
		n.before += maxChanged / 2
	}
	n.changed = append(n.changed, path)
}

// Names returns how many files came or went since the first picture.
func (n *notes) Names() uint64 { return n.names }

// Touched returns the files that may be others than when it returned a mark, and the mark
// of now, which is 0 if there is none. What the watcher has not heard of yet does not
// count. It is false where that is not known; no mark is 0.
func (p *Picture) Touched(mark uint64) (paths []string, now uint64, ok bool) {
	if p.watcher == nil || !p.Whole() {
		return nil, 0, false
	}
	pending := p.watcher.Pending()
	if pending.All {
		return nil, 0, false
	}
	now = 1 + p.before + uint64(len(p.changed))
	if mark == 0 || mark <= p.before || mark > now {
		return nil, now, false
	}
	paths = slices.Clone(p.changed[mark-1-p.before:])
	for dir := range pending.Folders {
		for name := range p.folders[dir].Files {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	for path := range pending.Names {
		if _, folder := p.folders[path]; folder {
			return nil, now, false
		}
		paths = append(paths, path)
	}
	return paths, now, true
}

// Stamp returns the stamp that a file has in the picture. What the watcher has not heard of yet does not count. It is false where the
// picture does not say, or may be another.
func (p *Picture) Stamp(path string) (s Stamp, ok bool) {
	dir := filepath.Dir(path)
	s, known := p.folders[dir].Files[filepath.Base(path)]
	if x := p.watcher; x == nil || !known || x.IsNews(dir) {
		return Stamp{}, false
	}
	return s, true
}
