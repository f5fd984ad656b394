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

// A judgment is a server's last answer about a file, and the state of all texts, as the server
// numbers them, that it was made in.
type judgment struct {
	state uint64
	items []protocol.Diagnostic
}

// isDoubtful reports whether the answer to a pull that began in that state of the texts may
// include what the server noted in an earlier one ([registry.ConfirmErrors]). It does not if the
// file was sent or judged in the same state, because the server then forgot its notes. Neither
// does it if the file was judged in the state just before, and nothing was wrong then on the
// lines of the answer: what is noted in a state is found when the file is judged in it. The
// words may differ.
func (t *turn) isDoubtful(items []protocol.Diagnostic, state uint64) bool {
	if !slices.ContainsFunc(items, func(d protocol.Diagnostic) bool { return d.Severity < protocol.SeverityHint }) {
		return false
	}
	if t.server.State() != state {
		return true
	}
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	last := t.stream.fileLocked(t.path).judged
	switch {
	case t.synced.Sent == state && !t.closedFile, last != nil && last.state == state:
		return false
	case last == nil || last.state+1 != state:
		return true
	}
	return slices.ContainsFunc(items, func(d protocol.Diagnostic) bool {
		return slices.ContainsFunc(last.items, func(before protocol.Diagnostic) bool { return d.Range.Start.Line == before.Range.Start.Line })
	})
}

// judged notes the answer to a pull that began in that state of the texts.
func (t *turn) judged(items []protocol.Diagnostic, state uint64) {
	if !t.server.Definition().Has(registry.ConfirmErrors) || t.server.State() != state {
		return
	}
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	t.stream.fileLocked(t.path).judged = &judgment{state, items}
}

// resendDoubtful sends the file again if its findings, of a pull that began in that state of the
// texts, may reflect an earlier one, and reports whether it did. It does so at most once per turn.
func (t *turn) resendDoubtful(items []protocol.Diagnostic, state uint64) (bool, error) {
	if t.resent || !t.server.Definition().Has(registry.ConfirmErrors) || !t.isDoubtful(items, state) {
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
