package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// briefCheck returns the text: what could not be known, a line for each finding, and
// one line that states the verdict.
func briefCheck(c *result.Check) string {
	lines, conclusion := checkLines(c), Conclusion(c)
	omitted := ""
	if c.Cut != "" {
		omitted = "cut: " + c.Cut + "\n"
	}
	if c.Budget == 0 || len(lines)+len(omitted)+len(conclusion) <= c.Budget {
		return lines + omitted + conclusion
	}
	if len(conclusion) > c.Budget/2 {
		conclusion = "verdict " + c.Verdict
	}
	return shortened("", lines, "cut: "+theRest+"\n"+conclusion, c.Budget)
}

// checkLines are what stands above the conclusion.
func checkLines(c *result.Check) string {
	var b strings.Builder
	same := func(path string) string { return path }
	for i := range c.Files {
		if p := c.Files[i].Error; p != nil {
			fmt.Fprintf(&b, "%s: %s\n", legible.Line(c.Files[i].Path), oneLine(p.Message))
			if p.Hint != "" {
				fmt.Fprintln(&b, indented(p.Hint, "  "))
			}
		}
	}
	for _, line := range Silence(c, same) {
		fmt.Fprintln(&b, line)
	}
	_ = CheckText(c, &b, Style{Path: same}) // a builder never fails
	b.WriteString(lateClean(c.Late))
	return b.String()
}

// fitCheck shortens: of each file only the first findings are kept, then other
// files go, then files. What is wrong, or not known, comes before what is right, so
// that it is left out last; the conclusion counts what was left out, too.
func fitCheck(c *result.Check, max int) {
	c.Counts = tallyOfCheck(c)
	defer func() {
		if c.Cut == "" {
			c.Counts = nil
		}
	}()
	perFile := 64
	fewer := func(least int) func() bool {
		return func() bool {
			if perFile <= least {
				return false
			}
			perFile /= 2
			for _, files := range [][]result.File{c.Files, c.Others, c.Late} {
				brokenFirst(files)
				cutFindings(files, perFile)
			}
			c.Cut = fmt.Sprintf("all but %d findings of each file; fix those first, or raise max_bytes", perFile)
			return true
		}
	}
	fit(max, c, fewer(8),
		func() bool {
			n := len(c.Others) + len(c.Late)
			c.Others, c.Late = c.Others[:halve(len(c.Others))], c.Late[:halve(len(c.Late))]
			c.Cut = "findings in other files; check those files, or raise max_bytes"
			return n > 0
		},
		fewer(1),
		func() bool {
			n := len(c.Files)
			c.Files = c.Files[:halve(n)]
			c.Cut = fmt.Sprintf("all but %d %s; check fewer at once", len(c.Files), plural(len(c.Files), "file"))
			return n > 1
		},
		once(func() {
			c.Notes, c.Unknown, c.Dependants.Unchecked = few(c.Notes), few(c.Unknown), few(c.Dependants.Unchecked)
		}))
}

// few returns the first of what is not known.
func few(list []string) []string { return list[:min(len(list), 2)] }

// brokenFirst orders files by how much a reader must see them.
func brokenFirst(files []result.File) {
	slices.SortStableFunc(files, func(a, b result.File) int { return rankOfFile(&a) - rankOfFile(&b) })
}

// cutFindings keeps so many findings of each file, the worst first, and counts the rest.
func cutFindings(files []result.File, most int) {
	for i := range files {
		f := &files[i]
		f.Fixed, f.Excused = nil, nil
		if len(f.Diagnostics) <= most {
			continue
		}
		slices.SortStableFunc(f.Diagnostics, func(a, b result.Diagnostic) int { return rankOfDiagnostic(&a) - rankOfDiagnostic(&b) })
		f.More += len(f.Diagnostics) - most
		f.Diagnostics = slices.Clip(f.Diagnostics[:most])
	}
}

// rankOfDiagnostic orders findings by how much a reader must see them: new errors first.
func rankOfDiagnostic(d *result.Diagnostic) int {
	rank := slices.Index([]string{"error", "warning", "info", "hint"}, d.Severity)
	if !d.New && !d.Standing {
		rank += 4
	}
	return rank
}

// rankOfFile orders files by how much a reader must see them: broken ones first.
func rankOfFile(f *result.File) int {
	switch f.Verdict {
	case "new_errors":
		return 0
	case "", "unknown", "lsp_unavailable":
		return 1
	case "baseline_error":
		return 2
	case "warnings_only":
		return 3
	}
	return 4
}

func briefStatus(s *result.Status) string {
	var b strings.Builder
	_ = StatusText(s, &b) // a builder never fails
	text := strings.TrimRight(b.String(), "\n")
	if s.Budget == 0 || len(text) <= s.Budget {
		return text
	}
	return shortened("", text, "cut: "+theRest, s.Budget)
}

// fitStatus shortens: servers that could not be started go, then those that
// do not run.
func fitStatus(s *result.Status, max int) {
	without := func(state string) func() bool {
		return func() bool {
			var kept []result.Server
			for _, server := range s.Servers {
				if server.State != state {
					kept = append(kept, server)
				}
			}
			if len(kept) == len(s.Servers) {
				return false
			}
			s.Servers, s.Cut = kept, "servers that do not run; raise max_bytes"
			return true
		}
	}
	fit(max, s, without("unavailable"), without("disabled"), without("stopped"))
}
