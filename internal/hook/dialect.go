package hook

import (
	"bytes"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/legible"
)

// Agents returns all agents, sorted by name.
func Agents() []Agent { return slices.Sorted(maps.Keys(dialects)) }

// A dialect is what an agent reads from the standard output of its hooks. Without any more said, it is Claude Code's, whose
// format others imitate.
type dialect struct {
	// plain says that it reads text.
	plain bool
	// deafAt are the moments at which its model is not shown what a hook says.
	deafAt []Moment
	// toUser says that it shows its user what a hook says to him.
	toUser bool
	// context returns the output that shows a text to the model, in addition to the result of the tool.
	context func(text string) []byte
	// hold returns the output that makes it continue instead of ending its turn.
	hold func(text string) []byte
	// silence is the output that says nothing, silenceAtEnd that at the end of a turn: some require a document even then.
	silence, silenceAtEnd string
}

// dialects has every agent. To add one is to add it here, to see that [Decode] recognizes what it sends (a recorded payload
// in testdata shows that), and to say in package agents where its configuration is.
var dialects = map[Agent]dialect{
	Claude: {toUser: true},
	Cline: { // it cannot be held
		deafAt: []Moment{Begun, Prompted, Settled}, context: clineContext, silence: clineSilence, silenceAtEnd: clineSilence,
	},
	Codex:    {toUser: true, silenceAtEnd: "{}\n"},
	Copilot:  {deafAt: []Moment{Begun, Prompted}, context: copilotContext, silence: "{}\n", silenceAtEnd: "{}\n"},
	Cursor:   {deafAt: []Moment{Prompted}, context: cursorContext, hold: cursorHold, silence: "{}\n", silenceAtEnd: "{}\n"},
	Gemini:   {toUser: true, hold: geminiHold},
	LLxprt:   {deafAt: []Moment{Settled}}, // it would drop the tool calls that its model just made
	OpenCode: {plain: true, deafAt: []Moment{Begun, Prompted}},
	Pi:       {plain: true, deafAt: []Moment{Begun, Prompted}},
	Qwen:     {},
	Text:     {plain: true},
}

// hears reports whether the model of an agent is shown what a hook says at a moment.
func hears(a Agent, m Moment) bool { return m != Aside && !slices.Contains(dialects[a].deafAt, m) }

func copilotContext(text string) []byte { return encoded(output{AdditionalContext: text}) }
func cursorContext(text string) []byte  { return encoded(output{CursorContext: text}) }
func clineContext(text string) []byte   { return encoded(clineOutput{ContextModification: text}) }
func geminiHold(text string) []byte     { return encoded(output{Decision: "deny", Reason: text}) }
func cursorHold(text string) []byte     { return encoded(output{FollowUp: text}) }

// clineSilence is a document of Cline's that reports nothing.
const clineSilence = `{"cancel":false}` + "\n"

// shows reports whether an agent shows its user what a hook says to him.
func shows(a Agent) bool { return dialects[a].toUser }

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
