package lsp_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// thrower is an observer that panics.
type thrower struct{}

func (thrower) Published(lsp.Published)           { panic("published") }
func (thrower) Progressed(protocol.ProgressEvent) {}
func (thrower) Refreshed()                        {}
func (thrower) Ended(error)                       { panic("ended") }

// A panic while a message of a server is handled, or its end is, costs that server and
// nothing else; it ends as one that crashed.
func TestPanicInTheReadLoop(t *testing.T) {
	p, opts := prepare(t, lsptest.Script{}, func(_ *registry.Definition, o *lsp.Options) { o.Observer = thrower{} })
	s, err := lsp.Start(t.Context(), p.def, p.root, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sync(p.root+"/main.toy", []byte("use helper\n")); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	var ended *lsp.ServerError
	if err := s.Err(); !errors.As(err, &ended) || !strings.Contains(err.Error(), "failed inside: published") {
		t.Errorf("%v", err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Log(err)
	}
}

// A panic of what watches a server, while it starts or owes an answer, costs the watch and
// nothing else.
func TestPanicOfAWatch(t *testing.T) {
	p := start(t, lsptest.Script{}, func(_ *registry.Definition, o *lsp.Options) {
		o.StartTimeout, o.Still = time.Nanosecond, time.Nanosecond // no ticker takes a part of that
	})
	p.sync("main.toy", "use helper\n")
	settled := p.Owes()
	defer settled(false)
	if err := p.hover(); err != nil {
		t.Error(err)
	}
	p.alive()
}
