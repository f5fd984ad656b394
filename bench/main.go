// Bench measures LSPine against a raw language client: same servers, same
// projects, same edits, interleaved in one run. It prints a Markdown page.
//
//	go run ./bench [-servers gopls,clangd] [-rounds 20] [-cold 3] [-out FILE]
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/internal/lsp"
)

func main() {
	lsp.Supervise(os.Args) // LSPine's servers run under this executable
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, os.Args[1:]); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	servers := flags.String("servers", "", "comma-separated `ids` of the servers to measure (default: all)")
	rounds := flags.Int("rounds", 20, "edits that break and as many that mend, for each server")
	cold := flags.Int("cold", 3, "cold starts to measure, for each server")
	out := flags.String("out", "", "`file` to write the page to as well")
	_ = flags.Parse(args) // exits

	specs, err := chosen(*servers)
	if err != nil {
		return err
	}
	page := report{
		command: strings.Join(append([]string{"go run ./bench"}, args...), " "),
		rounds:  *rounds,
		cold:    *cold,
	}
	for _, contender := range contenders() {
		page.contenders = append(page.contenders, contender.name)
	}
	// No text of an earlier run comes again: servers keep answers on disk.
	salt := strconv.FormatInt(time.Now().Unix(), 36) + "x"
	for _, spec := range specs {
		version, err := spec.Version(ctx)
		if err != nil {
			page.failures = append(page.failures, err)
			continue
		}
		page.versions = append(page.versions, spec.ID+": "+version)
		for _, scenario := range project.Scenarios() {
			if ctx.Err() != nil || !slices.Contains(scenario.Servers, spec.ID) {
				continue
			}
			fmt.Fprintf(os.Stderr, "%s: %s\n", spec.ID, scenario.Name)
			rows, err := run{scenario, spec, contenders(), *rounds, *cold, salt}.measure(ctx)
			if err != nil {
				page.failures = append(page.failures, fmt.Errorf("%s: %s: %w", spec.ID, scenario.Name, err))
			}
			page.rows = append(page.rows, rows...)
		}
	}
	if err := cmp.Or(ctx.Err(), publish(page, *out)); err != nil {
		return err
	}
	return errors.Join(page.failures...)
}

func publish(page report, out string) error {
	text := page.markdown()
	fmt.Print(text)
	if out == "" || len(page.failures) > 0 {
		return nil // half a page does not replace a whole one
	}
	return os.WriteFile(out, []byte(text), 0o644)
}

// chosen are the specs with the given ids, all if there are none.
func chosen(ids string) ([]raw.Spec, error) {
	all := raw.Specs()
	if ids == "" {
		return all, nil
	}
	var specs []raw.Spec
	for id := range strings.SplitSeq(ids, ",") {
		i := slices.IndexFunc(all, func(s raw.Spec) bool { return s.ID == id })
		if i < 0 {
			return nil, fmt.Errorf("unknown server %q", id)
		}
		specs = append(specs, all[i])
	}
	return specs, nil
}
