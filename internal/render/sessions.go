package render

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// fitSessions shortens: simulations go before sessions, the oldest first.
func fitSessions(s *result.Sessions, limit int) {
	fit(limit, s, func() bool {
		switch {
		case len(s.Simulations) > 0:
			s.Simulations, s.Cut = s.Simulations[(len(s.Simulations)+1)/2:], "the oldest simulations are left out for the budget"
		case len(s.Sessions) > 1:
			s.Sessions, s.Cut = s.Sessions[len(s.Sessions)/2:], "the oldest sessions are left out for the budget"
		default:
			return false
		}
		return true
	})
}

func briefSessions(s *result.Sessions) string {
	return write(&s.Head, func(b *strings.Builder) {
		if len(s.Sessions) == 0 && s.Cut == "" {
			b.WriteString("No sessions.\n")
		}
		for i := range s.Sessions {
			of := &s.Sessions[i]
			client := legible.Line(cmp.Or(of.Client, "-"))
			fmt.Fprintf(b, "%d %s since %s, %d %s", of.Number, client, of.Began.Format(time.TimeOnly), of.Calls, plural(of.Calls, "call"))
			if of.Operation != "" {
				fmt.Fprintf(b, ", the last %s at %s", legible.Line(of.Operation), of.Last.Format(time.TimeOnly))
			}
			if of.Running > 0 {
				fmt.Fprintf(b, ", %d in progress", of.Running)
			}
			b.WriteString("\n")
		}
		for i := range s.Simulations {
			fmt.Fprintf(b, "simulation of %d: ", s.Simulations[i].Holder)
			writeSession(b, &s.Simulations[i].SimulationSession)
		}
	})
}
