package diagnostics

import (
	"context"
	"errors"
	"time"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// settled waits for a publish and then for quiet, both judged by the server's own pace. Publishes
// for an older version do not count; after one for the version it still waits for quiet, because
// some servers publish more than once. If nothing is published at all, the answer is Partial:
// nothing shows that the server is done.
func (t *turn) settled(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	definition := t.server.Definition()
	d := definition.Diagnostics
	if method := orDocumentSymbol(d.BarrierMethod); t.server.Supports(method) {
		if err := t.server.Barrier(ctx, method, t.path); err != nil {
			return nil, "", err
		}
	}
	err := t.firstPush(ctx, t.firstWait())
	if d.Provocation != "" && errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		if err = t.probe(ctx); err == nil {
			err = t.firstPush(ctx, time.Hour)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return t.pushed(), Partial, nil
	case err != nil:
		return nil, "", err
	}
	asked := d.Quiet == 0 || !t.server.Supports(d.BarrierMethod)
	for {
		t.stream.mu.Lock()
		seen, quiet := t.stream.fileLocked(t.path).publishes, max(t.stream.timing.quiet(), d.Quiet)
		t.stream.mu.Unlock()
		waiting, cancel := context.WithTimeout(ctx, quiet)
		err := t.stream.await(waiting, func() bool { return t.stream.fileLocked(t.path).publishes > seen })
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, "", ctx.Err()
		case errors.Is(err, context.DeadlineExceeded) && t.stream.unloaded(definition):
			// What it reports before it has loaded the project is not final.
		case errors.Is(err, context.DeadlineExceeded) && !asked:
			// The server may be quiet because it is working: it answers this request only once that
			// work is done.
			if err := t.server.Barrier(ctx, d.BarrierMethod, t.path); err != nil {
				return nil, "", err
			}
			asked = true
		case errors.Is(err, context.DeadlineExceeded):
			items, freshness := t.settledOn()
			return items, freshness, nil
		case err != nil:
			return nil, "", err
		}
	}
}

// firstWait is how long to wait for a first publish: for as long as there is time if the server is
// known to publish each time, and only briefly if it can be probed.
func (t *turn) firstWait() time.Duration {
	if t.server.Definition().Diagnostics.Provocation != "" {
		t.stream.mu.Lock()
		defer t.stream.mu.Unlock()
		return t.stream.timing.untilProbe(t.path)
	}
	if t.server.Definition().Diagnostics.Outside == registry.OutsideTouch {
		return time.Hour
	}
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	return t.stream.timing.firstWait(t.path)
}

func orDocumentSymbol(method string) string {
	if method == "" {
		return "textDocument/documentSymbol"
	}
	return method
}

// firstPush waits for a publish until the limit has passed and the server reports no progress under
// way.
func (t *turn) firstPush(ctx context.Context, limit time.Duration) error {
	for {
		waiting, cancel := context.WithTimeout(ctx, limit)
		err := t.stream.await(waiting, t.pushedLocked)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && t.stream.loading() != "" {
			continue
		}
		return err
	}
}

// settledOn returns the last publish and its freshness, once quiet has come. A publish without a
// version may be about the previous version, if that was never answered; and an empty one may only
// be the response to closing the document.
func (t *turn) settledOn() ([]protocol.Diagnostic, Freshness) {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	f := t.stream.fileLocked(t.path)
	if t.reason = t.server.Definition().Diagnostics.Unsure; t.reason != "" {
		return f.pushed, Partial
	}
	confirmed := f.pushedVersion != nil && *f.pushedVersion >= t.synced.Version
	if !confirmed && (t.overlaps || t.closed && len(f.pushed) == 0) {
		return f.pushed, Partial
	}
	return f.pushed, Fresh
}
