package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// Files that mention a text are found whatever its case, as many as are wanted; where not all were read one of the
// others may.
func TestFilesThatMentionAText(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.toy --\nuse Helper\n-- b.toy --\nuse other\n-- c.toy --\nHELPER\n-- d.toy/x --\n")
	in := func(name string) string { return filepath.Join(root, name) }
	lsptest.WriteFile(t, in("large.toy"), "large"+strings.Repeat(" ", maxScannedSize-len("large")+1))
	lsptest.WriteFile(t, in("full.toy"), "full"+strings.Repeat(" ", maxScannedSize-len("full")))
	s := &Sample{Path: in("b.toy"), files: []string{in("gone.toy"), in("a.toy"), in("b.toy"), in("c.toy"), in("d.toy"), in("large.toy"), in("full.toy")}}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		text string
		most int
		all  []string
		one  string
	}{
		{t.Context(), "hELPER", 9, []string{in("a.toy"), in("c.toy")}, in("a.toy")},
		{t.Context(), "helper", 1, []string{in("a.toy")}, in("a.toy")},
		{t.Context(), "full", 9, []string{in("full.toy")}, in("full.toy")},
		{t.Context(), "large", 9, nil, ""},
		{over, "helper", 9, nil, in("b.toy")},
	} {
		if diff := cmp.Diff(c.all, s.AllMentioning(c.ctx, c.text, c.most)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
		if got := s.Mentioning(c.ctx, c.text); got != c.one {
			t.Errorf("%s: %q, want %q", c.text, got, c.one)
		}
	}
	many := &Sample{Path: "first", files: slices.Repeat([]string{in("b.toy")}, maxScanned)}
	if got := many.Mentioning(t.Context(), "helper"); got != "" {
		t.Errorf("as many as are read: %q", got)
	}
	many.files = append(many.files, in("a.toy"))
	if got := many.Mentioning(t.Context(), "helper"); got != "first" {
		t.Errorf("more than are read: %q", got)
	}
}

// A server is shown the files of its scope alone: globs from the root of the workspace.
func TestScopeOfAServer(t *testing.T) {
	w := open(t, "-- a.toy --\n", Options{})
	d := &registry.Definition{Within: []string{"src/**", "*.toy"}}
	for name, want := range map[string]bool{"a.toy": true, "src/a/b.go": true, "a.go": false, "sub/a.toy": false, "src.go": false} {
		if got := w.Within(d, filepath.Join(w.Root(), filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %t", name, got)
		}
		if !w.Within(&registry.Definition{}, filepath.Join(w.Root(), name)) {
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
		w := open(t, "-- toy.root --\n-- a.toy --\n-- src/a.toy --\n", Options{Servers: c.servers})
		got := make(map[string][]string)
		for file := range c.want {
			for _, candidate := range w.Candidates(filepath.Join(w.Root(), filepath.FromSlash(file))) {
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
	w := open(t, "", Options{Root: filepath.Join(dir, "mid", "root")})
	type found struct{ Folder, Marker string }
	for _, c := range []struct {
		markers []string
		want    found
	}{
		{[]string{"far.mark", "near.mark"}, found{filepath.Join(dir, "mid"), "near.mark"}},
		{[]string{"far.mark"}, found{dir, "far.mark"}},
		{[]string{"own.mark", "no such mark at all"}, found{}},
	} {
		folder, marker := w.Above(c.markers)
		if diff := cmp.Diff(c.want, found{folder, marker}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.markers, diff)
		}
	}
}

// Failures tell callers their kind, and what they are about.
func TestKindsOfFailures(t *testing.T) {
	type failure struct {
		Kind result.Kind
		Data result.Data
	}
	for _, c := range []struct {
		err  interface{ Kind() result.Kind }
		want failure
	}{
		{&NotDiagnosedError{}, failure{Kind: result.Argument}},
		{&NotFoundError{Path: "a"}, failure{result.NotFound, result.Data{Path: "a"}}},
		{&OutsideWorkspaceError{Path: "a", Target: "/b"}, failure{result.Outside, result.Data{Path: "a", Target: "/b"}}},
		{&UnavailableError{ID: "toy", Reason: "gone", Install: []string{"get toy"}}, failure{result.Unavailable, result.Data{Server: "toy", Reason: "gone", Install: []string{"get toy"}}}},
	} {
		got := failure{Kind: c.err.Kind()}
		if with, ok := c.err.(interface{ Data() result.Data }); ok {
			got.Data = with.Data()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.err, diff)
		}
	}
	cause := errors.New("too many")
	if deaf := (&disk.DeafError{Root: "/r", Cause: cause}); !errors.Is(deaf, cause) || !strings.Contains(deaf.Error(), "/r") {
		t.Errorf("%v", deaf)
	}
}

// Who asks to hear of servers hears of each use, and nobody else does.
func TestUsesAreNoted(t *testing.T) {
	var heard []Key
	ctx := Noting(t.Context(), func(key Key) { heard = append(heard, key) })
	a, b := Key{ID: "a", Root: "/r"}, Key{ID: "b", Root: "/r"}
	Note(ctx, a)
	Note(t.Context(), b)
	Note(ctx, b)
	Note(ctx, a)
	if diff := cmp.Diff([]Key{a, b, a}, heard); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Go files that are not built on this machine are told with the reason, from their names or their conditions; those
// that are in no build are none of them.
func TestGoFilesThatAreNotBuilt(t *testing.T) {
	gopls, _ := registry.Builtin().Get("gopls")
	w := open(t, "-- go.mod --\nmodule m\n-- a.go --\npackage m\n-- a_plan9.go --\npackage m\n-- sub/tagged.go --\n//go:build plan9\n\npackage sub\n-- sub/other_name.go --\npackage sub\n"+
		"-- testdata/b_plan9.go --\npackage b\n-- _old/c_plan9.go --\npackage c\n-- sub/testdata/d_plan9.go --\npackage d\n-- text_plan9.txt --\n", Options{Servers: registry.Table{gopls}, Environ: append(os.Environ(), "GOFLAGS=")})
	if err := w.Remember(t.Context()); err != nil {
		t.Fatal(err)
	}
	names := func() (names []string) {
		for path, built := range w.NotBuilt() {
			if built.Here || built.Because == "" {
				t.Errorf("%s: %+v", path, built)
			}
			names = append(names, w.Relative(path))
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff([]string{"a_plan9.go", "sub/tagged.go"}, names()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	lsptest.WriteFile(t, filepath.Join(w.Root(), "sub", "tagged.go"), "package sub\n")
	if _, err := w.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a_plan9.go"}, names()); diff != "" {
		t.Errorf("when its condition is gone (-want +got):\n%s", diff)
	}
	path := filepath.Join(w.Root(), "x.go")
	if here, gone := w.Built(path, []byte("package m\n")), w.Built(path, []byte("//go:build plan9\n\npackage m\n")); !here.Here || gone.Here {
		t.Errorf("%+v, %+v", here, gone)
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
		w := open(t, "-- go.mod --\nmodule m\n\n"+c.module, Options{
			Environ:  []string{"GOTOOLCHAIN=" + c.setting, "GOMODCACHE=" + filepath.Join(tools, "cache"), "GOENV=off"},
			LookPath: func(string) (string, error) { return filepath.Join(tools, "go", "bin", "go"), nil },
		})
		gopls, _ := registry.Builtin().Get("gopls")
		candidate := &Candidate{Definition: gopls, Root: w.Root(), Marker: "go.mod"}
		var local []string
		if c.local {
			local = []string{"GOTOOLCHAIN=local"}
		}
		got := [][]string{{w.LacksGo(candidate)}, {w.PrefersGo(candidate)}, w.goEnvironment(candidate)}
		if diff := cmp.Diff([][]string{{c.lacks}, {c.prefers}, local}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for what, other := range map[string]*Candidate{"without a module": {Definition: gopls, Root: w.Root()}, "another server": {Definition: registry.Definition{ID: "toy"}, Root: w.Root(), Marker: "go.mod"}} {
			if _, known := w.Toolchain(other); known || w.LacksGo(other)+w.PrefersGo(other) != "" {
				t.Errorf("%s, %s: its Go is known", name, what)
			}
		}
	}
	w := open(t, "-- go.mod --\nmodule m\n\ngo 1.99\n", Options{Environ: []string{}, LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	gopls, _ := registry.Builtin().Get("gopls")
	if _, known := w.Toolchain(&Candidate{Definition: gopls, Root: w.Root(), Marker: "go.mod"}); known {
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
		w := open(t, c.archive, Options{Environ: []string{}, Trusted: c.trusted})
		got := strings.ReplaceAll(string(w.settingsOf(&pylsp)(w.Root())), lsptest.InJSON(w.Root()), "ROOT")
		if diff := cmp.Diff(c.want, strings.ReplaceAll(got, `\\`, "/")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if w.settingsOf(&registry.Definition{ID: "toy"}) != nil {
			t.Errorf("%s: a server is told that asks for nothing", name)
		}
	}
}

// Names lead to files and back, each caller's from its own folder; what is no file of the workspace is no name.
func TestNamesOfFiles(t *testing.T) {
	w := open(t, "-- sub/a.toy --\n-- b.toy --\n", Options{})
	sub, a, b := filepath.Join(w.Root(), "sub"), filepath.Join(w.Root(), "sub", "a.toy"), filepath.Join(w.Root(), "b.toy")
	n := w.Names(sub)
	for name, want := range map[string]string{"a.toy": a, "../b.toy": b, "": sub} {
		if got, err := n.Resolve(name); err != nil && name != "" || got != want && name != "" {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	var outside *OutsideWorkspaceError
	if _, err := n.Resolve("../../c.toy"); !errors.As(err, &outside) {
		t.Errorf("outside: %v", err)
	}
	if diff := cmp.Diff([][]string{{"a.toy", "../b.toy"}, {a, b}}, [][]string{n.Relatives([]string{a, b}), n.Absolute().Relatives([]string{a, b})}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
