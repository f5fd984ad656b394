package roots

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// markers knows which names in a folder any server looks for. A folder is read
// again when it changed, so a marker is seen as soon as it is there.
type markers struct {
	names map[string]bool
	// suffixes are what follows the star of a glob that is nothing else; globs are
	// the others.
	suffixes, globs []string

	mu      sync.Mutex
	folders map[string]marked
}

// marked is a folder as it was read.
type marked struct {
	modified time.Time
	change   uint64
	// settled says that a later change of the folder shows in its time.
	settled bool
	// found are the names that are markers; links may lead nowhere.
	found, links []string
}

// newMarkers returns the markers of all servers of a table, and what answers lack something by.
func newMarkers(t registry.Table) *markers {
	m := &markers{names: make(map[string]bool), folders: make(map[string]marked)}
	for _, d := range t {
		patterns := slices.Concat(d.Roots, d.Requires, d.Excludes)
		if r := d.Executes.Restraint; r != nil {
			patterns = append(patterns, r.LacksBy...)
		}
		for _, pattern := range patterns {
			suffix, star := strings.CutPrefix(pattern, "*")
			switch {
			case !strings.ContainsAny(pattern, "*?["):
				m.names[pattern] = true
			case star && !strings.ContainsAny(suffix, `*?[\\`):
				m.suffixes = append(m.suffixes, suffix)
			default:
				m.globs = append(m.globs, pattern)
			}
		}
	}
	for _, list := range []*[]string{&m.suffixes, &m.globs} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return m
}

// A level is a folder at or above a file, with the markers in it.
type level struct {
	folder string
	marked
	// unread says that the folder cannot be listed, so that each name must be
	// tried.
	unread bool
}

func (m *markers) at(folder string) level {
	info, err := os.Stat(folder)
	if err != nil {
		return level{folder: folder} // a new file may be in a folder that is not there yet
	}
	m.mu.Lock()
	known, ok := m.folders[folder]
	m.mu.Unlock()
	if ok && known.settled && known.modified.Equal(info.ModTime()) && known.change == fspath.Change(info) {
		return level{folder: folder, marked: known}
	}
	read := marked{modified: info.ModTime(), change: fspath.Change(info), settled: time.Since(info.ModTime()) > disk.Unsettled(info.ModTime())}
	entries, err := list(folder)
	if err != nil {
		return level{folder: folder, unread: true}
	}
	for _, e := range entries {
		if name := e.Name(); m.wanted(name) {
			read.found = append(read.found, name)
			if e.Type()&os.ModeSymlink != 0 {
				read.links = append(read.links, name)
			}
		}
	}
	slices.Sort(read.found)
	m.mu.Lock()
	m.folders[folder] = read
	m.mu.Unlock()
	return level{folder: folder, marked: read}
}

// list reads a folder, in no order.
func list(folder string) ([]os.DirEntry, error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.ReadDir(-1)
}

func (m *markers) wanted(name string) bool {
	if m.names[name] || slices.ContainsFunc(m.suffixes, func(suffix string) bool { return strings.HasSuffix(name, suffix) }) {
		return true
	}
	return slices.ContainsFunc(m.globs, func(glob string) bool {
		ok, _ := filepath.Match(glob, name)
		return ok
	})
}

// find returns the nearest of the folders that holds the best of the markers:
// the first is looked for all the way up before the next is tried.
func find(levels []level, patterns []string) (root, marker string, found bool) {
	for _, pattern := range patterns {
		for i := range levels {
			if name, ok := levels[i].holds(pattern); ok {
				return levels[i].folder, name, true
			}
		}
	}
	return "", "", false
}

// holds returns the name in the folder that a marker glob matches.
func (l *level) holds(pattern string) (string, bool) {
	glob := strings.ContainsAny(pattern, "*?[")
	if l.unread && !glob {
		return pattern, l.leads(pattern)
	}
	for _, name := range l.found {
		matches := name == pattern
		if glob {
			matches, _ = filepath.Match(pattern, name)
		}
		if matches && (!slices.Contains(l.links, name) || l.leads(name)) {
			return name, true
		}
	}
	return "", false
}

// leads reports whether a name is there, and if it is a link, what it leads to.
func (l *level) leads(name string) bool {
	_, err := os.Stat(filepath.Join(l.folder, name))
	return err == nil
}
