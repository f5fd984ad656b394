package checking

import (
	"cmp"
	"time"
)

// A patience is how long one operation waits in all for servers that demonstrably work,
// beyond the deadline of each of its collections.
type patience struct {
	until time.Time // zero: the deadlines count
}

// newPatience begins the patience of an operation: the limit that was asked for, none if
// a deadline was, else the one of the configuration.
func (ch *Checker) newPatience(timeout, asked time.Duration) patience {
	limit := cmp.Or(asked, ch.opts.Config.Settings.PatienceLimit)
	if timeout > 0 && asked == 0 || limit == 0 {
		return patience{}
	}
	return patience{time.Now().Add(limit)}
}

// left returns what is left of it, 0 if nothing is.
func (p patience) left() time.Duration {
	if p.until.IsZero() {
		return 0
	}
	return max(0, time.Until(p.until))
}
