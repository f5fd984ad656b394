package agents

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The hook of an event has the time that the agent's configuration gives it: after installation at
// the end of a turn more than after a tool; else what somebody wrote there, or the agent's own.
func TestHookTime(t *testing.T) {
	ends := map[string][2]string{ // what runs after a tool, and at the end of a turn
		"claude": {"PostToolUse", "Stop"}, "codex": {"PostToolUse", "Stop"}, "gemini": {"AfterTool", "AfterAgent"}, "qwen": {"PostToolUse", "Stop"},
		"copilot": {"postToolUse", "agentStop"}, "cursor": {"postToolUse", "stop"}, "llxprt": {"AfterTool", ""}, "cline": {"PostToolUse", ""},
	}
	for agent, events := range ends {
		for _, scope := range []Scope{User, Project} {
			p := newPlace(t)
			install(t, p, agent, scope, command)
			want := []time.Duration{20 * time.Second, 120 * time.Second}
			got := []time.Duration{p.HookTime(agent, events[0]), p.HookTime(agent, events[1])}
			if events[1] == "" {
				want, got = want[:1], got[:1]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", agent, scope, diff)
			}
		}
	}

	claude := func(p *Place, folder, timeout string) *Place {
		write(t, filepath.Join(folder, ".claude", "settings.json"), `{"hooks": {"Stop": [{"hooks": [
			{"type": "command", "command": "other", "timeout": 1}, {"type": "command", "command": "lspine hook"`+timeout+`}]}]}} // mine`)
		return p
	}
	project, both, neither := newPlace(t), newPlace(t), newPlace(t)
	claude(claude(both, both.Home, `, "timeout": 50`), both.Root, `, "timeout": 40`)
	for name, c := range map[string]struct {
		place        *Place
		agent, event string
		want         time.Duration
	}{
		"what somebody wrote":      {claude(project, project.Root, `, "timeout": 50`), "claude", "Stop", 50 * time.Second},
		"the shortest":             {both, "claude", "Stop", 40 * time.Second},
		"another agent runs them":  {both, "copilot", "Stop", 40 * time.Second},
		"of another event":         {both, "claude", "PostToolUse", 60 * time.Second},
		"the agent's own":          {neither, "gemini", "AfterAgent", 60 * time.Second},
		"the agent's of an event":  {neither, "claude", "UserPromptSubmit", 30 * time.Second},
		"no agent":                 {neither, "text", "edited", 60 * time.Second},
		"a file that is no object": {broken(t), "claude", "Stop", 60 * time.Second},
	} {
		if got := c.place.HookTime(c.agent, c.event); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	without := claude(newPlace(t), t.TempDir(), "")
	write(t, filepath.Join(without.Home, ".claude", "settings.json"), `{"hooks": {"Stop": [{"hooks": [{"command": "lspine hook"}]}]}}`)
	if got := without.HookTime("claude", "Stop"); got != time.Minute {
		t.Errorf("without a time-out: %v", got)
	}
}

func broken(t *testing.T) *Place {
	p := newPlace(t)
	write(t, filepath.Join(p.Home, ".claude", "settings.json"), "[")
	write(t, filepath.Join(p.Root, ".claude", "settings.json"), `{"hooks": {"Stop": "none"}}`)
	return p
}

// Whoever has hooks of an earlier version gets those of this one in their place, once.
func TestEarlierHooks(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.Home, ".claude", "settings.json")
	entry := `[{"hooks": [{"type": "command", "command": "lspine hook", "timeout": 20}]}]`
	write(t, file, `{"hooks": {"SessionStart": `+entry+`, "PostToolUse": `+entry+`, "Stop": `+entry+`, "SubagentStop": `+entry+`}}`)
	install(t, p, "claude", User, command)
	got := tree(t, p.Home)[".claude/settings.json"]
	if strings.Count(got, "lspine hook") != 5 || strings.Count(got, `"timeout": 120`) != 2 || !strings.Contains(got, "UserPromptSubmit") {
		t.Errorf("installed:\n%s", got)
	}
	if again := install(t, p, "claude", User, command); len(again) != 0 {
		t.Errorf("a second installation changes %v", again)
	}
	uninstall(t, p, "claude", User)
	if diff := cmp.Diff(map[string]string{".claude/": ""}, tree(t, p.Home)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// Somebody's script of an event that is only a help stays, and ours of the others comes and goes.
func TestForeignScriptOfABeginning(t *testing.T) {
	p := newPlace(t)
	hooks := filepath.Join(p.Root, ".clinerules", "hooks")
	write(t, filepath.Join(hooks, "TaskStart"), "#!/bin/sh\n")
	changes := install(t, p, "cline", Project, command)
	if len(changes) != 1 || changes[0].Path != filepath.Join(hooks, "PostToolUse") {
		t.Errorf("installed: %v", changes)
	}
	uninstall(t, p, "cline", Project)
	if diff := cmp.Diff(map[string]string{".clinerules/hooks/TaskStart": "#!/bin/sh\n"}, tree(t, p.Root)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}
