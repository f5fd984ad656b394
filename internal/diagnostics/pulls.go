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

// isDoubtful reports whether the answer to a pull that began in that state of the texts may
// include what the server noted in an earlier one ([registry.ConfirmErrors]). It does not if the
// file was sent or judged in the same state, because the server then forgot its notes. Neither
// does it if the file was judged in the state just before, and nothing was wrong: what the server
// notes of a file in a state, it also finds when it judges the file in it.
func (t *turn) isDoubtful(items []protocol.Diagnostic, state uint64) bool {
	if !slices.ContainsFunc(items, counts) {
		return false
	}
	if t.server.State() != state {
		return true
	}
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	last := t.stream.fileLocked(t.path).judged
	switch {
	case t.synced.Sent == state:
		return false
	case last == nil:
		return true
	}
	return last.state != state && (last.wrong || last.state+1 != state)
}

// expectsDoubtLocked reports whether the answer about a file that was just shown would be
// doubtful if something is still wrong that was wrong in an earlier state. Then the file is sent
// again before it is asked about, because asking twice takes twice as long. The stream's lock is
// held.
func (t *turn) expectsDoubtLocked(f *fileState) bool {
	state := t.server.State()
	return f.judged != nil && f.judged.wrong && f.judged.state != state && t.synced.Sent != state
}

// counts reports whether a diagnostic counts in a verdict: it is no hint.
func counts(d protocol.Diagnostic) bool { return d.Severity < protocol.SeverityHint }

// judged notes the answer to a pull that began in that state of the texts.
func (t *turn) judged(items []protocol.Diagnostic, state uint64) {
	if !t.server.Definition().Has(registry.ConfirmErrors) {
		return
	}
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	t.stream.fileLocked(t.path).judged = &judgment{state, slices.ContainsFunc(items, counts)}
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
	if sent, err := t.resend(); err != nil || !sent {
		return false, err
	}
	now.version, now.generation = t.synced.Version, t.synced.Generation
	t.shown, t.sending, f.sent = true, now, now
	return true, nil
}

// resend sends the file again, unless somebody else has sent another version, and reports whether
// it did.
func (t *turn) resend() (bool, error) {
	synced, sent, err := t.server.Resend(t.path, t.synced.Version)
	if err != nil || !sent {
		return false, err
	}
	t.synced, t.resent = synced, true
	return true, nil
}
