package setup

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// lacksPackages returns a lack if a package.json in the folder of a script or in a parent folder
// lists packages that are in no node_modules folder there.
func (s *Setup) lacksPackages(d *registry.Definition, path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	if home, _ := firstWith(dirs, language.PlugAndPlay...); home != "" {
		return s.lacksSDK(d, path, home, names)
	}
	declared, home := declaredPackages(dirs)
	absent := make(map[string]bool)
	for name := range declared {
		if !installed(filepath.Dir(path), name) {
			absent[name] = true
		}
	}
	if len(absent) == 0 {
		return lack
	}
	folder, _ := firstWith(dirs, language.NodeFolder)
	for _, name := range names {
		switch wanted := packageOf(name); {
		case absent[wanted], strings.HasPrefix(wanted, "@types/") && (folder == "" || typesAbsent(absent)):
			lack.Names = append(lack.Names, name)
		case folder == "" && !declared[wanted] && wanted != "":
			lack.Names = append(lack.Names, name) // it may be a dependency of another package
		}
	}
	lack.Missing = "there is no node_modules in or above " + s.whereabouts(home)
	if folder != "" {
		all := slices.Sorted(maps.Keys(absent))
		lack.Missing = "package.json names packages that node_modules lacks: " + workspace.FirstOf(all)
	}
	lack.Next = s.Within(home, packageManager(dirs))
	return lack
}

// lacksSDK returns a lack if the packages of a project are in no folder, because Yarn's Plug'n'Play keeps them in archives, and the
// server does not run the project's own SDK: without that, it finds none of them.
func (s *Setup) lacksSDK(d *registry.Definition, path, home string, names []string) (lack diagnostics.Lack) {
	for _, c := range s.workspace.Candidates(path) {
		if c.Definition.ID == d.ID && c.Used.Dir != "" && fspath.Below(filepath.Join(home, filepath.FromSlash(language.YarnSDKs)), c.Used.Dir) {
			return lack
		}
	}
	declared, _ := declaredPackages(upwards(path, s.workspace.Root()))
	for _, name := range names {
		wanted := packageOf(name)
		if types := "@types/" + strings.ReplaceAll(strings.TrimPrefix(wanted, "@"), "/", "__"); wanted != "" && (declared[wanted] || declared[types]) {
			lack.Names = append(lack.Names, name)
		}
	}
	kept := "Yarn's Plug'n'Play keeps the packages of " + s.whereabouts(home) + " in archives, where "
	switch {
	case d.Library == nil:
		lack.Missing = kept + d.ID + " does not find them"
		lack.Next = s.Within(home, "yarn config set nodeLinker node-modules && yarn install")
	case !exists(filepath.Join(home, filepath.FromSlash(language.YarnSDKs), d.Library.Package)):
		lack.Missing = kept + d.ID + " finds them only with the project's SDK (" + language.YarnSDKs + "/" + d.Library.Package + ")"
		lack.Next = s.Within(home, "yarn dlx @yarnpkg/sdks base")
	default:
		lack.Missing = kept + d.ID + " finds them only with the project's SDK (" + language.YarnSDKs + "/" + d.Library.Package +
			`), which runs where "trustedRoots" of your own configuration names the folder`
	}
	return lack
}

// declaredPackages returns the packages listed by the package.json files of the given folders, and
// the nearest folder that has a package.json.
func declaredPackages(dirs []string) (declared map[string]bool, home string) {
	declared = make(map[string]bool)
	for _, dir := range dirs {
		content, err := fspath.Read(filepath.Join(dir, language.PackageJSON))
		if err != nil {
			continue
		}
		var manifest struct{ Dependencies, DevDependencies, PeerDependencies map[string]string }
		if json.Unmarshal(content, &manifest) != nil {
			continue
		}
		if home == "" {
			home = dir
		}
		for _, list := range []map[string]string{manifest.Dependencies, manifest.DevDependencies, manifest.PeerDependencies} {
			for name := range list {
				declared[name] = true
			}
		}
	}
	return declared, home
}

// installed reports whether a package is in the node_modules folder of a folder or of one of its
// parents.
func installed(dir, name string) bool {
	for ; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, language.NodeFolder, filepath.FromSlash(name))) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// packageOf returns the npm package that a module specifier refers to, "" for a path or a path
// alias. For modules built into Node it is the package with their types.
func packageOf(specifier string) string {
	for _, prefix := range []string{".", "/", "#", "~", "@/"} {
		if strings.HasPrefix(specifier, prefix) {
			return ""
		}
	}
	if name, own := strings.CutPrefix(specifier, "node:"); own || slices.Contains(language.NodeModules, name) {
		return "@types/node"
	}
	parts := strings.SplitN(specifier, "/", 3)
	if strings.HasPrefix(specifier, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// typesAbsent reports whether one of the absent packages declares globals.
func typesAbsent(absent map[string]bool) bool {
	for name := range absent {
		if strings.HasPrefix(name, "@types/") || slices.Contains([]string{"jest", "vitest", "mocha"}, name) {
			return true
		}
	}
	return false
}

// packageManager returns the command that installs the packages of a project. The lock file decides
// which package manager it uses.
func packageManager(dirs []string) (next string) {
	for _, dir := range dirs {
		for _, w := range language.PackageManagers {
			if w.Beside != "" && exists(filepath.Join(dir, w.Beside)) {
				return w.Next
			}
		}
	}
	return language.PackageManagers[len(language.PackageManagers)-1].Next
}
