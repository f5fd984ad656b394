package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
)

// foldersOr returns a copy of folders or, if there are none, the root alone.
func foldersOr(root string, folders []string) []string {
	if len(folders) == 0 {
		return []string{root}
	}
	return slices.Clone(folders)
}

// Folders returns the workspace folders the server was told of, in the order they
// were added: those of its start first.
func (s *Server) Folders() []string {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return slices.Clone(s.docs.folders)
}

// AwaitFolders waits until the server has processed the last change of folders, so that a server
// which loads a project has said that it does.
func (s *Server) AwaitFolders(ctx context.Context) error {
	if r := s.def.Readiness; r == nil || r.Lasts {
		return nil
	}
	// What it answers is of no matter, also that it knows no such request.
	_, err := s.send(ctx, "lspine/barrier", json.RawMessage("{}"))
	var answered *jsonrpc.ResponseError
	if errors.As(err, &answered) {
		return nil
	}
	return err
}

// A Project is one of the projects that a server judges.
type Project struct {
	Root string
	// Probe is the path of a file that the server takes for one of the project. It need
	// not exist.
	Probe string
	// Source is a file of the project that exists, "" if there is none.
	Source string
	// Hidden says that telling the server of the folder is not enough: one of the project's
	// files must be open for it to judge the project.
	Hidden bool
	// Users are the roots of those that need it, directly or by way of others.
	Users []string
}

// SetProjects says which projects the server judges, as far as is known. Nothing is
// sent. The first document that is opened after a project is new counts for
// [Server.FirstOpened], and works that began before not for [Server.BegunSince].
func (s *Server) SetProjects(projects []Project) {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	known := s.docs.projects
	s.docs.projects = projects
	if slices.ContainsFunc(projects, func(p Project) bool {
		return !slices.ContainsFunc(known, func(k Project) bool { return k.Root == p.Root })
	}) {
		s.docs.first = time.Time{}
		s.progress.renew()
	}
}

// Roots returns the roots of the projects that the server judges; its own where it
// judges one.
func (s *Server) Roots() []string {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	if len(s.docs.projects) == 0 {
		return []string{s.root}
	}
	var roots []string
	for _, p := range s.docs.projects {
		roots = append(roots, p.Root)
	}
	return roots
}

// homeLocked returns the project that a file belongs to, nil if it is not known.
// documents.mu is held.
func (s *Server) homeLocked(path string) (home *Project) {
	for i, p := range s.docs.projects {
		if isBelow(p.Root, path) && (home == nil || len(p.Root) > len(home.Root)) {
			home = &s.docs.projects[i]
		}
	}
	return home
}

// usersLocked returns the projects that need the one that a file belongs to.
// documents.mu is held.
func (s *Server) usersLocked(path string) (users []Project) {
	home := s.homeLocked(path)
	if home == nil {
		return nil
	}
	for _, p := range s.docs.projects {
		if slices.Contains(home.Users, p.Root) {
			users = append(users, p)
		}
	}
	return users
}

func isBelow(root, path string) bool {
	relative, err := filepath.Rel(root, path)
	return err == nil && (relative == "." || filepath.IsLocal(relative))
}

// ChangeFolders adds and removes workspace folders, given as absolute paths, with one
// workspace/didChangeWorkspaceFolders. Folders that are there already, or are not there, are left
// out; if nothing is left nothing is sent. The error is an *[UnsupportedError] if the server
// takes no further folders.
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
	s.progress.await(len(added))
	s.docs.generation++
	s.docs.states.changed()
	for _, path := range slices.Concat(added, removed) {
		s.docs.worlds.toggle(path)
	}
	return s.notify(method, protocol.FoldersParams(added, removed))
}
