package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/workspace"
)

// lacksEnvironment returns a lack if a Python project requires packages and no environment has
// them. Its Names leave out modules of the project itself, which no environment would provide.
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
		modules := []string{top} // a package, or a file
		for _, ending := range language.Endings(language.Python) {
			modules = append(modules, top+ending)
		}
		folders := append(slices.Clone(dirs), filepath.Join(home, "src"))
		if own, _ := firstWith(folders, modules...); top != "" && own == "" {
			lack.Names = append(lack.Names, name)
		}
	}
	lack.Next = s.Within(home, next)
	return lack
}

// environmentOf returns the nearest folder with a file that lists required Python packages, and the
// command that creates an environment with them; "" if there is no such file.
func environmentOf(dirs []string) (home, next string) {
	for _, dir := range dirs {
		for _, e := range language.Environments {
			content, err := fspath.Read(filepath.Join(dir, e.Beside))
			if err == nil && (e.Asks == nil || e.Asks.Match(content)) {
				return dir, e.Next
			}
		}
	}
	return "", ""
}

// hasEnvironment reports whether a Python environment is active or is in one of the folders.
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
