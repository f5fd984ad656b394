package install

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Of what a tool said twelve lines are shown: of more the beginning and the end.
func TestExcerpts(t *testing.T) {
	twelve := strings.Repeat("x\n", 11) + "x"
	for text, want := range map[string]string{
		"": "", "one": "one", twelve: twelve,
		"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13": "1\n2\n3\n4\n5\n6\n…\n8\n9\n10\n11\n12\n13",
	} {
		if got := excerpt(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A script that env starts runs with the program that env is given, whatever options and variables come before that;
// any other program runs by itself, and npm's on Windows with node.
func TestWhatScriptsRunWith(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"#!/usr/bin/env node\nx":             "node",
		"#!/usr/bin/env -S A=1 python3 -u\n": "python3",
		"#!/bin/env node":                    "node",
		"#! /usr/bin/env node\n":             "node",
		"#!/usr/bin/env\n":                   "",
		"#!/usr/bin/env -S\n":                "",
		"#!/bin/sh -e\n":                     "",
		"#!/bin/sh\n":                        "",
		"/usr/bin/env node\n":                "",
		"\x7fELF":                            "",
		"":                                   "",
	} {
		path := filepath.Join(dir, "program")
		lsptest.WriteFile(t, path, text)
		if got := interpreter(path); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for path, want := range map[string]string{filepath.Join(dir, "gone"): "", filepath.Join(dir, "gone.cmd"): "node"} {
		if got := interpreter(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// What npm is to install is named with its versions, also where it overrides those of others.
func TestWhatALockIsOf(t *testing.T) {
	packages := []string{"toy@1.0.0", "@s/play@2.0.0"}
	for kind, want := range map[registry.PinKind]string{
		registry.FromNPM:    `{"private":true,"dependencies":{"toy":"1.0.0","@s/play":"2.0.0"}}` + "\n",
		registry.Overridden: `{"private":true,"dependencies":{"toy":"1.0.0","@s/play":"2.0.0"},"overrides":{"toy":"1.0.0","@s/play":"2.0.0"}}` + "\n",
	} {
		if got := string(packageJSON(&registry.Pin{Kind: kind, Packages: packages})); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
	if runtime.GOOS == "windows" {
		return // where programs have endings
	}
	for _, c := range []struct {
		kind registry.PinKind
		file string
		want string
	}{
		{registry.FromGo, "", "bin/toy"}, {registry.FromNPM, "", "node_modules/.bin/toy"}, {registry.FromNPM, "node_modules/toy/bin/x", "node_modules/toy/bin/x"}, {registry.FromNPM, "bin/toy", "bin/toy"},
	} {
		if got := fileOf(&registry.Pin{Kind: c.kind}, registry.PinnedProgram{Name: "toy", File: c.file}); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.file, got, c.want)
		}
	}
}

// stocked returns a store of a package in which two servers are pinned, with some versions in it.
func stocked(t *testing.T, versions map[string]manifest) *Store {
	t.Helper()
	s := &Store{dir: filepath.Join(t.TempDir(), "servers"), locks: fstest.MapFS{}}
	for _, id := range []string{"toy", "other"} {
		s.pins = append(s.pins, registry.Pin{ID: id, Kind: registry.FromNPM, Packages: []string{"toys@2.0.0"}, Programs: []registry.PinnedProgram{{Name: id}}})
	}
	for name, m := range versions {
		dir := filepath.Join(s.dir, "toys", name)
		if name == "pinned" {
			dir = s.folderOf(&s.pins[0])
		}
		for _, of := range m.Servers {
			for _, file := range of.Programs {
				lsptest.WriteFile(t, filepath.Join(dir, filepath.FromSlash(file)), "#!/bin/sh\n")
			}
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := m.write(dir); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func withServers(version string, day int, ids ...string) manifest {
	m := manifest{Package: "toys", Version: version, Installed: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC), Servers: make(map[string]server)}
	for _, id := range ids {
		m.Servers[id] = server{Programs: map[string]string{id: "bin/" + id}, Runs: []string{"node " + version}}
	}
	return m
}

// A program is found in the version that is pinned now, else in the newest that has it; folders without a manifest, or
// with one that is none, are no versions.
func TestFindAmongVersions(t *testing.T) {
	type found struct{ Path, Runs string }
	for name, c := range map[string]struct {
		versions   map[string]manifest
		toy, other string
	}{
		"none":       {nil, "", ""},
		"newest":     {map[string]manifest{"a": withServers("1", 1, "toy"), "b": withServers("2", 3, "toy", "other"), "c": withServers("3", 2, "toy")}, "b", "b"},
		"pinned":     {map[string]manifest{"a": withServers("1", 9, "toy", "other"), "pinned": withServers("2", 1, "toy")}, "pinned", "a"},
		"the other":  {map[string]manifest{"a": withServers("1", 1, "other")}, "", "a"},
		"no servers": {map[string]manifest{"a": withServers("1", 1)}, "", ""},
	} {
		s := stocked(t, c.versions)
		lsptest.WriteFile(t, filepath.Join(s.dir, "toys", "unfinished", "bin", "toy"), "")
		lsptest.WriteFile(t, filepath.Join(s.dir, "toys", "broken", manifestName), "{")
		lsptest.WriteFile(t, filepath.Join(s.dir, "toys", "file"), "")
		for program, version := range map[string]string{"toy": c.toy, "other": c.other, "stranger": ""} {
			var want found
			if version != "" {
				dir := filepath.Join(s.dir, "toys", version)
				if version == "pinned" {
					dir = s.folderOf(&s.pins[0])
				}
				want = found{filepath.Join(dir, "bin", program), "node " + c.versions[version].Version}
			}
			path, runs := s.Find(program)
			if diff := cmp.Diff(want, found{path, strings.Join(runs, ",")}); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, program, diff)
			}
		}
	}
	if path, _ := (&Store{}).Find("toy"); path != "" {
		t.Errorf("a store without a folder has %s", path)
	}
}

// What is installed is listed by server, with what is not of this program's versions; those are what can be upgraded,
// each once.
func TestListOfVersions(t *testing.T) {
	s := stocked(t, map[string]manifest{"a": withServers("1", 1, "toy", "other"), "b": withServers("1.5", 1, "toy"), "pinned": withServers("2", 2, "toy")})
	dir := func(name string) string { return filepath.Join(s.dir, "toys", name) }
	pinned := s.folderOf(&s.pins[0])
	want := []Installed{{"other", "1", dir("a"), true}, {"toy", "2", pinned, false}, {"toy", "1", dir("a"), true}, {"toy", "1.5", dir("b"), true}}
	if diff := cmp.Diff(want, s.List()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"other", "toy"}, s.Outdated()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.has(&manifest{}, pinned, "toy") || !s.has(&manifest{Servers: map[string]server{"toy": {}}}, pinned, "toy") || s.has(&manifest{Servers: map[string]server{"toy": {Programs: map[string]string{"toy": "gone"}}}}, pinned, "toy") {
		t.Error("a server is installed if the manifest has it and its programs are there")
	}
}

// A server goes out of all versions but the one that is kept; a version goes with its last server, and a package with
// its last version, unless it runs.
func TestServersGo(t *testing.T) {
	s := stocked(t, map[string]manifest{"a": withServers("1", 1, "toy", "other"), "b": withServers("1.5", 1, "toy"), "c": withServers("1.7", 1, "toy"), "pinned": withServers("2", 2, "toy")})
	dir := func(name string) string { return filepath.Join(s.dir, "toys", name) }
	pinned := s.folderOf(&s.pins[0])
	release := s.Hold(filepath.Join(dir("c"), "bin", "toy"))
	removed, kept, err := s.prune(&s.pins[0], pinned)
	if diff := cmp.Diff([][]string{{dir("a"), dir("b")}, {dir("c")}}, [][]string{removed, kept}); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	var left []string
	for _, x := range s.List() {
		left = append(left, x.ID+" "+x.Version)
	}
	if diff := cmp.Diff([]string{"other 1", "toy 2", "toy 1.7"}, left); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = s.Remove(t.Context(), "toy")
	if diff := cmp.Diff(&InUseError{ID: "toy", Folder: dir("c")}, err); diff != "" {
		t.Error(diff)
	}
	release()
	removed, err = s.Remove(t.Context(), "toy")
	if diff := cmp.Diff([]string{dir("c")}, removed); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if removed, err = s.Remove(t.Context(), "other"); len(removed) != 1 || err != nil {
		t.Errorf("%q, %v", removed, err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "toys")); err == nil {
		t.Error("the folder of the package is left")
	}
	for _, id := range []string{"toy", "stranger"} {
		var unknown *UnknownError
		if _, err := s.Remove(t.Context(), id); !errors.As(err, &unknown) || *unknown != (UnknownError{ID: id, Installed: true}) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// What a program is held by is the version that it is in; a program from elsewhere, or of no version, holds nothing.
func TestWhatIsHeld(t *testing.T) {
	s := stocked(t, map[string]manifest{"a": withServers("1", 1, "toy")})
	for program, want := range map[string]bool{
		filepath.Join(s.dir, "toys", "a", "bin", "toy"): true, filepath.Join(s.dir, "toys", "a", "toy"): true, filepath.Join(s.dir, "toys", "a"): false, s.dir: false,
		filepath.Join(filepath.Dir(s.dir), "toy"): false, "toy": false,
	} {
		release := s.Hold(program)
		_, kept, err := tried(s)
		if (len(kept) > 0) != want || err != nil {
			t.Errorf("%s is held: %q, %v", program, kept, err)
		}
		release()
	}
}

// tried removes the version a, if that is possible, and puts it back.
func tried(s *Store) (removed, kept []string, err error) {
	removed, kept, err = s.prune(&s.pins[0], "")
	m, dir := withServers("1", 1, "toy"), filepath.Join(s.dir, "toys", "a")
	return removed, kept, errors.Join(err, os.MkdirAll(dir, 0o755), m.write(dir))
}

// A server is noted with its programs and what they run with, each once; without one of its programs it is not
// installed.
func TestServersAreNoted(t *testing.T) {
	lsptest.NeedModes(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"one": "#!/usr/bin/env node\n", "two": "#!/usr/bin/env node\n", "three": "#!/bin/sh\n"} {
		lsptest.WriteFile(t, filepath.Join(dir, "bin", name), text)
		if err := os.Chmod(filepath.Join(dir, "bin", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	programs := func(names ...string) (list []registry.PinnedProgram) {
		for _, name := range names {
			list = append(list, registry.PinnedProgram{Name: name, File: "bin/" + name})
		}
		return list
	}
	m := manifest{Package: "toys", Version: "1"}
	for id, p := range map[string][]registry.PinnedProgram{"toy": programs("one", "two", "three"), "other": programs("three")} {
		if err := add(&m, dir, &registry.Pin{ID: id, Kind: registry.FromNPM, Programs: p}); err != nil {
			t.Fatal(err)
		}
	}
	want := manifest{Package: "toys", Version: "1", Servers: map[string]server{
		"toy": {Programs: map[string]string{"one": "bin/one", "two": "bin/two", "three": "bin/three"}, Runs: []string{"node"}}, "other": {Programs: map[string]string{"three": "bin/three"}},
	}}
	got, err := readManifest(dir)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	err = add(&m, dir, &registry.Pin{ID: "third", Kind: registry.FromNPM, Programs: programs("four")})
	if diff := cmp.Diff(&FailedError{ID: "third", Reason: "its packages have no program bin/four"}, err); diff != "" {
		t.Error(diff)
	}
}
