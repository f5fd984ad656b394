package overlay

import (
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/roots"
)

// Keep has each file read only once, and each folder searched for servers only once: for a caller
// that asks many questions about the same state of the disk.
func (a *Access) Keep() {
	a.mu.Lock()
	a.contents = make(map[string][]byte)
	a.mu.Unlock()
	a.detecting.Lock()
	a.detection = a.texts.opts.Workspace.Detection()
	a.detecting.Unlock()
}

// read returns what is on disk of a file of the workspace.
func (a *Access) read(path string) ([]byte, error) {
	a.mu.Lock()
	kept, known := a.contents[path]
	a.mu.Unlock()
	if known {
		return kept, nil
	}
	content, err := a.texts.opts.Workspace.Read(path)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if first, known := a.contents[path]; known {
		return first, nil // as everybody else sees it
	}
	if a.contents != nil {
		a.contents[path] = content
	}
	return content, nil
}

// candidatesFor returns the servers that may answer for a file of the workspace.
func (a *Access) candidatesFor(path string) (primary []roots.Candidate) {
	for _, c := range a.detected(path) {
		if c.Definition.Role == registry.Primary {
			primary = append(primary, c)
		}
	}
	return primary
}

// detected returns all servers that apply to a file. The caller must not change them.
func (a *Access) detected(path string) []roots.Candidate {
	a.detecting.Lock()
	defer a.detecting.Unlock()
	if a.detection == nil {
		return a.texts.opts.Workspace.Candidates(path)
	}
	return a.detection.Candidates(path)
}
