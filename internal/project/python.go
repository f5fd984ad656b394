package project

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A PythonEnvironment is a folder in which the packages of a Python project are installed.
type PythonEnvironment struct {
	// Dir is the folder of the environment. From is how it was found: ".venv", "poetry",
	// "VIRTUAL_ENV", …
	Dir, From string
	// Paths are the folders that contain its packages, and the folders listed in their .pth files.
	Paths []string
	// Interpreter is the path of its Python interpreter. Running it may run code of the
	// environment.
	Interpreter string
}

// FindPython returns the Python environment of a project: one in its folder or in a parent folder
// up to root, the root of the workspace; else one that poetry or conda created for it; else the one
// that is active in environ.
func FindPython(projectRoot, root string, environ []string) (e PythonEnvironment, found bool) {
	type place struct{ dir, from string }
	var places []place
	for _, folder := range upTo(projectRoot, root) {
		for _, name := range []string{".venv", "venv", "env", ".env"} {
			places = append(places, place{filepath.Join(folder, name), name})
		}
		if named := variable(environ, "UV_PROJECT_ENVIRONMENT"); named != "" {
			if !filepath.IsAbs(named) {
				named = filepath.Join(folder, named)
			}
			places = slices.Insert(places, 0, place{named, "UV_PROJECT_ENVIRONMENT"})
		}
		for _, dir := range poetryEnvironments(folder, environ) {
			places = append(places, place{dir, "poetry"})
		}
		for _, dir := range condaEnvironments(folder, environ) {
			places = append(places, place{dir, "conda"})
		}
	}
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := variable(environ, name); dir != "" {
			places = append(places, place{dir, name})
		}
	}
	for _, p := range places {
		if paths := sitePackages(p.dir); len(paths) > 0 {
			return PythonEnvironment{Dir: p.dir, From: p.from, Paths: paths, Interpreter: interpreter(p.dir)}, true
		}
	}
	return PythonEnvironment{}, false
}

func variable(environ []string, name string) string { return fspath.Here.Variable(environ, name) }

// sitePackages returns the package folders of an environment, none if dir is not an environment.
func sitePackages(dir string) (paths []string) {
	_, venv := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	_, conda := os.Stat(filepath.Join(dir, "conda-meta"))
	if venv != nil && conda != nil {
		return nil
	}
	for _, pattern := range []string{"lib/python3*/site-packages", "lib64/python3*/site-packages", "Lib/site-packages"} {
		found, _ := filepath.Glob(filepath.Join(quoted.Replace(dir), filepath.FromSlash(pattern))) // the pattern is well-formed
		for _, path := range found {
			if resolved, err := fspath.Real(path); err == nil && !slices.Contains(paths, resolved) {
				paths = append(paths, resolved)
			}
		}
	}
	for _, path := range slices.Clone(paths) {
		paths = append(paths, linked(path)...)
	}
	return paths
}

// linked returns the folders listed in the .pth files of a site-packages folder. Through them,
// packages are used directly from their sources. Lines that contain code are skipped.
func linked(site string) (paths []string) {
	files, _ := filepath.Glob(filepath.Join(quoted.Replace(site), "*.pth")) // the pattern is well-formed
	for _, file := range files {
		content, _ := fspath.Read(file) // one that cannot be read lists nothing
		lines := bufio.NewScanner(bytes.NewReader(content))
		for lines.Scan() {
			line := strings.TrimSpace(lines.Text())
			if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "import\t") {
				continue
			}
			if !filepath.IsAbs(line) {
				line = filepath.Join(site, line)
			}
			if info, err := os.Stat(line); err == nil && info.IsDir() {
				paths = append(paths, line)
			}
		}
	}
	return paths
}

// interpreter returns the path of the Python interpreter of an environment, "" if it has none.
func interpreter(dir string) string {
	for _, name := range []string{"bin/python", "bin/python3", "Scripts/python.exe", "python.exe"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

var unsafeInNames = lazyregexp.New("[ $`!*@\"\\\\\r\n\t]")

// poetryEnvironments returns the environments that poetry created for the project in a folder.
// poetry names them after the project and a hash of its folder.
func poetryEnvironments(folder string, environ []string) []string {
	var manifest struct {
		Project struct{ Name string }
		Tool    struct {
			Poetry *struct{ Name string }
		}
	}
	if _, err := toml.DecodeFile(filepath.Join(folder, language.PyProject), &manifest); err != nil {
		return nil
	}
	name := manifest.Project.Name
	if manifest.Tool.Poetry != nil && manifest.Tool.Poetry.Name != "" {
		name = manifest.Tool.Poetry.Name
	}
	if name == "" {
		return nil
	}
	name = unsafeInNames.ReplaceAllString(strings.ToLower(name), "_")
	sum := sha256.Sum256([]byte(folder))
	id := name[:min(len(name), 42)] + "-" + base64.URLEncoding.EncodeToString(sum[:])[:8]
	base := variable(environ, "POETRY_VIRTUALENVS_PATH")
	if base == "" {
		cache := variable(environ, "POETRY_CACHE_DIR")
		if cache == "" {
			cache = filepath.Join(userCache(environ), "pypoetry")
		}
		base = filepath.Join(cache, "virtualenvs")
	}
	found, _ := filepath.Glob(filepath.Join(quoted.Replace(base), id+"-py3*")) // the pattern is well-formed
	slices.Reverse(found)
	return found
}

// userCache returns the user's cache folder according to environ.
func userCache(environ []string) string {
	home := variable(environ, "HOME")
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Caches")
	case "windows":
		return variable(environ, "LOCALAPPDATA")
	}
	if cache := variable(environ, "XDG_CACHE_HOME"); cache != "" {
		return cache
	}
	return filepath.Join(home, ".cache")
}

var condaName = lazyregexp.New(`(?m)^name:[ \t]*["']?([\w.-]+)`)

// condaEnvironments returns the environments that conda may have created for the project in a
// folder, by the name in its environment.yml.
func condaEnvironments(folder string, environ []string) (dirs []string) {
	for _, file := range []string{"environment.yml", "environment.yaml"} {
		content, _ := fspath.Read(filepath.Join(folder, file)) // what cannot be read has no name
		match := condaName.FindSubmatch(content)
		if match == nil {
			continue
		}
		home := variable(environ, "HOME")
		bases := []string{filepath.Join(home, ".conda")}
		if prefix := variable(environ, "CONDA_PREFIX"); prefix != "" {
			bases = append(bases, prefix, filepath.Dir(filepath.Dir(prefix)))
		}
		for _, name := range []string{"miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba"} {
			bases = append(bases, filepath.Join(home, name))
		}
		for _, base := range bases {
			dirs = append(dirs, filepath.Join(base, "envs", string(match[1])))
		}
	}
	return dirs
}

// ChoosesPython reports whether the project's pyright configuration specifies the environment.
func ChoosesPython(projectRoot string) bool {
	c, _ := readPyright(projectRoot)
	return c.Venv != ""
}

// quoted escapes the characters of a folder name that are special in a glob.
var quoted = strings.NewReplacer("[", `\[`, "*", `\*`, "?", `\?`, `\`, `\\`)
