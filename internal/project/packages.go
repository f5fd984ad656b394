package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// An NPMPackage is a package installed in a node_modules folder or as an SDK of Yarn, or only listed in a package.json.
type NPMPackage struct {
	Version string
	// Dir is its folder, with symbolic links resolved; "" if it is not installed.
	Dir string
	// Owner is the folder with the node_modules that contains it, or with the package.json that
	// lists it.
	Owner string
}

// Major returns the major version, 0 if it is unknown.
func (p NPMPackage) Major() int { return numbers(p.Version)[0] }

// Packages finds npm packages. It reads each folder only once, so a question that needs current
// data needs a new Packages. It is not safe for concurrent use.
type Packages struct {
	root    string
	holds   map[string]bool // folders with a node_modules
	has     map[inFolder]NPMPackage
	asksFor map[inFolder]string
}

// inFolder is a package name with a folder that may contain or list that package.
type inFolder struct{ folder, name string }

// NewPackages returns a Packages that has not read anything yet. It looks at no folder above root.
func NewPackages(root string) *Packages {
	return &Packages{root: root, holds: make(map[string]bool), has: make(map[inFolder]NPMPackage), asksFor: make(map[inFolder]string)}
}

// Find returns the package that code in dir imports by a name: the one in the nearest node_modules
// up to the root, else the version listed in the nearest package.json. ok is false if no folder
// contains or lists it.
func (p *Packages) Find(dir, name string) (found NPMPackage, ok bool) {
	folders := upTo(dir, p.root)
	for _, folder := range folders {
		if has := p.installed(inFolder{folder, name}); has.Version != "" {
			return has, true
		}
	}
	for _, folder := range folders {
		at := inFolder{folder, name}
		version, known := p.asksFor[at]
		if !known {
			version = asked(filepath.Join(folder, language.PackageJSON), name)
			p.asksFor[at] = version
		}
		if version != "" {
			return NPMPackage{Version: version, Owner: folder}, true
		}
	}
	return NPMPackage{}, false
}

// installed returns the package in the node_modules of a folder, the zero value if it is not there.
func (p *Packages) installed(at inFolder) NPMPackage {
	has, known := p.has[at]
	if known {
		return has
	}
	modules := filepath.Join(at.folder, language.NodeFolder)
	holds, known := p.holds[at.folder]
	if !known {
		_, err := os.Stat(modules)
		holds = err == nil
		p.holds[at.folder] = holds
	}
	if holds {
		if found, ok := Installed(filepath.Join(modules, at.name)); ok {
			has, has.Owner = found, at.folder
		}
	}
	if has.Version == "" {
		if sdk, ok := yarnSDK(at); ok {
			has, has.Owner = sdk, at.folder
		}
	}
	p.has[at] = has
	return has
}

// yarnSDK returns the package as Yarn gives it to editors where packages are in no folder.
func yarnSDK(at inFolder) (p NPMPackage, found bool) {
	for _, name := range language.PlugAndPlay {
		if _, err := os.Stat(filepath.Join(at.folder, name)); err == nil {
			return Installed(filepath.Join(at.folder, filepath.FromSlash(language.YarnSDKs), at.name))
		}
	}
	return p, false
}

// Installed reads the package in dir, the package's own folder. found is false if dir has no
// readable package.json.
func Installed(dir string) (p NPMPackage, found bool) {
	dir, err := fspath.Real(dir)
	if err != nil {
		return p, false
	}
	content, err := fspath.Read(filepath.Join(dir, language.PackageJSON))
	if err != nil {
		return p, false
	}
	var manifest struct{ Version string }
	if json.Unmarshal(content, &manifest) != nil || manifest.Version == "" {
		return p, false
	}
	return NPMPackage{Version: manifest.Version, Dir: dir}, true
}

// firstVersion matches the lowest version in the usual kinds of version ranges.
var firstVersion = lazyregexp.New(`^[\^~>=v ]*(\d+(?:\.\d+){0,2})`)

// asked returns the version of a package that a package.json asks for, "" if it does not list the
// package.
func asked(path, name string) string {
	content, err := fspath.Read(path)
	if err != nil {
		return ""
	}
	var manifest struct {
		Dependencies    map[string]string
		DevDependencies map[string]string `json:"devDependencies"`
	}
	if json.Unmarshal(content, &manifest) != nil {
		return ""
	}
	for _, list := range []map[string]string{manifest.DevDependencies, manifest.Dependencies} {
		if match := firstVersion.FindStringSubmatch(list[name]); match != nil {
			return match[1]
		}
	}
	return ""
}

// Nearest returns the package whose version is nearest to version. If two are equally near, it
// returns the newer one. found is false if have is empty.
func Nearest(version string, have []NPMPackage) (nearest NPMPackage, found bool) {
	for _, p := range have {
		if !found || nearer(numbers(version), numbers(p.Version), numbers(nearest.Version)) {
			nearest, found = p, true
		}
	}
	return nearest, found
}

// nearer reports whether a is nearer to want than b.
func nearer(want, a, b [3]int) bool {
	for i := range want {
		left, right := abs(a[i]-want[i]), abs(b[i]-want[i])
		if left != right {
			return left < right
		}
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }

// numbers returns the major, minor and patch number of a version, 0 for each that is missing.
func numbers(version string) (n [3]int) {
	version, _, _ = strings.Cut(version, "-")
	for i, part := range strings.SplitN(version, ".", 3) {
		n[i], _ = strconv.Atoi(part)
	}
	return n
}

// upTo returns the folders from dir up to root, nearest first.
func upTo(dir, root string) (folders []string) {
	for {
		folders = append(folders, dir)
		if dir == root || dir == filepath.Dir(dir) {
			return folders
		}
		dir = filepath.Dir(dir)
	}
}
