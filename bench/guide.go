package main

import (
	"fmt"
	"strings"
	"time"
)

// A guide is the section about navigation.
type guide struct {
	circumstances
	rounds, cold int
	rows         []answered
	weights      []weight
}

// What LSPine may cost: so much of what raw costs, or so much more.
const (
	goalRatio = 1.20
	goalMore  = time.Millisecond
)

func (g guide) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Milliseconds from a query to its answer: median (90th percentile) of %d, after all queries were sent several times; from a fresh process to its first answer, of %d. Raw sends the request of the protocol and decodes the answer; LSPine is the engine in the same process; MCP is the same engine through the default profile and a stream in memory, with a client that decodes what a model reads. They take turns in each round. A ratio is relative to raw: the median over the rounds. The goal for the medians: at most %.2f × raw, or raw + %d ms. "+
		"\"Found\" is the number of places (or symbols) in each answer.\n\n", g.rounds, g.cold, goalRatio, goalMore/time.Millisecond)
	g.table(&b)
	b.WriteString(footnotes)
	if len(g.weights) > 0 {
		b.WriteString("\nSize of answers, for x/tools with gopls:\n\n| what | bytes | goal | met |\n|---|---:|---:|---|\n")
	}
	for _, w := range g.weights {
		goal, met := "", ""
		if w.goal > 0 {
			goal, met = fmt.Sprintf("≤ %d", w.goal), yes(w.bytes <= w.goal)
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", w.what, w.bytes, goal, met)
	}
	g.end(&b)
	return b.String()
}

const footnotes = `
* hover: only this part of LSPine's inspect. The row below it has all its parts.
* references: for typescript, typescript-language-server and pyright both request the declaration too, because without it these servers may also leave out uses (imports, the position of the query). LSPine also requests the definition, to remove it.
* references, with the lines: no server returns these. Raw reads each file in the answer and extracts the lines.
* search: LSPine leaves out names that only share letters with the query if there are more similar ones.
* clangd finds uses only in open files: it indexes no others without a compile_commands.json, which the project lacks.
* For each answer, LSPine checks whether files changed on disk.
`

func (g guide) table(b *strings.Builder) {
	b.WriteString("| server | question | raw | LSPine | ratio | MCP | ratio | goal met: LSPine, MCP | found |\n" +
		"|---|---|---:|---:|---:|---:|---:|---|---|\n")
	for _, row := range g.rows {
		fmt.Fprintf(b, "| %s | %s | %s |", row.server, row.figure, fine(row.samples[0]))
		var met []string
		for i := 1; i < 3; i++ {
			if i >= len(row.samples) {
				b.WriteString(" | |")
				continue
			}
			fmt.Fprintf(b, " %s | %.2f |", fine(row.samples[i]), pairedRatio(row.samples[0], row.samples[i]))
			met = append(met, yes(withinGoal(row.samples[0], row.samples[i])))
		}
		found := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(row.counts)), ", "), "[]")
		fmt.Fprintf(b, " %s | %s |\n", strings.Join(met, ", "), found)
	}
}

func withinGoal(raw, other []time.Duration) bool {
	base, cost := quantile(raw, 0.5), quantile(other, 0.5)
	return float64(cost) <= goalRatio*float64(base) || cost <= base+goalMore
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "**no**"
}

// fine is for what takes less than a millisecond, too.
func fine(samples []time.Duration) string {
	text := func(d time.Duration) string {
		if d < 10*time.Millisecond {
			return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond))
		}
		return milliseconds(d)
	}
	return text(quantile(samples, 0.5)) + " (" + text(quantile(samples, 0.9)) + ")"
}
