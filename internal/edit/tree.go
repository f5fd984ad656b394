package edit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/lspine/lspine/internal/fspath"
)

// Files gives a [Plan] what is on disk, and decides which files it may touch. It must be safe for
// concurrent use by the goroutines of its plans.
type Files interface {
	// Resolve returns the file that path means: absolute, cleaned, with symbolic
	// links resolved, also if it does not exist yet. It fails for what may not
	// be edited.
	Resolve(path string) (string, error)
	// ReadFile returns the content of a resolved path, text or not. Nothing
	// there is a fs.ErrNotExist, a folder an *IsDirectoryError.
	ReadFile(path string) ([]byte, error)
	// List returns all files and all folders below a resolved folder, itself not
	// included, parents before what is in them.
	List(dir string) (files, dirs []string, err error)
}

// A Tree is one or more folders on disk whose text files may be edited. It is
// immutable and safe for concurrent use.
type Tree struct {
	roots []string // resolved
	limit int64
}

// NewTree returns the tree of the roots. Relative paths begin at the first. A
// file of more than maxBytes is refused.
func NewTree(maxBytes int64, roots ...string) (*Tree, error) {
	t := &Tree{limit: maxBytes}
	for _, root := range roots {
		abs, err := filepath.Abs(root)
		if err == nil {
			abs, err = fspath.Real(abs)
		}
		if err != nil {
			return nil, fmt.Errorf("root %s: %w", root, err)
		}
		t.roots = append(t.roots, abs)
	}
	if len(t.roots) == 0 {
		return nil, errors.New("a tree needs a root")
	}
	return t, nil
}

// Resolve implements [Files]. For what does not exist the nearest existing
// parent decides; a symbolic link is followed, also to a file that is still to
// be made, and must lead to a place inside a root. Outside all roots is an
// *OutsideError, inside .git or the like a *ProtectedError. A root itself is resolved:
// files and folders may be listed in it, but no edit replaces it.
func (t *Tree) Resolve(path string) (string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", &InvalidEditError{Reason: fmt.Sprintf("%q is no path of a file", path)}
	}
	named := path
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.roots[0], path)
	}
	path = fspath.Here.Clean(path)
	if name := fspath.Here.Misnamed(path); name != "" {
		return "", &InvalidEditError{named, fmt.Sprintf("%q is no name that this system keeps as it is", name)}
	}
	resolved, err := fspath.Follow(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", named, err)
	}
	for _, root := range t.roots {
		if below(root, resolved) {
			return spelled(root, resolved), protected(fspath.Here, resolved)
		}
	}
	outside := &OutsideError{Path: named, Roots: t.roots}
	if resolved != path {
		outside.Target = resolved
	}
	return "", outside
}

// protected refuses what is version control's own, also where that is the root or above it. A worktree of git has a file of that name.
func protected(style fspath.Style, path string) error {
	for _, segment := range style.Segments(path) {
		if style.IsMetadata(segment) {
			return &ProtectedError{path, segment}
		}
	}
	return nil
}

// below reports whether path is root or below it, by whole segments.
func below(root, path string) bool {
	relative, err := filepath.Rel(root, path)
	return err == nil && (relative == "." || filepath.IsLocal(relative))
}

// sameSpelling reports whether two resolved paths are one, where the case of
// letters may not count.
func sameSpelling(a, b string) bool { return fspath.Here.Same(a, b) }

// spelled returns a path below root as the disk spells it, as far as it exists, where letters in
// another case name the same file. Windows says it when links are resolved.
func spelled(root, path string) string {
	if style := fspath.Here; !style.FoldsCase || style.Drives || path == root {
		return path
	}
	dir := spelled(root, filepath.Dir(path))
	path = filepath.Join(dir, filepath.Base(path))
	info, err := os.Lstat(path)
	if err != nil {
		return path
	}
	entries, _ := os.ReadDir(dir) // what cannot be read stays as it was named
	for _, e := range entries {
		if !fspath.Here.Same(e.Name(), filepath.Base(path)) {
			continue
		}
		if other, err := e.Info(); err == nil && os.SameFile(info, other) {
			return filepath.Join(dir, e.Name())
		}
	}
	return path
}

// ReadFile implements [Files]. Over the limit is a *TooLargeError; a pipe or
// device, which could block for ever, a *NotRegularError.
func (t *Tree) ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &NotFoundError{path, nearestNames(path)}
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &IsDirectoryError{path}
	case !info.Mode().IsRegular():
		return nil, &NotRegularError{path, "no regular file"}
	case info.Size() > t.limit:
		return nil, &TooLargeError{path, info.Size(), t.limit}
	}
	f, err := fspath.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(io.LimitReader(f, t.limit+1)) // it may have grown since
	if err == nil && int64(len(content)) > t.limit {
		return nil, &TooLargeError{path, int64(len(content)), t.limit}
	}
	return content, err
}

// List implements [Files]. Anything but files and folders in the folder is a
// *NotRegularError, version control's own a *ProtectedError: a folder that is not moved or
// deleted whole is better left alone.
func (t *Tree) List(dir string) (files, dirs []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && path == dir && errors.Is(err, fs.ErrNotExist):
			return &NotFoundError{Path: dir}
		case err != nil:
			return err
		case path == dir:
			return nil
		case fspath.Here.IsMetadata(entry.Name()):
			return &ProtectedError{path, entry.Name()}
		case entry.IsDir():
			dirs = append(dirs, path)
		case entry.Type().IsRegular():
			files = append(files, path)
		default:
			return &NotRegularError{path, "neither a file nor a folder, so that its folder cannot be moved or deleted here"}
		}
		return nil
	})
	return files, dirs, err
}

// nearestNames returns up to three files in the folder of path whose names are
// like the missing one.
func nearestNames(path string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // what cannot be read is not near
	base := strings.ToLower(filepath.Base(path))
	distances := make(map[string]int)
	var names []string
	for _, e := range entries {
		d := levenshtein.ComputeDistance(base, strings.ToLower(e.Name()))
		if !e.IsDir() && d <= max(2, len(base)/3) {
			distances[e.Name()] = d
			names = append(names, e.Name())
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return distances[a] - distances[b] })
	return names[:min(3, len(names))]
}
