package roots

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// A place is where a program of a server is.
type place struct {
	path string
	// local says that it is the workspace's own.
	local bool
	// runs are the programs on PATH that it needs to run.
	runs []string
}

// localFolders are where projects keep programs of their own, below the workspace root.
var localFolders = []string{"node_modules/.bin", ".venv/bin", ".venv/Scripts", "vendor/bin"}

// places returns where a program is, the one that comes first before the others: the version
// that the project brings, if it may run; the one on PATH, which is what its owner chose for this
// shell; the one that was installed for us. A path is where it says.
func (f *Finder) places(program string) (found []place) {
	add := func(p place) {
		path, err := f.opts.LookPath(p.path)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err == nil && !slices.ContainsFunc(found, func(other place) bool { return other.path == path }) {
			p.path = path
			found = append(found, p)
		}
	}
	if strings.ContainsAny(program, `/\`) {
		add(place{path: program})
		return found
	}
	if f.opts.Trusted {
		for _, folder := range localFolders {
			path := filepath.Join(f.opts.Root, filepath.FromSlash(folder), program)
			if path, err := exec.LookPath(path); err == nil {
				found = append(found, place{path: path, local: true})
			}
		}
	}
	add(place{path: program})
	if path, runs := f.opts.Installed.Find(program); path != "" {
		found = append(found, place{path: path, runs: runs})
	}
	return found
}

// lacks says which program is missing that one in a place runs with, "" if none is.
func (f *Finder) lacks(p place) string {
	for _, program := range p.runs {
		if _, err := f.opts.LookPath(program); err != nil {
			return p.path + " needs " + program + ", which is not found in PATH"
		}
	}
	return ""
}

// justInstalled reports whether a program of a server that was not there can be run now.
func (f *Finder) justInstalled(d *registry.Definition) bool {
	return slices.ContainsFunc(d.Commands, func(c registry.Command) bool {
		path, runs := f.opts.Installed.Find(c.Binary)
		return path != "" && misfit(path, c.Package) == "" && f.lacks(place{path: path, runs: runs}) == ""
	})
}

// misfit says why the binary at path does not belong to the package wanted, or
// "". It reads the nearest package.json above the resolved binary.
func misfit(path string, want *registry.Package) string {
	if want == nil {
		return ""
	}
	resolved, err := fspath.Program(path)
	if err != nil {
		return err.Error()
	}
	for dir := filepath.Dir(resolved); ; dir = filepath.Dir(dir) {
		data, err := fspath.Read(filepath.Join(dir, language.PackageJSON))
		if err == nil {
			return misfitPackage(path, data, want)
		}
		if dir == filepath.Dir(dir) {
			return fmt.Sprintf("%s is not part of the npm package %s", path, want.Name)
		}
	}
}

func misfitPackage(path string, data []byte, want *registry.Package) string {
	var manifest struct {
		Name, Version string
	}
	if err := json.Unmarshal(data, &manifest); err != nil || manifest.Name != want.Name {
		return fmt.Sprintf("%s is not part of the npm package %s", path, want.Name)
	}
	first, _, _ := strings.Cut(manifest.Version, ".")
	major, err := strconv.Atoi(first)
	if err != nil || major < want.MinMajor || want.MaxMajor > 0 && major > want.MaxMajor {
		return fmt.Sprintf("%s is %s %s, and version %s is needed", path, manifest.Name, manifest.Version, wantedVersions(want))
	}
	return ""
}

func wantedVersions(want *registry.Package) string {
	if want.MaxMajor > 0 {
		return fmt.Sprintf("%d to %d", want.MinMajor, want.MaxMajor)
	}
	return fmt.Sprintf("%d or later", want.MinMajor)
}
