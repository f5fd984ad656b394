package project

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// MissingPackages returns the normalized names of the packages that a Python project in a folder
// requires but its environment does not contain. Conditional requirements do not count.
func MissingPackages(folder string, e PythonEnvironment) (missing []string) {
	asked := make(map[string]bool)
	for _, requirement := range requirementsIn(folder) {
		if name := requirementName(requirement); name != "" {
			asked[name] = true
		}
	}
	if len(asked) == 0 {
		return nil
	}
	for _, path := range e.Paths {
		entries, err := os.ReadDir(path)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			delete(asked, installedName(entry.Name()))
		}
	}
	return slices.Sorted(maps.Keys(asked))
}

// requirementsIn returns the requirements in pyproject.toml and requirements.txt of a folder.
func requirementsIn(folder string) (requirements []string) {
	var manifest struct {
		Project struct{ Dependencies []string }
		Tool    struct {
			Poetry struct{ Dependencies map[string]toml.Primitive }
		}
	}
	if decoded, err := toml.DecodeFile(filepath.Join(folder, language.PyProject), &manifest); err == nil {
		requirements = manifest.Project.Dependencies
		for name, constraint := range manifest.Tool.Poetry.Dependencies {
			var version string // otherwise it is a table, which may contain a condition
			if decoded.PrimitiveDecode(constraint, &version) == nil && name != string(language.Python) {
				requirements = append(requirements, name)
			}
		}
	}
	content, err := fspath.Read(filepath.Join(folder, language.Requirements))
	if err != nil {
		return requirements
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		requirements = append(requirements, strings.TrimSpace(line))
	}
	return requirements
}

var (
	requirement   = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=!~(].*)?$`)
	nameSeparator = lazyregexp.New(`[-_.]+`)
	installedInfo = lazyregexp.New(`^(.+?)(?:-[^-]+(?:-py[\d.]+)?)?\.(?:dist-info|egg-info|egg-link)$`)
)

// requirementName returns the package that a requirement names, "" for a conditional requirement,
// an option or a URL.
func requirementName(text string) string {
	found := requirement.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return normalName(found[1])
}

// installedName returns the package whose installation an entry of site-packages records, "" for
// other entries.
func installedName(entry string) string {
	found := installedInfo.FindStringSubmatch(entry)
	if found == nil {
		return ""
	}
	return normalName(found[1])
}

func normalName(name string) string {
	return strings.ToLower(nameSeparator.ReplaceAllString(name, "-"))
}
