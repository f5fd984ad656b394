package project

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// maxConfigs limits how many configurations are read for one file.
const maxConfigs = 200

// A tsconfig says which files a TypeScript configuration includes. Patterns are absolute; a list is
// nil if the configuration does not have it.
type tsconfig struct {
	files, include, exclude []string
	references              []string
	out                     []string // output folders
	scripts                 *bool    // whether JavaScript is compiled or checked; nil if not said
}

// leftOutByTSConfig looks at all configurations in the folders from that of a file up to the root,
// and at the configurations they refer to. It returns one of them if there are any and none
// includes the file. A configuration that cannot be read excludes nothing.
func (s *Scopes) leftOutByTSConfig(path string) (by string) {
	if declares.MatchString(path) { // typeRoots, types and comments can include it as well
		return ""
	}
	var open []string
	for _, folder := range upTo(filepath.Dir(path), s.root) {
		open = append(open, s.configsIn(folder)...)
	}
	for n := 0; n < len(open); n++ {
		config, readable := s.config(open[n])
		if !readable || n == maxConfigs || config.isFor(path) {
			return ""
		}
		if by == "" {
			by = open[n]
		}
		for _, reference := range config.references {
			if !slices.Contains(open, reference) {
				open = append(open, reference)
			}
		}
	}
	return by
}

// configsIn returns the configurations in a folder.
func (s *Scopes) configsIn(folder string) []string {
	configs, known := s.beside[folder]
	if !known {
		for _, name := range configNames(folder) {
			configs = append(configs, filepath.Join(folder, name))
		}
		s.beside[folder] = configs
	}
	return configs
}

// configNames returns the names of the configurations in a folder: those that tools look for, and
// then the others, sorted. A folder that cannot be read has none of these.
func configNames(folder string) (configs []string) {
	for _, usual := range []string{language.TSConfig, language.JSConfig} {
		if _, err := os.Lstat(filepath.Join(folder, usual)); err == nil {
			configs = append(configs, usual)
		}
	}
	dir, err := os.Open(folder)
	if err != nil {
		return configs
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // what could be read counts
	others := slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, "tsconfig.") || !strings.HasSuffix(name, ".json") || name == language.TSConfig
	})
	slices.Sort(others)
	return append(configs, others...)
}

// readConfig is the result of reading a configuration.
type readConfig struct {
	tsconfig
	readable bool
}

func (s *Scopes) config(path string) (c tsconfig, readable bool) {
	read, known := s.scripts[path]
	if !known {
		config, err := readTSConfig(path, filepath.Dir(path), 0)
		read = readConfig{config, err == nil}
		s.scripts[path] = read
	}
	return read.tsconfig, read.readable
}

// declares matches declaration files (.d.ts).
var declares = lazyregexp.New(`\.d(\.[^.]+)?\.[cm]?ts$`)

// isFor reports whether the configuration includes a file.
func (c *tsconfig) isFor(path string) bool {
	if slices.Contains(c.files, path) {
		return true
	}
	exclude := c.exclude
	if exclude == nil {
		exclude = c.out
	}
	has := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return holds(p, path) })
	}
	return has(c.include) && !has(exclude)
}

// readTSConfig reads a configuration and those it extends. ${configDir} stands for the folder of
// the first one.
func readTSConfig(path, configDir string, depth int) (c tsconfig, err error) {
	content, err := fspath.Read(path)
	if err != nil {
		return c, err
	}
	content, err = jsonc.Standardize(content)
	if err != nil {
		return c, err
	}
	var text struct {
		Extends                 stringOrList
		Files, Include, Exclude []string
		References              []struct{ Path string }
		CompilerOptions         struct {
			OutDir         string `json:"outDir"`
			DeclarationDir string `json:"declarationDir"`
			AllowJS        *bool  `json:"allowJs"`
			CheckJS        *bool  `json:"checkJs"`
		} `json:"compilerOptions"`
	}
	if err := json.Unmarshal(content, &text); err != nil {
		return c, err
	}
	dir := filepath.Dir(path)
	for _, extended := range text.Extends {
		base, err := extendedConfig(dir, extended)
		if err == nil && depth == 20 {
			err = errors.New("it extends itself")
		}
		if err != nil {
			return c, err
		}
		inherited, err := readTSConfig(base, configDir, depth+1)
		if err != nil {
			return c, err
		}
		inherited.references = nil
		c.inherit(inherited)
	}
	absolute := func(list []string) []string {
		if list == nil {
			return nil
		}
		paths := []string{}
		for _, p := range list {
			if rest, ok := strings.CutPrefix(p, "${configDir}"); ok {
				p = filepath.Join(configDir, rest)
			} else if !filepath.IsAbs(p) {
				p = filepath.Join(dir, filepath.FromSlash(p))
			}
			paths = append(paths, p)
		}
		return paths
	}
	own := tsconfig{files: absolute(text.Files), include: absolute(text.Include), exclude: absolute(text.Exclude), scripts: text.CompilerOptions.AllowJS}
	if own.scripts == nil {
		own.scripts = text.CompilerOptions.CheckJS
	}
	for _, out := range []string{text.CompilerOptions.OutDir, text.CompilerOptions.DeclarationDir} {
		if out != "" && filepath.Clean(out) != "." {
			own.out = append(own.out, absolute([]string{out})...)
		}
	}
	c.inherit(own)
	for _, r := range text.References {
		reference := filepath.Join(dir, filepath.FromSlash(r.Path))
		if info, err := os.Stat(reference); err == nil && info.IsDir() {
			reference = filepath.Join(reference, language.TSConfig)
		}
		c.references = append(c.references, reference)
	}
	if depth == 0 && c.scripts == nil && filepath.Base(path) == language.JSConfig {
		yes := true
		c.scripts = &yes
	}
	if depth == 0 && c.files == nil && c.include == nil {
		c.include = []string{filepath.Join(dir, "**")}
	}
	return c, nil
}

// inherit overrides the settings of the configuration with those of over.
func (c *tsconfig) inherit(over tsconfig) {
	if over.files != nil {
		c.files = over.files
	}
	if over.include != nil {
		c.include = over.include
	}
	if over.exclude != nil {
		c.exclude = over.exclude
	}
	if over.out != nil {
		c.out = over.out
	}
	if over.scripts != nil {
		c.scripts = over.scripts
	}
}

// extendedConfig returns the file that the "extends" value of a configuration in dir refers to: a
// path or a package.
func extendedConfig(dir, name string) (string, error) {
	var places []string
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
		place := name
		if !filepath.IsAbs(place) {
			place = filepath.Join(dir, filepath.FromSlash(name))
		}
		places = []string{place, place + ".json", filepath.Join(place, language.TSConfig)}
	} else {
		for _, folder := range upTo(dir, "") {
			place := filepath.Join(folder, language.NodeFolder, filepath.FromSlash(name))
			places = append(places, place, place+".json", filepath.Join(place, language.TSConfig))
		}
	}
	for _, place := range places {
		if info, err := os.Stat(place); err == nil && info.Mode().IsRegular() {
			return place, nil
		}
	}
	return "", os.ErrNotExist
}

// stringOrList is a string or a list of strings.
type stringOrList []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *stringOrList) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*s = stringOrList{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(s))
}
