package project

import (
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
	Include   []string `json:"include" toml:"include"`
	Exclude   []string `json:"exclude" toml:"exclude"`
	VenvPath  string   `json:"venvPath" toml:"venvPath"`
	Venv      string   `json:"venv" toml:"venv"`
	ExtraPath []string `json:"extraPaths" toml:"extraPaths"`
}

// readPyright returns the pyright configuration in a folder and the file that contains it, "" if
// there is none or it cannot be read.
func readPyright(root string) (c pyrightConfig, file string) {
	file = filepath.Join(root, language.PyrightConfig)
	if content, err := fspath.Read(file); err == nil {
		content, err = jsonc.Standardize(content)
		if err != nil || json.Unmarshal(content, &c) != nil {
			return pyrightConfig{}, ""
		}
		return c, file
	}
	var manifest struct {
		Tool struct {
			Pyright      *pyrightConfig `toml:"pyright"`
			Basedpyright *pyrightConfig `toml:"basedpyright"`
		} `toml:"tool"`
	}
	file = filepath.Join(root, language.PyProject)
	if _, err := toml.DecodeFile(file, &manifest); err != nil {
		return pyrightConfig{}, ""
	}
	for _, c := range []*pyrightConfig{manifest.Tool.Basedpyright, manifest.Tool.Pyright} {
		if c != nil {
			return *c, file
		}
	}
	return pyrightConfig{}, ""
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
		c.pyrightConfig, c.file = readPyright(root)
		s.pyrights[root] = c
	}
	if c.file == "" {
		return ""
	}
	has := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			if !filepath.IsAbs(p) {
				p = filepath.Join(root, filepath.FromSlash(p))
			}
			return holds(p, path)
		})
	}
	if len(c.Include) > 0 && !has(c.Include) || has(c.Exclude) {
		return c.file
	}
	return ""
}
