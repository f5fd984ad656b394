package roots

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server is shown the files of its scope alone: globs from the root of the workspace.
func TestScopeOfAServer(t *testing.T) {
	f := open(t, "-- a.toy --\n", Options{})
	d := &registry.Definition{Within: []string{"src/**", "*.toy"}}
	for name, want := range map[string]bool{"a.toy": true, "src/a/b.go": true, "a.go": false, "sub/a.toy": false, "src.go": false} {
		if got := f.Within(d, filepath.Join(f.opts.Root, filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %t", name, got)
		}
		if !f.Within(&registry.Definition{}, filepath.Join(f.opts.Root, name)) {
			t.Errorf("%s is not in the scope of a server that has none", name)
		}
	}
}

// Of the servers of a file, those are asked that have it in their scope, and those that have none; if nobody is left,
// the others are listed with that reason.
func TestCandidatesByScope(t *testing.T) {
	everywhere, scoped := lsptest.Script{ID: "everywhere"}.Definition(t), lsptest.Script{ID: "scoped"}.Definition(t)
	scoped.Within = []string{"src/**"}
	const outside = " disabled: the file is outside of the scope that the configuration gives it"
	for name, c := range map[string]struct {
		servers registry.Table
		want    map[string][]string
	}{
		"both": {registry.Table{everywhere, scoped}, map[string][]string{"a.toy": {"everywhere"}, "src/a.toy": {"everywhere", "scoped"}}},
		"one":  {registry.Table{scoped}, map[string][]string{"a.toy": {"scoped" + outside}, "src/a.toy": {"scoped"}}},
	} {
		f := open(t, "-- toy.root --\n-- a.toy --\n-- src/a.toy --\n", Options{Servers: c.servers})
		got := make(map[string][]string)
		for file := range c.want {
			for _, candidate := range f.Candidates(filepath.Join(f.opts.Root, filepath.FromSlash(file))) {
				text := candidate.Definition.ID
				if u := candidate.Unavailable; u != nil {
					text += fmt.Sprintf(" %s: %s", u.State, u.Reason)
				}
				got[file] = append(got[file], text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What stands above the root is found from the nearest folder on, whatever the order of its names.
func TestMarkersAboveTheRoot(t *testing.T) {
	dir, err := fspath.Follow(lsptest.Workspace(t, "-- far.mark --\n-- mid/near.mark --\n-- mid/far.mark/x --\n-- mid/root/a.go --\n-- mid/root/own.mark --\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, "", Options{Root: filepath.Join(dir, "mid", "root")})
	type found struct{ Folder, Marker string }
	for _, c := range []struct {
		markers []string
		want    found
	}{
		{[]string{"far.mark", "near.mark"}, found{filepath.Join(dir, "mid"), "near.mark"}},
		{[]string{"far.mark"}, found{dir, "far.mark"}},
		{[]string{"own.mark", "no such mark at all"}, found{}},
	} {
		folder, marker := f.Above(c.markers)
		if diff := cmp.Diff(c.want, found{folder, marker}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.markers, diff)
		}
	}
}

// A project that needs a newer Go than there is lacks it, and one that prefers one is judged with what there is;
// either is told only where no other is downloaded.
func TestGoOfAProject(t *testing.T) {
	const installed = "-- go/VERSION --\ngo1.24.1\ntime x\n-- go/bin/go --\n"
	const lacks, prefers = "go.mod needs go1.99, and go1.24.1 is installed: no other is downloaded without being asked; run go version in .", "gopls judges with go1.24.1; go.mod prefers go1.98, which is not downloaded without being asked"
	for name, c := range map[string]struct {
		module, setting string
		lacks, prefers  string
		local           bool
	}{
		"it is new enough":       {"go 1.24\n", "", "", "", true},
		"it is too old":          {"go 1.99\n", "", lacks, "", true},
		"it is too old, locally": {"go 1.99\n", "local", lacks, "", true},
		"another is got":         {"go 1.99\n", "go1.99+auto", "", "", false},
		"another is preferred":   {"go 1.24\ntoolchain go1.98\n", "auto", "", prefers, true},
		"another one is taken":   {"go 1.24\ntoolchain go1.98\n", "path", "", "", false},
		"both":                   {"go 1.99\ntoolchain go1.99.1\n", "local", lacks, "", true},
	} {
		tools := lsptest.Workspace(t, installed)
		f := open(t, "-- go.mod --\nmodule m\n\n"+c.module, Options{
			Environ:  []string{"GOTOOLCHAIN=" + c.setting, "GOMODCACHE=" + filepath.Join(tools, "cache"), "GOENV=off"},
			LookPath: func(string) (string, error) { return filepath.Join(tools, "go", "bin", "go"), nil },
		})
		gopls, _ := registry.Builtin().Get("gopls")
		candidate := &Candidate{Definition: gopls, Root: f.opts.Root, Marker: "go.mod"}
		var local []string
		if c.local {
			local = []string{"GOTOOLCHAIN=local"}
		}
		got := [][]string{{f.LacksGo(candidate)}, {f.PrefersGo(candidate)}, f.GoEnvironment(candidate)}
		if diff := cmp.Diff([][]string{{c.lacks}, {c.prefers}, local}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for what, other := range map[string]*Candidate{"without a module": {Definition: gopls, Root: f.opts.Root}, "another server": {Definition: registry.Definition{ID: "toy"}, Root: f.opts.Root, Marker: "go.mod"}} {
			if _, known := f.Toolchain(other); known || f.LacksGo(other)+f.PrefersGo(other) != "" {
				t.Errorf("%s, %s: its Go is known", name, what)
			}
		}
	}
	f := open(t, "-- go.mod --\nmodule m\n\ngo 1.99\n", Options{Environ: []string{}, LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	gopls, _ := registry.Builtin().Get("gopls")
	if _, known := f.Toolchain(&Candidate{Definition: gopls, Root: f.opts.Root, Marker: "go.mod"}); known {
		t.Error("the Go is known that is not installed")
	}
}

// A server is told where the packages of a Python project are: their folders or, where what the project brings may
// run, its interpreter; nothing where there are none, or where the project says so itself.
func TestPackagesAreTold(t *testing.T) {
	packages, interpreter := ".venv/lib/python3.11/site-packages", ".venv/bin/python"
	if runtime.GOOS == "windows" {
		packages, interpreter = ".venv/Lib/site-packages", ".venv/Scripts/python.exe"
	}
	venv := "-- a.py --\n-- .venv/pyvenv.cfg --\n-- " + packages + "/six.py --\n-- " + interpreter + " --\n"
	pylsp, _ := registry.Builtin().Get("pylsp")
	for name, c := range map[string]struct {
		archive string
		trusted bool
		want    string
	}{
		"its folders":     {venv, false, `{"pylsp":{"plugins":{"jedi":{"extra_paths":["ROOT/` + packages + `"]}}}}`},
		"its interpreter": {venv, true, `{"pylsp":{"plugins":{"jedi":{"environment":"ROOT/` + interpreter + `"}}}}`},
		"none":            {"-- a.py --\n", true, ""},
	} {
		f := open(t, c.archive, Options{Environ: []string{}, Trusted: c.trusted})
		got := strings.ReplaceAll(string(f.SettingsOf(&pylsp)(f.opts.Root)), lsptest.InJSON(f.opts.Root), "ROOT")
		if diff := cmp.Diff(c.want, strings.ReplaceAll(got, `\\`, "/")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if f.SettingsOf(&registry.Definition{ID: "toy"}) != nil {
			t.Errorf("%s: a server is told that asks for nothing", name)
		}
	}
}
