package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// lacksPackages is of packages that a package.json in or above the folder of a script
// names, and no node_modules folder there has.
func (s *Setup) lacksPackages(path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	if home, _ := firstWith(dirs, ".pnp.cjs", ".pnp.js"); home != "" {
		return lack // they are in no folder
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
	folder, _ := firstWith(dirs, "node_modules")
	for _, name := range names {
		switch wanted := packageOf(name); {
		case absent[wanted], strings.HasPrefix(wanted, "@types/") && (folder == "" || typesAbsent(absent)):
			lack.Names = append(lack.Names, name)
		case folder == "" && !declared[wanted] && wanted != "":
			lack.Names = append(lack.Names, name) // it may come with another
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

// declaredPackages returns the packages that the package.json files of some folders name,
// and the nearest folder that has one.
func declaredPackages(dirs []string) (declared map[string]bool, home string) {
	declared = make(map[string]bool)
	for _, dir := range dirs {
		content, err := os.ReadFile(filepath.Join(dir, "package.json"))
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

// installed reports whether a package is in a node_modules folder in or above a folder.
func installed(dir, name string) bool {
	for ; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "node_modules", filepath.FromSlash(name))) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// packageOf returns the package that a module specifier is of, "" if it is of none: a path,
// or an alias of one. The modules of Node itself are known by their types.
func packageOf(specifier string) string {
	for _, prefix := range []string{".", "/", "#", "~", "@/"} {
		if strings.HasPrefix(specifier, prefix) {
			return ""
		}
	}
	if name, own := strings.CutPrefix(specifier, "node:"); own || slices.Contains(nodeModules, name) {
		return "@types/node"
	}
	parts := strings.SplitN(specifier, "/", 3)
	if strings.HasPrefix(specifier, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// nodeModules are those of Node that are mostly imported without their prefix.
var nodeModules = []string{
	"assert", "buffer", "child_process", "crypto", "events", "fs", "fs/promises", "http", "https", "module", "net", "os", "path", "perf_hooks", "process",
	"querystring", "readline", "stream", "timers", "tls", "url", "util", "v8", "vm", "worker_threads", "zlib",
}

// typesAbsent reports whether one of some packages brings types of globals.
func typesAbsent(absent map[string]bool) bool {
	for name := range absent {
		if strings.HasPrefix(name, "@types/") || slices.Contains([]string{"jest", "vitest", "mocha"}, name) {
			return true
		}
	}
	return false
}

// packageManager is how the packages of a project are installed, by its lock file.
func packageManager(dirs []string) string {
	_, lock := firstWith(dirs, "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "package-lock.json")
	switch lock {
	case "pnpm-lock.yaml":
		return "pnpm install"
	case "yarn.lock":
		return "yarn install"
	case "bun.lock", "bun.lockb":
		return "bun install"
	case "package-lock.json":
		return "npm ci"
	}
	return "npm install"
}

// environments are the commands that make the environment of a Python project, by the
// file that asks for one; the first counts.
var environments = []way{
	{"uv.lock", "uv sync"},
	{"poetry.lock", "poetry install"},
	{"pdm.lock", "pdm install"},
	{"Pipfile", "pipenv install --dev"},
	{"environment.yml", "conda env create --file environment.yml"},
	{"requirements.txt", "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt"},
	{"pyproject.toml", "python3 -m venv .venv && .venv/bin/pip install -e ."},
	{"setup.py", "python3 -m venv .venv && .venv/bin/pip install -e ."},
	{"setup.cfg", "python3 -m venv .venv && .venv/bin/pip install -e ."},
}

// lacksEnvironment is of Python projects that ask for packages, and have no environment
// that would hold them. What the project has itself no environment brings.
func (s *Setup) lacksEnvironment(path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	home, next := environmentOf(dirs)
	if home == "" {
		return lack
	}
	if environment, found := s.workspace.Python(filepath.Dir(path)); found {
		absent := s.workspace.LacksPython(home, environment)
		if len(absent) == 0 {
			return lack
		}
		lack.Missing = fmt.Sprintf("the environment %s lacks packages that %s asks for: %s", s.names.Relative(environment.Dir), s.whereabouts(home), workspace.FirstOf(absent))
	} else if hasEnvironment(dirs) {
		return lack
	} else {
		lack.Missing = fmt.Sprintf("there is no environment (.venv) for the packages of %s", s.whereabouts(home))
	}
	for _, name := range names {
		top, _, _ := strings.Cut(name, ".")
		folders := append(slices.Clone(dirs), filepath.Join(home, "src"))
		if own, _ := firstWith(folders, top, top+".py", top+".pyi"); top != "" && own == "" {
			lack.Names = append(lack.Names, name)
		}
	}
	lack.Next = s.Within(home, next)
	return lack
}

// asksForPackages is what is in a file that can ask for packages, and does. Lock files
// and those of other tools always do.
var asksForPackages = map[string]*lazyregexp.Regexp{
	"requirements.txt": lazyregexp.New(`(?m)^\s*[A-Za-z0-9]`),
	"pyproject.toml":   lazyregexp.New(`(?m)^\s*[\w-]*dependencies\s*=\s*\[\s*["']|^\[(?:tool\.poetry\.[\w.-]*dependencies|dependency-groups)\]`),
	"setup.py":         lazyregexp.New(`install_requires`),
	"setup.cfg":        lazyregexp.New(`install_requires`),
}

// environmentOf returns the nearest folder with a file that asks for packages, and the
// command that makes their environment.
func environmentOf(dirs []string) (home, next string) {
	for _, dir := range dirs {
		for _, w := range environments {
			content, err := os.ReadFile(filepath.Join(dir, w.beside))
			if asks := asksForPackages[w.beside]; err == nil && (asks == nil || asks.Match(content)) {
				return dir, w.next
			}
		}
	}
	return "", ""
}

// hasEnvironment reports whether Python's packages are those of an environment.
func hasEnvironment(dirs []string) bool {
	if os.Getenv("VIRTUAL_ENV") != "" || os.Getenv("CONDA_PREFIX") != "" {
		return true
	}
	for _, dir := range dirs {
		for _, name := range []string{".venv", "venv", "env", ".env"} {
			if exists(filepath.Join(dir, name, "pyvenv.cfg")) {
				return true
			}
		}
		if exists(filepath.Join(dir, "__pypackages__")) || exists(filepath.Join(dir, ".pixi", "envs")) {
			return true
		}
	}
	return false
}

// lacksModules is of Go modules that go.mod requires and the module cache has not. One that
// the workspace itself has is not to be downloaded: something does not lead to it.
func (s *Setup) lacksModules(path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	home, _ := firstWith(dirs, "go.mod")
	if home == "" {
		return lack
	}
	content, err := os.ReadFile(filepath.Join(home, "go.mod"))
	if err != nil {
		return lack
	}
	file, err := modfile.Parse("go.mod", content, nil)
	if err != nil { // without what it replaces
		if file, err = modfile.ParseLax("go.mod", content, nil); err != nil {
			return lack
		}
	}
	if vendored, err := os.ReadFile(filepath.Join(home, "vendor", "modules.txt")); err == nil {
		lack = lacksVendored(file, vendored, filepath.Join(home, "vendor"), names)
		if lack.Missing != "" {
			lack.Next = s.Within(home, "go mod vendor")
		}
		return lack
	}
	var absent []string
	own := sync.OnceValue(s.ownModules)
	for _, r := range file.Require {
		if replaced(file, r.Mod.Path) || inModuleCache(r.Mod) || slices.Contains(own(), r.Mod.Path) {
			continue
		}
		absent = append(absent, r.Mod.Path)
		for _, name := range names {
			if name == r.Mod.Path || strings.HasPrefix(name, r.Mod.Path+"/") {
				lack.Names = append(lack.Names, name)
			}
		}
	}
	if len(absent) > 0 {
		lack.Missing = "modules that go.mod requires are not downloaded: " + workspace.FirstOf(absent)
		lack.Next = s.Within(home, "go mod download")
	}
	return lack
}

// lacksVendored is of a vendor folder that the go command would take, and that is another
// than go.mod asks for, or lacks packages that its own list has.
func lacksVendored(file *modfile.File, list []byte, folder string, names []string) (lack diagnostics.Lack) {
	if file.Go == nil || version.Compare("go"+file.Go.Version, "go1.14") < 0 || strings.Contains(os.Getenv("GOFLAGS"), "-mod=mod") {
		return lack
	}
	has := make(map[string]bool)
	var gone []string
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		if header, is := strings.CutPrefix(line, "# "); is {
			has[header] = true
			name, _, _ := strings.Cut(header, " =>") // replaced
			has[name] = true
		} else if line != "" && !strings.HasPrefix(line, "#") && !isFolder(filepath.Join(folder, filepath.FromSlash(line))) {
			gone = append(gone, line)
		}
	}
	for _, r := range file.Require {
		if !has[r.Mod.Path+" "+r.Mod.Version] && !replaced(file, r.Mod.Path) {
			lack.Missing = fmt.Sprintf("vendor/modules.txt is not of this go.mod, which requires %s %s", r.Mod.Path, r.Mod.Version)
			lack.Names = names
			return lack
		}
	}
	if len(gone) > 0 {
		lack.Missing = "vendor lacks packages that vendor/modules.txt names: " + workspace.FirstOf(gone)
		for _, name := range names {
			if slices.Contains(gone, name) {
				lack.Names = append(lack.Names, name)
			}
		}
	}
	return lack
}

// ownModules returns the paths of the modules of the workspace.
func (s *Setup) ownModules() (paths []string) {
	files, _ := s.workspace.Files(context.Background())
	for _, path := range files {
		if filepath.Base(path) != "go.mod" {
			continue
		}
		if content, err := os.ReadFile(path); err == nil {
			paths = append(paths, modfile.ModulePath(content))
		}
	}
	return paths
}

func replaced(file *modfile.File, path string) bool {
	return slices.ContainsFunc(file.Replace, func(r *modfile.Replace) bool { return r.Old.Path == path })
}

// inModuleCache reports whether a module is there to be read.
func inModuleCache(m module.Version) bool {
	path, err := module.EscapePath(m.Path)
	version, err2 := module.EscapeVersion(m.Version)
	if err != nil || err2 != nil {
		return true // then that is what is wrong
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		home := os.Getenv("GOPATH")
		if home, _, _ = strings.Cut(home, string(filepath.ListSeparator)); home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return true
			}
			home = filepath.Join(user, "go")
		}
		cache = filepath.Join(home, "pkg", "mod")
	}
	return exists(filepath.Join(cache, filepath.FromSlash(path)+"@"+version))
}

// lacksGradle is of a project of Gradle where there is no Gradle that could load it.
func (s *Setup) lacksGradle(d *registry.Definition, path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	if lack.Missing = s.workspace.LacksGradle(dirs); lack.Missing == "" {
		return lack
	}
	lack.Missing, lack.Next = "the project is not loaded: "+lack.Missing, s.loading(d, path)
	lack.Names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return s.hasPackage(dir, name) })
	})
	return lack
}

var libraryEntry = lazyregexp.New(`<classpathentry[^>]*kind="lib"[^>]*path="([^"]+)"`)

// lacksLibraries is of the libraries that the class path of an Eclipse project names.
func (s *Setup) lacksLibraries(path string, names []string) (lack diagnostics.Lack) {
	home, _ := firstWith(upwards(path, s.workspace.Root()), ".classpath")
	content, err := os.ReadFile(filepath.Join(home, ".classpath"))
	if home == "" || err != nil {
		return lack
	}
	var absent []string
	for _, entry := range libraryEntry.FindAllSubmatch(content, -1) {
		library := filepath.FromSlash(string(entry[1]))
		if !filepath.IsAbs(library) {
			library = filepath.Join(home, library)
		}
		if !exists(library) {
			absent = append(absent, string(entry[1]))
		}
	}
	if len(absent) > 0 {
		lack = diagnostics.Lack{Missing: ".classpath names libraries that are not there: " + workspace.FirstOf(absent), Names: names}
	}
	return lack
}

// lacksCommands is of a compilation database that is of another folder: it says nothing about
// any file of this workspace.
func (s *Setup) lacksCommands(d *registry.Definition, n *Need, path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	if home, _ := firstWith(dirs, "compile_flags.txt", ".clangd"); home != "" || !slices.Contains(n.Markers, "compile_commands.json") {
		return lack
	}
	for _, dir := range dirs {
		for _, name := range slices.Concat([]string{"compile_commands.json", "build/compile_commands.json"}, d.Elsewhere) {
			found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(name)))
			if len(found) == 0 {
				continue
			}
			first, own := s.workspace.Compiled(found[0])
			if own || first == "" {
				return lack
			}
			home := n.Home(s.workspace.Root(), path)
			lack.Missing = fmt.Sprintf("%s is of another folder: it names no file of this one, but %s", s.names.Relative(found[0]), first)
			lack.Next, lack.Names = s.Within(home, n.Next(home)), names
			return lack
		}
	}
	return lack
}
