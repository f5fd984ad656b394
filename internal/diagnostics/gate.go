package diagnostics

import (
	"context"
	"sync"
)

// A gate keeps the collections of one check from asking a server before it was
// shown every file of that check: what it says of one depends on the others. The
// collections for other servers have gates of their own, and wait for nobody.
type gate struct {
	mu      sync.Mutex
	missing int // those that have not arrived
	// changes counts the documents that got another text on the way.
	changes int
	opened  chan struct{} // closed when nobody is missing
}

// gates returns a gate for each server that is to be shown several files.
func gates(files []File) map[Key]*gate {
	counts := make(map[Key]int)
	for _, f := range files {
		for _, source := range f.Sources {
			counts[source.Key]++
		}
	}
	all := make(map[Key]*gate)
	for key, n := range counts {
		if n > 1 {
			all[key] = &gate{missing: n, opened: make(chan struct{})}
		}
	}
	return all
}

// A ticket is one collection's right to pass. A nil ticket passes at once.
type ticket struct {
	gate    *gate
	arrived bool
	changes int // of the gate, when the ticket arrived
}

func (g *gate) ticket() *ticket {
	if g == nil {
		return nil
	}
	return &ticket{gate: g}
}

// arrive says that the collection has shown its file, and whether that changed
// the text of an open document; or that it never will. Only the first call counts.
func (t *ticket) arrive(changed bool) {
	if t == nil || t.arrived {
		return
	}
	t.arrived = true
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	if changed {
		t.gate.changes++
	}
	t.changes = t.gate.changes
	if t.gate.missing--; t.gate.missing == 0 {
		close(t.gate.opened)
	}
}

// pass waits for the others, and reports whether one of them changed a text after
// this one arrived.
func (t *ticket) pass(ctx context.Context) (overtaken bool, err error) {
	if t == nil {
		return false, nil
	}
	select {
	case <-t.gate.opened:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.gate.changes > t.changes, nil
}
