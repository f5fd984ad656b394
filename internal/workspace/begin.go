package workspace

import "context"

// Begin begins to start the server of a candidate, unless it runs, and does not wait for it.
func (w *Workspace) Begin(ctx context.Context, c Candidate) error {
	_, err := w.begin(ctx, c)
	return err
}

// begin returns the start of the server of a candidate: the present one, or a new one.
func (w *Workspace) begin(ctx context.Context, c Candidate) (*start, error) {
	if c.Unavailable != nil {
		return nil, c.Unavailable
	}
	Note(ctx, c.Key())
	i := w.instance(c.Key())
	if err := w.enrol(ctx, i, &c); err != nil {
		return nil, err
	}
	return i.obtain(c)
}
