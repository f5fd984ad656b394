package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
)

// A tour puts all questions about one project to one server, by each navigator.
type tour struct {
	scenario project.Scenario
	spec     raw.Spec
	rounds   int // questions of a kind
	cold     int // starts of a fresh process
}

// An answered question is one row of the report.
type answered struct {
	measurement
	// counts are how many things each navigator found; nil if they do not tell
	// anything.
	counts []int
}

// A stop is one navigator with its copy of the project.
type stop struct {
	name      string
	navigator navigator
	symbol    project.Symbol
}

// questions are those asked: all of gopls, those that every server answers in
// the same way of the others.
func (t tour) questions() []question {
	list := []question{definition, references, referencesLines}
	if t.spec.ID == "gopls" {
		list = append(list, hover, inspect, outline, search, callers)
	}
	return list
}

// agree says whether all navigators must find the same number of things.
func (t tour) agree(q question) bool {
	switch q {
	case definition, references, referencesLines, callers:
		return true
	}
	return false
}

// measure times cold starts, then questions to running servers, and weighs
// answers.
func (t tour) measure(ctx context.Context) (rows []answered, weights []weight, err error) {
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var roots [2]string
	var symbols [2]project.Symbol
	for i, name := range []string{"raw", "LSPine"} {
		written, err := t.scenario.Write(ctx, filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		roots[i] = written.Root
		if symbols[i], err = t.scenario.Symbol(written); err != nil {
			return nil, nil, err
		}
	}
	starts, err := t.coldStarts(ctx, roots, symbols)
	if err != nil {
		return nil, nil, err
	}
	rows, weights, err = t.warm(ctx, roots, symbols)
	return append(rows, starts), weights, err
}

// coldStarts times a fresh process up to the first definition. The first start
// of each is not counted.
func (t tour) coldStarts(ctx context.Context, roots [2]string, symbols [2]project.Symbol) (answered, error) {
	row := answered{measurement: measurement{server: t.spec.ID, figure: "definition, from a cold start", samples: make([][]time.Duration, 2)}}
	for round := range t.cold + 1 {
		for i := range order(2, 2*round) {
			start := []func(context.Context, string, project.Symbol) (time.Duration, error){t.rawStart, t.lspineStart}[i]
			took, err := start(ctx, roots[i], symbols[i])
			if err != nil {
				return row, err
			}
			if round > 0 {
				row.samples[i] = append(row.samples[i], took)
			}
		}
	}
	return row, nil
}

func (t tour) rawStart(ctx context.Context, root string, s project.Symbol) (took time.Duration, err error) {
	begin := time.Now()
	n, err := startRawNavigator(ctx, t.spec, root)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, closeRaw(ctx, n.client)) }()
	return t.first(ctx, begin, n, s)
}

func (t tour) lspineStart(ctx context.Context, root string, s project.Symbol) (took time.Duration, err error) {
	begin := time.Now()
	subject := &lspine{id: t.spec.ID}
	if err := subject.Start(ctx, root); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, subject.Stop(context.WithoutCancel(ctx))) }()
	return t.first(ctx, begin, &engineNavigator{subject.engine}, s)
}

func (t tour) first(ctx context.Context, begin time.Time, n navigator, s project.Symbol) (time.Duration, error) {
	count, err := n.ask(ctx, definition, s)
	took := time.Since(begin)
	if err != nil {
		return 0, err
	}
	got, err := count()
	if err == nil && got == 0 {
		err = errors.New("no definition from a cold start")
	}
	return took, err
}

func closeRaw(ctx context.Context, client *raw.Client) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return client.Close(ctx)
}

// warm starts one server for the raw client and one for LSPine, which is asked
// in process and through MCP.
func (t tour) warm(ctx context.Context, roots [2]string, symbols [2]project.Symbol) (rows []answered, weights []weight, err error) {
	plain, err := startRawNavigator(ctx, t.spec, roots[0])
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, closeRaw(ctx, plain.client)) }()
	subject := &lspine{id: t.spec.ID}
	if err := subject.Start(ctx, roots[1]); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, subject.Stop(context.WithoutCancel(ctx))) }()
	remote, err := startMCP(subject.engine, "default")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, remote.stop()) }()

	stops := []stop{
		{"raw", plain, symbols[0]}, {"LSPine", &engineNavigator{subject.engine}, symbols[1]}, {"MCP", remote, symbols[1]},
	}
	for _, q := range t.questions() { // all, before one is timed: some load what others use
		if err := t.settle(ctx, q, stops); err != nil {
			return nil, nil, err
		}
	}
	for _, q := range t.questions() {
		row, err := t.time(ctx, q, stops)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	if t.spec.ID == "gopls" {
		weights, err = weigh(ctx, subject.engine, plain, remote, symbols)
	}
	return rows, weights, err
}

// settle asks until the answers agree: servers go on loading behind their first
// ones.
func (t tour) settle(ctx context.Context, q question, stops []stop) error {
	ctx, cancel := context.WithTimeout(ctx, editTimeout)
	defer cancel()
	const least = 5
	for round := 0; ; round++ {
		_, counts, err := t.round(ctx, q, stops, round)
		if err != nil {
			return err
		}
		agree := !t.agree(q)
		if !agree {
			agree = counts[0] == counts[1] && counts[1] == counts[2]
		}
		if agree && round >= least {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: raw, LSPine and MCP find %d", q, counts)
		}
	}
}

func (t tour) time(ctx context.Context, q question, stops []stop) (answered, error) {
	row := answered{measurement: measurement{server: t.spec.ID, figure: string(q), samples: make([][]time.Duration, len(stops))}}
	for round := range t.rounds {
		took, counts, err := t.round(ctx, q, stops, round)
		if err != nil {
			return row, err
		}
		for i := range stops {
			row.samples[i] = append(row.samples[i], took[i])
			if row.counts != nil && row.counts[i] != counts[i] {
				return row, fmt.Errorf("%s: %s finds %d, found %d before", q, stops[i].name, counts[i], row.counts[i])
			}
		}
		row.counts = counts
	}
	return row, nil
}

// round asks everyone once.
func (t tour) round(ctx context.Context, q question, stops []stop, round int) (took []time.Duration, counts []int, err error) {
	took, counts = make([]time.Duration, len(stops)), make([]int, len(stops))
	for i := range order(len(stops), 2*round) {
		begin := time.Now()
		count, err := stops[i].navigator.ask(ctx, q, stops[i].symbol)
		took[i] = time.Since(begin)
		if err == nil {
			counts[i], err = count()
		}
		if err == nil && counts[i] == 0 {
			err = errors.New("nothing found")
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", q, stops[i].name, err)
		}
	}
	return took, counts, nil
}
