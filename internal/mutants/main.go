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
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// targets are the files whose tests must be honest, with the tests that judge.
var targets = []target{
	{"internal/diagnostics/strategies.go", []string{"./internal/diagnostics"}},
	{"internal/diagnostics/ask.go", []string{"./internal/diagnostics"}},
	{"internal/workspace/lifecycle.go", []string{"./internal/workspace", "./internal/engine"}},
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

func run(ctx context.Context, only string) (survivors int, err error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	total := 0
	for _, t := range targets {
		mutants, err := mutate(t.file)
		if err != nil {
			return survivors, err
		}
		for _, m := range mutants {
			if !strings.Contains(m.name, only) {
				continue
			}
			verdict, err := try(ctx, dir, t, m)
			if err != nil {
				return survivors, fmt.Errorf("%s: %w", m.name, err)
			}
			total++
			if verdict == survived {
				survivors++
			}
			if verdict != killed {
				fmt.Printf("%-8s %s\n", verdict, m.name)
			}
		}
	}
	fmt.Printf("%d mutants, %d survived\n", total, survivors)
	return survivors, ctx.Err()
}

type verdict string

const (
	killed   verdict = "killed"
	survived verdict = "SURVIVED"
)

// try runs the tests against one mutant.
func try(ctx context.Context, dir string, t target, m mutant) (verdict, error) {
	source := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(source, m.source, 0o600); err != nil {
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
		return "", fmt.Errorf("does not compile: %s", output)
	}
	bounded, cancel := context.WithTimeout(ctx, patience+10*time.Second)
	defer cancel()
	args := append([]string{"test", "-overlay", description, "-failfast", "-count=1", "-timeout", patience.String()}, t.tests...)
	if err := exec.CommandContext(bounded, "go", args...).Run(); err == nil {
		return survived, nil
	}
	return killed, ctx.Err()
}
