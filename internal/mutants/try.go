package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

type outcome string

const (
	noticed  outcome = "noticed "
	survived outcome = "SURVIVED"
	// unreached is a survivor on a line that no test is seen to reach.
	unreached outcome = "NOT RUN "
)

// errNoMutant says that a change does not compile (without it the tests did): the
// compiler notices it.
var errNoMutant = errors.New("it does not compile")

// A run of tests has three times what they took without the mutant, within these bounds;
// a mutant that hangs is noticed too.
const (
	leastPatience = 10 * time.Second
	mostPatience  = 90 * time.Second
)

// A tester tries mutants. It is not safe for concurrent use.
type tester struct {
	// tests are those of a folder, quick ones first.
	tests map[string][]roomTest
	// programs are those of a folder with all of its mutants, each in a directory of its
	// own.
	programs map[string]program
	// quick leaves out the tests that are not seen to reach a mutant.
	quick bool
}

// close removes the programs.
func (t *tester) close() {
	for _, p := range t.programs {
		_ = os.RemoveAll(filepath.Dir(p.path))
	}
}

// programOf returns the program of the folder that a mutant is in, and its number there.
// 0 means that this mutant has to be compiled alone.
func (t *tester) programOf(ctx context.Context, m mutant) (program, int, error) {
	folder := filepath.Dir(m.file)
	p, ok := t.programs[folder]
	if !ok {
		dir, err := os.MkdirTemp("", "mutants")
		if err != nil {
			return program{}, 0, err
		}
		if p, err = inOne(ctx, folder, dir); err != nil {
			return program{}, 0, errors.Join(err, os.RemoveAll(dir))
		}
		if t.programs == nil {
			t.programs = make(map[string]program)
		}
		t.programs[folder] = p
	}
	return p, p.ids[m.place()], nil
}

// testsFor returns the tests of the folder that a mutant is in.
func (t *tester) testsFor(ctx context.Context, m mutant) ([]roomTest, error) {
	folder := filepath.Dir(m.file)
	if tests, ok := t.tests[folder]; ok {
		return tests, nil
	}
	tests, err := testsOf(ctx, folder)
	if err != nil {
		return nil, err
	}
	if t.tests == nil {
		t.tests = make(map[string][]roomTest)
	}
	t.tests[folder] = tests
	return tests, nil
}

// try runs the tests of the room against one mutant: those that reach it first, and
// then the others, as a test may reach it in a program that it starts.
func (t *tester) try(ctx context.Context, m mutant) (outcome, error) {
	tests, err := t.testsFor(ctx, m)
	if err != nil {
		return "", err
	}
	inOne, id, err := t.programOf(ctx, m)
	if err != nil {
		return "", err
	}
	path := inOne.path
	if id == 0 {
		dir, err := os.MkdirTemp("", "mutant")
		if err != nil {
			return "", err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		path = filepath.Join(dir, "mutant.test")
		if err := build(ctx, m, dir, path); err != nil {
			return "", err
		}
	}
	first, others := order(tests, m)
	groups := [][]roomTest{first, others}
	if t.quick {
		groups = groups[:1]
	}
	for _, tests := range groups {
		if len(tests) == 0 {
			continue
		}
		passed := passes(ctx, path, filepath.Dir(m.file), id, tests)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if !passed {
			return noticed, nil
		}
	}
	if len(first) == 0 {
		return unreached, nil
	}
	return survived, nil
}

// build compiles the tests of a mutant's room with the mutant, to a file in dir.
func build(ctx context.Context, m mutant, dir, program string) error {
	if _, err := compileTests(ctx, filepath.Dir(m.file), dir, map[string][]byte{m.file: m.source}, program); err != nil {
		return errors.Join(errNoMutant, ctx.Err())
	}
	return nil
}

// compileTests compiles the tests of a folder with other sources in place of some of its files, or
// besides them; they are kept in dir. If the compiler rejects them, what it printed is returned with
// the error.
func compileTests(ctx context.Context, folder, dir string, sources map[string][]byte, program string) (out []byte, err error) {
	replaced := make(map[string]string)
	for file, source := range sources {
		original, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		replaced[original] = filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(replaced[original], source, 0o600); err != nil {
			return nil, err
		}
	}
	overlay, err := json.Marshal(struct{ Replace map[string]string }{replaced})
	if err != nil {
		return nil, err
	}
	description := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(description, overlay, 0o600); err != nil {
		return nil, err
	}
	// All errors are wanted, not the first ten.
	return goTestC(ctx, folder, program, "-gcflags=-e", "-overlay", description)
}

// goTestC compiles the tests of a folder to a program; a folder without tests gives none. What the
// compiler printed is returned, and is part of the error.
func goTestC(ctx context.Context, folder, program string, flags ...string) (printed []byte, err error) {
	args := slices.Concat([]string{"test", "-c", "-o", program}, flags, []string{"./" + filepath.ToSlash(folder)})
	if printed, err = exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return printed, fmt.Errorf("go test -c %s: %w\n%s", folder, err, printed)
	}
	return printed, nil
}

// passes reports whether tests pass within our patience, with the mutant of this number
// alive in their program.
func passes(ctx context.Context, path, folder string, id int, tests []roomTest) bool {
	patience := leastPatience
	var names []string
	for _, t := range tests {
		names = append(names, t.name)
		patience += 3 * t.took
	}
	patience = min(patience, mostPatience)
	bounded, cancel := context.WithTimeout(ctx, patience+10*time.Second)
	defer cancel()
	run := exec.CommandContext(bounded, path, "-test.run="+only(names...), "-test.failfast", "-test.timeout="+patience.String())
	run.Dir = folder
	run.Env = append(os.Environ(), choice+"="+strconv.Itoa(id))
	return run.Run() == nil
}
