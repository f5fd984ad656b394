package checking

import (
	"cmp"
	"time"
)

// A waitLimit is until when one operation waits in all for servers that demonstrably work,
// beyond the deadline of each of its collections.
type waitLimit struct {
	until time.Time // zero: the deadlines count
}

// newWaitLimit begins to wait: as long as was asked for, not at all if a deadline was, else
// as long as the configuration says.
func (ch *Checker) newWaitLimit(timeout, asked time.Duration) waitLimit {
	limit := cmp.Or(asked, ch.opts.Config.Settings.PatienceLimit)
	if timeout > 0 && asked == 0 || limit == 0 {
		return waitLimit{}
	}
	return waitLimit{time.Now().Add(limit)}
}

// left returns how long that still is, 0 if it is over.
func (l waitLimit) left() time.Duration {
	if l.until.IsZero() {
		return 0
	}
	return max(0, time.Until(l.until))
}
