package daemon

import "time"

// restAfter is how long after a call a process that waits for the next one gives back what
// it no longer needs: there is such a process for each session of an agent.
const restAfter = 500 * time.Millisecond

// rest gives memory back to the system when no call comes for a while. What was needed to
// start, and to answer, is several times what it takes to wait.
func (c *Client) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.opts.Once || c.closed:
	case c.resting == nil:
		c.resting = time.AfterFunc(restAfter, c.free)
	default:
		c.resting.Reset(restAfter)
	}
}
