package roots

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// Of a group the servers that are made for the version of a folder come first, in their order; servers of other groups
// and those before the first that judges by a version stay where they are.
func TestServersMadeForAVersion(t *testing.T) {
	server := func(id, group string, judges *registry.Package) *registry.Definition {
		return &registry.Definition{ID: id, Group: group, Judges: judges}
	}
	plain, older, newer := server("plain", "g", nil), server("older", "g", &registry.Package{Name: "x", MinMajor: 2, MaxMajor: 4}), server("newer", "g", &registry.Package{Name: "x", MinMajor: 5})
	newest, apart, other := server("newest", "g", &registry.Package{Name: "x", MinMajor: 5}), server("apart", "h", &registry.Package{Name: "x", MinMajor: 5}), server("other", "g", &registry.Package{Name: "y", MinMajor: 5})
	f := open(t, "", Options{Root: t.TempDir()})
	for _, c := range []struct {
		version string
		list    []*registry.Definition
		want    string
	}{
		{"5.1.0", []*registry.Definition{plain, older, newer}, "plain newer older "},
		{"5.1.0", []*registry.Definition{older, newer, newest}, "newer newest older "},
		{"5.1.0", []*registry.Definition{older, apart}, "older apart "},
		{"5.1.0", []*registry.Definition{older, other, newer}, "newer older other "},
		{"4.9.9", []*registry.Definition{newer, older}, "older newer "},
		{"1.0.0", []*registry.Definition{newer, older}, "newer older "},
		{"", []*registry.Definition{older, newer}, "older newer "},
		{"5.1.0", []*registry.Definition{plain}, "plain "},
		{"5.1.0", nil, ""},
	} {
		d := f.Detection()
		d.packages[packageIn{f.opts.Root, "x"}] = project.NPMPackage{Version: c.version}
		before := append([]*registry.Definition(nil), c.list...)
		got := ""
		for _, definition := range d.preferred(c.list, f.opts.Root) {
			got += definition.ID + " "
		}
		if got != c.want {
			t.Errorf("for %s: %s, want %s", c.version, got, c.want)
		}
		if diff := cmp.Diff(before, c.list, cmp.Comparer(func(a, b *registry.Definition) bool { return a == b })); diff != "" {
			t.Errorf("for %s the list itself changed: %s", c.version, diff)
		}
	}
}

// A server judges with the library of the project where that may run and fits, else with the nearest that is installed;
// one that would take what may not run is not started.
func TestLibraryOfACandidate(t *testing.T) {
	f := open(t, "-- own/lib/main.js --\n-- bare/x --\n", Options{})
	in := func(name string) string { return filepath.Join(f.opts.Root, name) }
	version := func(v, dir string) project.NPMPackage { return project.NPMPackage{Version: v, Dir: dir} }
	four, five := version("4.1.0", "/four"), version("5.1.0", "/five")
	library := &registry.Library{Package: "x", File: "lib/main.js"}
	within, from := &registry.Package{Name: "x", MinMajor: 4, MaxMajor: 6}, &registry.Package{Name: "x", MinMajor: 4}
	none := func(install string) *UnavailableError {
		return &UnavailableError{"toy", Unavailable, "no x is installed that it could judge with (the project's own runs only in a trusted workspace)", []string{install}}
	}
	gone := &UnavailableError{ID: "toy", Reason: "gone"}
	type outcome struct {
		Wanted, Used string
		Dir          string
		Unavailable  *UnavailableError
	}
	for name, c := range map[string]struct {
		definition   registry.Definition
		home         string
		trusted      bool
		base, folder project.NPMPackage // that count in the root and in the folder
		have         []project.NPMPackage
		unavailable  *UnavailableError
		want         outcome
	}{
		"nothing is judged by a version": {registry.Definition{Library: library}, "", true, five, five, nil, nil, outcome{}},
		"a peer":                         {registry.Definition{Judges: within, Library: library, Connect: "x"}, "", true, five, five, nil, nil, outcome{}},
		"it is not there":                {registry.Definition{Judges: within, Library: library}, "", true, five, version("5.0.0", in("own")), nil, gone, outcome{Wanted: "5.0.0", Unavailable: gone}},
		"no library":                     {registry.Definition{Judges: within}, "", true, four, version("5.0.0", in("own")), nil, nil, outcome{Wanted: "5.0.0", Used: "3.3.3"}},
		"its own":                        {registry.Definition{Judges: within, Library: library}, "", true, four, version("5.0.0", in("own")), []project.NPMPackage{four, five}, nil, outcome{Wanted: "5.0.0", Used: "5.0.0", Dir: in("own")}},
		"its own may not run":            {registry.Definition{Judges: within, Library: library}, "", false, four, version("5.0.0", in("own")), []project.NPMPackage{four, five}, nil, outcome{Wanted: "5.0.0", Used: "5.1.0", Dir: "/five"}},
		"its own is too new":             {registry.Definition{Judges: within, Library: library}, "", true, four, version("7.0.0", in("own")), []project.NPMPackage{four, five}, nil, outcome{Wanted: "7.0.0", Used: "5.1.0", Dir: "/five"}},
		"its own is not whole":           {registry.Definition{Judges: within, Library: library}, "", true, five, version("4.0.0", in("bare")), []project.NPMPackage{five, four}, nil, outcome{Wanted: "4.0.0", Used: "4.1.0", Dir: "/four"}},
		"it is only asked for":           {registry.Definition{Judges: within, Library: library}, "", true, five, version("4.0.0", ""), []project.NPMPackage{five, four}, nil, outcome{Wanted: "4.0.0", Used: "4.1.0", Dir: "/four"}},
		"the workspace decides":          {registry.Definition{Judges: within, Library: library}, f.opts.Root, true, version("4.0.0", ""), version("5.0.0", in("own")), []project.NPMPackage{five, four}, nil, outcome{Wanted: "5.0.0", Used: "4.1.0", Dir: "/four"}},
		"the workspace says nothing":     {registry.Definition{Judges: within, Library: library}, f.opts.Root, true, version("", ""), version("5.0.0", in("own")), []project.NPMPackage{five, four}, nil, outcome{Wanted: "5.0.0", Used: "5.0.0", Dir: in("own")}},
		"another home":                   {registry.Definition{Judges: within, Library: library}, in("own"), true, version("4.0.0", ""), version("5.0.0", in("own")), []project.NPMPackage{five, four}, nil, outcome{Wanted: "5.0.0", Used: "5.0.0", Dir: in("own")}},
		"nobody says":                    {registry.Definition{Judges: within, Library: library}, "", true, four, version("", ""), []project.NPMPackage{four, five}, nil, outcome{Used: "5.1.0", Dir: "/five"}},
		"none is installed":              {registry.Definition{ID: "toy", Judges: within, Library: library}, "", false, five, version("5.0.0", in("own")), nil, nil, outcome{Wanted: "5.0.0", Unavailable: none("npm install --global x@6")}},
		"none, and no bound":             {registry.Definition{ID: "toy", Judges: from, Library: library}, "", false, five, version("5.0.0", in("own")), nil, nil, outcome{Wanted: "5.0.0", Unavailable: none("npm install --global x@5")}},
		"none, and its own is not whole": {registry.Definition{ID: "toy", Judges: within, Library: library}, "", false, five, version("5.0.0", in("bare")), nil, nil, outcome{Wanted: "5.0.0"}},
		"none, and it is only asked for": {registry.Definition{ID: "toy", Judges: within, Library: library}, "", false, five, version("5.0.0", ""), nil, nil, outcome{Wanted: "5.0.0"}},
		"none, and its own is too new":   {registry.Definition{ID: "toy", Judges: within, Library: library}, "", true, five, version("7.0.0", in("own")), nil, nil, outcome{Wanted: "7.0.0"}},
	} {
		now := time.Now()
		f.opts.Trusted, f.opts.Now = c.trusted, func() time.Time { return now }
		f.libraries["/bin/toy"] = libraries{[]project.NPMPackage{version("3.3.3", "")}, now}
		f.libraries["/bin/toy\x00x"] = libraries{c.have, now}
		d := f.Detection()
		d.packages[packageIn{f.opts.Root, "x"}], d.packages[packageIn{in("folder"), "x"}] = c.base, c.folder
		candidate := Candidate{Definition: c.definition, Home: c.home, Binary: "/bin/toy", Unavailable: c.unavailable}
		d.equip(&candidate, in("folder"))
		if diff := cmp.Diff(c.want, outcome{candidate.Wanted.Version, candidate.Used.Version, candidate.Used.Dir, candidate.Unavailable}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The libraries of a program are those in the folders above it, the nearest first, if they are whole; the package that
// it is part of is the nearest one, and remembered for a while.
func TestWhatLiesBesideAProgram(t *testing.T) {
	root := open(t, `
-- package.json --
{"version":"0.1.0"}
-- node_modules/x/package.json --
{"version":"1.0.0"}
-- node_modules/x/main.js --
-- a/node_modules/x/package.json --
{"version":"2.0.0"}
-- a/node_modules/x/main.js/folder --
-- a/x/package.json --
{"version":"3.0.0"}
-- a/x/main.js --
-- a/x/bin/toy --
-- a/x/node_modules/y/package.json --
{"version":"4.0.0"}
-- a/x/node_modules/y/bin/toy --
-- bin/toy --
`, Options{}).opts.Root
	library := &registry.Library{Package: "x", File: "main.js"}
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for program, want := range map[string]struct {
		Libraries []string
		Own, Part string
	}{
		"bin/toy":                    {[]string{"1.0.0"}, "1.0.0", "0.1.0"},
		"a/x/bin/toy":                {[]string{"3.0.0", "1.0.0"}, "3.0.0", "3.0.0"},
		"a/x/node_modules/y/bin/toy": {[]string{"3.0.0", "1.0.0"}, "3.0.0", "4.0.0"},
		"nowhere":                    {},
	} {
		got := want
		got.Libraries = nil
		for _, p := range librariesBeside(in(program), library) {
			got.Libraries = append(got.Libraries, p.Version)
		}
		got.Own, got.Part = ownLibrary(in(program), library).Version, packageOf(in(program)).Version
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", program, diff)
		}
	}
	now := time.Now()
	f := open(t, "", Options{Root: root, Now: func() time.Time { return now }})
	f.libraries[in("bin/toy")] = libraries{[]project.NPMPackage{{Version: "9.0.0"}}, now}
	var got []string
	for _, passed := range []time.Duration{0, remembered - 1, 1, 0} {
		now = now.Add(passed)
		got = append(got, f.packageOf(in("bin/toy")).Version)
	}
	if diff := cmp.Diff([]string{"9.0.0", "9.0.0", "0.1.0", "0.1.0"}, got); diff != "" {
		t.Errorf("as it is remembered (-want +got):\n%s", diff)
	}
}

// The project of a file leaves it out by what the first server says that judges it and can be started.
func TestProjectsThatLeaveFilesOut(t *testing.T) {
	server := func(id string, role registry.Role, scope registry.Scope) registry.Definition {
		return registry.Definition{ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{".x"}}}, Commands: []registry.Command{{Binary: id}}, SingleFile: true, Role: role, Scope: scope}
	}
	type outcome struct {
		By    string
		Scope registry.Scope
	}
	judge, beside, gone := server("judge", registry.Primary, registry.Pyright), server("beside", registry.DiagnosticsOnly, registry.Everywhere), server("gone-none", registry.Primary, registry.Everywhere)
	for name, c := range map[string]struct {
		servers registry.Table
		want    map[string]outcome
	}{
		"one judges":             {registry.Table{judge}, map[string]outcome{"out/a.x": {"pyrightconfig.json", registry.Pyright}, "a.x": {"", registry.Pyright}}},
		"others come before it":  {registry.Table{beside, gone, judge}, map[string]outcome{"out/a.x": {"pyrightconfig.json", registry.Pyright}}},
		"it is not there":        {registry.Table{gone}, map[string]outcome{"out/a.x": {"", registry.Everywhere}}},
		"another is beside":      {registry.Table{beside}, map[string]outcome{"out/a.x": {"", registry.Everywhere}}},
		"nobody knows the file":  {registry.Table{judge}, map[string]outcome{"out/a.y": {"", registry.Everywhere}}},
		"it says nothing of any": {registry.Table{server("judge", registry.Primary, registry.Everywhere), judge}, map[string]outcome{"out/a.x": {"", registry.Everywhere}}},
	} {
		f := open(t, "-- pyrightconfig.json --\n{\"exclude\":[\"out\"]}\n-- out/a.x --\n-- a.x --\n", Options{Servers: c.servers, LookPath: lsptest.LookKinds})
		for file, want := range c.want {
			by, scope := f.Detection().LeftOut(filepath.Join(f.opts.Root, filepath.FromSlash(file)))
			if by != "" {
				by = fspath.Relative(f.opts.Root, by)
			}
			if diff := cmp.Diff(want, outcome{by, scope}); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, file, diff)
			}
		}
	}
}
