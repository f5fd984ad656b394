package checking

import (
	"cmp"
	"time"
)

// A waitLimit is the time until which one operation waits for servers that are demonstrably
// working, beyond the time-outs of its collections.
type waitLimit struct {
	until time.Time // zero if only the time-outs apply
}

// newWaitLimit returns the limit for an operation that begins now: the one asked for, none if only
// a time-out was asked for, or else the one of the configuration.
func (ch *Checker) newWaitLimit(timeout, asked time.Duration) waitLimit {
	limit := cmp.Or(asked, ch.opts.Config.Settings.PatienceLimit)
	if timeout > 0 && asked == 0 || limit == 0 {
		return waitLimit{}
	}
	return waitLimit{time.Now().Add(limit)}
}

// left returns the time left, 0 if there is none.
func (l waitLimit) left() time.Duration {
	if l.until.IsZero() {
		return 0
	}
	return max(0, time.Until(l.until))
}
