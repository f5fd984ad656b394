package lsp

import (
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// Folders returns the workspace folders the server was told of, the root
// first, the others in the order they were added.
func (s *Server) Folders() []string {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return slices.Clone(s.docs.folders)
}

// ChangeFolders adds and removes workspace folders, absolute paths, with one
// workspace/didChangeWorkspaceFolders. What is there already, or is not, is
// left out; nothing is sent when nothing is left. It returns an
// *UnsupportedError if the server takes no further folders.
func (s *Server) ChangeFolders(add, remove []string) error {
	const method = "workspace/didChangeWorkspaceFolders"
	if !s.Supports(method) {
		return &UnsupportedError{Server: s.def.ID, Method: method}
	}
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	var kept, added, removed []string
	for _, path := range s.docs.folders {
		if slices.Contains(remove, path) {
			removed = append(removed, path)
		} else {
			kept = append(kept, path)
		}
	}
	for _, path := range add {
		if !slices.Contains(s.docs.folders, path) && !slices.Contains(added, path) {
			added = append(added, path)
		}
	}
	if len(added) == 0 && len(removed) == 0 {
		return nil
	}
	s.docs.folders = append(kept, added...)
	s.docs.generation++
	return s.notify(method, protocol.FoldersParams(added, removed))
}
