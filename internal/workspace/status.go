package workspace

import (
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/roots"
)

// idle says of a server that was never started whether it could be.
func (w *Workspace) idle(d registry.Definition) Status {
	binary, unavailable := w.Startable(d)
	if unavailable != nil {
		return Status{ID: d.ID, State: unavailable.State, Binary: binary, Reason: unavailable.Reason, Install: unavailable.Install}
	}
	return Status{ID: d.ID, State: roots.Stopped, Binary: binary}
}
