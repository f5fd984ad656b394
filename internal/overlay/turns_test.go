package overlay

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/workspace"
)

// Turns with different servers are had beside each other, turns with one server one after the
// other; and while anybody has a turn nobody changes files.
func TestTurns(t *testing.T) {
	texts, _ := openTexts(t)
	a, b, c := roots.Key{ID: "a", Root: "/w"}, roots.Key{ID: "b", Root: "/w"}, roots.Key{ID: "b", Root: "/w/c"}
	soon := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	first, err := texts.TakeTurn(t.Context(), []roots.Key{c, a, a})
	if err != nil {
		t.Fatal(err)
	}
	second, err := texts.TakeTurn(t.Context(), []roots.Key{b})
	if err != nil {
		t.Fatalf("beside the first: %v", err)
	}
	if _, err := texts.TakeTurn(soon(), []roots.Key{b, c}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("beside both: %v", err)
	}
	if diff := cmp.Diff([]bool{true, false, true}, []bool{first.Has(a), first.Has(b), first.Has(c)}); diff != "" {
		t.Errorf("the servers of the first: %s", diff)
	}
	second.End()
	if texts.Writers.TryLock() {
		t.Error("files may be changed during a turn")
	}
	waiting := make(chan *Turn, 1)
	go func() { // ends with the first
		turn, err := texts.TakeTurn(t.Context(), []roots.Key{b, c})
		if err != nil {
			t.Error(err)
		}
		waiting <- turn
	}()
	lsptest.Eventually(t, time.Minute, first.Wanted, "somebody waits for the first")
	first.End()
	third := <-waiting
	if third.Wanted() {
		t.Error("nobody waits for the third")
	}
	third.End()
	if !texts.Writers.TryLock() {
		t.Error("files may not be changed after the last turn")
	}
}

// A turn knows the servers that are used in it and are not its own.
func TestStrangersInATurn(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	own := roots.Key{ID: "own", Root: w.Root()}
	turn, err := texts.TakeTurn(t.Context(), []roots.Key{own})
	if err != nil {
		t.Fatal(err)
	}
	defer turn.End()
	ctx := turn.Watch(t.Context())
	workspace.Note(ctx, own)
	if diff := cmp.Diff([]roots.Key(nil), turn.Strangers()); diff != "" {
		t.Error(diff)
	}
	candidate := w.Candidates(w.Root() + "/main.toy")[0]
	for _, ctx := range []context.Context{ctx, t.Context(), ctx} {
		if _, err := w.Server(ctx, candidate); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]roots.Key{candidate.Key()}, turn.Strangers()); diff != "" {
		t.Error(diff)
	}
}
