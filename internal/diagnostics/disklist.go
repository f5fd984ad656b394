package diagnostics

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// listGrace limits the wait for a server to publish the errors that its check of the disk listed.
// Eclipse publishes what changed at most a second and a half after the check.
const listGrace = 5 * time.Second

// awaitListed waits until the server has published exactly the errors that its check of the disk
// listed for closed files. Open files do not count: the server judges those by their documents.
func (s *stream) awaitListed(ctx context.Context, server Server, listed map[string][]string) error {
	bounded, cancel := context.WithTimeout(ctx, listGrace)
	defer cancel()
	open := server.OpenDocuments()
	err := s.await(bounded, func() bool { return len(s.differingLocked(listed, open)) == 0 })
	if err == nil || ctx.Err() != nil || bounded.Err() == nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	differing := s.differingLocked(listed, open)
	if len(differing) == 0 {
		return nil
	}
	for _, path := range differing { // it may never publish them
		s.unlike[path] = true
	}
	return fmt.Errorf("the server did not publish what it found in %s", filepath.Base(differing[0]))
}

// differingLocked returns the closed files, sorted, for which the server last published other
// errors than those listed. It leaves out files for which an earlier wait was in vain and that
// still differ.
func (s *stream) differingLocked(listed map[string][]string, open []string) (paths []string) {
	check := func(path string, published []protocol.Diagnostic) {
		switch same := sameMessages(listed[path], published); {
		case slices.Contains(open, path):
		case same:
			delete(s.unlike, path)
		case !s.unlike[path] && !slices.Contains(paths, path):
			paths = append(paths, path)
		}
	}
	for path, f := range s.files {
		check(path, f.pushed)
	}
	for path := range listed {
		if s.files[path] == nil {
			check(path, nil)
		}
	}
	slices.Sort(paths)
	return paths
}

// sameMessages reports whether the errors among the findings have exactly these messages.
func sameMessages(messages []string, findings []protocol.Diagnostic) bool {
	var errors []string
	for _, d := range findings {
		if d.Severity == protocol.SeverityError {
			errors = append(errors, strings.TrimSpace(d.Message))
		}
	}
	want := make([]string, 0, len(messages))
	for _, m := range messages {
		want = append(want, strings.TrimSpace(m))
	}
	slices.Sort(errors)
	slices.Sort(want)
	return slices.Equal(want, errors)
}
