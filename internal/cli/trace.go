package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/trace"
)

// traceVariable names the file that gets what servers and we say to each other.
const traceVariable = "LSPINE_TRACE"

// openTrace opens the trace that the environment asks for, nil if it asks for none.
func openTrace(streams *Streams) (*trace.Log, error) {
	path := lookup(streams.Environ, traceVariable)
	if path == "" {
		return nil, nil
	}
	if !filepath.IsAbs(path) {
		return nil, &usageError{traceVariable + " is " + path, "give it an absolute path, as the daemon runs in another folder"}
	}
	log, err := trace.Open(path)
	if errors.Is(err, trace.ErrOther) {
		return nil, &usageError{traceVariable + ": " + err.Error(), "name a trace, or a file that does not exist or is empty"}
	}
	if err != nil {
		return nil, &usageError{traceVariable + ": " + err.Error(), "name a file in a folder that exists and that you may write"}
	}
	return log, nil
}

// closeTrace ends a trace, and says on stderr if it ended early.
func closeTrace(stderr io.Writer, log *trace.Log) {
	if err := log.Close(); err != nil {
		fmt.Fprintln(stderr, "lspine: the trace is not whole:", err)
	}
}

// explanations gathers why findings are new or older, the last word about each file of each server.
type explanations struct {
	order []string
	last  map[string]*trace.Judged
}

func (e *explanations) hear(line trace.Line) {
	if line.Judged == nil {
		return
	}
	key := line.Judged.File + "\x00" + line.Judged.Server
	if e.last[key] == nil {
		e.order = append(e.order, key)
	}
	e.last[key] = line.Judged
}

// write writes the explanations of an answer as text. shown shortens paths.
func (e *explanations) write(out io.Writer, answer *result.Check, shown func(path string) string) {
	doubtful := make(map[string]bool)
	for _, f := range slices.Concat(answer.Files, answer.Others) {
		doubtful[shown(f.Path)] = f.Doubtful
	}
	for _, key := range e.order {
		j := e.last[key]
		fmt.Fprintf(out, "\n%s, %s: %s\n", shown(j.File), j.Server, comparedWith(j))
		if j.Freshness != "fresh" {
			fmt.Fprintf(out, "  the answer is %s: %s\n", j.Freshness, legible.Line(j.Reason))
		}
		if doubtful[shown(j.File)] && j.Known != nil {
			fmt.Fprintln(out, "  errors that are older by their text may be new all the same: the conclusion says why")
		}
		for _, f := range j.Findings {
			line, why := f.Line+1, ""
			if f.Was != nil {
				why = fmt.Sprintf(" (was in line %d: %s)", *f.Was+1, f.Rule)
			}
			fmt.Fprintf(out, "  %s %d:%d %s: %s%s\n", f.State, line, f.Column+1, f.Severity, legible.Line(firstLineOf(f.Message)), why)
		}
		if len(j.Findings) == 0 {
			fmt.Fprintln(out, "  nothing is wrong with it")
		}
	}
}

func comparedWith(j *trace.Judged) string {
	switch {
	case j.Known == nil:
		return strings.TrimSpace("text "+j.Text) + ", compared with nothing: it is not known what was wrong before"
	case j.Before == "" || j.Before == j.Text:
		return fmt.Sprintf("the text is as it was (baseline %s), when it had %s", j.Baseline, counted(*j.Known))
	}
	return fmt.Sprintf("text %s, compared with text %s (baseline %s), which had %s", j.Text, j.Before, j.Baseline, counted(*j.Known))
}

func counted(findings int) string {
	if findings == 1 {
		return "1 finding"
	}
	return fmt.Sprintf("%d findings", findings)
}

func firstLineOf(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}
