package fspath

import (
	"os"
	"path/filepath"
	"strings"
)

// Below reports whether an absolute path is root or below it, by whole segments [BR-87]. Both are
// cleaned, with links resolved.
func Below(root, path string) bool {
	if rest, plain := strings.CutPrefix(path, root+string(filepath.Separator)); plain && filepath.IsLocal(rest) {
		return true
	}
	relative, err := filepath.Rel(root, path)
	return err == nil && (relative == "." || filepath.IsLocal(relative))
}

// Relative returns an absolute path relative to root, with slashes, for people; a path that is not
// below root stays as it is.
func Relative(root, path string) string {
	// Nearly all are below the root and clean: then that is what stands after it.
	rest, below := strings.CutPrefix(path, root+string(filepath.Separator))
	if below && filepath.Clean(rest) == rest && filepath.IsLocal(rest) {
		return filepath.ToSlash(rest)
	}
	relative, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(relative) {
		return path
	}
	return filepath.ToSlash(relative)
}

// At returns the cleaned path that a name has for somebody in the absolute folder base.
func At(base, name string) string {
	if filepath.IsAbs(name) {
		return Here.Clean(name)
	}
	return Here.Clean(filepath.Join(base, name))
}

// Named returns the absolute, cleaned path of what a caller in the folder base names: a path, or a
// file: URI. If there is no such file it also tries what models write instead: a mention (@a.go),
// backslashes, and a path that begins at base as if that were the root of the disk.
func Named(base, named string) (string, error) {
	if scheme := "file://"; len(named) >= len(scheme) && strings.EqualFold(named[:len(scheme)], scheme) {
		return Here.Path(named)
	}
	path := At(base, named)
	if filepath.Separator == '/' && strings.Contains(named, `\`) && !isThere(path) {
		named = strings.ReplaceAll(named, `\`, "/")
		path = At(base, named)
	}
	if mentioned, ok := strings.CutPrefix(named, "@"); ok && mentioned != "" && !isThere(path) {
		if other := At(base, mentioned); isThere(other) || !isThere(filepath.Dir(path)) {
			return other, nil
		}
	}
	if filepath.IsAbs(named) && !isThere(path) {
		other := At(base, "."+string(filepath.Separator)+named)
		if isThere(other) || isThere(filepath.Dir(other)) && !isThere(filepath.Dir(path)) {
			return other, nil
		}
	}
	return path, nil
}

// isThere reports whether something is at a path, be it a link to nothing.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
