package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.NoDaemon()
	lsptest.Trusting()
	testscript.Main(m, map[string]func(){
		"lspine": func() { os.Exit(cli.Main(os.Args)) },
	})
}

// A person has an empty home, and nothing on PATH but the tools of the test and what is in
// the folder bin there. The package managers have the caches of the machine.
type person struct {
	t       *testing.T
	home    string
	environ []string
}

// newPerson returns one with these tools.
func newPerson(t *testing.T, tools ...string) *person {
	t.Helper()
	p := &person{t: t, home: t.TempDir()}
	bin := filepath.Join(p.home, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range append([]string{"git", "sh", "uname", "env"}, tools...) {
		path, err := exec.LookPath(tool)
		if err != nil {
			lsptest.Skip(t, tool+" is not on PATH")
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(bin, tool)
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
	}
	output := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			t.Fatal(name, args, err)
		}
		return strings.TrimSpace(string(out))
	}
	p.environ = []string{
		"HOME=" + p.home, "PATH=" + bin, "LSPINE_DAEMON=never", "LSPINE_TRUST=" + os.Getenv("LSPINE_TRUST"), "CI=",
		"GOMODCACHE=" + output("go", "env", "GOMODCACHE"), "GOCACHE=" + output("go", "env", "GOCACHE"), "GOPROXY=" + output("go", "env", "GOPROXY"),
		"GOROOT=" + output("go", "env", "GOROOT"), "GOTOOLCHAIN=local", "GOBIN=" + bin, "GOFLAGS=-buildvcs=false",
		"npm_config_cache=" + output("npm", "config", "get", "cache"), "npm_config_registry=" + output("npm", "config", "get", "registry"),
	}
	for _, proxy := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"} {
		for _, name := range []string{proxy, strings.ToLower(proxy)} {
			if value := os.Getenv(name); value != "" {
				p.environ = append(p.environ, name+"="+value)
			}
		}
	}
	return p
}

// run runs a command in a folder, and returns what it prints and its exit code.
func (p *person) run(dir, stdin, name string, args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(p.home, "bin", name), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, p.environ, strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(name, args, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// must is run of a command that succeeds, and logs how long it took.
func (p *person) must(dir, name string, args ...string) string {
	p.t.Helper()
	began := time.Now()
	stdout, stderr, code := p.run(dir, "", name, args...)
	if code != 0 {
		p.t.Fatalf("%s %s: exit code %d: %s%s", name, strings.Join(args, " "), code, stdout, stderr)
	}
	p.t.Logf("%.1f s: %s %s", time.Since(began).Seconds(), name, strings.Join(args, " "))
	return stdout
}

// Two commands bring somebody who has nothing but Go, node, npm and an agent to an agent that is
// told the errors that it makes.
func TestTwoCommands(t *testing.T) {
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, server, archive, file, wrong, says string }{
		{
			"typescript", "typescript", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true}}\n-- a.ts --\nexport const n: number = 1;\n",
			"a.ts", "export const n: number = \"one\";\n", "a.ts:1:14: error: Type 'string' is not assignable to type 'number'. (2322)\n",
		},
		{
			"python", "pyright", "-- pyproject.toml --\n-- a.py --\nn: int = 1\n",
			"a.py", "n: int = \"one\"\n", "a.py:1:10: error: Type \"Literal['one']\" is not assignable to declared type \"int\"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPerson(t, "go", "node", "npm")
			root := lsptest.Workspace(t, c.archive)
			p.must(root, "git", "init", "-q")
			if err := os.Mkdir(filepath.Join(p.home, ".codex"), 0o755); err != nil { // the agent
				t.Fatal(err)
			}

			began := time.Now()
			p.must(checkout, "go", "install", "./cmd/lspine")
			if said := p.must(root, "lspine", "init", "--yes", "--install"); !strings.Contains(said, "\nServers to install: "+c.server+"\nAgents: codex\n") {
				t.Errorf("init: %s", said)
			}
			t.Logf("two commands: %.1f s", time.Since(began).Seconds())

			if stdout := p.must(root, "lspine", "servers", "--installed"); !strings.Contains(stdout, filepath.Join(p.home, ".local", "share", "lspine", "servers")) {
				t.Errorf("servers: %s", stdout)
			}
			if _, stderr, code := p.run(root, "", "lspine", "install", "--for", "."); code != 0 || !strings.Contains(stderr, "nothing to install") {
				t.Errorf("a second time: exit code %d: %s", code, stderr)
			}
			if err := os.WriteFile(filepath.Join(root, c.file), []byte(c.wrong), 0o644); err != nil {
				t.Fatal(err)
			}
			if stdout, stderr, code := p.run(root, "", "lspine", "check", c.file); code != 1 || !strings.HasPrefix(stdout, c.says) {
				t.Errorf("check: exit code %d: %s%s", code, stdout, stderr)
			}
			if told := p.edited(root, c.file); !strings.Contains(told, c.says) {
				t.Errorf("after its edit the agent is told %q", told)
			}

			p.must(root, "lspine", "uninstall", "--purge")
			// The evidence of what was done stays: whoever keeps it decides for how long.
			const log = ".local/state/lspine/evidence.jsonl"
			if diff := cmp.Diff([]string{log, log + ".head", log + ".lock"}, p.left()); diff != "" {
				t.Errorf("what the home has in the end (-want +got):\n%s", diff)
			}
			if said := p.must(root, "lspine", "evidence", "verify"); !strings.Contains(said, "whole") {
				t.Errorf("the evidence: %s", said)
			}
		})
	}
}

// edited tells Codex's hook, as it stands in Codex's configuration, that the agent edited a file,
// and returns what that adds to the conversation.
func (p *person) edited(root, file string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.home, ".codex", "hooks.json"))
	if err != nil {
		p.t.Fatal(err)
	}
	var configured struct {
		Hooks struct {
			PostToolUse []struct{ Hooks []struct{ Command string } }
		}
	}
	if err := json.Unmarshal(text, &configured); err != nil || len(configured.Hooks.PostToolUse) != 1 {
		p.t.Fatalf("%s: %v", text, err)
	}
	payload, err := json.Marshal(map[string]any{
		"session_id": "s", "cwd": root, "hook_event_name": "PostToolUse", "tool_name": "Edit",
		"tool_input": map[string]string{"file_path": filepath.Join(root, file)},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	command := configured.Hooks.PostToolUse[0].Hooks[0].Command + " --timeout 60s" // there is no daemon that would deliver it later
	stdout, stderr, code := p.run(root, string(payload), "sh", "-c", command)
	var answer struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil || code != 0 || stderr != "" {
		p.t.Errorf("hook: exit code %d: %s%s: %v", code, stdout, stderr, err)
	}
	return answer.HookSpecificOutput.AdditionalContext
}

// left returns the files in the home that are neither programs nor what Go and npm keep there.
func (p *person) left() (files []string) {
	p.t.Helper()
	if err := filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(p.home, path)
		if slices.Contains([]string{"bin", ".config/go", ".npm"}, filepath.ToSlash(name)) {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			files = append(files, name)
		}
		return err
	}); err != nil {
		p.t.Fatal(err)
	}
	return files
}

// gopls is built from exactly the modules whose sums are known, says its version, and judges.
func TestGoServer(t *testing.T) {
	p := newPerson(t, "lspine", "go")
	root := lsptest.Workspace(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- a.go --\npackage m\n\nvar N int = \"one\"\n")
	if stdout := p.must(root, "lspine", "install", "gopls"); !strings.HasPrefix(stdout, "gopls v0.23.0: installed in ") {
		t.Errorf("install: %s", stdout)
	}
	if stdout, stderr, code := p.run(root, "", "lspine", "check", "a.go"); code != 1 || !strings.HasPrefix(stdout, "a.go:3:13: error:") {
		t.Errorf("check: exit code %d: %s%s", code, stdout, stderr)
	}
	if stdout, _, _ := p.run(root, "", "lspine", "doctor"); !strings.Contains(stdout, "(golang.org/x/tools/gopls v0.23.0)") {
		t.Errorf("doctor: %s", stdout)
	}
	// Its folder has the program and what says so, and the module cache can be removed.
	folders, err := filepath.Glob(filepath.Join(p.home, ".local", "share", "lspine", "servers", "gopls", "*"))
	if err != nil || len(folders) != 1 {
		t.Fatal(folders, err)
	}
	var names []string
	entries, err := os.ReadDir(folders[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{".lspine-in-use", "bin", "lspine.json"}) {
		t.Errorf("it has %v", names)
	}
	p.must(root, "lspine", "remove", "gopls")
	if stdout := p.must(root, "lspine", "init", "--yes", "--agent", "codex"); !strings.Contains(stdout, "\nMissing servers: lspine install gopls\n") {
		t.Errorf("init: %s", stdout)
	}
	defer func() {
		if stdout := p.must(root, "lspine", "init", "--yes", "--agent", "codex", "--install"); !strings.Contains(stdout, "\ngopls v0.23.0: installed in ") {
			t.Errorf("init --install: %s", stdout)
		}
	}()
	if _, stderr, code := p.run(root, "", "lspine", "check", "a.go"); code != 3 || !strings.Contains(stderr, "install it: lspine install gopls") {
		t.Errorf("without it: exit code %d: %s", code, stderr)
	}
}

// A server whose node is gone says so, instead of failing to start; and what is not there
// to install it is named.
func TestWithoutNode(t *testing.T) {
	p := newPerson(t, "lspine", "node", "npm")
	root := lsptest.Workspace(t, "-- a.py --\nn: int = \"one\"\n")
	p.must(root, "lspine", "install", "pyright")
	if err := os.Remove(filepath.Join(p.home, "bin", "node")); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := p.run(root, "", "lspine", "check", "a.py"); code != 3 || !strings.Contains(stderr, "pyright-langserver needs node, which is not found in PATH") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if _, stderr, code := p.run(root, "", "lspine", "install", "gopls"); code != 2 || !strings.Contains(stderr, "gopls is installed by go, which is not on PATH\n  install Go 1.26 or newer") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
