package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/cover"
)

// A roomTest is one test of a package, and what it reaches.
type roomTest struct {
	name string
	// took is without the start of the program.
	took time.Duration
	// reached are the lines of the package, counted from 1, by the base name of their
	// file; nil if they cannot be counted. What a test runs in a program of its own is not
	// among them.
	reached map[string]map[int]bool
}

// testsOf runs each test of a package alone and returns what it reaches, quick tests
// first. A package without tests has none.
func testsOf(ctx context.Context, folder string) ([]roomTest, error) {
	dir, err := os.MkdirTemp("", "reach")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "covered.test")
	if _, err := goTestC(ctx, folder, program, "-cover"); err != nil {
		return nil, err
	}
	if _, err := os.Stat(program); err != nil {
		return nil, nil
	}
	list := exec.CommandContext(ctx, program, "-test.list=.")
	list.Dir = folder
	began := time.Now()
	names, err := list.Output()
	start := time.Since(began)
	if err != nil {
		return nil, fmt.Errorf("the tests of %s: %w", folder, err)
	}
	var tests []roomTest
	for _, name := range strings.Fields(string(names)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		test, err := testAlone(ctx, program, folder, name, start)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	slices.SortStableFunc(tests, func(a, b roomTest) int { return cmp.Compare(a.took, b.took) })
	return tests, nil
}

// testAlone runs one test of a program that counts what it reaches, and that takes a while to start.
func testAlone(ctx context.Context, program, folder, name string, start time.Duration) (roomTest, error) {
	profile := program + ".profile"
	_ = os.Remove(profile)
	run := exec.CommandContext(ctx, program, "-test.run="+only(name), "-test.coverprofile="+profile)
	run.Dir = folder
	// Programs that a test starts out of its own file would complain without it.
	run.Env = append(os.Environ(), "GOCOVERDIR="+filepath.Dir(program))
	began := time.Now()
	err := run.Run()
	test := roomTest{name: name, took: max(0, time.Since(began)-start)}
	if err != nil {
		// Some tests cannot bear to be counted; then nobody knows what they reach.
		out, err := exec.CommandContext(ctx, "go", "test", "-vet=off", "-count=1", "-run="+only(name), "./"+filepath.ToSlash(folder)).CombinedOutput()
		if err != nil {
			return roomTest{}, fmt.Errorf("%s in %s fails without a mutant: %w\n%s", name, folder, err, out)
		}
		return test, nil
	}
	profiles, err := cover.ParseProfiles(profile)
	if err != nil {
		return roomTest{}, err
	}
	test.reached = linesReached(profiles)
	return test, nil
}

// linesReached returns the lines that ran at least once, by the base name of their file.
func linesReached(profiles []*cover.Profile) map[string]map[int]bool {
	reached := make(map[string]map[int]bool)
	for _, p := range profiles {
		lines := make(map[int]bool)
		for _, b := range p.Blocks {
			for line := b.StartLine; b.Count > 0 && line <= b.EndLine; line++ {
				lines[line] = true
			}
		}
		reached[filepath.Base(p.FileName)] = lines
	}
	return reached
}

// only is the pattern that matches the tests with these names and no others.
func only(names ...string) string { return "^(" + strings.Join(names, "|") + ")$" }

// order returns the tests that reach a mutant, and all others.
func order(tests []roomTest, m mutant) (first, others []roomTest) {
	for _, t := range tests {
		if t.reached[filepath.Base(m.file)][m.line] {
			first = append(first, t)
		} else {
			others = append(others, t)
		}
	}
	return first, others
}
