package render

import (
	"fmt"
	"slices"
	"strings"
)

// Brief implements [Reply]: what could not be known, a line for each finding, and
// one line that states the verdict.
func (c *Check) Brief() string {
	var b strings.Builder
	same := func(path string) string { return path }
	for i := range c.Files {
		if p := c.Files[i].Error; p != nil {
			fmt.Fprintf(&b, "%s: %s\n", defused(c.Files[i].Path), oneLine(p.Message))
			if p.Hint != "" {
				fmt.Fprintln(&b, indented(p.Hint, "  "))
			}
		}
	}
	for _, line := range c.Silence(same) {
		fmt.Fprintln(&b, line)
	}
	_ = c.Text(&b, Style{Path: same, Caps: c.caps}) // a builder never fails
	b.WriteString(mended(c.Late))
	if c.Cut != "" {
		fmt.Fprintf(&b, "cut: %s\n", c.Cut)
	}
	b.WriteString(c.Conclusion())
	return b.String()
}

// Fit implements [Reply]: findings of other files go first, then those beyond a
// number per file, then files. What is wrong, or not known, comes before what is right,
// so that it is left out last; the conclusion counts what was left out, too.
func (c *Check) Fit(max int) {
	c.tally()
	if len(c.Brief()) > orDefault(max) {
		slices.SortStableFunc(c.Files, func(a, b File) int { return a.rank() - b.rank() })
	}
	perFile := 64
	fit(max, c.Brief,
		func() bool {
			n := len(c.Others) + len(c.Late)
			c.Others, c.Late = c.Others[:halve(len(c.Others))], c.Late[:halve(len(c.Late))]
			c.Cut = "findings in other files; check those files, or raise max_bytes"
			return n > 0
		},
		func() bool {
			perFile /= 2
			c.caps.PerFile = perFile
			for i := range c.Files {
				f := &c.Files[i]
				f.Diagnostics = f.Diagnostics[:min(len(f.Diagnostics), perFile)]
				f.Fixed = nil
			}
			c.Cut = fmt.Sprintf("all but %d findings of each file; mend those first, or raise max_bytes", perFile)
			return perFile > 1
		},
		func() bool {
			n := len(c.Files)
			c.Files = c.Files[:halve(n)]
			c.Cut = fmt.Sprintf("all but %d files; check fewer at once", len(c.Files))
			return n > 1
		})
}

// rank orders files by how much a reader must see them: broken ones first.
func (f *File) rank() int {
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

// Brief implements [Reply].
func (s *Status) Brief() string {
	var b strings.Builder
	_ = s.Text(&b) // a builder never fails
	return strings.TrimRight(b.String(), "\n")
}

// Fit implements [Reply]: servers that could not be started go, then those that
// do not run.
func (s *Status) Fit(max int) {
	without := func(state string) func() bool {
		return func() bool {
			var kept []Server
			for _, server := range s.Servers {
				if server.State != state {
					kept = append(kept, server)
				}
			}
			had := len(kept) < len(s.Servers)
			s.Servers = kept
			return had
		}
	}
	fit(max, s.Brief, without("unavailable"), without("disabled"), without("stopped"))
}
