package imports

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
)

// A manifest is what a package.json or a tsconfig.json says about names.
type manifest struct {
	Name, Main, Module, Types, Typings string
	// Imports and Exports say what is meant by names under conditions.
	Imports, Exports table
	CompilerOptions  struct {
		BaseURL                  string `json:"baseUrl"`
		Paths                    table
		RootDirs, ModuleSuffixes []string
	}
}

// A table says what is meant by names. What is of another form than a table is kept as it is: it may be what all names mean.
type table struct {
	text    json.RawMessage
	entries map[string]json.RawMessage // nil if it is none
}

func (t *table) UnmarshalJSON(text []byte) error {
	t.text = slices.Clone(text)
	_ = json.Unmarshal(text, &t.entries)
	return nil
}

// A ways is by which other paths scripts may mean a file than the one that they write, as configurations say.
type ways struct {
	// roots are lists of folders whose files count as those of one folder.
	roots [][]string
	// suffixes are what the name of a file may have before its ending.
	suffixes []string
	// mains are the files that stand for folders with a package.json, by folder.
	mains map[string][]string
}

// waysOf returns what configurations say, given by path.
func waysOf(manifests map[string]manifest) *ways {
	w := &ways{mains: make(map[string][]string)}
	for path, m := range manifests {
		dir := filepath.Dir(path)
		var roots []string
		for _, root := range m.CompilerOptions.RootDirs {
			roots = append(roots, filepath.Join(dir, root))
		}
		if len(roots) > 1 {
			w.roots = append(w.roots, roots)
		}
		for _, suffix := range m.CompilerOptions.ModuleSuffixes {
			if suffix != "" && !slices.Contains(w.suffixes, suffix) {
				w.suffixes = append(w.suffixes, suffix)
			}
		}
		for _, main := range []string{m.Main, m.Module, m.Types, m.Typings} {
			if main != "" {
				w.mains[dir] = append(w.mains[dir], filepath.Join(dir, main))
			}
		}
	}
	return w
}

// others returns what a reference may mean beside the path that it has.
func (w *ways) others(ref reference) (list []reference) {
	if ref.under {
		return nil
	}
	add := func(path string) {
		other := ref
		other.path, _ = scriptNamed(path)
		list = append(list, other)
	}
	for _, main := range w.mains[ref.path] {
		add(main)
	}
	for _, roots := range w.roots {
		for _, from := range roots {
			for _, to := range roots {
				if inside, is := strings.CutPrefix(ref.path, from+string(filepath.Separator)); is && to != from {
					add(filepath.Join(to, inside))
				}
			}
		}
	}
	for _, meant := range append(slices.Clone(list), ref) {
		for _, suffix := range w.suffixes {
			if ending := filepath.Ext(meant.path); bringing(meant.path) != nil {
				add(strings.TrimSuffix(meant.path, ending) + suffix + ending)
				continue
			}
			add(meant.path + suffix)
			add(filepath.Join(meant.path, language.IndexName+suffix))
		}
	}
	return list
}

// placesOfName returns the files that configurations give for a name that a script in a folder imports, under any condition, whether they are there
// or not.
func placesOfName(spec, folder string, manifests map[string]manifest) (list []reference) {
	for path, m := range manifests {
		dir := filepath.Dir(path)
		var places []string
		if strings.HasPrefix(spec, "#") && (dir == folder || isUnder(folder, dir)) {
			places = placesIn(m.Imports, spec)
		}
		if sub, inside := strings.CutPrefix(spec, m.Name); m.Name != "" && inside && (sub == "" || sub[0] == '/') {
			places = append(places, placesIn(m.Exports, "."+sub)...)
		}
		for _, place := range placesIn(m.CompilerOptions.Paths, spec) {
			places = append(places, filepath.Join(m.CompilerOptions.BaseURL, place))
		}
		for _, place := range places {
			name, _ := scriptNamed(filepath.Join(dir, filepath.FromSlash(place)))
			if ref := (reference{path: name, exact: true}); !slices.Contains(list, ref) {
				list = append(list, ref)
			}
		}
	}
	return list
}

// placesIn returns what a table gives for a name: one of names, or of patterns with an asterisk, or all there is for the name ".".
func placesIn(t table, name string) (places []string) {
	named := name[0] != '.' // its keys are no conditions
	for key := range t.entries {
		named = named || strings.HasPrefix(key, ".")
	}
	if len(t.entries) == 0 || !named {
		if name == "." {
			return placesOfAll(t.text, "")
		}
		return nil
	}
	for key, value := range t.entries {
		start, end, isPattern := strings.Cut(key, "*")
		switch {
		case !isPattern && key == name:
			places = append(places, placesOfAll(value, "")...)
		case isPattern && len(name) >= len(start)+len(end) && strings.HasPrefix(name, start) && strings.HasSuffix(name, end):
			places = append(places, placesOfAll(value, name[len(start):len(name)-len(end)])...)
		}
	}
	return places
}

// placesOfAll returns all texts in a value, with what stands for an asterisk.
func placesOfAll(value json.RawMessage, star string) (places []string) {
	var text string
	var list []json.RawMessage
	var conditions map[string]json.RawMessage
	switch {
	case json.Unmarshal(value, &text) == nil:
		if text != "" {
			places = append(places, strings.ReplaceAll(text, "*", star))
		}
	case json.Unmarshal(value, &list) == nil:
		for _, member := range list {
			places = append(places, placesOfAll(member, star)...)
		}
	case json.Unmarshal(value, &conditions) == nil:
		for _, member := range conditions {
			places = append(places, placesOfAll(member, star)...)
		}
	}
	return places
}
