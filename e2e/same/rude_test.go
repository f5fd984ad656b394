package same

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/internal/lsptest"
)

// moved is what the names of folders and files get that are moved.
const moved = "_moved"

// rudely makes up a change of the kinds that tools and people make and that no single edit of a file is; ok is
// false if there is nothing to change in that way.
func (h *history) rudely() (did string, c code.Change, ok bool) {
	names := h.tree.Sources()
	if len(names) == 0 {
		return "", c, false
	}
	files, name := maps.Clone(h.tree.Files), names[h.random.IntN(len(names))]
	switch h.random.IntN(6) {
	case 0:
		did = h.moveFolder(files, path.Dir(name))
	case 1:
		did = h.makeFolder(files, name)
	case 2:
		did = h.tree.MoveDeclaration(h.random, files, name, names[h.random.IntN(len(names))])
	case 3:
		if did = h.changeSettings(files); did != "" && h.random.IntN(2) == 0 { // together with a file
			other, more := h.draw(h)
			did += " && " + other
			files = more.Applied(files)
		}
	case 4:
		var more code.Change
		for range 3 {
			var other string
			other, more = h.draw(h)
			did += " && " + other
			files = more.Applied(files)
		}
	default:
		lines := strings.SplitAfter(files[name], "\n")
		files[name] = strings.Join(slices.Insert(lines, h.random.IntN(len(lines)), h.tree.Comment(name)+"\n"), "")
		did = "comment in " + name
	}
	c = code.ChangeTo(h.tree.Files, files)
	return "rude: " + strings.TrimPrefix(did, " && "), c, len(c.Texts) > 0
}

// isBound reports whether the files of a folder cannot be elsewhere: settings name it, and no compiler looks elsewhere, or packages of Java are
// called like it, where javac and jdtls differ.
func isBound(files map[string]string, folder string) bool {
	for name, text := range files {
		if slices.Contains([]string{".json", ".toml"}, path.Ext(name)) && strings.Contains(text, path.Base(folder)) ||
			path.Ext(name) == ".java" && strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return folder == "."
}

// moveFolder moves all files of a folder, or moves them back.
func (h *history) moveFolder(files map[string]string, folder string) string {
	if isBound(files, folder) {
		return ""
	}
	to, back := strings.CutSuffix(folder, moved)
	if !back {
		to = folder + moved
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
			files[to+"/"+rest] = files[name]
			delete(files, name)
		}
	}
	return "move folder " + folder + " to " + to
}

// entries are how the file is called that stands for its folder, by ending.
var entries = map[string]string{".ts": "index.ts", ".py": "__init__.py", ".rs": "mod.rs"}

// makeFolder puts a file into a folder that has its name, with or without the ending, or takes it out of that.
func (h *history) makeFolder(files map[string]string, name string) string {
	text, ending, folder := files[name], path.Ext(name), path.Dir(name)
	entry := entries[ending]
	if entry == "" {
		entry = "inside" + ending
	}
	if path.Base(name) == entry && isBound(files, folder) || ending == ".java" {
		return ""
	}
	delete(files, name)
	switch {
	case path.Base(name) != entry:
		to := strings.TrimSuffix(name, ending)
		if ending != ".go" && h.random.IntN(3) == 0 { // go list takes no text for a file that is now a folder
			to = name
		}
		files[to+"/"+entry] = text
		return "make a folder of " + name + ": " + to + "/" + entry
	case path.Ext(folder) == ending:
		files[folder] = text
	default:
		files[folder+ending] = text
	}
	return "make a file of the folder of " + name
}

// settings are what is replaced in files that configure projects, in either direction.
var settings = []struct{ file, one, other string }{
	{"tsconfig.json", `"strict": true`, `"strict": false`},
	{"tsconfig.base.json", `"strict": true`, `"strict": false`},
	{"tsconfig.json", `"noEmit": true`, `"noEmit": true, "noUnusedLocals": true`},
	{"pyproject.toml", "[tool.pyright]\n", "[tool.pyright]\nstrictParameterNoneValue = false\nreportOptionalMemberAccess = false\n"},
	{"pyproject.toml", "[tool.pyright]\n", "[tool.pyright]\nreportUnusedImport = \"error\"\n"},
	{"pyrightconfig.json", `"pythonVersion": "3.11"`, `"pythonVersion": "3.8"`},
	{"pyrightconfig.json", `"pythonVersion": "3.11"`, `"pythonVersion": "3.11", "reportUnusedImport": "error"`},
	{"go.mod", "\ngo 1.2", "\ngo 1.1"},
	{"go.mod", "\nmodule ", "\n// A module.\nmodule "},
	{"Cargo.toml", `edition = "2021"`, `edition = "2018"`},
	{"Cargo.toml", `default = ["std"]`, `default = []`},
	{"package.json", `"version": "1.0.0"`, `"version": "1.0.1"`},
}

// changeSettings changes a file that configures a project.
func (h *history) changeSettings(files map[string]string) string {
	var possible []func() string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, s := range settings {
			for _, way := range [][2]string{{s.other, s.one}, {s.one, s.other}} {
				if path.Base(name) == s.file && strings.Contains(files[name], way[0]) {
					possible = append(possible, func() string {
						files[name] = strings.Replace(files[name], way[0], way[1], 1)
						return fmt.Sprintf("settings in %s: %q", name, way[1])
					})
					break
				}
			}
		}
	}
	if len(possible) == 0 {
		return ""
	}
	return possible[h.random.IntN(len(possible))]()
}

// fit makes room for what comes: files where a folder comes go, as do those in a folder where a file comes.
func (h *history) fit(c code.Change) {
	for _, name := range c.Names() {
		if c.Texts[name] == nil {
			continue
		}
		for other := range h.tree.Files {
			if _, changes := c.Texts[other]; !changes && (strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/")) {
				c.Texts[other] = nil
			}
		}
	}
}

// isTurned reports whether a change makes a folder of a file, or a file of a folder.
func isTurned(c code.Change) bool {
	for _, name := range c.Names() {
		for _, other := range c.Names() {
			if strings.HasPrefix(other, name+"/") {
				return true
			}
		}
	}
	return false
}

// rewrite writes the text of a file again, in one of the ways in which its time or its identity changes.
func (h *history) rewrite() string {
	h.t.Helper()
	h.tree.Look(h.t)
	names := h.tree.Sources()
	if len(names) == 0 {
		return "nothing to write again"
	}
	name := names[h.random.IntN(len(names))]
	path, text := filepath.Join(h.Folder, name), h.tree.Files[name]
	switch h.random.IntN(4) {
	case 0:
		at := time.Now().Add(time.Duration(h.random.IntN(2000)-1000) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			h.t.Fatal(err)
		}
		return "another time of " + name
	case 1:
		lsptest.WriteFile(h.t, path+".tmp", text)
		if err := os.Rename(path+".tmp", path); err != nil {
			h.t.Fatal(err)
		}
		return "another file with the text of " + name
	case 2:
		h.remove(path)
		h.others("another agent")
		lsptest.WriteFile(h.t, path, text)
		return "delete " + name + ", another session asks, and it comes back"
	default:
		h.remove(path)
		h.others("another agent")
		did, c := h.drawn()
		c.Write(h.t, h.Folder)
		if !h.Exists(name) {
			lsptest.WriteFile(h.t, path, text)
		}
		return "delete " + name + ", another session asks, and it comes back with: " + did
	}
}

func (h *history) remove(path string) {
	h.t.Helper()
	if err := os.Remove(path); err != nil {
		h.t.Fatal(err)
	}
}
