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

// inapplicable are the scenarios of the conformance suite that no product can
// pass, by what they demand. The suite itself fails for one that passes, or that
// it does not know.
var inapplicable = map[string][]string{
	"a tool of the suite's own, such as test_simple_text": {
		"tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
		"tools-call-mixed-content", "tools-call-with-logging", "tools-call-error", "tools-call-with-progress",
		"tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
	},
	"a resource of the suite's own, such as test://static-text": {
		"resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe", "resources-unsubscribe",
	},
	"a prompt of the suite's own, such as test_simple_prompt": {
		"prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
		"completion-complete",
	},
}

// The official conformance suite passes over HTTP, but for the scenarios that
// demand tools, resources and prompts of its own.
func TestConformance(t *testing.T) {
	conformance := suite(t, "mcp-conformance")
	var expected strings.Builder
	expected.WriteString("server:\n")
	skipped := 0
	for reason, scenarios := range inapplicable {
		for _, s := range scenarios {
			expected.WriteString("  - " + s + " # demands " + reason + "\n")
			skipped++
		}
	}
	baseline := filepath.Join(t.TempDir(), "expected.yml")
	lsptest.WriteFile(t, baseline, expected.String())
	root := lsptest.Workspace(t, "-- a.txt --\n")
	url := serveHTTP(t, root)
	cmd := exec.Command(conformance, "server", "--url", url, "--expected-failures", baseline)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	passed := regexp.MustCompile(`(?m)^✓ .*`).FindAllString(string(out), -1)
	if len(passed) < 8 {
		t.Errorf("only %d scenarios passed:\n%s", len(passed), out)
	}
	t.Logf("%d scenarios do not apply; passed:\n%s", skipped, strings.Join(passed, "\n"))
}

// serveHTTP runs the product over HTTP and returns its address. At the end
// SIGTERM makes it exit with code 0.
func serveHTTP(t *testing.T, root string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "mcp", "--root", root, "--http", "--no-auth", "--port", "0")
	cmd.Env = append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0")
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
		cmd := exec.Command(inspector, append([]string{"--cli", os.Args[0], "mcp", "--root", root, "-e", beLSPine + "=1"}, args...)...)
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
