//go:build unix

package agents

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// builtIn is the folder with the product, built once.
var builtIn string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "lspine-agents-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "lspine"), "../../cmd/lspine")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	builtIn = folder
	return m.Run()
}

const project = `
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

// An agent is one of the real ones, and how it is run without a person.
type agent struct {
	name string
	// files are its configuration in the person's folder.
	files map[string]string
	// environ is its environment; {model} is the address of the model.
	environ []string
	args    []string
	// search is how tools are found that it does not show at first.
	search string
	// late says that it connects its MCP servers while the model is at work already: that
	// one cannot count on them.
	late bool
	// prompt asks the agent to go on, if args start one that stays when a turn has ended; in
	// and out are its standard input and output.
	prompt func(ctx context.Context, in io.Writer, out io.Reader) error
	// hooksAlone says that it knows no MCP servers.
	hooksAlone bool
	// goesOn says that its process goes on when its work is done, that it writes its own configuration
	// again, and that nothing can hold back the end of its turn.
	goesOn bool
	// read and edit are its tools; edit replaces a text by another in the file.
	read func(file string) *call
	edit func(file, old, new string) call
}

func arguments(value any) json.RawMessage { return mustJSON(value) }

func reading(tool, argument string) func(string) *call {
	return func(file string) *call {
		return &call{Tool: tool, Args: arguments(map[string]string{argument: file})}
	}
}

func replacing(tool, argument, from, to string) func(string, string, string) call {
	return func(file, old, new string) call {
		return call{Tool: tool, Args: arguments(map[string]string{argument: file, from: old, to: new, "instruction": "change it"})}
	}
}

var agents = []agent{
	{
		name:    "claude",
		environ: []string{"ANTHROPIC_BASE_URL={model}", "ANTHROPIC_API_KEY=x", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"},
		args:    []string{"-p", "go", "--permission-mode", "acceptEdits", "--allowedTools", "mcp__lspine__check", "--model", "fake"},
		search:  "select:mcp__lspine__check",
		read:    reading("Read", "file_path"),
		edit: func(file, old, new string) call {
			return call{Tool: "Edit", Args: arguments(map[string]string{"file_path": file, "old_string": old, "new_string": new})}
		},
	},
	{
		name: "cline",
		files: map[string]string{".cline/data/settings/providers.json": `{"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {"openai-compatible": {
	"settings": {"provider": "openai-compatible", "apiKey": "x", "model": "fake", "baseUrl": "{model}/v1"}, "updatedAt": "2026-11-29T10:17:30.904Z", "tokenSource": "manual"}}}
`},
		args:   []string{"go on"},
		goesOn: true,
		read: func(file string) *call {
			return &call{Tool: "read_files", Args: arguments(map[string]any{"files": []map[string]string{{"path": file}}})}
		},
		edit: func(file, old, new string) call {
			return call{Tool: "editor", Args: arguments(map[string]string{"path": file, "old_text": old, "new_text": new})}
		},
	},
	{
		name: "codex",
		files: map[string]string{".codex/config.toml": `model = "gpt-5.5"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "{model}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
`},
		environ: []string{"FAKE_KEY=x"},
		search:  "lspine check",
		args:    []string{"exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", "go"},
		edit: func(file, old, new string) call {
			return call{Tool: "apply_patch", Args: arguments(fmt.Sprintf("*** Begin Patch\n*** Update File: %s\n@@\n-%s\n+%s\n*** End Patch\n", file, old, new))}
		},
	},
	{
		name:    "gemini",
		files:   map[string]string{".gemini/settings.json": "{\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}} // mine\n}\n"},
		environ: []string{"GOOGLE_GEMINI_BASE_URL={model}", "GEMINI_API_KEY=x"},
		args:    []string{"-p", "go", "-y", "--skip-trust"},
		read:    reading("read_file", "file_path"),
		edit:    replacing("replace", "file_path", "old_string", "new_string"),
	},
	{
		name:    "qwen",
		files:   map[string]string{".qwen/settings.json": "{\"memory\":{\"enableManagedAutoMemory\":false},\"$version\":4}"},
		environ: []string{"OPENAI_BASE_URL={model}/v1", "OPENAI_API_KEY=x", "OPENAI_MODEL=fake"},
		late:    true,
		args:    []string{"-p", "go", "-y"},
		read:    reading("read_file", "file_path"),
		edit:    replacing("edit", "file_path", "old_string", "new_string"),
	},
	{
		name:    "copilot",
		environ: []string{"COPILOT_PROVIDER_BASE_URL={model}/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_MODEL=fake", "COPILOT_OFFLINE=true"},
		args:    []string{"-p", "go", "--allow-all", "--trust-folder"},
		read:    reading("view", "path"),
		edit:    replacing("edit", "path", "old_str", "new_str"),
	},
	{
		name: "opencode",
		files: map[string]string{".config/opencode/opencode.json": `{"$schema": "https://opencode.ai/config.json", "model": "fake/fake", "small_model": "fake/fake", "autoupdate": false, "share": "disabled", "provider": {"fake": {
	"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "{model}/v1", "apiKey": "x"}, "models": {"fake": {}}}}}
`},
		environ: []string{"npm_config_offline=true", "npm_config_fetch_retries=0"},
		args:    []string{"serve", "--port", "0"},
		prompt:  promptOverHTTP,
		read:    reading("read", "filePath"),
		edit:    replacing("edit", "filePath", "oldString", "newString"),
	},
	{
		name: "pi",
		files: map[string]string{".pi/agent/models.json": `{"providers": {"fake": {"baseUrl": "{model}/v1", "api": "openai-completions", "apiKey": "x",
	"compat": {"supportsDeveloperRole": false}, "models": [{"id": "fake"}]}}}
`},
		hooksAlone: true,
		args:       []string{"--mode", "rpc", "--offline", "--provider", "fake", "--model", "fake"},
		prompt: func(_ context.Context, in io.Writer, _ io.Reader) error {
			_, err := io.WriteString(in, `{"type": "prompt", "message": "go"}`+"\n")
			return err
		},
		read: reading("read", "path"),
		edit: func(file, old, new string) call {
			return call{Tool: "edit", Args: arguments(map[string]any{"path": file, "edits": []map[string]string{{"oldText": old, "newText": new}}})}
		},
	},
}

// program returns the agent's program, installed by scripts/agents. Where it is missing the
// test is skipped, or fails if LSPINE_REQUIRE_AGENTS is set.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", ".tools", "agents", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if os.Getenv("LSPINE_REQUIRE_AGENTS") != "" {
		t.Fatalf("%s is required here, and not installed; run: make agents", name)
	}
	t.Skipf("%s is not installed; run: make agents", name)
	return ""
}

// A machine is a person's home folder and project, of which the agent and we know nothing
// else.
type machine struct {
	home, root string
	environ    []string
}

func newMachine(t *testing.T, a agent, url string) *machine {
	t.Helper()
	m := &machine{home: t.TempDir(), root: lsptest.Workspace(t, project)}
	if a.goesOn {
		t.Cleanup(func() { m.endLeft(t) })
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", m.root}, args...)...).CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	for name, text := range a.files {
		path := filepath.Join(m.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "{model}", url)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		m.environ = append(m.environ, name+"="+strings.TrimSpace(string(out)))
	}
	m.environ = append(m.environ, "LSPINE_DAEMON=auto", "HOME="+m.home, "PATH="+builtIn+string(os.PathListSeparator)+os.Getenv("PATH"), "LANG=C.UTF-8", "NO_COLOR=1", "TERM=dumb")
	for _, v := range a.environ {
		m.environ = append(m.environ, strings.ReplaceAll(v, "{model}", url))
	}
	return m
}

// endLeft ends what an agent has left running in the project, and waits until it is gone.
func (m *machine) endLeft(t *testing.T) {
	t.Helper()
	for _, word := range []string{m.root, m.home} {
		if exec.Command("pkill", "-KILL", "-f", word).Run() == nil {
			_ = exec.Command("pidwait", "-f", word).Run()
		}
	}
}

// run runs a program in the project, with all that it starts, for two minutes at most.
func (m *machine) run(t *testing.T, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = m.root, m.environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", filepath.Base(program), args, err, out)
	}
	return string(out)
}

// serve runs an agent that stays, until the model has said its last word.
func (m *machine) serve(t *testing.T, model *model, a agent, program string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, a.args...)
	cmd.Dir, cmd.Env = m.root, m.environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	in, out := lsptest.Piped(t, cmd)
	if err := a.prompt(ctx, in, out); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(io.Discard, out)
	}()
	select {
	case <-model.ended:
	case <-ctx.Done():
		t.Errorf("%s has not come to its second end", a.name)
	}
	cancel()
	<-read
	cmd.Wait() // it was killed
}

// promptOverHTTP begins a session of opencode's server, whose address is the last word of the
// line that it prints.
func promptOverHTTP(ctx context.Context, _ io.Writer, out io.Reader) error {
	lines := bufio.NewScanner(out)
	address := ""
	for address == "" && lines.Scan() {
		if at := strings.Index(lines.Text(), "http://"); at >= 0 {
			address = strings.TrimSpace(lines.Text()[at:])
		}
	}
	var session struct{ ID string }
	if err := post(ctx, address+"/session", "{}", &session); err != nil {
		return err
	}
	return post(ctx, address+"/session/"+session.ID+"/prompt_async", `{"parts": [{"type": "text", "text": "go"}]}`, nil)
}

// post sends a document, and reads the answer into result, unless that is nil.
func post(ctx context.Context, url, document string, result any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(document))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	if result == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(result)
}

// lspine runs our own command line.
func (m *machine) lspine(t *testing.T, args ...string) string {
	t.Helper()
	return m.run(t, filepath.Join(builtIn, "lspine"), args...)
}

// Each agent is connected by one command; its model reads at once what its edit broke
// elsewhere, is held back at the end of its turn with the error, and reads that it mended
// it. It can also ask us by MCP. A clean edit and the second end add nothing, and what was
// written into the agent's configuration goes again to the byte.
func TestHooksOfRealAgents(t *testing.T) {
	lsptest.Require(t, "gopls")
	const (
		plain  = "// Greet says hello to name."
		other  = "// Greet says hello to somebody."
		one    = "func Greet(name string) string {"
		two    = "func Greet(name string, loud bool) string {"
		broken = "also broken now: main.go (1)"
		found  = "not enough arguments in call to util.Greet"
		mended = "all fixed: nothing that this session's changes broke is left"
		asks   = "calls the tool check with files: util/util.go"
		left   = "1 error of this session's changes remains:\nmain.go:5:37: error: not enough arguments in call to util.Greet have (string) want (string, bool) (WrongArgCount)"
	)
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			installed := program(t, a.name)
			m := &model{script: &script{Side: "ok"}, ended: make(chan struct{})}
			server := httptest.NewUnstartedServer(m)
			defer server.Close()
			machine := newMachine(t, a, "http://"+server.Listener.Addr().String())
			file := filepath.Join(machine.root, "util", "util.go")
			if a.read != nil {
				m.script.Turns = append(m.script.Turns, turn{Calls: []call{*a.read(file)}, Does: "reads util/util.go"})
			}
			m.script.Turns = append(m.script.Turns,
				turn{Calls: []call{a.edit(file, plain, other)}, Does: "edits util/util.go: another comment"},
				turn{Calls: []call{a.edit(file, one, two)}, Does: "edits util/util.go: " + two},
				turn{Calls: []call{{Tool: "tool_search|ToolSearch", Args: arguments(map[string]string{"query": a.search})}}, Optional: true},
				turn{Calls: []call{{Tool: ".*lspine[_.-]+check", Args: arguments(map[string][]string{"files": {"util/util.go"}})}}, Optional: a.late || a.hooksAlone, Does: asks},
				turn{Text: "First end.", Does: "ends its turn"},
				turn{Calls: []call{a.edit(file, two, one)}, Does: "edits util/util.go: " + one},
				turn{Text: "Second end.", Does: "ends its turn"})
			if a.goesOn {
				last := len(m.script.Turns) - 3
				m.script.Turns = slices.Delete(m.script.Turns, last, last+1)
			}
			server.Start()
			before := configuration(t, machine.home, a)
			machine.lspine(t, "init", "--agent", a.name, "--yes")
			out := ""
			if a.prompt != nil {
				machine.serve(t, m, a, installed)
			} else {
				out = machine.run(t, installed, a.args...)
			}
			heard := m.turns()
			var got []string
			for _, h := range heard[1:] { // the first are the agent's own words
				if text := said(h, broken, mended, left, found, "remain"); text != "" {
					got = append(got, text)
				}
				if len(h.Answer.Missing) > 0 {
					t.Errorf("it has no tool %v", h.Answer.Missing)
				}
			}
			checkTranscript(t, a, transcript(heard, broken, mended, left, found))
			if last := heard[len(heard)-1].Answer.Text; last != "Second end." {
				t.Errorf("the last word was %q", last)
			}
			want := []string{broken, found, left, mended}
			if a.goesOn {
				want = []string{broken, found, mended}
			}
			if a.hooksAlone || a.late && !slices.Contains(got, found) {
				want = slices.Delete(want, 1, 2)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what the model heard of us after an edit that broke, a check by MCP, the end, and an edit that mended:\n%s\n%s\n%s", diff, mustJSON(heard[1:]), out)
			}
			log, err := os.ReadFile(filepath.Join(machine.home, ".cache", "lspine", "hooks", "hook.log"))
			if err != nil || !strings.Contains(string(log), ": nothing is new: 1 files judged\n") || strings.Contains(string(log), "not known") {
				t.Errorf("the log of the hooks says %s, %v", log, err)
			}
			if out := machine.lspine(t, "daemon", "stop", "--all"); !strings.HasPrefix(out, "stopped pid ") || strings.Count(out, "\n") != 1 {
				t.Errorf("hooks and MCP server have not shared one daemon: %s", out)
			}
			machine.lspine(t, "uninstall")
			after := configuration(t, machine.home, a)
			if a.goesOn {
				for name, text := range after {
					if before[name] = text; strings.Contains(text, "lspine") {
						before[name] = "nothing of ours"
					}
				}
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("after the removal:\n%s", diff)
			}
		})
	}
}

// said returns the first of some texts that the model heard; texts that hold others first.
func said(h heard, texts ...string) string {
	all := strings.Join(h.Prompts, "\n")
	for _, r := range h.Results {
		var whole any
		if json.Unmarshal(r, &whole) == nil {
			all += "\n" + strings.ReplaceAll(fmt.Sprint(whole), "\\n", "\n")
		}
	}
	for _, text := range texts {
		if strings.Contains(all, text) {
			return text
		}
	}
	return ""
}

// configuration returns the agent's own files, and whether there is one for hooks alone.
func configuration(t *testing.T, home string, a agent) map[string]string {
	t.Helper()
	all := make(map[string]string)
	names := []string{".codex/hooks.json", ".copilot/hooks/lspine.json"}
	for name := range a.files {
		names = append(names, name)
	}
	for _, name := range names {
		if text, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(name))); err == nil {
			all[name] = string(text)
		}
	}
	return all
}
