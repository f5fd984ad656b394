package workspace

import (
	"context"

	"github.com/lspine/lspine/internal/roots"
)

type notingKey struct{}

// Noting returns a context that makes note hear of every server that is used with it, each time.
// note must be safe for concurrent use.
func Noting(ctx context.Context, note func(roots.Key)) context.Context {
	return context.WithValue(ctx, notingKey{}, note)
}

// Note tells the function of [Noting], if ctx has one, that a server is used. [Workspace.Server] does it.
func Note(ctx context.Context, key roots.Key) {
	if note, ok := ctx.Value(notingKey{}).(func(roots.Key)); ok {
		note(key)
	}
}
