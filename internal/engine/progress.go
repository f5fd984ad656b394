package engine

import (
	"context"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
)

// progressEvery is how long a call takes before it says what it waits for, and how often
// it says so.
const progressEvery = 300 * time.Millisecond

// pushProgress begins to tell the caller what the servers are doing, if it wants to know.
// stop returns when nothing more is told.
func (e *Engine) pushProgress(ctx context.Context) (stop func()) {
	tell := api.CallOf(ctx).Progress
	if tell == nil {
		return func() {}
	}
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
				tell(ctx, api.Progress{Servers: doctorOf(e).Working()})
			}
		}
	})
	return func() {
		cancel()
		telling.Wait()
	}
}
