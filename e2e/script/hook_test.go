package script

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

const greeted = `
-- go.mod --
module example.com/p

go 1.24
-- util/util.go --
// Package util greets.
package util

// Greet says hello to name.
func Greet(name string) string {
	return "hello " + name
}
-- main.go --
package main

import "example.com/p/util"

func main() { println(util.Greet("x")) }
`

// What each agent's hooks received once, said again after the same edit, makes our hook
// print what that agent adds to its model's context: the file that the edit broke, at the
// end of the turn its error, once, and that all is mended after it is; with a daemon and
// without. Each silence has its reason in the log.
func TestHooksOfAgents(t *testing.T) {
	lsptest.Require(t, "gopls")
	const (
		broken  = `also broken now: main.go (1)\n`
		remains = `1 error of this session's changes remains:\nmain.go:5:37: error: not enough arguments in call to util.Greet have (string) want (string, bool) (WrongArgCount)\n`
		mended  = `all fixed: nothing that this session's changes broke is left\n`
	)
	specific := func(event, text string) string {
		return `{"hookSpecificOutput":{"hookEventName":"` + event + `","additionalContext":"` + text + `"}}`
	}
	held := `{"decision":"block","reason":"` + remains + `"}`
	type story struct {
		agent, began, edited, ended string
		want                        []string // after the edit, twice at the end, after the edit is taken back
	}
	stories := []story{
		{"claude", "", "PostToolUse-Edit", "Stop", []string{specific("PostToolUse", broken), held, "", specific("PostToolUse", mended)}},
		{"codex", "SessionStart-1", "PostToolUse-EditWrite-1", "Stop-1", []string{specific("PostToolUse", broken), held, "{}", specific("PostToolUse", mended)}},
		{"gemini", "SessionStart-1", "AfterTool-edits-1", "AfterAgent-1", []string{specific("AfterTool", broken), `{"decision":"deny","reason":"` + remains + `"}`, "", specific("AfterTool", mended)}},
		{"qwen", "", "PostToolUse-nomatcher-2", "Stop-1", []string{specific("PostToolUse", broken), held, "", specific("PostToolUse", mended)}},
		{"copilot", "sessionStart-1", "postToolUse-edits-exec-3", "agentStop-1", []string{`{"additionalContext":"` + broken + `"}`, held, "{}", `{"additionalContext":"` + mended + `"}`}},
		{"copilot", "", "PostToolUse-Pascal-2", "Stop-Pascal-1", []string{`{"additionalContext":"` + broken + `"}`, held, "{}", `{"additionalContext":"` + mended + `"}`}},
		{"cursor", "", "afterFileEdit", "stop", []string{`{"additional_context":"` + broken + `"}`, `{"followup_message":"` + remains + `"}`, "{}", `{"additional_context":"` + mended + `"}`}},
		{"cline", "", "PostToolUse-3", "TaskComplete-1", []string{`{"cancel":false,"contextModification":"` + broken + `"}`, `{"cancel":false}`, `{"cancel":false}`, `{"cancel":false,"contextModification":"` + mended + `"}`}},
		{"llxprt", "SessionStart-1", "AfterTool-edits-1", "AfterAgent-1", []string{specific("AfterTool", broken), "", "", specific("AfterTool", mended)}},
	}
	hasReason := func(log string) bool {
		lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")
		return slices.ContainsFunc([]string{
			": servers start: gopls; nothing is owed", ": nothing is owed", ": it is not about edits", ": this agent cannot be kept from ending its turn",
			": the same has kept the turn from ending before: 1 error, 0 not known",
		}, func(reason string) bool { return strings.HasSuffix(lines[len(lines)-1], reason) })
	}
	tell := func(c story, daemon string) {
		t.Run(c.agent+" "+c.edited+" "+daemon, func(t *testing.T) {
			t.Parallel()
			shows := slices.Contains([]string{"claude", "codex", "gemini"}, c.agent) // its user what we say to him
			if shows {
				c.want = slices.Clone(c.want)
				c.want[2] = `{"systemMessage":"lspine: the turn ends with 1 error of its changes, which the agent was shown: main.go (1)"}`
			}
			root := lsptest.Workspace(t, greeted)
			for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "one"}} {
				if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
					t.Fatal(err, string(out))
				}
			}
			cache := t.TempDir()
			environ := append(os.Environ(), "GOCACHE="+goEnv(t, "GOCACHE"), "XDG_CACHE_HOME="+cache, "XDG_RUNTIME_DIR=", "CI=", "LSPINE_DAEMON="+daemon)
			defer func() {
				cmd := exec.Command("lspine", "daemon", "stop", "--all")
				cmd.Env = environ
				out, err := cmd.CombinedOutput()
				if err != nil || strings.HasPrefix(string(out), "stopped pid ") != (daemon == "auto") || strings.Count(string(out), "\n") != 1 {
					t.Errorf("the daemon at the end: %v: %s", err, out)
				}
			}()
			logged := 0 // lines
			hook := func(name string) string {
				t.Helper()
				if name == "" {
					return ""
				}
				payload, err := os.ReadFile(filepath.Join("..", "..", "internal", "hook", "testdata", "payloads", c.agent, name+".json"))
				if err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command("lspine", "hook", "--timeout", "60s")
				cmd.Stdin = strings.NewReader(strings.NewReplacer("/home/you/project", root,
					`"old_string": "a", "new_string": "b"`, `"old_string": "name string)", "new_string": "name string, loud bool)"`).Replace(string(payload)))
				cmd.Env = environ
				var stderr strings.Builder
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if err != nil || stderr.Len() > 0 {
					t.Errorf("%s: %v: %s", name, err, &stderr)
				}
				said := strings.TrimSuffix(string(out), "\n")
				log, _ := os.ReadFile(filepath.Join(cache, "lspine", "hooks", "hook.log"))
				lines := strings.Count(string(log), "\n")
				toModel := said
				if strings.HasPrefix(said, `{"systemMessage":`) {
					toModel = ""
				}
				if silent := !strings.Contains(toModel, "main.go") && !strings.Contains(toModel, "all fixed"); silent != (lines == logged+1) || lines > logged && !hasReason(string(log)) {
					t.Errorf("%s: it says %q, and the log %s", name, said, log)
				}
				logged = lines
				return said
			}
			rewrite := func(from, to string) {
				t.Helper()
				path := filepath.Join(root, "util", "util.go")
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			began := hook(c.began)
			if found := strings.HasPrefix(began, `{"systemMessage":"lspine: found on this machine, and started for `); began != "" && began != "{}" && !(found && daemon == "auto" && shows) {
				t.Errorf("at the beginning: %s", began)
			}
			rewrite("name string)", "name string, loud bool)")
			got := []string{hook(c.edited), hook(c.ended), hook(c.ended)}
			rewrite(", loud bool", "")
			got = append(got, hook(c.edited))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, c := range stories {
		tell(c, "auto")
	}
	for _, c := range stories[:3] { // each hook with servers of its own
		tell(c, "never")
	}
}
