package hook

import (
	"bytes"

	"github.com/lspine/lspine/internal/legible"
)

// answer returns the output with which an agent shows text to its model, in addition to the result
// of the tool, and person to its user, as far as it can. If both are "", the output reports nothing.
func answer(e *Event, text, person string) []byte {
	if person != "" && shows(e.Agent) && (text == "" || !hears(e.Agent, e.Moment)) {
		return encoded(output{SystemMessage: person})
	}
	if e.Agent == Text || e.Agent == OpenCode || e.Agent == Pi {
		return legible.Printed(text)
	}
	if text == "" || !hears(e.Agent, e.Moment) {
		return silence(e)
	}
	if e.Moment == Settled {
		return hold(e, text)
	}
	if !shows(e.Agent) {
		person = ""
	}
	switch e.Agent {
	case Copilot:
		return encoded(output{AdditionalContext: text})
	case Cursor:
		return encoded(output{CursorContext: text})
	case Cline:
		return encoded(clineOutput{ContextModification: text})
	}
	return encoded(output{Specific: &specificOutput{EventName: e.Name, AdditionalContext: text}, SystemMessage: person})
}

// shows reports whether an agent shows its user what a hook says to him.
func shows(a Agent) bool { return a == Claude || a == Codex || a == Gemini }

// hold returns the output that makes an agent continue instead of ending its turn.
func hold(e *Event, text string) []byte {
	switch e.Agent {
	case Gemini:
		return encoded(output{Decision: "deny", Reason: text})
	case Cursor:
		return encoded(output{FollowUp: text})
	}
	return encoded(output{Decision: "block", Reason: text})
}

// silence returns the output that reports nothing. Some agents require a JSON document even then.
func silence(e *Event) []byte {
	switch {
	case e.Agent == Cline:
		return encoded(clineOutput{})
	case e.Agent == Copilot, e.Agent == Cursor, e.Agent == Codex && e.Moment == Settled:
		return []byte("{}\n")
	}
	return nil
}

// An output is what agents read from the standard output of their hooks. Each uses only a few
// fields.
type output struct {
	Specific          *specificOutput `json:"hookSpecificOutput,omitempty"`
	AdditionalContext string          `json:"additionalContext,omitempty"`  // Copilot's
	CursorContext     string          `json:"additional_context,omitempty"` // Cursor's
	FollowUp          string          `json:"followup_message,omitempty"`   // Cursor's
	Decision          string          `json:"decision,omitempty"`
	SystemMessage     string          `json:"systemMessage,omitempty"` // for the user
	Reason            string          `json:"reason,omitempty"`
}

type specificOutput struct {
	EventName         string `json:"hookEventName"`
	AdditionalContext string `json:"additionalContext"`
}

// clineOutput is what Cline reads. It must say that the tool is not cancelled.
type clineOutput struct {
	Cancel              bool   `json:"cancel"`
	ContextModification string `json:"contextModification,omitempty"`
}

func encoded[T output | clineOutput](document T) []byte {
	var b bytes.Buffer
	if err := legible.Encode(&b, document, ""); err != nil {
		panic(err) // these types always encode
	}
	return b.Bytes()
}
