package daemon

import "time"

// restAfter is how long after a call the client returns memory to the system. Each session of an
// agent has a process that only waits for the next call.
const restAfter = 500 * time.Millisecond

// rest returns memory to the system if no call arrives for a while: starting and answering need
// several times as much memory as waiting.
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
