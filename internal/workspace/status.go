package workspace

import (
	"cmp"
	"slices"

	"github.com/lspine/lspine/internal/registry"
)

func sortByRoot(instances []*instance) {
	slices.SortFunc(instances, func(a, b *instance) int { return cmp.Compare(a.key.Root, b.key.Root) })
}

// disabled says why a server that is switched off is not available.
func disabled(d *registry.Definition) *UnavailableError {
	reason := "disabled by configuration"
	if d.DisabledBy != "" {
		reason = "not started: " + d.DisabledBy
	}
	return &UnavailableError{d.ID, Disabled, reason, nil}
}

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
