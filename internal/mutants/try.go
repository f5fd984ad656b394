package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

// patience bounds one run of tests; a mutant that hangs is noticed too.
const patience = 90 * time.Second

// A tester tries mutants. It is not safe for concurrent use.
type tester struct {
	// tests are those of a folder, quick ones first.
	tests map[string][]roomTest
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
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "mutant.test")
	if err := build(ctx, m, dir, program); err != nil {
		return "", err
	}
	first, others := order(tests, m)
	for _, names := range [][]string{first, others} {
		if len(names) == 0 {
			continue
		}
		passed := passes(ctx, program, filepath.Dir(m.file), names)
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

// build compiles the tests of a mutant's room with the mutant.
func build(ctx context.Context, m mutant, dir, program string) error {
	source := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(source, m.source, 0o600); err != nil {
		return err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return err
	}
	overlay, err := json.Marshal(struct{ Replace map[string]string }{map[string]string{original: source}})
	if err != nil {
		return err
	}
	description := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(description, overlay, 0o600); err != nil {
		return err
	}
	room := "./" + filepath.ToSlash(filepath.Dir(m.file))
	if err := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", description, "-o", program, room).Run(); err != nil {
		return errors.Join(errNoMutant, ctx.Err())
	}
	return nil
}

// passes reports whether the tests of these names pass within our patience.
func passes(ctx context.Context, program, folder string, names []string) bool {
	bounded, cancel := context.WithTimeout(ctx, patience+10*time.Second)
	defer cancel()
	run := exec.CommandContext(bounded, program, "-test.run="+only(names...), "-test.failfast", "-test.timeout="+patience.String())
	run.Dir = folder
	return run.Run() == nil
}
