package engine

import (
	"context"
	"sync"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// outlines are what servers said last that files declare. An answer counts as long
// as its server was told of nothing since, of that file or of another.
//
// After an edit its file is asked about at once, while the agent thinks: the next
// edit of it needs the outline from before before any server may hear of it.
type outlines struct {
	mu    sync.Mutex
	known map[string]*outlined // by path

	// ahead are the questions that nobody waits for; stop ends them.
	ahead sync.WaitGroup
	stop  context.CancelFunc
	ctx   context.Context
}

// maxOutlines bounds the answers that are kept, maxAhead the files that are asked
// about ahead after one edit.
const (
	maxOutlines = 64
	maxAhead    = 4
)

// outlined is a question to a server, and its answer when done is closed.
type outlined struct {
	server     *lsp.Server
	generation uint64
	done       chan struct{}
	symbols    []protocol.Symbol
	err        error
}

func newOutlines() *outlines {
	o := &outlines{known: make(map[string]*outlined)}
	o.ctx, o.stop = context.WithCancel(context.Background())
	return o
}

// close ends what is asked ahead, and waits.
func (o *outlines) close() {
	o.mu.Lock()
	o.stop()
	o.mu.Unlock()
	o.ahead.Wait()
}

// of returns what a server says that a file declares, which is open in it.
func (o *outlines) of(ctx context.Context, s *lsp.Server, path string) ([]protocol.Symbol, error) {
	generation := s.Generation()
	o.mu.Lock()
	asked := o.known[path]
	o.mu.Unlock()
	if asked != nil && asked.server == s && asked.generation == generation {
		select {
		case <-asked.done:
			if asked.err == nil && s.Generation() == generation {
				return asked.symbols, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return o.ask(ctx, &outlined{server: s, generation: generation, done: make(chan struct{})}, path)
}

// ask puts a question. Its answer is kept if it is one of a server that was neither
// loading nor told of anything meanwhile.
func (o *outlines) ask(ctx context.Context, q *outlined, path string) ([]protocol.Symbol, error) {
	o.mu.Lock()
	if _, ok := o.known[path]; !ok && len(o.known) >= maxOutlines {
		clear(o.known)
	}
	o.known[path] = q
	o.mu.Unlock()
	q.symbols, q.err = q.server.Symbols(ctx, path)
	close(q.done)
	if q.err != nil || q.server.Generation() != q.generation || len(q.server.Works()) > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.known[path] == q {
			delete(o.known, path)
		}
	}
	return q.symbols, q.err
}

// askAhead asks about a file without waiting.
func (o *outlines) askAhead(s *lsp.Server, path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx.Err() != nil {
		return // closed
	}
	o.ahead.Go(func() { _, _ = o.of(o.ctx, s, path) }) // who needs it asks again
}

// outlineAhead asks for the outlines of what was changed, where the next edit needs
// them, of the servers that have the files open.
func (e *Engine) outlineAhead(ed *edition, changes []edit.Change) {
	if e.opts.Once {
		return
	}
	asked := 0
	for _, c := range changes {
		if c.Deleted || asked == maxAhead || !ed.mustAsk(c.Path) {
			continue
		}
		for _, s := range e.workspace.Running() {
			_, text, open := s.Document(c.Path)
			if open && string(text) == string(protocol.Text(c.After)) && s.Definition().Role == registry.Primary && s.Supports("textDocument/documentSymbol") {
				e.outlines.askAhead(s, c.Path)
				asked++
				break
			}
		}
	}
}

// remembering is a server whose outlines are kept.
type remembering struct {
	*lsp.Server
	outlines *outlines
}

var _ symbols.Server = remembering{}

// Symbols implements [symbols.Server].
func (r remembering) Symbols(ctx context.Context, path string) ([]protocol.Symbol, error) {
	return r.outlines.of(ctx, r.Server, path)
}
