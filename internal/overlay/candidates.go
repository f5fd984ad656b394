package overlay

import (
	"slices"

	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// KeepCandidates has the servers that were found for a file asked for further methods without looking for them again:
// for who puts many questions before the disk is looked at again.
func (a *Access) KeepCandidates() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.candidates = make(map[string][]workspace.Candidate)
}

// candidatesFor returns the servers that may answer for a file of the workspace.
func (a *Access) candidatesFor(path string) []workspace.Candidate {
	a.mu.Lock()
	known := a.candidates[path]
	a.mu.Unlock()
	if known != nil {
		return known
	}
	return slices.DeleteFunc(a.texts.opts.Workspace.Candidates(path), func(c workspace.Candidate) bool {
		return c.Definition.Role != registry.Primary
	})
}
