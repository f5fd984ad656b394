package render

import (
	"fmt"
	"strings"
)

// Brief implements [Reply]: a line for each finding, what could not be known, and
// one line if there is nothing to say.
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
	if b.Len() == 0 {
		return fmt.Sprintf("clean: %d %s", len(c.Files), plural(len(c.Files), "file"))
	}
	if c.Cut != "" {
		fmt.Fprintf(&b, "cut: %s\n", c.Cut)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Fit implements [Reply]: findings of other files go first, then those beyond a
// number per file.
func (c *Check) Fit(max int) {
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
