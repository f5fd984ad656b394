package workspace

import (
	"cmp"
	"context"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// Running returns the servers that are active, by id and root.
func (w *Workspace) Running() []*lsp.Server {
	servers := w.running()
	slices.SortFunc(servers, func(a, b *lsp.Server) int {
		return cmp.Or(cmp.Compare(a.Definition().ID, b.Definition().ID), cmp.Compare(a.Root(), b.Root()))
	})
	return servers
}

// Keys returns the keys of the servers that were ever asked for, by id and root.
func (w *Workspace) Keys() []roots.Key {
	w.mu.Lock()
	defer w.mu.Unlock()
	keys := make([]roots.Key, 0, len(w.instances))
	for key := range w.instances {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b roots.Key) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Root, b.Root)) })
	return keys
}

// Stop ends the server of a key, a start under way first awaited, and forgets its
// crashes: whoever needs it next starts it anew, also where it had failed too
// often. It reports whether it ran. When ctx ends the server is killed.
func (w *Workspace) Stop(ctx context.Context, key roots.Key) bool {
	w.mu.Lock()
	i := w.instances[key]
	w.mu.Unlock()
	if i == nil {
		return false
	}
	i.mu.Lock()
	begun := i.start
	i.mu.Unlock()
	if begun != nil {
		select {
		case <-begun.done:
		case <-ctx.Done():
		}
	}
	ran := i.active() != nil
	i.stop(ctx)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.crashes, i.err = 0, nil
	i.refused, i.away = 0, false
	i.notBefore = w.opts.Now()
	return ran
}

// A ChangedPath is what was found out about a file that was announced as changed.
type ChangedPath struct {
	Path string
	Type protocol.ChangeType
}

// Announce tells the running servers of files that somebody says have changed:
// what they are told is what the disk says now, of created ones that they are
// new, and documents that are open get the text of their files. The documents of
// the paths in except are left alone.
func (w *Workspace) Announce(ctx context.Context, paths, created, except []string) ([]ChangedPath, Swept, error) {
	var told []ChangedPath
	var events []protocol.FileEvent
	for _, path := range paths {
		kind := protocol.Changed
		if slices.Contains(created, path) {
			kind = protocol.Created
		}
		if fspath.Missing(path) {
			kind = protocol.Deleted
		}
		told = append(told, ChangedPath{path, kind})
		events = append(events, protocol.FileEvent{URI: protocol.URIFromPath(path), Type: kind})
	}
	w.mu.Lock()
	for _, path := range paths {
		delete(w.equal, path) // its stamp may be the same
	}
	w.mu.Unlock()
	swept, err := w.told(ctx, func(found func(*telling)) {
		w.tree.mu.Lock()
		defer w.tree.mu.Unlock()
		found(w.tellLocked(events, except))
	})
	return told, swept, err
}
