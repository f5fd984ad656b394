package edit

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Existing says what to do if something exists already. Overwrite takes precedence over
// IgnoreIfExists; with neither it is an *[ExistsError] (LSP, CreateFileOptions and
// RenameFileOptions).
type Existing struct {
	Overwrite, IgnoreIfExists bool
}

// Missing says how much may be deleted, and what to do if nothing is there (LSP,
// DeleteFileOptions).
type Missing struct {
	Recursive, IgnoreIfNotExists bool
}

// Create adds an empty file.
func (p *Plan) Create(path string, existing Existing) error {
	return p.allOrNone(func() error {
		f, err := p.load(path)
		if err != nil {
			return err
		}
		switch {
		case f.exists && !existing.Overwrite && existing.IgnoreIfExists:
			return nil
		case f.exists && !existing.Overwrite:
			return &ExistsError{f.path}
		}
		f.original, f.ranges = nil, nil
		return p.put(f, nil, "")
	})
}

// Delete removes a file, text or not, or a folder with all in it. A folder that holds anything
// needs Recursive. A missing file is a *[NotFoundError]; a symbolic link, which would be followed,
// is a *[NotRegularError].
func (p *Plan) Delete(path string, missing Missing) error {
	return p.allOrNone(func() error {
		resolved, err := p.itself(path)
		if err != nil {
			return err
		}
		f, err := p.loadResolved(resolved)
		var folder *IsDirectoryError
		switch {
		case errors.As(err, &folder):
			return p.deleteFolder(resolved, missing.Recursive)
		case err != nil:
			return err
		case !f.exists && missing.IgnoreIfNotExists:
			return nil
		case !f.exists:
			return p.notFound(resolved)
		}
		p.remove(f)
		return nil
	})
}

func (p *Plan) remove(f planned) {
	f.after, f.exists, f.from = nil, false, ""
	f.original, f.ranges, f.sealed, f.spelled, f.replaced = nil, nil, "", "", 0
	p.files[f.path] = f
}

func (p *Plan) deleteFolder(dir string, recursive bool) error {
	files, dirs, err := p.within(dir)
	if err != nil {
		return err
	}
	if len(files)+len(dirs) > 0 && !recursive {
		return &InvalidEditError{dir, "it is a folder that is not empty: delete it recursively"}
	}
	for _, path := range files {
		f, err := p.loadResolved(path)
		if err != nil {
			return err
		}
		p.remove(f)
	}
	for _, d := range append(dirs, dir) {
		p.dirs[d] = false
	}
	return nil
}

// Rename moves a file, text or not, or a folder with all in it. A symbolic link
// is a *NotRegularError.
func (p *Plan) Rename(from, to string, existing Existing) error {
	return p.allOrNone(func() error {
		source, err := p.itself(from)
		if err != nil {
			return err
		}
		target, err := p.itself(to)
		if err != nil {
			return err
		}
		if source == target || p.means(target, source) {
			return p.respell(source, filepath.Join(filepath.Dir(source), filepath.Base(filepath.Clean(to))))
		}
		f, err := p.loadResolved(source)
		var folder *IsDirectoryError
		switch {
		case errors.As(err, &folder):
			return p.renameFolder(source, target, existing)
		case err != nil:
			return err
		case !f.exists:
			return p.notFound(source)
		}
		old, err := p.loadResolved(target)
		switch {
		case err != nil:
			return err
		case old.exists && !existing.Overwrite && existing.IgnoreIfExists:
			return nil
		case old.exists && !existing.Overwrite:
			return &ExistsError{target}
		}
		return p.move(f, old)
	})
}

// means reports whether a name means another file, which has it in other letters.
func (p *Plan) means(name, path string) bool {
	if !p.style.Same(name, path) {
		return false
	}
	_, err := p.disk.ReadFile(name)
	return errors.Is(err, fs.ErrNotExist) // else it is a file of its own
}

// respell gives a file another name that means the same one: where the case of letters does not
// count. No change if it has that name.
func (p *Plan) respell(path, name string) error {
	f, err := p.loadResolved(path)
	var folder *IsDirectoryError
	switch {
	case path == name && err == nil && f.spelled == "", !p.style.Same(path, name):
		return nil
	case path == name && errors.As(err, &folder):
		return nil
	case errors.As(err, &folder):
		return &InvalidEditError{path, "of a folder only the case of letters would change: rename it to another name first, and that in an edit of its own"}
	case err != nil:
		return err
	case !f.exists:
		return p.notFound(path)
	case !f.existed: // it is not on disk under any name
		delete(p.files, f.path)
		f.path = name
	case path == name:
		f.spelled = ""
	default:
		f.spelled = name
	}
	f.original, f.ranges = f.after, nil
	p.files[f.path] = f
	return nil
}

// move puts what is at f to the path of old.
func (p *Plan) move(f, old planned) error {
	p.remove(f)
	if err := p.room(old.path); err != nil {
		return err
	}
	old.after, old.exists, old.from, old.replaced = f.after, true, f.from, f.replaced
	// Ranges that come later speak of the file as it was moved.
	old.original, old.ranges, old.sealed = f.after, nil, f.sealed
	p.files[old.path] = old
	return nil
}

func (p *Plan) renameFolder(source, target string, existing Existing) error {
	if below(source, target) {
		return &InvalidEditError{source, "a folder cannot be moved into itself"}
	}
	taken := &IsDirectoryError{}
	switch f, err := p.loadResolved(target); {
	case errors.As(err, &taken) || err == nil && f.exists:
		if !existing.Overwrite {
			if existing.IgnoreIfExists {
				return nil
			}
			return &ExistsError{target}
		}
		return &InvalidEditError{target, "a folder does not overwrite: delete what is there first"}
	case err != nil:
		return err
	}
	files, dirs, err := p.within(source)
	if err != nil {
		return err
	}
	moved := func(path string) string { return target + strings.TrimPrefix(path, source) }
	for _, path := range files {
		f, err := p.loadResolved(path)
		if err != nil {
			return err
		}
		old, err := p.loadResolved(moved(path))
		if err != nil {
			return err
		}
		if old.exists {
			return &ExistsError{old.path}
		}
		if err := p.move(f, old); err != nil {
			return err
		}
	}
	for _, d := range append(dirs, source) {
		p.dirs[d] = false
		p.dirs[moved(d)] = true
		p.like[moved(d)] = cmp.Or(p.like[d], d)
	}
	return p.room(filepath.Join(target, "any"))
}

// within returns the files and folders that are below a folder in the plan.
func (p *Plan) within(dir string) (files, dirs []string, err error) {
	if !p.dirs[dir] { // else the plan made it
		onDisk, folders, err := p.disk.List(dir)
		var none *NotFoundError
		if err != nil && !(errors.As(err, &none) && p.holds(dir)) { // what was listed before an error is not all
			return nil, nil, err
		}
		for _, path := range onDisk {
			if _, known := p.files[path]; !known {
				files = append(files, path)
			}
		}
		for _, d := range folders {
			if _, known := p.dirs[d]; !known {
				dirs = append(dirs, d)
			}
		}
	}
	for path, f := range p.files {
		if f.exists && below(dir, path) {
			files = append(files, path)
		}
	}
	for d, stands := range p.dirs {
		if stands && d != dir && below(dir, d) {
			dirs = append(dirs, d)
		}
	}
	slices.Sort(files)
	slices.Sort(dirs)
	return files, dirs, nil
}

// itself resolves a path that is to be moved or deleted. It fails for a
// symbolic link, whose target would be meant instead, and for a root.
func (p *Plan) itself(path string) (string, error) {
	resolved, err := p.disk.Resolve(path)
	if err != nil {
		return "", err
	}
	if _, err := p.disk.Resolve(filepath.Dir(resolved)); err != nil {
		return "", &InvalidEditError{path, fmt.Sprintf("%s is a root, which is not moved or deleted", resolved)}
	}
	clean := filepath.Clean(path)
	dir, err := p.disk.Resolve(filepath.Dir(clean))
	if err != nil {
		return "", err
	}
	named := filepath.Join(dir, filepath.Base(clean))
	if !sameSpelling(named, resolved) {
		return "", &NotRegularError{path, "a symbolic link to " + resolved + "; name that file itself"}
	}
	return resolved, nil
}
