package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
)

// showProgress returns a context whose calls show on standard error what they are waiting for, if
// that is a terminal. The caller must call wipe once the calls have returned.
func showProgress(ctx context.Context, streams *Streams) (calling context.Context, wipe func()) {
	if !streams.ErrTerminal {
		return ctx, func() {}
	}
	written := false
	show := func(_ context.Context, p api.Progress) {
		if line := waitingFor(p); line != "" {
			fmt.Fprint(streams.display(), "\r\x1b[K"+legible.Line(line))
			written = true
		}
	}
	return api.Call{Progress: show}.In(ctx), func() {
		if written {
			fmt.Fprint(streams.display(), "\r\x1b[K")
		}
	}
}

// waitingFor returns a line with the number of files done, if there are several, and the phase of
// the server that is being waited for.
func waitingFor(p api.Progress) string {
	var parts []string
	if p.Total > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d files", p.Done, p.Total))
	}
	for _, s := range p.Servers {
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
