package edit

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// A Plan is a set of changes to files, computed in memory: nothing is written before [Commit]. Each
// method either does all it says or returns an error and leaves the plan as it was. Methods see the
// result of earlier ones, at the path where a file now is. A file is read from disk once, when it
// is first named.
//
// A Plan is for one goroutine.
type Plan struct {
	disk  Files
	files map[string]planned // by resolved path
	// dirs are folders to be made (true), or removed if nothing is left in them.
	dirs map[string]bool
	// like are the folders that those to be made get their modes from: the ones that moved there.
	like map[string]string
	// style says which names are one file.
	style fspath.Style
	// began are the files as they were when this step of several began, nil for the first.
	began map[string]planned
}

// planned is one path in a plan. It is a value: its slices are never written.
type planned struct {
	path    string
	before  []byte // on disk
	existed bool
	after   []byte
	exists  bool
	// from is the file on disk whose content moved here, "" if none did.
	from string
	// ranges were made on original; sealed names an edit of another kind, after
	// which ranges can no longer be told.
	ranges   []TextEdit // in UTF-8
	original []byte
	sealed   string
	// spelled is the path that it is to have instead, which differs in the case of letters
	// alone and means the same file; "" for none.
	spelled  string
	replaced int // how many replacements of text there were
}

// NewPlan returns a Plan without changes over the files that files gives.
func NewPlan(files Files) *Plan {
	return &Plan{disk: files, files: map[string]planned{}, dirs: map[string]bool{}, like: map[string]string{}, style: fspath.Here}
}

// allOrNone runs change and takes back what it did to the plan if it fails.
func (p *Plan) allOrNone(change func() error) error {
	files, dirs, like := maps.Clone(p.files), maps.Clone(p.dirs), maps.Clone(p.like)
	err := change()
	if err != nil {
		p.files, p.dirs, p.like = files, dirs, like
	}
	return err
}

// load returns what the plan has for path, reading the disk if it is new to it.
// A folder is an *IsDirectoryError.
func (p *Plan) load(path string) (planned, error) {
	resolved, err := p.disk.Resolve(path)
	if err != nil {
		return planned{}, err
	}
	return p.loadResolved(resolved)
}

func (p *Plan) loadResolved(path string) (planned, error) {
	if f, ok := p.files[path]; ok {
		return f, nil
	}
	if p.holds(path) || p.dirs[path] {
		return planned{}, &IsDirectoryError{path}
	}
	if p.gone(path) {
		return planned{path: path}, nil
	}
	content, err := p.disk.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.otherwise(path), nil
	case err != nil:
		return planned{}, err
	}
	return planned{path: path, before: content, existed: true, after: content, exists: true, original: content, from: path}, nil
}

// otherwise returns the file that the plan makes under a name that means the same as that of path,
// which is not on disk; else nothing at path.
func (p *Plan) otherwise(path string) planned {
	for known, f := range p.files {
		if f.exists && known != path && p.style.Same(known, path) {
			return f
		}
	}
	return planned{path: path}
}

// gone reports whether the plan takes away a folder that is on disk.
func (p *Plan) gone(dir string) bool {
	stands, known := p.dirs[dir]
	return known && !stands
}

// holds reports whether the plan has a file below dir.
func (p *Plan) holds(dir string) bool {
	for path, f := range p.files {
		if f.exists && !p.style.Same(path, dir) && below(dir, path) {
			return true
		}
	}
	return false
}

// text returns a file that is there and holds text.
func (p *Plan) text(path string) (planned, error) {
	f, err := p.load(path)
	if err != nil {
		return f, err
	}
	if !f.exists {
		return f, p.notFound(f.path)
	}
	return f, textual(f.path, f.after)
}

func (p *Plan) notFound(path string) error {
	// A file that the plan took away is still on disk: only of others it may
	// say what is near them.
	if _, known := p.files[path]; !known && !p.gone(path) {
		if _, err := p.disk.ReadFile(path); err != nil {
			return err
		}
	}
	return &NotFoundError{Path: path}
}

// put makes content that of f. kind says how, for who comes later with ranges.
func (p *Plan) put(f planned, content []byte, kind string) error {
	if err := textual(f.path, content); err != nil {
		return err
	}
	if !f.exists {
		if err := p.room(f.path); err != nil {
			return err
		}
	}
	f.after, f.exists, f.sealed = content, true, kind
	p.files[f.path] = f
	return nil
}

// room fails if a file of the plan stands where path needs a folder, or a folder
// on disk where path is to be a file.
func (p *Plan) room(path string) error {
	if p.gone(path) {
		return &InvalidEditError{path, "a folder is there until this edit is made: delete it first, in an edit of its own"}
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if f, ok := p.files[dir]; ok && f.exists {
			return &InvalidEditError{path, dir + " is a file, so nothing can be in it"}
		}
	}
	return nil
}

// Write makes content the whole of a file, which it creates if need be. A byte
// order mark of the file is kept. If all its lines end with \r\n and content
// has only \n, they still do; otherwise content is taken as it is, also for the
// final line ending.
func (p *Plan) Write(path, content string) error {
	return p.allOrNone(func() error {
		f, err := p.load(path)
		if err != nil {
			return err
		}
		if f.exists {
			if err := textual(f.path, f.after); err != nil {
				return err
			}
			mark, text := splitMark(f.after)
			content = strings.TrimPrefix(content, mark)
			if allCRLF(text) && !strings.Contains(content, "\r\n") {
				content = withEnding(content, "\r\n")
			}
			content = mark + content
		}
		return p.put(f, []byte(content), "writing its whole content")
	})
}

// A Change is what becomes of one file.
type Change struct {
	Path string // resolved; where it is afterwards, unless it is deleted
	// From is where the file was if it is renamed, otherwise "".
	From string
	// Before is the content on disk: of From for a renamed file. After is what
	// is to be there.
	Before, After []byte
	// Created says that there was no file before, Deleted that there is none
	// after. Before or After is then nil. A renamed file is neither.
	Created, Deleted bool
	// Overwritten says that a renamed file replaces one that stood at Path.
	Overwritten bool
	// Replacements is how many replacements of text were made (by Replace).
	Replacements int
}

// Changes returns what becomes of all files that do not end as they began,
// sorted by path.
func (p *Plan) Changes() []Change {
	var changes []Change
	moved := make(map[string]bool) // files on disk that are now elsewhere
	for _, f := range p.files {
		if origin, ok := p.files[f.from]; ok && f.exists && f.from != f.path && !origin.exists {
			moved[f.from] = true
		}
	}
	for _, f := range p.files {
		c := Change{Path: f.path, Before: f.before, After: f.after, Replacements: f.replaced}
		switch {
		case f.spelled != "":
			c.Path, c.From = f.spelled, f.path
		case f.exists && moved[f.from] && f.from != f.path:
			c.From, c.Before, c.Overwritten = f.from, p.files[f.from].before, f.existed
		case moved[f.path] && !f.exists:
			continue
		case f.exists == f.existed && string(f.before) == string(f.after):
			continue
		default:
			c.Created, c.Deleted = !f.existed, !f.exists
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}
