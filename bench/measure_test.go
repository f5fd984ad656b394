package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
)

// A teller counts the wrong lines of a text as a truthful server would, with an
// offset for those who are to be caught.
type teller struct {
	name string
	lies int
	log  *[]string
}

func (s *teller) Name() string { return s.name }

func (s *teller) Start(context.Context, string) error {
	*s.log = append(*s.log, s.name+" starts")
	return nil
}

func (s *teller) Edit(_ context.Context, _, text string) (int, error) {
	*s.log = append(*s.log, s.name)
	return strings.Count(text, `: number = "no number"`) + s.lies, nil
}

func (s *teller) Stop(context.Context) error {
	*s.log = append(*s.log, s.name+" stops")
	return nil
}

func tellers(log *[]string, lies int) run {
	scenarios := project.Scenarios()
	i := slices.IndexFunc(scenarios, func(s project.Scenario) bool { return slices.Contains(s.Servers, "typescript") })
	kind := func(name string, lies int) contender {
		return contender{name, func(raw.Spec, project.Project) Subject { return &teller{name, lies, log} }, false}
	}
	return run{
		scenario: scenarios[i], spec: raw.Spec{ID: "typescript"},
		contenders: []contender{kind("a", 0), kind("b", lies)},
		rounds:     3, cold: 1, salt: "test",
	}
}

// Contenders take turns, the first place as well, and each has a sample in
// each round.
func TestContendersTakeTurns(t *testing.T) {
	var log []string
	rows, err := tellers(&log, 0).measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if len(row.samples) != 2 || len(row.samples[0]) != len(row.samples[1]) {
			t.Errorf("%s: uneven samples: %v", row.figure, row.samples)
		}
	}
	if edits, starts := len(rows[0].samples[0]), len(rows[1].samples[0]); edits != 6 || starts != 1 {
		t.Errorf("%d edits, %d cold starts", edits, starts)
	}
	got := strings.Join(log, " ")
	cold := "a starts a a stops b starts b b stops "
	want := cold + cold + "a starts b starts a b a b b a b a a b a b b a b a a b a b a stops b stops"
	if got != want {
		t.Errorf("order:\n%s\nexpected:\n%s", got, want)
	}
}

// The wrong answers of who only guesses are counted, and said.
func TestGuessesAreCounted(t *testing.T) {
	var log []string
	r := tellers(&log, -1)
	r.contenders[1].guesses = true
	rows, err := r.measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Also the four edits before those that count.
	if rows[0].wrong[0] != 0 || rows[0].wrong[1] != 10 || rows[1].wrong[1] != 2 {
		t.Errorf("edits %v, starts %v", rows[0].wrong, rows[1].wrong)
	}
	page := report{contenders: []string{"raw", "plain"}, rows: rows}.markdown()
	if !strings.Contains(page, "**10 wrong**") || strings.Count(page, "wrong**") != 2 {
		t.Errorf("%s", page)
	}
}

// Who misses an error is not measured but named, and what runs is stopped.
func TestWrongAnswersAreNotMeasured(t *testing.T) {
	var log []string
	rows, err := tellers(&log, -1).measure(t.Context())
	if err == nil || !strings.Contains(err.Error(), "b: edit 0: reports 0 errors, there are 1") {
		t.Errorf("error: %v", err)
	}
	if rows != nil {
		t.Errorf("measured all the same: %v", rows)
	}
	if log[len(log)-1] != "b stops" {
		t.Errorf("left running: %v", log)
	}
}

// The page shows medians, the 90th percentile and the ratio of neighbours.
func TestReport(t *testing.T) {
	page := report{
		rounds: 1, cold: 3, contenders: []string{"raw", "other"},
		rows:          []measurement{{"s", "an edit", [][]time.Duration{ms(10, 20, 30), ms(20, 20, 600)}, nil}},
		circumstances: circumstances{"go run ./bench", []string{"s: 1.0"}, []error{fmt.Errorf("t: is\nmissing")}},
	}.markdown()
	for _, want := range []string{
		"| server | figure | raw | other | ratio |\n|---|---|---:|---:|---:|\n",
		"| s | an edit | 20.0 (28.0) | 20.0 (484) | 2.00 |\n",
		"Not measured: t: is missing\n",
		"2 edits, half",
		"3 cold starts.",
		"Command: `go run ./bench`.",
		"* s: 1.0\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in:\n%s", want, page)
		}
	}
}

func ms(values ...float64) []time.Duration {
	var samples []time.Duration
	for _, v := range values {
		samples = append(samples, time.Duration(v*float64(time.Millisecond)))
	}
	return samples
}
