package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A payload is what any agent writes to its hook's standard input. Fields with the same name mean
// the same for all agents.
type payload struct {
	HookEventName  string   `json:"hook_event_name"`
	SessionID      string   `json:"session_id"`
	CWD            string   `json:"cwd"`
	TranscriptPath *string  `json:"transcript_path"`
	Timestamp      any      `json:"timestamp"`
	TurnID         string   `json:"turn_id"`
	Model          string   `json:"model"`
	StopReason     *string  `json:"stop_reason"`
	PermissionMode string   `json:"permission_mode"`
	ToolCallID     string   `json:"tool_call_id"`
	ToolResult     toolTold `json:"tool_result"`
	toolCall
	ToolCalls []toolCall `json:"tool_calls"`

	// Copilot's own format. It does not include the name of the event.
	CopilotSession    string          `json:"sessionId"`
	CopilotTool       string          `json:"toolName"`
	CopilotArgs       json.RawMessage `json:"toolArgs"`
	CopilotStopReason *string         `json:"stopReason"`
	CopilotPrompt     *string         `json:"prompt"`
	Source            string          `json:"source"`

	// Cursor's.
	CursorVersion *string         `json:"cursor_version"`
	Conversation  string          `json:"conversation_id"`
	CursorRoots   []string        `json:"workspace_roots"`
	FilePath      string          `json:"file_path"`
	FileEdits     json.RawMessage `json:"edits"`
	Status        string          `json:"status"`

	// Cline's.
	ClineVersion *string  `json:"clineVersion"`
	HookName     string   `json:"hookName"`
	TaskID       string   `json:"taskId"`
	ClineRoots   []string `json:"workspaceRoots"`
	PostToolUse  *struct {
		ToolName   string          `json:"toolName"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"postToolUse"`
}

// A toolCall is one use of a tool.
type toolCall struct {
	ToolName     string          `json:"tool_name"`
	ToolInput    json.RawMessage `json:"tool_input"`
	ToolResponse json.RawMessage `json:"tool_response"`
}

// toolTold records whether the result of a tool has Copilot's form.
type toolTold struct{ isCopilots bool }

// UnmarshalJSON never fails.
func (t *toolTold) UnmarshalJSON(data []byte) error {
	var result struct {
		Text *string `json:"text_result_for_llm"`
	}
	t.isCopilots = json.Unmarshal(data, &result) == nil && result.Text != nil
	return nil
}

// errNoPayload says that the input is not a hook's payload.
var errNoPayload = errors.New("this is not the payload of a hook: it names neither an event nor a tool")

// Decode reads a payload. The agent is hint if that is not "", otherwise the one that the payload
// or, if payloads are alike, the environment identifies.
func Decode(data []byte, hint Agent, environ []string) (*Event, error) {
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("the payload of the hook: %w", err)
	}
	e := &Event{Agent: p.agent(environ), Name: p.event(), Session: p.session(), Dir: p.dir()}
	if hint != "" {
		e.Agent = hint
	}
	if e.Name == "" {
		return nil, errNoPayload
	}
	e.Moment = moments[e.Name]
	e.Aborted = e.Agent == Cursor && p.Status != "" && p.Status != "completed"
	if e.Moment == Edited {
		p.addEdits(e)
	}
	return e, nil
}

// agent returns which agent sent the payload. Without signs of another agent it is Claude Code,
// whose format others imitate.
func (p *payload) agent(environ []string) Agent {
	event := p.HookEventName
	switch {
	case p.CursorVersion != nil, p.CursorRoots != nil && event != "" && strings.ToLower(event[:1]) == event[:1]:
		return Cursor
	case p.ClineVersion != nil, p.HookName != "" && p.TaskID != "":
		return Cline
	case p.CopilotSession != "" && p.SessionID == "", p.CopilotTool != "":
		return Copilot
	case p.ToolResult.isCopilots, p.StopReason != nil, hasVariable(environ, "COPILOT_CLI"):
		return Copilot
	case event == "AfterTool", event == "AfterAgent", event == "BeforeAgent":
		return p.geminiOrLLxprt()
	case p.TurnID != "" && p.Model != "":
		return Codex
	case p.Timestamp != nil && p.PermissionMode == "" && strings.HasPrefix(event, "Session"):
		return p.geminiOrLLxprt()
	case p.Timestamp != nil, p.ToolCallID != "":
		return Qwen
	}
	return Claude
}

// geminiOrLLxprt returns LLxprt if the payload has an empty transcript path, because LLxprt keeps
// no transcript.
func (p *payload) geminiOrLLxprt() Agent {
	if p.TranscriptPath != nil && *p.TranscriptPath == "" {
		return LLxprt
	}
	return Gemini
}

// event returns the name of the event. Where Copilot does not send it, it is guessed from the other
// fields.
func (p *payload) event() string {
	switch {
	case p.HookEventName != "":
		return p.HookEventName
	case p.HookName != "":
		return p.HookName
	case p.CopilotTool != "":
		return "postToolUse"
	case p.CopilotSession == "":
		return ""
	case p.CopilotStopReason != nil:
		return "agentStop"
	case p.CopilotPrompt != nil:
		return "userPromptSubmitted"
	case p.Source != "":
		return "sessionStart"
	}
	return ""
}

func (p *payload) session() string {
	for _, id := range []string{p.SessionID, p.CopilotSession, p.Conversation, p.TaskID} {
		if id != "" {
			return id
		}
	}
	return ""
}

func (p *payload) dir() string {
	switch {
	case p.CWD != "":
		return p.CWD
	case len(p.CursorRoots) > 0:
		return p.CursorRoots[0]
	case len(p.ClineRoots) > 0:
		return p.ClineRoots[0]
	}
	return ""
}

// addEdits adds to the event what its tools changed.
func (p *payload) addEdits(e *Event) {
	calls := p.ToolCalls
	switch {
	case p.FilePath != "":
		e.addEdit(Edit{Path: p.FilePath, Undo: replacements(p.FileEdits)})
		return
	case p.CopilotTool != "":
		calls = append(calls, toolCall{ToolName: p.CopilotTool, ToolInput: p.CopilotArgs})
	case p.PostToolUse != nil:
		calls = append(calls, toolCall{ToolName: p.PostToolUse.ToolName, ToolInput: p.PostToolUse.Parameters})
	case p.ToolName != "":
		calls = append(calls, p.toolCall)
	}
	if e.Name == "afterShellExecution" {
		e.Sweep = true
	}
	for _, call := range calls {
		call.addEdits(e)
	}
}

func hasVariable(environ []string, variable string) bool {
	for _, v := range environ {
		if name, value, _ := strings.Cut(v, "="); name == variable && value != "" {
			return true
		}
	}
	return false
}
