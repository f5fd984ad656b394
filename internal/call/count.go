package call

import (
	"context"
	"sync/atomic"
)

// A Count counts the files of a call: how many it is about, and how many are finished. It is safe
// for concurrent use. Expect and Done of a nil Count do nothing.
type Count struct{ done, total atomic.Int64 }

type countKey struct{}

// Counted returns a context in which an operation counts its files, and the count.
func Counted(ctx context.Context) (context.Context, *Count) {
	c := new(Count)
	return context.WithValue(ctx, countKey{}, c), c
}

// CountOf returns the count of a call, nil if nobody asked for one.
func CountOf(ctx context.Context) *Count {
	c, _ := ctx.Value(countKey{}).(*Count)
	return c
}

// Expect adds n to the number of files.
func (c *Count) Expect(n int) {
	if c != nil {
		c.total.Add(int64(n))
	}
}

// Done adds one to the number of files that are finished.
func (c *Count) Done() {
	if c != nil {
		c.done.Add(1)
	}
}

// Read returns how many files are finished, and how many there are.
func (c *Count) Read() (done, total int) { return int(c.done.Load()), int(c.total.Load()) }
