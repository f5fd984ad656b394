//go:build unix

package service

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

var update = flag.Bool("update", false, "write the transcript of the guide again")

const shop = "-- go.mod --\nmodule example.com/shop\n\ngo 1.24\n" +
	"-- calc.go --\npackage shop\n\nfunc Sum(a, b int) int { return a + b }\n-- main.go --\npackage shop\n\nfunc Total() int {\n\treturn Sum(1, 2)\n}\n"

// The conversation in the guide is one that was had.
//
// Requirement: REQ-ARCH-020, REQ-START-010, REQ-DRIFT-020.
func TestTranscriptOfTheGuide(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, shop)
	cmd := command(t, bootstrap(t, root, map[string]any{"diagnosticTimeout": 60_000, "firstTouchTimeout": 120_000}))
	stdin, stdout := lsptest.Piped(t, cmd)
	in := bufio.NewReader(stdout)
	var text strings.Builder
	readable := strings.NewReplacer(root, "/home/you/shop", `\u0026`, "&")
	hear := func() {
		t.Helper()
		header, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		length, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length: ")))
		if err != nil {
			t.Fatal(err)
		}
		body := make([]byte, 2+length)
		if _, err := io.ReadFull(in, body); err != nil {
			t.Fatal(err)
		}
		text.WriteString("← " + readable.Replace(string(body[2:])) + "\n")
	}
	id := 0
	ask := func(method, params string) {
		t.Helper()
		id++
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, strings.ReplaceAll(params, "ROOT", root))
		text.WriteString("→ " + readable.Replace(body) + "\n")
		if _, err := fmt.Fprintf(stdin, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		hear()
	}
	hear()
	ask("lsp/checkFile", `{"filePath":"ROOT/main.go"}`)
	text.WriteString("\n(the agent changes calc.go: Sum takes and returns strings)\n\n")
	lsptest.WriteFile(t, filepath.Join(root, "calc.go"), "package shop\n\nfunc Sum(a, b string) string { return a + b }\n")
	ask("lsp/checkFile", `{"filePath":"ROOT/calc.go"}`)
	ask("lsp/diagnostics", `{}`)
	ask("lsp/checkFile", `{"filePath":"ROOT/main.go","text":"package shop\n\nfunc Total() string {\n\treturn Sum(\"1\", \"2\")\n}\n"}`)
	ask("lsp/checkFile", `{"filePath":7}`)
	ask("lspine/source", `{"at":"calc.go Sum"}`)
	ask("lsp/shutdown", `{}`)
	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	guide := filepath.Join("..", "..", "docs", "guides", "embedding.md")
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- transcript -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(string(page), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the transcript", guide)
	}
	want := before + begin + "```text\n" + text.String() + "```\n" + end + after
	if *update {
		lsptest.WriteFile(t, guide, want)
	} else if diff := cmp.Diff(string(page), want); diff != "" {
		t.Errorf("the transcript is not fresh: go test ./e2e/service -run Guide -update\n%s", diff)
	}
}

// node returns a Node.js that runs TypeScript: the one on PATH, or that of the suites.
func node(t *testing.T) string {
	t.Helper()
	launch, _ := filepath.EvalSymlinks(filepath.Join("..", "..", ".tools", "bin", "mcp-conformance"))
	candidates, _ := filepath.Glob(filepath.Join(filepath.Dir(launch), "node_modules", "node-*", "bin", "node"))
	for _, candidate := range append(candidates, "node") {
		out, err := exec.Command(candidate, "-p", "process.features.typescript ? 'yes' : 'no'").Output()
		if err == nil && strings.TrimSpace(string(out)) == "yes" {
			return candidate
		}
	}
	if os.Getenv("LSPINE_REQUIRE_MCP_SUITE") != "" {
		t.Fatal("a Node.js that runs TypeScript is required here; run: make mcp-suite")
	}
	t.Skip("no Node.js here runs TypeScript; run: make mcp-suite")
	return ""
}

// The clients that others begin with work: they say what is wrong, and leave nothing behind.
//
// Requirement: REQ-ARCH-010, REQ-LIFE-040.
func TestClientsOfTheGuide(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lspine"), []byte("#!/bin/sh\nexec '"+os.Args[0]+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"client.py", "client.ts"} {
		t.Run(name, func(t *testing.T) {
			program := "python3"
			if name == "client.ts" {
				program = node(t)
			} else if _, err := exec.LookPath(program); err != nil {
				lsptest.Skip(t, "there is no Python")
			}
			toy := newToy(t, lsptest.Script{})
			config, err := json.Marshal(map[string]any{"servers": map[string]any{toy.id: toy.config}})
			if err != nil {
				t.Fatal(err)
			}
			root := lsptest.Workspace(t, "-- toy.root --\n-- a.toy --\n\nuse nobody\n-- b.toy --\n-- c.toy --\nERROR a <b>\n")
			cmd := exec.Command(program, filepath.Join("testdata", name), root, "a.toy", "b.toy", "c.toy", "none.toy")
			cmd.Env = append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0", "XDG_CONFIG_HOME="+t.TempDir(), "LSP_CONFIG="+string(config),
				"PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "NODE_NO_WARNINGS=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			const want = "a.toy:2:5 error: undefined: nobody\nc.toy:1:1 error: a &lt;b&gt;\n"
			if err != nil || string(out) != want || stderr.String() != "MCP channel disabled: the descriptors 3 and 4 are not open for it\n" {
				t.Errorf("%v: %s, want %s: %s", err, out, want, &stderr)
			}
		})
	}
}
