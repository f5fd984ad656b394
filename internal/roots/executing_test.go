package roots

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// People are told of the servers that would run something of a folder: those that have files there and can be started, in the
// order of the table, and whatever those need to be of use.
func TestWhatWouldRun(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"builds", "reads", "needs", "unknown", "off", "named"} {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		lsptest.WriteFile(t, filepath.Join(bin, name), "#!/bin/sh\n")
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	of := func(id, pattern string, what registry.Execution, change func(d *registry.Definition)) registry.Definition {
		d := registry.Definition{
			ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{pattern}}}, Commands: []registry.Command{{Binary: "none"}, {Binary: id}},
			Executes: registry.Executes{What: what},
		}
		if change(&d); what == registry.ExecutesBuilds {
			d.Executes.How = "builds of " + id
		}
		return d
	}
	as := func(*registry.Definition) {}
	table := registry.Table{
		of("reads", ".x", registry.ExecutesNothing, as), of("unknown", ".x", registry.ExecutesUnknown, as), of("builds", ".x", registry.ExecutesBuilds, as),
		of("needs", ".x", registry.ExecutesBuilds, func(d *registry.Definition) { d.Requires = []string{"needs.json", "needs.*.js"} }),
		of("off", ".x", registry.ExecutesBuilds, func(d *registry.Definition) { d.Disabled = true }),
		of("named", ".x", registry.ExecutesBuilds, func(d *registry.Definition) { d.OptIn = true }),
		of("missing", ".x", registry.ExecutesBuilds, as), of("own", ".x", "", as), of("other", ".y", registry.ExecutesBuilds, as),
	}
	unknown, builds, needs := Execution{"unknown", "nobody knows what"}, Execution{"builds", "builds of builds"}, Execution{"needs", "builds of needs"}
	var many strings.Builder
	for i := range maxGlimpsed {
		fmt.Fprintf(&many, "-- many/%d.txt --\n", i)
	}
	for name, c := range map[string]struct {
		archive string
		want    []Execution
	}{
		"nothing":                       {"-- a.txt --\n", nil},
		"its files":                     {"-- a.x --\n", []Execution{unknown, builds}},
		"deep in folders":               {"-- a/b/c.x --\n", []Execution{unknown, builds}},
		"what it needs is there":        {"-- a.x --\n-- b/needs.json --\n", []Execution{unknown, builds, needs}},
		"what it needs, by a glob":      {"-- a.x --\n-- needs.a.js --\n", []Execution{unknown, builds, needs}},
		"what it needs without files":   {"-- needs.json --\n", nil},
		"in folders of others":          {"-- node_modules/a.x --\n-- .git/a.x --\n-- target/a.x --\n-- vendor/b/a.x --\n-- .venv/a.x --\n", nil},
		"no folder":                     {"-- a.x/b.txt --\n", nil},
		"its program is not there":      {"-- a.y --\n", nil},
		"far from the first of so many": {"-- a.x --\n-- many/below/needs.json --\n" + many.String(), []Execution{unknown, builds}},
	} {
		if diff := cmp.Diff(c.want, Executing(lsptest.Workspace(t, c.archive), table, noPrograms{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]Execution{{"other", "builds of other"}}, Executing(lsptest.Workspace(t, "-- a.y --\n"), table, installedAs("other"))); diff != "" {
		t.Errorf("one that lspine installed (-want +got):\n%s", diff)
	}
	if found := Executing(filepath.Join(bin, "gone"), table, noPrograms{}); found != nil {
		t.Errorf("in a folder that is not there: %v", found)
	}
}

// installedAs is a store of one program.
type installedAs string

func (i installedAs) Find(name string) (path string, runs []string) {
	if name != string(i) {
		return "", nil
	}
	return lsptest.Rooted("/store/" + name), nil
}

func (installedAs) Hold(string) func() { return func() {} }
