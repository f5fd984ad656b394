package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// lacking holds the names that a server did not find in a file because what declares them is
// missing from the project.
type lacking struct {
	path  string
	names []string
}

// loads are what decided how a server loaded its projects, as text; see [Setup.loadedWith].
type loads struct {
	// path is the first file that it was asked about, and state what decided before it started.
	path, state string
	// failed has those of the projects that it could not load, by the folders of files in them.
	failed map[string]string
}

// Unable is told that a server refused to answer for a file or could not load its project. It
// returns what [Setup.Without] does, and has [Setup.Renew] know.
func (s *Setup) Unable(d *registry.Definition, key workspace.Key, path string) diagnostics.Lack {
	s.remember(d, key, path)
	return s.Without(d, path)
}

// remember notes that a server could not load the project of a file, for [Setup.Renew].
func (s *Setup) remember(d *registry.Definition, key workspace.Key, path string) {
	if len(d.RenewedBy) == 0 {
		return
	}
	s.mu.Lock()
	l, dir := s.loads[key], filepath.Dir(path)
	known := l == nil || l.failed[dir] != ""
	s.mu.Unlock()
	if known {
		return
	}
	state := l.state // what has changed since the server started counts
	if dir != filepath.Dir(l.path) {
		state = s.loadedWith(d, path)
	}
	s.workspace.DropState(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	l.failed[dir] = state
}

// Renew is called before a server is asked about a file. It stops the server if what its project
// lacked is no longer missing, or if it could not load the project and the project has changed,
// because some servers look for packages and load projects only when they start. It returns once
// the server has ended; the next request starts it again.
func (s *Setup) Renew(d *registry.Definition, key workspace.Key, path string) {
	found, changed := s.found(d, key), s.changed(d, key, path)
	if found || changed {
		ctx, cancel := context.WithTimeout(context.Background(), renewGrace)
		defer cancel()
		s.workspace.Stop(ctx, key)
	}
}

// renewGrace bounds how long a server may take to end before it is restarted.
const renewGrace = 500 * time.Millisecond

// found reports whether the names that a server did not find are no longer missing, once.
func (s *Setup) found(d *registry.Definition, key workspace.Key) bool {
	s.mu.Lock()
	former, lacked := s.lacking[key]
	s.mu.Unlock()
	if !lacked || len(s.Lacks(d, former.path, former.names).Names) > 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ours := s.lacking[key]
	delete(s.lacking, key)
	return ours
}

// changed reports whether the project of a file, which the server could not load, has changed
// since, once. It remembers with what a server is about to start.
func (s *Setup) changed(d *registry.Definition, key workspace.Key, path string) bool {
	if len(d.RenewedBy) == 0 {
		return false
	}
	s.mu.Lock()
	l := s.loads[key]
	failed := ""
	if l != nil {
		failed = l.failed[filepath.Dir(path)]
	}
	s.mu.Unlock()
	if l != nil && failed == "" {
		return false
	}
	state := s.loadedWith(d, path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loads[key] != l || state == failed {
		return false
	}
	s.loads[key] = &loads{path, state, make(map[string]string)}
	return l != nil
}

// loadedWith returns what decides how a server loads the project of a file: what is missing from
// it, and the files that say what it consists of.
// It is never "".
func (s *Setup) loadedWith(d *registry.Definition, path string) string {
	lack := s.Naming(s.workspace.Names("")).Lacks(d, path, nil) // in the same words for all callers
	state := []string{filepath.Dir(path), lack.Missing}
	if d.Runs() == "jdtls" {
		state = append(state, s.workspace.DownloadedJava())
	}
	for _, dir := range upwards(path, s.workspace.Root()) {
		for _, name := range d.RenewedBy {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Stat(file); err == nil {
				state = append(state, fmt.Sprint(file, info.Size(), info.ModTime().UnixNano()))
			}
		}
	}
	return strings.Join(state, "\n")
}
