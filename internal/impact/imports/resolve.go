package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/language"
)

// A resolver remembers which files are meant by what scripts import by other than a
// relative path: by the names of packages, by exports and imports of package.json, by
// links in node_modules, by paths of a tsconfig.json. The zero value is ready.
type resolver struct {
	mu    sync.Mutex
	state uint64 // of all that a resolution depends on
	known map[request][]reference
}

// A request is what is imported, and the folder that decides what it means: the
// nearest one with a package.json or a tsconfig.json.
type request struct{ folder, spec string }

// A resolution is the state in which something was resolved, and what was.
type resolution struct {
	state uint64
	// reliable says that another state is another number.
	reliable bool
	specs    []string
}

// A workspace is what resolution depends on.
type workspace struct {
	tree    Tree
	configs []string        // package.json, tsconfig.json and the like
	folders map[string]bool // in which they are
	files   map[string]bool // the scripts
	data    []string        // other files of JSON
	found   *ways           // what configs say of paths; nil until somebody asks
	sum     uint64          // of the names of files, 0 if nobody asked yet
}

// workspaceOf sorts the paths of a tree.
func workspaceOf(tree Tree, paths []string) *workspace {
	w := &workspace{tree: tree, folders: make(map[string]bool), files: make(map[string]bool)}
	for _, path := range paths {
		switch {
		case language.Configured(path) == language.ScriptFamily:
			w.configs = append(w.configs, path)
			w.folders[filepath.Dir(path)] = true
		case familyOf(path) == families[language.ScriptFamily]:
			w.files[path] = true
		case bringing(path) == families[language.ScriptFamily]:
			w.data = append(w.data, path)
		}
	}
	return w
}

// folderOf returns the folder that decides what a file imports.
func (w *workspace) folderOf(path string) string {
	return within(filepath.Dir(path), func(dir string) bool { return w.folders[dir] })
}

// within returns the nearest folder, from one upwards, that meets a condition; "" if
// none does.
func within(dir string, meets func(string) bool) string {
	for !meets(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	return dir
}

// stateOf returns a number for the state of what resolutions depend on; reliable is
// false if it may change without a sign of it.
func (w *workspace) stateOf(specs []string) (state uint64, reliable bool) {
	digest := fnv.New64a()
	reliable = true
	for _, path := range w.configs {
		stamp, ok := w.tree.Stamp(path)
		reliable = reliable && ok
		fmt.Fprintf(digest, "%s %d %d\n", path, stamp.Size, stamp.Modified)
	}
	links := []string{""}
	for _, spec := range specs {
		if scope, _, scoped := strings.Cut(spec, "/"); scoped && strings.HasPrefix(scope, "@") && !slices.Contains(links, scope) {
			links = append(links, scope)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(w.folders)) {
		for _, link := range links {
			info, err := os.Stat(filepath.Join(folder, language.NodeFolder, link))
			if err == nil {
				fmt.Fprintf(digest, "%s %s %d\n", folder, link, info.ModTime().UnixNano())
			} else if link == "" {
				break // nor are there others in it
			}
		}
	}
	if w.sum == 0 {
		for _, path := range slices.AppendSeq(slices.Clone(w.data), maps.Keys(w.files)) { // in no order
			one := fnv.New64a()
			one.Write([]byte(path))
			w.sum += one.Sum64()
		}
	}
	fmt.Fprint(digest, w.sum)
	return digest.Sum64(), reliable
}

// resolve returns what requests mean.
func (r *resolver) resolve(w *workspace, requests map[request]bool) (map[request][]reference, resolution) {
	specs := make(names)
	for q := range requests {
		specs[q.spec] = true
	}
	sorted := specs.sorted()
	state, reliable := w.stateOf(sorted)
	in := resolution{state, reliable, sorted}
	if len(requests) == 0 {
		return nil, in
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if state != r.state || !reliable || r.known == nil {
		r.state, r.known = state, make(map[request][]reference)
	}
	var open []request
	for q := range requests {
		if _, known := r.known[q]; !known {
			open = append(open, q)
		}
	}
	if len(open) > 0 {
		slices.SortFunc(open, func(a, b request) int { return strings.Compare(a.folder+"\x00"+a.spec, b.folder+"\x00"+b.spec) })
		manifests := w.manifests()
		for i, path := range resolvedBy(open) {
			r.known[open[i]] = w.referencesTo(open[i], path, manifests)
		}
	}
	return maps.Clone(r.known), in
}

// resolvedBy asks esbuild for the files that requests mean; "" for those that it does not
// find. For each folder, esbuild bundles a module that requires what the requests name, and
// its metafile says what was found: the Resolve of a plugin would read all folders above anew
// for each request.
func resolvedBy(open []request) []string {
	modules := make(map[string]*module) // by folder
	named := make(map[string]*module)
	var entry strings.Builder
	for _, q := range open {
		m := modules[q.folder]
		if m == nil {
			m = &module{folder: q.folder, name: fmt.Sprintf("%s:%d", ofRequests, len(modules))}
			modules[m.folder], named[m.name] = m, m
			fmt.Fprintf(&entry, "require(%q);", m.name)
		}
		m.require(q.spec)
	}
	built := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: entry.String()}, Bundle: true, Metafile: true, AbsPaths: api.MetafileAbsPath,
		LogLevel: api.LogLevelSilent, AbsWorkingDir: open[0].folder, Platform: api.PlatformNode,
		Conditions:        []string{"types", "import", "require", "node", "module"},
		MainFields:        []string{"types", "typings", "module", "main"},
		ResolveExtensions: language.ResolvedEndings,
		Plugins:           []api.Plugin{{Name: ofRequests, Setup: func(build api.PluginBuild) { provide(build, named) }}},
	})
	files := foundBy(built.Metafile)
	found := make([]string, len(open))
	for i, q := range open {
		found[i] = files[request{modules[q.folder].name, q.spec}]
	}
	return found
}

// ofRequests is the namespace of the modules that require what requests name.
const ofRequests = "requests"

// A module requires what is imported in a folder.
type module struct {
	folder, name string
	text         strings.Builder
}

// require adds something that need not be there.
func (m *module) require(spec string) {
	quoted, _ := json.Marshal(spec) // a string of JSON is one of JavaScript, too
	fmt.Fprintf(&m.text, "try { require(%s) } catch {}\n", quoted)
}

// provide gives a build the texts of modules, by name, and nothing of the files that they require.
func provide(build api.PluginBuild, modules map[string]*module) {
	build.OnResolve(api.OnResolveOptions{Filter: "^" + ofRequests + `:\d+$`}, func(of api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: strings.TrimPrefix(of.Path, ofRequests+":"), Namespace: ofRequests}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".*"}, func(of api.OnLoadArgs) (api.OnLoadResult, error) {
		m := modules[of.Namespace+":"+of.Path]
		if m == nil {
			m = &module{}
		}
		text := m.text.String()
		return api.OnLoadResult{Contents: &text, ResolveDir: m.folder, Loader: api.LoaderJS}, nil
	})
}

// foundBy returns the files that modules import, by the module's name and the path that it has.
func foundBy(metafile string) map[request]string {
	var said struct {
		Inputs map[string]struct {
			Imports []struct{ Path, Original string }
		}
	}
	_ = json.Unmarshal([]byte(metafile), &said) // without one, nothing was found
	found := make(map[request]string)
	for name, input := range said.Inputs {
		for _, i := range input.Imports {
			path := i.Path
			if at := strings.IndexAny(i.Original, "?#"); at > 0 { // what is asked for of the file
				path = strings.TrimSuffix(path, i.Original[at:])
			}
			if filepath.IsAbs(path) {
				found[request{name, i.Original}] = path
			}
		}
	}
	return found
}

// ways returns what the configurations of a workspace say of paths.
func (w *workspace) ways() *ways {
	if w.found == nil {
		w.found = waysOf(w.manifests())
	}
	return w.found
}

// manifests reads the configuration of a workspace, by path.
func (w *workspace) manifests() map[string]manifest {
	all := make(map[string]manifest)
	for _, path := range w.configs {
		text, err := w.tree.Read(path)
		if err != nil {
			continue
		}
		standard, err := jsonc.Standardize(text)
		if err != nil {
			continue
		}
		var m manifest
		err = json.Unmarshal(standard, &m)
		if _, isOfOther := errors.AsType[*json.UnmarshalTypeError](err); err == nil || isOfOther { // a field of another type says nothing
			all[path] = m
		}
	}
	return all
}

// referencesTo returns the files that a request may mean, given the one that was found
// for it. One that is generated stands for all sources of its package, as does a package
// of the workspace in which nothing was found: with which configuration, conditions and
// generated files it is found is not ours to know. Those that configurations give for it count as well, also the ones that are not there.
func (w *workspace) referencesTo(q request, found string, manifests map[string]manifest) (list []reference) {
	list = placesOfName(q.spec, q.folder, manifests)
	if found != "" {
		switch name, _ := scriptNamed(found); {
		case bringing(found) != nil && !strings.Contains(filepath.ToSlash(found), "/"+language.NodeFolder+"/"):
			return append(list, reference{path: found, exact: true})
		case w.files[found] && isSource(found):
			return append(list, reference{path: name, exact: true})
		case w.files[found]:
			list = append(list, reference{path: name, exact: true})
		case strings.Contains(filepath.ToSlash(found), "/"+language.NodeFolder+"/"):
			return list
		}
		if home := within(filepath.Dir(found), func(dir string) bool { return w.folders[dir] }); home != "" {
			return append(list, reference{path: home, exact: true, under: true})
		}
	}
	for path, m := range manifests {
		dir := filepath.Dir(path)
		if m.Name != "" && (q.spec == m.Name || strings.HasPrefix(q.spec, m.Name+"/")) {
			list = append(list, reference{path: dir, exact: true, under: true})
		}
		for pattern, value := range m.CompilerOptions.Paths.entries {
			if prefix, _, _ := strings.Cut(pattern, "*"); !strings.HasPrefix(q.spec, prefix) || prefix == "" {
				continue
			}
			var targets []string
			_ = json.Unmarshal(value, &targets) // what is none says nothing
			for _, target := range targets {
				prefix, _, _ := strings.Cut(target, "*")
				place := filepath.Join(dir, m.CompilerOptions.BaseURL, prefix)
				if !strings.HasSuffix(prefix, "/") {
					place = filepath.Dir(place)
				}
				list = append(list, reference{path: place, exact: true, under: true})
			}
		}
	}
	if strings.HasPrefix(q.spec, "#") {
		list = append(list, reference{path: q.folder, exact: true, under: true})
	}
	name, _ := scriptNamed(filepath.FromSlash("/" + strings.TrimLeft(q.spec, "@~#/")))
	return append(list, reference{path: name})
}

// isSource reports whether a file was written, and is not what others become.
func isSource(path string) bool { return language.Of(path).Compiled && !language.IsDeclaration(path) }
