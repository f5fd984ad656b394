package diagnostics

import (
	"context"
	"errors"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// command sends the server's own diagnosis commands, all at once. Some servers learn what a changed
// document means for others only by diagnosing that document ([registry.DiagnoseChanged]): for
// these, the changed documents are diagnosed first, and the documents that the change may affect
// last.
func (t *turn) command(ctx context.Context) ([]protocol.Diagnostic, Freshness, error) {
	commands, generation, state := t.server.Definition().Diagnostics.Commands, t.server.Generation(), t.server.State()
	var items []protocol.Diagnostic
	var err error
	if t.server.Definition().Has(registry.DiagnoseChanged) {
		items, err = t.diagnoseAmong(ctx)
	} else {
		items, err = t.diagnose(ctx)
	}
	if err != nil {
		return nil, "", err
	}
	t.synced.Generation, t.state = generation, state
	if commands[0].Result == registry.ResultPublished {
		if err := t.pullDiffering(ctx); err != nil {
			return nil, "", err
		}
		return t.publishedOrPulled(ctx)
	}
	return items, Fresh, nil
}

// diagnose sends the commands for the turn's file.
func (t *turn) diagnose(ctx context.Context) (items []protocol.Diagnostic, err error) {
	commands := t.server.Definition().Diagnostics.Commands
	results, failures := make([][]protocol.Diagnostic, len(commands)), make([]error, len(commands))
	inParallel(len(commands), func(i int) { results[i], failures[i] = t.server.Diagnose(ctx, commands[i], t.path) })
	for _, found := range results {
		items = append(items, found...)
	}
	return items, errors.Join(failures...)
}

// diagnoseAmong sends the commands for the turn's file after those for the other open documents
// that have changed. If the turn is wide, the remaining open documents are then diagnosed, and
// again those that were diagnosed before another changed one, unless they have been for another turn.
func (t *turn) diagnoseAmong(ctx context.Context) (items []protocol.Diagnostic, err error) {
	select {
	case t.stream.diagnosing <- struct{}{}: // one at a time: nobody asks while a changed document is being diagnosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	held := true
	release := func() {
		if held {
			held = false
			<-t.stream.diagnosing
		}
	}
	defer release()
	run := t.newRestRun()
	o := t.openNow()
	if len(o.changed) == 0 && !o.own {
		release() // the other documents are unchanged
	}
	if err := t.diagnoseAll(ctx, o.changed); err != nil {
		return nil, err
	}
	if items, err = t.diagnose(ctx); err != nil {
		return nil, err
	}
	t.stream.mu.Lock()
	for path, version := range o.versions {
		t.stream.fileLocked(path).diagnosed = version
	}
	t.stream.mu.Unlock()
	release()
	if !t.wide {
		return items, nil
	}
	if o.own || len(o.changed) > 1 {
		o.rest = append(o.rest, o.changed...)
	}
	return items, t.diagnoseRest(ctx, run, o.rest)
}

func (t *turn) newRestRun() *restRun {
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	return &restRun{done: make(chan struct{}), generation: t.server.Generation(), losses: t.server.Losses(), refreshes: t.stream.refreshes}
}

// covers reports whether nothing was told to the server, or by it, between the run and a later one.
func (r *restRun) covers(later *restRun) bool {
	return r.generation >= later.generation && r.losses >= later.losses && r.refreshes >= later.refreshes
}

// diagnoseRest has documents diagnosed in a run, or waits for another turn's run of the same state or
// a later one.
func (t *turn) diagnoseRest(ctx context.Context, run *restRun, paths []string) error {
	s := t.stream
	for {
		s.mu.Lock()
		joined := s.rest
		if joined == nil || !joined.covers(run) {
			s.rest, joined = run, nil
		}
		s.mu.Unlock()
		if joined == nil {
			return t.carryOut(ctx, run, paths)
		}
		select {
		case <-joined.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !joined.left {
			return joined.err
		}
	}
}

// carryOut diagnoses files. Only who waits for the run learns of its failure: the next turn makes
// another one.
func (t *turn) carryOut(ctx context.Context, run *restRun, paths []string) error {
	defer close(run.done)
	run.left = true // unless it ends
	defer func() {
		if run.left || run.err != nil {
			t.stream.mu.Lock()
			defer t.stream.mu.Unlock()
			if t.stream.rest == run {
				t.stream.rest = nil
			}
		}
	}()
	run.err = t.diagnoseAll(ctx, paths)
	run.left = run.err != nil && ctx.Err() != nil
	return run.err
}

// openDocuments are the documents that a server has open besides the turn's file. changed are those
// whose version has not been diagnosed yet; own says that the turn's file is such a one as well.
// versions holds the versions of all.
type openDocuments struct {
	changed, rest []string
	own           bool
	versions      map[string]int32
}

func (t *turn) openNow() openDocuments {
	o := openDocuments{versions: make(map[string]int32)}
	t.stream.mu.Lock()
	defer t.stream.mu.Unlock()
	for _, path := range t.server.OpenDocuments() {
		version, _, open := t.server.Document(path)
		if !open {
			continue
		}
		o.versions[path] = version
		switch isNew := t.stream.fileLocked(path).diagnosed != version; {
		case path == t.path:
			o.own = isNew
		case isNew:
			o.changed = append(o.changed, path)
		default:
			o.rest = append(o.rest, path)
		}
	}
	return o
}

// diagnoseAll sends the first command for each file, all at once.
func (t *turn) diagnoseAll(ctx context.Context, paths []string) error {
	command, failures := t.server.Definition().Diagnostics.Commands[0], make([]error, len(paths))
	inParallel(len(paths), func(i int) { _, failures[i] = t.server.Diagnose(ctx, command, paths[i]) })
	return errors.Join(failures...)
}
