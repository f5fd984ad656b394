package cli

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A spoken is what a command says on both of its streams, as it comes.
type spoken struct {
	mu    sync.Mutex
	said  strings.Builder
	heard chan string // what was said, whenever the verdict came
}

func (s *spoken) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said.Write(text)
	if strings.Contains(string(text), "checked)") {
		s.heard <- s.said.String()
		s.said.Reset()
	}
	return len(text), nil
}

// next returns what is said next, without the time of day.
func (s *spoken) next(t *testing.T) string {
	t.Helper()
	select {
	case said := <-s.heard:
		if line, rest, _ := strings.Cut(said, "\n"); len(line) == len("lspine: 12:00:00") && strings.HasPrefix(line, "lspine: ") {
			return "TIME\n" + rest
		}
		return said
	case <-time.After(20 * time.Second):
		t.Fatal("nothing is said")
		return ""
	}
}

// check --watch checks again when somebody writes a file, in a folder that came later, too;
// it says nothing where the answer is the same, and ends when it is interrupted.
func TestWatch(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	said := &spoken{heard: make(chan string, 10)}
	s.change = func(streams *Streams) { streams.Out, streams.Err = said, said }
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan outcomeOf, 1)
	go func() { ended <- s.runIn(ctx, "check", "--watch", ".") }()
	write := func(name, text string) { lsptest.WriteFile(t, filepath.Join(s.root, filepath.FromSlash(name)), text) }

	got := []string{said.next(t)}
	write("a.toy", "fine, too\n") // the answer is the same
	write("a.toy", "ERROR bad\n")
	got = append(got, said.next(t))
	write("a.toy", "fine\n")
	got = append(got, said.next(t))
	write("new/below/b.toy", "ERROR worse\n")
	got = append(got, said.next(t))
	want := []string{
		"lspine: no errors (1 file checked)\n",
		"TIME\na.toy:1:1: error: bad\nlspine: 1 error (1 file checked)\n",
		"TIME\nlspine: no errors (1 file checked)\n",
		"TIME\nnew/below/b.toy:1:1: error: worse\nlspine: 1 error (2 files checked)\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	interrupt()
	if end := <-ended; end.code != exitInterrupted {
		t.Errorf("it ends with code %d", end.code)
	}
	if last := said.said.String(); last != "lspine: interrupted\n" {
		t.Errorf("it ends with %q", last)
	}
}

// What cannot be watched or printed again and again is refused.
func TestWatchRefusals(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	s.expect("with JSON", s.run("check", "--watch", "--json"), exitUsage, "", "[watch json sarif github explain]")
	s.change = func(streams *Streams) { streams.Err = io.Discard }
	s.expect("an unknown severity", s.run("check", "--watch", "--severity", "odd"), exitUsage, "")
}
