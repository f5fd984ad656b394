package hostclient

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/service"
)

const beLSPine = "HOSTCLIENT_BE_LSPINE"

func TestMain(m *testing.M) {
	lsptest.Main(m,
		func() { lsp.Supervise(os.Args) },
		func() {
			if os.Getenv(beLSPine) != "" && os.Getenv("LSPTEST_SCRIPT") == "" {
				os.Exit(cli.Main(os.Args))
			}
		})
}

// options start this test binary as the service, with a scripted server.
func options(t *testing.T, archive string, script lsptest.Script) Options {
	t.Helper()
	d := script.Definition(t)
	env := make(map[string]string)
	for _, variable := range d.Env {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	config, err := json.Marshal(map[string]any{"servers": map[string]any{d.ID: map[string]any{
		"command": d.Commands[0].Binary, "args": []string{}, "env": env, "extensions": []string{".toy"}, "roots": d.Roots,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Root: lsptest.Workspace(t, "-- toy.root --\n"+archive), Config: config, Command: []string{os.Args[0], "service"},
		Env: []string{beLSPine + "=1", "GORACE=atexit_sleep_ms=0", "XDG_CONFIG_HOME=" + t.TempDir()},
	}
}

func started(t *testing.T, opts Options) *Client {
	t.Helper()
	c := New(opts)
	t.Cleanup(func() { c.Shutdown(context.Background()) })
	c.Start(t.Context())
	return c
}

// A client is alive from its start to its shutdown, and dead from then on. While it lives it
// tells what the service knows.
//
// Requirement: REQ-START-020, REQ-GRACE-040, REQ-LIFE-050, REQ-STATUS-010, REQ-ARCH-010, BR-72, BR-83, BR-88, EC-35.
func TestLifeOfAClient(t *testing.T) {
	opts := options(t, "-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n", lsptest.Script{})
	c := New(opts)
	if c.State() != NeverStarted || c.Alive() || c.UnavailableReason() != "service was not started" || c.CheckFile(t.Context(), opts.Root+"/main.toy", nil) != nil {
		t.Errorf("%v: %s", c.State(), c.UnavailableReason())
	}
	t.Cleanup(func() { c.Shutdown(context.Background()) })
	c.Start(t.Context())
	if c.State() != Alive || c.UnavailableReason() != "" {
		t.Fatalf("%v: %s", c.State(), c.UnavailableReason())
	}
	main, lib := filepath.Join(opts.Root, "main.toy"), filepath.Join(opts.Root, "lib.toy")
	epoch := c.Epoch(t.Context())
	empty, broken := "", "ERROR a <b>\n"
	if got := c.CheckFile(t.Context(), main, &empty); len(got) != 0 {
		t.Errorf("the empty text: %v", got)
	}
	want := []Diagnostic{{File: "main.toy", Line: 1, Character: 1, Column: 1, EndLine: 1, EndCharacter: 6, Severity: "error", Message: "a &lt;b&gt;", Source: "toy"}}
	if diff := cmp.Diff(want, c.CheckFile(t.Context(), main, &broken)); diff != "" {
		t.Error(diff)
	}
	lsptest.WriteFile(t, lib, "\n")
	c.CheckFile(t.Context(), lib, nil)
	undefined := map[string][]Diagnostic{main: {{File: "main.toy", Line: 1, Character: 5, Column: 5, EndLine: 1, EndCharacter: 11, Severity: "error", Message: "undefined: helper", Source: "toy"}}}
	if diff := cmp.Diff(undefined, c.DiagnosticsAfter(t.Context(), epoch, time.Minute)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(undefined, c.AllDiagnostics(t.Context())); diff != "" {
		t.Error(diff)
	}
	if now := c.Epoch(t.Context()); now <= epoch {
		t.Errorf("the epoch is %d after %d", now, epoch)
	}
	if text := c.StatusText(t.Context()); !strings.HasPrefix(text, "LSP server status:\n  ada: ") || !strings.Contains(text, "\n  toy: active\n") {
		t.Errorf("%s", text)
	}
	c.Shutdown(t.Context())
	c.Start(t.Context()) // is not started again
	if c.State() != Dead || c.StatusText(t.Context()) != "LSP unavailable: service was shut down" || c.Epoch(t.Context()) != 0 {
		t.Errorf("%v: %s", c.State(), c.StatusText(t.Context()))
	}
}

// A service that cannot be started, or is not ready in time, is dead for the session, with
// the reason; every call is empty at once, and nothing fails.
//
// Requirement: REQ-GRACE-020, REQ-GRACE-040, REQ-GRACE-045, REQ-START-020, REQ-STATUS-030, REQ-STATUS-035, REQ-STATUS-050,
// REQ-CFG-010, BR-21, BR-42, BR-44, BR-88, EC-1, EC-2, EC-30, EC-35, EC-40, EC-52.
func TestServiceThatDoesNotStart(t *testing.T) {
	root := t.TempDir()
	for reason, opts := range map[string]Options{
		"LSP unavailable: no-such-lspine not found in PATH": {Root: root, Command: []string{"no-such-lspine"}},
		"LSP unavailable: service startup failed: LSP_BOOTSTRAP.config.navigationTools must be a boolean": {
			Root: root, Command: []string{os.Args[0], "service"}, Env: []string{beLSPine + "=1"}, Config: json.RawMessage(`{"navigationTools":1}`),
		},
		"LSP unavailable: service startup failed: it was not ready within 50ms": {Root: root, Command: []string{"sleep", "60"}, Ready: 50 * time.Millisecond},
		"LSP unavailable: service startup failed: it ended before it was ready": {Root: root, Command: []string{"true"}},
		"LSP disabled by configuration":                                         {Root: root, Config: json.RawMessage("false")},
	} {
		c := started(t, opts)
		if got := c.StatusText(t.Context()); got != reason || c.State() != Dead {
			t.Errorf("%v: %s, want %s", c.State(), got, reason)
		}
		if c.CheckFile(t.Context(), root, nil) != nil || c.AllDiagnostics(t.Context()) != nil || c.Status(t.Context()) != nil {
			t.Error("a dead one answers")
		}
		if read, write := c.MCPStreams(); read != nil || write != nil {
			t.Error("a dead one has streams")
		}
	}
	var none *Client
	none.Start(t.Context())
	if none.CheckFile(t.Context(), root, nil) != nil || none.Alive() || none.UnavailableReason() == "" {
		t.Error("a nil client")
	}
	none.Shutdown(t.Context())
}

// A service that is killed is not started again; edits go on without diagnostics.
//
// Requirement: REQ-LIFE-080, REQ-GRACE-040, REQ-GRACE-050, BR-13, BR-21, EC-6.
func TestServiceIsKilled(t *testing.T) {
	opts := options(t, "-- a.toy --\nERROR one\n", lsptest.Script{})
	c := started(t, opts)
	path := filepath.Join(opts.Root, "a.toy")
	if got := c.CheckFile(t.Context(), path, nil); len(got) != 1 {
		t.Fatalf("%v", got)
	}
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-c.ended
	lsptest.Eventually(t, 10*time.Second, func() bool { return c.State() == Dead }, "it is dead")
	if got := c.CheckFile(t.Context(), path, nil); got != nil {
		t.Errorf("%v", got)
	}
	c.Start(t.Context())
	if got := c.UnavailableReason(); got != "service ended: signal: killed" {
		t.Error(got)
	}
}

// A service that ends before it has answered the shutdown was shut down: it did not fail.
func TestServiceEndsDuringTheShutdown(t *testing.T) {
	c := started(t, options(t, "-- a.toy --\n", lsptest.Script{}))
	c.mu.Lock()
	c.leaving = true
	c.mu.Unlock()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-c.ended
	lsptest.Eventually(t, 10*time.Second, func() bool { return c.State() == Dead }, "it is dead")
	if got := c.UnavailableReason(); got != "service was shut down" {
		t.Error(got)
	}
}

// A call that the service does not answer ends with its context, and with the client's own
// deadline.
//
// Requirement: REQ-TIME-080, REQ-GRACE-050, BR-13, EC-14.
func TestCallThatHangs(t *testing.T) {
	opts := options(t, "-- a.toy --\nERROR one\n", lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Hang())}})
	opts.Call = 50 * time.Millisecond
	c := started(t, opts)
	if got := c.CheckFile(t.Context(), filepath.Join(opts.Root, "a.toy"), nil); got != nil {
		t.Errorf("%v", got)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := c.CheckFile(ended, filepath.Join(opts.Root, "a.toy"), nil); got != nil || !c.Alive() {
		t.Errorf("%v", got)
	}
}

// The navigation tools are spoken over pipes of the client.
//
// Requirement: REQ-ARCH-030, REQ-NAVR-010, BR-46, BR-91.
func TestMCPStreams(t *testing.T) {
	opts := options(t, "", lsptest.Script{})
	opts.Navigation = true
	c := started(t, opts)
	read, write := c.MCPStreams()
	if read == nil {
		t.Fatal(c.UnavailableReason())
	}
	if _, err := io.WriteString(write, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 4096)
	n, err := read.Read(answer)
	if err != nil || !strings.Contains(string(answer[:n]), `"name":"lsp-navigation"`) {
		t.Errorf("%s, %v", answer[:n], err)
	}
}

// A diagnostic survives the way from the service to the client with every field.
//
// Requirement: REQ-DRIFT-020, BR-92.
func TestDiagnosticIsTheSameOnBothSides(t *testing.T) {
	sent := service.Diagnostic{File: "a", Line: 1, Character: 2, Column: 2, EndLine: 3, EndCharacter: 4, Severity: "hint", Message: "m", Code: "c", Source: "s"}
	for i := range reflect.TypeFor[service.Diagnostic]().NumField() {
		if reflect.ValueOf(sent).Field(i).IsZero() {
			t.Fatalf("%s is not filled", reflect.TypeOf(sent).Field(i).Name)
		}
	}
	text, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	var got Diagnostic
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Diagnostic(sent), got); diff != "" {
		t.Error(diff)
	}
}
