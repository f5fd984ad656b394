package workspace

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

// maxElsewhere bounds the projects that a server is told of.
const maxElsewhere = 200

// elsewhere returns what a server's configuration has to say of the projects that are
// described where it does not look.
func (w *Workspace) elsewhere(d *registry.Definition) string {
	if d.UserConfig == nil || d.UserConfig.Elsewhere == "" {
		return ""
	}
	var text strings.Builder
	told := 0
	for _, dir := range w.foldersWith(d.Roots) {
		file := w.DescribedBy(d, dir)
		if file == "" || told == maxElsewhere || slices.Contains(d.LoadsBy, filepath.ToSlash(w.below(dir, file))) {
			continue
		}
		told++
		quote := func(s string) string { return strings.ReplaceAll(filepath.ToSlash(s), "'", "''") }
		text.WriteString(strings.NewReplacer(
			registry.ProjectFiles, quote(regexp.QuoteMeta(filepath.ToSlash(dir)))+"/.*",
			registry.FoundFolder, quote(filepath.Dir(file)),
		).Replace(d.UserConfig.Elsewhere))
	}
	return text.String()
}

func (w *Workspace) below(dir, path string) string {
	relative, err := filepath.Rel(dir, path)
	if err != nil {
		return path
	}
	return relative
}

// DescribedBy returns the file by which a server finds the other files of the project in a
// folder: one that the server looks for itself or, failing that, the newest of those that it is
// told about; "" if there is none.
func (w *Workspace) DescribedBy(d *registry.Definition, dir string) string {
	for _, name := range d.LoadsBy {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	var found []string
	times := make(map[string]int64)
	for _, pattern := range d.Elsewhere {
		paths, _ := filepath.Glob(filepath.Join(unglobbed.Replace(dir), filepath.FromSlash(pattern))) // the pattern is well-formed
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found, times[path] = append(found, path), info.ModTime().UnixNano()
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MaxFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(times[a], times[b]), cmp.Compare(b, a))
	})
}

// unglobbed takes their meaning from the characters of a folder's name.
var unglobbed = strings.NewReplacer("[", `\[`, "*", `\*`, "?", `\?`, `\`, `\\`)

// ProjectsOf returns the root and the folders in which a file lies that makes them projects of a
// server, as the last look at the disk found them.
func (w *Workspace) ProjectsOf(d *registry.Definition) []string { return w.foldersWith(d.Roots) }

// foldersWith returns the root and the folders in which a file of one of these names lies,
// as the last look at the disk found them: inner ones last.
func (w *Workspace) foldersWith(names []string) []string {
	w.takePicture()
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	dirs := []string{w.root}
	for dir, f := range w.tree.Folders() {
		if dir != w.root && slices.ContainsFunc(names, func(name string) bool { _, there := f.Files[name]; return there }) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}
