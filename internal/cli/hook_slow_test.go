//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A slowSession is one of an agent whose server does not start before it is let.
type slowSession struct {
	*shop
	gate, cache string
}

func newSlowSession(t *testing.T) *slowSession {
	s := &slowSession{gate: filepath.Join(t.TempDir(), "gate"), cache: t.TempDir()}
	s.shop = newShop(t, "-- a.toy --\nfine\n-- b.toy --\nfine\n-- c.toy --\nfine\n", lsptest.Script{
		Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.AwaitFile(s.gate))},
	})
	s.withDaemon("XDG_CACHE_HOME=" + s.cache)
	t.Cleanup(s.letStart) // else it could not end
	return s
}

func (s *slowSession) letStart() { lsptest.WriteFile(s.t, s.gate, "") }

// hook runs the hook of an event within a time and returns what its agent shows to the model.
func (s *slowSession) hook(within, event string, more map[string]any) string {
	s.t.Helper()
	payload := map[string]any{"session_id": "one", "cwd": s.root, "transcript_path": "t", "hook_event_name": event}
	for name, value := range more {
		payload[name] = value
	}
	text, err := json.Marshal(payload)
	if err != nil {
		s.t.Fatal(err)
	}
	s.stdin = string(text)
	got := s.run("hook", "--host", "claude", "--root", s.root, "--timeout", within)
	s.expect(event, got, exitClean, got.stdout)
	var said struct {
		Reason   string
		Specific struct{ AdditionalContext string } `json:"hookSpecificOutput"`
	}
	if got.stdout != "" {
		if err := json.Unmarshal([]byte(got.stdout), &said); err != nil {
			s.t.Error(err)
		}
	}
	return said.Reason + said.Specific.AdditionalContext
}

// edit has the agent break a file.
func (s *slowSession) edit(name string) string {
	s.t.Helper()
	path := filepath.Join(s.root, name)
	lsptest.WriteFile(s.t, path, "ERROR "+name+"\n")
	return s.hook("1s", "PostToolUse", map[string]any{
		"tool_name": "Edit", "tool_input": map[string]string{"file_path": path, "old_string": "fine", "new_string": "ERROR " + name},
	})
}

// log returns the lines of the log of hooks without their times, and without what is not known because files are not.
func (s *slowSession) log() []string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.cache, "lspine", "hooks", "hook.log"))
	if err != nil {
		s.t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^\S+ |; (not every server|the search for|what ).*$`).ReplaceAllString(string(text), "")
	return strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
}

const (
	threeErrors = "a.toy:1:1: error: a.toy\nb.toy:1:1: error: b.toy\nc.toy:1:1: error: c.toy\n"
	threeRemain = "3 errors of this session's changes remain:\n" + threeErrors
)

// The server starts when the session begins. It is too slow for the hooks after three edits, each of which
// breaks a file; the end of the turn has the time to list all three.
func TestTheEndOfATurnWaitsForASlowServer(t *testing.T) {
	t.Parallel()
	s := newSlowSession(t)
	got := []string{s.hook("60s", "SessionStart", map[string]any{"source": "startup"}), s.edit("a.toy"), s.edit("b.toy"), s.edit("c.toy")}
	if diff := cmp.Diff([]string{"", "", "", ""}, got); diff != "" {
		t.Errorf("before the server has started (-want +got):\n%s", diff)
	}
	const starts = "claude PostToolUse: not known: "
	want := []string{
		"claude SessionStart: servers start: toy; nothing is owed",
		starts + "a.toy: toy: still starting",
		starts + "b.toy: toy: still starting; a.toy: toy: still starting",
		starts + "c.toy: toy: still starting; a.toy: toy: still starting; b.toy: toy: still starting",
	}
	if diff := cmp.Diff(want, s.log()); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
	s.letStart()
	if diff := cmp.Diff(threeRemain, s.hook("60s", "Stop", nil)); diff != "" {
		t.Errorf("at the end of the turn (-want +got):\n%s", diff)
	}
}

// When the end of the turn has too little time as well, it admits what is not judged, once. The next
// prompt tells all of it, and the next end of a turn lists what remains.
func TestThePromptPaysWhatTheEndOfATurnOwes(t *testing.T) {
	t.Parallel()
	s := newSlowSession(t)
	got := []string{
		s.hook("60s", "SessionStart", map[string]any{"source": "startup"}), s.edit("a.toy"), s.edit("b.toy"), s.edit("c.toy"),
		s.hook("1s", "Stop", nil), s.hook("1s", "Stop", nil),
	}
	s.letStart()
	prompt := map[string]any{"prompt": "go on"}
	got = append(got, s.hook("60s", "UserPromptSubmit", prompt), s.hook("60s", "UserPromptSubmit", prompt), s.hook("60s", "Stop", nil))
	want := []string{
		"", "", "", "",
		"not judged yet, the next hook of this session reports on it: a.toy, b.toy, c.toy (toy: still starting)\n", "",
		"of earlier edits, answered late:\n" + threeErrors, "", threeRemain,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\nlog: %s", diff, strings.Join(s.log(), "\n"))
	}
}
