package lsp_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A state of the texts is one that the server may have been asked about: each change begins a
// new one if a request came since the last one began or is still under way. Documents that are
// opened, closed and sent again with the file's text change nothing.
func TestStates(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/references", lsptest.Hang())}},
		func(d *registry.Definition, _ *lsp.Options) {
			d.Quirks = []registry.Quirk{registry.ConfirmErrors, registry.KeepReferences}
		})
	lsptest.WriteFile(t, p.path("a.toy"), "one")
	lsptest.WriteFile(t, p.path("b.toy"), "\ufeffone")
	var got []string
	now := func(what string, sent uint64) {
		got = append(got, fmt.Sprintf("%s: %d, sent in %d", what, p.State(), sent))
	}
	toldOf := func(name string) {
		t.Helper()
		if n, err := p.FilesChanged([]protocol.FileEvent{{URI: protocol.URIFromPath(p.path(name)), Type: protocol.Changed}}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	closed := func(name string) {
		t.Helper()
		if was, err := p.CloseDocument(p.path(name)); !was || err != nil {
			t.Fatal(was, err)
		}
	}

	now("opened as on disk", p.sync("a.toy", "one").Sent)
	now("changed before any request", p.sync("a.toy", "two").Sent)
	p.alive()
	now("opened as on disk, but for the mark", p.sync("b.toy", "one").Sent)
	now("changed after a request", p.sync("a.toy", "three").Sent)
	now("changed once more", p.sync("b.toy", "two").Sent)
	now("the same", p.sync("a.toy", "three").Sent)
	p.alive()
	if synced, sent, err := p.Resend(p.path("a.toy"), 3); !sent || err != nil {
		t.Fatal(sent, err)
	} else {
		now("sent again", synced.Sent)
	}
	closed("b.toy")
	now("closed with a text of its own", 0)
	p.alive()
	now("opened with a text of its own", p.sync("b.toy", "two").Sent)
	p.alive()
	lsptest.WriteFile(t, p.path("b.toy"), "two")
	closed("b.toy")
	now("closed as on disk", 0)
	toldOf("b.toy")
	now("told of a change", 0)
	p.alive()
	p.Disturb()
	now("disturbed", 0)
	p.alive()
	if err := p.ChangeFolders([]string{t.TempDir()}, nil); err != nil {
		t.Fatal(err)
	}
	now("another folder", 0)
	p.alive()
	for _, onDisk := range []string{"three", "four"} {
		lsptest.WriteFile(t, p.path("a.toy"), onDisk)
		reopened, err := p.Reopen(p.path("a.toy"))
		if err != nil {
			t.Fatal(err)
		}
		now("reopened, with "+onDisk+" on disk", reopened.Sent)
	}

	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan error, 1)
	go func() {
		_, err := p.References(ctx, p.path("a.toy"), protocol.Position{}, true)
		asked <- err
	}()
	p.await(1, "request", "textDocument/references")
	now("changed under a request", p.sync("a.toy", "four").Sent)
	cancel()
	<-asked
	now("changed while the server is still at it", p.sync("a.toy", "five").Sent)

	want := []string{
		"opened as on disk: 0, sent in 0",
		"changed before any request: 0, sent in 0",
		"opened as on disk, but for the mark: 0, sent in 0",
		"changed after a request: 1, sent in 1",
		"changed once more: 1, sent in 1",
		"the same: 1, sent in 1",
		"sent again: 1, sent in 1",
		"closed with a text of its own: 2, sent in 0",
		"opened with a text of its own: 3, sent in 3",
		"closed as on disk: 3, sent in 0",
		"told of a change: 4, sent in 0",
		"disturbed: 5, sent in 0",
		"another folder: 6, sent in 0",
		"reopened, with three on disk: 6, sent in 6",
		"reopened, with four on disk: 7, sent in 7",
		"changed under a request: 8, sent in 8",
		"changed while the server is still at it: 9, sent in 9",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
