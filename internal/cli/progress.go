package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// progressAfter is how long a person waits without a word.
const progressAfter = 300 * time.Millisecond

// A progress shows on a terminal what is waited for.
type progress struct {
	done  chan struct{}
	shown sync.WaitGroup
}

// showProgress begins to show the servers' states on standard error, if a
// person looks at it and it takes long enough. The caller must stop it.
func showProgress(ctx context.Context, streams *Streams, c api.Caller) *progress {
	p := &progress{done: make(chan struct{})}
	if streams.ErrTerminal {
		p.shown.Go(func() { p.show(ctx, streams.Err, c) })
	}
	return p
}

// stop wipes the line and returns when nothing more is written.
func (p *progress) stop() {
	close(p.done)
	p.shown.Wait()
}

func (p *progress) show(ctx context.Context, w io.Writer, c api.Caller) {
	ticks := time.NewTicker(progressAfter)
	defer ticks.Stop()
	for written := false; ; {
		select {
		case <-p.done:
			if written {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return
		case <-ctx.Done():
			return
		case <-ticks.C:
			ticks.Reset(100 * time.Millisecond)
			status, err := api.Status.Do(ctx, c, api.StatusRequest{Scope: "running"})
			if err != nil {
				continue
			}
			if line := waitingFor(status.Servers); line != "" {
				fmt.Fprint(w, "\r\x1b[K"+line)
				written = true
			}
		}
	}
}

// waitingFor says which server is in which phase, in one line.
func waitingFor(servers []result.Server) string {
	var parts []string
	for _, s := range servers {
		switch {
		case s.State == "starting":
			parts = append(parts, s.ID+": starting")
		case s.State == "active" && len(s.Works) > 0:
			parts = append(parts, s.ID+": "+s.Works[len(s.Works)-1])
		case s.State == "active":
			parts = append(parts, s.ID+": diagnosing")
		}
	}
	line := strings.Join(parts, " · ")
	if runes := []rune(line); len(runes) > 78 {
		line = string(runes[:77]) + "…"
	}
	return line
}
