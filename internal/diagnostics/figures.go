package diagnostics

import (
	"slices"
	"time"
)

// Figures are statistics about the answers of one server, across restarts. They are never sent
// anywhere.
type Figures struct {
	// Checks is how often the server was asked about a file, Timeouts how often its answer was not
	// complete at the deadline.
	Checks, Timeouts int
	// Median and Slow are the 50th and the 95th percentile of the times that its most recent
	// complete answers took.
	Median, Slow time.Duration
	// Diagnostics is how many diagnostics it has reported in total.
	Diagnostics int
}

// A Sample is one answer about a file: when it came, how long it took, and how far it could be trusted.
type Sample struct {
	At        time.Time
	Waited    time.Duration
	Freshness Freshness
}

const (
	// maxWaits is the number of most recent complete answers that the percentiles are computed from.
	maxWaits = 256
	// maxSamples is the number of most recent answers that [Collector.Samples] returns.
	maxSamples = 256
)

// A tally counts answers. The collector's mutex guards it.
type tally struct {
	figures Figures
	waits   []time.Duration // the most recent ones, in a ring buffer that next indexes
	next    int
	samples []Sample // the most recent ones, in a ring buffer that sampled indexes
	sampled int
}

// count adds one answer of a server to its figures.
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
	sample := Sample{time.Now(), a.Waited, a.Freshness}
	if len(t.samples) < maxSamples {
		t.samples = append(t.samples, sample)
	} else {
		t.samples[t.sampled%maxSamples] = sample
		t.sampled++
	}
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

// Figures returns the figures of a server; false if it was never asked.
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

// Samples returns the most recent answers of a server, the oldest first.
func (c *Collector) Samples(key Key) []Sample {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tallies[key]
	if t == nil {
		return nil
	}
	oldest := t.sampled % maxSamples
	return slices.Concat(t.samples[oldest:], t.samples[:oldest])
}
