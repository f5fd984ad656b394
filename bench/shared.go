package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
)

// A shared report is the section about whole processes that share a daemon.
type shared struct {
	circumstances
	rounds, cold int
	rows         []processRow
	weights      []sessionsRow
}

// A processRow compares a whole process with the raw client in this one.
type processRow struct {
	server, figure string
	raw, process   []time.Duration
	goal           time.Duration // that the process may take more; 0 for none
}

// What a process may take more than the raw client, from its start to its end.
const (
	goalHook = 25 * time.Millisecond
	goalVerb = 15 * time.Millisecond
)

// atOnce is how many processes or sessions there are at once, where there are several.
const atOnce = 8

// sharing measures the section about it.
func sharing(ctx context.Context, o options) (string, []error) {
	r := shared{circumstances: circumstances{command: o.command}, rounds: o.rounds, cold: o.cold}
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return "", []error{err}
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary, err := buildProgram(ctx, dir)
	if err != nil {
		return "", []error{err}
	}
	salt := strconv.FormatInt(time.Now().Unix(), 36) + "s"
	r.visit(ctx, o.specs, project.Scenarios(), func(spec raw.Spec, scenario project.Scenario) error {
		if !scenario.Navigable() {
			return nil // what is measured is the way to the server, not the server
		}
		return r.measure(ctx, visit{scenario, spec, binary, salt})
	})
	// What a session takes of itself does not grow with the project; what it shares does.
	r.visit(ctx, o.specs, project.Large(), func(spec raw.Spec, scenario project.Scenario) error {
		weight, err := visit{scenario, spec, binary, salt}.sessions(ctx)
		if err == nil {
			r.weights = append(r.weights, weight)
		}
		return err
	})
	return r.markdown(), r.failures
}

// A visit is one server in one project, with the executable that is compared.
type visit struct {
	scenario     project.Scenario
	spec         raw.Spec
	binary, salt string
}

func (r *shared) measure(ctx context.Context, v visit) error {
	edits, err := run{v.scenario, v.spec, []contender{
		{"raw", newRawEditor, false},
		{"check", newCheckSubject(v.binary), false},
		{"hook", newHookSubject(v.binary), false},
		{"check of the file", newCheckSubject(v.binary, "--scope", "file"), false},
	}, r.rounds, r.cold, v.salt}.measure(ctx)
	if err != nil {
		return err
	}
	warm, cold := edits[0].samples, edits[1].samples
	r.rows = append(r.rows,
		processRow{v.spec.ID, "`lspine hook`, after an edit", warm[0], warm[2], goalHook},
		processRow{v.spec.ID, "`lspine check --scope file FILE`, after an edit", warm[0], warm[3], goalVerb},
		processRow{v.spec.ID, "`lspine check FILE`, with the files that use it", warm[0], warm[1], 0})
	asked, err := v.questions(ctx, r.rounds)
	if err != nil {
		return err
	}
	r.rows = append(r.rows, asked...)
	r.rows = append(r.rows, processRow{v.spec.ID, "`lspine check FILE`, no daemon yet", cold[0], cold[1], 0})
	weight, err := v.sessions(ctx)
	if err == nil {
		r.weights = append(r.weights, weight)
	}
	return err
}

// questions times definitions, and several processes that ask at once.
func (v visit) questions(ctx context.Context, rounds int) (rows []processRow, err error) {
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var symbols [2]project.Symbol
	var roots [2]string
	for i, name := range []string{"raw", "process"} {
		written, err := v.scenario.Write(ctx, filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		roots[i] = written.Root
		if symbols[i], err = v.scenario.Symbol(written); err != nil {
			return nil, err
		}
	}
	plain, err := startRawNavigator(ctx, v.spec, roots[0])
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeRaw(ctx, plain.client)) }()
	p := &program{binary: v.binary, id: v.spec.ID}
	if err := p.start(roots[1]); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.stop(context.WithoutCancel(ctx))) }()
	used := symbols[1].Used
	place := fmt.Sprintf("%s:%d:%d", used.File, used.Line+1, used.Character+1)
	module := strings.TrimSuffix(filepath.Base(symbols[1].Declared.File), filepath.Ext(symbols[1].Declared.File)) // of C++ also its header
	one := func() error {
		out, err := p.run(ctx, nil, "def", place)
		if err == nil && !strings.Contains(out, module) {
			err = fmt.Errorf("def %s: %s", place, out)
		}
		return err
	}
	def := processRow{server: v.spec.ID, figure: "`lspine def`", goal: goalVerb}
	many := processRow{server: v.spec.ID, figure: fmt.Sprintf("%d × `lspine def` at once, until the last ends", atOnce)}
	const warming = 4
	for round := range warming + 2*rounds {
		began := time.Now()
		answer, err := plain.answer(ctx, definition, symbols[0])
		took := time.Since(began)
		if err == nil && answer.Count == 0 && round >= warming {
			err = errors.New("raw: no definition")
		}
		began = time.Now()
		err = errors.Join(err, one())
		single := time.Since(began)
		began = time.Now()
		err = errors.Join(err, together(one))
		all := time.Since(began)
		if err != nil {
			return nil, err
		}
		if round >= warming {
			def.raw, def.process = append(def.raw, took), append(def.process, single)
			many.raw, many.process = append(many.raw, took), append(many.process, all)
		}
	}
	return []processRow{def, many}, nil
}

// together does something several times at once.
func together(do func() error) error {
	failures := make([]error, atOnce)
	var all sync.WaitGroup
	for i := range failures {
		all.Go(func() { failures[i] = do() })
	}
	all.Wait()
	return errors.Join(failures...)
}

func (r *shared) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Milliseconds from the start of a process to its end: median (90th percentile) of %d, and of %d without a daemon. "+
		"The processes are the released program as hooks and people run it, all using the daemon that the first one starts. "+
		"Raw is the client in this process with a running server: it writes the file, notifies the server, and waits for the complete diagnostics of this file, "+
		"or asks where the symbol is defined. They take turns. \"More\" is the median of the differences.\n\n", 2*r.rounds, r.cold)
	b.WriteString("| server | figure | raw | process | more | goal | met |\n|---|---|---:|---:|---:|---:|---|\n")
	for _, row := range r.rows {
		more := medianMore(row.raw, row.process)
		goal, met := "", ""
		if row.goal > 0 {
			goal, met = fmt.Sprintf("≤ %d", row.goal.Milliseconds()), yes(more <= row.goal)
		}
		fmt.Fprintf(&b, "| %s | %s | %s (%s) | %s (%s) | %s | %s | %s |\n", row.server, row.figure,
			milliseconds(quantile(row.raw, 0.5)), milliseconds(quantile(row.raw, 0.9)),
			milliseconds(quantile(row.process, 0.5)), milliseconds(quantile(row.process, 0.9)), milliseconds(more), goal, met)
	}
	writeSessions(&b, r.weights)
	r.end(&b)
	return b.String()
}

// medianMore is the median of b[n]-a[n].
func medianMore(a, b []time.Duration) time.Duration {
	more := slices.Clone(b[:min(len(a), len(b))])
	for n := range more {
		more[n] -= a[n]
	}
	return quantile(more, 0.5)
}
