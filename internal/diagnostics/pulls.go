package diagnostics

import "slices"

// answeredPulls reports whether the server answered the last pull of the file under each
// identifier.
func (t *turn) answeredPulls(identifiers []string) bool {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	results := t.stream.fileLocked(t.path).results
	return !slices.ContainsFunc(identifiers, func(id string) bool { _, answered := results[id]; return !answered })
}
