package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// errEnded is why a wait fails when the server was stopped.
var errEnded = errors.New("the server was stopped")

// A turn is one collection: a content is shown to a server, and the turn waits for everything that
// the server has to report about it.
type turn struct {
	// left are the findings of the answer that were not kept.
	left   int
	server Server
	stream *stream
	path   string
	synced lsp.Synced
	// content is the text shown.
	content []byte
	// sending is the one whose answer the turn waits for; shown says that it was made for exactly
	// this state, by this turn or another one.
	sending
	shown bool
	// overlaps says that the previous version was never answered in full, so that a publish without
	// a version may still be about that one.
	overlaps bool
	// wide says that the server's findings for other files are wanted too.
	wide bool
	// closedFile says that the file is not open, and is not opened for the turn.
	closedFile bool
	// resent says that the file was sent again to confirm its findings.
	resent bool
	// ticket makes the turn wait for the other files of the check.
	ticket *ticket
	// state is the server's when it was asked, with a pull or a command; 0 until then.
	state uint64
	// world is the server's once all files of the check were shown to it, and moves how often that had
	// changed until then.
	world lsp.World
	moves uint64
	// offDisk says that the server's check of the files on disk was left out, because it would have
	// been of other texts.
	offDisk bool
	// doubtful says that the check of the disk did not judge the file, so that what the server says by itself is not sure.
	doubtful bool
	// losses is how often the server had stopped being ready when it was asked.
	losses int
	// reason says why the answer is partial, where that is known. quick is what the server reported
	// before its check of the disk; wanting says that this check could not be made.
	reason  string
	quick   []protocol.Diagnostic
	wanting bool
	// apart says that the file is in none of the server's projects, othersKnown that the server has
	// nevertheless reported what is wrong with other files.
	apart, othersKnown bool
	// past says that the texts shown are those from before a change; gone are the files of that
	// time that are no longer on disk.
	past bool
	gone []string
	// misled says that the server missed one of gone, so that its answer says nothing certain about
	// the state before the change; proven that what it says had been reported while they were there.
	misled, proven bool
	// redirected says that what the file includes has changed; outside is the server's count of
	// such changes before the turn's text was shown.
	redirected bool
	outside    uint64
}

// strategy returns the first of the definition's strategies that the server supports. If it
// supports none, publishes are taken as they come: one with the version is trusted, and silence is
// judged by the server's own pace.
func strategy(s Server, wide bool) registry.Strategy {
	d := s.Definition().Diagnostics
	candidates := d.Strategies
	if !wide && len(d.FileStrategies) > 0 {
		candidates = d.FileStrategies
	}
	for _, candidate := range candidates {
		switch candidate {
		case registry.Pull:
			if d.AnnouncePull {
				return candidate
			}
		case registry.DiagnosisCommand:
			if len(d.Commands) > 0 && s.SupportsCommand(d.Commands[0].Command) {
				return candidate
			}
		case registry.Progress, registry.Barrier:
			if s.Supports(d.BarrierMethod) {
				return candidate
			}
		default:
			return candidate
		}
	}
	return registry.Settled
}

// strategy returns the strategy by which the server judges the turn's file. One that refuses pulls
// about it is asked by another strategy, which it has for the file and its users.
func (t *turn) strategy() registry.Strategy {
	return strategy(t.server, t.wide || t.server.Definition().RefusesPulls(t.path))
}

// pull asks for each identifier that the server offers, in parallel. If the server registers for
// pull later, it waits for that; if the server publishes after all, that is taken as the answer.
func (t *turn) pull(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	identifiers, err := t.offered(ctx)
	if err != nil {
		return nil, "", err
	}
	if len(identifiers) == 0 {
		return t.versioned(ctx)
	}
	for attempt := 0; ; attempt++ {
		t.stream.mu.Lock()
		t.refreshes = t.stream.refreshes
		t.stream.mu.Unlock()
		generation, state := t.server.Generation(), t.server.State()
		items, err := t.pullAll(ctx, identifiers)
		if err != nil {
			return nil, "", err
		}
		t.stream.mu.Lock()
		overtaken := t.stream.refreshes != t.refreshes
		f := t.stream.fileLocked(t.path)
		f.interim, f.interimVersion = items, t.synced.Version
		t.stream.mu.Unlock()
		if !overtaken {
			t.synced.Generation, t.state = generation, state
			if again, err := t.resendDoubtful(items, state); err != nil {
				return nil, "", err
			} else if again {
				continue
			}
			t.judged(items, state)
			return items, Fresh, nil
		}
		if err := pause(ctx, attempt); err != nil {
			return nil, "", err
		}
	}
}

// offered waits until the server offers pull, or has published for the file.
func (t *turn) offered(ctx context.Context) ([]string, error) {
	for {
		identifiers, more := t.server.PullIdentifiers()
		if len(identifiers) > 0 {
			return identifiers, nil
		}
		t.stream.mu.Lock()
		pushed, ended, err, changed := t.pushedLocked(), t.stream.ended, t.stream.err, t.stream.changed
		t.stream.mu.Unlock()
		switch {
		case pushed:
			return nil, nil
		case ended:
			return nil, errors.Join(errEnded, err)
		}
		select {
		case <-more:
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (t *turn) pullAll(ctx context.Context, identifiers []string) ([]protocol.Diagnostic, error) {
	results := make([][]protocol.Diagnostic, len(identifiers))
	failures := make([]error, len(identifiers))
	inParallel(len(identifiers), func(i int) { results[i], failures[i] = t.pullOne(ctx, identifiers[i]) })
	return slices.Concat(results...), errors.Join(failures...)
}

// pullOne asks for one identifier, and again while the server says that its state has changed
// meanwhile.
func (t *turn) pullOne(ctx context.Context, identifier string) ([]protocol.Diagnostic, error) {
	t.stream.mu.Lock()
	previous := t.stream.fileLocked(t.path).results[identifier]
	t.stream.mu.Unlock()
	if t.server.Definition().Diagnostics.FullReports {
		previous.id = ""
	}
	for attempt := 0; ; attempt++ {
		report, err := t.server.Pull(ctx, t.path, identifier, previous.id)
		if retriable(err) {
			if err := pause(ctx, attempt); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			t.stream.mu.Lock()
			delete(t.stream.fileLocked(t.path).results, identifier)
			t.stream.mu.Unlock()
			return nil, err
		}
		result := pullResult{id: report.ResultID, items: report.Items}
		if report.Unchanged {
			if previous.id == "" {
				return nil, fmt.Errorf("%s says that nothing changed since a report it never gave", t.server.Definition().ID)
			}
			result.items = previous.items
		}
		t.stream.mu.Lock()
		t.stream.fileLocked(t.path).results[identifier] = result
		t.stream.mu.Unlock()
		t.stream.recordRelated(report.Related)
		return result.items, nil
	}
}

// recordRelated keeps what a report says about other files.
func (s *stream) recordRelated(related map[protocol.DocumentURI]protocol.Report) {
	for uri, report := range related {
		path, err := uri.Path()
		if err != nil || report.Unchanged {
			continue
		}
		s.mu.Lock()
		f := s.fileLocked(path)
		f.items, f.epoch = report.Items, s.collector.epochs.next()
		s.onlyAnswers, s.toldRelated = false, true
		s.mu.Unlock()
	}
}

// publishedOrPulled returns what the server published or, for a file that was just opened, or about which it published that
// nothing is wrong, what it answers to a pull for that file. gopls does not load the external tests of a new package, and
// publishes nothing about them, until somebody asks; and it publishes that nothing is wrong with whatever is in folders that
// the go command leaves out, such as testdata. A pull for a file that gopls could not load is
// refused, while its command only warns. Files about which it answers no pull are not pulled.
func (t *turn) publishedOrPulled(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	identifiers, _ := t.server.PullIdentifiers()
	if t.server.Definition().RefusesPulls(t.path) {
		return t.published(ctx)
	}
	if len(identifiers) == 0 || !slices.Contains(t.server.Definition().Diagnostics.FileStrategies, registry.Pull) {
		return t.published(ctx)
	}
	if !t.synced.Opened && t.answeredPulls(identifiers) {
		items, freshness, err := t.published(ctx)
		if err != nil || freshness != Fresh || len(items) > 0 {
			return items, freshness, err
		}
	}
	items, err := t.pullAll(ctx, identifiers)
	if err != nil {
		return nil, "", err
	}
	return items, Fresh, nil
}

// published returns what the server published before it said that it is done. A publish for an
// older version does not count; and if nothing was ever published, nothing shows that the server
// looked at the file.
func (t *turn) published(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	t.stream.mu.Lock()
	f := t.stream.fileLocked(t.path)
	items, publishes, ours := f.pushed, f.publishes, t.pushedLocked()
	t.stream.mu.Unlock()
	switch {
	case publishes == 0:
		return nil, Partial, nil
	case publishes > t.publishes && !ours:
		return t.versioned(ctx)
	}
	return items, Fresh, nil
}

// progress waits for the end of the work that the change began. The answer to a request sent after
// the change shows that the work has begun; if a later change of ours aborts it, the work for that
// later change is waited for instead.
func (t *turn) progress(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	d := t.server.Definition().Diagnostics
	for {
		generation := t.server.Generation()
		if err := t.server.Barrier(ctx, d.BarrierMethod, t.path); err != nil {
			return nil, "", err
		}
		if err := t.stream.await(ctx, func() bool {
			return !t.shown || t.stream.begunLocked(d.ProgressTitle, t.begins)
		}); err != nil {
			return nil, "", err
		}
		t.stream.mu.Lock()
		begun := t.stream.worksLocked(d.ProgressTitle)
		t.stream.mu.Unlock()
		err := t.stream.await(ctx, func() bool {
			return !slices.ContainsFunc(begun, func(token string) bool {
				_, open := t.stream.works[token]
				return open
			})
		})
		if err != nil {
			return nil, "", err
		}
		if t.server.Generation() == generation {
			t.synced.Generation = generation
			return t.published(ctx)
		}
	}
}

// barrier sends a request that the server queues behind the change: this makes it hurry, and the
// answer usually comes after the publish.
func (t *turn) barrier(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	if err := t.server.Barrier(ctx, t.server.Definition().Diagnostics.BarrierMethod, t.path); err != nil {
		return nil, "", err
	}
	return t.versioned(ctx)
}

// versioned waits for a publish with the version or a later one.
func (t *turn) versioned(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	err := t.stream.await(ctx, func() bool {
		f := t.stream.fileLocked(t.path)
		return t.pushedLocked() && f.pushedVersion != nil && *f.pushedVersion >= t.synced.Version
	})
	return t.pushed(), Fresh, err
}

// pushedLocked reports whether the server has published for the file since it was sent, and not for
// an older version.
func (t *turn) pushedLocked() bool {
	f := t.stream.fileLocked(t.path)
	return f.publishes > t.publishes && (f.pushedVersion == nil || *f.pushedVersion >= t.synced.Version)
}

// soFar returns what the server has reported for the turn so far, whether it has reported anything,
// and whether that was an answer to a pull.
func (t *turn) soFar() (items []protocol.Diagnostic, some, interim bool) {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	f := t.stream.fileLocked(t.path)
	if f.interimVersion == t.synced.Version {
		return f.interim, true, true
	}
	return f.pushed, t.pushedLocked(), false
}

// pushed returns the items of the last publish.
func (t *turn) pushed() []protocol.Diagnostic {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	return t.stream.fileLocked(t.path).pushed
}

// asks reports whether the turn's items are answers to our own request.
func (t *turn) asks() bool {
	if disk := t.server.Definition().Diagnostics.Disk; disk != nil && disk.Whole {
		return false
	}
	switch t.strategy() {
	case registry.Pull:
		identifiers, _ := t.server.PullIdentifiers()
		return len(identifiers) > 0
	case registry.DiagnosisCommand:
		return t.server.Definition().Diagnostics.Commands[0].Result != registry.ResultPublished
	}
	return false
}

// rereads reports whether the server, when asked again about an unchanged document, takes into
// account what changed elsewhere.
func (t *turn) rereads() bool {
	switch t.strategy() {
	case registry.Pull, registry.DiagnosisCommand, registry.Progress:
		return true
	}
	return false
}
