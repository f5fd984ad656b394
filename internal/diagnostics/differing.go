package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// pullDiffering asks again about the files for which the server's last publish differs from its
// last answer. Such a server publishes only what differs from its last publish: when that becomes
// true again, it publishes nothing, and the older answer would remain.
func (t *turn) pullDiffering(ctx context.Context) error {
	identifiers, _ := t.server.PullIdentifiers()
	if len(identifiers) == 0 || !slices.Contains(t.server.Definition().Diagnostics.FileStrategies, registry.Pull) {
		return nil
	}
	s := t.stream
	s.mu.Lock()
	var paths []string
	for path, f := range s.files {
		switch {
		case path == t.path || sameFindings(f.items, f.pushed):
		case f.last.known:
			paths = append(paths, path)
		default: // no complete answer is known
			f.items, f.epoch = f.pushed, s.collector.epochs.next()
		}
	}
	s.mu.Unlock()
	failures := make([]error, len(paths))
	inParallel(len(paths), func(i int) { failures[i] = s.pullAnew(ctx, t.server, paths[i], identifiers) })
	return errors.Join(failures...)
}

// pullAnew replaces what is known about a file by what the server answers now or, if it refuses to
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
	} else {
		items = append(slices.Clip(items), elsewhere(f.pushed, items)...)
	}
	if !sameFindings(f.items, items) {
		f.items, f.last.items, f.epoch = items, items, epoch
	}
	return nil
}

// onSystem matches the suffix with which gopls publishes an error that exists only on another
// system, or of which it does not know yet that it exists here too: it publishes once it has
// analysed the files for one system.
var onSystem = lazyregexp.New(` \[[a-z0-9]+(?:,[a-z0-9]+)?\]$`)

// hereStill returns what a server published. Where that now places an error on another system that
// was known to exist here, it keeps the known error.
func hereStill(published, known []protocol.Diagnostic) []protocol.Diagnostic {
	if len(known) == 0 || !slices.ContainsFunc(published, isElsewhere) {
		return published
	}
	published = slices.Clone(published)
	for i, d := range published {
		if at := slices.IndexFunc(known, func(k protocol.Diagnostic) bool { return isTwin(d, k) }); at >= 0 {
			published[i] = known[at]
		}
	}
	return published
}

// elsewhere returns the published errors that are on other systems, without those known to exist
// here.
func elsewhere(published, here []protocol.Diagnostic) (others []protocol.Diagnostic) {
	for _, d := range published {
		if isElsewhere(d) && !slices.ContainsFunc(here, func(k protocol.Diagnostic) bool { return isTwin(d, k) }) {
			others = append(others, d)
		}
	}
	return others
}

func isElsewhere(d protocol.Diagnostic) bool {
	return strings.HasSuffix(d.Message, "]") && onSystem.MatchString(d.Message)
}

// isTwin reports whether an error on another system is the same error as one here.
func isTwin(d, here protocol.Diagnostic) bool {
	message, cut := strings.CutPrefix(d.Message, here.Message)
	return cut && d.Range == here.Range && message != "" && onSystem.FindString(message) == message
}

// sameFindings reports whether two lists contain the same errors and warnings.
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
