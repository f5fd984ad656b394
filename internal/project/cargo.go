package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// The kinds of targets as cargo calls them. Those of libraries (rlib, proc-macro) are all cargoLib here.
const (
	cargoLib    = "lib"
	cargoBin    = "bin"
	cargoBuilds = "custom-build"
)

// rustSuffix is that of the files that targets begin with.
var rustSuffix = filepath.Ext("main.rs")

// cargoKinds are the targets that cargo finds by itself, by the folder that it finds them in.
var cargoKinds = map[string]string{"src/bin": cargoBin, "tests": "test", "examples": "example", "benches": "bench"}

// A cargoTarget is a crate in the compiler's sense: a tree of modules that is compiled as one.
type cargoTarget struct {
	of         *cargoPackage
	name, kind string
	root       string // the file that it begins with
	features   []string
}

// A cargoPackage is what a Cargo.toml says.
type cargoPackage struct {
	name    string
	targets []*cargoTarget
	// needs are the folders of the packages that it is compiled with, as far as they are named by a path; testNeeds
	// are those that only its tests, examples and benchmarks are compiled with.
	needs, testNeeds []string
}

type cargoTable struct {
	Name, Path       string
	RequiredFeatures []string `toml:"required-features"`
}

type cargoNeeds struct {
	Normal map[string]toml.Primitive `toml:"dependencies"`
	Dev    map[string]toml.Primitive `toml:"dev-dependencies"`
	Build  map[string]toml.Primitive `toml:"build-dependencies"`
}

type cargoManifest struct {
	Package *struct {
		Name                                           string
		Build                                          toml.Primitive
		Autobins, Autotests, Autoexamples, Autobenches *bool
	}
	Lib                       cargoTable
	Bin, Test, Example, Bench []cargoTable
	cargoNeeds
	Target    map[string]cargoNeeds
	Workspace *struct {
		Members      []string
		Exclude      []string
		Dependencies map[string]toml.Primitive
	}
	data toml.MetaData
}

// readCargo reads the package in a folder; nil if there is none.
func readCargo(folder string) *cargoPackage {
	m, ok := decodeCargo(folder)
	if !ok || m.Package == nil {
		return nil
	}
	p := &cargoPackage{name: m.Package.Name}
	p.addLibrary(folder, m.Lib)
	p.addListed(folder, cargoBin, "src/bin", m.Bin)
	p.addListed(folder, "test", "tests", m.Test)
	p.addListed(folder, "example", "examples", m.Example)
	p.addListed(folder, "bench", "benches", m.Bench)
	if isOn(m.Package.Autobins) {
		p.add(cargoTarget{name: p.name, kind: cargoBin, root: filepath.Join(folder, "src", "main.rs")})
		p.addFound(folder, "src/bin")
	}
	for _, found := range []struct {
		auto *bool
		in   string
	}{{m.Package.Autotests, "tests"}, {m.Package.Autoexamples, "examples"}, {m.Package.Autobenches, "benches"}} {
		if isOn(found.auto) {
			p.addFound(folder, found.in)
		}
	}
	p.addBuildScripts(folder, m)
	p.addNeeds(folder, m)
	return p
}

func decodeCargo(folder string) (m cargoManifest, ok bool) {
	content, err := fspath.Read(filepath.Join(folder, language.CargoTOML))
	if err != nil {
		return m, false
	}
	m.data, err = toml.Decode(string(content), &m)
	return m, err == nil
}

func isOn(auto *bool) bool { return auto == nil || *auto }

// add adds a target, if its file exists and is not that of another one.
func (p *cargoPackage) add(t cargoTarget) {
	if _, err := os.Stat(t.root); err != nil || slices.ContainsFunc(p.targets, func(o *cargoTarget) bool { return o.root == t.root }) {
		return
	}
	t.of, t.name = p, crateName(t.name)
	p.targets = append(p.targets, &t)
}

// crateName returns a target's name as the compiler knows it.
func crateName(name string) string { return strings.ReplaceAll(name, "-", "_") }

func (p *cargoPackage) addLibrary(folder string, lib cargoTable) {
	t := cargoTarget{name: lib.Name, kind: cargoLib, root: filepath.Join(folder, "src", "lib.rs")}
	if t.name == "" {
		t.name = p.name
	}
	if lib.Path != "" {
		t.root = filepath.Join(folder, filepath.FromSlash(lib.Path))
	}
	p.add(t)
}

// addListed adds targets of one kind that the manifest lists.
func (p *cargoPackage) addListed(folder, kind, in string, tables []cargoTable) {
	for _, table := range tables {
		t := cargoTarget{name: table.Name, kind: kind, features: table.RequiredFeatures}
		if table.Path != "" {
			t.root = filepath.Join(folder, filepath.FromSlash(table.Path))
			p.add(t)
			continue
		}
		for _, path := range []string{in + "/" + t.name + rustSuffix, in + "/" + t.name + "/main.rs", "src/main.rs"} {
			if t.root = filepath.Join(folder, filepath.FromSlash(path)); path != "src/main.rs" || kind == cargoBin && t.name == p.name {
				p.add(t)
			}
		}
	}
}

// addFound adds the targets that cargo finds in a folder.
func (p *cargoPackage) addFound(folder, in string) {
	dir := filepath.Join(folder, filepath.FromSlash(in))
	entries, _ := os.ReadDir(dir) // without the folder there are none
	for _, entry := range entries {
		name, isFile := strings.CutSuffix(entry.Name(), rustSuffix)
		root := filepath.Join(dir, entry.Name())
		if !isFile {
			root = filepath.Join(root, "main.rs")
		}
		p.add(cargoTarget{name: name, kind: cargoKinds[in], root: root})
	}
}

// addBuildScripts adds the programs that cargo runs before it compiles the package.
func (p *cargoPackage) addBuildScripts(folder string, m cargoManifest) {
	names, one := []string{"build.rs"}, ""
	if m.data.IsDefined("package", "build") {
		names = nil // it may say that there is none
		if m.data.PrimitiveDecode(m.Package.Build, &one) == nil {
			names = []string{one}
		} else if m.data.PrimitiveDecode(m.Package.Build, &names) != nil {
			names = nil
		}
	}
	for _, name := range names {
		p.add(cargoTarget{name: "build-script-build", kind: cargoBuilds, root: filepath.Join(folder, filepath.FromSlash(name))})
	}
}

// membersOf returns the folders of the packages that the workspace around a folder lists.
func membersOf(folder string) (folders []string) {
	for _, dir := range upTo(folder, string(filepath.Separator)) {
		m, ok := decodeCargo(dir)
		if !ok || m.Workspace == nil {
			continue
		}
		folders = append(folders, dir)
		for _, pattern := range m.Workspace.Members {
			found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern))) // what cargo refuses as well
			folders = append(folders, found...)
		}
		for _, name := range m.Workspace.Exclude {
			excluded := filepath.Join(dir, filepath.FromSlash(name))
			folders = slices.DeleteFunc(folders, func(folder string) bool {
				return folder == excluded || strings.HasPrefix(folder, excluded+string(filepath.Separator))
			})
		}
		return folders
	}
	return nil
}

// addNeeds adds the packages that the package depends on by a path.
func (p *cargoPackage) addNeeds(folder string, m cargoManifest) {
	above, at := m, folder // the workspace, whose dependencies those of the package may be
	for _, dir := range upTo(filepath.Dir(folder), string(filepath.Separator)) {
		if above.Workspace != nil {
			break
		}
		if w, ok := decodeCargo(dir); ok {
			above, at = w, dir
		}
	}
	folders := func(needs map[string]toml.Primitive) (found []string) {
		for name, need := range needs {
			var table struct {
				Path      string
				Workspace bool
			}
			// A dependency that is no table names no path.
			if m.data.PrimitiveDecode(need, &table) != nil {
				continue
			}
			from := folder
			if table.Workspace && above.Workspace != nil {
				from = at
				if inherited, ok := above.Workspace.Dependencies[name]; !ok || above.data.PrimitiveDecode(inherited, &table) != nil {
					continue
				}
			}
			if table.Path != "" {
				found = append(found, filepath.Join(from, filepath.FromSlash(table.Path)))
			}
		}
		slices.Sort(found)
		return found
	}
	all := []cargoNeeds{m.cargoNeeds}
	for _, of := range m.Target {
		all = append(all, of)
	}
	for _, of := range all {
		p.needs = append(append(p.needs, folders(of.Normal)...), folders(of.Build)...)
		p.testNeeds = append(p.testNeeds, folders(of.Dev)...)
	}
}

// named returns the target of a kind, nil if the package has none.
func (p *cargoPackage) named(kind string) *cargoTarget {
	for _, t := range p.targets {
		if t.kind == kind {
			return t
		}
	}
	return nil
}

// elsewhere matches in the root of a target what may bring in any file.
var elsewhere = lazyregexp.New(`#\[path|include!`)

// containing returns the targets that a file may be a module of, all of the package's if none seems to have it. Which
// modules a target has is only guessed: its root names those beside it.
func (p *cargoPackage) containing(path string) (found []*cargoTarget) {
	for _, t := range p.targets {
		if t.root == path {
			return []*cargoTarget{t}
		}
	}
	for _, t := range p.targets {
		rel, below := strings.CutPrefix(path, filepath.Dir(t.root)+string(filepath.Separator))
		text, err := fspath.Read(t.root)
		if err != nil || t.kind == cargoBuilds {
			continue
		}
		first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if below && hasWord(string(text), strings.TrimSuffix(first, rustSuffix)) || elsewhere.Match(text) {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return p.targets
	}
	return found
}

// hasWord reports whether a text contains a name that is no part of a longer one.
func hasWord(text, name string) bool {
	isPart := func(r rune) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
	}
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !isPart(r) }), name)
}
