package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// StatusText writes the status for people.
func StatusText(s *result.Status, w io.Writer) error {
	title := "LSP server status:"
	if s.Disabled {
		title = "LSP disabled by configuration"
	}
	if _, err := fmt.Fprintln(w, title); err != nil {
		return err
	}
	for _, server := range s.Servers {
		line := fmt.Sprintf("  %s: %s", legible.Line(server.ID), server.State)
		var details []string
		if server.Root != "" {
			details = append(details, "root "+legible.Line(server.Root))
		}
		if server.Pid != 0 {
			details = append(details, fmt.Sprintf("pid %d", server.Pid))
		}
		if server.Version != "" {
			details = append(details, "version "+oneLine(server.Version))
		}
		if len(server.Works) > 0 {
			details = append(details, legible.Line(strings.Join(server.Works, ", ")))
		}
		if server.Reason != "" {
			details = append(details, oneLine(server.Reason))
		}
		if len(details) > 0 {
			line += " (" + strings.Join(details, "; ") + ")"
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
		if below := cmp.Or(server.Hint, server.Binary); below != "" {
			if _, err := fmt.Fprintln(w, "    "+legible.Line(below)); err != nil {
				return err
			}
		}
	}
	if s.Omitted > 0 {
		if _, err := fmt.Fprintf(w, "  (%d more are known; lspine servers lists them)\n", s.Omitted); err != nil {
			return err
		}
	}
	for _, problem := range s.Problems {
		if _, err := fmt.Fprintln(w, "problem: "+legible.Line(problem)); err != nil {
			return err
		}
	}
	if s.Cut != "" {
		if _, err := fmt.Fprintln(w, "cut: "+s.Cut); err != nil {
			return err
		}
	}
	return nil
}
