package agents

import (
	"bytes"
	"strings"
)

// The section of an agent's rules that is ours stands between these lines.
const (
	rulesBegin = "<!-- lspine: begin -->\n"
	rulesEnd   = "<!-- lspine: end -->\n"
)

// rulesText is for every agent: its model reads it before all else, so it is short.
const rulesText = rulesBegin +
	"After you changed files with tools of your own, call `check` of the MCP server lspine, without arguments, and fix the new\n" +
	"errors that it lists. To learn where a name is defined or used, call `definition` or `references`: they find what a search for\n" +
	"text misses.\n" +
	rulesEnd

// Rules plans to add our section to an agent's rules or, if wanted is false, to remove it. It reports whether
// the agent reads a file of rules in the scope. What others wrote there stays.
func (p *Plan) Rules(agent string, scope Scope, wanted bool) (has bool, err error) {
	f := known[agent].rules
	if f.project == "" || scope == User && f.user == "" {
		return false, nil
	}
	c, err := p.changeOf(p.place.file(agent, f, scope))
	if err != nil {
		return true, err
	}
	c.lines = true
	rest, _ := withoutRules(string(c.After))
	switch {
	case wanted && rest == "":
		rest = rulesText
	case wanted:
		rest = strings.TrimSuffix(rest, "\n") + "\n\n" + rulesText
	}
	if wanted || !bytes.Equal(c.After, []byte(rest)) {
		c.After, c.Removed = []byte(rest), rest == ""
	}
	return true, nil
}

// withoutRules returns a text without our section and the line before it, and whether there was one.
func withoutRules(text string) (rest string, found bool) {
	before, section, found := strings.Cut(text, rulesBegin)
	if !found {
		return text, false
	}
	_, after, _ := strings.Cut(section, rulesEnd) // without an end all of it is ours
	if before != "" {
		before = strings.TrimSuffix(before, "\n")
	}
	return before + after, true
}
