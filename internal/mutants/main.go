// Command mutants asks whether the tests would notice. In the files named below
// it replaces one function body at a time, first by a panic and then by an
// empty result, and runs the tests of the package. A mutant that the tests let
// pass is a survivor, and a defect of the tests.
//
//	go run ./internal/mutants [-only SUBSTRING]
//
// The tree is not touched: the compiler gets the mutants as an overlay.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// targets are the files whose tests must be honest, with the tests that judge.
var targets = []target{
	{"internal/diagnostics/strategies.go", []string{"./internal/diagnostics"}},
	{"internal/diagnostics/ask.go", []string{"./internal/diagnostics"}},
	{"internal/workspace/lifecycle.go", []string{"./internal/workspace", "./internal/engine"}},
	{"internal/edit/trial.go", []string{"./internal/edit"}},
	{"internal/edit/recover.go", []string{"./internal/edit"}},
	{"internal/lsp/incoming.go", []string{"./internal/lsp"}},
	{"internal/engine/check.go", []string{"./internal/engine"}},
	{"internal/engine/diagnostics.go", []string{"./internal/engine"}},
	{"internal/engine/status.go", []string{"./internal/engine"}},
}

type target struct {
	file  string
	tests []string
}

// patience bounds one run of tests; a mutant that hangs is noticed too.
const patience = 90 * time.Second

func main() {
	only := flag.String("only", "", "run only mutants whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	survivors, err := run(ctx, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if survivors > 0 {
		os.Exit(1)
	}
}

// atOnce is how many mutants are tried side by side: those that hang cost
// nothing but time.
const atOnce = 4

// A trial is one mutant and the tests that judge it.
type trial struct {
	target
	mutant
}

func run(ctx context.Context, only string) (survivors int, err error) {
	var trials []trial
	for _, t := range targets {
		mutants, err := mutate(t.file)
		if err != nil {
			return 0, err
		}
		for _, m := range mutants {
			if strings.Contains(m.name, only) {
				trials = append(trials, trial{t, m})
			}
		}
	}
	verdicts := make([]verdict, len(trials))
	failures := make([]error, len(trials))
	next := make(chan int)
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for i := range next {
				verdicts[i], failures[i] = try(ctx, trials[i])
				if verdicts[i] == survived {
					fmt.Printf("%s %s\n", survived, trials[i].name)
				}
			}
		})
	}
	for i := range trials {
		next <- i
	}
	close(next)
	workers.Wait()
	for _, v := range verdicts {
		if v == survived {
			survivors++
		}
	}
	fmt.Printf("%d mutants, %d survived\n", len(trials), survivors)
	return survivors, errors.Join(failures...)
}

type verdict string

const (
	killed   verdict = "killed"
	survived verdict = "SURVIVED"
)

// try runs the tests against one mutant.
func try(ctx context.Context, t trial) (verdict, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	source := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(source, t.source, 0o600); err != nil {
		return "", err
	}
	original, err := filepath.Abs(t.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(struct{ Replace map[string]string }{map[string]string{original: source}})
	if err != nil {
		return "", err
	}
	description := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(description, overlay, 0o600); err != nil {
		return "", err
	}
	// That it compiles is asked first: a mutant that does not is our mistake.
	build := exec.CommandContext(ctx, "go", "build", "-overlay", description, "-o", os.DevNull, "./"+filepath.Dir(t.file))
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not compile: %s", t.name, output)
	}
	bounded, cancel := context.WithTimeout(ctx, patience+10*time.Second)
	defer cancel()
	args := append([]string{"test", "-overlay", description, "-failfast", "-count=1", "-timeout", patience.String()}, t.tests...)
	if err := exec.CommandContext(bounded, "go", args...).Run(); err == nil {
		return survived, nil
	}
	return killed, ctx.Err()
}
