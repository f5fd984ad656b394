package call

import (
	"context"
	"sync/atomic"
)

// A Count is how far a call has come with the files that it is about. It is safe for
// concurrent use; nil counts nothing.
type Count struct{ done, total atomic.Int64 }

type countKey struct{}

// Counted returns a context whose operation counts, and the count.
func Counted(ctx context.Context) (context.Context, *Count) {
	c := new(Count)
	return context.WithValue(ctx, countKey{}, c), c
}

// CountOf returns the count of a call, nil if nobody wants to know.
func CountOf(ctx context.Context) *Count {
	c, _ := ctx.Value(countKey{}).(*Count)
	return c
}

// Expect adds n files to those there are.
func (c *Count) Expect(n int) {
	if c != nil {
		c.total.Add(int64(n))
	}
}

// Done adds a file to those that are answered for.
func (c *Count) Done() {
	if c != nil {
		c.done.Add(1)
	}
}

// Read returns how many files are answered for, and of how many.
func (c *Count) Read() (done, total int) { return int(c.done.Load()), int(c.total.Load()) }
