package project_test

import (
	"os"
	"strings"
	"testing"

	"github.com/lspine/lspine/bench/project"
)

// The places of a symbol hold its name. Each server has one project to navigate.
func TestSymbolsAreWhereTheyShouldBe(t *testing.T) {
	seen := make(map[string]bool)
	for _, scenario := range project.Scenarios() {
		if !scenario.Navigable() {
			continue
		}
		for _, id := range scenario.Servers {
			if seen[id] {
				t.Errorf("%s has several", id)
			}
			seen[id] = true
		}
		p, err := scenario.Write(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		symbol, err := scenario.Symbol(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []project.Place{symbol.Declared, symbol.Used} {
			text, err := os.ReadFile(place.File)
			if err != nil {
				t.Fatal(err)
			}
			line := strings.Split(string(text), "\n")[place.Line]
			if !strings.HasPrefix(line[place.Character:], symbol.Name+"(") {
				t.Errorf("%+v is not of %s: %q", place, symbol.Name, line)
			}
		}
	}
	if len(seen) != 5 {
		t.Errorf("servers with a project: %v", seen)
	}
}
