package fspath

import (
	"os"
	"path/filepath"
	"unicode"
)

// FoldsCase reports whether letters in another case name the same files in a folder, as its entries show: a disk may be
// another than those that its system usually has. Where no entry tells, it is as usual.
func FoldsCase(dir string) bool {
	entries, _ := os.ReadDir(dir) // what cannot be read does not tell
	for _, e := range entries {
		other := swapCase(e.Name())
		if other == e.Name() {
			continue
		}
		one, err := os.Lstat(filepath.Join(dir, e.Name()))
		if err != nil {
			continue // it is gone
		}
		another, err := os.Lstat(filepath.Join(dir, other))
		return err == nil && os.SameFile(one, another)
	}
	return Here.FoldsCase
}

// swapCase returns a name with each of its ASCII letters in the other case.
func swapCase(name string) string {
	letters := []rune(name)
	for i, r := range letters {
		switch {
		case r >= 'a' && r <= 'z':
			letters[i] = unicode.ToUpper(r)
		case r >= 'A' && r <= 'Z':
			letters[i] = unicode.ToLower(r)
		}
	}
	return string(letters)
}
