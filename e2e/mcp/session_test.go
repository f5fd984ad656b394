package mcp

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

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
	// types declares the type Base, Two, which is one of them, and a variable
	// of that type; base, sub and two are their lines and columns.
	types          string
	base, sub, two [2]int
}

var projects = []project{
	{
		server: "gopls", language: "go", lib: "a.go", main: "b.go", line: 4, column: 7, libLine: 4, libColumn: 6,
		archive: "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- a.go --\npackage m\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n" +
			"-- b.go --\npackage m\n\nfunc Use() int {\n\tx := Add(1, 2)\n\treturn x\n}\n" +
			"-- a_test.go --\npackage m\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { _ = Add(1, 2) }\n" +
			"-- types.go --\npackage m\n\ntype Base interface{ Sum() int }\n\ntype Two struct{}\n\nfunc (Two) Sum() int { return 2 }\n\nvar Double = Two{}\n",
		types: "types.go", base: [2]int{3, 6}, sub: [2]int{5, 6}, two: [2]int{9, 5},
	},
	{
		server: "typescript", language: "typescript", lib: "a.ts", main: "b.ts", line: 3, column: 30, libLine: 1, libColumn: 17,
		archive: "-- package.json --\n{\"name\":\"t\",\"version\":\"1.0.0\"}\n-- tsconfig.json --\n{\"compilerOptions\":{\"strict\":true,\"target\":\"ES2020\",\"module\":\"commonjs\",\"noEmit\":true},\"include\":[\"*.ts\"]}\n" +
			"-- a.ts --\nexport function add(a: number, b: number): number { return a + b; }\n-- b.ts --\nimport { add } from './a';\n\nexport const total: number = add(1, 2);\n" +
			"-- types.ts --\nexport interface Base { sum(): number }\n\nexport class Two implements Base { sum() { return 2; } }\n\nexport const two = new Two();\n",
		types: "types.ts", base: [2]int{1, 18}, sub: [2]int{3, 14}, two: [2]int{5, 14},
	},
	{
		server: "pyright", language: "python", lib: "a.py", main: "b.py", line: 3, column: 14, libLine: 1, libColumn: 5,
		archive: "-- pyrightconfig.json --\n{}\n-- a.py --\ndef add(a: int, b: int) -> int:\n    return a + b\n-- b.py --\nfrom a import add\n\ntotal: int = add(1, 2)\n" +
			"-- shapes.py --\nclass Base:\n    pass\n\n\nclass Two(Base):\n    pass\n\n\ntwo = Two()\n",
		types: "shapes.py", base: [2]int{1, 7}, sub: [2]int{5, 7}, two: [2]int{9, 1},
	},
	{
		server: "clangd", language: "cpp", lib: "a.h", main: "b.cc", line: 4, column: 11, libLine: 2, libColumn: 12,
		archive: "-- compile_flags.txt --\n-std=c++17\n-- a.h --\n#pragma once\ninline int add(int a, int b) { return a + b; }\n-- b.cc --\n#include \"a.h\"\n\nint use() {\n  int x = add(1, 2);\n  return x;\n}\n" +
			"-- types.cc --\nstruct Base {\n  virtual int sum() = 0;\n};\n\nstruct Two : Base {\n  int sum() override { return 2; }\n};\n\nTwo two;\n",
		types: "types.cc", base: [2]int{1, 8}, sub: [2]int{5, 8}, two: [2]int{9, 5},
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

func (p *project) name() string {
	if p.server == "gopls" {
		return "Add"
	}
	return "add"
}

// call calls a tool with the JSON of its arguments; the text of the result is
// also returned apart.
func call(ctx context.Context, session *mcp.ClientSession, tool, args string) (*mcp.CallToolResult, string, error) {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		return nil, "", err
	}
	return result, result.Content[0].(*mcp.TextContent).Text, nil
}
