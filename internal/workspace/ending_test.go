package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A slowListener hears of the end of the first server, and is not done with it before free is
// closed.
type slowListener struct {
	once        sync.Once
	heard, free chan struct{}
}

func (*slowListener) Published(lsp.Published)           {}
func (*slowListener) Progressed(protocol.ProgressEvent) {}
func (*slowListener) Refreshed()                        {}

func (l *slowListener) Ended(error) {
	l.once.Do(func() {
		close(l.heard)
		<-l.free
	})
}

// A server that has broken its connection is given to nobody: who asks for it while its end is
// still being noted waits for the next one.
func TestServerThatIsEnding(t *testing.T) {
	l := &slowListener{heard: make(chan struct{}), free: make(chan struct{})}
	script := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.Crash(3))}}
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{
		Servers: registry.Table{script.Definition(t)}, MaxRestarts: 1,
		Observe: func(roots.Key) lsp.Observer { return l },
	})
	c := only(t, w, "a.toy")
	s, err := w.Server(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = s.Sync(filepath.Join(w.Root(), "a.toy"), nil) // may see the end already
	<-l.heard
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got, err := w.Server(short, c); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while it ends: server %p, error %v", got, err)
	}
	close(l.free)
	next, err := w.Server(t.Context(), c)
	if err != nil || next == s || !next.Connected() {
		t.Errorf("afterwards: the same one: %t, error %v", next == s, err)
	}
}

// After a server ended, the next one is not shown the texts that the one before it was shown for a
// while only, but all others, also if nobody has noticed the end yet.
func TestTextsThatAreNotReopened(t *testing.T) {
	now := time.Now()
	d := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.Crash(1))}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n-- b.toy --\n", Options{
		Servers: registry.Table{d}, MaxRestarts: 1, Now: func() time.Time { return now },
	})
	c := only(t, w, "a.toy")
	s, err := w.Server(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	draft, kept := filepath.Join(w.Root(), "a.toy"), filepath.Join(w.Root(), "b.toy")
	for _, path := range []string{draft, kept} {
		if _, err := s.Sync(path, []byte("def more\n")); err != nil {
			t.Fatal(err)
		}
	}
	_ = s.Barrier(t.Context(), "textDocument/foldingRange", draft) // ends it
	<-s.Done()
	w.NotReopened([]string{draft})
	now = now.Add(time.Minute) // so that nobody waits
	next, err := w.Server(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{kept}, next.OpenDocuments()); diff != "" {
		t.Errorf("reopened (-want +got):\n%s", diff)
	}
}
