package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// libraries are, by the name of a manifest, how to find the folders from which its project takes code that is not its own.
var libraries = map[string]func(manifest string) []string{
	language.PackageJSON: nodeLibraries,
	language.GoMod:       goLibraries,
	language.GoWork:      goLibraries,
	language.CargoTOML:   cargoLibraries,
}

// NamesLibraries reports whether a file of this name may name libraries.
func NamesLibraries(name string) bool { return libraries[name] != nil }

// Libraries returns the folders from which the project of a manifest takes code that is not its own, those that are most
// likely to change first: installed packages of npm, and what others name by a path. Symbolic links are resolved.
func Libraries(manifest string) (folders []string) {
	find := libraries[filepath.Base(manifest)]
	if find == nil {
		return nil
	}
	for _, folder := range find(manifest) {
		if real, err := fspath.Real(folder); err == nil && !slices.Contains(folders, real) {
			folders = append(folders, real)
		}
	}
	return folders
}

// nodeLibraries returns what is in the node_modules beside a package.json: what no package manager put there but a generator (its
// name begins with a dot, as that of no package may), then the packages that are asked for, then all others.
func nodeLibraries(manifest string) (folders []string) {
	modules := filepath.Join(filepath.Dir(manifest), language.NodeFolder)
	installed := packagesIn(modules)
	content, _ := fspath.Read(manifest) // one that cannot be read asks for nothing
	var asks struct {
		Dependencies, DevDependencies, PeerDependencies, OptionalDependencies map[string]string
	}
	_ = json.Unmarshal(content, &asks)
	isAsked := func(folder string) bool {
		name, _ := filepath.Rel(modules, folder)
		name = filepath.ToSlash(name)
		return asks.Dependencies[name] != "" || asks.DevDependencies[name] != "" || asks.PeerDependencies[name] != "" || asks.OptionalDependencies[name] != ""
	}
	folders = generatedIn(modules)
	for _, folder := range installed { // pnpm keeps each package in a node_modules of its own
		real, err := fspath.Real(folder)
		if err != nil || real == folder || !isAsked(folder) {
			continue
		}
		own := filepath.Dir(real)
		if strings.HasPrefix(filepath.Base(own), "@") {
			own = filepath.Dir(own)
		}
		if filepath.Base(own) == language.NodeFolder {
			folders = append(folders, generatedIn(own)...)
		}
	}
	for _, asked := range []bool{true, false} {
		for _, folder := range installed {
			if isAsked(folder) == asked {
				folders = append(folders, folder)
			}
		}
	}
	return folders
}

// packagesIn returns the folders of the packages in a node_modules.
func packagesIn(modules string) (folders []string) {
	entries, _ := os.ReadDir(modules) // what cannot be read has none
	for _, e := range entries {
		switch path := filepath.Join(modules, e.Name()); {
		case strings.HasPrefix(e.Name(), "."):
		case strings.HasPrefix(e.Name(), "@"):
			scoped, _ := os.ReadDir(path)
			for _, e := range scoped {
				folders = append(folders, filepath.Join(path, e.Name()))
			}
		default:
			folders = append(folders, path)
		}
	}
	return folders
}

// ofPackageManagers begin the names of the folders in a node_modules that package managers and build tools use themselves.
var ofPackageManagers = []string{".bin", ".cache", ".pnpm", ".store", ".yarn", ".package", ".staging", ".vite", ".bun", ".modules"}

// generatedIn returns the folders in a node_modules that generators made.
func generatedIn(modules string) (folders []string) {
	entries, _ := os.ReadDir(modules)
	for _, e := range entries {
		own := func(prefix string) bool { return strings.HasPrefix(e.Name(), prefix) }
		if strings.HasPrefix(e.Name(), ".") && e.IsDir() && !slices.ContainsFunc(ofPackageManagers, own) {
			folders = append(folders, filepath.Join(modules, e.Name()))
		}
	}
	return folders
}

// goLibraries returns the folders that replace modules, and the modules that a workspace uses.
func goLibraries(manifest string) (folders []string) {
	content, err := fspath.Read(manifest)
	if err != nil {
		return nil
	}
	var replaced []*modfile.Replace
	if filepath.Base(manifest) == language.GoWork {
		file, err := modfile.ParseWork(manifest, content, nil)
		if err != nil {
			return nil
		}
		replaced = file.Replace
		for _, use := range file.Use {
			folders = append(folders, at(manifest, use.Path))
		}
	} else if file, err := modfile.Parse(manifest, content, nil); err == nil {
		replaced = file.Replace
	}
	for _, r := range replaced {
		if modfile.IsDirectoryPath(r.New.Path) {
			folders = append(folders, at(manifest, r.New.Path))
		}
	}
	return folders
}

var cargoPath = lazyregexp.New(`(?m)\bpath\s*=\s*["']([^"'\n]+)["']`)

// cargoLibraries returns the folders of the crates that a Cargo.toml names by a path.
func cargoLibraries(manifest string) (folders []string) {
	content, _ := fspath.Read(manifest) // one that cannot be read names none
	for _, match := range cargoPath.FindAllStringSubmatch(string(content), -1) {
		folder := at(manifest, match[1])
		if _, err := os.Stat(filepath.Join(folder, language.CargoTOML)); err == nil {
			folders = append(folders, folder)
		}
	}
	return folders
}

// at returns the path that a file names.
func at(manifest, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(manifest), name)
}
