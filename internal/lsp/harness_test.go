package lsp_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // most of them wait for the grace of a server that does nothing; -parallel overrules it
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// patience bounds what is waited for; a healthy run needs a fraction.
const patience = time.Minute

// A peer is a scripted server at work, with what it says and hears.
type peer struct {
	*lsp.Server
	t       *testing.T
	def     registry.Definition
	root    string
	journal string
	heard   *recorder
}

// recorder is an observer that keeps everything.
type recorder struct {
	published chan lsp.Published
	mu        sync.Mutex
	refreshed int
	ended     []error
}

func newRecorder() *recorder { return &recorder{published: make(chan lsp.Published, 10_000)} }

func (r *recorder) Published(p lsp.Published)         { r.published <- p }
func (r *recorder) Progressed(protocol.ProgressEvent) {}
func (r *recorder) Refreshed()                        { r.mu.Lock(); defer r.mu.Unlock(); r.refreshed++ }

func (r *recorder) Ended(err error) { r.mu.Lock(); defer r.mu.Unlock(); r.ended = append(r.ended, err) }

// prepare makes a definition and options for a script.
func prepare(t *testing.T, script lsptest.Script, change ...func(*registry.Definition, *lsp.Options)) (*peer, lsp.Options) {
	t.Helper()
	root := lsptest.Workspace(t, "-- toy.root --\n-- main.toy --\nuse helper\n")
	p := &peer{t: t, root: root, journal: filepath.Join(t.TempDir(), "journal"), heard: newRecorder()}
	script.JournalFile = p.journal
	p.def = script.Definition(t)
	opts := lsp.Options{
		Binary: p.def.Commands[0].Binary, Env: os.Environ(), Observer: p.heard, ClientVersion: "test",
	}
	for _, c := range change {
		c(&p.def, &opts)
	}
	return p, opts
}

// start starts the script's server, and closes it at the end.
func start(t *testing.T, script lsptest.Script, change ...func(*registry.Definition, *lsp.Options)) *peer {
	t.Helper()
	p, opts := prepare(t, script, change...)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var err error
	if p.Server, err = lsp.Start(ctx, p.def, p.root, opts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close(context.Background()) })
	return p
}

func (p *peer) path(name string) string { return filepath.Join(p.root, name) }

func (p *peer) sync(name, text string) lsp.Synced {
	p.t.Helper()
	synced, err := p.Sync(p.path(name), []byte(text))
	if err != nil {
		p.t.Fatal(err)
	}
	return synced
}

// next returns the next publish.
func (p *peer) next() lsp.Published {
	p.t.Helper()
	select {
	case published := <-p.heard.published:
		return published
	case <-time.After(patience):
		p.t.Fatal("no publish")
	}
	return lsp.Published{}
}

// context is one that ends before the test does.
func (p *peer) context() context.Context {
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	p.t.Cleanup(cancel)
	return ctx
}

// entries returns what the server has received so far, of a kind.
func (p *peer) entries(kind, method string) (found []lsptest.Entry) {
	for _, e := range lsptest.ReadJournal(p.t, p.journal) {
		if e.Kind == kind && (method == "" || e.Method == method) {
			found = append(found, e)
		}
	}
	return found
}

// await waits until the server has received n messages of a kind and method.
func (p *peer) await(n int, kind, method string) []lsptest.Entry {
	p.t.Helper()
	var found []lsptest.Entry
	lsptest.Eventually(p.t, patience, func() bool {
		found = p.entries(kind, method)
		return len(found) >= n
	}, "%d %s of %s", n, kind, method)
	return found
}

// polite fails the test if the server was treated against the protocol.
func (p *peer) polite() {
	p.t.Helper()
	for _, v := range p.entries("violation", "") {
		p.t.Errorf("violation: %s", v.Text)
	}
}

// alive waits for an answer, to see that the connection still works.
func (p *peer) alive() {
	p.t.Helper()
	if err := p.Barrier(p.context(), "textDocument/foldingRange", p.path("main.toy")); err != nil {
		p.t.Fatalf("the connection does not work any more: %v", err)
	}
}

// gone fails the test if a process of the server is left.
func (p *peer) gone() {
	p.t.Helper()
	if left := lsptest.Marked(p.t, lsptest.Marker(p.def)); len(left) > 0 {
		p.t.Errorf("left behind: %v", left)
	}
}

func messages(items []protocol.Diagnostic) string {
	var all []string
	for _, d := range items {
		all = append(all, d.Message)
	}
	return strings.Join(all, ", ")
}

func said(p lsp.Published) string {
	version := ""
	if p.Version != nil {
		version = fmt.Sprint(" ", *p.Version)
	}
	return filepath.Base(p.Path) + version + ": " + messages(p.Items)
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// results states the results of responses by the method they answer.
func results(entries []lsptest.Entry) (list []string) {
	for _, e := range entries {
		text := string(e.Result)
		if e.Error != nil {
			text = fmt.Sprint("error ", e.Error.Code)
		}
		list = append(list, e.Method+" "+text)
	}
	slices.Sort(list)
	return list
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }
