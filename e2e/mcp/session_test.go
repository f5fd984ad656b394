package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

// beLSPine makes this test binary the product's.
const beLSPine = "E2E_BE_LSPINE"

func TestMain(m *testing.M) {
	lsptest.Main(m,
		func() { lsp.Supervise(os.Args) },
		func() {
			if os.Getenv(beLSPine) != "" {
				os.Exit(cli.Main(os.Args))
			}
		})
}

// A project is a tiny program: add is declared in lib and used in main.
type project struct {
	server, archive string
	lib, main       string
	// line and column are where main uses add, from 1; libLine and libColumn
	// where lib declares it.
	line, column, libLine, libColumn int
	language                         string
}

var projects = []project{
	{
		server: "gopls", language: "go", lib: "a.go", main: "b.go", line: 4, column: 7, libLine: 4, libColumn: 6,
		archive: "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- a.go --\npackage m\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n" +
			"-- b.go --\npackage m\n\nfunc Use() int {\n\tx := Add(1, 2)\n\treturn x\n}\n" +
			"-- a_test.go --\npackage m\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { _ = Add(1, 2) }\n",
	},
	{
		server: "typescript", language: "typescript", lib: "a.ts", main: "b.ts", line: 3, column: 30, libLine: 1, libColumn: 17,
		archive: "-- package.json --\n{\"name\":\"t\",\"version\":\"1.0.0\"}\n-- tsconfig.json --\n{\"compilerOptions\":{\"strict\":true,\"target\":\"ES2020\",\"module\":\"commonjs\",\"noEmit\":true},\"include\":[\"*.ts\"]}\n" +
			"-- a.ts --\nexport function add(a: number, b: number): number { return a + b; }\n-- b.ts --\nimport { add } from './a';\n\nexport const total: number = add(1, 2);\n",
	},
	{
		server: "pyright", language: "python", lib: "a.py", main: "b.py", line: 3, column: 14, libLine: 1, libColumn: 5,
		archive: "-- pyrightconfig.json --\n{}\n-- a.py --\ndef add(a: int, b: int) -> int:\n    return a + b\n-- b.py --\nfrom a import add\n\ntotal: int = add(1, 2)\n",
	},
	{
		server: "clangd", language: "cpp", lib: "a.h", main: "b.cc", line: 4, column: 11, libLine: 2, libColumn: 12,
		archive: "-- compile_flags.txt --\n-std=c++17\n-- a.h --\n#pragma once\ninline int add(int a, int b) { return a + b; }\n-- b.cc --\n#include \"a.h\"\n\nint use() {\n  int x = add(1, 2);\n  return x;\n}\n",
	},
}

// start runs the product on standard input and output and connects to it. At the
// end it must exit by itself, with code 0.
func start(t *testing.T, root, revision string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"mcp", "--root", root}, args...)...)
	cmd.Env = append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0")
	cmd.Dir = root
	cmd.Stderr = &testLog{t: t}
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the end: %v", err)
		}
		if code := cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	return session
}

// testLog shows what the product says, if the test fails.
type testLog struct{ t *testing.T }

func (l *testLog) Write(p []byte) (int, error) {
	if l.t.Context().Err() == nil { // no test to log to after its end
		l.t.Logf("%s", p)
	}
	return len(p), nil
}

// arguments are those of every tool, by name.
func (p *project) arguments(tool, root, other string) string {
	at := fmt.Sprintf(`"at":"%s:%d:%d"`, p.main, p.line, p.column)
	place := fmt.Sprintf(`"file_path":%q,"line":%d,"column":%d`, p.main, p.line, p.column)
	span := fmt.Sprintf(`"file_path":%q,"start_line":1,"start_column":1,"end_line":3,"end_column":1`, p.main)
	file := fmt.Sprintf(`"file_path":%q`, p.main)
	switch tool {
	case "check":
		return fmt.Sprintf(`{"files":[%q]}`, p.main)
	case "definition", "references", "inspect", "source", "hierarchy":
		return "{" + at + "}"
	case "symbols":
		return fmt.Sprintf(`{"file":%q}`, p.lib)
	case "impact":
		return fmt.Sprintf(`{"files":[%q]}`, p.lib)
	case "start_lsp":
		return fmt.Sprintf(`{"root_dir":%q,"language_id":%q}`, root, p.language)
	case "detect_lsp_servers":
		return fmt.Sprintf(`{"workspace_dir":%q}`, root)
	case "add_workspace_folder", "remove_workspace_folder":
		return fmt.Sprintf(`{"path":%q}`, other)
	case "open_document", "close_document", "list_symbols", "get_tests_for_file", "get_editing_context", "get_diagnostics":
		return "{" + file + "}"
	case "did_change_watched_files":
		return fmt.Sprintf(`{"changes":[{"file":%q,"type":"changed"}]}`, p.main)
	case "set_log_level":
		return `{"level":"error"}`
	case "go_to_symbol":
		return fmt.Sprintf(`{"symbol_path":%q,"language":%q}`, p.name(), p.language)
	case "find_symbol":
		return fmt.Sprintf(`{"query":%q}`, p.name())
	case "get_symbol_documentation":
		return fmt.Sprintf(`{"symbol":%q,"language_id":%q,"file_path":%q}`, p.name(), p.language, p.lib)
	case "blast_radius":
		return fmt.Sprintf(`{"changed_files":[%q]}`, p.lib)
	case "get_cross_repo_references":
		return fmt.Sprintf(`{"symbol_file":%q,"line":%d,"column":%d,"consumer_roots":[%q]}`, p.lib, p.libLine, p.libColumn, other)
	case "get_inlay_hints", "get_semantic_tokens":
		return "{" + span + "}"
	case "status", "restart_lsp_server", "list_workspace_folders", "get_server_capabilities", "detect_changes":
		return `{}`
	}
	return "{" + place + "}"
}

func (p *project) name() string {
	if p.server == "gopls" {
		return "Add"
	}
	return "add"
}

// Every tool of both profiles answers from a real server of every language, and
// its structured result is what its schema says. A tool that a server cannot
// answer says so in one of the stable kinds, and never as "failed".
func TestEveryToolWithRealServers(t *testing.T) {
	for i := range projects {
		p := &projects[i]
		for _, profile := range []string{"default", "full"} {
			t.Run(p.server+"/"+profile, func(t *testing.T) {
				lsptest.Require(t, p.server)
				root := lsptest.Workspace(t, p.archive)
				other := lsptest.Workspace(t, p.archive)
				commit(t, root)
				session := start(t, root, "2025-06-18", "--profile", profile, "--server", p.server)
				listed, err := session.ListTools(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, tool := range listed.Tools {
					t.Run(tool.Name, func(t *testing.T) { p.try(t, session, tool, p.arguments(tool.Name, root, other)) })
				}
			})
		}
	}
}

// commit makes a checkout of a folder, for tools that ask git.
func commit(t *testing.T, root string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
}

func (p *project) try(t *testing.T, session *mcp.ClientSession, tool *mcp.Tool, args string) {
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		var failure struct {
			Error struct{ Kind string }
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err == nil {
			err = json.Unmarshal(raw, &failure)
		}
		switch {
		case err != nil:
			t.Error(err)
		case failure.Error.Kind == "unsupported", failure.Error.Kind == "not_found", failure.Error.Kind == "unavailable":
			t.Logf("%s %s: %s", tool.Name, args, text)
		case p.server == "gopls" && strings.Contains(text, "not a "):
			t.Logf("%s of a function: %s", tool.Name, text) // gopls refuses instead of naming nothing
		default:
			t.Errorf("%s %s: %s: %s", tool.Name, args, failure.Error.Kind, text)
		}
		return
	}
	raw, err := json.Marshal(tool.OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(result.StructuredContent); err != nil {
		t.Errorf("%s: the structured result does not fit the schema: %v", tool.Name, err)
	}
	if text == "" {
		t.Errorf("%s: no text", tool.Name)
	}
	// What a tool answers is about the symbol that was asked about.
	if needle, ok := map[string]string{
		"definition": p.lib, "references": p.main, "go_to_definition": p.lib, "find_references": p.main,
		"source": p.name(), "get_symbol_source": p.name(), "inspect": p.name(), "list_symbols": "",
	}[tool.Name]; ok && !strings.Contains(text, needle) {
		t.Errorf("%s: %q is not in\n%s", tool.Name, needle, text)
	}
}

// Twenty calls at once over three servers, some cancelled on the way: every
// answer is that of its own call, and the session is as good as new after it.
func TestManyCallsAtOnce(t *testing.T) {
	var archive strings.Builder
	for i := range projects[:3] {
		lsptest.Require(t, projects[i].server)
		archive.WriteString(projects[i].archive)
	}
	root := lsptest.Workspace(t, archive.String())
	session := start(t, root, "2026-07-28")
	random := rand.New(rand.NewPCG(1, 2))
	type outcome struct {
		p         *project
		cancelled bool
		text      string
		err       error
	}
	done := make(chan outcome)
	const calls = 20
	for i := range calls {
		p := &projects[i%3]
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := random.IntN(4) == 0
		if cancelled {
			time.AfterFunc(time.Duration(random.IntN(400))*time.Millisecond, cancel)
		}
		go func() {
			defer cancel()
			result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "definition", Arguments: json.RawMessage(p.arguments("definition", root, ""))})
			o := outcome{p: p, cancelled: cancelled, err: err}
			if err == nil {
				o.text = result.Content[0].(*mcp.TextContent).Text
			}
			done <- o
		}()
	}
	for range calls {
		o := <-done
		switch {
		case o.err != nil && !o.cancelled:
			t.Errorf("%s: %v", o.p.server, o.err)
		case o.err == nil && (!strings.Contains(o.text, o.p.lib) || strings.Contains(o.text, "error")):
			t.Errorf("%s: %s", o.p.server, o.text)
		}
	}
	for i := range projects[:3] {
		p := &projects[i]
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "definition", Arguments: json.RawMessage(p.arguments("definition", root, ""))})
		if err != nil || !strings.Contains(result.Content[0].(*mcp.TextContent).Text, p.lib) {
			t.Errorf("%s after all: %v %+v", p.server, err, result)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Error(err)
	}
}
