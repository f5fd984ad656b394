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
// that have changed. If the turn is wide, it then sends them for the remaining open documents, and
// again for those that were diagnosed before another changed one.
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
	return items, t.diagnoseAll(ctx, o.rest)
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
