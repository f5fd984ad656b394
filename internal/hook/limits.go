package hook

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/result"
)

// limit notes which servers do not judge all, as the checkout is not trusted: once in a session, for that stays so.
func (r *report) limit(m *memory, c *result.Check) {
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
