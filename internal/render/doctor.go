package render

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The levels of a symptom, the better before the worse.
const (
	LevelOK      = "ok"
	LevelNote    = "note"
	LevelProblem = "problem"
)

// A Doctor is why servers speak of a workspace or of files, or why they do not.
type Doctor struct {
	Head
	Root  string   `json:"root" jsonschema:"the workspace root"`
	Files []string `json:"files,omitempty" jsonschema:"the files asked about; none is the workspace"`
	// Level is that of the worst symptom.
	Level     string    `json:"level" jsonschema:"the worst of all symptoms: ok, note or problem"`
	Languages []string  `json:"languages" jsonschema:"LSP language ids that servers know"`
	Symptoms  []Symptom `json:"findings" jsonschema:"of the configuration, the workspace and the files"`
	Servers   []Patient `json:"servers" jsonschema:"the servers for them, each started once"`
	// Passed are the servers that know a file and are not asked about it.
	Passed []PassedOver `json:"passed_over,omitempty" jsonschema:"servers that know such files and are not asked"`
	TookMS int64        `json:"took_ms"`
}

// A Symptom is what was found in one step.
type Symptom struct {
	Level   string `json:"level" jsonschema:"ok, note or problem"`
	Step    string `json:"step" jsonschema:"configuration, workspace, file, binary, root, project, history, start, initialize, probe, answers or operations"`
	Message string `json:"message"`
	// Details are lines that say more, such as what a server wrote before it ended.
	Details []string `json:"details,omitempty"`
	// Next is the command to type.
	Next   string `json:"next,omitempty" jsonschema:"the command to type next"`
	TookMS int64  `json:"took_ms,omitempty" jsonschema:"how long the step took"`
}

// A Patient is one server for one root, and what was found out about it.
type Patient struct {
	ID    string `json:"id"`
	Level string `json:"level" jsonschema:"the worst of its symptoms: ok, note or problem"`
	Root  string `json:"root"`
	// Marker is the file that chose the root, "" if there is none.
	Marker string `json:"marker,omitempty" jsonschema:"the file that chose the root"`
	// Files is how many files of the workspace need it.
	Files   int      `json:"files,omitempty" jsonschema:"how many files of the workspace need it"`
	Binary  string   `json:"binary,omitempty"`
	Args    []string `json:"args,omitempty"`
	Version string   `json:"version,omitempty"`
	Proven  bool     `json:"proven" jsonschema:"whether the project's own tests run this server"`
	// Strategies say how its diagnostics are known to be complete.
	Strategies []string `json:"strategies,omitempty" jsonschema:"how its diagnostics are known to be complete, best first"`
	Probe      string   `json:"probe,omitempty" jsonschema:"the file that was shown to it"`
	Freshness  string   `json:"freshness,omitempty" jsonschema:"of its answer: fresh, partial, timeout, indexing or unavailable"`
	Errors     int      `json:"errors,omitempty" jsonschema:"errors that it found in the probe"`
	// Operations are ours that it can do; Missing those that it cannot.
	Operations []string  `json:"operations,omitempty"`
	Missing    []string  `json:"missing,omitempty" jsonschema:"operations that it does not offer"`
	Symptoms   []Symptom `json:"findings"`
}

// PassedOver is a server that is not asked, with the reason.
type PassedOver struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Judge sets the levels of the servers and of the whole to that of the worst
// symptom.
func (d *Doctor) Judge() {
	d.Level = worstLevel(LevelOK, d.Symptoms)
	for i := range d.Servers {
		p := &d.Servers[i]
		p.Level = worstLevel(LevelOK, p.Symptoms)
		d.Level = worse(d.Level, p.Level)
	}
}

func worstLevel(level string, symptoms []Symptom) string {
	for _, s := range symptoms {
		level = worse(level, s.Level)
	}
	return level
}

func worse(a, b string) string {
	if a == LevelProblem || b == LevelProblem {
		return LevelProblem
	}
	if a == LevelNote || b == LevelNote {
		return LevelNote
	}
	return LevelOK
}

// Brief implements [Reply]: a block for the whole, and one for each server.
func (d *Doctor) Brief() string {
	return d.writeWith(d.Level, func(b *strings.Builder) {
		if len(d.Files) > 0 {
			fmt.Fprintf(b, "%s in %s: %s\n", defused(strings.Join(d.Files, ", ")), defused(d.Root), d.Level)
		} else {
			fmt.Fprintf(b, "workspace %s: %s\n", defused(d.Root), d.Level)
		}
		if len(d.Languages) > 0 {
			fmt.Fprintf(b, "languages: %s\n", defused(strings.Join(d.Languages, ", ")))
		}
		writeSymptoms(b, d.Symptoms)
		for i := range d.Servers {
			p := &d.Servers[i]
			fmt.Fprintf(b, "\n%s", defused(p.ID))
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
				fmt.Fprintf(b, "  %-*s  %s\n", width, defused(p.ID), oneLine(p.Reason))
			}
		}
	})
}

// symptomIndent is the width of level and step.
const symptomIndent = "                          "

func writeSymptoms(b *strings.Builder, symptoms []Symptom) {
	for _, s := range symptoms {
		fmt.Fprintf(b, "  %-7s  %-13s  %s", s.Level, s.Step, oneLine(s.Message))
		if s.TookMS > 0 {
			fmt.Fprintf(b, " (%d ms)", s.TookMS)
		}
		fmt.Fprintln(b)
		for _, line := range s.Details {
			fmt.Fprintf(b, "%s| %s\n", symptomIndent, oneLine(line))
		}
		if s.Next != "" {
			fmt.Fprintf(b, "%snext: %s\n", symptomIndent, defused(s.Next))
		}
	}
}

// Fit implements [Reply]: who is not asked goes first, then what is well, then
// servers from the end.
func (d *Doctor) Fit(max int) {
	fit(max, d,
		func() bool {
			had := len(d.Passed) > 0
			d.Passed = nil
			d.Cut = "servers that are not asked; raise max_bytes"
			return had
		},
		func() (had bool) {
			for i := range d.Servers {
				var kept []Symptom
				for _, s := range d.Servers[i].Symptoms {
					if s.Level != LevelOK {
						kept = append(kept, s)
					}
				}
				had = had || len(kept) < len(d.Servers[i].Symptoms)
				d.Servers[i].Symptoms = append([]Symptom{}, kept...)
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
