package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/hook"
	"github.com/lspine/lspine/internal/lsptest"
)

// Every agent into whose configuration we write hooks is one that our hook answers as itself.
func TestInstalledHooksAreAnswered(t *testing.T) {
	for _, agent := range agents.Hookable() {
		if !slices.Contains(hook.Agents(), hook.Agent(agent)) {
			t.Errorf("%s has hooks in agents.known, and no entry of hook.dialects", agent)
		}
	}
}

// For people the hook prints what is wrong with the files that they name, and exits like a check:
// nothing and 0 if all is well.
func TestHookForPeople(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- good.toy --\nfine\n-- bad.toy --\nERROR worse\n", lsptest.Script{})
	home := t.TempDir()
	s.change = func(st *Streams) { st.Environ = homeIn(home) }
	s.expect("a good one", s.run("hook", "good.toy"), exitClean, "")
	got := s.run("hook", "--host", "text", "bad.toy", "good.toy")
	s.expect("a bad one", got, exitDiagnostics, got.stdout)
	if !strings.Contains(got.stdout, "bad.toy") || !strings.Contains(got.stdout, "worse") || strings.Contains(got.stdout, "good.toy:") {
		t.Errorf("it prints %q", got.stdout)
	}
}

// A hook that is asked for what it cannot do says so, and prints nothing that an agent would take
// for its answer.
func TestHookRefusals(t *testing.T) {
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	for args, says := range map[string]string{
		"--host nobody":      "lspine: --host: there is no host \"nobody\"\n  lspine hook --help lists them\n",
		"--report sometimes": "lspine: --report: \"sometimes\" is none of each, turn and full\n  for example --report turn\n",
		"--timeout 0s":       "lspine: --timeout: a deadline is longer than nothing\n  for example --timeout 8s\n",
		"--timeout -1s":      "lspine: --timeout: a deadline is longer than nothing\n  for example --timeout 8s\n",
	} {
		if diff := cmp.Diff(outcomeOf{exitUsage, "", says}, s.run(append([]string{"hook", "a.toy"}, strings.Fields(args)...)...), cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("hook %s: %s", args, diff)
		}
	}
}

// After an edit of an agent, the hook finds the workspace around the agent's folder and tells the
// new errors in the way of that agent. A home as a whole is no workspace: nothing is printed, and
// the reason is in the hook's log. Nothing is said on standard error.
func TestHookOfAnAgent(t *testing.T) {
	s := newShop(t, "-- sub/bad.toy --\nERROR worse\n", lsptest.Script{})
	lsptest.WriteFile(t, filepath.Join(s.root, ".git", "HEAD"), "ref: refs/heads/main\n")
	edited := func(home string) outcomeOf {
		t.Helper()
		payload, err := json.Marshal(map[string]any{
			"session_id": "one", "cwd": filepath.Join(s.root, "sub"), "hook_event_name": "PostToolUse", "tool_name": "Write",
			"tool_input": map[string]string{"file_path": filepath.Join(s.root, "sub", "bad.toy"), "content": "ERROR worse\n"}, "transcript_path": "t",
		})
		if err != nil {
			t.Fatal(err)
		}
		s.stdin = string(payload)
		s.change = func(st *Streams) { st.Environ, st.Dir = homeIn(home), filepath.Dir(s.root) }
		return s.run("hook", "--host", "claude")
	}
	home := t.TempDir()
	got := edited(home)
	s.expect("an edit", got, exitClean, got.stdout)
	var answer struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil || !strings.Contains(answer.HookSpecificOutput.AdditionalContext, "worse") {
		t.Errorf("%v: %s", err, got.stdout)
	}
	if got := edited(s.root); strings.Contains(got.stdout, "worse") || got.stderr != "" || got.code != exitClean {
		t.Errorf("in a home: %+v", got)
	}
	log, err := os.ReadFile(filepath.Join(s.root, ".cache", "lspine", "hooks", "hook.log"))
	if err != nil || !strings.Contains(string(log), " and no workspace") {
		t.Errorf("the log: %v: %s", err, log)
	}
}

// In a folder without a repository, the hook after a command compares all files that matter with what they were when the session
// began.
func TestHookOfACommandWithoutGit(t *testing.T) {
	s := newShop(t, "-- a.toy --\nfine\n-- b.toy --\nfine\n-- .cache/c.toy --\nfine\n", lsptest.Script{})
	home := t.TempDir()
	event := func(payload string) string {
		t.Helper()
		s.stdin = fmt.Sprintf(`{"session_id": "one", "cwd": %q, "transcript_path": "t", %s}`, s.root, payload)
		s.change = func(st *Streams) { st.Environ, st.Dir = homeIn(home), s.root }
		got := s.run("hook", "--host", "claude", "--root", s.root)
		s.expect(payload, got, exitClean, got.stdout)
		return got.stdout
	}
	event(`"hook_event_name": "SessionStart", "source": "startup"`)
	lsptest.WriteFile(t, filepath.Join(s.root, "b.toy"), "ERROR worse\n")
	lsptest.WriteFile(t, filepath.Join(s.root, ".cache", "c.toy"), "ERROR elsewhere\n")
	got := event(`"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": {"stdout": ""}`)
	if !strings.Contains(got, "b.toy:1:1: error: worse") || strings.Contains(got, "elsewhere") {
		t.Errorf("after a command that wrote b.toy: %q", got)
	}
}
