package workspace

import (
	"context"

	"github.com/lspine/lspine/internal/roots"
)

// Begin begins to start the server of a candidate, unless it runs, and does not wait for it.
func (w *Workspace) Begin(ctx context.Context, c roots.Candidate) error {
	_, err := w.begin(ctx, c)
	return err
}
