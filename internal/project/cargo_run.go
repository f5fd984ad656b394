package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// A CargoRun is what one run of "cargo check --all-targets" over a workspace compiled. Cargo compiles no crate whose
// dependencies or build script fail, and reports nothing about its files then.
type CargoRun struct {
	// told says that the run told of each crate that it compiled, compiled how often it did. Else a crate counts as
	// compiled that has no errors, nor has what it depends on.
	told     bool
	compiled map[string]int
	broken   []string // files with errors
	scripts  []string // packages whose build scripts failed

	mu       sync.Mutex
	packages map[string]*cargoPackage // by folder
}

// compiledCrate matches what cargo has compiled: "name (kind, kind)", or only the name.
var compiledCrate = lazyregexp.New(`^(.*?)(?: \(([a-z-]+)(?:, [a-z-]+)*\))?$`)

// NewCargoRun returns a run that found errors in the broken files. If it told of each crate that it compiled, those are named as
// "name (kind)", as often as each was compiled, and scripts are the packages whose build scripts failed.
func NewCargoRun(told bool, compiled, scripts, broken []string) *CargoRun {
	r := &CargoRun{told: told, compiled: make(map[string]int), broken: broken, scripts: scripts, packages: make(map[string]*cargoPackage)}
	for _, crate := range compiled {
		found := compiledCrate.FindStringSubmatch(crate)
		if found == nil {
			continue
		}
		kind := found[2]
		switch kind {
		case "", cargoBin, cargoBuilds, "test", "example", "bench":
		default:
			kind = cargoLib
		}
		r.compiled[crateName(found[1])+" "+kind]++
	}
	return r
}

// Unjudged says why the run did not judge a file, or not all of it; "" if it did, or if the file is in no package. A file was
// judged if each target that has it was compiled, or has errors of its own.
func (r *CargoRun) Unjudged(path string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.packageOfLocked(path)
	if p == nil {
		return ""
	}
	for _, t := range p.containing(path) {
		if why := r.missedLocked(t); why != "" {
			return why
		}
	}
	return ""
}

// LeftOutBeside says of a crate of the same workspace, in another package than a file and depending on that one, why the run did
// not compile it; "" if there is none.
func (r *CargoRun) LeftOutBeside(path string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	own := r.packageOfLocked(path)
	if own == nil {
		return ""
	}
	for _, folder := range membersOf(filepath.Dir(path)) {
		p := r.packageLocked(folder)
		if p == nil || p == own || !r.needsLocked(p, own, nil) {
			continue
		}
		for _, t := range p.targets {
			// What needs features that are off is not built at all.
			if why := r.missedLocked(t); why != "" && len(t.features) == 0 {
				return why
			}
		}
	}
	return ""
}

// needsLocked reports whether a package is compiled with another one, which may be a dependency of a dependency.
func (r *CargoRun) needsLocked(p, other *cargoPackage, seen []*cargoPackage) bool {
	if slices.Contains(seen, p) {
		return false
	}
	seen = append(slices.Clip(seen), p)
	for _, folder := range slices.Concat(p.needs, p.testNeeds) {
		if need := r.packageLocked(folder); need != nil && (need == other || r.needsLocked(need, other, seen)) {
			return true
		}
	}
	return false
}

// packageOfLocked returns the package that a file is in, nil if there is none.
func (r *CargoRun) packageOfLocked(path string) *cargoPackage {
	for _, folder := range upTo(filepath.Dir(path), string(filepath.Separator)) {
		if p := r.packageLocked(folder); p != nil {
			return p
		}
	}
	return nil
}

func (r *CargoRun) packageLocked(folder string) *cargoPackage {
	p, known := r.packages[folder]
	if !known {
		p = readCargo(folder)
		r.packages[folder] = p
	}
	return p
}

// times returns how often the run told that it compiled a target.
func (r *CargoRun) times(t *cargoTarget) int {
	return r.compiled[t.name+" "+t.kind] + r.compiled[t.name+" "]
}

// errorsLocked reports whether errors were found in files of a target, and whether some of these are of no other target.
func (r *CargoRun) errorsLocked(t *cargoTarget) (some, own bool) {
	for _, path := range r.broken {
		if p := r.packageOfLocked(path); p == t.of {
			of := p.containing(path)
			has := slices.Contains(of, t)
			some, own = some || has, own || has && len(of) == 1
		}
	}
	return some, own
}

// missedLocked says why a target was not compiled, or not with its tests; "" if it was.
func (r *CargoRun) missedLocked(t *cargoTarget) string {
	isTest := t.kind != cargoLib && t.kind != cargoBin && t.kind != cargoBuilds
	did := "cargo did not check " + t.String()
	if t.kind == cargoBuilds && slices.Contains(r.scripts, t.of.name) {
		return "cargo did not check crate " + t.of.name + " because its build script fails"
	}
	if times := r.times(t); times > 0 {
		if (t.kind == cargoLib || t.kind == cargoBin) && times == 1 {
			if dev := r.failingLocked(t.of.testNeeds, nil); dev != nil {
				return "cargo did not check the tests in " + t.String() + " because their dependency " + dev.name + r.failureLocked(dev)
			}
		}
		return ""
	}
	some, own := r.errorsLocked(t)
	if own || t.kind == cargoBuilds && !r.told {
		return ""
	}
	if script := t.of.named(cargoBuilds); script != nil && t != script && slices.Contains(r.broken, script.root) {
		return did + " because its build script does not compile"
	}
	if slices.Contains(r.scripts, t.of.name) {
		return did + " because its build script fails"
	}
	needs := t.of.needs
	if isTest {
		needs = append(slices.Clip(needs), t.of.testNeeds...)
	}
	if failing := r.failingLocked(needs, []*cargoPackage{t.of}); failing != nil {
		return did + " because its dependency " + failing.name + r.failureLocked(failing)
	}
	if lib := t.of.named(cargoLib); lib != nil && (isTest || t.kind == cargoBin) {
		if broken, _ := r.errorsLocked(lib); broken && r.times(lib) == 0 {
			return did + " because the library of its package does not compile"
		}
	}
	switch {
	case some || !r.told:
		return ""
	case len(t.features) > 0:
		return did + ": it needs the features " + strings.Join(t.features, ", ")
	case len(r.scripts) > 0:
		return did + "; the build script of " + r.scripts[0] + " fails"
	}
	return did + "; see what `cargo check` says"
}

// failingLocked returns a package whose library was not compiled, of those in some folders and of those that they depend on
// in turn, and with no such dependency of its own; nil if there is none.
func (r *CargoRun) failingLocked(folders []string, seen []*cargoPackage) *cargoPackage {
	for _, folder := range folders {
		p := r.packageLocked(folder)
		if p == nil || slices.Contains(seen, p) {
			continue
		}
		lib := p.named(cargoLib)
		if lib == nil || r.times(lib) > 0 {
			continue
		}
		if deeper := r.failingLocked(p.needs, append(slices.Clip(seen), p)); deeper != nil {
			return deeper
		}
		if broken, _ := r.errorsLocked(lib); broken || r.told {
			return p
		}
	}
	return nil
}

// failureLocked says what is the matter with a package whose library was not compiled.
func (r *CargoRun) failureLocked(p *cargoPackage) string {
	script := p.named(cargoBuilds)
	switch broken, _ := r.errorsLocked(p.named(cargoLib)); {
	case broken:
		return " does not compile"
	case script != nil && slices.Contains(r.broken, script.root):
		return " has a build script that does not compile"
	case slices.Contains(r.scripts, p.name):
		return " has a build script that fails"
	}
	return " was not compiled"
}

// String names the target in a sentence.
func (t *cargoTarget) String() string {
	switch {
	case t.kind == cargoBuilds:
		return "the build script of crate " + t.of.name
	case t.kind == cargoLib, t.kind == cargoBin && t.name == crateName(t.of.name):
		return "crate " + t.of.name
	}
	return fmt.Sprintf("%s %s of crate %s", t.kind, t.name, t.of.name)
}
