package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Events are numbered and the last ones remembered; of a server it is told whether one of its name runs for the first
// time, as far as it ever ran.
func TestEventsThatAreRemembered(t *testing.T) {
	w := open(t, "", Options{Root: t.TempDir()})
	now := time.Unix(1_000_000, 0)
	here, there, other := roots.Key{ID: "a", Root: "/here"}, roots.Key{ID: "a", Root: "/there"}, roots.Key{ID: "b", Root: "/here"}
	happened := []Event{
		{Number: 1, Time: now, Kind: Crashed, Key: here, Reason: "gone", First: false},
		{Number: 2, Time: now, Kind: Started, Key: here, Reason: "", First: true},
		{Number: 3, Time: now, Kind: Started, Key: there, Reason: "", First: false},
		{Number: 4, Time: now, Kind: Rested, Key: other, Reason: "idle", First: false},
		{Number: 5, Time: now, Kind: Recovered, Key: other, Reason: "", First: true},
		{Number: 6, Time: now, Kind: GivenUp, Key: here, Reason: "gone", First: false},
	}
	for _, e := range happened {
		w.events.add(e.Time, e.Kind, e.Key, e.Reason)
	}
	list, last, err := w.Events(t.Context(), 0)
	if diff := cmp.Diff(happened, list); diff != "" || last != 6 || err != nil {
		t.Errorf("%d, %v (-want +got):\n%s", last, err, diff)
	}
	for range keptEvents - len(happened) + 1 {
		w.events.add(now, Crashed, here, "again")
	}
	for after, want := range map[uint64][2]uint64{0: {2, keptEvents}, 2: {3, keptEvents - 1}, keptEvents: {keptEvents + 1, 1}} {
		list, last, err := w.Events(t.Context(), after)
		if err != nil || last != keptEvents+1 || list[0].Number != want[0] || uint64(len(list)) != want[1] {
			t.Errorf("after %d: %d from %d on, the last is %d, %v", after, len(list), list[0].Number, last, err)
		}
	}
}

// Files that change often do not make anybody forget what happened to servers, and few of them are named.
func TestEventsOfFiles(t *testing.T) {
	w := open(t, "", Options{Root: t.TempDir()})
	now := time.Unix(1_000_000, 0)
	w.events.add(now, Crashed, roots.Key{ID: "a", Root: "/here"}, "gone")
	w.events.addChanged(now, nil)
	var many []string
	for i := range namedFiles + 5 {
		many = append(many, fmt.Sprintf("/here/%02d", i))
	}
	for range keptEvents {
		w.events.addChanged(now, []string{"/here/b", "/here/a", "/here/b"})
	}
	w.events.addChanged(now, many)
	list, last, err := w.Events(t.Context(), 0)
	if err != nil || last != keptEvents+2 || len(list) != keptEvents {
		t.Fatalf("%d events, the last is %d, %v", len(list), last, err)
	}
	want := []Event{
		{Number: 1, Time: now, Kind: Crashed, Key: roots.Key{ID: "a", Root: "/here"}, Reason: "gone"},
		{Number: 4, Time: now, Kind: FilesChanged, Files: []string{"/here/a", "/here/b"}},
		{Number: keptEvents + 2, Time: now, Kind: FilesChanged, Files: many[:namedFiles], More: 5},
	}
	if diff := cmp.Diff(want, []Event{list[0], list[1], list[keptEvents-1]}); diff != "" {
		t.Error(diff)
	}
}

// What the workspace holds is found out anew after ten seconds, or when something came or went; who names a language is
// told of its servers alone, in whatever case.
func TestSamplesAreRemembered(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.code --\n-- 1.prose --\n-- sub/2.prose --\n-- gone.prose --\n")
	r.Git("add", "--all")
	now := time.Unix(1_000_000, 0)
	servers := lsptest.Kinds()
	servers[2].Languages[0].ID = "Words"
	w := open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: servers, LookPath: lsptest.LookKinds, Now: func() time.Time { return now }})
	samples := func(language string) (found []string) {
		t.Helper()
		list, err := w.Samples(t.Context(), language)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			found = append(found, fmt.Sprintf("%s %s of %d", s.Candidate.Definition.ID, filepath.Ext(s.Path), s.Files))
		}
		return found
	}
	check := func(when string, got []string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	check("at first", samples(""), "code .code of 1", "prose .prose of 3")
	check("of a language", samples("wORDS"), "prose .prose of 3")
	check("of another", samples("word"))
	r.Write("b.code", "")
	now = now.Add(10 * time.Second)
	check("after ten seconds", samples("x"), "code .code of 1")
	now = now.Add(1)
	check("after more", samples("x"), "code .code of 2")
	r.Write("c.code", "")
	check("right after that", samples("x"), "code .code of 2")
	w.samples.known.Store(false)
	check("when a file came", samples("x"), "code .code of 3")
}

// A server does not start while it is known that it cannot, and why is told; who asks while it starts waits for that.
func TestStartsThatDoNotHappen(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	gone := errors.New("gone")
	under := &start{done: make(chan struct{})}
	var asked []string
	for name, c := range map[string]struct {
		i      *instance
		closed bool
		want   string
		asked  []string
	}{
		"a peer that has just not been there": {&instance{state: roots.Stopped, refused: 1, err: gone, notBefore: now.Add(1)}, false, "gone", nil},
		"a peer that may be there again":      {&instance{state: roots.Stopped, refused: 1, err: gone, notBefore: now}, false, "not now", []string{"toy"}},
		"a server that waits for its restart": {&instance{state: roots.Stopped, err: gone, notBefore: now.Add(1)}, false, "not now", []string{"toy"}},
		"a broken one":                        {&instance{state: roots.Broken, crashes: 3, err: gone}, false, "toy: it failed 3 times and is not started again: gone", nil},
		"one that starts":                     {&instance{state: roots.Starting, start: under}, false, "under way", nil},
		"one that may not":                    {&instance{state: roots.Stopped}, false, "not now", []string{"toy"}},
		"a closed workspace":                  {&instance{state: roots.Stopped}, true, errClosed.Error(), nil},
	} {
		w := open(t, "", Options{Root: t.TempDir(), Now: func() time.Time { return now }, MayStart: func(id string) error {
			asked = append(asked, id)
			return errors.New("not now")
		}})
		if c.closed {
			w.opts.MayStart = nil
			w.closed = true
		}
		asked = nil
		c.i.workspace, c.i.key = w, roots.Key{ID: "toy", Root: w.Root()}
		before := c.i.state
		s, err := c.i.obtain(roots.Candidate{Definition: registry.Definition{ID: "toy", Connect: "somewhere"}})
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case s == under:
			got = "under way"
		default:
			<-s.done
			got = s.err.Error()
		}
		if got != c.want || c.i.state != before || c.i.starts != 0 || !c.i.peer || !c.i.obtained.Equal(now) {
			t.Errorf("%s: %s, want %s; %+v", name, got, c.want, c.i)
		}
		if diff := cmp.Diff(c.asked, asked); diff != "" {
			t.Errorf("%s: who was asked about (-want +got):\n%s", name, diff)
		}
	}
}

// The time that starting servers have used is that of those under way, of one or of all; all that were ever asked for
// are known by their keys, in order.
func TestTimeOfStarts(t *testing.T) {
	w := open(t, "", Options{Root: t.TempDir()})
	used := func(d time.Duration) func() (time.Duration, bool) {
		return func() (time.Duration, bool) { return d, true }
	}
	keys := []roots.Key{{ID: "a", Root: "/1"}, {ID: "a", Root: "/2"}, {ID: "b", Root: "/0"}, {ID: "b", Root: "/1"}}
	for n, i := range []*instance{w.instance(keys[3]), w.instance(keys[0]), w.instance(keys[2]), w.instance(keys[1])} {
		i.cpu = []func() (time.Duration, bool){used(1), used(10), nil, used(100)}[n]
		if n != 3 {
			i.start = &start{}
		}
	}
	if diff := cmp.Diff(keys, w.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	for key, want := range map[roots.Key]time.Duration{{}: 11, keys[0]: 10, keys[1]: 0, keys[2]: 0, keys[3]: 1, {ID: "c", Root: "/"}: 0} {
		if got := w.StartTime(key); got != want {
			t.Errorf("%v: %d, want %d", key, got, want)
		}
	}
}

// What cannot be read is told with what to do about it.
func TestFilesThatCannotBeRead(t *testing.T) {
	for err, want := range map[error]NotDiagnosedError{
		&fs.PathError{Op: "open", Path: "a", Err: fs.ErrPermission}: {"a", "it may not be read", "give yourself the permission: chmod u+r a", true},
		errors.New("odd"): {"a", "odd", "name another file", false},
	} {
		if diff := cmp.Diff(error(&want), unreadable("a", err)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}
