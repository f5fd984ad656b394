package install

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

//go:embed locks launchers
var builtin embed.FS

func builtinLocks() fs.FS {
	locks, err := fs.Sub(builtin, "locks")
	if err != nil {
		panic(err) // the name is a constant
	}
	return locks
}

// lockNames returns the files with the checksums of a pin and all that it depends on.
func lockNames(p *registry.Pin) []string {
	switch {
	case p.Kind.ByNPM():
		return []string{p.Folder() + ".json"}
	case p.Kind == registry.FromGo:
		return []string{p.Folder() + ".mod", p.Folder() + ".sum"}
	}
	return nil
}

// launcher returns the script that starts a program which has none of its own.
func launcher(program registry.PinnedProgram) ([]byte, error) {
	name, ours := strings.CutPrefix(program.File, "bin/")
	if !ours {
		return nil, fs.ErrNotExist
	}
	return builtin.ReadFile(path.Join("launchers", name))
}

// A Way says how a server is installed.
type Way struct {
	ID      string `json:"id"`
	Version string `json:"version,omitempty"`
	// By is the program that installs it, such as npm.
	By string `json:"by"`
	// Packages are name@version.
	Packages []string `json:"packages"`
	// Needs are the programs that must be on PATH, to install it or to run it.
	Needs []string `json:"needs"`
	// Scripts says that install scripts of the packages run.
	Scripts bool `json:"scripts,omitempty"`
}

// WayOf returns how a server is installed here; found is false for one that we cannot.
func WayOf(id string) (w Way, found bool) {
	p, pinned := registry.PinOf(id)
	if _, known := registry.Builtin().Get(id); !pinned || !known {
		return Way{}, false
	}
	return wayOf(&p), true
}

func wayOf(p *registry.Pin) Way {
	_, version := p.Package()
	w := Way{ID: p.ID, Version: version, Packages: p.Packages, Scripts: p.Kind == registry.Scripted}
	w.By, _ = p.Kind.Tool()
	if w.Needs = []string{w.By}; p.Kind.ByNPM() {
		w.Needs = append(w.Needs, "node")
	}
	for _, need := range p.Needs {
		if !slices.Contains(w.Needs, need) {
			w.Needs = append(w.Needs, need)
		}
	}
	return w
}

// Ways returns how every server is installed that can be here, by id.
func Ways() []Way {
	known := registry.Builtin()
	var all []Way
	for _, p := range registry.Pins() {
		if pin, here := registry.PinOf(p.ID); here {
			if _, is := known.Get(p.ID); is {
				all = append(all, wayOf(&pin))
			}
		}
	}
	slices.SortFunc(all, func(a, b Way) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
