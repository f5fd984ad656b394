package roots

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// packageIn is a question for the version of a package that counts in a folder.
type packageIn struct{ folder, name string }

// pack returns the version of a package that counts in a folder, zero if none does.
func (d *Detection) pack(folder, name string) project.NPMPackage {
	q := packageIn{folder, name}
	p, known := d.packages[q]
	if !known {
		p, _ = d.installed.Find(folder, name)
		d.packages[q] = p
	}
	return p
}

// preferred moves those of a group that are made for the project's version before the
// others of the group.
func (d *Detection) preferred(list []*registry.Definition, folder string) []*registry.Definition {
	fits := func(x *registry.Definition) bool {
		if x.Judges == nil {
			return false
		}
		p := d.pack(folder, x.Judges.Name)
		return p.Version != "" && x.Judges.Fits(p.Major())
	}
	first := slices.IndexFunc(list, func(x *registry.Definition) bool { return x.Judges != nil })
	if first < 0 || !slices.ContainsFunc(list[first:], fits) {
		return list
	}
	// Those before the first stay where they are: they are for other projects.
	list = slices.Clone(list)
	slices.SortStableFunc(list[first:], func(a, b *registry.Definition) int {
		if a.Group != b.Group || fits(a) == fits(b) {
			return 0
		}
		if fits(a) {
			return -1
		}
		return 1
	})
	return list
}

// equip finds the library that a candidate judges with, or what else says its version.
func (d *Detection) equip(c *Candidate, folder string) {
	f, definition := d.finder, &c.Definition
	if definition.Judges == nil || definition.Connect != "" {
		return
	}
	name := definition.Judges.Name
	c.Wanted = d.pack(folder, name)
	if c.Unavailable != nil {
		return
	}
	library := definition.Library
	if library == nil {
		c.Used = f.packageOf(c.Binary)
		return
	}
	// One process judges all projects, each run and whichever file comes first with the
	// same version: that of the workspace, if it has one.
	wanted := c.Wanted
	if base := d.pack(f.opts.Root, name); c.Home == f.opts.Root && base.Version != "" {
		wanted = base
	}
	if f.opts.Trusted && wanted.Dir != "" && definition.Judges.Fits(wanted.Major()) && has(wanted.Dir, library.File) {
		c.Used = wanted
		return
	}
	have := f.installed(c.Binary, library)
	if own := ownLibrary(c.Binary, library); wanted.Version == "" && own.Dir != "" {
		have = []project.NPMPackage{own}
	}
	var found bool
	if c.Used, found = project.Nearest(cmp.Or(wanted.Version, "9999"), have); !found && !f.opts.Trusted && wanted.Dir != "" && has(wanted.Dir, library.File) {
		// Left alone, it would take that of the project.
		c.Unavailable = &UnavailableError{
			definition.ID, Unavailable, "no " + name + " is installed that it could judge with (the project's own runs only in a trusted workspace)",
			[]string{"npm install --global " + name + "@" + strconv.Itoa(cmp.Or(definition.Judges.MaxMajor, wanted.Major()))},
		}
	}
}

// Deviation says that the file is judged by another version than its project has, and what to do
// about it; "" if it is not.
func (c *Candidate) Deviation() string {
	if c.Unavailable != nil || c.Wanted.Version == "" || c.Used.Version == "" || c.Wanted.Version == c.Used.Version {
		return ""
	}
	name := c.Definition.Judges.Name
	if c.Wanted.Dir == "" && c.Wanted.Major() == c.Used.Major() {
		return "" // a range, which others may fit as well
	}
	note := fmt.Sprintf("%s judges with %s %s; the project has %s", c.Definition.ID, name, c.Used.Version, c.Wanted.Version)
	if c.Wanted.Dir != "" && c.Definition.Library != nil && c.Definition.Judges.Fits(c.Wanted.Major()) {
		return note + `, which runs where "trustedRoots" of your own configuration names the folder`
	}
	return note
}

// packageOf returns the package that a binary is part of. It is kept as long as where the
// binary is.
func (f *Finder) packageOf(binary string) (p project.NPMPackage) {
	now := f.opts.Now()
	f.mu.Lock()
	known, ok := f.libraries[binary]
	f.mu.Unlock()
	if ok && now.Sub(known.at) < remembered {
		return known.found[0]
	}
	p = packageOf(binary)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.libraries[binary] = libraries{[]project.NPMPackage{p}, now}
	return p
}

func packageOf(binary string) project.NPMPackage {
	resolved, err := fspath.Program(binary)
	if err != nil {
		return project.NPMPackage{}
	}
	for dir := filepath.Dir(resolved); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if p, found := project.Installed(dir); found {
			return p
		}
	}
	return project.NPMPackage{}
}

// has reports whether a library has the file that makes it one.
func has(dir, file string) bool {
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file)))
	return err == nil && info.Mode().IsRegular()
}

// installed returns the versions of a library that lie beside a server's binary, or beside
// a program that is known to come with one.
func (f *Finder) installed(binary string, l *registry.Library) []project.NPMPackage {
	key := binary + "\x00" + l.Package
	now := f.opts.Now()
	f.mu.Lock()
	known, ok := f.libraries[key]
	f.mu.Unlock()
	if ok && now.Sub(known.at) < remembered {
		return known.found
	}
	known = libraries{at: now}
	binaries := []string{binary}
	for _, d := range f.opts.Servers {
		if d.Judges == nil || d.Judges.Name != l.Package {
			continue
		}
		for _, c := range d.Commands {
			binaries = append(binaries, c.Binary)
		}
	}
	for _, name := range binaries {
		for _, place := range f.places(name) {
			for _, p := range librariesBeside(place.path, l) {
				if !place.local && !slices.Contains(known.found, p) {
					known.found = append(known.found, p)
				}
			}
		}
	}
	f.mu.Lock()
	f.libraries[key] = known
	f.mu.Unlock()
	return known.found
}

// ownLibrary returns the one that a server finds by itself.
func ownLibrary(binary string, l *registry.Library) project.NPMPackage {
	if beside := librariesBeside(binary, l); len(beside) > 0 {
		return beside[0]
	}
	return project.NPMPackage{}
}

// librariesBeside returns the versions that a program would find, the nearest first.
func librariesBeside(binary string, l *registry.Library) (found []project.NPMPackage) {
	resolved, err := fspath.Program(binary)
	if err != nil {
		return nil
	}
	for dir := filepath.Dir(resolved); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, place := range []string{dir, filepath.Join(dir, language.NodeFolder, l.Package)} {
			if filepath.Base(place) != l.Package {
				continue
			}
			if p, ok := project.Installed(place); ok && has(p.Dir, l.File) && !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
	}
	return found
}

// filtered returns a definition with what its server leaves out of Eclipse's projects in folders.
func filtered(d registry.Definition, folders []string) registry.Definition {
	placeholder := []byte(`"` + registry.EclipseFilters + `"`)
	if !bytes.Contains(d.Settings, placeholder) && !bytes.Contains(d.InitializationOptions, placeholder) {
		return d
	}
	filters, err := json.Marshal(project.EclipseFilters(folders))
	if err != nil { // strings are never refused
		return d
	}
	d.InitializationOptions = bytes.ReplaceAll(d.InitializationOptions, placeholder, filters)
	d.Settings = bytes.ReplaceAll(d.Settings, placeholder, filters)
	return d
}

// equipped returns the definition of a candidate with the library that it judges with.
func (f *Finder) equipped(c Candidate) registry.Definition {
	d := c.Definition
	if d.Library == nil || c.Used.Dir == "" {
		return d
	}
	folder, err := json.Marshal(filepath.Dir(filepath.Join(c.Used.Dir, filepath.FromSlash(d.Library.File))))
	if err != nil { // a path is never refused
		return d
	}
	endings, plugins := f.pluginsOf(&c)
	fill := func(template, over json.RawMessage) json.RawMessage {
		if template == nil {
			return over
		}
		template = bytes.ReplaceAll(template, []byte(`"`+registry.LibraryFolder+`"`), folder)
		return registry.Merged(bytes.ReplaceAll(template, []byte(`"`+registry.LibraryPlugins+`"`), plugins), over)
	}
	d.InitializationOptions = fill(d.Library.Options, d.InitializationOptions)
	d.Settings = fill(d.Library.Settings, d.Settings)
	d.Reads = slices.Concat(d.Reads, endings)
	return d
}
