package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"golang.org/x/mod/modfile"

	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/language"
)

// SaysTheSame reports whether two texts of a file say the same to whoever reads it to judge others: they are equal or, in go.mod, go.work,
// JSON and TOML, differ in comments, in white space, in an order that means nothing, or in the version or the description of a package. nil
// stands for no file.
func SaysTheSame(path string, before, after []byte) bool {
	if before == nil || after == nil {
		return false
	}
	if bytes.Equal(before, after) {
		return true
	}
	var said func(text []byte) (string, error)
	switch name := filepath.Base(path); {
	case name == language.GoMod, name == language.GoWork:
		said = saidInGo
	case strings.HasSuffix(name, ".json"):
		said = saidInJSON
	case language.Is(path, language.TOML):
		said = saidInTOML
	default:
		return false
	}
	was, err := said(before)
	if err != nil {
		return false
	}
	is, err := said(after)
	return err == nil && was == is
}

// undecided are the fields of a package.json that decide nothing about other files: what they ask for counts once it is installed.
var undecided = []string{
	"version", "description", "scripts", "dependencies", "devDependencies", "peerDependencies", "peerDependenciesMeta", "optionalDependencies",
	"bundledDependencies", "bundleDependencies", "overrides", "resolutions", "keywords", "author", "contributors", "maintainers", "license",
	"repository", "bugs", "homepage", "funding", "private", "engines", "packageManager", "publishConfig", "os", "cpu",
}

// undecidedTools are those of Python that say nothing about what is right in a file.
var undecidedTools = []string{
	"black", "bumpversion", "cibuildwheel", "codespell", "commitizen", "coverage", "flit", "hatch", "isort", "maturin", "nox", "pdm", "poetry", "pytest",
	"semantic_release", "setuptools_scm", "towncrier", "tox", "uv",
}

// DecidesTheSame reports whether two texts of a file that sets up a project decide the same about other files, which do not read it as data:
// they say the same or, in a package.json or pyproject.toml, differ in how a package is called by others, in what it asks for, and in what
// other tools do with it.
func DecidesTheSame(path string, before, after []byte) bool {
	if SaysTheSame(path, before, after) {
		return true
	}
	var decided func(text []byte) (map[string]string, error)
	switch filepath.Base(path) {
	case language.PackageJSON:
		decided = decidedByPackage
	case language.PyProject:
		decided = decidedByPyProject
	}
	if decided == nil || before == nil || after == nil {
		return false
	}
	was, err := decided(before)
	if err != nil {
		return false
	}
	is, err := decided(after)
	return err == nil && maps.Equal(was, is)
}

func decidedByPackage(text []byte) (map[string]string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("what it decides: %w", err)
	}
	decided := make(map[string]string)
	for name, value := range fields {
		if !slices.Contains(undecided, name) {
			decided[name] = string(value)
		}
	}
	return decided, nil
}

func decidedByPyProject(text []byte) (map[string]string, error) {
	var said struct {
		Project struct {
			RequiresPython string `toml:"requires-python"`
		}
		Tool map[string]tomlValue
	}
	if err := toml.Unmarshal(text, &said); err != nil {
		return nil, fmt.Errorf("what it decides: %w", err)
	}
	decided := map[string]string{"": said.Project.RequiresPython}
	for name, value := range said.Tool {
		if !slices.Contains(undecidedTools, name) {
			decided[name] = string(value)
		}
	}
	return decided, nil
}

// saidInGo returns what a go.mod or go.work says, a directive in a line.
func saidInGo(text []byte) (string, error) {
	file, err := modfile.ParseWork(language.GoWork, text, nil)
	syntax := &modfile.FileSyntax{}
	if err == nil {
		syntax = file.Syntax
	} else {
		module, err := modfile.Parse(language.GoMod, text, nil)
		if err != nil {
			return "", fmt.Errorf("what it says: %w", err)
		}
		syntax = module.Syntax
	}
	var lines []string
	for _, statement := range syntax.Stmt {
		switch s := statement.(type) {
		case *modfile.Line:
			lines = append(lines, strings.Join(s.Token, " "))
		case *modfile.LineBlock:
			for _, line := range s.Line {
				lines = append(lines, strings.Join(slices.Concat(s.Token, line.Token), " "))
			}
		}
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "retract ") }) // which is for others
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

func saidInJSON(text []byte) (string, error) {
	minimal, err := jsonc.Minimize(text)
	if err != nil {
		return "", fmt.Errorf("what it says: %w", err)
	}
	return unreleased(minimal), nil
}

// A tomlValue is a value of TOML as JSON, in which the keys of tables are in order.
type tomlValue json.RawMessage

// UnmarshalTOML implements toml.Unmarshaler.
func (v *tomlValue) UnmarshalTOML(value any) error {
	text, err := json.Marshal(value)
	*v = text
	return err
}

func saidInTOML(text []byte) (string, error) {
	var tables map[string]tomlValue
	if err := toml.Unmarshal(text, &tables); err != nil {
		return "", fmt.Errorf("what it says: %w", err)
	}
	var said strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		value := string(tables[name])
		if name == "package" || name == "project" {
			value = unreleased(tables[name])
		}
		fmt.Fprintf(&said, "%q = %s\n", name, value)
	}
	return said.String(), nil
}

// unreleased returns an object of JSON with empty texts for the version and the description that it has as texts, its fields in order;
// anything else as it is. That it has them remains: scripts that import it may use them.
func unreleased(object []byte) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil {
		return string(object)
	}
	for _, name := range []string{"version", "description"} {
		if bytes.HasPrefix(fields[name], []byte(`"`)) {
			fields[name] = json.RawMessage(`""`)
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return string(object)
	}
	return string(text)
}
