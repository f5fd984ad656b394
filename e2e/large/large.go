// Package large generates workspaces of thousands of files in many packages, which import
// each other by relative paths and by package names and share one function that hundreds
// of them call. The same numbers give the same files.
package large

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Size is how much there is of everything.
type Size struct {
	// Modules is the number of source files, without those that only re-export; they are
	// divided among so many packages.
	Modules, Packages int
	// Users is the number of modules that call the shared function.
	Users int
	// Projects says that each package has a project of its own (TypeScript's tsconfig.json), where all are one otherwise.
	Projects bool
}

// Full is the size of a large project. The benchmark may change it before it begins.
var Full = Size{Modules: 4940, Packages: 60, Users: 240}

// A Tree is a generated workspace.
type Tree struct {
	// Files are the texts, by paths with slashes; Links are the targets of links.
	Files, Links map[string]string
	// Core is the file that declares the shared function, Users are those that call it,
	// once each, in order.
	Core  string
	Users []string

	signature, parameter, optional string
}

// Broken returns a text of the core file in which the function has another parameter, so
// that every call of it is wrong. Mended returns one in which that is optional. No two
// names give the same text.
func (t *Tree) Broken(name string) string { return t.core(fmt.Sprintf(t.parameter, name)) }

// Mended returns a text of the core file with which no call is wrong.
func (t *Tree) Mended(name string) string { return t.core(fmt.Sprintf(t.optional, name)) }

func (t *Tree) core(parameter string) string {
	return strings.Replace(t.Files[t.Core], t.signature, t.signature+parameter, 1)
}

// Write writes the tree into a folder.
func (t *Tree) Write(root string) error {
	for _, name := range sorted(t.Files) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(t.Files[name]), 0o644); err != nil {
			return err
		}
	}
	for _, name := range sorted(t.Links) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(t.Links[name], path); err != nil {
			return err
		}
	}
	return nil
}

func sorted(m map[string]string) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// hub is the module of the first package that declares the shared function.
const hub = 3

// A module is one source file: its package, its number there, and the modules that it
// imports.
type module struct {
	pack, number int
	imports      []int
	user         bool
}

// modules draws who imports whom: neighbours in the package and, less often, modules of
// packages before it. Packages do not import each other in cycles.
func (s Size) modules() []module {
	random := rand.New(rand.NewPCG(5, 60))
	per := s.Modules / s.Packages
	all := make([]module, 0, per*s.Packages)
	for i := range per * s.Packages {
		m := module{pack: i / per, number: i % per}
		for range 1 + random.IntN(3) {
			to := i - 1 - random.IntN(min(per, 20))
			if random.IntN(4) == 0 && i > 0 {
				to = random.IntN(i)
			}
			if to >= 0 && to != hub && !slices.Contains(m.imports, to) {
				m.imports = append(m.imports, to)
			}
		}
		slices.Sort(m.imports)
		all = append(all, m)
	}
	for n := range s.Users { // all over the tree, more of them near the core
		all[hub+1+n*n*(len(all)-hub-2)/max(1, (s.Users-1)*(s.Users-1))].user = true
	}
	for n, missing := hub+1, s.Users-users(all); missing > 0; n++ { // where two fell together
		if !all[n].user {
			all[n].user, missing = true, missing-1
		}
	}
	return all
}

func users(all []module) (n int) {
	for _, m := range all {
		if m.user {
			n++
		}
	}
	return n
}
