// Bench measures LSPine against a raw language client: same servers, same
// projects, same edits and questions, interleaved in one run. It prints a
// Markdown page.
//
//	go run ./bench [-only navigation] [-servers gopls,clangd] [-rounds 20] [-cold 3] [-out FILE]
//	go run ./bench -only large -modules 19800 -packages 200 -projects -servers typescript
package main

import (
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
	"github.com/lspine/lspine/e2e/large"
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

// sections are the parts of the page, in its order.
var sections = []struct {
	name, heading string
	measure       func(context.Context, options) (text string, failures []error)
	// asked says that it is measured only if it is named: it takes minutes for a server.
	asked bool
}{
	{"diagnostics", "From an edit to its diagnostics", edits, false},
	{"edits", "Edits that are written", writtenEdits, false},
	{"large", "Large projects", largeProjects, true},
	{"simulation", "Simulation", simulation, false},
	{"navigation", "Navigation", navigation, false},
	{"answers", "Answers, grep and whole files", answers, false},
	{"sharing", "Whole processes, and one daemon for all", sharing, false},
	{"start", "Starts", starts, false},
	{"evidence", "Evidence", recorded, false},
}

// options are what was asked for.
type options struct {
	specs        []raw.Spec
	rounds, cold int
	command      string
}

func bench(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	servers := flags.String("servers", "", "comma-separated `ids` of the servers to measure (default: all)")
	only := flags.String("only", "", "measure one `section`: diagnostics, edits, large, navigation, answers, sharing, start, evidence or simulation (default: all but large)")
	rounds := flags.Int("rounds", 20, "edits that break and as many that mend, for each server; half the questions of a kind")
	cold := flags.Int("cold", 3, "cold starts to measure, for each server")
	flags.IntVar(&large.Full.Modules, "modules", large.Full.Modules, "source files in a large project")
	flags.IntVar(&large.Full.Packages, "packages", large.Full.Packages, "packages that these are divided among")
	flags.BoolVar(&large.Full.Projects, "projects", large.Full.Projects, "a project for each of the packages, where the language has that")
	out := flags.String("out", "", "`file` to write the page to as well; a section that is not measured stays")
	_ = flags.Parse(args) // exits

	specs, err := chosen(*servers)
	if err != nil {
		return err
	}
	asked := options{specs, *rounds, *cold, strings.Join(append([]string{"go run ./bench"}, args...), " ")}
	var measured []section
	var failures []error
	for _, s := range sections {
		if *only != s.name && (*only != "" || s.asked) {
			continue
		}
		text, failed := s.measure(ctx, asked)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		measured = append(measured, section{s.heading, text})
		failures = append(failures, failed...)
	}
	if measured == nil {
		return fmt.Errorf("there is no section %q", *only)
	}
	fmt.Print(page(measured))
	if *out != "" && len(failures) == 0 { // half a page does not replace a whole one
		if err := publish(*out, measured); err != nil {
			return err
		}
	}
	return errors.Join(failures...)
}

// edits measures the section about diagnostics.
func edits(ctx context.Context, o options) (string, []error) {
	return edited(ctx, o, project.Scenarios(), contenders(), "From a new text of a file to its complete diagnostics, in milliseconds")
}

// writtenEdits measures the section about edits that end on disk.
func writtenEdits(ctx context.Context, o options) (string, []error) {
	what := "From a new text of a file to the file on disk and the complete diagnostics (where noted, of all files that use what changed), in milliseconds. Raw writes the file, notifies the server, and queries it about a given list of files; LSPine's edit writes it durably (all or none, synced to disk), finds these files itself, and distinguishes new errors from old ones. " +
		"Where others write the file, LSPine's check finds out what changed, and whom it concerns"
	return comparedBy(ctx, o, what, comparison{project.Edits(), editors()}, comparison{project.Checks(), checkers()})
}

// A comparison is scenarios and who takes part in them, under the same names in all
// comparisons of a section.
type comparison struct {
	scenarios []project.Scenario
	subjects  []contender
}

// largeProjects measures the section about them.
func largeProjects(ctx context.Context, o options) (string, []error) {
	return edited(ctx, o, project.Large(), editors(), "From a new text of a file to the file on disk and the complete diagnostics of it and of all files that use what changed, "+
		"in workspaces of thousands of files, in milliseconds. Raw is told these files, LSPine finds them")
}

func edited(ctx context.Context, o options, scenarios []project.Scenario, subjects []contender, what string) (string, []error) {
	return comparedBy(ctx, o, what, comparison{scenarios, subjects})
}

func comparedBy(ctx context.Context, o options, what string, all ...comparison) (string, []error) {
	r := report{circumstances: circumstances{command: o.command}, rounds: o.rounds, cold: o.cold, what: what}
	for _, contender := range all[0].subjects {
		r.contenders = append(r.contenders, contender.name)
	}
	// No text of an earlier run comes again: servers keep answers on disk.
	salt := strconv.FormatInt(time.Now().Unix(), 36) + "x"
	for _, c := range all {
		r.visit(ctx, o.specs, c.scenarios, func(spec raw.Spec, scenario project.Scenario) error {
			rows, err := run{scenario, spec, c.subjects, o.rounds, o.cold, salt}.measure(ctx)
			r.rows = append(r.rows, rows...)
			return err
		})
	}
	return r.markdown(), r.failures
}

// navigation measures the section about it.
func navigation(ctx context.Context, o options) (string, []error) {
	g := guide{circumstances: circumstances{command: o.command}, rounds: 2 * o.rounds, cold: o.cold}
	g.visit(ctx, o.specs, project.Scenarios(), func(spec raw.Spec, scenario project.Scenario) error {
		if !scenario.Navigable() {
			return nil
		}
		rows, weights, err := tour{scenario, spec, g.rounds, g.cold}.measure(ctx)
		g.rows = append(g.rows, rows...)
		g.weights = append(g.weights, weights...)
		return err
	})
	return g.markdown(), g.failures
}

// visit measures each scenario of each server.
func (c *circumstances) visit(ctx context.Context, specs []raw.Spec, scenarios []project.Scenario, measure func(raw.Spec, project.Scenario) error) {
	for _, spec := range specs {
		version, err := spec.Version(ctx)
		if err != nil {
			c.failures = append(c.failures, err)
			continue
		}
		if line := spec.ID + ": " + version; !slices.Contains(c.versions, line) {
			c.versions = append(c.versions, line)
		}
		for _, scenario := range scenarios {
			if ctx.Err() != nil || !slices.Contains(scenario.Servers, spec.ID) {
				continue
			}
			fmt.Fprintf(os.Stderr, "%s: %s\n", spec.ID, scenario.Name)
			if err := measure(spec, scenario); err != nil {
				c.failures = append(c.failures, fmt.Errorf("%s: %s: %w", spec.ID, scenario.Name, err))
			}
		}
	}
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
