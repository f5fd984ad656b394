package hook

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// noteUntrusted notes which servers do not judge everything because the checkout is not trusted. That is said once in a
// session.
func (r *report) noteUntrusted(m *memory, c *result.Check) {
	for _, files := range [][]result.File{c.Files, c.Others} {
		for i := range files {
			for _, a := range files[i].Servers {
				if a.Untrusted && !slices.Contains(m.Limited, a.Server) {
					m.Limited = append(m.Limited, a.Server)
					reason, _, _ := strings.Cut(a.Reason, "; not counted, ")
					r.limits = append(r.limits, a.Server+": "+reason)
				}
			}
		}
	}
}

// quieted says that the checkout makes answers leave something out: once in a session, and not in a way that
// keeps the agent from ending its turn.
func (r *run) quieted() string {
	m, moment := r.memory, r.event.Moment
	if len(r.workspace.Quieted) == 0 || m.Quieted || moment == Settled || !hears(r.event.Agent, moment) {
		return ""
	}
	m.Quieted = true
	return "said once: settings of this checkout, which the user has not trusted, make this hook say less: " +
		legible.Model(legible.Message(strings.Join(r.workspace.Quieted, ", "))) + "\n"
}

// isLimited reports whether all diagnostics of a file are known that there can be while the checkout is not trusted.
func isLimited(f *result.File) bool {
	limited := false
	for _, a := range f.Servers {
		limited = limited || a.Untrusted
		if a.Freshness != "fresh" && !a.Dispensable && !(a.Untrusted && a.Freshness == "partial") { // one that did not start said nothing
			return false
		}
	}
	return limited && f.Error == nil
}
