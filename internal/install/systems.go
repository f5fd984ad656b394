package install

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

// A SystemError says that the checksums are known of a server's program for other systems, but not for
// this one, in the form of GOOS/GOARCH.
type SystemError struct{ ID, System string }

func (e *SystemError) Error() string {
	return fmt.Sprintf("%s: no checksum is known of its program for %s; nothing was installed", e.ID, e.System)
}

// Hint says how else to get it.
func (e *SystemError) Hint() string {
	d, _ := registry.Builtin().Get(e.ID)
	for _, way := range d.Install {
		if !strings.HasPrefix(way, "lspine ") {
			return way
		}
	}
	return "lspine servers says how to get each one"
}

// A locked is a package in a lock of npm.
type locked struct {
	Optional     map[string]string `json:"optionalDependencies"`
	Systems      []string          `json:"os"`
	Architecture []string          `json:"cpu"`
}

// npmNames are the names of npm where it has others than Go.
var npmNames = map[string]string{"windows": "win32", "amd64": "x64", "386": "ia32"}

// locksSystem reports whether a lock has the programs of its packages for a system. Packages with
// programs bring them as optional ones, of which each is for one system; what they need in turn does
// not count.
func locksSystem(p *registry.Pin, lock []byte, system, architecture string) (bool, error) {
	if p.Kind != registry.Native && p.Kind != registry.Scripted {
		return true, nil
	}
	var all struct{ Packages map[string]locked }
	if err := json.Unmarshal(lock, &all); err != nil {
		return false, err
	}
	is := func(list []string, name string) bool {
		if other, has := npmNames[name]; has {
			name = other
		}
		return len(list) == 0 || slices.Contains(list, name)
	}
	for _, pack := range p.Packages {
		programs, fitting := 0, 0
		for name := range all.Packages["node_modules/"+pack[:strings.LastIndexByte(pack, '@')]].Optional {
			of := all.Packages["node_modules/"+name]
			if len(of.Systems) > 0 {
				programs++
			}
			if len(of.Systems) > 0 && is(of.Systems, system) && is(of.Architecture, architecture) {
				fitting++
			}
		}
		if programs > 0 && fitting == 0 {
			return false, nil
		}
	}
	return true, nil
}
