package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// CompiledFiles reports whether a compilation database has a file below a root, and returns
// the first file that it names, "" if it cannot be read.
func CompiledFiles(database, root string) (first string, own bool) {
	content, err := os.ReadFile(database)
	if err != nil {
		return "", false
	}
	var commands []struct{ Directory, File string }
	if json.Unmarshal(content, &commands) != nil {
		return "", false
	}
	for _, c := range commands {
		file := c.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.Directory, file)
		}
		if first == "" {
			first = file
		}
		if resolved, err := filepath.EvalSymlinks(file); err == nil {
			file = resolved
		}
		if file == root || strings.HasPrefix(file, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)) {
			return first, true
		}
	}
	return first, false
}
