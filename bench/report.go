package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A report is the section about edits.
type report struct {
	circumstances
	what         string // is measured
	rounds, cold int
	contenders   []string
	rows         []measurement
}

// circumstances are what every section says of how it came about.
type circumstances struct {
	command  string
	versions []string
	failures []error
}

func (r report) markdown() string {
	var b strings.Builder
	b.WriteString(r.what + ": median (90th percentile). " +
		"All clients make the same edits with the same servers in one run, one after the other for each edit (with jdtls, which continues to work after an answer, once it is at rest), and each answer is compared with the known number of errors. ")
	if slices.Contains(r.contenders, "plain") {
		b.WriteString("Plain is how most clients work: the server with its defaults, a publish, and 300 ms without another; the number of wrong answers is given. ")
	}
	fmt.Fprintf(&b, "A ratio is relative to %s: the median over the pairs of neighbouring samples. ", r.contenders[0])
	fmt.Fprintf(&b, "%d edits, half of which break the file and half fix it (if all users of a function are waited for, only the former count), and %d cold starts.\n\n", 2*r.rounds, r.cold)
	r.table(&b)
	r.end(&b)
	return b.String()
}

// end ends a section: what failed, and where and with what it ran.
func (c circumstances) end(b *strings.Builder) {
	for _, failure := range c.failures {
		fmt.Fprintf(b, "\nNot measured: %s\n", strings.ReplaceAll(failure.Error(), "\n", " "))
	}
	fmt.Fprintf(b, "\nMachine: %s/%s, %d CPUs, %s. Command: `%s`.\n\nServers:\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), c.command)
	for _, version := range c.versions {
		fmt.Fprintf(b, "* %s\n", version)
	}
}

func (r report) table(b *strings.Builder) {
	heading, rule := "| server | figure |", "|---|---|"
	for i, name := range r.contenders {
		heading += " " + name + " |"
		rule += "---:|"
		if i > 0 {
			heading += " ratio |"
			rule += "---:|"
		}
	}
	b.WriteString(heading + "\n" + rule + "\n")
	for _, row := range r.rows {
		fmt.Fprintf(b, "| %s | %s |", row.server, row.figure)
		for i, samples := range row.samples {
			fmt.Fprintf(b, " %s (%s)", milliseconds(quantile(samples, 0.5)), milliseconds(quantile(samples, 0.9)))
			if i < len(row.wrong) && row.wrong[i] > 0 {
				fmt.Fprintf(b, ", **%d wrong**", row.wrong[i])
			}
			b.WriteString(" |")
			if i > 0 {
				fmt.Fprintf(b, " %.2f |", pairedRatio(row.samples[0], samples))
			}
		}
		b.WriteString("\n")
	}
}

func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 100 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// quantile interpolates between the neighbours of the place q (0 to 1) in the
// sorted samples; 0 of none.
func quantile[T ~int64 | ~float64](samples []T, q float64) T {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	place := q * float64(len(sorted)-1)
	below := int(place)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + T((place-float64(below))*float64(sorted[above]-sorted[below]))
}

// pairedRatio is the median of b[n]/a[n]: what slowed the machine down for a
// while slowed both halves of a pair.
func pairedRatio(a, b []time.Duration) float64 {
	ratios := make([]float64, min(len(a), len(b)))
	for n := range ratios {
		ratios[n] = float64(b[n]) / float64(a[n])
	}
	return quantile(ratios, 0.5)
}
