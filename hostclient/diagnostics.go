package hostclient

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A Diagnostic is a finding. Lines and columns are 1-based.
type Diagnostic struct {
	// File is relative to the root, with slashes.
	File         string `json:"file"`
	Line         uint32 `json:"line"`
	Character    uint32 `json:"character"`
	Column       uint32 `json:"column"` // the same as Character
	EndLine      uint32 `json:"endLine"`
	EndCharacter uint32 `json:"endCharacter"`
	// Severity is error, warning, info or hint.
	Severity string `json:"severity"`
	// Message has &lt;, &gt; and &amp; in place of characters that could end a block of text.
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
	Source  string `json:"source,omitempty"`
}

// A ServerStatus is the state of a language server.
type ServerStatus struct {
	ID string `json:"id"`
	// Status is active, starting, broken, disabled or unavailable.
	Status   string `json:"status"`
	Language string `json:"language"`
	PID      int    `json:"serverPid,omitempty"`
	Root     string `json:"root,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// CheckFile returns the diagnostics of a file: of text if it is not nil, else of the file on disk.
// The list is empty if nothing is known.
func (c *Client) CheckFile(ctx context.Context, path string, text *string) (list []Diagnostic) {
	params := struct {
		FilePath string  `json:"filePath"`
		Text     *string `json:"text,omitempty"`
	}{path, text}
	if !c.call(ctx, "lsp/checkFile", params, &list) {
		return nil
	}
	return list
}

// A Judgement is what is known about a file, in one of five classes.
type Judgement struct {
	// Class is clean, warnings_only, baseline_error, new_errors or lsp_unavailable. What is unknown
	// is lsp_unavailable, never clean.
	Class string
	// Reason says why the class is lsp_unavailable.
	Reason string
	// Diagnostics are the findings of the file.
	Diagnostics []Diagnostic
}

// Judge returns the class of a file, with its findings: of text if it is not nil, else of the file
// on disk. Findings that did not exist when the session began are new. If anything fails, the class
// is lsp_unavailable.
func (c *Client) Judge(ctx context.Context, path string, text *string) Judgement {
	if !c.Alive() {
		return Judgement{Class: result.LSPUnavailable, Reason: c.UnavailableReason()}
	}
	request := api.CheckRequest{Files: []string{path}, Scope: "file", Severities: []string{"error", "warning", "info", "hint"}, MaxBytes: -1}
	if text != nil {
		request.Contents = map[string]string{path: *text}
	}
	var check result.Check
	err := guard.Do(func() error {
		ctx, cancel := c.bounded(ctx, or(c.opts.Call, callTimeout))
		defer cancel()
		return c.Call(ctx, api.Check.Name, request, &check)
	})
	switch {
	case err != nil:
		return Judgement{Class: result.LSPUnavailable, Reason: result.ErrorOf(err).Message}
	case len(check.Files) != 1:
		return Judgement{Class: result.LSPUnavailable, Reason: "no server judges it"}
	}
	result.InFiveClasses(&check)
	f := &check.Files[0]
	j := Judgement{Class: f.Verdict, Reason: f.Reason}
	for i := range f.Diagnostics {
		d := &f.Diagnostics[i]
		j.Diagnostics = append(j.Diagnostics, Diagnostic{
			File: f.Path, Line: d.Line, Character: d.Column, Column: d.Column, EndLine: d.EndLine, EndCharacter: d.EndColumn,
			Severity: d.Severity, Message: render.Escaped(d.Message), Code: legible.Line(d.Code), Source: legible.Line(d.Source),
		})
	}
	return j
}

// AllDiagnostics returns the diagnostics of all files that have any, by absolute path.
func (c *Client) AllDiagnostics(ctx context.Context) (files map[string][]Diagnostic) {
	if !c.call(ctx, "lsp/diagnostics", struct{}{}, &files) {
		return nil
	}
	return files
}

// DiagnosticsAfter returns AllDiagnostics once something was learnt after an epoch, or once the
// wait is over.
func (c *Client) DiagnosticsAfter(ctx context.Context, epoch uint64, wait time.Duration) (files map[string][]Diagnostic) {
	params := struct {
		AfterEpoch uint64 `json:"afterEpoch"`
		WaitMS     int64  `json:"waitMs"`
	}{epoch, wait.Milliseconds()}
	if !c.call(ctx, "lsp/diagnosticsAfter", params, &files) {
		return nil
	}
	return files
}

// Epoch returns a number that grows with everything that is learnt, 0 without a service.
func (c *Client) Epoch(ctx context.Context) (epoch uint64) {
	if !c.call(ctx, "lsp/getDiagnosticEpoch", struct{}{}, &epoch) {
		return 0
	}
	return epoch
}

// Status returns every known language server, by id.
func (c *Client) Status(ctx context.Context) (list []ServerStatus) {
	if !c.call(ctx, "lsp/status", struct{}{}, &list) {
		return nil
	}
	return list
}

// StatusText is the output of a command such as /lsp status.
func (c *Client) StatusText(ctx context.Context) string {
	if reason := c.UnavailableReason(); reason == DisabledReason {
		return reason
	} else if reason != "" {
		return "LSP unavailable: " + reason
	}
	servers := c.Status(ctx)
	if servers == nil {
		return "LSP unavailable: failed to retrieve server status"
	}
	var text strings.Builder
	text.WriteString("LSP server status:")
	for _, s := range servers {
		text.WriteString("\n  " + s.ID + ": " + s.Status)
		if s.Root != "" {
			text.WriteString(" (" + s.Root + ")")
		}
	}
	return text.String()
}

// Limits limit what is appended to the result of a tool. 0 means the default.
type Limits struct {
	// PerFile limits the lines of one file (20), OtherFiles the number of other files (5), Lines
	// all lines (50).
	PerFile, OtherFiles, Lines int
	// Severities are those shown; empty means errors.
	Severities []string
}

// AppendDiagnostics returns the text of a tool that changed a file: its message, then the
// diagnostics of the file and then, for a tool that writes whole files, those of others, by path;
// nil for a tool that edits. If there are none, or nothing is known, it is only the message.
func AppendDiagnostics(message string, own []Diagnostic, others map[string][]Diagnostic, limits Limits) string {
	edit := &result.Edit{Caps: result.Caps{
		PerFile: cmp.Or(limits.PerFile, 20), OtherFiles: cmp.Or(limits.OtherFiles, 5), TotalLines: cmp.Or(limits.Lines, 50),
	}}
	severities := limits.Severities
	if len(severities) == 0 {
		severities = []string{"error"}
	}
	edited := ""
	if file, found := fileOf(own, severities); found {
		edited = file.Path
		edit.Files = []result.File{file}
	} else if len(own) > 0 {
		edited = own[0].File
	}
	for _, path := range slices.Sorted(maps.Keys(others)) {
		if file, found := fileOf(others[path], severities); found && file.Path != edited {
			edit.Others = append(edit.Others, file)
		}
	}
	text := render.LLXPRT(edit, others != nil)
	if !slices.Equal(severities, []string{"error"}) {
		text = strings.ReplaceAll(text, "\n\nLSP errors detected", "\n\nLSP diagnostics detected")
	}
	return message + text
}

var unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// fileOf returns the findings of a file with these severities, in order, each once.
func fileOf(list []Diagnostic, severities []string) (file result.File, found bool) {
	for _, d := range list {
		if !slices.Contains(severities, d.Severity) {
			continue
		}
		file.Path = d.File
		file.Diagnostics = append(file.Diagnostics, result.Diagnostic{
			Line: d.Line, Column: cmp.Or(d.Column, d.Character), EndLine: d.EndLine, EndColumn: d.EndCharacter,
			Severity: d.Severity, Code: d.Code, Message: unescaped.Replace(d.Message), New: true,
		})
	}
	slices.SortStableFunc(file.Diagnostics, func(a, b result.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Message, b.Message))
	})
	file.Diagnostics = slices.Compact(file.Diagnostics)
	return file, len(file.Diagnostics) > 0
}
