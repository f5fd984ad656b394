package roots

import (
	"cmp"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// maxGlimpsed bounds the files and folders that Executing looks at.
const maxGlimpsed = 5_000

// An Execution is a server that would run something of a folder if that were trusted, and what, in words that follow "runs".
type Execution struct{ ID, Runs string }

// Executing returns the servers for files of a folder that would run something of it, of those that can be started, in the order
// of the table. It looks at the first files only, the outermost first, so it may miss some: it is for telling people.
func Executing(root string, servers registry.Table, installed Programs) (found []Execution) {
	startable := func(d *registry.Definition) bool {
		return slices.ContainsFunc(d.Commands, func(c registry.Command) bool {
			if _, err := exec.LookPath(c.Binary); err == nil {
				return true
			}
			path, _ := installed.Find(c.Binary)
			return path != ""
		})
	}
	index := registry.NewIndex(servers)
	names := make(map[string]bool)
	serving := make(map[string]bool)
	seen := 0
	for folders := []string{root}; len(folders) > 0 && seen < maxGlimpsed; folders = folders[1:] {
		entries, err := list(folders[0])
		if err != nil {
			continue
		}
		seen += len(entries)
		for _, e := range entries {
			path := filepath.Join(folders[0], e.Name())
			if e.IsDir() {
				if !slices.Contains(bulky, e.Name()) {
					folders = append(folders, path)
				}
				continue
			}
			names[e.Name()] = true
			if e.Type()&fs.ModeType == 0 {
				for _, d := range index.Serving(path) {
					serving[d.ID] = true
				}
			}
		}
	}
	has := func(pattern string) bool {
		if names[pattern] {
			return true
		}
		for name := range names {
			if ok, err := filepath.Match(pattern, name); err == nil && ok {
				return true
			}
		}
		return false
	}
	for _, d := range servers {
		executes := d.Executes.What != "" && d.Executes.What != registry.ExecutesNothing
		if executes && serving[d.ID] && !d.Disabled && !d.OptIn && (len(d.Requires) == 0 || slices.ContainsFunc(d.Requires, has)) && startable(&d) {
			found = append(found, Execution{d.ID, cmp.Or(d.Executes.How, "nobody knows what")})
		}
	}
	return found
}

// bulky are folders that hold much and are not what a project is about.
var bulky = []string{".git", ".hg", ".jj", ".svn", language.NodeFolder, "target", ".venv", "vendor"}
