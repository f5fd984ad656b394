package daemon

import "time"

// restAfter is how long after a call the client gives memory back to the system. Each session of an
// agent has a process that does nothing but wait for the next call.
const restAfter = 500 * time.Millisecond

// rest gives memory back to the system if no call comes for a while: starting and answering need
// several times the memory of waiting.
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
