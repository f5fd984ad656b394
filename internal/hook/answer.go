package hook

import "github.com/lspine/lspine/internal/legible"

// answer returns the output with which an agent shows text to its model, in addition to the result
// of the tool, and person to its user, as far as it can. If both are "", the output reports nothing.
func answer(e *Event, text, person string) []byte {
	d, heard := dialects[e.Agent], text != "" && hears(e.Agent, e.Moment)
	if !d.toUser {
		person = ""
	}
	switch {
	case person != "" && !heard:
		return encoded(output{SystemMessage: person})
	case d.plain:
		return legible.Printed(text)
	case !heard && e.Moment == Settled:
		return []byte(d.silenceAtEnd)
	case !heard:
		return []byte(d.silence)
	case e.Moment == Settled && d.hold != nil:
		return d.hold(text)
	case e.Moment == Settled:
		return encoded(output{Decision: "block", Reason: text})
	case d.context != nil:
		return d.context(text)
	}
	return encoded(output{Specific: &specificOutput{EventName: e.Name, AdditionalContext: text}, SystemMessage: person})
}
