package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
)

// editTimeout is the longest that anything measured may take.
const editTimeout = 2 * time.Minute

// A measurement is one row of the report: the same thing timed for each
// contender, sample n of all of them taken right after each other.
type measurement struct {
	server  string
	figure  string
	samples [][]time.Duration // by contender, then in the order of rounds
	wrong   []int             // answers of each contender that were not the truth
}

// A run measures one scenario with one server.
type run struct {
	scenario   project.Scenario
	spec       raw.Spec
	contenders []contender
	rounds     int // pairs of edits: break, mend
	cold       int // starts of a fresh process
	salt       string
}

// A lane is one contender with a copy of the project of its own: caches that a
// server keeps on disk by path are not shared.
type lane struct {
	contender contender
	spec      raw.Spec
	project   project.Project
	salt      string
	subject   Subject // nil when none runs
	edits     int     // the number of the next edit, in all starts
	wrong     int     // answers so far that were not the truth
}

// measure times cold starts and then edits of running servers.
func (r run) measure(ctx context.Context) (rows []measurement, err error) {
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	lanes := make([]*lane, len(r.contenders))
	for i, contender := range r.contenders {
		written, err := r.scenario.Write(ctx, filepath.Join(dir, contender.name))
		if err != nil {
			return nil, err
		}
		lanes[i] = &lane{contender: contender, spec: r.spec, project: written, salt: r.salt + strconv.Itoa(i)}
	}
	defer func() {
		for _, lane := range lanes {
			err = errors.Join(err, lane.stop(ctx))
		}
	}()
	wrong := func() (counts []int) { // since it was asked last
		for _, lane := range lanes {
			counts = append(counts, lane.wrong)
			lane.wrong = 0
		}
		return counts
	}
	starts, err := r.coldStarts(ctx, lanes)
	if err != nil {
		return nil, err
	}
	wrongStarts := wrong()
	edits, err := r.warmEdits(ctx, lanes)
	if err != nil {
		return nil, err
	}
	return []measurement{
		{r.spec.ID, r.scenario.Name, edits, wrong()},
		{r.spec.ID, r.scenario.Name + ", from a cold start", starts, wrongStarts},
	}, nil
}

// coldStarts times a fresh process up to the complete diagnostics of the first
// file opened. The first start of each is not counted: it fills what servers
// keep on disk for all their projects.
func (r run) coldStarts(ctx context.Context, lanes []*lane) ([][]time.Duration, error) {
	samples := make([][]time.Duration, len(lanes))
	for round := range r.cold + 1 {
		for i := range order(len(lanes), round) {
			took, err := lanes[i].coldStart(ctx)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				samples[i] = append(samples[i], took)
			}
		}
	}
	return samples, nil
}

func (l *lane) coldStart(ctx context.Context) (time.Duration, error) {
	begin := time.Now()
	if err := l.start(ctx); err != nil {
		return 0, err
	}
	if _, err := l.edit(ctx); err != nil {
		return 0, err
	}
	took := time.Since(begin)
	l.edits++ // the next start breaks the file again: no errors would prove nothing
	return took, l.stop(ctx)
}

// warmEdits times edits of a file that is open in a server that has seen a few
// of them.
func (r run) warmEdits(ctx context.Context, lanes []*lane) ([][]time.Duration, error) {
	for _, lane := range lanes {
		if err := lane.start(ctx); err != nil {
			return nil, err
		}
	}
	const warming = 4
	samples := make([][]time.Duration, len(lanes))
	for round := range warming + 2*r.rounds {
		for i := range order(len(lanes), round) {
			if err := rest(ctx, r.spec.Rest); err != nil {
				return nil, err
			}
			took, err := lanes[i].edit(ctx)
			if err != nil {
				return nil, err
			}
			// What a mended file costs is of interest for the file alone.
			mended := round%2 == 1
			if round >= warming && !(mended && lanes[i].project.Whole) {
				samples[i] = append(samples[i], took)
			}
		}
	}
	for _, lane := range lanes {
		if err := lane.stop(ctx); err != nil {
			return nil, err
		}
	}
	return samples, nil
}

// rest lets every server come to an end with what it does after the edit before.
func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// order is 0 to n-1, starting with another one in each round of break and mend,
// so that nobody always comes after the same one.
func order(n, round int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield((i + round/2) % n) {
				return
			}
		}
	}
}

func (l *lane) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, editTimeout)
	defer cancel()
	// Whoever wrote to disk left the file as it was at the end.
	if err := os.WriteFile(l.project.File, []byte(l.project.Edit(1, l.salt+"start").Text), 0o644); err != nil {
		return err
	}
	subject := l.contender.make(l.spec, l.project)
	if err := subject.Start(ctx, l.project.Root); err != nil {
		return fmt.Errorf("%s: starting: %w", l.contender.name, err)
	}
	l.subject = subject
	return nil
}

// edit makes the next edit and checks that the answer is the truth.
func (l *lane) edit(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, editTimeout)
	defer cancel()
	edit := l.project.Edit(l.edits, l.salt)
	begin := time.Now()
	got, err := l.subject.Edit(ctx, l.project.File, edit.Text)
	took := time.Since(begin)
	if err != nil {
		return 0, fmt.Errorf("%s: edit %d: %w", l.contender.name, l.edits, err)
	}
	if got != edit.Errors && l.contender.guesses {
		l.wrong++
	} else if got != edit.Errors {
		return 0, fmt.Errorf("%s: edit %d: reports %d errors, there are %d", l.contender.name, l.edits, got, edit.Errors)
	}
	l.edits++
	return took, nil
}

// stop ends what runs. It may be called when nothing does.
func (l *lane) stop(ctx context.Context) error {
	if l.subject == nil {
		return nil
	}
	subject := l.subject
	l.subject = nil
	if err := subject.Stop(context.WithoutCancel(ctx)); err != nil { // also after an interrupt
		return fmt.Errorf("%s: stopping: %w", l.contender.name, err)
	}
	return nil
}
