package mcpserver

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/extension"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/skills"
)

// Each skill with phases is a skill; each phase can be ended by a tool of the full profile that it does
// not forbid, and its patterns are of deeds that there are.
func TestPhasesCanBePassed(t *testing.T) {
	counts := map[string]int{"rename": 3, "refactor": 5, "safe-edit": 4, "verify": 5}
	for name, phases := range phased {
		if _, ok := skills.Named(name); !ok || len(phases) != counts[name] {
			t.Errorf("%s: %d phases", name, len(phases))
		}
	}
	deeds := make(map[string][]string)
	var all []string
	for _, op := range api.Operations() {
		of := tool{operation: op.Name, op: op, parameters: []parameter{{name: "apply"}}}
		if op.Input().Properties["mode"] != nil {
			of.parameters = append(of.parameters, parameter{name: "mode"})
		}
		all = append(all, of.deeds()...)
	}
	tools := byName(t, profileFull)
	for name, tool := range tools {
		deeds[name] = tool.deeds()
	}
	for skill, phases := range phased {
		for _, p := range phases {
			for _, pattern := range slices.Concat(p.allowed, p.forbidden, p.done) {
				if !slices.ContainsFunc(all, func(deed string) bool { return fit([]string{pattern}, deed) > 0 }) {
					t.Errorf("%s, %s: nothing is %s", skill, p.name, pattern)
				}
			}
			passable := false
			for name := range tools {
				passable = passable || slices.ContainsFunc(deeds[name], func(deed string) bool { return fit(p.done, deed) > 0 && !p.forbids(deed) })
			}
			if !passable {
				t.Errorf("%s, %s: no tool ends it", skill, p.name)
			}
		}
	}
}

// What a call is to phases goes by its mode or action, whoever says it: the call, or the tool.
func TestDeeds(t *testing.T) {
	tools, full := byName(t, ""), byName(t, profileFull)
	for _, c := range []struct {
		tool *tool
		args arguments
		want string
	}{
		{tools["references"], arguments{}, "references"},
		{tools["rename"], arguments{}, "rename.apply"},
		{tools["rename"], arguments{"mode": []byte(`"preview"`)}, "rename.preview"},
		{tools["fixes"], arguments{}, "fixes.list"},
		{tools["fixes"], arguments{"apply": []byte(`2`)}, "fixes.apply"},
		{tools["fixes"], arguments{"title": []byte(`"x"`), "mode": []byte(`"apply_if_clean"`)}, "fixes.apply_if_clean"},
		{tools["simulate"], arguments{"action": []byte(`"commit"`)}, "simulate.patch"},
		{tools["simulate"], arguments{"action": []byte(`"commit"`), "apply": []byte(`true`)}, "simulate.commit"},
		{tools["simulate"], arguments{"action": []byte(`"edit"`)}, "simulate.edit"},
		{full["get_diagnostics"], arguments{}, "diagnostics"},
	} {
		if got := c.tool.deed(c.args); got != c.want {
			t.Errorf("%s %s is %s, want %s", c.tool.name, c.args, got, c.want)
		}
	}
	for name, want := range map[string][]string{
		"safe_apply_edit": {"edit.apply_if_clean"}, "evaluate_session": {"simulate.evaluate"}, "commit_session": {"simulate.commit", "simulate.patch"},
		"rename_symbol": {"rename.apply", "rename.preview", "rename.apply_if_clean"}, "run_tests": {"test"}, "set_log_level": {""},
		"apply_edit": {"edit.apply"}, "suggest_fixes": {"fixes.list"},
	} {
		if diff := cmp.Diff(want, full[name].deeds()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// The longest pattern that fits decides, and what none fits is free.
func TestPatternsOfPhases(t *testing.T) {
	p := phase{allowed: []string{"rename.*", "edit.apply_if_clean"}, forbidden: []string{"rename.apply*", "edit.*"}}
	for deed, want := range map[string]bool{
		"rename.apply": true, "rename.apply_if_clean": true, "rename.preview": false, "edit.apply": true, "edit.apply_if_clean": false, "check": false, "edit": false,
	} {
		if got := p.forbids(deed); got != want {
			t.Errorf("%s is forbidden: %t", deed, got)
		}
	}
}

// A session that is held to a skill gets, for a call that is not for the phase, an error that says
// which phase it is, what comes first and how to leave; calls that succeed move it on, calls that fail do
// not; after the last phase it is free. Other sessions are.
//
// Requirement: AGENT-27.
func TestASkillIsEnforced(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile, o.Prose = "full", true })
	session, beside := d.connect("memory", "2025-06-18", nil), d.connect("memory", "2025-06-18", nil)
	const (
		edit    = `{"file_path":"main.toy","old_text":"use helper","new_text":"use helper\nuse helper"}`
		place   = `{"file_path":"main.toy","line":1,"column":5}`
		preview = `{"workspace_root":".","language":"toy","file_path":"main.toy","start_line":1,"start_column":5,"end_line":1,"end_column":11,"new_text":"helper"}`
	)
	call(t, session, "get_skill_phase", `{}`).says(t, "no skill is active")
	began := call(t, session, "activate_skill", `{"skill_name":"lsp-safe-edit","mode":"block"}`)
	got := structured[skillState](t, began)
	for name, want := range map[string]string{"apply_edit": "forbidden", "safe_edit": "forbidden", "preview_edit": "forbidden", "find_references": "allowed", "run_tests": "", "rename_symbol": "forbidden"} {
		if slices.Contains(got.Allowed, name) != (want == "allowed") || slices.Contains(got.Forbidden, name) != (want == "forbidden") {
			t.Errorf("%s is not %q: allowed %v, forbidden %v", name, want, got.Allowed, got.Forbidden)
		}
	}
	got.Allowed, got.Forbidden, got.EndsWith = nil, nil, nil
	want := skillState{Active: true, Skill: "safe-edit", Name: "safe-edit", Mode: "block", CurrentPhase: "survey", Does: "find out who uses what changes", Phase: 1, TotalPhases: 4, Status: "active"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	call(t, session, "apply_edit", edit).fails(t, result.OutOfPhase,
		"apply_edit is not for this phase of safe-edit: survey (1 of 4), find out who uses what changes\nfirst: find_references, ", "; deactivate_skill leaves the skill")
	call(t, session, "find_references", `{"file_path":"none.toy","line":1,"column":5}`).fails(t, result.NotFound)
	call(t, session, "apply_edit", edit).fails(t, result.OutOfPhase, "survey (1 of 4)")
	call(t, session, "inspect_symbol", place).says(t, "helper")
	call(t, session, "find_references", place).says(t, "helper")
	call(t, session, "apply_edit", edit).fails(t, result.OutOfPhase, "preview (2 of 4)", "first: rename_symbol (preview), ", "preview_edit; ")
	call(t, session, "get_skill_phase", `{}`).says(t, "safe-edit, phase 2 of 4: preview")
	call(t, beside, "apply_edit", edit).says(t, "Edit applied")
	call(t, session, "preview_edit", preview)
	call(t, session, "apply_edit", `{"file_path":"lib.toy","old_text":"def helper","new_text":"def helper\ndef more"}`).says(t, "Edit applied")
	call(t, session, "apply_edit", `{"file_path":"lib.toy","old_text":"def more","new_text":"def most"}`).fails(t, result.OutOfPhase, "verify (4 of 4)", "first: get_diagnostics; ")
	call(t, session, "get_diagnostics", `{"file_path":"lib.toy"}`).says(t, "no errors")
	call(t, session, "get_skill_phase", `{}`).says(t, "safe-edit is complete: nothing is forbidden any more")
	call(t, session, "apply_edit", `{"file_path":"lib.toy","old_text":"def more","new_text":"def most"}`).says(t, "Edit applied")
}

// The tools of extensions are held to a skill as well: those that change files or run something are what built-in ones
// are that do.
//
// Requirement: AGENT-27.
func TestASkillHoldsForExtensions(t *testing.T) {
	var ran []string
	tool := func(name string, class api.Class) extension.Tool {
		return extension.Tool{Name: name, Class: class, Run: func(context.Context, *extension.Call) (extension.Answer, error) {
			ran = append(ran, name)
			return extension.Answer{Text: name}, nil
		}}
	}
	set := extension.Set{"toy": {Tools: []extension.Tool{tool("look", api.Read), tool("write", api.Edit), tool("run", api.Execute)}}}
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile, o.Prose, o.Extensions = "full", true, set })
	session := d.connect("memory", "2025-06-18", nil)
	call(t, session, "activate_skill", `{"skill_name":"safe-edit","mode":"block"}`)
	call(t, session, "toy_look", `{}`).says(t, "look")
	for _, name := range []string{"toy_write", "toy_run"} {
		call(t, session, name, `{}`).fails(t, result.OutOfPhase, name+" is not for this phase of safe-edit: survey (1 of 4)")
	}
	call(t, session, "activate_skill", `{"skill_name":"safe-edit","mode":"warn"}`)
	call(t, session, "toy_write", `{}`).says(t, "write\nwarning: toy_write is not for this phase of safe-edit")
	if diff := cmp.Diff([]string{"look", "write"}, ran); diff != "" {
		t.Errorf("what ran (-want +got):\n%s", diff)
	}
}

// With warn nothing is refused; the answer has a line more, or a member where it is JSON.
//
// Requirement: AGENT-27.
func TestASkillWarns(t *testing.T) {
	for _, prose := range []bool{true, false} {
		d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile, o.Prose = "full", prose })
		session := d.connect("memory", "2025-06-18", nil)
		call(t, session, "activate_skill", `{"skill":"safe-edit"}`)
		a := call(t, session, "apply_edit", `{"file_path":"main.toy","old_text":"use helper","new_text":"use helper\nuse helper"}`)
		const says = "apply_edit is not for this phase of safe-edit: survey (1 of 4), find out who uses what changes; first: "
		if prose {
			a.says(t, "Edit applied", "\nwarning: "+says)
		} else if got := structured[struct {
			Applied bool
			Warning string `json:"skill_warning"`
		}](t, a); !got.Applied || !strings.HasPrefix(got.Warning, says) || !strings.Contains(a.text, says) {
			t.Errorf("%+v\n%s", got, a.text)
		}
		call(t, session, "deactivate_skill", `{}`).says(t, "left safe-edit")
		call(t, session, "deactivate_skill", `{}`).says(t, "no skill is active")
	}
}

// A deed that ends several phases in a row ends them at once; one that fits a later phase alone ends none.
//
// Requirement: AGENT-27.
func TestPhasesAdvance(t *testing.T) {
	e := enforcement{skill: "refactor"}
	for _, c := range []struct {
		deed  string
		at    int
		ended bool
	}{
		{"simulate.edit", 0, false},
		{"references", 1, false},
		{"simulate.create", 1, false},
		{"simulate.edit", 2, false},
		{"simulate.evaluate", 3, false},
		{"simulate.patch", 3, false},
		{"simulate.commit", 4, false},
		{"build", 4, false},
		{"diagnostics", 4, true},
	} {
		if ended := e.advance(c.deed); ended != c.ended || e.at != c.at {
			t.Errorf("after %s: phase %d, ended %t", c.deed, e.at, ended)
		}
	}
	e = enforcement{skill: "refactor", at: 1}
	if e.advance("edit.preview"); e.at != 3 {
		t.Errorf("after a preview: phase %d", e.at)
	}
}

// A skill that has no phases, and a connection that would forget them, are refused with the way out.
func TestSkillsThatCannotBeActivated(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile, o.Prose = "full", true })
	session := d.connect("memory", newestEra, nil)
	call(t, session, "activate_skill", `{"skill_name":"explore"}`).fails(t, result.Argument, `"explore" has no phases`, "refactor, rename, safe-edit, verify")
	call(t, session, "activate_skill", `{"skill_name":7}`).fails(t, result.Argument, "it is no string")
	call(t, session, "activate_skill", `{}`).fails(t, result.Argument, "skill_name", "missing")
	call(t, session, "activate_skill", `{"skill_name":"rename","mode":"stop"}`).fails(t, result.Argument, "it may be warn, block")
	for revision, refused := range map[string]bool{newestEra: true, "2025-06-18": false} {
		over := d.on(t).connect("http", revision, nil)
		a := call(t, over, "activate_skill", `{"skill_name":"rename"}`)
		if refused {
			a.fails(t, result.Unsupported, "has no session", "standard input and output")
		} else {
			a.says(t, "rename, phase 1 of 3")
			call(t, over, "get_skill_phase", `{}`).says(t, "rename, phase 1 of 3")
		}
	}
}
