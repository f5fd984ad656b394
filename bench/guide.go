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
	fmt.Fprintf(&b, "Milliseconds from a question to its answer: median (90th percentile) of %d, after all were asked several times; "+
		"of a fresh process to its first answer, of %d. Raw sends what the protocol has and decodes the answer; LSPine is the engine "+
		"in process, MCP the same engine through the default profile and a stream in memory, with a client that decodes what a model reads. "+
		"They take turns in each round. A ratio is the median over the rounds, to raw. The goal, of the medians: at most %.2f × raw, or raw + %d ms. "+
		"Found are the places (or symbols) in each answer.\n\n", g.rounds, g.cold, goalRatio, goalMore/time.Millisecond)
	g.table(&b)
	b.WriteString(footnotes)
	if len(g.weights) > 0 {
		b.WriteString("\nWhat answers weigh, asked of x/tools with gopls:\n\n| what | bytes | goal | met |\n|---|---:|---:|---|\n")
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
* hover: of LSPine's inspect, that part alone. The row below it has all its parts.
* references: of typescript, typescript-language-server and pyright both ask together with the declaration, for without it these servers may leave out uses, too (imports, the place asked about). LSPine also asks for the definition, to take that out.
* references, with the lines: no server gives these. Raw reads each file that is named, and takes the lines out.
* search: LSPine leaves out what only shares letters with the query if something is more like it.
* clangd finds the uses in open files alone: it indexes no others without a compile_commands.json, which the project lacks.
* LSPine looks for each answer whether files changed on disk.
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
