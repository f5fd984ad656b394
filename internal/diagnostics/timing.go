package diagnostics

import "time"

// timing is what has been learned about a server's pace: how long after a change it publishes, and
// how far apart its publishes for one change are. Both are exponentially weighted means. The
// stream's mutex guards them.
type timing struct {
	delays    [2]time.Duration // after a change, and after an opening: many servers debounce only the first
	gap       time.Duration
	changedAt map[string]time.Time
	lastAt    map[string]time.Time
	opened    map[string]int // the index into delays for the last sending
}

// Limits of the silence after which a server that publishes is taken to have reported everything.
const (
	minQuiet     = 20 * time.Millisecond
	maxQuiet     = 150 * time.Millisecond
	firstDelay   = 5 * time.Second // before anything was learnt
	maxDelayWait = 2 * time.Second
	// A silence of this length is broken by a probe; whether the answer is right does not depend on
	// it.
	firstUntilProbe = 300 * time.Millisecond // before anything was learnt
	maxUntilProbe   = time.Second
	minHidden       = time.Second // after this, another error may be hiding ours
)

// sent notes that a change of the file was sent, or that the file was opened.
func (t *timing) sent(now time.Time, path string, opened bool) {
	if t.changedAt == nil {
		t.changedAt, t.lastAt, t.opened = make(map[string]time.Time), make(map[string]time.Time), make(map[string]int)
	}
	t.changedAt[path], t.opened[path] = now, 0
	if opened {
		t.opened[path] = 1
	}
	delete(t.lastAt, path)
}

// published learns from a publish for the file.
func (t *timing) published(now time.Time, path string) {
	changed, waited := t.changedAt[path]
	if !waited {
		return
	}
	if last, again := t.lastAt[path]; again {
		t.gap = mean(t.gap, min(now.Sub(last), maxQuiet))
	} else {
		d := &t.delays[t.opened[path]]
		*d = mean(*d, now.Sub(changed))
	}
	t.lastAt[path] = now
}

func mean(old, sample time.Duration) time.Duration {
	if old == 0 {
		return sample
	}
	return (3*old + sample) / 4
}

// quiet is how long after a publish another one may still be expected.
func (t *timing) quiet() time.Duration {
	if t.gap == 0 {
		return maxQuiet
	}
	return min(max(3*t.gap, minQuiet), maxQuiet)
}

// firstWait is how long after the last sending of a file a first publish may be expected.
func (t *timing) firstWait(path string) time.Duration {
	delay := t.delays[t.opened[path]]
	if delay == 0 {
		return firstDelay
	}
	return min(3*delay+minQuiet, maxDelayWait)
}

// untilProbe is how long after the last sending of a file a silence lasts before the server is
// probed.
func (t *timing) untilProbe(path string) time.Duration {
	if delay := t.delays[t.opened[path]]; delay > 0 {
		return min(2*delay+minQuiet, maxUntilProbe)
	}
	return firstUntilProbe
}
