package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// pullDiffering asks once more about the files of which the server last published something
// else than it answered. It publishes what differs from its last publish: where that is
// true again, it is silent, and the answer, which is older, would stand.
func (t *turn) pullDiffering(ctx context.Context) error {
	identifiers, _ := t.server.PullIdentifiers()
	if len(identifiers) == 0 || !slices.Contains(t.server.Definition().Diagnostics.FileStrategies, registry.Pull) {
		return nil
	}
	s := t.stream
	s.mu.Lock()
	var paths []string
	for path, f := range s.files {
		if path != t.path && f.last.known && !sameFindings(f.items, f.pushed) {
			paths = append(paths, path)
		}
	}
	s.mu.Unlock()
	failures := make([]error, len(paths))
	inParallel(len(paths), func(i int) { failures[i] = s.pullAnew(ctx, t.server, paths[i], identifiers) })
	return errors.Join(failures...)
}

// pullAnew replaces what is known of a file by what the server answers now or, if it has no
// answer, by what it published.
func (s *stream) pullAnew(ctx context.Context, server Server, path string, identifiers []string) error {
	t := &turn{server: server, stream: s, path: path}
	items, err := t.pullAll(ctx, identifiers)
	var refused *jsonrpc.ResponseError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	epoch := s.collector.epochs.next()
	f := s.fileLocked(path)
	if err != nil {
		items = f.pushed
	}
	if !sameFindings(f.items, items) {
		f.items, f.last.items, f.epoch = items, items, epoch
	}
	return nil
}

// sameFindings reports whether two lists have the same errors and warnings.
func sameFindings(a, b []protocol.Diagnostic) bool {
	severe := func(all []protocol.Diagnostic) (lines []string) {
		for _, d := range all {
			if d.Severity <= protocol.SeverityWarning {
				lines = append(lines, fmt.Sprint(d.Range, d.Severity, d.Message))
			}
		}
		slices.Sort(lines)
		return lines
	}
	return slices.Equal(severe(a), severe(b))
}
