package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/skills"
)

const (
	skillsURI = "lspine://skills"
	// peerPrefix is the prefix of skill names in the full profile.
	peerPrefix = "lsp-"
	// maxSkillArgument limits an argument of a prompt, in bytes; arguments are meant to be names.
	maxSkillArgument = 2_000
)

// addSkills registers the skills for the offered tools, as prompts and as resources.
func (s *Server) addSkills() {
	offered := s.skills()
	if len(offered) == 0 {
		return
	}
	for _, skill := range offered {
		p := &mcp.Prompt{Name: skill.Name, Title: strings.ReplaceAll(strings.TrimPrefix(skill.Name, peerPrefix), "-", " "), Description: firstSentence(skill.Description)}
		for _, name := range skill.Arguments {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: name, Description: skillWords[name]})
		}
		s.mcp.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return s.prompt(req.Params.Name, req.Params.Arguments) // this does not keep the text in memory
		})
	}
	s.mcp.AddResource(&mcp.Resource{
		URI: skillsURI, Name: "skills", Title: "Skills", MIMEType: jsonType, Description: "Guides for common tasks: the calls, what answers mean, when to stop.",
	}, s.listSkills)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: skillsURI + "/{name}", Name: "skill", Title: "Skill", MIMEType: markdownType, Description: "One of these guides.",
	}, s.readSkill)
}

const markdownType = "text/markdown"

// skills returns the skills that can be followed with the offered tools: all in the full profile,
// otherwise those whose tools are offered. Profiles that imitate other products have none.
func (s *Server) skills() (list []skills.Skill) {
	if s.opts.Disabled || s.opts.Profile == profileLLXPRT || s.opts.Profile == profileOpta {
		return nil
	}
	for _, skill := range skills.All() {
		missing := slices.ContainsFunc(skill.Tools, func(name string) bool { return s.firstOffered([]string{name}) == "" })
		switch {
		case s.opts.Profile == profileFull:
			list = append(list, skill.Prefixed(peerPrefix))
		case !missing:
			list = append(list, skill)
		}
	}
	return list
}

// skillWords describes the arguments of skills.
var skillWords = map[string]string{
	"symbol":       "src/a.go:42 Load, src/a.go Config.Load or Config.Load",
	"file":         "path of a file",
	"new_name":     "what it is to be called",
	"old_text":     "exact text, found once",
	"new_text":     "what takes its place",
	"code":         "the new declaration",
	"query":        "a name, or part of one",
	"git_range":    "HEAD (not committed) or main...",
	"label":        "what the session is for",
	"line":         "line, from 1",
	"start_line":   "first line, from 1",
	"start_column": "first column, from 1",
	"end_line":     "last line",
	"end_column":   "column after the last character",
	"use":          "a place in the other repository, such as main.go:12 Load",
	"consumer":     "folder of the other repository",
}

// firstSentence returns the part of a description that a list shows.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(first, ".")
}

// skill reads an offered skill, by its name with or without the prefix of the full profile.
func (s *Server) skill(name string) (skills.Skill, bool) {
	offered := s.skills()
	i := slices.IndexFunc(offered, func(o skills.Skill) bool { return name == o.Name || peerPrefix+name == o.Name })
	if i < 0 {
		return skills.Skill{}, false
	}
	return offered[i], true
}

// prompt returns a skill, by its name, with its arguments replaced by values.
func (s *Server) prompt(name string, values map[string]string) (*mcp.GetPromptResult, error) {
	for _, argument := range slices.Sorted(maps.Keys(values)) {
		if n := len(values[argument]); n > maxSkillArgument {
			return nil, invalid(&api.ArgumentError{Argument: argument, Reason: fmt.Sprintf("it has %d bytes", n), Advice: fmt.Sprintf("at most %d; leave it out, and say it in your own words", maxSkillArgument)})
		}
	}
	skill, ok := s.skill(name)
	if !ok {
		return nil, invalid(&api.ArgumentError{Argument: "name", Reason: fmt.Sprintf("there is no prompt %q", name), Advice: "prompts/list lists them"})
	}
	text, err := skill.With(values)
	if err != nil {
		return nil, invalid(err)
	}
	return &mcp.GetPromptResult{
		Description: skill.Description,
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: s.translation(&skill) + text}}},
	}, nil
}

// invalid returns the error for a request with a wrong argument, with what to do.
func invalid(err error) error {
	message := legible.Hanging(err.Error())
	if hinted, ok := err.(interface{ Hint() string }); ok {
		message += "\n" + legible.Hanging(hinted.Hint())
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// translation returns a text that maps the tools in a skill to the tools of the full profile, "" in
// other profiles.
func (s *Server) translation(skill *skills.Skill) string {
	if s.opts.Profile != profileFull {
		return ""
	}
	var b strings.Builder
	b.WriteString("The calls below are those of LSPine's default profile. Here they have other names, and instead of `at` there are `file_path` with " +
		"`line` and `column`, or with `position_pattern`.\n\n")
	for _, name := range skill.Tools {
		for _, t := range defaultTools() {
			if t.name == name {
				fmt.Fprintf(&b, "* `%s`: %s\n", name, t.inFull)
			}
		}
	}
	return b.String() + "\n"
}

// A listedSkill is an entry of the list of skills.
type listedSkill struct {
	Name        string   `json:"name"`
	URI         string   `json:"uri"`
	Description string   `json:"description"`
	Arguments   []string `json:"arguments,omitempty"`
}

func (s *Server) listSkills(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	var list []listedSkill
	for _, skill := range s.skills() {
		list = append(list, listedSkill{skill.Name, skillsURI + "/" + skill.Name, skill.Description, skill.Arguments})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	return contentOf(req, jsonType, string(text)), nil
}

// readSkill reads one skill, by its name with or without the prefix of the full profile.
func (s *Server) readSkill(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	skill, ok := s.skill(strings.TrimPrefix(req.Params.URI, skillsURI+"/"))
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	return contentOf(req, markdownType, s.translation(&skill)+skill.Body), nil
}

func contentOf(req *mcp.ReadResourceRequest, kind, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: kind, Text: shownText(text)}}}
}
