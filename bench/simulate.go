package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// The goals of simulation: of a preview against one raw diagnosis, of a chain of chainLength steps
// against as many, and of a check while openSessions are open against one while none is.
const (
	goalPreview  = 2.2
	goalChain    = 1.3
	goalBeside   = 1.1
	chainLength  = 10
	openSessions = 50
	// besideTimes as many checks are timed as previews: the goal is near 1, and a server's own
	// collection of garbage is much of such a difference.
	besideTimes = 4
)

// chains is how many chains are timed.
func chains(rounds int) int { return max(2, rounds/2) }

// A judgement is the section about simulation.
type judgement struct {
	circumstances
	rounds int
	rows   []simulated
	// kept is what sessions cost in memory, in bytes for each, by server.
	kept []weight
}

// A simulated is one row: what is measured, and what it is measured against.
type simulated struct {
	server, figure string
	against, took  []time.Duration
	goal           float64 // 0 for none
}

// simulation measures the section about it.
func simulation(ctx context.Context, o options) (string, []error) {
	j := judgement{circumstances: circumstances{command: o.command}, rounds: o.rounds}
	salt := strconv.FormatInt(time.Now().Unix(), 36) + "s"
	j.visit(ctx, o.specs, project.Simulations(), func(spec raw.Spec, scenario project.Scenario) error {
		rows, kept, err := rehearsal{scenario: scenario, spec: spec, rounds: o.rounds, salt: salt}.measure(ctx)
		j.rows, j.kept = append(j.rows, rows...), append(j.kept, kept...)
		return err
	})
	return j.markdown(), j.failures
}

// A rehearsal measures one scenario with one server: a raw client and LSPine, each with a copy
// of the project.
type rehearsal struct {
	scenario project.Scenario
	spec     raw.Spec
	rounds   int
	salt     string

	raw     *rawSubject
	lspine  *lspine
	rawFile string
	file    string // as LSPine names it
	project project.Project
	edits   int
}

func (r rehearsal) measure(ctx context.Context) (rows []simulated, kept []weight, err error) {
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	theirs, err := r.scenario.Write(ctx, filepath.Join(dir, "raw"))
	if err != nil {
		return nil, nil, err
	}
	if r.project, err = r.scenario.Write(ctx, filepath.Join(dir, "LSPine")); err != nil {
		return nil, nil, err
	}
	for _, p := range []project.Project{theirs, r.project} {
		if err := os.WriteFile(p.File, []byte(p.Edit(1, r.salt+"start").Text), 0o644); err != nil {
			return nil, nil, err
		}
	}
	r.raw, r.lspine = newRaw(r.spec, theirs).(*rawSubject), newLSPine(r.spec, r.project).(*lspine)
	for subject, root := range map[Subject]string{r.raw: theirs.Root, r.lspine: r.project.Root} {
		if err := subject.Start(ctx, root); err != nil {
			return nil, nil, err
		}
		defer func() { err = errors.Join(err, subject.Stop(context.WithoutCancel(ctx))) }()
	}
	r.rawFile = theirs.File
	if r.file, err = filepath.Rel(r.project.Root, r.project.File); err != nil {
		return nil, nil, err
	}
	return r.all(ctx)
}

func (r *rehearsal) all(ctx context.Context) (rows []simulated, kept []weight, err error) {
	preview := simulated{server: r.spec.ID, figure: "preview of an edit, of the edited file", goal: goalPreview}
	users := simulated{server: r.spec.ID, figure: "preview of an edit, with all that use it"}
	chain := simulated{server: r.spec.ID, figure: fmt.Sprintf("chain of %d edits", chainLength), goal: goalChain}
	const warming = 2
	for round := range warming + r.rounds {
		one, err := r.diagnose(ctx, 1)
		if err != nil {
			return nil, nil, err
		}
		file, err := r.preview(ctx, api.ScopeFile)
		if err != nil {
			return nil, nil, err
		}
		all, err := r.preview(ctx, api.ScopeDependants)
		if err != nil {
			return nil, nil, err
		}
		if round >= warming {
			preview.against, preview.took = append(preview.against, one), append(preview.took, file)
			users.against, users.took = append(users.against, one), append(users.took, all)
		}
	}
	for range chains(r.rounds) {
		ten, err := r.diagnose(ctx, chainLength)
		if err != nil {
			return nil, nil, err
		}
		steps, err := r.chain(ctx)
		if err != nil {
			return nil, nil, err
		}
		chain.against, chain.took = append(chain.against, ten), append(chain.took, steps)
	}
	beside, size, err := r.beside(ctx)
	return []simulated{preview, users, chain, beside}, []weight{{what: r.spec.ID, bytes: size}}, err
}

// next returns the next edit that breaks the file.
func (r *rehearsal) next() project.Edit {
	r.edits += 2
	return r.project.Edit(r.edits, r.salt)
}

// diagnose times the raw client's diagnoses of new texts, one after the other.
func (r *rehearsal) diagnose(ctx context.Context, times int) (took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, editTimeout)
	defer cancel()
	for range times {
		edit := r.next()
		begin := time.Now()
		errors, err := r.raw.Edit(ctx, r.rawFile, edit.Text)
		took += time.Since(begin)
		if err != nil || errors != edit.Errors {
			return 0, fmt.Errorf("raw: reports %d errors, there are %d: %w", errors, edit.Errors, err)
		}
	}
	return took, nil
}

func (r *rehearsal) simulate(ctx context.Context, req api.SimulateRequest) (result.Simulation, error) {
	ctx, cancel := context.WithTimeout(ctx, editTimeout)
	defer cancel()
	req.TimeoutMS = int(editTimeout.Milliseconds())
	return api.Simulate.Do(ctx, r.lspine.engine, req)
}

// preview times one preview of a new text.
func (r *rehearsal) preview(ctx context.Context, scope string) (time.Duration, error) {
	edit := r.next()
	begin := time.Now()
	answer, err := r.simulate(ctx, api.SimulateRequest{Action: api.SimulatePreview, Scope: scope, Edits: r.writing(edit)})
	took := time.Since(begin)
	if err != nil {
		return 0, err
	}
	return took, expect(answer.Evaluation, edit.Errors)
}

func (r *rehearsal) writing(edit project.Edit) []api.SimulatedEdit {
	return []api.SimulatedEdit{{FileEdit: api.FileEdit{File: r.file, Content: &edit.Text}}}
}

// expect fails if an evaluation is not the truth.
func expect(e *result.Evaluation, errors int) error {
	if e.NetDelta != errors || e.Confidence != result.HighConfidence {
		return fmt.Errorf("LSPine: reports %d errors (confidence %s), there are %d", e.NetDelta, e.Confidence, errors)
	}
	return nil
}

// chain times a chain of new texts.
func (r *rehearsal) chain(ctx context.Context) (time.Duration, error) {
	made, err := r.simulate(ctx, api.SimulateRequest{Action: api.SimulateCreate})
	if err != nil {
		return 0, err
	}
	var steps []api.SimulatedEdit
	var wanted []int
	for range chainLength {
		edit := r.next()
		steps, wanted = append(steps, r.writing(edit)...), append(wanted, edit.Errors)
	}
	begin := time.Now()
	answer, err := r.simulate(ctx, api.SimulateRequest{Action: api.SimulateChain, Session: made.Session, Scope: api.ScopeFile, Edits: steps})
	took := time.Since(begin)
	if err != nil {
		return 0, err
	}
	sum := 0
	for i, step := range answer.Chain.Steps {
		if sum += step.NetDelta; sum != wanted[i] {
			return 0, fmt.Errorf("LSPine: step %d reports %d errors, there are %d", i+1, sum, wanted[i])
		}
	}
	_, err = r.simulate(ctx, api.SimulateRequest{Action: api.SimulateDestroy, Session: made.Session})
	return took, err
}

// beside times checks while no session is open, and while many are, by turns, and says how much
// memory one takes.
func (r *rehearsal) beside(ctx context.Context) (row simulated, size int, err error) {
	row = simulated{server: r.spec.ID, figure: fmt.Sprintf("check, with %d sessions open, to one with none", openSessions), goal: goalBeside}
	for range besideTimes * r.rounds {
		runtime.GC() // as memory does before the other check
		alone, err := r.check(ctx)
		if err != nil {
			return row, 0, err
		}
		before := memory()
		opened, err := r.open(ctx)
		if err != nil {
			return row, 0, err
		}
		size = max(size, (memory()-before)/openSessions)
		beside, err := r.check(ctx)
		if err != nil {
			return row, 0, err
		}
		for _, session := range opened {
			if _, err := r.simulate(ctx, api.SimulateRequest{Action: api.SimulateDestroy, Session: session}); err != nil {
				return row, 0, err
			}
		}
		row.against, row.took = append(row.against, alone), append(row.took, beside)
	}
	return row, size, nil
}

// open makes many sessions that hold an edit each.
func (r *rehearsal) open(ctx context.Context) (sessions []string, err error) {
	for range openSessions {
		made, err := r.simulate(ctx, api.SimulateRequest{Action: api.SimulateCreate})
		if err != nil {
			return nil, err
		}
		if _, err := r.simulate(ctx, api.SimulateRequest{Action: api.SimulateEdit, Session: made.Session, Edits: r.writing(r.next())}); err != nil {
			return nil, err
		}
		sessions = append(sessions, made.Session)
	}
	return sessions, nil
}

// check times a check of a new text, the second of two.
func (r *rehearsal) check(ctx context.Context) (took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, editTimeout)
	defer cancel()
	for range 2 {
		edit := r.next()
		begin := time.Now()
		errors, err := r.lspine.Edit(ctx, r.project.File, edit.Text)
		took = time.Since(begin)
		if err != nil || errors != edit.Errors {
			return 0, fmt.Errorf("check: reports %d errors, there are %d: %w", errors, edit.Errors, err)
		}
	}
	return took, nil
}

// memory is how many bytes are in use.
func memory() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

func (j judgement) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "From edits that exist only in memory to what they would break, in milliseconds: median (90th percentile) of %d samples, of %d for chains, and of %d for checks while sessions are open. "+
		"What was wrong before is known. The left column is the reference: for a preview, one diagnosis of a new text of the file by the raw client; for a chain, the same number of diagnoses, one after the other. A preview shows the server the new text, and then the one on disk again, before anybody else may query it: that is two diagnoses, except with a server that reports only when it is queried. "+
		"A ratio is the median over the pairs of neighbouring samples.\n\n", j.rounds, chains(j.rounds), besideTimes*j.rounds)
	b.WriteString("| server | figure | against | LSPine | ratio | goal | met |\n|---|---|---:|---:|---:|---:|---|\n")
	for _, row := range j.rows {
		ratio, goal, met := pairedRatio(row.against, row.took), "", ""
		if row.goal > 0 {
			goal, met = fmt.Sprintf("≤ %.1f", row.goal), "yes"
			if ratio > row.goal {
				met = "**no**"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s (%s) | %s (%s) | %.2f | %s | %s |\n", row.server, row.figure,
			milliseconds(quantile(row.against, 0.5)), milliseconds(quantile(row.against, 0.9)), milliseconds(quantile(row.took, 0.5)), milliseconds(quantile(row.took, 0.9)), ratio, goal, met)
	}
	b.WriteString("\nThe most memory that an open session with one edited file keeps, in bytes:\n\n")
	for _, k := range j.kept {
		fmt.Fprintf(&b, "* %s: %d\n", k.what, k.bytes)
	}
	j.end(&b)
	return b.String()
}
