package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Holding says what a folder holds for those who look for changes of a project's files.
type Holding int

const (
	// HoldsFiles: files that a server may read.
	HoldsFiles Holding = iota
	// HoldsScratch: what a tool keeps for itself alone. No server reads a file there.
	HoldsScratch
	// HoldsPackages: installed packages. Servers of their language read them, no others do.
	HoldsPackages
)

// scratch are the names of folders that only the tools that make them use, wherever they are.
var scratch = []string{
	".hg", ".svn", ".jj",
	"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", "htmlcov",
	".turbo", ".parcel-cache", ".pnpm-store", ".nyc_output", "lcov-report",
}

// scratchBeside are folders that only the tool uses that makes them and all of the signs beside them. What cargo makes is in a folder
// for each profile, which has all of its signs from the beginning: fingerprints, libraries and the compiler's own files. Sources that
// build scripts write are in "build", which is not among them.
var scratchBeside = []struct{ signs, names []string }{
	{[]string{".fingerprint", "build", "deps", "examples"}, []string{".fingerprint", "deps", "incremental", "examples"}},
	{[]string{".rustc_info.json"}, []string{"doc", "package"}},
	{[]string{"conda-meta"}, []string{"conda-meta", "pkgs"}},
}

// cacheIn are folders of tools that have a folder "cache" for themselves.
var cacheIn = []string{".next", ".nx", ".angular", ".yarn"}

// environmentSigns are what is in the folder of a Python environment.
var environmentSigns = []string{"pyvenv.cfg", "conda-meta"}

// Holds reports what the folder of that name in dir holds. beside reports whether dir has a file or folder of a name. Whether git
// ignores the folder does not matter: generated sources that a project uses often are ignored.
func Holds(dir, name string, beside func(name string) bool) Holding {
	switch {
	case slices.Contains(scratch, name), name == "cache" && slices.Contains(cacheIn, filepath.Base(dir)):
		return HoldsScratch
	case isPackageFolder(dir, name):
		return HoldsPackages
	}
	isMissing := func(sign string) bool { return !beside(sign) }
	for _, s := range scratchBeside {
		if slices.Contains(s.names, name) && !slices.ContainsFunc(s.signs, isMissing) {
			return HoldsScratch
		}
	}
	return HoldsFiles
}

// HoldsNow is Holds for a folder on disk.
func HoldsNow(folder string) Holding {
	dir := filepath.Dir(folder)
	return Holds(dir, filepath.Base(folder), func(name string) bool { return isThere(filepath.Join(dir, name)) })
}

// isPackageFolder reports whether the folder of that name in dir is where a Python environment has its packages.
func isPackageFolder(dir, name string) bool {
	switch filepath.Base(dir) {
	case "lib", "lib64", "Lib":
	default:
		return false
	}
	if name != "site-packages" && !strings.HasPrefix(name, "python3") && !strings.HasPrefix(name, "pypy3") {
		return false
	}
	return IsEnvironment(filepath.Dir(dir))
}

// IsEnvironment reports whether a folder is a Python environment.
func IsEnvironment(folder string) bool {
	return slices.ContainsFunc(environmentSigns, func(sign string) bool { return isThere(filepath.Join(folder, sign)) })
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
