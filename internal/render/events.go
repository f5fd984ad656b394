package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// fitEvents shortens: the oldest go first.
func fitEvents(e *result.Events, limit int) {
	fit(limit, e, func() bool {
		if len(e.Events) < 2 {
			return false
		}
		e.Events = e.Events[len(e.Events)/2:]
		e.Cut = "the oldest events are left out for the budget"
		return true
	})
}

func briefEvents(e *result.Events) string {
	return write(&e.Head, func(b *strings.Builder) {
		if len(e.Events) == 0 && e.Cut == "" {
			b.WriteString("No events.\n")
		}
		for i := range e.Events {
			event := &e.Events[i]
			if len(event.Files) > 0 {
				writeChanged(b, event)
				continue
			}
			fmt.Fprintf(b, "%d %s %s %s (%s)", event.Number, event.Time.Format(time.TimeOnly),
				legible.Line(event.Server), legible.Line(event.Kind), legible.Line(event.Root))
			if event.Reason != "" {
				b.WriteString(": " + oneLine(event.Reason))
			}
			b.WriteString("\n")
		}
	})
}

func writeChanged(b *strings.Builder, event *result.Event) {
	var files []string
	for _, file := range event.Files {
		files = append(files, legible.Line(file))
	}
	fmt.Fprintf(b, "%d %s changed on disk: %s", event.Number, event.Time.Format(time.TimeOnly), strings.Join(files, ", "))
	if event.More > 0 {
		fmt.Fprintf(b, " and %d more", event.More)
	}
	b.WriteString("\n")
}
