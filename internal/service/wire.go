package service

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A Diagnostic is a diagnostic as sent to hosts. Lines and columns are 1-based.
type Diagnostic struct {
	// File is relative to the root, with slashes.
	File string `json:"file"`
	Line uint32 `json:"line"`
	// Character and Column are the same number under the two names that hosts use.
	Character    uint32 `json:"character"`
	Column       uint32 `json:"column"`
	EndLine      uint32 `json:"endLine"`
	EndCharacter uint32 `json:"endCharacter"`
	Severity     string `json:"severity"`
	// Message is escaped like text for models.
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
	Source  string `json:"source,omitempty"`
}

// A ServerStatus is the state of a server as sent to hosts. Some fields appear under both names
// that hosts use.
type ServerStatus struct {
	ID       string `json:"id"`
	ServerID string `json:"serverId"`
	// Status is active, starting, broken, disabled or unavailable.
	Status string `json:"status"`
	// State is ok, starting, broken or idle.
	State    string `json:"state"`
	Language string `json:"language"`
	PID      int    `json:"serverPid,omitempty"`
	// Root is the server's root relative to the workspace, if it is a different folder.
	Root string `json:"root,omitempty"`
	// Reason says why the server does not run.
	Reason string `json:"reason,omitempty"`
	// Figures are its statistics since the service started.
	Figures *result.Figures `json:"figures,omitempty"`
}

// diagnosticsOf returns the diagnostics of a file, each message on one line.
func diagnosticsOf(f *result.File) []Diagnostic {
	list := []Diagnostic{}
	for i := range f.Diagnostics {
		d := &f.Diagnostics[i]
		list = append(list, Diagnostic{
			File: f.Path, Line: d.Line, Character: d.Column, Column: d.Column,
			EndLine: d.EndLine, EndCharacter: d.EndColumn,
			Severity: d.Severity, Message: render.Escaped(d.Message), Code: legible.Line(d.Code), Source: legible.Line(d.Source),
		})
	}
	return list
}

// statusesOf returns the states of servers, by id and root.
func statusesOf(s *result.Status) []ServerStatus {
	list := []ServerStatus{}
	for i := range s.Servers {
		server := &s.Servers[i]
		one := ServerStatus{
			ID: server.ID, ServerID: server.ID, Language: server.Language, PID: server.Pid, Reason: legible.Line(server.Reason),
			Figures: server.Figures,
		}
		if server.Root != s.Root {
			one.Root = relativeTo(s.Root, server.Root)
		}
		switch server.State {
		case "active":
			one.Status, one.State = "active", "ok"
		case "starting":
			one.Status, one.State = "starting", "starting"
		case "broken":
			one.Status, one.State = "broken", "broken"
		case "disabled":
			one.Status, one.State = "disabled", "idle"
		case "stopped":
			one.Status, one.State = "unavailable", "idle"
			one.Reason = cmp.Or(one.Reason, "not started yet: no file of its language was checked")
		default: // the program is missing or not trusted
			one.Status, one.State = "unavailable", "idle"
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b ServerStatus) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Root, b.Root))
	})
	return list
}

// relativeTo returns a path relative to a root, with slashes, if it is below it.
func relativeTo(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if path == "" || err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return filepath.ToSlash(rel)
}
