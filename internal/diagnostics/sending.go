package diagnostics

import (
	"context"

	"github.com/lspine/lspine/internal/registry"
)

// send shows the file's content to the server and notes the counts before. The lock is held
// meanwhile, so that whatever is handled afterwards counts as having come after the sending, and a
// later job for the file sends after it.
func (c *Collector) send(j *job, t *turn, file File) error {
	s := t.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.isSuperseded() {
		return errSuperseded
	}
	f := s.fileLocked(t.path)
	now := s.sendingLocked(f)
	var err error
	t.outside = t.server.Outside(t.path)
	t.redirected = redirected(t.server, t.path, file.Content, f.outside)
	if t.synced, err = t.server.Sync(t.path, file.Content); err != nil {
		return err
	}
	s.borrowLocked(t.path, file.Closed, t.synced.Opened)
	if t.expectsDoubtLocked(f) {
		if _, err := t.resend(); err != nil {
			return err
		}
	}
	now.version = t.synced.Version
	if !t.synced.Changed {
		if file.Saved && t.server.Definition().AwaitsSave() {
			if err := t.server.Save(t.path); err != nil {
				return err
			}
		}
		// Another turn may have shown exactly this and still be waiting for the answer.
		t.shown = f.sent.version == t.synced.Version && f.sent.generation == t.synced.Generation
		if now.generation = t.synced.Generation; t.shown {
			now = f.sent
		}
		t.sending = now
		return nil
	}
	t.overlaps = f.version < f.sent.version && now.at.Sub(f.sent.at) < c.opts.Patience
	f.probe = probeError{}
	s.timing.sent(now.at, t.path, t.synced.Opened)
	if d := t.server.Definition(); d.Diagnostics.NeedsSave || file.Saved && d.AwaitsSave() {
		if err := t.saveLocked(); err != nil {
			return err
		}
	}
	now.generation = t.synced.Generation
	t.shown, t.sending, f.sent = true, now, now
	return nil
}

// saveLocked tells the server that what it was just shown is saved, which makes no findings
// outdated.
func (t *turn) saveLocked() error {
	if err := t.server.Save(t.path); err != nil {
		return err
	}
	t.stream.saved[t.path] = t.synced.Version
	if g := t.server.Generation(); g == t.synced.Generation+1 {
		t.synced.Generation = g
	}
	return nil
}

// renew makes the server read a stale document anew. While one is closed whose text is not on disk, the
// server has the text on disk for the files that include it: whoever closes it waits until nothing else
// is being judged, and until release is called nothing else is.
func (c *Collector) renew(ctx context.Context, t *turn) (release func(), err error) {
	if t.server.Definition().Diagnostics.Outside != registry.OutsideReopen {
		if t.stale() {
			err = c.reopen(t)
		}
		return func() {}, err
	}
	closing := t.stream.closing
	if err := closing.Share(ctx); err != nil {
		return nil, err
	}
	if t.server.Outside(t.path) != t.outside { // it may have been judged while another was closed
		t.shown = false
	}
	release = closing.Unshare
	if t.stale() && !onDisk(t.path, t.content) {
		if release(); closing.Lock(ctx) != nil {
			return nil, ctx.Err()
		}
		release = closing.Unlock
	}
	if t.stale() {
		if err := c.reopen(t); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// reopen makes the server check again a document that did not change.
func (c *Collector) reopen(t *turn) (err error) {
	s := t.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fileLocked(t.path)
	now := s.sendingLocked(f)
	t.outside = t.server.Outside(t.path)
	if t.synced, err = t.server.Reopen(t.path); err != nil {
		return err
	}
	s.timing.sent(now.at, t.path, t.synced.Opened)
	if t.server.Definition().Diagnostics.NeedsSave {
		if err = t.saveLocked(); err != nil {
			return err
		}
	}
	now.version, now.generation, now.closed = t.synced.Version, t.synced.Generation, t.synced.Opened
	t.shown, t.sending, f.sent = true, now, now
	return nil
}
