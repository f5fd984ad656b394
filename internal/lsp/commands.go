package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// commands are the commands that a server is asked to execute, one at a time:
// an edit that it asks for meanwhile names no command, so it is that of the one
// at work, and there must be no other.
type commands struct {
	slot chan struct{} // holds a token while a command is at work

	mu sync.Mutex
	// running is the command at work, "" for none.
	running string
	// current takes the edits of the command at work; nil refuses them, for none
	// is at work or nobody waits for it any more.
	current *collection
}

// A collection is what one command asked to apply. Its edits are guarded by
// commands.mu.
type collection struct{ edits []json.RawMessage }

// A BusyError says that the time ended while a server was still executing an earlier command;
// commands are executed one at a time.
type BusyError struct {
	Server, Command string
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is still at work on the command %s", e.Server, e.Command)
}

// Hint says what to do.
func (e *BusyError) Hint() string {
	return "ask again when it has ended; servers with action restart ends it"
}

// Executed is the outcome of a command.
type Executed struct {
	// Result is the answer as it came, null for nothing.
	Result json.RawMessage
	// Edits are the WorkspaceEdits that the server asked to apply meanwhile, in
	// order, in its encoding. It was told that they are applied.
	Edits []json.RawMessage
}

// ExecuteCommand executes a command that the server declared
// (workspace/executeCommand), after those before it, and collects the edits that
// the server asks for until it answers. Nothing is applied. When ctx ends first,
// later edits are refused, and the command keeps others waiting until it ends: an
// edit of it must not be taken for theirs. Edits are also returned with an error
// of the server.
func (s *Server) ExecuteCommand(ctx context.Context, command string, arguments []json.RawMessage) (Executed, error) {
	if !s.SupportsCommand(command) {
		return Executed{}, &UnsupportedError{Server: s.def.ID, Method: command}
	}
	raw, err := protocol.Marshal(protocol.ExecuteCommandParams(command, arguments))
	if err != nil {
		return Executed{}, fmt.Errorf("%s: %w", command, err)
	}
	select {
	case s.commands.slot <- struct{}{}:
	case <-ctx.Done():
		return Executed{}, &BusyError{s.def.ID, s.commands.atWork()}
	}
	collected := s.commands.begin(command)
	answered, began := s.docs.asks(), time.Now()
	result, err := s.callUncancelled(ctx, "workspace/executeCommand", raw, func() { answered(); s.commands.end(collected) })
	s.exchanged(ctx, began, "workspace/executeCommand", raw, result, err)
	edits := s.commands.leave(collected)
	s.Disturb() // whatever it did, earlier answers may not hold
	return Executed{Result: result, Edits: edits}, s.ending(ctx, err)
}

// begin is called by who holds the slot.
func (c *commands) begin(command string) *collection {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running, c.current = command, new(collection)
	return c.current
}

// leave returns what was collected; from now on it is refused.
func (c *commands) leave(collected *collection) []json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == collected {
		c.current = nil
	}
	return collected.edits
}

// end lets the next command begin.
func (c *commands) end(collected *collection) {
	c.mu.Lock()
	if c.current == collected {
		c.current = nil
	}
	c.running = ""
	c.mu.Unlock()
	<-c.slot
}

func (c *commands) atWork() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}

// applyEditResult is LSP's ApplyWorkspaceEditResult.
type applyEditResult struct {
	Applied       bool   `json:"applied"`
	FailureReason string `json:"failureReason,omitempty"`
}

// collect takes the edit of workspace/applyEdit if a command is at work that
// somebody waits for.
func (c *commands) collect(params json.RawMessage) applyEditResult {
	var w struct {
		Edit json.RawMessage `json:"edit"`
	}
	if json.Unmarshal(params, &w) != nil || len(w.Edit) == 0 || w.Edit[0] != '{' {
		return applyEditResult{FailureReason: "it has no edit"}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		return applyEditResult{FailureReason: "no edit was asked for"}
	}
	c.current.edits = append(c.current.edits, slices.Clone(w.Edit))
	return applyEditResult{Applied: true}
}
