package diagnostics

import (
	"slices"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// answeredPulls reports whether the server answered the last pull of the file for each identifier.
func (t *turn) answeredPulls(identifiers []string) bool {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	results := t.stream.fileLocked(t.path).results
	return !slices.ContainsFunc(identifiers, func(id string) bool { _, answered := results[id]; return !answered })
}

// resendDoubtful sends the file again if its findings may reflect an earlier state of other files
// ([registry.ConfirmErrors]), and reports whether it did. It does so at most once per turn.
func (t *turn) resendDoubtful(items []protocol.Diagnostic) (bool, error) {
	said := slices.ContainsFunc(items, func(d protocol.Diagnostic) bool { return d.Severity < protocol.SeverityHint })
	switch {
	case t.resent || !said || !t.server.Definition().Has(registry.ConfirmErrors):
		return false, nil
	case t.shown && t.server.Generation() == t.sending.generation: // nothing has changed since the file was sent
		return false, nil
	}
	s := t.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fileLocked(t.path)
	now := s.sendingLocked(f)
	synced, sent, err := t.server.Resend(t.path, t.synced.Version)
	if err != nil || !sent {
		return false, err
	}
	t.synced, t.resent = synced, true
	now.version, now.generation = synced.Version, synced.Generation
	t.shown, t.sending, f.sent = true, now, now
	return true, nil
}
