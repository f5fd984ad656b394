package mcpserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// A skill that is activated in a session has phases, one after another. To a phase, a call is a
// deed: the name of its operation followed, if it has a mode or action, by a dot and that mode or
// action, such as references, rename.preview or simulate.commit.

// A phase is a part of a skill.
type phase struct {
	// name and does describe it to the model.
	name, does string
	// allowed and forbidden are patterns of deeds, which may end with a *. The longest matching
	// pattern decides; a deed that matches none is allowed.
	allowed, forbidden []string
	// done are patterns of deeds that end the phase when they succeed. One deed may end several
	// phases.
	done []string
}

// writes are the deeds that change files.
var writes = []string{
	"edit.apply*", "edit_symbol.apply*", "rename.apply*", "fixes.apply*", "format.apply*", "execute_command.apply*", "execute_code_lens.apply*", "simulate.commit",
}

// looks are the deeds that show what depends on something, drafts those that show what a change
// would break, and checks those that report diagnostics.
var (
	looks  = []string{"references", "impact", "hierarchy", "explore", "prepare_rename", "cross_repo_references"}
	drafts = []string{"edit.preview", "edit_symbol.preview", "rename.preview", "fixes.preview", "simulate.preview", "simulate.chain"}
	checks = []string{"check", "diagnostics"}
)

// phased are the skills that can be activated.
var phased = map[string][]phase{
	"rename": {
		{"survey", "find out what the symbol is and who uses it", looks, slices.Concat(writes, []string{"rename.*"}), looks},
		{"preview", "see the whole change, and what it would break", []string{"rename.preview"}, writes, []string{"rename.preview"}},
		{"rename", "write it", []string{"rename.*"}, []string{"edit.apply*", "edit_symbol.apply*", "fixes.apply*"}, []string{"rename.apply*"}},
	},
	"safe-edit": {
		{"survey", "find out who uses what changes", slices.Concat(looks, []string{"source"}), slices.Concat(writes, drafts), looks},
		{"preview", "see what the change would break", slices.Concat(drafts, []string{"simulate.*"}), writes, slices.Concat(drafts, []string{"simulate.evaluate"})},
		{"apply", "write it", writes, nil, writes},
		{"verify", "find out what it broke, in other files too", slices.Concat(checks, []string{"build", "test"}), writes, checks},
	},
	"refactor": {
		{"survey", "find out what depends on it, and which tests", looks, slices.Concat(writes, drafts), looks},
		{"draft", "make the edits in memory", slices.Concat(drafts, []string{"simulate.*"}), writes, slices.Concat(drafts, []string{"simulate.edit"})},
		{"judge", "see what they would break", slices.Concat(drafts, []string{"simulate.*"}), writes, slices.Concat(drafts, []string{"simulate.evaluate"})},
		{"apply", "write all or nothing", writes, nil, writes},
		{"verify", "find out what it broke, and run the tests", slices.Concat(checks, []string{"build", "test"}), writes, slices.Concat(checks, []string{"test"})},
	},
	"verify": {
		{"diagnose", "find out what is wrong in what changed", checks, slices.Concat(writes, []string{"build", "test"}), checks},
		{"reach", "find out what the change reaches, and which tests belong to it", []string{"impact", "tests_for"}, slices.Concat(writes, []string{"test"}), []string{"impact", "tests_for"}},
		{"build", "build it", []string{"build"}, slices.Concat(writes, []string{"test"}), []string{"build"}},
		{"test", "run the tests", []string{"test"}, writes, []string{"test"}},
		{"confirm", "look once more, because tests may write files", checks, writes, checks},
	},
}

// An enforcement is the active skill of a session.
type enforcement struct {
	skill string
	block bool
	// at is the index of its phase, from 0.
	at int
}

const (
	modeWarn  = "warn"
	modeBlock = "block"
)

// deed returns the deed of a call, given the arguments of its operation.
func (t *tool) deed(args arguments) string {
	var action, title string
	mode := "apply"
	var number int
	var apply bool
	// The operation rejects values of another type.
	_ = json.Unmarshal(args["action"], &action)
	_ = json.Unmarshal(args["title"], &title)
	_ = json.Unmarshal(args["apply"], &number)
	_ = json.Unmarshal(args["apply"], &apply)
	_ = json.Unmarshal(args["mode"], &mode)
	switch {
	case t.operation == "fixes" && number == 0 && title == "":
		return "fixes.list"
	case t.operation == "simulate" && action == api.SimulateCommit && !apply:
		return "simulate.patch"
	case t.operation == "simulate":
		return "simulate." + action
	case t.op.Input != nil && t.op.Input().Properties["mode"] != nil:
		return t.operation + "." + mode
	}
	return t.operation
}

// deeds returns all deeds that calls of the tool can be, given the arguments that it lists.
func (t *tool) deeds() (all []string) {
	fixed := make(arguments)
	for name, value := range t.fixed {
		fixed[name] = json.RawMessage(value)
	}
	switch {
	case t.operation == "simulate" && fixed["action"] == nil:
		for _, action := range []string{"create", "edit", "evaluate", "chain", "commit", "patch", "discard", "destroy", "list", "preview"} {
			all = append(all, "simulate."+action)
		}
	case t.operation == "simulate" && string(fixed["action"]) == `"`+api.SimulateCommit+`"`:
		all = []string{"simulate.commit", "simulate.patch"}
	case t.lists("mode") && fixed["mode"] == nil:
		for _, mode := range []string{"apply", "preview", "apply_if_clean"} {
			all = append(all, t.operation+"."+mode)
		}
	default:
		all = []string{t.deed(fixed)}
	}
	if t.operation == "fixes" && t.lists("apply") {
		all = append(all, "fixes.apply")
	}
	return all
}

// lists reports whether the tool lists an argument of its operation.
func (t *tool) lists(argument string) bool {
	return slices.ContainsFunc(t.parameters, func(p parameter) bool { return p.target() == argument })
}

// fit returns the length of the longest pattern that a deed matches, 0 if it matches none.
func fit(patterns []string, deed string) (longest int) {
	for _, p := range patterns {
		begin, open := strings.CutSuffix(p, "*")
		if p == deed || open && strings.HasPrefix(deed, begin) {
			longest = max(longest, len(p))
		}
	}
	return longest
}

// forbids reports whether a deed is forbidden in the phase.
func (p *phase) forbids(deed string) bool { return fit(p.forbidden, deed) > fit(p.allowed, deed) }

// phase returns the current phase.
func (e *enforcement) phase() *phase { return &phased[e.skill][e.at] }

// advance moves on to the phases that a successful deed leads to, and reports whether it ended the
// skill.
func (e *enforcement) advance(deed string) (ended bool) {
	for fit(e.phase().done, deed) > 0 {
		if e.at+1 == len(phased[e.skill]) {
			return true
		}
		e.at++
	}
	return false
}

// A phaseError says that a call is forbidden in the current phase.
type phaseError struct {
	tool  string
	first string // the tools that end the phase
	enforcement
}

func (e *phaseError) Error() string {
	p := e.phase()
	return fmt.Sprintf("%s is not for this phase of %s: %s (%d of %d), %s", e.tool, e.skill, p.name, e.at+1, len(phased[e.skill]), p.does)
}

// Kind returns result.OutOfPhase.
func (e *phaseError) Kind() result.Kind { return result.OutOfPhase }

// Hint says what to do first, and how to end the skill.
func (e *phaseError) Hint() string {
	return "first: " + cmp.Or(e.first, "what no tool here does") + "; deactivate_skill leaves the skill"
}

// inPhase returns what is wrong with a call in the current phase of its session: nothing, a
// warning, or an error.
func (s *Server) inPhase(own *session, t *tool, deed string) (warning string, err error) {
	e, active := own.enforced()
	if !active || !e.phase().forbids(deed) {
		return "", nil
	}
	wrong := &phaseError{t.name, strings.Join(s.toolsFor(e.phase().done), ", "), e}
	if e.block {
		return "", wrong
	}
	return wrong.Error() + "; " + wrong.Hint(), nil
}

// toolsFor returns the offered tools for patterns of deeds, with the mode or action in parentheses
// where it matters.
func (s *Server) toolsFor(patterns []string) (names []string) {
	for _, t := range s.tools {
		var how []string
		deeds := t.deeds()
		for _, deed := range deeds {
			if _, mode, _ := strings.Cut(deed, "."); fit(patterns, deed) > 0 {
				how = append(how, mode)
			}
		}
		switch len(how) {
		case 0:
		case len(deeds):
			names = append(names, t.name)
		default:
			names = append(names, t.name+" ("+strings.Join(how, ", ")+")")
		}
	}
	return names
}

// enforced returns the skill that is active in the session, false if there is none.
func (s *session) enforced() (enforcement, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.skill == nil {
		return enforcement{}, false
	}
	return *s.skill, true
}

// did advances the session's skill, which ends with its last phase.
func (s *session) did(deed string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.skill != nil && s.skill.advance(deed) {
		s.skill, s.ended = nil, s.skill.skill
	}
}
