package diagnostics

import "time"

// A sending is one showing of a file to the server, with what the server had
// said until then.
type sending struct {
	version    int32
	generation uint64
	at         time.Time
	// publishes, begins and refreshes are the counts before it.
	publishes, begins, refreshes int
	// closed says that the document was closed and opened for it, which many
	// servers answer by an empty push first.
	closed bool
}

// sendingLocked returns a sending of the file that begins now.
func (s *stream) sendingLocked(f *fileState) sending {
	return sending{at: s.collector.now(), publishes: f.publishes, begins: s.begins, refreshes: s.refreshes}
}

// send makes content the server's and notes what was there before. The lock is
// held meanwhile, so that what is handled after it came after the sending, as
// far as anybody can tell; and so that a later job for the file sends after it.
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
	now.version = t.synced.Version
	if !t.synced.Changed {
		if file.Saved && t.server.Definition().AwaitsSave() {
			if err := t.server.Save(t.path); err != nil {
				return err
			}
		}
		// Somebody may have shown just this before, and still wait for it.
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

// saveLocked tells the server that what it was just shown was saved, which calls
// nothing into question.
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

// reopen makes the server look anew at a document that did not change.
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
