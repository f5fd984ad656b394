package fspath

import (
	"os"
	"path/filepath"
	"slices"
)

// IgnoreFile is what git calls its lists of files to ignore.
const IgnoreFile = ".gitignore"

// FindRoot returns the workspace root for a folder: the nearest folder at or
// above it that is under version control, else the folder itself.
func FindRoot(dir string) string {
	for folder := dir; ; folder = filepath.Dir(folder) {
		if IsCheckout(folder) {
			return folder
		}
		if folder == filepath.Dir(folder) {
			return dir
		}
	}
}

// IsCheckout reports whether a folder is the top of something under version control.
func IsCheckout(dir string) bool {
	for _, marker := range []string{".git", ".hg", ".jj", ".svn"} {
		if _, err := os.Stat(filepath.Join(dir, marker)); err == nil {
			return true
		}
	}
	return false
}

// TooWide says why no servers should run and nothing should be written in a folder as a whole: it
// is the whole disk, a home folder, or a folder of home folders. It returns "" for any other.
// homes are the home folders that are known.
func TooWide(dir string, homes []string) string {
	dir, err := Follow(dir)
	if err != nil {
		return "not to be read"
	}
	parent := filepath.Dir(dir)
	if dir == parent {
		return "the whole disk"
	}
	for _, home := range homes {
		home, err := Follow(home)
		switch {
		case err != nil || !filepath.IsAbs(home):
		case dir == home:
			return "a home folder"
		case Below(dir, home) && !IsCheckout(dir):
			return "a folder of home folders"
		}
	}
	switch usual := []string{"/home", "/Users"}; {
	case slices.Contains(usual, dir):
		return "a folder of home folders"
	case slices.Contains(usual, parent):
		return "a home folder"
	}
	return ""
}
