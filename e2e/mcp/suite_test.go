package mcp

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// suite returns the path of an official suite, installed by scripts/mcp-suite.
// One that is missing skips the test, or fails it where LSPINE_REQUIRE_MCP_SUITE
// is set.
func suite(t *testing.T, command string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", ".tools", "bin", command))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if os.Getenv("LSPINE_REQUIRE_MCP_SUITE") != "" {
		t.Fatalf("%s is required here, and not installed; run: make mcp-suite", command)
	}
	t.Skipf("%s is not installed; run: make mcp-suite", command)
	return ""
}

// inapplicable are the scenarios of the conformance suite that no product can pass,
// by what they demand.
var inapplicable = map[string][]string{
	"a tool of the suite's own, such as test_simple_text": {
		"tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
		"tools-call-mixed-content", "tools-call-with-logging", "tools-call-error", "tools-call-with-progress",
		"tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
		"json-schema-2020-12", "input-required-result-basic-elicitation", "input-required-result-basic-list-roots",
		"input-required-result-basic-sampling", "input-required-result-capability-check", "input-required-result-multi-round",
		"input-required-result-multiple-input-requests", "input-required-result-request-state",
		"input-required-result-result-type", "input-required-result-tampered-state",
	},
	"a resource of the suite's own, such as test://static-text": {
		"resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe", "resources-unsubscribe",
	},
	"a prompt of the suite's own, such as test_simple_prompt": {
		"prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
		"completion-complete", "input-required-result-non-tool-request",
	},
	"an extension that LSPine does not offer": {
		"tasks-capability-negotiation", "tasks-dispatch-and-envelope", "tasks-lifecycle", "tasks-mrtr-composition", "tasks-mrtr-input",
		"tasks-request-headers", "tasks-request-state-removal", "tasks-required-task-error", "tasks-wire-fields",
	},
}

// A conformanceCheck is one thing that a scenario of the suite looks at.
type conformanceCheck struct {
	ID, Status, ErrorMessage string
	Details                  struct {
		// Untestable says that the suite lacks what it needs to look.
		Untestable bool
	}
}

// conformance runs the official suite against a server and returns what it looked at, by
// scenario.
func conformance(t *testing.T, suite, url, revision string) map[string][]conformanceCheck {
	t.Helper()
	results := t.TempDir()
	cmd := exec.Command(suite, "server", "--url", url, "--requirements", revision, "-o", results)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput() // it fails for what does not apply
	files, _ := filepath.Glob(filepath.Join(results, "*", "checks.json"))
	if len(files) == 0 {
		t.Fatalf("no results: %v\n%s", err, out)
	}
	stamp := regexp.MustCompile(`^server-(.*)-\d{4}-\d\d-\d\dT.*$`)
	found := make(map[string][]conformanceCheck)
	for _, file := range files {
		name := stamp.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		if name == nil {
			t.Fatalf("the suite calls its results differently: %s", file)
		}
		var checks []conformanceCheck
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &checks)
		}
		if err != nil {
			t.Fatal(err)
		}
		found[name[1]] = checks
	}
	return found
}

// The official conformance suite passes over HTTP, without a token and with one, at the newest revision and at the
// last one with sessions, but for the scenarios that demand tools, resources and
// prompts of its own. A scenario that would pass is not left out.
//
// Requirement: AGENT-2.
func TestConformance(t *testing.T) {
	program := suite(t, "mcp-conformance")
	reasons, failed := make(map[string]string), make(map[string]bool)
	for reason, scenarios := range inapplicable {
		for _, s := range scenarios {
			reasons[s] = reason
		}
	}
	workspace := lsptest.Workspace(t, "-- a.txt --\n")
	for name, url := range map[string]string{"open": serveHTTP(t, workspace, nil, "--no-auth"), "token": serveBehind(t, workspace, true).URL + "/mcp"} {
		for revision, least := range map[string]int{"2025-11-25": 40, "2026-07-28": 100} {
			passed := 0
			for scenario, checks := range conformance(t, program, url, revision) {
				for _, c := range checks {
					switch {
					case c.Status == "SUCCESS":
						passed++
					case c.Status != "FAILURE" || c.Details.Untestable:
					case reasons[scenario] != "":
						failed[scenario] = true
					default:
						t.Errorf("%s, %s: %s: %s: %s", name, revision, scenario, c.ID, c.ErrorMessage)
					}
				}
			}
			if passed < least {
				t.Errorf("%s, %s: only %d checks passed", name, revision, passed)
			}
			t.Logf("%s, %s: %d checks passed", name, revision, passed)
		}
	}
	for scenario, reason := range reasons {
		if !failed[scenario] {
			t.Errorf("%s does not fail any more; it was left out because it demands %s", scenario, reason)
		}
	}
}

// serveHTTP runs the product over HTTP, with further variables and flags, and returns its address. At the end
// SIGTERM makes it exit with code 0.
func serveHTTP(t *testing.T, root string, environ []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"mcp", "--root", root, "--http", "--port", "0"}, args...)...)
	cmd.Env = append(append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0"), environ...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	url := ""
	for url == "" && lines.Scan() {
		_, url, _ = strings.Cut(lines.Text(), "serving MCP at ")
	}
	drained := make(chan struct{})
	go func() { // joined below
		defer close(drained)
		for lines.Scan() {
			t.Log(lines.Text())
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-drained
		if err := cmd.Wait(); err != nil {
			t.Errorf("the end: %v", err)
		}
	})
	if url == "" {
		t.Fatal("no address")
	}
	return url
}

// The official inspector lists the tools and calls one over standard input and
// output.
func TestInspector(t *testing.T) {
	inspector := suite(t, "mcp-inspector")
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, projects[0].archive)
	inspect := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(inspector, append([]string{"--cli", os.Args[0], "mcp", "--root", root, "-e", beLSPine + "=1", "-e", "LSPINE_DAEMON=never"}, args...)...)
		cmd.Env = append(os.Environ(), beLSPine+"=1", "HOME="+t.TempDir(), "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
		return out
	}
	var listed struct {
		Tools []struct{ Name string }
	}
	if err := json.Unmarshal(inspect("--method", "tools/list"), &listed); err != nil || len(listed.Tools) < 8 {
		t.Errorf("tools/list: %v %+v", err, listed)
	}
	if out := inspect("--method", "tools/call", "--tool-name", "definition", "--tool-arg", "at=b.go:4:7"); !strings.Contains(string(out), "a.go") {
		t.Errorf("tools/call: %s", out)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
