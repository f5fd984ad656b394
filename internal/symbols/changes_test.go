package symbols

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// editor is a fake that answers what leads to changes.
type editor struct {
	*fake
	renames, moves, commands int
	refuse                   error
}

func (e *editor) Open(context.Context, string, string) (Server, error) { return e, nil }
func (e *editor) Root() string                                         { return here("/r") }
func (e *editor) Supports(string) bool                                 { return true }

func (e *editor) Rename(context.Context, string, protocol.Position, string) (json.RawMessage, error) {
	e.renames++
	return json.RawMessage(`{}`), e.refuse
}

func (e *editor) PrepareRename(context.Context, string, protocol.Position) (protocol.Renameable, error) {
	return protocol.Renameable{Placeholder: "x"}, e.refuse
}

func (e *editor) WillRenameFiles(context.Context, []lsp.FileRename) (json.RawMessage, error) {
	e.moves++
	return json.RawMessage(`{}`), e.refuse
}

func (e *editor) ExecuteCommand(context.Context, string, []json.RawMessage) (lsp.Executed, error) {
	e.commands++
	return lsp.Executed{}, e.refuse
}

// A server that has not loaded the project is never asked to rename: half of the
// places would be renamed. It is asked as soon as it has.
func TestRenameWaitsForTheProject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &editor{fake: newFake("a.x", "x\n")}
		e.work("Loading packages")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var notReady *NotReadyError
		if _, err := New(e).Rename(ctx, e.target(t, "a.x", "x"), "y"); !errors.As(err, &notReady) || e.renames != 0 {
			t.Errorf("%v, asked %d times", err, e.renames)
		}
		if _, err := New(e).WillRenameFile(ctx, here("/r/a.x"), lsp.FileRename{From: here("/r/a.x"), To: here("/r/b.x")}); !errors.As(err, &notReady) || e.moves != 0 {
			t.Errorf("of a file: %v, asked %d times", err, e.moves)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		loaded := time.AfterFunc(10*time.Second, func() { e.work() })
		defer loaded.Stop()
		p, err := New(e).Rename(ctx, e.target(t, "a.x", "x"), "y")
		if err != nil || e.renames != 1 || string(p.Edit) != `{}` || p.Server != Server(e) {
			t.Errorf("loaded: %+v, %v", p, err)
		}
	})
}

// A server that begins to load with each question is not believed.
func TestRenameOfWhatNeverRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake("a.x", "x\n")
		e := &restless{editor{fake: f}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var notReady *NotReadyError
		if _, err := New(e).Rename(ctx, f.target(t, "a.x", "x"), "y"); !errors.As(err, &notReady) {
			t.Errorf("%v", err)
		}
	})
}

type restless struct{ editor }

func (r *restless) Open(context.Context, string, string) (Server, error) { return r, nil }

func (r *restless) Rename(ctx context.Context, path string, at protocol.Position, name string) (json.RawMessage, error) {
	r.work("Loading packages")
	r.work()
	return r.editor.Rename(ctx, path, at, name)
}

// What a server says when it refuses is the answer; a command is never repeated,
// not even when the server withdrew from it.
func TestRefusedChanges(t *testing.T) {
	e := &editor{fake: newFake("a.x", "x\n"), refuse: &jsonrpc.ResponseError{Method: "m", Code: -32803, Message: "not here"}}
	target := e.target(t, "a.x", "x")
	var refused *RefusedError
	if _, err := New(e).Rename(t.Context(), target, "y"); !errors.As(err, &refused) || refused.Error() != "fakels refuses to rename x to y: not here" {
		t.Errorf("rename: %v", err)
	}
	var unnamed *lsp.NotRenameableError
	if _, err := New(e).PrepareRename(t.Context(), target); !errors.As(err, &unnamed) || unnamed.Reason != "not here" {
		t.Errorf("prepareRename: %v", err)
	}
	if _, err := New(e).Execute(t.Context(), e, "c", nil); !errors.As(err, &refused) {
		t.Errorf("command: %v", err)
	}
	e.commands, e.refuse = 0, &jsonrpc.ResponseError{Method: "m", Code: -32801, Message: "content modified"}
	if _, err := New(e).Execute(t.Context(), e, "c", nil); err == nil || e.commands != 1 {
		t.Errorf("%v, executed %d times", err, e.commands)
	}
	e.refuse = context.DeadlineExceeded
	var late *TimeoutError
	if _, err := New(e).Execute(t.Context(), e, "c", nil); !errors.As(err, &late) {
		t.Errorf("late: %v", err)
	}
}

// One identifier is a name; what has anything else in it is none.
func TestNames(t *testing.T) {
	for text, want := range map[string]bool{"x": true, "_x9": true, "é": true, "$a": true, "": false, "9x": false, "a b": false, "a.b": false, "a-b": false, " a": false, "a ": false} {
		if IsName(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	if !Mentions([]byte("a.Load()"), "Load") || Mentions([]byte("Loader reLoad"), "Load") {
		t.Error("a name in another counts")
	}
}
