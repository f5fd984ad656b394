package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// skillTools returns the tools that begin and end a skill with phases.
func skillTools() []tool {
	return []tool{
		{
			name: "activate_skill", title: "Activate skill", description: "Guide this session through the phases of a skill: rename, safe-edit, refactor or verify.",
			parameters: []parameter{
				{name: "skill_name", to: "skill", kind: "string", required: true},
				{name: "mode", kind: "string", values: []value{{name: modeWarn}, {name: modeBlock}}, description: "for calls that do not fit the phase: warn (default) notes it, block refuses"},
			},
			own: activate, shape: shapeOf[skillState](nil), effect: changes,
		},
		{
			name: "deactivate_skill", title: "Deactivate skill", description: "Leave the active skill.",
			own: func(s *Server, req *mcp.CallToolRequest, _ arguments) (any, error) {
				own := s.session(req.Session)
				own.mu.Lock()
				defer own.mu.Unlock()
				left := "no skill is active"
				if own.skill != nil {
					left = "left " + own.skill.skill
				}
				own.skill, own.ended = nil, ""
				return skillState{Status: left}, nil
			},
			shape: shapeOf[skillState](nil), effect: changes,
		},
		{
			name: "get_skill_phase", title: "Skill phase", description: "Show the active skill, its phase, and the tools for that phase.",
			own: func(s *Server, req *mcp.CallToolRequest, _ arguments) (any, error) {
				return s.skillState(s.session(req.Session)), nil
			},
			shape: shapeOf[skillState](nil), reads: true,
		},
	}
}

// A skillState says which skill is active in a session, and in which phase.
type skillState struct {
	Active bool `json:"active"`
	// Skill and Name are the same.
	Skill        string   `json:"skill,omitempty"`
	Name         string   `json:"skill_name,omitempty"`
	Mode         string   `json:"mode,omitempty"`
	CurrentPhase string   `json:"current_phase,omitempty"`
	Does         string   `json:"does,omitempty"`
	Phase        int      `json:"phase,omitempty"` // from 1
	TotalPhases  int      `json:"total_phases,omitempty"`
	Allowed      []string `json:"allowed_tools,omitempty"`
	Forbidden    []string `json:"forbidden_tools,omitempty"`
	// EndsWith lists tools; a successful call of any of them ends the phase.
	EndsWith []string `json:"ends_with,omitempty"`
	Status   string   `json:"status"`
}

func (s skillState) String() string {
	if !s.Active {
		return s.Status
	}
	return fmt.Sprintf("%s, phase %d of %d: %s, %s (%s)\nends with: %s\nforbidden: %s",
		s.Skill, s.Phase, s.TotalPhases, s.CurrentPhase, s.Does, s.Mode, strings.Join(s.EndsWith, ", "), strings.Join(s.Forbidden, ", "))
}

// activate begins a skill in the session, at its first phase.
func activate(s *Server, req *mcp.CallToolRequest, args arguments) (any, error) {
	if req.Extra != nil && req.Extra.Header != nil && req.Extra.Header.Get("Mcp-Session-Id") == "" {
		return nil, &result.Error{
			Kind: result.Unsupported, Message: "this connection has no session, and would forget the skill",
			Hint: "connect over standard input and output, or over HTTP at a revision of MCP with sessions",
		}
	}
	var name, mode string
	if json.Unmarshal(args["skill"], &name) != nil {
		return nil, &api.ArgumentError{Argument: "skill_name", Reason: "it is no string", Advice: `for example skill_name: "rename"`}
	}
	_ = json.Unmarshal(args["mode"], &mode) // the schema allows only its values
	name = strings.TrimPrefix(name, peerPrefix)
	if phased[name] == nil {
		return nil, &api.ArgumentError{Argument: "skill_name", Reason: fmt.Sprintf("%q has no phases", name), Advice: "those that have are " + strings.Join(phasedNames(), ", ")}
	}
	own := s.session(req.Session)
	own.mu.Lock()
	own.skill, own.ended = &enforcement{skill: name, block: mode == modeBlock}, ""
	own.mu.Unlock()
	return s.skillState(own), nil
}

func phasedNames() (names []string) {
	for name := range phased {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// skillState returns the state of the skill of a session.
func (s *Server) skillState(own *session) skillState {
	e, active := own.enforced()
	if !active {
		own.mu.Lock()
		defer own.mu.Unlock()
		if own.ended != "" {
			return skillState{Status: own.ended + " is complete: nothing is forbidden any more"}
		}
		return skillState{Status: "no skill is active"}
	}
	p := e.phase()
	mode := modeWarn
	if e.block {
		mode = modeBlock
	}
	state := skillState{
		Active: true, Skill: e.skill, Name: e.skill, Mode: mode, CurrentPhase: p.name, Does: p.does, Phase: e.at + 1, TotalPhases: len(phased[e.skill]),
		EndsWith: s.toolsFor(p.done), Status: "active",
	}
	for _, t := range s.tools {
		deeds := t.deeds()
		switch {
		case slices.ContainsFunc(deeds, func(deed string) bool { return fit(p.allowed, deed) > 0 && !p.forbids(deed) }):
			state.Allowed = append(state.Allowed, t.name)
		case !slices.ContainsFunc(deeds, func(deed string) bool { return !p.forbids(deed) }):
			state.Forbidden = append(state.Forbidden, t.name)
		}
	}
	return state
}

// warned adds a warning to an answer: as a member if the text is JSON, otherwise as a line.
func (s *Server) warned(answer *mcp.CallToolResult, warning string) *mcp.CallToolResult {
	text, ok := answer.Content[0].(*mcp.TextContent)
	if warning == "" || !ok {
		return answer
	}
	if raw, isJSON := answer.StructuredContent.(json.RawMessage); isJSON && text.Text == string(raw) {
		told := withMember(raw, "skill_warning", warning)
		answer.StructuredContent = json.RawMessage(told)
		answer.Content = []mcp.Content{&mcp.TextContent{Text: string(told)}}
		return answer
	}
	answer.Content = []mcp.Content{&mcp.TextContent{Text: text.Text + "\nwarning: " + warning}}
	return answer
}
