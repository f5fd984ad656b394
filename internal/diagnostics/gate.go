package diagnostics

import (
	"context"
	"sync"
)

// A gate keeps the collections of one check from asking a server before it was shown every file of
// that check: what it reports about one depends on the others. Collections for other servers have
// gates of their own and are not held up.
type gate struct {
	mu      sync.Mutex
	missing int // collections that have not arrived
	// last is the server's generation after the last document whose text changed.
	last   uint64
	opened chan struct{} // closed when missing is 0
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
	gate       *gate
	arrived    bool
	generation uint64
}

func (g *gate) ticket() *ticket {
	if g == nil {
		return nil
	}
	return &ticket{gate: g}
}

// of returns the ticket's gate, nil for a nil ticket.
func (t *ticket) of() *gate {
	if t == nil {
		return nil
	}
	return t.gate
}

// arrive says that the collection has shown its file, whether that changed the text of an open
// document, and the server's generation afterwards. Only the first call counts.
func (t *ticket) arrive(changed bool, generation uint64) {
	if t == nil || t.arrived {
		return
	}
	t.arrived, t.generation = true, generation
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	if changed {
		t.gate.last = max(t.gate.last, generation)
	}
	if t.gate.missing--; t.gate.missing == 0 {
		close(t.gate.opened)
	}
}

// drop says that the collection will not show its file to the server. It does nothing after arrive.
func (t *ticket) drop() { t.arrive(false, 0) }

// pass waits for the others and reports whether one of them changed a text after this one's file
// was shown. The order of arrivals need not be the order in which files were shown.
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
	return t.gate.last > t.generation, nil
}
