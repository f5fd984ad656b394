package hook

import (
	"bytes"

	"github.com/lspine/lspine/internal/legible"
)

// answer returns the output with which an agent shows text to its model, in addition to the result
// of the tool. If text is "", the output reports nothing.
func answer(e *Event, text string) []byte {
	if e.Agent == Text || e.Agent == OpenCode || e.Agent == Pi {
		return legible.Printed(text)
	}
	if text == "" || !hears(e.Agent, e.Moment) {
		return silence(e)
	}
	if e.Moment == Settled {
		return hold(e, text)
	}
	switch e.Agent {
	case Copilot:
		return encoded(output{AdditionalContext: text})
	case Cursor:
		return encoded(output{CursorContext: text})
	case Cline:
		return encoded(clineOutput{ContextModification: text})
	}
	return encoded(output{Specific: &specificOutput{EventName: e.Name, AdditionalContext: text}})
}

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
