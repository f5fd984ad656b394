package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// CompiledFiles returns the first file listed in a compilation database, "" if the database cannot
// be read, and whether it lists any file below root.
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
		if resolved, err := fspath.Real(file); err == nil {
			file = resolved
		}
		if file == root || strings.HasPrefix(file, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)) {
			return first, true
		}
	}
	return first, false
}
