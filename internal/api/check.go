package api

import (
	"time"

	"github.com/lspine/lspine/internal/result"
)

// What new diagnostics are judged against: what was there before.
const (
	BaselineSession = "session" // when the session began
	BaselineHead    = "head"    // in a commit
	BaselineNone    = "none"    // nothing: every one is new
)

// A CheckRequest asks what is wrong with files as they are now. Paths are absolute, or relative
// to the caller's folder.
type CheckRequest struct {
	Files       []string          `json:"files,omitempty" jsonschema:"files, folders or globs, absolute or relative to the root; without any: what changed"`
	Contents    map[string]string `json:"contents,omitempty" jsonschema:"text to judge instead of what is on disk, by path as in files"`
	Before      map[string]string `json:"before,omitempty" jsonschema:"text before the edit, by path as in files: the baseline"`
	Gone        []string          `json:"gone,omitempty" jsonschema:"those of files that existed before and do not any longer, though neither git nor this session knows their text"`
	Scope       string            `json:"scope,omitempty" jsonschema:"file, or dependants (default): also other files that the change may have broken"`
	Severities  []string          `json:"severities,omitempty" jsonschema:"error, warning, info, hint; default: as configured"`
	TimeoutMS   int               `json:"timeout_ms,omitempty" jsonschema:"deadline for all files; default: as configured"`
	WaitLimitMS int               `json:"wait_limit_ms,omitempty" jsonschema:"limit of the total wait for a server that is demonstrably working; default: as configured, none with timeout_ms"`
	Baseline    string            `json:"baseline,omitempty" jsonschema:"session (default: when the session began), head or none"`
	Revision    string            `json:"revision,omitempty" jsonschema:"with baseline head: the git revision; HEAD by default, and none outside of git"`
	CountOlder  bool              `json:"count_older,omitempty" jsonschema:"also count what was there before in the verdict"`
	AllErrors   bool              `json:"all_errors,omitempty" jsonschema:"also list what was wrong elsewhere before"`
	// SourceLines asks for the text of the lines.
	SourceLines bool `json:"source_lines,omitempty" jsonschema:"include the text of each line"`
	MaxBytes    int  `json:"max_bytes,omitempty" jsonschema:"budget of the answer, default 12000; -1 is none"`
}

func (r CheckRequest) Budget() int { return r.MaxBytes }

// Deadline returns how long the call may take: the request's time-out or, if that is longer, its
// wait limit for servers that work; 0 means as configured.
func (r CheckRequest) Deadline() time.Duration {
	if r.TimeoutMS <= 0 {
		return 0
	}
	return Milliseconds(max(r.TimeoutMS, r.WaitLimitMS))
}

// Check reports diagnostics that are true for exactly the content at hand.
var Check = Op[CheckRequest, result.Check]{
	Name:  "check",
	Title: "Check files",
	Doc:   "Report what is wrong with files as they are now, for exactly their present content.",
	Class: Read,
}
