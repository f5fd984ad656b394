package engine

import (
	"context"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/guard"
)

// progressEvery is how long a call takes before progress is reported, and the time between two
// reports.
const progressEvery = 300 * time.Millisecond

// pushProgress starts to report to the caller, if it wants reports, what the servers are doing and
// how far the operation is. The operation must run with the returned context. stop returns after
// the last report.
func (e *Engine) pushProgress(ctx context.Context) (counted context.Context, stop func()) {
	tell := api.CallOf(ctx).Progress
	if tell == nil {
		return ctx, func() {}
	}
	counted, count := call.Counted(ctx)
	ctx, cancel := context.WithCancel(ctx)
	var telling guard.Group
	telling.Go(func() {
		ticks := time.NewTicker(progressEvery)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				done, total := count.Read()
				tell(ctx, api.Progress{Servers: doctorOf(e).Working(), Done: done, Total: total})
			}
		}
	})
	return counted, func() {
		cancel()
		telling.Wait()
	}
}
