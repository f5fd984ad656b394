package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// briefDoctor returns the text: a block for the whole, and one for each server.
func briefDoctor(d *result.Doctor) string {
	return writeWith(&d.Head, d.Level, func(b *strings.Builder) {
		if len(d.Files) > 0 {
			fmt.Fprintf(b, "%s in %s: %s\n", legible.Line(strings.Join(d.Files, ", ")), legible.Line(d.Root), d.Level)
		} else {
			fmt.Fprintf(b, "workspace %s: %s\n", legible.Line(d.Root), d.Level)
		}
		if len(d.Languages) > 0 {
			fmt.Fprintf(b, "languages: %s\n", legible.Line(strings.Join(d.Languages, ", ")))
		}
		writeSymptoms(b, d.Symptoms)
		for i := range d.Servers {
			p := &d.Servers[i]
			fmt.Fprintf(b, "\n%s", legible.Line(p.ID))
			if p.Files > 0 {
				fmt.Fprintf(b, " (%d %s)", p.Files, plural(p.Files, "file"))
			}
			fmt.Fprintf(b, ": %s\n", p.Level)
			writeSymptoms(b, p.Symptoms)
		}
		if len(d.Passed) > 0 {
			fmt.Fprintln(b, "\nnot asked:")
			width := 0
			for _, p := range d.Passed {
				width = max(width, utf8.RuneCountInString(p.ID))
			}
			for _, p := range d.Passed {
				fmt.Fprintf(b, "  %-*s  %s\n", width, legible.Line(p.ID), oneLine(p.Reason))
			}
		}
	})
}

// symptomIndent is the width of level and step.
const symptomIndent = "                          "

func writeSymptoms(b *strings.Builder, symptoms []result.Symptom) {
	for _, s := range symptoms {
		fmt.Fprintf(b, "  %-7s  %-13s  %s", s.Level, legible.Line(s.Step), oneLine(s.Message))
		if s.TookMS > 0 {
			fmt.Fprintf(b, " (%d ms)", s.TookMS)
		}
		fmt.Fprintln(b)
		for _, line := range s.Details {
			fmt.Fprintf(b, "%s| %s\n", symptomIndent, oneLine(line))
		}
		if s.Next != "" {
			fmt.Fprintf(b, "%snext: %s\n", symptomIndent, legible.Line(s.Next))
		}
	}
}

// fitDoctor shortens: who is not asked goes first, then what is well, then
// servers from the end.
func fitDoctor(d *result.Doctor, max int) {
	fit(max, d,
		func() bool {
			had := len(d.Passed) > 0
			d.Passed = nil
			d.Cut = "servers that are not asked; raise max_bytes"
			return had
		},
		func() (had bool) {
			for i := range d.Servers {
				var kept []result.Symptom
				for _, s := range d.Servers[i].Symptoms {
					if s.Level != result.LevelOK {
						kept = append(kept, s)
					}
				}
				had = had || len(kept) < len(d.Servers[i].Symptoms)
				d.Servers[i].Symptoms = append([]result.Symptom{}, kept...)
			}
			d.Cut = "what is well; raise max_bytes, or name one file"
			return had
		},
		func() bool {
			n := len(d.Servers)
			d.Servers = d.Servers[:halve(n)]
			d.Cut = fmt.Sprintf("all but %d servers; name one file", len(d.Servers))
			return n > 0
		},
		func() bool {
			n := len(d.Symptoms)
			d.Symptoms = d.Symptoms[:halve(n)]
			return n > 0
		})
}
