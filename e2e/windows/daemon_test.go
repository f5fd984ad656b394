//go:build windows

package windows

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
)

// A user is one who uses daemons, in a folder of his own for what programs keep.
type user struct {
	t     *testing.T
	local string
}

func newUser(t *testing.T) *user {
	t.Helper()
	lsptest.Require(t, "gopls")
	u := &user{t, t.TempDir()}
	t.Cleanup(func() {
		if text, code := run(t, u.product(u.local, "daemon", "stop", "--all")); code != 0 {
			t.Errorf("stop: exit %d: %s", code, text)
		}
		u.nothingRuns()
	})
	return u
}

// product is the command that runs the product for the user.
func (u *user) product(root string, args ...string) *exec.Cmd {
	cmd := product(root, nil, args...)
	cmd.Env = append(cmd.Env, "LOCALAPPDATA="+u.local, "LSPINE_DAEMON=auto", "CI=")
	return cmd
}

// daemon is the process id of the one daemon that runs, or was killed, as its record says it.
func (u *user) daemon() int {
	u.t.Helper()
	records, err := filepath.Glob(filepath.Join(u.local, "lspine", "daemon", "*", "daemon.json"))
	if err != nil || len(records) != 1 {
		u.t.Fatalf("records %v, %v", records, err)
	}
	text, err := os.ReadFile(records[0])
	var record struct{ PID int }
	if err == nil {
		err = json.Unmarshal(text, &record)
	}
	if err != nil || record.PID == 0 {
		u.t.Fatalf("%s: %v", text, err)
	}
	return record.PID
}

// nothingRuns waits until no process of the user is left.
func (u *user) nothingRuns() {
	u.t.Helper()
	var left []lsptest.Process
	defer func() {
		if len(left) > 0 {
			u.t.Log("left: ", left)
		}
	}()
	lsptest.Eventually(u.t, 10*time.Second, func() bool {
		left = lsptest.Marked(u.t, u.local)
		return len(left) == 0
	}, "a daemon or a server is left")
}

// The second call of the command line is answered by the server that the first one started, and so
// is the hook of an agent, with a payload as one sent it. The user sees the daemon, and ends it.
func TestCallsShareADaemon(t *testing.T) {
	u := newUser(t)
	root := module(t)
	text, code := run(t, u.product(root, "check", "main.go"))
	if code != 0 || !strings.Contains(text, "no errors (1 file checked)") {
		t.Fatalf("cold: exit %d: %s", code, text)
	}
	pid, servers := u.daemon(), roots("gopls.exe")
	began := time.Now()
	text, code = run(t, u.product(root, "check", "main.go"))
	if code != 0 || !strings.Contains(text, "no errors (1 file checked)") {
		t.Errorf("warm: exit %d: %s", code, text)
	}
	t.Logf("warm: %v", time.Since(began))

	payload, err := os.ReadFile(filepath.Join("..", "..", "internal", "hook", "testdata", "payloads", "claude", "PostToolUse-Edit.json"))
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(root, "lib", "lib.go"), "package lib\r\n\r\nfunc Sum(a int) int {\r\n\treturn a\r\n}\r\n")
	hook := u.product(root, "hook")
	hook.Stdin = strings.NewReader(strings.NewReplacer(
		"/home/you/project/util/util.go", lsptest.InJSON(filepath.Join(root, "lib", "lib.go")), "/home/you/project", lsptest.InJSON(root),
		"func Greet(name string) string {", "func Sum(a, b int) int {", "func Greet(name string, loud bool) string {", "func Sum(a int) int {",
		`package util\n`, `package lib\r\n\r\nfunc Sum(a, b int) int {\r\n\treturn a + b\r\n}\r\n`,
	).Replace(string(payload)))
	text, code = run(t, hook)
	if code != 0 || !strings.Contains(text, `"additionalContext"`) || !strings.Contains(text, "also broken now: main.go (1)") {
		t.Errorf("hook: exit %d: %q", code, text)
	}

	if again := u.daemon(); again != pid {
		t.Errorf("another daemon: %d, after %d", again, pid)
	}
	if now := roots("gopls.exe"); len(servers) != 1 || !slices.Equal(servers, now) {
		t.Errorf("servers %v became %v", servers, now)
	}
	text, code = run(t, u.product(root, "daemon", "stop"))
	if code != 0 || !strings.Contains(text, "stopped pid ") {
		t.Errorf("stop: exit %d: %s", code, text)
	}
	u.nothingRuns()
	if text, _ = run(t, u.product(root, "daemon", "status")); text != "no daemon runs\n" {
		t.Errorf("status: %s", text)
	}
}

// A daemon that is killed while it works on a call costs no answer, and leaves no server.
func TestKilledDaemon(t *testing.T) {
	u := newUser(t)
	root := module(t)
	call := u.product(root, "check", "main.go")
	var said strings.Builder
	call.Stdout, call.Stderr = &said, &said
	if err := call.Start(); err != nil {
		t.Fatal(err)
	}
	lsptest.Eventually(t, 30*time.Second, func() bool { return len(processes("gopls.exe")) > 0 }, "the server starts")
	pid := u.daemon()
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := call.Wait(); err != nil || !strings.Contains(said.String(), "no errors (1 file checked)") {
		t.Errorf("%v: %s", err, said.String())
	}
	if text, code := run(t, u.product(root, "check", "main.go")); code != 0 {
		t.Errorf("the next one: exit %d: %s", code, text)
	}
	if again := u.daemon(); again == pid {
		t.Errorf("the daemon %d lives", pid)
	}
	if servers := roots("gopls.exe"); len(servers) != 1 {
		t.Errorf("%d servers run", len(servers))
	}
}

// A daemon that nobody needs ends.
func TestIdleDaemon(t *testing.T) {
	u := newUser(t)
	cmd := u.product(module(t), "check", "main.go")
	cmd.Env = append(cmd.Env, "LSPINE_DAEMON_IDLE=500")
	if text, code := run(t, cmd); code != 0 {
		t.Errorf("exit %d: %s", code, text)
	}
	u.nothingRuns()
}
