package render

import (
	"fmt"
	"io"
	"strings"
)

// A Status is every known server and its state.
type Status struct {
	Root    string   `json:"root" jsonschema:"the workspace root"`
	Servers []Server `json:"servers" jsonschema:"by id"`
	// Disabled says that the configuration switches everything off.
	Disabled bool `json:"disabled,omitempty" jsonschema:"LSP is disabled by configuration"`
	// Omitted counts the known servers that are left out: they are not there, and
	// nobody needs them here.
	Omitted int `json:"omitted,omitempty" jsonschema:"known servers that are not needed here"`
	// Problems are what is wrong with the configuration.
	Problems []string `json:"problems,omitempty"`
	// Cut says what was left out for a budget.
	Cut string `json:"cut,omitempty" jsonschema:"what was left out and how to get it"`
	// Budget bounds the text where leaving out servers is not enough; 0 is no bound.
	Budget int `json:"-"`
}

// A Server is the state of one known server.
type Server struct {
	ID        string   `json:"id"`
	State     string   `json:"state" jsonschema:"starting, active, broken, stopped, disabled, unavailable or untrusted"`
	Root      string   `json:"root,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	Hint      string   `json:"hint,omitempty"`
	Version   string   `json:"version,omitempty"`
	Pid       int      `json:"pid,omitempty"`
	Encoding  string   `json:"encoding,omitempty"`
	UptimeMS  int64    `json:"uptime_ms,omitempty"`
	Documents int      `json:"open_documents,omitempty"`
	Starts    int      `json:"starts,omitempty"`
	Crashes   int      `json:"crashes,omitempty"`
	Strategy  string   `json:"strategy,omitempty" jsonschema:"how its diagnostics are known to be complete"`
	Works     []string `json:"works,omitempty" jsonschema:"what the server says it is doing"`
}

// Text writes the status for people.
func (s *Status) Text(w io.Writer) error {
	title := "LSP server status:"
	if s.Disabled {
		title = "LSP disabled by configuration"
	}
	if _, err := fmt.Fprintln(w, title); err != nil {
		return err
	}
	for _, server := range s.Servers {
		line := fmt.Sprintf("  %s: %s", server.ID, server.State)
		var details []string
		if server.Root != "" {
			details = append(details, "root "+defused(server.Root))
		}
		if server.Pid != 0 {
			details = append(details, fmt.Sprintf("pid %d", server.Pid))
		}
		if server.Version != "" {
			details = append(details, "version "+oneLine(server.Version))
		}
		if len(server.Works) > 0 {
			details = append(details, defused(strings.Join(server.Works, ", ")))
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
		if server.Hint != "" {
			if _, err := fmt.Fprintln(w, "    "+defused(server.Hint)); err != nil {
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
		if _, err := fmt.Fprintln(w, "problem: "+defused(problem)); err != nil {
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
