package diagnostics

import (
	"slices"
	"time"
)

// Figures are what was counted of the answers of one server, over all its starts. They are never
// sent anywhere.
type Figures struct {
	// Checks is how many files the server was asked about, Timeouts how often its answer was not
	// complete at the deadline.
	Checks, Timeouts int
	// Median and Slow are the 50th and the 95th percentile of the times that its last complete
	// answers took.
	Median, Slow time.Duration
	// Diagnostics is how many it said in all.
	Diagnostics int
}

// maxWaits is how many of the last answers the quantiles are of.
const maxWaits = 256

// A tally counts answers. The collector's mutex guards it.
type tally struct {
	figures Figures
	waits   []time.Duration // the last ones, in a ring that next goes round
	next    int
}

// count counts one answer of a server.
func (c *Collector) count(key Key, a *Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tallies[key]
	if t == nil {
		t = &tally{}
		c.tallies[key] = t
	}
	t.figures.Checks++
	t.figures.Diagnostics += len(a.Items)
	switch a.Freshness {
	case Timeout, Indexing:
		t.figures.Timeouts++
	case Fresh:
		if len(t.waits) < maxWaits {
			t.waits = append(t.waits, a.Waited)
			return
		}
		t.waits[t.next%maxWaits] = a.Waited
		t.next++
	}
}

// Figures returns what was counted of a server; false if it was never asked.
func (c *Collector) Figures(key Key) (Figures, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tallies[key]
	if t == nil {
		return Figures{}, false
	}
	f := t.figures
	if n := len(t.waits); n > 0 {
		sorted := slices.Sorted(slices.Values(t.waits))
		f.Median, f.Slow = sorted[(n-1)/2], sorted[(n*95+99)/100-1]
	}
	return f, true
}
