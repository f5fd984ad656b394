// Command mutants asks whether the tests would notice. It makes one small change at a
// time that a tired engineer might make (a negated condition, a shifted bound, a line
// left out, an error ignored), and runs the tests of the room. A mutant that they let
// pass is a survivor, and a defect of the tests, or a line that is not needed.
//
//	go run ./internal/mutants -since main
//	go run ./internal/mutants -rooms edit,impact -sample 40 -seed 3
//	go run ./internal/mutants -rooms daemon -everywhere
//	go run ./internal/mutants -unreached
//
// The tree is not touched: all this happens in a copy, as tests with a mutant in them may write
// anywhere.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// options say which mutants are tried.
type options struct {
	rooms  string // separated by commas; "" for all but those below
	since  string // only lines that changed since this revision
	only   string // only those whose name this regular expression matches
	sample int    // at most so many that compile
	seed   uint64
	// unreached: nothing is tried; the mutants on lines that no test is seen to reach
	// are counted by function.
	unreached bool
	// quick: only the tests that are seen to reach a mutant run.
	quick bool
	// everywhere: survivors are tried with the tests of all packages as well.
	everywhere bool
}

// exempt are rooms whose small changes no test of theirs is there to notice: data that
// is proven with real servers, and what only tests use.
var exempt = []string{"registry", "lsptest", "enginetest", "archtest", "mutants", "house"}

func main() {
	var o options
	flag.StringVar(&o.rooms, "rooms", "", "rooms below internal, separated by commas; default all")
	flag.StringVar(&o.since, "since", "", "only lines that changed since this revision")
	flag.StringVar(&o.only, "only", "", "only mutants whose name matches this regular expression")
	flag.IntVar(&o.sample, "sample", 60, "how many mutants to try")
	flag.Uint64Var(&o.seed, "seed", 1, "of the choice")
	flag.BoolVar(&o.unreached, "unreached", false, "try nothing; list the functions with mutants that no test reaches")
	flag.BoolVar(&o.quick, "quick", false, "run only the tests that are seen to reach a mutant")
	flag.BoolVar(&o.everywhere, "everywhere", false, "try survivors with the tests of all packages, too (hours)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	survivors, err := start(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if survivors > 0 {
		os.Exit(1)
	}
}

// start calls run in a copy of the tree. The copy has all commits, but not the names of all branches.
func start(ctx context.Context, o options) (survivors int, err error) {
	if o.since != "" {
		id, err := exec.CommandContext(ctx, "git", "rev-parse", "--verify", "--quiet", "--end-of-options", o.since+"^{commit}").Output()
		if err != nil {
			return 0, fmt.Errorf("-since: there is no revision %s", o.since)
		}
		o.since = strings.TrimSpace(string(id))
	}
	return inCopy(ctx, func() (int, error) { return run(ctx, o) })
}

func run(ctx context.Context, o options) (survivors int, err error) {
	all, err := mutantsOf(ctx, o)
	if err != nil {
		return 0, err
	}
	t := tester{quick: o.quick}
	defer t.close()
	if o.unreached {
		return 0, listUnreached(ctx, &t, all)
	}
	tried := 0
	var left []mutant
	for _, m := range shuffled(all, o.seed) {
		if tried == o.sample || ctx.Err() != nil {
			break
		}
		outcome, err := t.try(ctx, m)
		switch {
		case errors.Is(err, errNoMutant):
			continue
		case err != nil:
			return len(left), err
		case outcome != noticed:
			left = append(left, m)
		}
		tried++
		fmt.Printf("%s %v\n", outcome, m)
	}
	fmt.Printf("%d mutants of %d places, %d noticed, %d survived\n", tried, len(all), tried-len(left), len(left))
	if !o.everywhere || len(left) == 0 {
		return len(left), ctx.Err()
	}
	seen, err := t.everywhere(ctx, left, os.Stdout)
	fmt.Printf("%d of %d noticed by everything, %d survived\n", tried-len(left)+seen, tried, len(left)-seen)
	return len(left) - seen, err
}

// listUnreached prints how many mutants of each function are on lines that no test is
// seen to reach, most first.
func listUnreached(ctx context.Context, t *tester, all []mutant) error {
	count, total := make(map[string]int), 0
	for _, m := range all {
		tests, err := t.testsFor(ctx, m)
		if err != nil {
			return err
		}
		if first, _ := order(tests, m); len(first) == 0 {
			function, _, _ := strings.Cut(m.what, ":")
			count[m.file+": "+function]++
			total++
		}
	}
	functions := slices.Sorted(maps.Keys(count))
	slices.SortStableFunc(functions, func(a, b string) int { return count[b] - count[a] })
	for _, f := range functions {
		fmt.Printf("%4d %s\n", count[f], f)
	}
	fmt.Printf("%d of %d mutants are on lines that no test is seen to reach\n", total, len(all))
	return nil
}

// mutantsOf returns the mutants that the options allow, by file and line.
func mutantsOf(ctx context.Context, o options) (all []mutant, err error) {
	var touched map[string]map[int]bool
	if o.since != "" {
		diff, err := exec.CommandContext(ctx, "git", "diff", "--unified=0", "--no-ext-diff", o.since, "--", "internal").Output()
		if err != nil {
			return nil, fmt.Errorf("git diff %s: %w", o.since, err)
		}
		touched = touchedLines(string(diff))
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	files, err := sources(o.rooms)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		mutants, err := mutate(file, source)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(mutants, func(m mutant) bool {
			return touched != nil && !touched[file][m.line] || !only.MatchString(m.String())
		})...)
	}
	return all, nil
}

// sources returns the product's files of the rooms, sorted.
func sources(rooms string) (files []string, err error) {
	wanted := strings.FieldsFunc(rooms, func(r rune) bool { return r == ',' })
	err = filepath.WalkDir("internal", func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		parts := strings.Split(filepath.ToSlash(path), "/")
		switch {
		case entry.IsDir() && len(parts) == 2 && (slices.Contains(exempt, parts[1]) || len(wanted) > 0 && !slices.Contains(wanted, parts[1])),
			entry.IsDir() && entry.Name() == "testdata":
			return filepath.SkipDir
		case entry.IsDir() || !isProduct(path):
			return nil
		}
		files = append(files, path)
		return nil
	})
	return files, err
}

// isProduct reports whether a file is one of the product's that is built on Linux.
func isProduct(path string) bool {
	return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !elsewhere.MatchString(path)
}

// elsewhere are files that are not built on Linux.
var elsewhere = regexp.MustCompile(`_(windows|darwin|other|unsupported)\.go$`)

var hunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

// touchedLines returns the lines, counted from 1, that a diff without context adds or
// changes, by file.
func touchedLines(diff string) map[string]map[int]bool {
	touched := make(map[string]map[int]bool)
	file := ""
	for line := range strings.Lines(diff) {
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file = strings.TrimSpace(name)
			continue
		}
		m := hunk.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		first, _ := strconv.Atoi(m[1])
		count := 1
		if m[2] != "" {
			count, _ = strconv.Atoi(m[2])
		}
		for i := range count {
			if touched[file] == nil {
				touched[file] = make(map[int]bool)
			}
			touched[file][first+i] = true
		}
	}
	return touched
}

// shuffled returns the mutants in an order that the seed decides on.
func shuffled(all []mutant, seed uint64) []mutant {
	all = slices.Clone(all)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}
