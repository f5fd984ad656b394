package overlay

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
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
	ahead    sync.WaitGroup
	stop     context.CancelFunc
	ctx      context.Context
	patience time.Duration // of one of them
}

// maxOutlines bounds the answers that are kept.
const maxOutlines = 64

// outlined is a question to a server about a text, and its answer when done is closed.
type outlined struct {
	server     *lsp.Server
	generation uint64
	content    []byte
	done       chan struct{}
	outline    *symbols.Outline
	err        error
}

func newOutlines(patience time.Duration) *outlines {
	o := &outlines{known: make(map[string]*outlined), patience: patience}
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

// of returns what a server says that a file declares, which is open in it with the
// content.
func (o *outlines) of(ctx context.Context, s *lsp.Server, path, relative string, content []byte) (*symbols.Outline, error) {
	generation := s.Generation()
	o.mu.Lock()
	asked := o.known[path]
	o.mu.Unlock()
	if asked != nil && asked.server == s && asked.generation == generation && bytes.Equal(asked.content, content) {
		select {
		case <-asked.done:
			if asked.err == nil && s.Generation() == generation {
				return asked.outline, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return o.ask(ctx, &outlined{server: s, generation: generation, content: content, done: make(chan struct{})}, path, relative)
}

// ask puts a question. Its answer is kept if it is one of a server that was neither
// loading nor told of anything meanwhile, and that declares something: a server that has not looked at
// the text yet says that it declares nothing.
func (o *outlines) ask(ctx context.Context, q *outlined, path, relative string) (*symbols.Outline, error) {
	o.mu.Lock()
	if _, ok := o.known[path]; !ok && len(o.known) >= maxOutlines {
		clear(o.known)
	}
	o.known[path] = q
	o.mu.Unlock()
	q.err = guard.Do(func() error { // others wait for it
		reported, err := q.server.Symbols(ctx, path)
		if err == nil {
			q.outline = symbols.NewOutline(path, relative, q.content, reported)
		}
		return err
	})
	close(q.done)
	if q.err != nil || len(q.outline.Symbols) == 0 || q.server.Generation() != q.generation || len(q.server.Works()) > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.known[path] == q {
			delete(o.known, path)
		}
	}
	return q.outline, q.err
}

// askAhead asks about a file without waiting.
func (o *outlines) askAhead(s *lsp.Server, path, relative string, content []byte) {
	o.doAhead(func(ctx context.Context) error {
		_, err := o.of(ctx, s, path, relative, content)
		return err
	})
}

// doAhead does something that nobody waits for: who needs it asks again.
func (o *outlines) doAhead(do func(ctx context.Context) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx.Err() != nil {
		return // closed
	}
	o.ahead.Go(func() {
		ctx, cancel := context.WithTimeout(o.ctx, o.patience)
		defer cancel()
		_ = guard.Do(func() error { return do(ctx) })
	})
}

// StartAhead begins to start the server of a candidate, and has it open a file of its project when it
// runs, because some servers load a project only then. It waits for neither.
func (v *View) StartAhead(ctx context.Context, c roots.Candidate, path string) error {
	if err := v.texts.opts.Workspace.Begin(ctx, c); err != nil {
		return err
	}
	v.texts.outlines.doAhead(func(ctx context.Context) error {
		s, err := v.texts.opts.Workspace.Server(ctx, c)
		if err != nil {
			return err
		}
		if err := v.texts.Shown.Share(ctx); err != nil {
			return err
		}
		defer v.texts.Shown.Unshare()
		a := v.Access()
		defer a.Close()
		content, err := a.Text(path)
		if err != nil {
			return err
		}
		return a.Show(s, path, content)
	})
	return nil
}

// OutlineAhead asks for the outline of a file in advance, without waiting; relative is its path
// as readers see it. It asks the server that has the file open with this text, and reports
// whether there is one. The next question for the outline gets that answer.
func (t *Texts) OutlineAhead(path, relative string, text []byte) bool {
	for _, s := range t.opts.Workspace.Running() {
		_, shown, open := s.Document(path)
		if open && bytes.Equal(shown, text) && s.Definition().Role == registry.Primary && s.Supports("textDocument/documentSymbol") {
			t.outlines.askAhead(s, path, relative, text)
			return true
		}
	}
	return false
}

// remembering is a server whose outlines are kept.
type remembering struct {
	*lsp.Server
	outlines *outlines
}

var _ symbols.Keeper = remembering{}

// Outline implements [symbols.Keeper].
func (r remembering) Outline(ctx context.Context, path, relative string, content []byte) (*symbols.Outline, error) {
	return r.outlines.of(ctx, r.Server, path, relative, content)
}
