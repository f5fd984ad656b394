package diagnostics

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What earlier changes did to other files is told by a server that has finished with this change and
// was asked before it; what one has not finished stays owed, from the first change on. A check that
// is about no other files leaves all as it is.
func TestWhatIsToldOfEarlierChanges(t *testing.T) {
	const user = "/w/user"
	type owing map[string][]protocol.Diagnostic
	gone, stands, old := at(0, "gone"), at(1, "stands"), at(2, "old")
	owed, known := owing{user: {old}}, owing{user: {gone, stands, old}}
	key := Key{ID: "fake", Root: "/w"}
	for name, tt := range map[string]struct {
		settled              map[Key]bool
		untouched, alone, un bool // un: it had not finished with an earlier change
		owed, left           owing
		late                 []string
	}{
		"finished":                      {map[Key]bool{key: true}, false, false, false, owed, nil, []string{"stands"}},
		"finished, and nothing owed":    {map[Key]bool{key: true}, false, false, false, nil, nil, nil},
		"finished, after an unsure":     {map[Key]bool{key: true}, false, false, true, owed, owing{user: {stands, old}}, []string{"stands"}},
		"unsure, and nothing owed":      {map[Key]bool{key: true}, false, false, true, nil, owing{user: {stands, old}}, nil},
		"not finished":                  {map[Key]bool{key: false}, false, false, false, owed, owed, nil},
		"not finished for the first":    {map[Key]bool{key: false}, false, false, false, nil, known, nil},
		"not concerned":                 {map[Key]bool{}, false, false, false, owed, owed, nil},
		"never asked before":            {map[Key]bool{key: true}, true, false, false, owed, owed, nil},
		"never asked, and not done":     {map[Key]bool{key: false}, true, false, false, nil, nil, nil},
		"not concerned, never asked":    {map[Key]bool{}, true, false, false, owed, owed, nil},
		"about no others":               {map[Key]bool{key: true}, false, true, false, owed, owed, nil},
		"about no others, not finished": {map[Key]bool{key: false}, false, true, false, nil, nil, nil},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			f := newFake(c, only(registry.Versioned))
			s := c.stream(f.key)
			f.push(user, -1, "x", "stands", "old")
			if tt.owed != nil {
				s.owed[""] = tt.owed
			}
			since := &Moment{files: map[Key]map[string][]protocol.Diagnostic{f.key: known}, unsure: map[Key]bool{f.key: tt.un}}
			if tt.untouched {
				delete(since.files, f.key)
			}
			var late []string
			for _, r := range c.tellOwed(Request{OthersToo: !tt.alone}, since, tt.settled) {
				late = append(late, messages(r.New))
			}
			if diff := cmp.Diff(tt.late, late); diff != "" {
				t.Errorf("%s: told (-want +got):\n%s", name, diff)
			}
			if diff := cmp.Diff(tt.left, owing(s.owed[""])); diff != "" {
				t.Errorf("%s: owed (-want +got):\n%s", name, diff)
			}
		})
	}
}

// Of each server that has not finished it is known; only a server that was asked is in a moment with
// what it reported.
func TestWhatAMomentHolds(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.push("/w/a", -1, "wrong")
		s := c.stream(f.key)
		never := c.Now()
		s.touch()
		s.beginWide(true)
		busy := c.Now()
		s.endWide(true, false)
		lost := c.Now()
		s.beginWide(true)
		s.endWide(true, true)
		sure := c.Now()
		type held struct {
			Files  map[string][]protocol.Diagnostic
			Unsure bool
		}
		reported := map[string][]protocol.Diagnostic{"/w/a": errorsOf("wrong")}
		var got []held
		for _, m := range []*Moment{never, busy, lost, sure} {
			got = append(got, held{m.files[f.key], m.unsure[f.key]})
			if m.streams[f.key] != s || m.epoch != c.Epoch() || len(m.priors[f.key]) != 0 {
				t.Errorf("a moment of other things: %+v", m)
			}
		}
		if diff := cmp.Diff([]held{{nil, false}, {reported, true}, {reported, true}, {reported, false}}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// What a server published stands where the command that it answered brought nothing new for the file;
// a publish about an older version is no answer, and a server that never published has none.
func TestWhatWasPublishedBeforeTheEnd(t *testing.T) {
	type outcome struct {
		Items     []protocol.Diagnostic
		Freshness Freshness
		After     time.Duration
		Late      bool
	}
	for name, tt := range map[string]struct {
		before, since, later int32 // the versions published, -2 is nothing
		want                 outcome
	}{
		"nothing":                     {-2, -2, -2, outcome{Freshness: Partial}},
		"before":                      {1, -2, -2, outcome{Items: errorsOf("1"), Freshness: Fresh}},
		"since, without a version":    {1, -1, -2, outcome{Items: errorsOf("-1"), Freshness: Fresh}},
		"since, for this version":     {1, 2, -2, outcome{Items: errorsOf("2"), Freshness: Fresh}},
		"since, for the older":        {1, 1, -2, outcome{Items: errorsOf("1"), Freshness: Fresh, After: 10 * time.Second, Late: true}},
		"for the older, and then not": {1, 1, 2, outcome{Items: errorsOf("2"), Freshness: Fresh, After: time.Second}},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			f := newFake(c, only(registry.DiagnosisCommand))
			turn := turnOf(c, f, f.key, "x")
			turn.synced.Version = 2
			say := func(version int32) {
				if version != -2 {
					f.push(turn.path, version, map[int32]string{-1: "-1", 1: "1", 2: "2"}[version])
				}
			}
			say(tt.before)
			turn.publishes = turn.stream.fileLocked(turn.path).publishes
			say(tt.since)
			later(time.Second, func() { say(tt.later) })
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			began := time.Now()
			items, freshness, err := turn.published(ctx)
			got := outcome{items, freshness, time.Since(began), errors.Is(err, context.DeadlineExceeded)}
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil && !got.Late {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
			<-time.After(2 * time.Second)
		})
	}
}

// What a server has done tells whether it works: its processor time once it is asked, and that of its
// start before; progress under way; and that it is not decided whether it hangs, or is started anew.
func TestActivityOfAServer(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := &doubtful{newFake(c, only(registry.Versioned))}
		s := c.stream(f.key)
		f.cpu = 3 * time.Second
		f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "begin", Title: "indexing"})
		starts := &Source{StartTime: func() time.Duration { return time.Second }}
		var got []activity
		for _, j := range []*job{{}, {renewed: true}, {turn: &turn{server: f}}} {
			got = append(got, j.activity(s, starts))
		}
		got = append(got, (&job{}).activity(s, &Source{}))
		f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "end"})
		got = append(got, (&job{}).activity(s, &Source{}))
		want := []activity{
			{cpu: time.Second, events: 1, busy: true},
			{cpu: time.Second, events: 1, busy: true, renewed: true},
			{cpu: 3 * time.Second, events: 1, busy: true, doubted: true},
			{events: 1, busy: true},
			{events: 2},
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(activity{})); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	idle := activity{cpu: time.Second, events: 3}
	for name, tt := range map[string]struct {
		now  activity
		want bool
	}{
		"nothing":             {idle, false},
		"a timer":             {activity{cpu: time.Second + minWork - 1, events: 3}, false},
		"work":                {activity{cpu: time.Second + minWork, events: 3}, true},
		"an event":            {activity{cpu: time.Second, events: 4}, true},
		"doubted":             {activity{cpu: time.Second, events: 3, doubted: true}, true},
		"renewed":             {activity{cpu: time.Second, events: 3, renewed: true}, true},
		"busy without work":   {activity{cpu: time.Second, events: 3, busy: true}, false},
		"busy, and not known": {activity{events: 3, busy: true}, true},
		"not known, not busy": {activity{events: 3}, false},
	} {
		if got := tt.now.worksSince(idle); got != tt.want {
			t.Errorf("%s: it works: %t", name, got)
		}
	}
}

// A doubtful server may hang.
type doubtful struct{ *fake }

func (d *doubtful) Doubted() bool { return true }
