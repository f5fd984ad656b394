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
