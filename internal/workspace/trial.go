package workspace

import (
	"context"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/roots"
)

// A Trial is a server that was started to see it start. Nobody else is given it.
type Trial struct {
	*lsp.Server
	release func()
}

// Try starts a server for a candidate apart from the one that Server returns, and
// whatever became of that. The caller must Close it. A failure is that of
// [lsp.Start].
func (w *Workspace) Try(ctx context.Context, c roots.Candidate, observer lsp.Observer) (*Trial, error) {
	if c.Unavailable != nil {
		return nil, c.Unavailable
	}
	filled, err := w.fillIn(c)
	if err != nil {
		return nil, err
	}
	var folders []string
	switch c.Definition.Sharing {
	case registry.TakesFolders:
		folders = []string{c.Root}
	case registry.Connected:
		folders = w.connected.of(c.Definition.ID, c.Root)
	}
	server, err := w.startFilled(ctx, c, folders, filled, observer)
	if err != nil {
		filled.release()
		return nil, err
	}
	return &Trial{server, filled.release}, nil
}

// Close ends the server. When ctx ends it is killed.
func (t *Trial) Close(ctx context.Context) error {
	defer t.release()
	return t.Server.Close(ctx)
}
