package project

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/BurntSushi/toml"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/language"
)

// pyrightConfig is the part of a project's pyright configuration that we use.
type pyrightConfig struct {
	Extends string   `json:"extends" toml:"extends"`
	Include []string `json:"include" toml:"include"`
	Exclude []string `json:"exclude" toml:"exclude"`
	Venv    string   `json:"venv" toml:"venv"`
}

// parsePyright returns what the text of a file says to pyright, nil if it says nothing or cannot be read.
func parsePyright(file string, text []byte) *pyrightConfig {
	if !language.Is(file, language.TOML) {
		c := new(pyrightConfig)
		if text, err := jsonc.Standardize(text); err != nil || json.Unmarshal(text, c) != nil {
			return nil
		}
		return c
	}
	var manifest struct {
		Tool struct {
			Pyright      *pyrightConfig `toml:"pyright"`
			Basedpyright *pyrightConfig `toml:"basedpyright"`
		} `toml:"tool"`
	}
	if err := toml.Unmarshal(text, &manifest); err != nil {
		return nil
	}
	return cmp.Or(manifest.Tool.Basedpyright, manifest.Tool.Pyright)
}

// baseOf returns the file that a configuration in another extends, "" if there is none.
func (c *pyrightConfig) baseOf(file string) string {
	switch {
	case c == nil || c.Extends == "":
		return ""
	case filepath.IsAbs(c.Extends):
		return filepath.Clean(c.Extends)
	}
	return filepath.Join(filepath.Dir(file), filepath.FromSlash(c.Extends))
}

// PyrightBase returns the file that a configuration of pyright with a text extends, "" if there is none.
func PyrightBase(file string, text []byte) string { return parsePyright(file, text).baseOf(file) }

// PyrightBases returns the files that the pyright configuration in a folder extends, by way of others, too; the last one need not be there.
func PyrightBases(root string) []string {
	_, files := readPyright(root)
	return files[min(1, len(files)):]
}

// readPyright returns the pyright configuration in a folder, with what it extends and the paths in it absolute, and the files that say it,
// beginning with its own: none if there is none or it cannot be read.
func readPyright(root string) (c pyrightConfig, files []string) {
	file := filepath.Join(root, language.PyrightConfig)
	if fspath.Missing(file) {
		file = filepath.Join(root, language.PyProject)
	}
	for file != "" && !slices.Contains(files, file) {
		var said *pyrightConfig
		if text, err := fspath.Read(file); err == nil {
			said = parsePyright(file, text)
		}
		if said == nil && len(files) == 0 {
			return c, nil
		}
		if files = append(files, file); said == nil {
			break
		}
		if c.Include == nil {
			c.Include = in(filepath.Dir(file), said.Include)
		}
		if c.Exclude == nil {
			c.Exclude = in(filepath.Dir(file), said.Exclude)
		}
		c.Venv = cmp.Or(c.Venv, said.Venv)
		file = said.baseOf(file)
	}
	return c, files
}

// in returns patterns as they are meant in a folder, nil if there are none.
func in(folder string, patterns []string) (absolute []string) {
	for _, p := range patterns {
		if !filepath.IsAbs(p) {
			p = filepath.Join(folder, filepath.FromSlash(p))
		}
		absolute = append(absolute, p)
	}
	return absolute
}

// pyrightFile is a pyright configuration with the file that contains it.
type pyrightFile struct {
	pyrightConfig
	file string
}

// leftOutByPyright returns the configuration file in the root of the project if it excludes a file,
// else "".
func (s *Scopes) leftOutByPyright(path, root string) (by string) {
	c, known := s.pyrights[root]
	if !known {
		var files []string
		if c.pyrightConfig, files = readPyright(root); len(files) > 0 {
			c.file = files[0]
		}
		s.pyrights[root] = c
	}
	if c.file == "" {
		return ""
	}
	has := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return holds(p, path) })
	}
	if len(c.Include) > 0 && !has(c.Include) || has(c.Exclude) {
		return c.file
	}
	return ""
}
