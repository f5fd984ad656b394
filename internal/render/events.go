package render

import (
	"fmt"
	"strings"
	"time"
)

// Events are what happened to servers.
type Events struct {
	Head
	Events []Event `json:"events" jsonschema:"the oldest first; at most the last hundred"`
	Last   uint64  `json:"last" jsonschema:"the number of the last event there was: after, to go on from here"`
}

// An Event is something that happened to one server.
type Event struct {
	Number uint64    `json:"number"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind" jsonschema:"started, crashed, recovered, rested or given_up"`
	Server string    `json:"server"`
	Root   string    `json:"root" jsonschema:"relative to the workspace"`
	Reason string    `json:"reason,omitempty" jsonschema:"why it ended"`
}

// Fit implements [Reply]: the oldest go first.
func (e *Events) Fit(limit int) {
	fit(limit, e, func() bool {
		if len(e.Events) < 2 {
			return false
		}
		e.Events = e.Events[len(e.Events)/2:]
		e.Cut = "the oldest events are left out for the budget"
		return true
	})
}

// Brief implements [Reply].
func (e *Events) Brief() string {
	return e.write(func(b *strings.Builder) {
		if len(e.Events) == 0 && e.Cut == "" {
			b.WriteString("No events.\n")
		}
		for _, event := range e.Events {
			fmt.Fprintf(b, "%d %s %s %s (%s)", event.Number, event.Time.Format(time.TimeOnly), defused(event.Server), event.Kind, defused(event.Root))
			if event.Reason != "" {
				b.WriteString(": " + oneLine(event.Reason))
			}
			b.WriteString("\n")
		}
	})
}
