package roots

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// Passed says why a server is not asked about a file of a kind that it knows.
type Passed string

const (
	// Asked: it is, if it can be had.
	Asked Passed = ""
	// NotNamed: it is only for those who name it in the configuration.
	NotNamed Passed = "opt-in"
	// OutOfScope: the configuration gives it a scope that the file is not in.
	OutOfScope Passed = "out-of-scope"
	// Excluded: a marker rules it out.
	Excluded Passed = "excluded"
	// Unconfigured: it lacks a marker that it requires.
	Unconfigured Passed = "unconfigured"
	// Replaced: another server of its group is asked, or would be before it.
	Replaced Passed = "replaced"
)

// An Examination is all that there is to tell of one server and one file, even if the server is
// not asked about it.
type Examination struct {
	Candidate
	Passed Passed
	// By is the marker that excludes it, relative to the root, or the id of the
	// server that replaces it; "" if none of its group can be had.
	By string
	// Searched are its commands as far as they were looked for, the one that is
	// used last. Nobody looks for those of a peer.
	Searched []Search
}

// A Search is the result of looking for one program.
type Search struct {
	Command registry.Command
	// Path is where it was found, "" if it was not.
	Path string
	// Obstacle says why it is not used, "" if it is.
	Obstacle string
}

// Examine looks at every server that knows the kind of the file at a resolved
// path, in the order of preference. Empty: none does.
func (f *Finder) Examine(path string) []Examination {
	detection := f.Detection()
	levels := detection.levels(filepath.Dir(path))
	asked := make(map[Key]bool)
	replacements := make(map[string]string) // ids by group
	for _, c := range f.Candidates(path) {
		asked[c.Key()] = true
		if c.Unavailable == nil {
			replacements[c.Definition.Group] = c.Definition.ID
		}
	}
	var all []Examination
	for _, d := range f.knowing(path) {
		x := Examination{Searched: f.search(d)}
		x.Candidate, _ = f.candidate(d, levels)
		detection.equip(&x.Candidate, filepath.Dir(path))
		if root, marker, found := find(levels, d.Excludes); found {
			x.Passed, x.By = Excluded, fspath.Relative(f.opts.Root, filepath.Join(root, marker))
		} else if _, _, found := find(levels, d.Requires); !found && len(d.Requires) > 0 {
			x.Passed = Unconfigured
		} else if d.OptIn {
			x.Passed = NotNamed
		} else if !f.Within(&d, path) {
			x.Passed = OutOfScope
		} else if !asked[x.Key()] {
			x.Passed, x.By = Replaced, replacements[d.Group]
		}
		all = append(all, x)
	}
	return all
}

// knowing returns the definitions that know the kind of a file: those that may be
// asked in the order of preference, then those that must be named first.
func (f *Finder) knowing(path string) []registry.Definition {
	var list []registry.Definition
	for _, d := range f.index.Serving(path) {
		list = append(list, *d)
	}
	for _, d := range f.opts.Servers {
		if _, knows := d.LanguageID(path); knows && d.OptIn {
			list = append(list, d)
		}
	}
	return list
}

// search looks for the commands of a server, until one can be used.
func (f *Finder) search(d registry.Definition) []Search {
	var all []Search
	if d.Connect != "" {
		return nil
	}
	for _, c := range d.Commands {
		places := f.places(c.Binary)
		if len(places) == 0 {
			_, err := f.opts.LookPath(c.Binary)
			all = append(all, Search{Command: c, Obstacle: f.unfound(c.Binary, err)})
		}
		for _, p := range places {
			s := Search{Command: c, Path: p.path, Obstacle: cmp.Or(misfit(p.path, c.Package), f.lacks(p))}
			if all = append(all, s); s.Obstacle == "" {
				return all
			}
		}
	}
	return all
}

// unfound says why a binary cannot be had.
func (f *Finder) unfound(binary string, err error) string {
	if strings.ContainsAny(binary, `/\`) {
		_, missing := os.Stat(binary)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(missing, fs.ErrNotExist):
			return binary + " does not exist"
		case errors.Is(err, fs.ErrPermission), errors.Is(err, exec.ErrNotFound): // on Windows by its ending
			return binary + " may not be executed"
		}
		return err.Error()
	}
	if path := f.foreign.skips(binary); path != "" {
		return liesHere(path)
	}
	for _, dir := range f.SearchPath() {
		if info, err := os.Stat(filepath.Join(dir, binary)); err == nil && info.Mode().IsRegular() {
			return filepath.Join(dir, binary) + " may not be executed"
		}
	}
	return binary + " not found in PATH"
}

// SearchPath returns the folders in which binaries are looked for.
func (f *Finder) SearchPath() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// FirstRunnable returns the first of some command lines whose program is
// installed, else the first of all; "" for none. A page to look at is no command: a
// program called see may be there, and open a browser.
func (f *Finder) FirstRunnable(lines []string) string {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "see ") })
	for _, line := range lines {
		if program, _, _ := strings.Cut(line, " "); program == "lspine" { // we
			return line
		} else if program != "" {
			if _, err := f.opts.LookPath(program); err == nil {
				return line
			}
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// Above returns the nearest folder above the root that holds one of the markers,
// "" if none does. Globs are not looked for.
func (f *Finder) Above(markers []string) (folder, marker string) {
	for dir := filepath.Dir(f.opts.Root); ; dir = filepath.Dir(dir) {
		for _, m := range markers {
			if info, err := os.Stat(filepath.Join(dir, m)); err == nil && info.Mode().IsRegular() {
				return dir, m
			}
		}
		if dir == filepath.Dir(dir) {
			return "", ""
		}
	}
}

// PackageVersion returns name and version of what a binary was built from: of the
// npm package around it, or of its Go module; "" where neither tells.
func PackageVersion(binary string) (name, version string) {
	resolved, err := fspath.Program(binary)
	if err != nil {
		return "", ""
	}
	for dir := filepath.Dir(resolved); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		data, err := fspath.Read(filepath.Join(dir, language.PackageJSON))
		if err != nil {
			continue
		}
		var manifest struct{ Name, Version string }
		if json.Unmarshal(data, &manifest) == nil && manifest.Name != "" {
			return manifest.Name, manifest.Version
		}
		return "", ""
	}
	if info, err := buildinfo.ReadFile(resolved); err == nil && strings.HasPrefix(info.Main.Version, "v") {
		return info.Path, info.Main.Version
	}
	return "", ""
}
