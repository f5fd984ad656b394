package workspace

import "context"

type notingKey struct{}

// Noting returns a context that makes note hear of every server that is used with it, each time.
// note must be safe for concurrent use.
func Noting(ctx context.Context, note func(Key)) context.Context {
	return context.WithValue(ctx, notingKey{}, note)
}

// Note tells the function of [Noting], if ctx has one, that a server is used. [Workspace.Server] does it.
func Note(ctx context.Context, key Key) {
	if note, ok := ctx.Value(notingKey{}).(func(Key)); ok {
		note(key)
	}
}
