package diagnostics

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
)

// speaksUnopened reports whether the server can be asked about the turn's file although the file is
// not open.
func (t *turn) speaksUnopened() bool {
	s := t.server
	switch d := s.Definition().Diagnostics; d.ClosedFiles {
	case registry.ClosedPull:
		identifiers, _ := s.PullIdentifiers()
		return len(identifiers) > 0
	case registry.ClosedCommand:
		return strategy(s, false) == registry.DiagnosisCommand
	case registry.ClosedPushes:
		identifiers, _ := s.PullIdentifiers()
		return !t.wide && slices.Contains(d.FileStrategies, registry.Pull) && len(identifiers) > 0
	}
	return false
}

// unsolicited reports whether the server also publishes about the turn's file without being asked,
// so that a later publish may replace its answer.
func (t *turn) unsolicited() bool {
	return t.closedFile && t.server.Definition().Diagnostics.ClosedFiles == registry.ClosedPushes
}

// unopened asks about a file that is not open and need not be: the server reads its text from disk.
func (c *Collector) unopened(ctx context.Context, j *job, t *turn) Answer {
	began, s := c.now(), t.stream
	a := Answer{Server: s.key.ID, Root: s.key.Root}
	t.closedFile, t.shown, t.wide = true, true, false
	t.ticket.drop()
	if _, err := t.ticket.pass(ctx); err != nil {
		return failed(a, err)
	}
	t.synced = lsp.Synced{Generation: t.server.Generation()}
	t.enter()
	if items, ok := s.standing(t); ok {
		a.Items, a.Freshness = items, Fresh
		return a
	}
	j.note(t, c.now())
	items, freshness, err := t.finish(ctx)
	a.Waited = c.now().Sub(began)
	if err != nil {
		a = failed(a, err)
		if ctx.Err() != nil {
			a.Freshness, a.Reason = Timeout, "no answer in time"
		}
		return a
	}
	if a.Items, a.Freshness = items, freshness; freshness == Fresh {
		a.Items = s.complete(t, items)
	} else {
		a.quick, a.Reason = t.wanting, t.reason
	}
	return a
}

// borrowLocked notes why a document that was just shown is open: for its own sake, or only because
// of other files. Of the latter, the least recently used is closed first.
func (s *stream) borrowLocked(path string, closed, opened bool) {
	i := slices.Index(s.lent, path)
	if i >= 0 {
		s.lent = slices.Delete(s.lent, i, i+1)
	}
	if closed && (i >= 0 || opened) {
		s.lent = append(s.lent, path)
	}
}

// surplus removes from lent, and returns, the least recently used documents beyond the limit.
func (s *stream) surplus(max int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.lent) - max
	if n <= 0 {
		return nil
	}
	paths := slices.Clone(s.lent[:n])
	s.lent = slices.Delete(s.lent, 0, n)
	return paths
}

// giveBack closes documents that were opened only because of other files, as far as there are too
// many. A server that has ended has nothing open.
func (c *Collector) giveBack(files []File) {
	done := make(map[Key]bool)
	for _, f := range files {
		for _, source := range f.Sources {
			if done[source.Key] || !f.Closed {
				continue
			}
			done[source.Key] = true
			s := c.stream(source.Key)
			surplus := s.surplus(c.opts.MaxLent)
			if len(surplus) == 0 {
				continue
			}
			server, err := source.Obtain(c.background)
			if err != nil {
				continue
			}
			for _, path := range surplus {
				_, _ = server.CloseDocument(path)
			}
		}
	}
}
