package config

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/policy"
)

// Rules come from the user alone. One that cannot be read might have denied something, so it
// does not just fall away: until it is fixed, nothing is changed or run.

// policyKey is the list of rules.
func policyKey() Key {
	k := newKey("policy", "an array of rules", func(s *Settings) *[]policy.Rule { return &s.Policy }, readRules,
		func(rules []policy.Rule) any { return append([]policy.Rule{}, rules...) })
	k.json = true
	return k.as(func() *jsonschema.Schema { return &jsonschema.Schema{Type: "array", Items: ruleSchema()} })
}

// ruleMembers are those of a match, with where each goes.
var ruleMembers = []struct {
	name, doc string
	field     func(*policy.Match) *[]string
	known     func() []string // nil: globs
}{
	{"operation", "Names of operations, or globs.", func(m *policy.Match) *[]string { return &m.Operation }, nil},
	{"class", "What the call may do: read, edit, execute or admin.", func(m *policy.Match) *[]string { return &m.Class }, func() []string { return wordsOf(policy.Classes) }},
	{"path", "Globs of files and folders: relative to the workspace root, absolute, or beginning with ~/.", func(m *policy.Match) *[]string { return &m.Path }, nil},
	{"server", "Ids of language servers, or globs.", func(m *policy.Match) *[]string { return &m.Server }, nil},
	{"client", "Who asks: cli, mcp, mcp/NAME, service or hook, or globs.", func(m *policy.Match) *[]string { return &m.Client }, nil},
	{"mode", "The mode: interactive, non-interactive or sensitive.", func(m *policy.Match) *[]string { return &m.Mode }, func() []string { return wordsOf(policy.Modes) }},
}

func ruleSchema() *jsonschema.Schema {
	members := make(map[string]*jsonschema.Schema)
	for _, m := range ruleMembers {
		one := &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}
		if m.known != nil {
			one = enumOf(m.known())
		}
		members[m.name] = &jsonschema.Schema{Description: m.doc, AnyOf: []*jsonschema.Schema{one, {Type: "array", Items: one, MinItems: jsonschema.Ptr(1)}}}
	}
	match := closed(members)
	match.Description = "Which calls the rule is about: those that fit every member. Without members: all."
	describedAs := func(s *jsonschema.Schema, doc string) *jsonschema.Schema {
		s.Description = doc
		return s
	}
	rule := closed(map[string]*jsonschema.Schema{
		"match":    match,
		"action":   describedAs(enumOf(wordsOf(policy.Actions)), "What happens to them."),
		"fallback": describedAs(enumOf([]string{string(policy.Allow), string(policy.Deny)}), "With ask: what happens where nobody can be asked or nobody answers; default deny."),
		"reason":   describedAs(&jsonschema.Schema{Type: "string"}, "Told to whoever is asked or denied."),
	})
	rule.Required = []string{"action"}
	return rule
}

// ReadRules reads an array of rules, as "policy" in a configuration has one. An error has a method Hint.
func ReadRules(v hujson.Value) ([]policy.Rule, error) { return readRules(v) }

func readRules(v hujson.Value) ([]policy.Rule, error) {
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, wrongType("an array of rules", v)
	}
	var rules []policy.Rule
	for i, e := range list.Elements {
		rule, err := readRule(e)
		if err != nil {
			return nil, ruleError(i+1, err)
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// ruleError says which rule is wrong.
func ruleError(number int, err error) error {
	of := &valueError{message: fmt.Sprintf("rule %d: %v", number, err)}
	if inner, ok := err.(*valueError); ok {
		of.hint = inner.hint
	}
	return of
}

func readRule(v hujson.Value) (rule policy.Rule, err error) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return rule, wrongType("an object", v)
	}
	seen := make(map[string]bool)
	for _, m := range o.Members {
		name := nameOf(m)
		if seen[name] {
			return rule, impossible("%s stands twice", name)
		}
		seen[name] = true
		switch name {
		case "match":
			rule.Match, err = readMatch(m.Value)
		case "action":
			rule.Action, err = readWord(m.Value, policy.Actions)
		case "fallback":
			rule.Fallback, err = readWord(m.Value, []policy.Action{policy.Allow, policy.Deny})
		case "reason":
			rule.Reason, err = readString(m.Value)
		default:
			err = &valueError{fmt.Sprintf("unknown key %q", name), suggest(name, []string{"match", "action", "fallback", "reason"})}
		}
		if err != nil {
			return rule, err
		}
	}
	switch {
	case rule.Action == "":
		return rule, &valueError{`has no "action"`, "actions are allow, ask and deny"}
	case rule.Fallback != "" && rule.Action != policy.Ask:
		return rule, &valueError{`"fallback" is of ask alone`, "leave it out"}
	}
	return rule, nil
}

func readMatch(v hujson.Value) (match policy.Match, err error) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return match, wrongType("an object", v)
	}
	var known []string
	for _, m := range ruleMembers {
		known = append(known, m.name)
	}
	for _, m := range o.Members {
		name := nameOf(m)
		i := slices.Index(known, name)
		if i < 0 {
			return match, &valueError{fmt.Sprintf("unknown key %q in match", name), suggest(name, known)}
		}
		field := ruleMembers[i].field(&match)
		if *field != nil {
			return match, impossible("%s stands twice", name)
		}
		if *field, err = readGlobs(m.Value, name, ruleMembers[i].known); err != nil {
			return match, err
		}
	}
	return match, nil
}

// readGlobs reads one string or several; known are all that may be said, nil for globs.
func readGlobs(v hujson.Value, name string, known func() []string) ([]string, error) {
	list := hujson.Value{Value: &hujson.Array{Elements: []hujson.Value{v}}}
	if _, several := v.Value.(*hujson.Array); several {
		list = v
	}
	globs, err := readStrings(list, "a string or an array of strings", func(s string) error {
		if known == nil {
			return checkGlob(s)
		}
		if words := known(); !slices.Contains(words, s) {
			return &valueError{fmt.Sprintf("there is no %s %q", name, s), "it may be " + strings.Join(words, ", ")}
		}
		return nil
	})
	if err == nil && len(globs) == 0 {
		err = impossible("%s is empty: nothing would fit it", name)
	}
	return globs, err
}

// placeRules says of each rule where it stands, and makes the paths in it absolute that begin in
// the home folder.
func (l *loader) placeRules(source func(element hujson.Value, number int) string, v hujson.Value) {
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return
	}
	home := filepath.ToSlash(firstOf(l.environ["HOME"], l.environ["USERPROFILE"]))
	for i := range l.config.Settings.Policy {
		rule := &l.config.Settings.Policy[i]
		rule.Source = source(list.Elements[i], i+1)
		for j, glob := range rule.Match.Path {
			if rest, inHome := strings.CutPrefix(glob, "~/"); inHome && home != "" {
				rule.Match.Path[j] = path.Join(home, rest)
			}
		}
	}
}

// locked is the rule that lets nothing be changed or run, since what the user wrote cannot be
// read.
func locked(source, why string) *policy.Rule {
	return &policy.Rule{
		Match:  policy.Match{Class: wordsOf([]policy.Class{policy.Edit, policy.Execute, policy.Admin})},
		Action: policy.Deny, Reason: why, Source: source,
	}
}

// badPolicy notes that a key cannot be read, if it is part of the policy.
func (l *loader) badPolicy(key Key, source string) {
	switch key.name() {
	case "policyMode":
		l.badMode = true
		fallthrough
	case "policy":
		l.locked = locked(source, key.Path+" cannot be read")
	}
}

// finishPolicy makes the policy a strict one where a part of it cannot be read: a key, or a whole
// file of the user or of the host, in which there may be rules.
func (l *loader) finishPolicy() {
	for _, p := range l.problems {
		if (p.Layer == LayerUser || p.Layer == LayerHost) && p.Key == "" && p.File != "" {
			l.locked = locked(p.File, "the configuration cannot be read, and may hold rules")
		}
	}
	if l.badMode {
		l.config.Settings.PolicyMode = policy.NonInteractive
	}
	if l.locked != nil {
		l.config.Settings.Policy = []policy.Rule{*l.locked}
	}
}
