package workspace

import (
	"path/filepath"
	"slices"
)

// TooWide says why no servers should run and nothing should be written in a folder as a whole: it
// is the whole disk, a home folder, or a folder of home folders. It returns "" for any other.
// homes are the home folders that are known.
func TooWide(dir string, homes []string) string {
	dir, err := ResolveLinks(dir)
	if err != nil {
		return "not to be read"
	}
	parent := filepath.Dir(dir)
	if dir == parent {
		return "the whole disk"
	}
	for _, home := range homes {
		home, err := ResolveLinks(home)
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
