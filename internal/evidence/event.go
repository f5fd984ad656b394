// Package evidence keeps a log of what was asked, decided and changed: JSON lines, each with the
// hash of the line before it, so that a line that is changed, removed or moved is found.
//
// Several processes may write to one file. Nobody who records waits for the disk: one goroutine
// writes, what does not fit into its queue is counted, and the count is recorded as soon as
// there is room.
package evidence

import (
	"encoding/json"
	"fmt"
	"time"
)

// A Kind says what an event is about.
type Kind string

// The kinds of events.
const (
	KindQueryBatch  Kind = "lsp_query_batch"
	KindToolCall    Kind = "tool_call"
	KindValidation  Kind = "diagnostic_validation"
	KindRegression  Kind = "diagnostic_regression"
	KindGivenUp     Kind = "self_correction_given_up"
	KindLifecycle   Kind = "server_lifecycle"
	KindPolicy      Kind = "policy_decision"
	KindTrust       Kind = "trust_change"
	KindEditApplied Kind = "edit_applied"
	KindSimulation  Kind = "simulation"
	// Of the log itself.
	KindOpened    Kind = "log_opened"
	KindClosed    Kind = "log_closed"
	KindLoss      Kind = "log_loss"
	KindRotated   Kind = "log_rotated"
	KindRecovered Kind = "log_recovered"
	KindTruncated Kind = "log_truncated"
)

// An Event is one of the types below. It is not changed after it was recorded.
type Event interface{ Kind() Kind }

// A Record is one line of the log.
type Record struct {
	// Seq counts the records of the log from 1, over all its files.
	Seq  uint64    `json:"seq"`
	Time time.Time `json:"time"`
	// Prev is the SHA-256 of the line before, in hex, without its line ending; "" of the first.
	Prev string `json:"prev"`
	// Run names the process that wrote it, as long as it had the log open.
	Run string `json:"run"`
	// Session and Client are those of the call, "" where it is about none.
	Session string          `json:"session,omitempty"`
	Client  string          `json:"client,omitempty"`
	Event   Kind            `json:"event"`
	Data    json.RawMessage `json:"data"`
}

// A QueryBatch is what one call asked of one language server.
type QueryBatch struct {
	Server  string `json:"server"`
	Version string `json:"version,omitempty"`
	Root    string `json:"root,omitempty"`
	// Operation is the one that asked, Queries its requests by method.
	Operation string  `json:"operation,omitempty"`
	Queries   []Query `json:"queries"`
	// Targets are the files that they were about.
	Targets []string `json:"targets,omitempty"`
	// Outcome is the worst: responded, timed_out or error.
	Outcome    string  `json:"outcome"`
	Bytes      int64   `json:"response_bytes"`
	DurationMS float64 `json:"duration_ms"`
}

// A Query counts the requests of one method.
type Query struct {
	Method   string `json:"method"`
	Count    int    `json:"count"`
	TimedOut int    `json:"timed_out,omitempty"`
	Failed   int    `json:"failed,omitempty"`
}

// The outcomes of queries.
const (
	Responded = "responded"
	TimedOut  = "timed_out"
	Failed    = "error"
)

// A ToolCall is one operation that was asked for.
type ToolCall struct {
	// Operation is what was asked for; "" of a call that no operation carries out.
	Operation string `json:"operation,omitempty"`
	// Tool is what the client called, where it has another name.
	Tool string `json:"tool,omitempty"`
	// Mode is how changes were to be made: apply, preview or apply_if_clean; "" where the request does not say.
	Mode string `json:"mode,omitempty"`
	Root string `json:"root,omitempty"`
	// Files are those that the request names.
	Files []string `json:"files,omitempty"`
	// Request is the whole request, where contents are to be recorded.
	Request json.RawMessage `json:"request,omitempty"`
	// Edit says what was changed, Applied that it was written.
	Edit    string `json:"edit_summary,omitempty"`
	Applied bool   `json:"applied,omitempty"`
	// ErrorsBefore, ErrorsAfter and NetDelta count the errors in the files that a change concerns,
	// and are nil of other operations.
	ErrorsBefore *int `json:"errors_before,omitempty"`
	ErrorsAfter  *int `json:"errors_after,omitempty"`
	NetDelta     *int `json:"net_delta,omitempty"`
	// WarningsBefore and WarningsAfter count the warnings in the files that a change was made in, of which FilesChecked
	// were judged; nil where none was.
	WarningsBefore *int   `json:"warnings_before,omitempty"`
	WarningsAfter  *int   `json:"warnings_after,omitempty"`
	FilesChecked   int    `json:"files_checked,omitempty"`
	Success        bool   `json:"success"`
	ErrorKind      string `json:"error_kind,omitempty"`
	Error          string `json:"error,omitempty"`
	DurationMS     int64  `json:"duration_ms"`
}

// A Validation is what was found of files after they changed, or when they were checked.
type Validation struct {
	Operation string      `json:"operation"`
	Verdict   string      `json:"verdict"`
	Files     []Validated `json:"files"`
	// More counts the files that are left out.
	More int `json:"more,omitempty"`
}

// A Validated is the verdict on one file.
type Validated struct {
	File     string `json:"file"`
	Verdict  string `json:"verdict"`
	Baseline string `json:"baseline,omitempty"`
	// New and Fixed count findings against the baseline, Older those that were there before.
	New   int `json:"new,omitempty"`
	Fixed int `json:"fixed,omitempty"`
	Older int `json:"older,omitempty"`
}

// A Regression are the errors that a change made.
type Regression struct {
	Operation string    `json:"operation"`
	Errors    []Finding `json:"errors"`
	More      int       `json:"more,omitempty"`
}

// A GivenUp says that a model was shown the errors that it made again and again, and did not mend them: a person should decide.
type GivenUp struct {
	Operation string `json:"operation"`
	// Rounds is how often in a row.
	Rounds int `json:"rounds"`
	// Files are those with the errors; More counts those that are left out.
	Files []string `json:"files"`
	More  int      `json:"more,omitempty"`
}

// A Finding is one error. Line and Column are 1-based.
type Finding struct {
	File    string `json:"file"`
	Line    uint32 `json:"line"`
	Column  uint32 `json:"column"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
	Server  string `json:"server,omitempty"`
}

// A Lifecycle is what became of a language server.
type Lifecycle struct {
	Server string `json:"server"`
	Root   string `json:"root"`
	// Change is started, crashed, recovered, rested or given_up.
	Change string `json:"change"`
	// Source is registered where the user's configuration names the server, else auto-detected.
	Source string `json:"source,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// A Decision is what the policy made of a call that it did not just allow.
type Decision struct {
	Operation string `json:"operation"`
	// Part is the operation that the rule names, where the call only contains it.
	Part string `json:"part,omitempty"`
	// Command is the command of a server, with the server, that was decided about before it was sent.
	Command string `json:"command,omitempty"`
	Class   string `json:"class"`
	Path    string `json:"path,omitempty"`
	// Server is the one whose start was decided about.
	Server string `json:"server,omitempty"`
	// Action is that of the rule: allow, ask or deny. Said is what a person answered: yes, no, or
	// nothing; asking where he is being asked. Allowed is what came of it.
	Action  string `json:"action"`
	Said    string `json:"said,omitempty"`
	Allowed bool   `json:"allowed"`
	// Rule is its place among the user's rules from 1, Source where it stands.
	Rule   int    `json:"rule,omitempty"`
	Source string `json:"source,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// A Trust is what the user said of a project.
type Trust struct {
	Root    string `json:"root"`
	Trusted bool   `json:"trusted"`
	// Hash is that of what the project wants to run.
	Hash string `json:"hash,omitempty"`
}

// An Applied is a change that was written.
type Applied struct {
	Operation string    `json:"operation"`
	Files     []Changed `json:"files"`
}

// A Changed is one file of it. Hashes are SHA-256, in hex; "" of no file.
type Changed struct {
	File   string `json:"file"`
	From   string `json:"from,omitempty"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Replaced are the places where the text changed, in their order; nil of what is no text. More counts those that
	// are left out.
	Replaced []Replaced `json:"replaced,omitempty"`
	More     int        `json:"more,omitempty"`
}

// A Replaced is whole lines of a file that were replaced.
type Replaced struct {
	// Line is the first of them as the file was, from 1. OldLines is how many there were, NewLines how many stand
	// there now.
	Line     int `json:"line"`
	OldLines int `json:"old_lines"`
	NewLines int `json:"new_lines"`
	// Old and New are the begins of the texts, where contents are to be recorded.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// A Simulated is a step of a simulation.
type Simulated struct {
	Simulation string `json:"simulation,omitempty"`
	Action     string `json:"action"`
	Verdict    string `json:"verdict,omitempty"`
	Confidence string `json:"confidence,omitempty"`
	NetDelta   int    `json:"net_delta"`
	Applied    bool   `json:"applied,omitempty"`
}

// An Opened is the begin of what a process writes, a Closed its end: where one has no end, the
// process still runs, or what it had not written yet is missing.
type Opened struct {
	PID     int    `json:"pid"`
	Version string `json:"version,omitempty"`
	Program string `json:"program,omitempty"`
}

// A Closed says how many events its process has recorded, those lost not counted.
type Closed struct {
	Events uint64 `json:"events"`
}

// A Loss counts events that could not be written since the last record of their process.
type Loss struct {
	Events uint64 `json:"events"`
	Reason string `json:"reason"`
}

// A Rotated is the first record of a file that follows another.
type Rotated struct {
	// Previous is the name that the file before it has now.
	Previous string `json:"previous"`
}

// A Recovered says that the line before it is the begin of a record, whose process ended while it
// was written.
type Recovered struct {
	Bytes int    `json:"bytes"`
	Hash  string `json:"hash"`
}

// A Truncated says that the log did not end, when its next record was to be written, with the record that was noted as
// its last: the end was removed or changed. The record has the number after the noted one.
type Truncated struct {
	// End is the number of the record that the log ended with, and EndHash its hash; 0 and "" if it had none.
	End     uint64 `json:"end"`
	EndHash string `json:"end_hash,omitempty"`
	// Noted and NotedHash are those of the record that it should have ended with; 0 and "" if the note is missing, so
	// that it is not known whether records were removed.
	Noted     uint64 `json:"noted"`
	NotedHash string `json:"noted_hash,omitempty"`
}

// summary says what was found.
func (e *Truncated) summary() string {
	switch {
	case e.Noted == 0:
		return "the note of the end was missing"
	case e.End >= e.Noted:
		return fmt.Sprintf("record %d was changed", e.Noted)
	case e.End+1 == e.Noted:
		return fmt.Sprintf("record %d was removed from the end", e.Noted)
	}
	return fmt.Sprintf("records %d to %d were removed from the end", e.End+1, e.Noted)
}

// The kinds of the events.
func (*QueryBatch) Kind() Kind { return KindQueryBatch }
func (*ToolCall) Kind() Kind   { return KindToolCall }
func (*Validation) Kind() Kind { return KindValidation }
func (*Regression) Kind() Kind { return KindRegression }
func (*GivenUp) Kind() Kind    { return KindGivenUp }
func (*Lifecycle) Kind() Kind  { return KindLifecycle }
func (*Decision) Kind() Kind   { return KindPolicy }
func (*Trust) Kind() Kind      { return KindTrust }
func (*Applied) Kind() Kind    { return KindEditApplied }
func (*Simulated) Kind() Kind  { return KindSimulation }
func (*Opened) Kind() Kind     { return KindOpened }
func (*Closed) Kind() Kind     { return KindClosed }
func (*Loss) Kind() Kind       { return KindLoss }
func (*Rotated) Kind() Kind    { return KindRotated }
func (*Recovered) Kind() Kind  { return KindRecovered }
func (*Truncated) Kind() Kind  { return KindTruncated }

// newEvent returns an empty event of a kind, nil of one that is not known.
func newEvent(kind Kind) Event {
	for _, e := range []Event{
		new(QueryBatch), new(ToolCall), new(Validation), new(Regression), new(GivenUp), new(Lifecycle), new(Decision), new(Trust),
		new(Applied), new(Simulated), new(Opened), new(Closed), new(Loss), new(Rotated), new(Recovered), new(Truncated),
	} {
		if e.Kind() == kind {
			return e
		}
	}
	return nil
}

// Decode returns the event of a record; nil if this version does not know its kind.
func (r *Record) Decode() (Event, error) {
	e := newEvent(r.Event)
	if e == nil {
		return nil, nil
	}
	return e, json.Unmarshal(r.Data, e)
}
