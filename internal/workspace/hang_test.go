package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
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

// openHanging opens a workspace whose server may hang at a hover.
func openHanging(t *testing.T, restarts int, rule lsptest.Rule) (w *Workspace, journal string) {
	journal = filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{rule}}.Definition(t)
	w = open(t, "-- toy.root --\n-- a.toy --\nold\n-- b.toy --\n", Options{
		Servers: registry.Table{d}, MaxRestarts: restarts, Still: 300 * time.Millisecond,
	})
	return w, journal
}

func hover(t *testing.T, w *Workspace) error {
	s, err := w.Server(t.Context(), only(t, w, "a.toy"))
	if err != nil {
		return err
	}
	_, known := s.CPUTime()
	lsptest.NeedProcessorTime(t, known)
	_, err = s.Hover(t.Context(), filepath.Join(w.Root(), "a.toy"), protocol.Position{})
	return err
}

// A server that hangs is replaced once for all who wait for it, and the new one has the
// documents of the old one open, with the texts that are not on disk.
func TestServerThatHangsIsReplaced(t *testing.T) {
	w, journal := openHanging(t, 1, lsptest.OnNth("textDocument/hover", 2, lsptest.Stall()))
	if err := hover(t, w); err != nil {
		t.Fatal(err)
	}
	s, _ := w.Server(t.Context(), only(t, w, "a.toy"))
	for name, text := range map[string]string{"a.toy": "new\n", "b.toy": ""} {
		if _, err := s.Sync(filepath.Join(w.Root(), name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	replaced := make([]*lsp.Server, 2)
	var all sync.WaitGroup
	for i := range replaced {
		all.Go(func() {
			_, err := s.Hover(t.Context(), filepath.Join(w.Root(), "a.toy"), protocol.Position{})
			var hung *lsp.HangError
			if !errors.As(err, &hung) {
				t.Errorf("error %v, want that it hangs", err)
			}
			if replaced[i], err = w.Server(t.Context(), only(t, w, "a.toy")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if replaced[0] != replaced[1] || replaced[0] == s || starts(t, journal) != 2 {
		t.Fatalf("%d starts", starts(t, journal))
	}
	texts := make(map[string]string)
	for _, text := range replaced[0].Texts() {
		texts[filepath.Base(text.Path)] = string(text.Content)
	}
	if diff := cmp.Diff(map[string]string{"a.toy": "new\n", "b.toy": ""}, texts); diff != "" {
		t.Error(diff)
	}
	if err := hover(t, w); err != nil {
		t.Errorf("the new one: %v", err)
	}
	if status := w.Statuses()[0]; status.Crashes != 1 {
		t.Errorf("%d crashes", status.Crashes)
	}
}

// A server that hangs again and again is given up, as one that crashes again and again.
func TestServerThatHangsAgainIsGivenUp(t *testing.T) {
	t.Parallel()
	w, journal := openHanging(t, 1, lsptest.On("textDocument/hover", lsptest.Stall()))
	for range 2 {
		var hung *lsp.HangError
		if err := hover(t, w); !errors.As(err, &hung) {
			t.Fatalf("error %v, want that it hangs", err)
		}
	}
	err := hover(t, w)
	var broken *roots.UnavailableError
	if !errors.As(err, &broken) || broken.State != roots.Broken || !strings.Contains(broken.Reason, "failed 2 times") || !strings.Contains(broken.Reason, "did nothing") {
		t.Errorf("error %v", err)
	}
	if n := starts(t, journal); n != 2 {
		t.Errorf("%d starts", n)
	}
}

// A server that works and answers nothing is restarted once; then it is broken, and status and
// events say why.
//
// Requirement: LSP-FH-002.
func TestServerThatAnswersNothingIsGivenUp(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Work(60_000))}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}, MaxRestarts: 1, Still: 200 * time.Millisecond}) // whose third part every system can keep
	c := only(t, w, "a.toy")
	for range 2 {
		s, err := w.Server(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, _ = s.Hover(ctx, filepath.Join(w.Root(), "a.toy"), protocol.Position{})
			cancel()
		}
		select {
		case <-s.Done():
		case <-time.After(2 * time.Minute): // and its work is over
			t.Fatal("it was not given up")
		}
	}
	const why = "3 requests in a row ran into their deadline"
	if status := w.Statuses()[0]; status.State != roots.Broken || status.Starts != 2 || !strings.Contains(status.Reason, why) {
		t.Errorf("status %+v", status)
	}
	list, _, err := w.Events(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []EventKind
	for _, e := range list {
		kinds = append(kinds, e.Kind)
		if (e.Reason != "") != strings.Contains(e.Reason, why) {
			t.Errorf("%s: %s", e.Kind, e.Reason)
		}
	}
	if diff := cmp.Diff([]EventKind{Started, Crashed, Recovered, GivenUp}, kinds); diff != "" {
		t.Error(diff)
	}
}

// Of the documents that are as on disk only those used last are opened again.
func TestFewDocumentsAreOpenedAgain(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- toy.root --\n")
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		archive.WriteString("-- " + name + ".toy --\n" + name + "\n")
	}
	d := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Crash(1))}}.Definition(t)
	w := open(t, archive.String(), Options{Servers: registry.Table{d}, MaxRestarts: 1})
	s, err := w.Server(t.Context(), only(t, w, "a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		text := name + "\n"
		if name == "a" {
			text = "not on disk\n"
		}
		if _, err := s.Sync(filepath.Join(w.Root(), name+".toy"), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = s.Hover(t.Context(), filepath.Join(w.Root(), "a.toy"), protocol.Position{})
	<-s.Done()
	if s, err = w.Server(t.Context(), only(t, w, "a.toy")); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, text := range s.Texts() {
		names = append(names, strings.TrimSuffix(filepath.Base(text.Path), ".toy"))
	}
	if len(names) != maxReopened+1 || strings.Contains(strings.Join(names, ""), "b") || !strings.Contains(strings.Join(names, ""), "a") || !strings.Contains(strings.Join(names, ""), "p") {
		t.Errorf("opened again: %v", names)
	}
}
