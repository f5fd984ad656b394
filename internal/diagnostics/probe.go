package diagnostics

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// A probeError is an error that we append to the text of a file. A publish that contains it is
// about no text of the user's, and shows that the server responds; a later publish without it is
// about the user's text alone.
type probeError struct {
	line uint32 // where it begins; 0 if there is none
	text []byte // the text shown with it
	seen int    // counts the publishes that contain it
}

// shownBy reports whether a publish is about the text with the probe's error.
func (p probeError) shownBy(items []protocol.Diagnostic) bool {
	return p.line > 0 && slices.ContainsFunc(items, func(d protocol.Diagnostic) bool { return d.Range.Start.Line >= p.line })
}

// probe makes a server publish that otherwise would not, because nothing has changed for it: the
// server is shown the text with an error appended and, once it has published that error, the text
// alone again. The next publish is about the latter. A server that works on one text after the
// other cannot answer for an older one then. If the text has an error that hides ours, ours is
// shown without the text: the two ways alternate, and each attempt takes longer.
func (t *turn) probe(ctx context.Context) error {
	text, err := t.content, context.DeadlineExceeded
	for wait := minHidden; errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil; wait *= 2 {
		if err = t.probeWith(ctx, text, wait); text != nil {
			text = nil
		} else {
			text = t.content
		}
	}
	if again := t.showAgain(); err == nil {
		err = again
	}
	return err
}

// probeWith shows a text with the error appended, on the line where it would follow the turn's own
// text, and waits until the server has published it.
func (t *turn) probeWith(ctx context.Context, text []byte, wait time.Duration) error {
	// An empty line separates them: an error at the end of the text is not ours.
	line := bytes.Count(t.content, []byte("\n")) + 2
	empty := bytes.Repeat([]byte("\n"), line-bytes.Count(text, []byte("\n")))
	shown := slices.Concat(text, empty, []byte(t.server.Definition().Diagnostics.Provocation), []byte("\n"))
	before, err := t.showWith(shown, uint32(line))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return t.stream.await(ctx, func() bool { return t.stream.fileLocked(t.path).probe.seen > before })
}

// showWith shows the text, in which the probe's error begins at a line, and returns how often the
// error has been published so far. It fails with errSuperseded if another turn has shown its own
// text since, or the document was closed.
func (t *turn) showWith(text []byte, line uint32) (seen int, err error) {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	f := t.stream.fileLocked(t.path)
	if _, _, open := t.server.Document(t.path); !open || f.sent.version != t.sending.version {
		return 0, errSuperseded
	}
	f.probe.line, f.probe.text = line, text
	_, err = t.server.Sync(t.path, text)
	return f.probe.seen, err
}

// showAgain shows the turn's own text again in place of the one with the error, unless another turn
// has shown its own since.
func (t *turn) showAgain() (err error) {
	s := t.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fileLocked(t.path)
	if _, text, open := t.server.Document(t.path); !open || f.sent.version != t.sending.version || !bytes.Equal(text, protocol.Text(f.probe.text)) {
		return nil
	}
	now := s.sendingLocked(f)
	if t.synced, err = t.server.Sync(t.path, t.content); err != nil {
		return err
	}
	s.timing.sent(now.at, t.path, false)
	now.version, now.generation = t.synced.Version, t.synced.Generation
	t.sending, t.overlaps, f.sent = now, false, now
	return nil
}
