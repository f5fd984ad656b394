package project

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// CompiledFiles returns the first file listed in a compilation database, "" if the database cannot
// be read, and whether it lists any file below root.
func CompiledFiles(database, root string) (first string, own bool) {
	content, err := fspath.Read(database)
	if err != nil {
		return "", false
	}
	for _, file := range compiled(content) {
		if first == "" {
			first = file
		}
		if resolved, err := fspath.Real(file); err == nil {
			file = resolved
		}
		if file == root || strings.HasPrefix(file, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)) {
			return first, true
		}
	}
	return first, false
}

// Compiled returns the files that a compilation database lists, by path, none if it cannot be read.
func Compiled(database string) map[string]bool {
	all := make(map[string]bool)
	content, err := fspath.Read(database)
	if err != nil {
		return all
	}
	for _, file := range compiled(content) {
		all[filepath.Clean(file)] = true
	}
	return all
}

// compiled returns the files that the text of a compilation database lists.
func compiled(database []byte) (files []string) {
	var commands []struct{ Directory, File string }
	if json.Unmarshal(database, &commands) != nil {
		return nil
	}
	for _, c := range commands {
		if filepath.IsAbs(c.File) {
			files = append(files, c.File)
		} else {
			files = append(files, filepath.Join(c.Directory, c.File))
		}
	}
	return files
}
