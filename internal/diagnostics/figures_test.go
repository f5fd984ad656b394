package diagnostics

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// What is counted of a server: how often it was asked and was late, how long its complete
// answers took, of the last ones, and what it said.
//
// Requirement: REQ-OBS-020, BR-67.
func TestFigures(t *testing.T) {
	c := New(Options{})
	defer c.Close()
	key := Key{ID: "s", Root: "/w"}
	if _, any := c.Figures(key); any {
		t.Error("there are figures of a server that nobody asked")
	}
	for i := range 1000 { // the first ones are forgotten
		c.count(key, &Answer{Freshness: Fresh, Waited: time.Duration(max(0, i-900)) * time.Millisecond, Items: make([]protocol.Diagnostic, i%2)})
	}
	c.count(key, &Answer{Freshness: Timeout, Waited: time.Hour})
	c.count(key, &Answer{Freshness: Indexing, Waited: time.Hour})
	c.count(key, &Answer{Freshness: Partial, Waited: time.Hour})
	got, asked := c.Figures(key)
	want := Figures{Checks: 1003, Timeouts: 2, Median: 0, Slow: 87 * time.Millisecond, Diagnostics: 500}
	if diff := cmp.Diff(want, got); diff != "" || !asked {
		t.Errorf("asked: %t%s", asked, diff)
	}
	c.count(Key{ID: "one"}, &Answer{Freshness: Fresh, Waited: time.Second})
	if one, _ := c.Figures(Key{ID: "one"}); one.Median != time.Second || one.Slow != time.Second {
		t.Errorf("of one answer: %+v", one)
	}
}

// The most recent answers are kept one by one, whether complete or not, the oldest first.
func TestSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		defer c.Close()
		key := Key{ID: "s", Root: "/w"}
		if got := c.Samples(key); got != nil {
			t.Errorf("of a server that nobody asked: %v", got)
		}
		begun := time.Now()
		var want []Sample
		for i := range maxSamples + 3 {
			<-time.After(time.Second)
			sample := Sample{begun.Add(time.Duration(i+1) * time.Second), time.Duration(i) * time.Millisecond, []Freshness{Fresh, Partial, Timeout, Indexing}[i%4]}
			c.count(key, &Answer{Freshness: sample.Freshness, Waited: sample.Waited})
			want = append(want, sample)
		}
		if diff := cmp.Diff(want[3:], c.Samples(key)); diff != "" {
			t.Error(diff)
		}
	})
}
