package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/e2e/large"
)

// A Symbol is a function that many files of a project use.
type Symbol struct {
	Name string
	// Declared and Used are places of its name.
	Declared, Used Place
}

// A Place is as the protocol counts: from 0, in UTF-16 units.
type Place struct {
	// File is an absolute path.
	File            string
	Line, Character int
}

// Navigable says whether the scenario's project has a Symbol to ask about: of
// several scenarios with one project, only one does.
func (s Scenario) Navigable() bool { return s.symbol.name != "" }

// Symbol finds the symbol of a written project.
func (s Scenario) Symbol(p Project) (Symbol, error) {
	declared, err := s.symbol.declared.find(p.Root, s.symbol.name)
	if err != nil {
		return Symbol{}, err
	}
	used, err := s.symbol.used.find(p.Root, s.symbol.name)
	return Symbol{s.symbol.name, declared, used}, err
}

// A spot is where to look for a symbol: the first place of a text, which has its
// name, in a file.
type spot struct{ file, text string }

type spots struct {
	name           string
	declared, used spot
}

func (s spot) find(root, name string) (Place, error) {
	file := filepath.Join(root, filepath.FromSlash(s.file))
	content, err := os.ReadFile(file)
	if err != nil {
		return Place{}, err
	}
	for i, line := range strings.Split(string(content), "\n") {
		if at := strings.Index(line, s.text); at >= 0 {
			// What we look for stands in ASCII.
			return Place{file, i, at + strings.Index(s.text, name)}, nil
		}
	}
	return Place{}, fmt.Errorf("%s has no %q", s.file, s.text)
}

// goSymbol is packages.Load.
func goSymbol() spots {
	return spots{"Load", spot{goFile, "func Load("}, spot{"cmd/stringer/stringer.go", "packages.Load("}}
}

// The symbols of the generated projects are functions of the hub; its first
// dependant is the next module.

func typeScriptSymbol() spots {
	name := fmt.Sprintf("combine%d", hub)
	return spots{name, spot{typeScriptName(hub) + ".ts", "function " + name + "("}, spot{typeScriptName(hub+1) + ".ts", "= " + name + "("}}
}

func pythonSymbol() spots {
	name := fmt.Sprintf("combine%d", hub)
	return spots{name, spot{pythonName(hub), "def " + name + "("}, spot{pythonName(hub + 1), "= " + name + "("}}
}

func cppSymbol() spots {
	const name = "Combine"
	return spots{name, spot{cppSource(hub), "Item " + name + "("}, spot{cppSource(hub + 1), fmt.Sprintf("module%d::%s(", hub, name)}}
}

// largeSymbol is the function that a large project shares.
func largeSymbol(generate func(large.Size) *large.Tree) spots {
	one := spot{generate(large.Full).Core, "shared("}
	return spots{"shared", one, one}
}
