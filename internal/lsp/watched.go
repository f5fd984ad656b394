package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// watchKinds are the bits of a watcher's kind for each change.
var watchKinds = map[protocol.ChangeType]int{protocol.Created: 1, protocol.Changed: 2, protocol.Deleted: 4}

// FilesChanged tells the server of files that changed on disk, as far as it
// registered for them and can read them to their end, and returns how many it was told of. One that registers for each
// folder or project as it comes to it is told of all files that concern it: it may have
// read them before it registers.
func (s *Server) FilesChanged(events []protocol.FileEvent) (int, error) {
	registered, _ := s.offered.of("workspace/didChangeWatchedFiles")
	var watches []protocol.Watch
	for _, r := range registered {
		watches = append(watches, r.Watches()...)
	}
	bases := s.Folders()
	if !slices.Contains(bases, s.root) {
		bases = append(bases, s.root)
	}
	var wanted []protocol.FileEvent
	for _, e := range events {
		path, err := e.URI.Path()
		if err == nil && (watched(watches, path, watchKinds[e.Type], bases) || s.readsBeforeWatching(path)) && !endless(e.Type, path) {
			wanted = append(wanted, e)
		}
	}
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	s.changedOnDiskLocked(events)
	if len(wanted) == 0 {
		return 0, nil
	}
	s.docs.generation++
	s.docs.outside++
	s.docs.states.changed()
	s.docs.toldChanges = true
	s.noteGoneLocked(wanted)
	if err := s.notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams(wanted)); err != nil {
		return len(wanted), err
	}
	var paths []string
	for _, e := range wanted {
		if path, err := e.URI.Path(); err == nil {
			paths = append(paths, path)
		}
	}
	return len(wanted), s.nudgeLocked(paths...)
}

// endless reports whether a file that came or changed is a device, a pipe or a socket, or a link to one. Servers read what they are
// told of: gopls read a link to /dev/zero until the memory was full.
func endless(kind protocol.ChangeType, path string) bool {
	if kind == protocol.Deleted {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// readsBeforeWatching reports whether the server may read a file before it registers for the
// folder or project that the file is in: it answers, and the registration comes a moment later.
func (s *Server) readsBeforeWatching(path string) bool {
	discovers := s.def.Sharing == registry.Discovers && s.def.Diagnostics.Outside == registry.OutsideWatched
	return (discovers || s.def.Sharing == registry.TakesFolders) && s.def.Concerns(path)
}

// watched reports whether one of the watches covers a change of path. A plain
// pattern is matched against the absolute path and against the path below each of
// the folders, because servers mean either.
func watched(watches []protocol.Watch, path string, kind int, folders []string) bool {
	slashed := filepath.ToSlash(path)
	for _, w := range watches {
		if w.Kind&kind == 0 {
			continue
		}
		if w.Base != "" {
			if matchBelow(w.Base, w.Pattern, path) {
				return true
			}
			continue
		}
		below := func(folder string) bool { return matchBelow(folder, w.Pattern, path) }
		if doublestar.MatchUnvalidated(w.Pattern, slashed) || slices.ContainsFunc(folders, below) {
			return true
		}
	}
	return false
}

func matchBelow(base, pattern, path string) bool {
	relative, err := filepath.Rel(base, path)
	if err != nil || !filepath.IsLocal(relative) {
		return false
	}
	return doublestar.MatchUnvalidated(pattern, filepath.ToSlash(relative))
}

// AwaitRead waits until the server has read a file that it was told has changed, by its [registry.Definition.ReadBack].
// It does not wait for what the server does not read: a file of no project, or one that is not UTF-8.
func (s *Server) AwaitRead(ctx context.Context, path string) error {
	for {
		raw, err := s.send(ctx, s.def.ReadBack, protocol.IdentifierParams(protocol.URIFromPath(path)))
		var refused *jsonrpc.ResponseError
		if errors.As(err, &refused) {
			return nil
		}
		if err != nil {
			return err
		}
		var has string
		if err := json.Unmarshal(raw, &has); err != nil {
			return fmt.Errorf("%s: %w", s.def.ReadBack, err)
		}
		content, err := fspath.Read(path)
		if err != nil || !utf8.Valid(content) || asRead(string(content)) == asRead(has) {
			return nil // it is gone again, or as the server has it
		}
	}
}

// asRead returns a text as servers keep it, whatever ends its lines and begins it.
func asRead(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
}
