package diagnostics

import (
	"context"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// A check of the whole workspace asks a server that declares workspace/diagnostic once, instead of
// opening every file in it. If the answer does not mention a file, nothing is known about it, and
// it is opened as in any other check. The same holds if the answer may be about another text than
// the one on disk.

const (
	workspaceMethod = "workspace/diagnostic"
	// workspaceIdle is how long such a request may bring nothing before it is cancelled: some
	// servers keep it open until something changes. What came until then counts.
	workspaceIdle = 2 * time.Second
	// workspaceAttempts limits how often it is sent to a server whose state changes meanwhile.
	workspaceAttempts = 4
)

// fromWorkspace answers a turn with what the server reports about the whole workspace. If that is
// not reliable for the turn's file, it returns false and leaves the turn as it was.
func (c *Collector) fromWorkspace(ctx context.Context, j *job, t *turn) (Answer, bool) {
	began, s, wide := c.now(), t.stream, t.wide
	a := Answer{Server: s.key.ID, Root: s.key.Root}
	d := t.server.Definition().Diagnostics
	identifiers, _ := t.server.PullIdentifiers()
	if len(identifiers) != 1 || d.Disk != nil || d.NeedsSave || !t.server.Supports(workspaceMethod) || !t.server.Pristine(t.path) || !onDisk(t.path, t.content) {
		return a, false
	}
	t.closedFile, t.shown, t.wide = true, true, false
	answered := false
	defer func() {
		if !answered {
			t.closedFile, t.shown, t.wide = false, false, wide
		}
	}()
	t.ticket.drop()
	if _, err := t.ticket.pass(ctx); err != nil {
		return a, false
	}
	losses, err := t.ready(ctx)
	if err != nil {
		return a, false
	}
	t.losses, t.synced = losses, lsp.Synced{Generation: t.server.Generation()}
	t.enter()
	items, answered := s.standing(t)
	if !answered {
		j.note(t, c.now())
		if items, answered = s.saidOfAll(ctx, t, identifiers[0]); answered {
			items = s.complete(t, items)
		}
	}
	a.Items, a.Freshness, a.Waited = items, Fresh, c.now().Sub(began)
	return a, answered
}

// saidOfAll returns what the server reports about the turn's file in a request about all files.
// Turns share such a request while it is under way, and afterwards for as long as nothing has
// changed.
func (s *stream) saidOfAll(ctx context.Context, t *turn, identifier string) ([]protocol.Diagnostic, bool) {
	s.mu.Lock()
	p := s.all
	if !p.servesLocked(t) {
		next := &workspacePull{server: t.server, gate: t.ticket.of(), generation: t.synced.Generation, refreshes: s.refreshes, losses: t.losses, results: make(map[string]pullResult)}
		if p != nil && p.server == t.server && p.over {
			next.results = p.results
		}
		p, s.all = next, next
		s.collector.pullAll(s, p, identifier)
	}
	s.mu.Unlock()
	err := s.await(ctx, func() bool { return p.over })
	s.mu.Lock()
	items, said := p.items[t.path]
	said = said && p.refreshes == s.refreshes
	t.refreshes, t.synced.Generation = p.refreshes, p.generation
	s.mu.Unlock()
	if err != nil || !said || !t.isReady() || t.server.Losses() != t.losses || !t.server.Pristine(t.path) || !onDisk(t.path, t.content) {
		return nil, false
	}
	if t.server.Trouble() != "" || t.server.Unable(t.path) != "" || s.unloadedFor(t.path) != "" || s.setupOf().apart(t.path, items) != "" {
		return nil, false // checking the single file reports what that means
	}
	if _, freshness := t.listed(items, Fresh); freshness != Fresh {
		return nil, false
	}
	return items, true
}

// servesLocked reports whether a request can answer a turn: it was made in the same check, some of
// whose files may have been opened since, or nothing has changed since. p may be nil.
func (p *workspacePull) servesLocked(t *turn) bool {
	switch {
	case p == nil || p.server != t.server || p.losses != t.losses:
		return false
	case p.gate != nil && p.gate == t.ticket.of():
		return true
	}
	return p.generation == t.synced.Generation && p.refreshes == t.stream.refreshes
}

// pullAll starts a request about all files. s.mu is held.
func (c *Collector) pullAll(s *stream, p *workspacePull, identifier string) {
	c.jobs.Go(func() {
		var err error
		for attempt := range workspaceAttempts {
			if err = s.pullOnce(c.background, p, identifier); !retriable(err) || pause(c.background, attempt) != nil {
				break
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if err != nil || p.refreshes != s.refreshes || p.server.Generation() != p.generation {
			p.items = nil // it is of another state than the current one, or failed
		}
		p.over = true
		s.wakeLocked()
	})
}

// pullOnce makes the request once, and cancels it when nothing has come for a while.
func (s *stream) pullOnce(ctx context.Context, p *workspacePull, identifier string) error {
	previous := make(map[protocol.DocumentURI]string)
	s.mu.Lock()
	p.items = make(map[string][]protocol.Diagnostic)
	for path, result := range p.results {
		previous[protocol.URIFromPath(path)] = result.id
	}
	s.mu.Unlock()
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	idle := time.AfterFunc(workspaceIdle, cancel)
	defer idle.Stop()
	err := p.server.PullWorkspace(asking, identifier, previous, func(reports []protocol.WorkspaceReport) {
		idle.Reset(workspaceIdle)
		s.mu.Lock()
		defer s.mu.Unlock()
		for i := range reports {
			p.takeLocked(&reports[i])
		}
	})
	if err != nil && asking.Err() != nil && ctx.Err() == nil {
		return nil // we cancelled it
	}
	return err
}

// takeLocked keeps what a report says about a file on disk. A later report on the same file
// replaces an earlier one.
func (p *workspacePull) takeLocked(r *protocol.WorkspaceReport) {
	path, err := r.URI.Path()
	if err != nil {
		return
	}
	before, known := p.results[path]
	delete(p.items, path)
	switch {
	case r.Version != nil: // it is about a document, not the file on disk
		delete(p.results, path)
	case !r.Unchanged:
		p.items[path] = r.Items
		delete(p.results, path)
		if r.ResultID != "" {
			p.results[path] = pullResult{id: r.ResultID, items: r.Items}
		}
	case known: // otherwise "unchanged" refers to a report that was never given
		p.items[path] = before.items
	}
}
