package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// An NPMPackage is a package that is installed in a node_modules folder, or that a
// package.json asks for.
type NPMPackage struct {
	Version string
	// Dir is its folder, links resolved; "" if it is not installed.
	Dir string
	// Owner is the folder that has it in its node_modules, or whose package.json asks
	// for it.
	Owner string
}

// Major returns the major version, 0 if it is not known.
func (p NPMPackage) Major() int { return numbers(p.Version)[0] }

// FindPackage returns the version of a package that counts in a folder: that of the
// nearest node_modules up to the root, else the one that the nearest package.json asks
// for. Found is false if no folder says.
func FindPackage(dir, root, name string) (p NPMPackage, found bool) {
	for _, folder := range upTo(dir, root) {
		if p, found = Installed(filepath.Join(folder, "node_modules", name)); found {
			p.Owner = folder
			return p, true
		}
	}
	for _, folder := range upTo(dir, root) {
		if version := asked(filepath.Join(folder, "package.json"), name); version != "" {
			return NPMPackage{Version: version, Owner: folder}, true
		}
	}
	return NPMPackage{}, false
}

// Installed returns the package in a folder.
func Installed(dir string) (p NPMPackage, found bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return p, false
	}
	content, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return p, false
	}
	var manifest struct{ Version string }
	if json.Unmarshal(content, &manifest) != nil || manifest.Version == "" {
		return p, false
	}
	return NPMPackage{Version: manifest.Version, Dir: dir}, true
}

// firstVersion finds the lowest version of most ranges.
var firstVersion = regexp.MustCompile(`^[\^~>=v ]*(\d+(?:\.\d+){0,2})`)

// asked returns the version of a package that a package.json asks for, "" for none.
func asked(path, name string) string {
	content, err := os.ReadFile(path)
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

// Nearest returns the one of some packages whose version is nearest to a version; of two
// that are as near, the newer.
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

// numbers returns major, minor and patch of a version, 0 for what it does not say.
func numbers(version string) (n [3]int) {
	version, _, _ = strings.Cut(version, "-")
	for i, part := range strings.SplitN(version, ".", 3) {
		n[i], _ = strconv.Atoi(part)
	}
	return n
}

// upTo returns the folders from dir up to root, the nearest first.
func upTo(dir, root string) (folders []string) {
	for {
		folders = append(folders, dir)
		if dir == root || dir == filepath.Dir(dir) {
			return folders
		}
		dir = filepath.Dir(dir)
	}
}
