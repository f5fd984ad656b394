package diagnostics

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
)

var errBroken = errors.New("the pipe is broken")

// A brittle server notes what it is sent, and fails at some of it.
type brittle struct {
	*fake
	fails string
	sent  []string
}

func (b *brittle) does(what string) error {
	b.sent = append(b.sent, what)
	if what == b.fails {
		return errBroken
	}
	return nil
}

func (b *brittle) Sync(path string, content []byte) (lsp.Synced, error) {
	if err := b.does("sync"); err != nil {
		return lsp.Synced{}, err
	}
	return b.fake.Sync(path, content)
}

func (b *brittle) Reopen(path string) (lsp.Synced, error) {
	if err := b.does("reopen"); err != nil {
		return lsp.Synced{}, err
	}
	return b.fake.Reopen(path)
}

func (b *brittle) Resend(path string, version int32) (lsp.Synced, bool, error) {
	if err := b.does("resend"); err != nil {
		return lsp.Synced{}, false, err
	}
	return b.fake.Resend(path, version)
}

func (b *brittle) Save(path string) error {
	if err := b.does("save"); err != nil {
		return err
	}
	return b.fake.Save(path)
}

// turnOf returns a turn about a file that its server was never shown.
func turnOf(c *Collector, server Server, key Key, text string) *turn {
	return &turn{server: server, stream: c.stream(key), path: here("/w/a"), content: []byte(text)}
}

// shownOnce returns a server that was shown a file with the text "x", and the turn that did it.
func shownOnce(t *testing.T, c *Collector, d registry.Diagnostics) (*brittle, *turn) {
	t.Helper()
	b := &brittle{fake: newFake(c, d)}
	turn := turnOf(c, b, b.key, "x")
	if err := c.send(&job{}, turn, File{Path: turn.path, Content: turn.content}); err != nil {
		t.Fatal(err)
	}
	b.sent = nil
	return b, turn
}

// What cannot be sent ends the collection with the reason, and counts as sent at no time.
func TestWhatCannotBeSent(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		shows := func(text string, saved bool) func(*turn) error {
			return func(t *turn) error {
				return c.send(&job{}, t, File{Path: t.path, Content: []byte(text), Saved: saved})
			}
		}
		doubted := func(t *turn) error {
			t.stream.fileLocked(t.path).judged = &judgment{state: 77, wrong: true}
			return shows("x", false)(t)
		}
		for name, tt := range map[string]struct {
			needsSave, awaitsSave bool
			do                    func(*turn) error
			fails, sent           string
		}{
			"a text":                    {false, false, shows("y", false), "sync", "sync"},
			"a doubtful text":           {false, false, doubted, "resend", "sync resend"},
			"that a text is saved":      {false, true, shows("y", true), "save", "sync save"},
			"that a text must be saved": {true, false, shows("y", false), "save", "sync save"},
			"that it was saved since":   {false, true, shows("x", true), "save", "sync save"},
			"a document, anew":          {false, false, c.reopen, "reopen", "reopen"},
			"that it is saved, anew":    {true, false, c.reopen, "save", "reopen save"},
		} {
			d := only(registry.Versioned)
			d.NeedsSave = tt.needsSave
			b, turn := shownOnce(t, c, d)
			if tt.awaitsSave {
				b.def.Quirks = []registry.Quirk{registry.ReadsSaved}
			}
			if name == "a doubtful text" {
				b.disturb()
			}
			f := turn.stream.fileLocked(turn.path)
			before := f.sent
			b.fails = tt.fails
			err := tt.do(turn)
			if diff := cmp.Diff(tt.sent, strings.Join(b.sent, " ")); diff != "" || !errors.Is(err, errBroken) || f.sent != before {
				t.Errorf("%s: %v, sent last %+v, before %+v\n%s", name, err, f.sent, before, diff)
			}
		}
	})
}

// What a turn knows of the sending that it waits for: its own, or an earlier one of exactly this
// state. The publishes that came before it are counted, an error of ours is forgotten, and a version
// that was never answered in full may still be talked about, for a while.
func TestWhatIsKnownOfASending(t *testing.T) {
	type known struct {
		Version                int32
		Publishes              int
		Sent                   string
		Shown, Overlaps, Other bool // Other: the file's last sending is another one
		Probed                 bool
		Generation, Saved      uint64
	}
	for name, tt := range map[string]struct {
		text  string
		saved bool
		quirk registry.Quirk
		since func(b *brittle, f *fileState)
		want  known
	}{
		"a new text":                    {"y", false, "", func(*brittle, *fileState) {}, known{2, 1, "sync", true, true, false, false, 2, 0}},
		"a new text, long after":        {"y", false, "", func(*brittle, *fileState) { <-time.After(30 * time.Second) }, known{2, 1, "sync", true, false, false, false, 2, 0}},
		"a new text, nearly as late":    {"y", false, "", func(*brittle, *fileState) { <-time.After(30*time.Second - 1) }, known{2, 1, "sync", true, true, false, false, 2, 0}},
		"a new text, after an answer":   {"y", false, "", func(_ *brittle, f *fileState) { f.version = 1 }, known{2, 1, "sync", true, false, false, false, 2, 0}},
		"a new text that is saved":      {"y", true, registry.ReadsSaved, func(*brittle, *fileState) {}, known{2, 1, "sync save", true, true, false, false, 3, 2}},
		"saved, to one who is not told": {"y", true, "", func(*brittle, *fileState) {}, known{2, 1, "sync", true, true, false, false, 2, 0}},
		"a new text that is not saved":  {"y", false, registry.ReadsSaved, func(*brittle, *fileState) {}, known{2, 1, "sync", true, true, false, false, 2, 0}},
		"the same text":                 {"x", false, "", func(*brittle, *fileState) {}, known{1, 0, "sync", true, false, false, true, 1, 0}},
		"the same, saved since":         {"x", true, registry.ReadsSaved, func(*brittle, *fileState) {}, known{1, 0, "sync save", true, false, false, true, 1, 0}},
		"the same, saved, untold":       {"x", true, "", func(*brittle, *fileState) {}, known{1, 0, "sync", true, false, false, true, 1, 0}},
		"the same, not saved":           {"x", false, registry.ReadsSaved, func(*brittle, *fileState) {}, known{1, 0, "sync", true, false, false, true, 1, 0}},
		"the same, in another state":    {"x", false, "", func(b *brittle, _ *fileState) { b.disturb() }, known{1, 1, "sync", false, false, true, true, 2, 0}},
		"the same, sent by nobody":      {"x", false, "", func(_ *brittle, f *fileState) { f.sent.version = 0 }, known{1, 1, "sync", false, false, true, true, 1, 0}},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			b, first := shownOnce(t, c, only(registry.Versioned))
			if tt.quirk != "" {
				b.def.Quirks = []registry.Quirk{tt.quirk}
			}
			b.push(first.path, 1, "wrong")
			f := first.stream.fileLocked(first.path)
			f.probe = probeError{line: 9}
			tt.since(b, f)
			turn := turnOf(c, b, b.key, tt.text)
			if err := c.send(&job{}, turn, File{Path: turn.path, Content: turn.content, Saved: tt.saved}); err != nil {
				t.Fatal(err)
			}
			got := known{
				turn.version, turn.publishes, strings.Join(b.sent, " "), turn.shown, turn.overlaps, turn.sending != f.sent,
				f.probe.line == 9, turn.sending.generation, uint64(turn.stream.saved[turn.path]),
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if turn.synced.Generation != turn.sending.generation {
				t.Errorf("%s: the text is of state %d, the sending of %d", name, turn.synced.Generation, turn.sending.generation)
			}
		})
	}
}

// Our own word that a text is saved makes nothing outdated, and what others do meanwhile does. A
// document that is sent anew counts as opened, and waits for what comes after that.
func TestWhatIsKnownOfADocumentSentAnew(t *testing.T) {
	for name, meanwhile := range map[string]uint64{"only ours": 3, "with a change of others": 2} {
		inBubble(t, func(t *testing.T, c *Collector) {
			d := only(registry.Versioned)
			d.NeedsSave = true
			b, turn := shownOnce(t, c, d)
			b.push(turn.path, 1, "wrong")
			b.saved = 0
			if meanwhile == 2 {
				b.shown = func(string, int32) { b.generation++ } // between the text and its saving
			}
			<-time.After(time.Second)
			before := b.generation
			if err := c.reopen(turn); err != nil {
				t.Fatal(err)
			}
			f := turn.stream.fileLocked(turn.path)
			want := sending{version: 2, generation: turn.synced.Generation, at: time.Now(), publishes: 1, closed: true}
			if f.sent != want || turn.sending != want || !turn.shown || b.saved != 1 || turn.stream.saved[turn.path] != 2 {
				t.Errorf("%s: sent %+v, want %+v; shown %t, saved %d times", name, f.sent, want, turn.shown, b.saved)
			}
			if got, all := turn.synced.Generation, b.Generation(); got != all && meanwhile == 3 || got == before {
				t.Errorf("%s: of state %d, now %d", name, got, all)
			}
		})
	}
}

// An error of ours is shown in place of the turn's text only while that is the last one; and the
// text alone is shown again only if nothing has taken the place of ours.
func TestOurErrorLeavesLaterTexts(t *testing.T) {
	type story func(t *testing.T, c *Collector, b *brittle, turn *turn)
	closes := func(t *testing.T, _ *Collector, b *brittle, turn *turn) {
		if _, err := b.CloseDocument(turn.path); err != nil {
			t.Fatal(err)
		}
	}
	replaces := func(t *testing.T, c *Collector, b *brittle, turn *turn) {
		later := turnOf(c, b, b.key, "later")
		if err := c.send(&job{}, later, File{Path: turn.path, Content: later.content}); err != nil {
			t.Fatal(err)
		}
	}
	stranger := func(t *testing.T, _ *Collector, b *brittle, turn *turn) {
		if _, err := b.Sync(turn.path, []byte("a stranger's")); err != nil {
			t.Fatal(err)
		}
	}
	breaks := func(_ *testing.T, _ *Collector, b *brittle, _ *turn) { b.fails = "sync" }
	nothing := func(*testing.T, *Collector, *brittle, *turn) {}
	for name, tt := range map[string]struct {
		before, between story
		text            string // what the server has in the end
		with, again     error
		sent            int32
	}{
		"nothing else":        {nothing, nothing, "x", nil, nil, 3},
		"closed before":       {closes, nothing, "", errSuperseded, nil, 1},
		"replaced before":     {replaces, nothing, "later", errSuperseded, nil, 2},
		"it cannot be sent":   {breaks, nothing, "x", errBroken, nil, 1},
		"closed meanwhile":    {nothing, closes, "", nil, nil, 1},
		"replaced meanwhile":  {nothing, replaces, "later", nil, nil, 3},
		"shown by a stranger": {nothing, stranger, "a stranger's", nil, nil, 1},
		"it breaks":           {nothing, breaks, "xbad", nil, errBroken, 1},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			b, turn := shownOnce(t, c, only(registry.Versioned))
			f := turn.stream.fileLocked(turn.path)
			f.probe.seen, turn.overlaps = 7, true
			tt.before(t, c, b, turn)
			ours := []byte("xbad")
			seen, err := turn.showWith(ours, 4)
			if !errors.Is(err, tt.with) || err == nil && (seen != 7 || f.probe.line != 4 || !bytes.Equal(f.probe.text, ours)) {
				t.Errorf("%s: %d, %v, %+v", name, seen, err, f.probe)
			}
			tt.between(t, c, b, turn)
			if err := turn.showAgain(); !errors.Is(err, tt.again) {
				t.Errorf("%s: shown again: %v", name, err)
			}
			_, text, _ := b.Document(turn.path)
			if diff := cmp.Diff(tt.text, string(text)); diff != "" || f.sent.version != tt.sent {
				t.Errorf("%s: sent last as %d, want %d\n%s", name, f.sent.version, tt.sent, diff)
			}
			if name == "nothing else" && (turn.overlaps || turn.sending != f.sent || f.sent.generation != b.Generation() || turn.synced.Version != 3) {
				t.Errorf("of the text alone: overlaps %t, %+v, %+v", turn.overlaps, turn.sending, f.sent)
			}
		})
	}
}

// Our error is shown after the text and, as the text may hide it, without the text in turn, always on
// the same line, for longer each time; in the end the text alone is shown again.
func TestProbeAlternates(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		d := only(registry.Settled)
		d.Provocation = "bad!"
		b, turn := shownOnce(t, c, d)
		type shown struct {
			Text  string
			After time.Duration
		}
		var got []shown
		began := time.Now()
		b.shown = func(path string, _ int32) { got = append(got, shown{string(b.docs[path].text), time.Since(began)}) }
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := turn.probe(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("of a server that says nothing: %v", err)
		}
		want := []shown{{"x\n\nbad!\n", 0}, {"\n\nbad!\n", time.Second}, {"x\n\nbad!\n", 3 * time.Second}, {"\n\nbad!\n", 7 * time.Second}, {"x", 10 * time.Second}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		b.fails = "sync"
		if err := turn.probe(t.Context()); !errors.Is(err, errBroken) {
			t.Errorf("of a server that cannot be shown anything: %v", err)
		}
	})
}
