package diagnostics

import (
	"errors"
	"slices"
)

// errSuperseded is why a job does not show its text: nobody waits for it any longer, and a later
// text of the file was asked about since, or the text was recalled.
var errSuperseded = errors.New("another text of the file counts since")

// A subject is a file and a server that is asked about it.
type subject struct {
	Key
	path string
}

// A queue keeps count of the running jobs for one subject. A job that was given up while its server
// was starting may obtain the server after a later job did: it must not replace the later text by
// its older one.
type queue struct {
	last *job
	open int
}

// queueLocked notes that a job begins; over must be called when it has ended. c.mu is held.
func (c *Collector) queueLocked(j *job, about subject) (over func()) {
	q := c.queues[about]
	if q == nil {
		q = &queue{}
		c.queues[about] = q
	}
	if q.last != nil {
		q.last.followed.Store(true)
	}
	q.last = j
	q.open++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if q.open--; q.open == 0 {
			delete(c.queues, about)
		}
	}
}

// Recall keeps jobs that nobody waits for any longer from showing their texts of these files, which
// belong to a draft that was given up. A text that is not recalled has been shown when Recall
// returns.
func (c *Collector) Recall(paths ...string) {
	c.mu.Lock()
	for about, q := range c.queues {
		if slices.Contains(paths, about.path) {
			q.last.followed.Store(true)
		}
	}
	c.mu.Unlock()
	for _, s := range c.allStreams() {
		s.isTouched() // waits for the lock, which a job holds while it sends
	}
}

// isSuperseded reports whether the job is pointless: nobody waits for it, and a later one asks
// about the same file or the text was recalled.
func (j *job) isSuperseded() bool {
	if !j.followed.Load() {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.abandoned
}
