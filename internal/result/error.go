package result

import (
	"context"
	"errors"
)

// A Kind says what sort of failure an error is. Kinds are stable: who calls decides by
// them.
type Kind string

// The kinds of failures of calls.
const (
	Argument    Kind = "argument"          // the request is wrong
	Ambiguous   Kind = "ambiguous"         // several things go by that name
	NotFound    Kind = "not_found"         // there is no such file or symbol
	Outside     Kind = "outside_workspace" // a path that may not be used
	Unsupported Kind = "unsupported"       // no server here can do it
	Unavailable Kind = "unavailable"       // the server is not there
	NotReady    Kind = "not_ready"         // the server still loads the project
	Timeout     Kind = "timeout"           // no answer before the deadline
	Canceled    Kind = "canceled"          // the caller ended the call
	Crashed     Kind = "crashed"           // the server ended
	Stale       Kind = "stale"             // a file is not what the caller saw
	NoMatch     Kind = "no_match"          // a text or a hunk is not in its file
	InUse       Kind = "in_use"            // what is to be deleted has users
	Unconfirmed Kind = "unconfirmed"       // it wants confirmation
	ReadOnly    Kind = "read_only"         // a file cannot be written
	OutOfPhase  Kind = "out_of_phase"      // the skill that is active does something else first
	Denied      Kind = "denied"            // the policy does not allow it, or the person who was asked
	Failed      Kind = "failed"            // anything else

	// NeedsApproval is of a call that a person has to be asked about first, and that is put
	// again with the answer. Callers that cannot ask never get it.
	NeedsApproval Kind = "needs_approval"
)

// The kinds of failures of single files in a check, beside [Outside], [NotFound] and
// [Failed].
const (
	NotDiagnosed Kind = "not_diagnosed" // not a regular file, or too large
	Git          Kind = "git"           // git did not give the text to compare with
)

// An Error is how a call, or its work on one file, failed. It is plain data like a result.
type Error struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
	// Hint says what to do, "" if nobody knows.
	Hint string `json:"hint,omitempty"`
	Data Data   `json:"data,omitzero"`
}

func (e *Error) Error() string { return e.Message }

// Data is the details of an error. Which members are set depends on its kind.
type Data struct {
	// Argument is the argument of the request that is wrong, Reason why.
	Argument string `json:"argument,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Path is the file as it was named, Target where a link on its way leads, Folder the
	// one of its folders that is not to be changed.
	Path   string `json:"path,omitempty"`
	Target string `json:"target,omitempty"`
	Folder string `json:"folder,omitempty"`
	// Server is the id of the one that is not there, Install commands that would install it.
	Server  string   `json:"server,omitempty"`
	Install []string `json:"install,omitempty"`
	// Rule is the rule of the policy that denies a call, or asks about it. Question is what a
	// person is to be asked.
	Rule     Rule     `json:"rule,omitzero"`
	Question Question `json:"question,omitzero"`
	// Stack is where it panicked, which is a defect of ours.
	Stack string `json:"stack,omitempty"`
}

// A Rule is a rule of the policy, as far as an error is about it.
type Rule struct {
	// Number is its place among the user's rules, counted from 1; 0 is of a built-in one.
	Number int `json:"number,omitempty"`
	// Source is where it stands, as FILE:LINE; Reason is what it says.
	Source string `json:"source,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// A Question is one that the policy wants a person to be asked.
type Question struct {
	// ID names the question in its answer. It is of one request and one rule.
	ID string `json:"id"`
	// Text is the question, for people.
	Text string `json:"text"`
	// TimeoutMS is how long to wait for an answer.
	TimeoutMS int64 `json:"timeout_ms"`
}

// ErrorOf restates an error as data; nil stays nil. An [Error] that it is or wraps is
// returned. Else the methods Kind() Kind, Hint() string and Data() Data of the error, or
// of the first that it wraps that has the method, are asked; the end of a context is a
// kind of its own.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	var already *Error
	if errors.As(err, &already) {
		return already
	}
	e := &Error{Kind: Failed, Message: err.Error()}
	var (
		kind interface{ Kind() Kind }
		hint interface{ Hint() string }
		data interface{ Data() Data }
	)
	switch {
	case errors.As(err, &kind):
		e.Kind = kind.Kind()
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind = Timeout
	case errors.Is(err, context.Canceled):
		e.Kind = Canceled
	}
	if errors.As(err, &hint) {
		e.Hint = hint.Hint()
	}
	if errors.As(err, &data) {
		e.Data = data.Data()
	}
	return e
}
