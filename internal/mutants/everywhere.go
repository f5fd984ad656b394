package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A suite is the tests of one package, with the mutants that are tried everywhere.
type suite struct {
	folder  string
	program string
	took    time.Duration // without a mutant
	// rooms are the folders of this module that the tests are built from.
	rooms []string
}

// reaches reports whether the tests may run a mutant. Those that are outside of internal also
// build the product's program and run it.
func (s suite) reaches(m mutant) bool {
	return slices.Contains(s.rooms, filepath.Dir(m.file)) || !strings.HasPrefix(s.folder, "internal"+string(filepath.Separator))
}

// everywhere tries mutants with the tests of all packages, quick ones first, and prints for each
// one which package notices it. A package counts if it fails twice: some tests fail on a busy
// machine. Packages that fail without a mutant are left out.
//
// The mutants are written into the tree, which must be a copy.
func (t *tester) everywhere(ctx context.Context, mutants []mutant, out io.Writer) (noticed int, err error) {
	dir, err := os.MkdirTemp("", "everywhere")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	together, alone, err := t.apart(ctx, mutants)
	if err != nil {
		return 0, err
	}
	undo, err := writeTogether(together)
	if err != nil {
		return 0, err
	}
	suites, err := suitesFor(ctx, mutants, dir, out)
	if err != nil {
		return 0, err
	}
	tell := func(m mutant, by suite, passed bool) {
		if passed {
			fmt.Fprintf(out, "SURVIVED everything %v\n", m)
			return
		}
		noticed++
		fmt.Fprintf(out, "noticed by %s %v\n", by.folder, m)
	}
	for i, m := range together {
		by, passed := firstToFail(ctx, suites, m, i+1)
		if ctx.Err() != nil {
			return noticed, ctx.Err()
		}
		tell(m, by, passed)
	}
	if err := undo(); err != nil {
		return noticed, err
	}
	for _, m := range alone {
		by, passed, err := tryAlone(ctx, suites, m, dir)
		if err != nil {
			return noticed, err
		}
		tell(m, by, passed)
	}
	return noticed, nil
}

// apart tells the mutants that a program can choose from those that are compiled alone.
func (t *tester) apart(ctx context.Context, mutants []mutant) (together, alone []mutant, err error) {
	for _, m := range mutants {
		_, id, err := t.programOf(ctx, m)
		if err != nil {
			return nil, nil, err
		}
		if id != 0 {
			together = append(together, m)
		} else {
			alone = append(alone, m)
		}
	}
	// Where one is within the other, this order is needed; see edited.
	slices.SortStableFunc(together, func(a, b mutant) int { return a.made - b.made })
	return together, alone, nil
}

// writeTogether makes the mutants choices of the programs of this tree. Their numbers are their
// places in the list, counted from 1.
func writeTogether(mutants []mutant) (undo func() error, err error) {
	edits := make(map[string][]edit)
	for i, m := range mutants {
		edits[m.file] = append(edits[m.file], m.numbered(i+1)...)
	}
	originals := make(map[string][]byte) // nil for a file that is new
	undo = func() (err error) {
		for file, source := range originals {
			if source == nil {
				err = errors.Join(err, os.Remove(file))
			} else {
				err = errors.Join(err, os.WriteFile(file, source, 0o600))
			}
		}
		return err
	}
	for file, list := range edits {
		source, err := os.ReadFile(file)
		if err != nil {
			return undo, err
		}
		name, err := packageName(file, source)
		if err != nil {
			return undo, err
		}
		choosing := filepath.Join(filepath.Dir(file), choosingFile)
		originals[file], originals[choosing] = source, nil
		err = errors.Join(os.WriteFile(file, edited(source, list), 0o600), os.WriteFile(choosing, fmt.Appendf(nil, choices, name), 0o600))
		if err != nil {
			return undo, err
		}
	}
	return undo, nil
}

// suitesFor compiles the tests of each package that reaches one of the mutants into dir and runs
// them without a mutant; quick ones are first. It says which fail, and leaves them out.
func suitesFor(ctx context.Context, mutants []mutant, dir string, out io.Writer) (suites []suite, err error) {
	all, err := allSuites(ctx)
	if err != nil {
		return nil, err
	}
	for i, s := range all {
		if !slices.ContainsFunc(mutants, s.reaches) {
			continue
		}
		s.program = filepath.Join(dir, strconv.Itoa(i)+".test")
		if _, err := goTestC(ctx, s.folder, s.program); err != nil {
			return nil, err
		}
		if _, err := os.Stat(s.program); err != nil {
			continue // it has no tests
		}
		began := time.Now()
		if !s.passes(ctx, 0, s.program) {
			fmt.Fprintf(out, "left out: the tests of %s fail without a mutant\n", s.folder)
			continue
		}
		s.took = time.Since(began)
		suites = append(suites, s)
	}
	slices.SortStableFunc(suites, func(a, b suite) int { return cmp.Compare(a.took, b.took) })
	return suites, ctx.Err()
}

// allSuites returns the suites of the module, not compiled, by folder.
func allSuites(ctx context.Context) (suites []suite, err error) {
	printed, err := exec.CommandContext(ctx, "go", "list", "-test", "-json=ImportPath,Dir,Deps,Module", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(printed)); ; {
		var p struct {
			ImportPath, Dir string
			Deps            []string
			Module          struct{ Path, Dir string }
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return suites, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if !strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		folder, err := filepath.Rel(p.Module.Dir, p.Dir)
		if err != nil {
			return nil, err
		}
		s := suite{folder: folder}
		for _, path := range p.Deps {
			path, _, _ = strings.Cut(path, " ") // "room [room.test]"
			if room, ok := strings.CutPrefix(path, p.Module.Path+"/"); ok {
				s.rooms = append(s.rooms, filepath.FromSlash(room))
			}
		}
		suites = append(suites, s)
	}
}

// passes reports whether a program with the tests of the suite passes with a mutant alive.
func (s suite) passes(ctx context.Context, id int, program string) bool {
	patience := 15 * time.Minute
	if s.took > 0 {
		patience = time.Minute + 3*s.took
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	run := exec.CommandContext(bounded, program, "-test.failfast", "-test.timeout="+patience.String())
	run.Dir = s.folder
	run.Env = append(os.Environ(), choice+"="+strconv.Itoa(id))
	run.WaitDelay = 10 * time.Second // of what a test leaves running
	return run.Run() == nil
}

// notices reports whether a program fails twice with a mutant alive.
func (s suite) notices(ctx context.Context, id int, program string) bool {
	for range 2 {
		if s.passes(ctx, id, program) {
			return false
		}
	}
	return true
}

// firstToFail returns the first suite that fails with the mutant of this number.
func firstToFail(ctx context.Context, suites []suite, m mutant, id int) (by suite, passed bool) {
	for _, s := range suites {
		if s.reaches(m) && s.notices(ctx, id, s.program) {
			return s, false
		}
	}
	return suite{}, true
}

// tryAlone is firstToFail for a mutant that has to be compiled into each program.
func tryAlone(ctx context.Context, suites []suite, m mutant, dir string) (by suite, passed bool, err error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return suite{}, false, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(m.file, source, 0o600)) }()
	if err := os.WriteFile(m.file, m.source, 0o600); err != nil {
		return suite{}, false, err
	}
	for _, s := range suites {
		if !s.reaches(m) {
			continue
		}
		program := filepath.Join(dir, "alone.test")
		if _, err := goTestC(ctx, s.folder, program); err != nil {
			return suite{}, false, err
		}
		if s.notices(ctx, 0, program) {
			return s, false, ctx.Err()
		}
	}
	return suite{}, true, ctx.Err()
}
