package overlay

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/workspace"
)

// turns are the locks of servers that are shown drafts, each made when it is first wanted. Several
// are taken in the order of compareKeys, so that nobody waits for each other.
type turns struct {
	mu    sync.Mutex
	locks map[roots.Key]*call.Lock
}

func (t *turns) of(key roots.Key) *call.Lock {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.locks[key] == nil {
		t.locks[key] = call.NewLock(BeingShown)
	}
	return t.locks[key]
}

func compareKeys(a, b roots.Key) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Root, b.Root))
}

// A Turn is the right to show drafts to some servers, and to ask them about those. Nobody else
// shows these servers anything meanwhile, or changes files; others may have turns with other
// servers. Its owner must End it.
type Turn struct {
	texts   *Texts
	servers []roots.Key

	mu sync.Mutex
	// strangers were used, and are not the turn's.
	strangers map[roots.Key]bool
}

// TakeTurn waits for a turn with some servers.
func (t *Texts) TakeTurn(ctx context.Context, servers []roots.Key) (*Turn, error) {
	if err := t.Writers.Share(ctx); err != nil {
		return nil, err
	}
	turn := &Turn{texts: t, strangers: make(map[roots.Key]bool)}
	for _, key := range slices.Compact(slices.SortedFunc(slices.Values(servers), compareKeys)) {
		if err := t.turns.of(key).Lock(ctx); err != nil {
			turn.End()
			return nil, err
		}
		turn.servers = append(turn.servers, key)
	}
	return turn, nil
}

// End gives the turn to the next one.
func (t *Turn) End() {
	for _, key := range t.servers {
		t.texts.turns.of(key).Unlock()
	}
	t.texts.Writers.Unshare()
}

// Has reports whether the turn is with a server.
func (t *Turn) Has(key roots.Key) bool { return slices.Contains(t.servers, key) }

// Wanted reports whether somebody waits for one of the servers.
func (t *Turn) Wanted() bool {
	return slices.ContainsFunc(t.servers, func(key roots.Key) bool { return t.texts.turns.of(key).Wanted() })
}

// Watch returns the context for all that is done in the turn: [Turn.Strangers] knows the servers
// that were used with it.
func (t *Turn) Watch(ctx context.Context) context.Context {
	return workspace.Noting(ctx, func(key roots.Key) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.Has(key) {
			t.strangers[key] = true
		}
	})
}

// Strangers returns the servers that were used and are not the turn's: they may have been shown
// somebody else's drafts, so nothing that was found out with them counts.
func (t *Turn) Strangers() []roots.Key {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(maps.Keys(t.strangers), compareKeys)
}
