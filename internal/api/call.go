package api

import (
	"context"
	"time"

	"github.com/lspine/lspine/internal/result"
)

// Milliseconds turns the milliseconds of a request into a duration. Both are 0 where the request
// names no deadline.
func Milliseconds(ms int) time.Duration { return max(0, time.Duration(ms)*time.Millisecond) }

// A Call is what goes with a request besides itself. It travels in the context of
// [Caller.Call], and so does the deadline.
type Call struct {
	// Session is the conversation that the call belongs to: what it opens or holds ends with
	// it. "" is the only one of a process. Principal is who asks; "" is who started us.
	Session, Principal string
	// Absolute says that answers name every file absolutely: the caller's own folder is
	// not the engine's.
	Absolute bool
	// Dir is the folder that the caller's relative paths start from; "" is the engine's.
	Dir string
	// Client is the front that asks, with its client if it has one: "cli", "mcp/claude-code".
	// Rules of the policy may be about it.
	Client string
	// Tool is what the client called, in its own words: the name of an MCP tool, or the tool of an agent after which a
	// hook ran; "" is what has the name of the operation. It is for the evidence.
	Tool string
	// Own says that the front asks for itself, such as to notice what changes: in the evidence, a call that only reads
	// is then none of the client's.
	Own bool
	// Permission is a rule of the front's own for the call: the stricter of it and of the policy
	// counts. The zero Permission is none.
	Permission Permission
	// Asks says that a person can be asked: a call that the policy wants to be asked about fails
	// with an error of kind [result.NeedsApproval], whose data hold the question. Otherwise the
	// rule's fallback decides. Answers are what was said to such questions; see [Asking].
	Asks    bool
	Answers []Answer
	// Last says that no call of the session comes after this one: what could be told later is
	// waited for, as far as the deadline allows.
	Last bool
	// Progress, if not nil, is told what the call waits for, one at a time, and not after
	// Call has returned. Its context ends with the call.
	Progress func(context.Context, Progress)
}

// Progress is what a call waits for.
type Progress struct {
	// Servers are those that start or run, with what each says it is doing.
	Servers []result.Server `json:"servers"`
	// Done is how many files are answered for, of Total that the call is about; 0 of 0 where
	// that is not counted.
	Done  int `json:"done,omitempty"`
	Total int `json:"total,omitempty"`
}

type callKey struct{}

// In returns a context whose calls carry c.
func (c Call) In(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, c) }

// Own returns a context whose calls are a front's own, besides what goes with them.
func Own(ctx context.Context) context.Context {
	with := CallOf(ctx)
	with.Own = true
	return with.In(ctx)
}

// CallOf returns what goes with the calls of a context.
func CallOf(ctx context.Context) Call {
	c, _ := ctx.Value(callKey{}).(Call)
	return c
}
