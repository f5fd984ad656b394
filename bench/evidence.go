package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/evidence"
)

// goalEvidence is what a call that is on record may take, to one that is not.
const goalEvidence = 1.02

const (
	// checksPerRound as many checks are timed as elsewhere: the goal is near 1.
	checksPerRound = 4
	// definitionsPerRound questions follow each check.
	definitionsPerRound = 7
)

// A recording is the section about evidence.
type recording struct {
	circumstances
	rounds int
	rows   []simulated
}

// recorded measures the section about it.
func recorded(ctx context.Context, o options) (string, []error) {
	r := recording{circumstances: circumstances{command: o.command}, rounds: o.rounds}
	salt := strconv.FormatInt(time.Now().Unix(), 36) + "e"
	r.visit(ctx, o.specs, project.Simulations(), func(spec raw.Spec, scenario project.Scenario) error {
		if !scenario.Navigable() {
			return nil
		}
		rows, err := witness{scenario: scenario, spec: spec, rounds: o.rounds, salt: salt}.measure(ctx)
		r.rows = append(r.rows, rows...)
		return err
	})
	return r.markdown(), r.failures
}

// A witness measures one scenario with one server: LSPine with and without a log, each with a copy of
// the project. In a second half they change copies, so that no difference of the two servers counts.
type witness struct {
	scenario project.Scenario
	spec     raw.Spec
	rounds   int
	salt     string

	edits int
}

func (w witness) measure(ctx context.Context) (rows []simulated, err error) {
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var copies []project.Project
	for _, name := range []string{"one", "two"} {
		p, err := w.scenario.Write(ctx, filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		copies = append(copies, p)
	}
	checks := simulated{server: w.spec.ID, figure: "check of a new text", goal: goalEvidence}
	definitions := simulated{server: w.spec.ID, figure: "definition", goal: goalEvidence}
	for half := range 2 {
		err := w.half(ctx, copies[half], copies[1-half], filepath.Join(dir, "evidence.jsonl"), &checks, &definitions)
		if err != nil {
			return nil, err
		}
	}
	return []simulated{checks, definitions}, nil
}

// half measures with one copy of the project for who keeps no log, and one for who does.
func (w *witness) half(ctx context.Context, silent, kept project.Project, path string, checks, definitions *simulated) (err error) {
	log := evidence.Open(evidence.Options{Path: path})
	defer log.Close(context.WithoutCancel(ctx))
	var lanes [2]*lspine
	for i, p := range []project.Project{silent, kept} {
		lanes[i] = newLSPine(w.spec, p).(*lspine)
		cfg, problems := config.Load(config.Options{Root: p.Root, Environ: []string{"LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off"}})
		o := engine.Options{Root: p.Root, Config: cfg, Problems: problems, Only: []string{w.spec.ID}, StateFolder: p.Root + ".state"}
		if i == 1 {
			o.Evidence = log
		}
		if lanes[i].engine, err = engine.New(o); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lanes[i].Stop(context.WithoutCancel(ctx))) }()
	}
	const warming = 3
	for round := range warming + checksPerRound*w.rounds {
		w.edits += 2
		var took [2]time.Duration
		for i := range order(2, round) {
			p := []project.Project{silent, kept}[i]
			edit := p.Edit(w.edits, w.salt)
			begin := time.Now()
			found, err := lanes[i].Edit(ctx, p.File, edit.Text)
			took[i] = time.Since(begin)
			if err != nil || found != edit.Errors {
				return fmt.Errorf("check: %d errors, there are %d: %w", found, edit.Errors, err)
			}
		}
		if round >= warming {
			checks.against, checks.took = append(checks.against, took[0]), append(checks.took, took[1])
		}
		for again := range definitionsPerRound {
			for i := range order(2, again) {
				p := []project.Project{silent, kept}[i]
				symbol, err := w.scenario.Symbol(p)
				if err != nil {
					return err
				}
				begin := time.Now()
				_, err = (&engineNavigator{lanes[i].engine}).ask(ctx, definition, symbol)
				if took[i] = time.Since(begin); err != nil {
					return err
				}
			}
			if round >= warming {
				definitions.against, definitions.took = append(definitions.against, took[0]), append(definitions.took, took[1])
			}
		}
	}
	return nil
}

func (r recording) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Calls with and without an evidence log, in milliseconds: median (90th percentile) of %d checks, and %d times as many queries. Both use their own servers on copies of one project, in turns, and exchange the copies halfway through. A ratio is that of the medians, because a pair of neighbouring samples of less than a millisecond says little.\n\n", 2*checksPerRound*r.rounds, definitionsPerRound)
	b.WriteString("| server | figure | without | with | ratio | goal | met |\n|---|---|---:|---:|---:|---:|---|\n")
	for _, row := range r.rows {
		without, with := quantile(row.against, 0.5), quantile(row.took, 0.5)
		ratio := float64(with) / float64(without)
		fmt.Fprintf(&b, "| %s | %s | %s (%s) | %s (%s) | %.3f | ≤ %.2f | %s |\n", row.server, row.figure,
			milliseconds(without), milliseconds(quantile(row.against, 0.9)), milliseconds(with), milliseconds(quantile(row.took, 0.9)), ratio, row.goal, yes(ratio <= row.goal))
	}
	r.end(&b)
	return b.String()
}
