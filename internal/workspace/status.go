package workspace

import (
	"github.com/lspine/lspine/internal/registry"
)

// idle says of a server that was never started whether it could be.
func (w *Workspace) idle(d registry.Definition) Status {
	s := Status{ID: d.ID, State: Stopped}
	var unavailable *UnavailableError
	switch {
	case d.Disabled:
		unavailable = disabled(&d)
	case d.Connect == "":
		if s.Binary, _, unavailable = w.binary(d); unavailable == nil {
			c := Candidate{Definition: d}
			w.restrain(&c)
			unavailable = c.Unavailable
		}
	}
	if unavailable != nil {
		s.State, s.Reason, s.Install = unavailable.State, unavailable.Reason, unavailable.Install
	}
	return s
}
