package fspath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Real returns the path of what exists at a path, with links resolved, relative if path is. It is
// filepath.EvalSymlinks, but that the volume is spelled as all of us do (see [Style.Clean]), on
// systems where that matters.
func Real(path string) (string, error) {
	if !Here.Drives { // cleaned before, link/.. would be where the link is
		return filepath.EvalSymlinks(path)
	}
	resolved, err := filepath.EvalSymlinks(Here.Clean(path))
	if err != nil {
		return "", err
	}
	return Here.Clean(resolved), nil
}

// Follow resolves the links in the longest part of an absolute path that exists. A link to nothing is
// followed as well: a file that is made there is made at its target. A path below a file is an error.
func Follow(path string) (string, error) { return follow(path, 0) }

// errNotFolder is ENOTDIR, which on Windows is the same as that there is nothing.
var errNotFolder = errors.New("not a directory")

// maxLinks is how many links to nothing may lead to each other.
const maxLinks = 40

func follow(path string, depth int) (string, error) {
	resolved, err := Real(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return resolved, err
	}
	if depth > maxLinks {
		return "", syscall.ELOOP
	}
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return follow(Here.Clean(target), depth+1)
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	if resolved, err = follow(parent, depth); err != nil {
		return "", err
	}
	// Some systems say of what is below a file only that it is not there.
	if info, err := os.Stat(resolved); err == nil && !info.IsDir() {
		return "", &fs.PathError{Op: "lstat", Path: path, Err: errNotFolder}
	}
	return filepath.Join(resolved, filepath.Base(path)), nil
}
