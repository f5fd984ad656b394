package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is measured again replaces its section; the others stay, in their order.
func TestSectionsAreMerged(t *testing.T) {
	first, second := sections[0].heading, sections[1].heading
	file := filepath.Join(t.TempDir(), "page.md")
	expect := func(want ...section) {
		t.Helper()
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != page(want) {
			t.Errorf("page:\n%s\nwant:\n%s", got, page(want))
		}
	}
	publishes := func(list ...section) {
		t.Helper()
		if err := publish(file, list); err != nil {
			t.Fatal(err)
		}
	}
	publishes(section{second, "b1\n"})
	publishes(section{first, "a1"})
	expect(section{first, "a1"}, section{second, "b1"})
	publishes(section{second, "b2\n\n* more"})
	expect(section{first, "a1"}, section{second, "b2\n\n* more"})
}

// The section about navigation says of each row whether it keeps the goal.
func TestGuide(t *testing.T) {
	both := func(a, b []time.Duration) [][]time.Duration { return [][]time.Duration{a, b} }
	text := guide{
		circumstances: circumstances{command: "go run ./bench", failures: []error{errors.New("gone")}},
		rounds:        3, cold: 1,
		rows: []answered{
			{measurement{"s", "near", [][]time.Duration{ms(1, 1, 1), ms(1.5, 1.9, 2), ms(2.1, 2.1, 2.1)}, nil}, []int{2, 2, 2}},
			{measurement{"s", "far", [][]time.Duration{ms(10), ms(12), ms(12.1)}, nil}, []int{3, 4, 4}},
			{measurement{"s", "start", both(ms(100), ms(300)), nil}, nil},
		},
		weights: []weight{{"light", 10, 10}, {"heavy", 11, 10}, {"any", 12, 0}},
	}.markdown()
	for _, want := range []string{
		"| s | near | 1.00 (1.00) | 1.90 (1.98) | 1.90 | 2.10 (2.10) | 2.10 | yes, **no** | 2, 2, 2 |\n",
		"| s | far | 10.0 (10.0) | 12.0 (12.0) | 1.20 | 12.1 (12.1) | 1.21 | yes, **no** | 3, 4, 4 |\n",
		"| s | start | 100 (100) | 300 (300) | 3.00 | | | **no** |  |\n",
		"| light | 10 | ≤ 10 | yes |\n| heavy | 11 | ≤ 10 | **no** |\n| any | 12 |  |  |\n",
		"Not measured: gone\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// The figures that the README shows are those of the page: the medians of the server itself, of
// LSPine, and of the plain client with its wrong answers.
func TestReadmeFigures(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	measured, err := os.ReadFile("../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	var figures strings.Builder
	for line := range strings.Lines(parsePage(string(measured))[0].text) {
		if c := strings.Split(line, " | "); len(c) == 7 && !strings.Contains(line, "cold start") {
			plain := median(c[5])
			if _, wrong, found := strings.Cut(c[5], "**"); found {
				plain += ", " + strings.TrimSuffix(wrong, "**")
			}
			figures.WriteString(c[0] + ", " + c[1] + " | " + median(c[2]) + " | " + median(c[3]) + " | " + plain + " |\n")
		}
	}
	rows := 0
	for line := range strings.Lines(string(readme)) {
		if strings.HasPrefix(line, "| ") && strings.Contains(line, ": the edited file") {
			rows++
			if !strings.Contains(figures.String(), line) {
				t.Errorf("the README says\n%s and docs/benchmarks.md\n%s", line, figures.String())
			}
		}
	}
	if rows != 5 {
		t.Errorf("the README has %d rows", rows)
	}
}

func median(cell string) string {
	first, _, _ := strings.Cut(cell, " (")
	return first
}
