package diagnostics

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// An answer stands for as long as nothing has called it into question: for a document by its version,
// for a closed file by its text.
func TestWhatStands(t *testing.T) {
	type outcome struct {
		Open, Closed bool
	}
	for name, tt := range map[string]struct {
		with func(f *fake, state *fileState, turn *turn)
		want outcome
	}{
		"nothing changed":           {func(*fake, *fileState, *turn) {}, outcome{true, true}},
		"contested":                 {func(_ *fake, state *fileState, _ *turn) { state.contested = true }, outcome{}},
		"loaded again":              {func(f *fake, _ *fileState, _ *turn) { f.losses++ }, outcome{}},
		"not loaded":                {func(f *fake, _ *fileState, _ *turn) { f.loaded = false }, outcome{}},
		"another version":           {func(_ *fake, _ *fileState, turn *turn) { turn.synced.Version += 2 }, outcome{false, true}},
		"another state":             {func(_ *fake, _ *fileState, turn *turn) { turn.synced.Generation++ }, outcome{}},
		"taken back":                {func(f *fake, _ *fileState, _ *turn) { f.out.Refreshed() }, outcome{}},
		"of others too":             {func(_ *fake, _ *fileState, turn *turn) { turn.wide = true }, outcome{false, true}},
		"of others, which it knows": {func(_ *fake, state *fileState, turn *turn) { turn.wide, state.wide = true, true }, outcome{true, true}},
		"another text":              {func(_ *fake, _ *fileState, turn *turn) { turn.content = []byte("y") }, outcome{true, false}},
		"a text not kept":           {func(_ *fake, state *fileState, _ *turn) { state.last.known = false }, outcome{true, false}},
		"never complete":            {func(_ *fake, state *fileState, turn *turn) { state.version, turn.synced.Version = 0, 0 }, outcome{false, true}},
		"opened since":              {func(_ *fake, state *fileState, _ *turn) { state.version++ }, outcome{}},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			var got outcome
			for _, closed := range []bool{false, true} {
				f := newFake(c, only(registry.Pull))
				f.def.Readiness, f.loaded = &registry.Readiness{Method: "status"}, true
				turn := turnOf(c, f, f.key, "x")
				turn.synced, turn.closedFile = lsp.Synced{Version: 3, Generation: 5}, closed
				state := turn.stream.fileLocked(turn.path)
				*state = fileState{
					items: errorsOf("wrong"), version: 3, generation: 5,
					last: prior{known: true, text: []byte("x"), items: errorsOf("wrong")},
				}
				if closed {
					state.version = 0
				}
				tt.with(f, state, turn)
				items, stands := turn.stream.standing(turn)
				if stands != (len(items) == 1) {
					t.Errorf("%s: it stands: %t, with %v", name, stands, items)
				}
				if closed {
					got.Closed = stands
				} else {
					got.Open = stands
				}
				delete(turn.stream.files, turn.path)
				if _, stands := turn.stream.standing(turn); stands {
					t.Error("of a file that nothing is known of an answer stands")
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// plainly states the messages of findings.
func plainly(items []protocol.Diagnostic) string {
	var all []string
	for _, d := range items {
		all = append(all, d.Message)
	}
	return strings.Join(all, ", ")
}

// A publish replaces what is known of a file, and what was known of it last, unless it is older, is of
// our own error, or is less than the server's answer, which nothing has called into question.
func TestWhatAPublishChanges(t *testing.T) {
	type known struct {
		Items, Last, Pushed   string
		Publishes, Seen       int
		Contested, New, Woken bool
	}
	for name, tt := range map[string]struct {
		version int32
		says    string
		with    func(s *stream, f *fileState)
		want    known
	}{
		"the version":                  {2, "a", func(*stream, *fileState) {}, known{"a", "a", "a", 1, 0, false, true, true}},
		"no version":                   {-1, "a", func(*stream, *fileState) {}, known{"a", "a", "a", 1, 0, false, true, true}},
		"a later version":              {3, "a", func(*stream, *fileState) {}, known{"a", "x, y", "a", 1, 0, false, true, true}},
		"an older version":             {1, "a", func(*stream, *fileState) {}, known{"x, y", "x, y", "", 0, 0, false, false, false}},
		"older than what was pushed":   {3, "a", func(_ *stream, f *fileState) { f.pushedVersion = new(int32(4)) }, known{"x, y", "x, y", "", 0, 0, false, false, false}},
		"as old as what was pushed":    {2, "a", func(_ *stream, f *fileState) { f.pushedVersion = new(int32(2)) }, known{"a", "a", "a", 1, 0, false, true, true}},
		"fewer, of who takes back":     {2, "a", func(s *stream, _ *fileState) { s.checksDisk = true }, known{"a", "x, y", "a", 1, 0, false, true, true}},
		"as many, of who takes back":   {2, "a, b", func(s *stream, _ *fileState) { s.checksDisk = true }, known{"a, b", "a, b", "a, b", 1, 0, false, true, true}},
		"asked, of the version":        {2, "a, b", func(_ *stream, f *fileState) { f.asked = true }, known{"a, b", "a, b", "a, b", 1, 0, false, true, true}},
		"asked, without a version":     {-1, "a, b", func(_ *stream, f *fileState) { f.asked = true }, known{"x, y", "x, y", "a, b", 1, 0, false, false, true}},
		"asked, and fewer":             {2, "a", func(_ *stream, f *fileState) { f.asked = true }, known{"x, y", "x, y", "a", 1, 0, true, false, true}},
		"fewer, in another state":      {2, "a", func(_ *stream, f *fileState) { f.asked, f.state = true, 7 }, known{"a", "a", "a", 1, 0, false, true, true}},
		"fewer, after it was retaken":  {2, "a", func(s *stream, f *fileState) { f.asked, s.refreshes = true, 1 }, known{"a", "a", "a", 1, 0, false, true, true}},
		"fewer, of who is not running": {2, "a", func(s *stream, f *fileState) { f.asked, s.server = true, nil }, known{"a", "a", "a", 1, 0, false, true, true}},
		"our error":                    {2, "a", func(_ *stream, f *fileState) { f.probe.line = 1; f.probe.seen = 4 }, known{"x, y", "x, y", "", 0, 5, false, false, true}},
		"not our error":                {2, "a", func(_ *stream, f *fileState) { f.probe.line = 2; f.probe.seen = 4 }, known{"a", "a", "a", 1, 4, false, true, true}},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			fake := newFake(c, only(registry.Pull))
			s := c.stream(fake.key)
			fake.state, s.server = 6, fake
			f := s.fileLocked("/w/a")
			f.items, f.version, f.state = errorsOf("x", "y"), 2, 6
			f.last = prior{known: true, items: f.items}
			tt.with(s, f)
			epoch, events := c.Epoch(), s.events
			items := errorsOf(strings.Split(tt.says, ", ")...)
			for i := range items {
				items[i].Range.Start.Line++
			}
			p := lsp.Published{Path: "/w/a", Items: items}
			if tt.version >= 0 {
				p.Version = &tt.version
			}
			fake.out.Published(p)
			got := known{plainly(f.items), plainly(f.last.items), plainly(f.pushed), f.publishes, f.probe.seen, f.contested, f.epoch > epoch, s.events > events}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if got.Publishes == 1 && !f.pushedAt.Equal(time.Now()) {
				t.Errorf("%s: published at %v", name, f.pushedAt)
			}
		})
	}
}

// A project is not loaded if one of its own files has an error: it lies in the file's folder or one
// above, down from the root, and is not the file itself.
func TestProjectOfAFileThatIsNotLoaded(t *testing.T) {
	wrong := []protocol.Diagnostic{grave(0, protocol.SeverityWarning, "odd"), grave(6, protocol.SeverityError, "wrong")}
	for name, tt := range map[string]struct {
		file  string
		items []protocol.Diagnostic
		names []string
		want  string
	}{
		"beside it":        {"w/sub/toy.json", wrong, []string{"toy.json"}, "the project is not loaded: toy.json:7: wrong"},
		"above it":         {"w/toy.json", wrong, []string{"toy.json"}, "the project is not loaded: toy.json:7: wrong"},
		"the second name":  {"w/toy.lock", wrong, []string{"toy.json", "toy.lock"}, "the project is not loaded: toy.lock:7: wrong"},
		"itself":           {"w/sub/a.toy", wrong, []string{"a.toy"}, ""},
		"above the root":   {"toy.json", wrong, []string{"toy.json"}, ""},
		"another file":     {"w/toy.txt", wrong, []string{"toy.json"}, ""},
		"no project files": {"w/toy.json", wrong, nil, ""},
		"a warning":        {"w/toy.json", wrong[:1], []string{"toy.json"}, ""},
		"a long one":       {"w/toy.json", []protocol.Diagnostic{grave(0, protocol.SeverityError, strings.Repeat("é", 300))}, []string{"toy.json"}, "the project is not loaded: toy.json:1: " + strings.Repeat("é", 200)},
	} {
		s := newStream(Key{ID: "toy", Root: here("/w")}, nil)
		s.projectFiles = tt.names
		s.fileLocked(here("/" + tt.file)).items = tt.items
		if got := s.unloadedFor(here("/w/sub/a.toy")); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if got := s.unloadedFor(here("/else/b.toy")); got != "" && tt.file != "toy.json" {
			t.Errorf("%s: of a file that is elsewhere: %q", name, got)
		}
	}
}

// What a build lists is compared with what was published for closed files, sorted; a file that was
// waited for in vain does not count until both are the same once.
func TestWhatIsListedAndNotPublished(t *testing.T) {
	s := newStream(Key{}, nil)
	listed, want := make(map[string][]string), []string(nil)
	for i := range 20 {
		path := fmt.Sprintf("/w/%02d", i)
		listed[path] = []string{"wrong"}
		if i%2 == 0 {
			s.fileLocked(path).pushed = errorsOf("other")
		}
		want = append(want, path)
	}
	s.fileLocked("/w/more").pushed = errorsOf("not listed")
	s.fileLocked("/w/none").pushed = nil
	s.unlike["/w/03"], s.unlike["/w/none"] = true, true
	open := want[5:6]
	want = append(append(append([]string(nil), want[:3]...), want[4]), append(want[6:], "/w/more")...)
	if diff := cmp.Diff(want, s.differingLocked(listed, open)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"/w/03": true}, s.unlike); diff != "" {
		t.Errorf("waited for in vain (-want +got):\n%s", diff)
	}
}

// Whoever waits for a server learns why it ended, or that it was stopped.
func TestWaitForAServerThatEnds(t *testing.T) {
	for name, tt := range map[string]struct{ why, want error }{"stopped": {nil, errEnded}, "crashed": {errBroken, errBroken}} {
		inBubble(t, func(t *testing.T, c *Collector) {
			f := newFake(c, only(registry.Pull))
			s := c.stream(f.key)
			f.push("/w/a", -1, "wrong")
			f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "begin", Title: "indexing"})
			epoch := c.Epoch()
			f.out.Ended(tt.why)
			if err := s.await(t.Context(), func() bool { return false }); !errors.Is(err, tt.want) {
				t.Errorf("%s: %v", name, err)
			}
			if err := s.await(t.Context(), func() bool { return true }); err != nil {
				t.Errorf("%s, for what is there: %v", name, err)
			}
			if len(s.files) != 0 || s.loading() != "" || len(s.known(0, nil, nil)) != 0 || c.Epoch() != epoch+1 {
				t.Errorf("%s: it is known: %v, %q; epoch %d after %d", name, s.files, s.loading(), c.Epoch(), epoch)
			}
		})
	}
}
