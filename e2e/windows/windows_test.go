//go:build windows

package windows

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/windows"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsptest"
)

// beLSPine makes this test binary the product's.
const beLSPine = "E2E_BE_LSPINE"

func TestMain(m *testing.M) {
	lsptest.Main(m, func() {
		if os.Getenv(beLSPine) != "" {
			os.Exit(cli.Main(os.Args))
		}
	})
}

// product is the command that runs the product in a folder, with more folders of programs.
func product(root string, programs []string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), beLSPine+"=1", "PATH="+strings.Join(append(programs, os.Getenv("PATH")), ";"))
	return cmd
}

// run returns what the product answers, and its exit code.
func run(t *testing.T, cmd *exec.Cmd) (text string, code int) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// module is a Go module whose files have the line ends of Windows.
func module(t *testing.T) string {
	t.Helper()
	root := lsptest.Workspace(t, `
-- go.mod --
module m

go 1.24
-- main.go --
package main

import "m/lib"

func main() {
	println(lib.Sum(1, 2))
}
-- lib/lib.go --
package lib

// Sum adds.
func Sum(a, b int) int {
	return a + b
}
`)
	for _, name := range []string{"main.go", `lib\lib.go`} {
		path := filepath.Join(root, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lsptest.WriteFile(t, path, strings.ReplaceAll(string(text), "\n", "\r\n"))
	}
	return root
}

// A right module is clean and a broken one is not, at the place of the error, however its drive is
// written; names are shown with one kind of slash.
func TestCheck(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := module(t)
	text, code := run(t, product(root, nil, "check", "main.go", `lib\lib.go`))
	if code != 0 || !strings.Contains(text, "no errors (2 files checked)") {
		t.Errorf("right: exit %d: %s", code, text)
	}
	lsptest.WriteFile(t, filepath.Join(root, `lib\lib.go`), "package lib\r\n\r\nfunc Sum(a, b int) int {\r\n\treturn nope\r\n}\r\n")
	for _, name := range []string{`lib\lib.go`, "lib/lib.go", strings.ToLower(root[:1]) + root[1:] + `\lib\lib.go`} {
		text, code = run(t, product(root, nil, "check", name))
		if code != 1 || !strings.Contains(text, "lib/lib.go") || !strings.Contains(text, "4:9") || !strings.Contains(text, "undefined: nope") {
			t.Errorf("broken, as %s: exit %d: %s", name, code, text)
		}
	}
}

// connect starts the MCP server of the product in a folder.
func connect(t *testing.T, cmd *exec.Cmd) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func call(t *testing.T, session *mcp.ClientSession, tool, args string) string {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	return answer.Content[0].(*mcp.TextContent).Text
}

// An agent edits, renames across files, and is refused what is not to be edited; line ends stay, and
// the workspace has one server.
func TestAgent(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := module(t)
	session := connect(t, product(root, nil, "mcp", "--root", root))
	defer func() { _ = session.Close() }()
	upper, err := json.Marshal(root + `\main.go`)
	if err != nil {
		t.Fatal(err)
	}
	lower, err := json.Marshal(strings.ToLower(root[:1]) + root[1:] + `\main.go`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, args, says string }{
		{"check", `{"files":["main.go"],"timeout_ms":60000}`, "no errors (1 file checked)"},
		{"check", `{"files":[` + string(upper) + `],"timeout_ms":60000}`, "no errors (1 file checked)"},
		{"check", `{"files":[` + string(lower) + `],"timeout_ms":60000}`, "no errors (1 file checked)"},
		{"definition", `{"at":"main.go:6:14"}`, "Sum: definition at lib/lib.go:4:6"},
		{"edit", `{"edits":[{"file":"lib/lib.go","old_text":"a + b","new_text":"a + nope"}]}`, "undefined: nope"},
		{"edit", `{"edits":[{"file":"lib\\lib.go","old_text":"a + nope","new_text":"b + a"}]}`, "Edit applied to lib/lib.go (1 replacement)."},
		{"rename", `{"at":"lib/lib.go:4:6","new_name":"Add"}`, "Add"},
		{"edit", `{"edits":[{"file":".git./config","content":"x"}]}`, "no name that this system keeps"},
		{"edit", `{"edits":[{"file":"GIT~1/config","content":"x"}]}`, "which is not edited"},
		{"edit", `{"edits":[{"file":"..\\x.go","content":"x"}]}`, "outside"},
		{"edit", `{"edits":[{"file":"C:\\windows\\x.go","content":"x"}]}`, "outside"},
		{"edit", `{"edits":[{"file":"main.go/x.go","content":"x"}]}`, "not a directory"},
	} {
		if text := call(t, session, c.tool, c.args); !strings.Contains(text, c.says) {
			t.Errorf("%s %s: %s", c.tool, c.args, text)
		}
	}
	got := make(map[string]string)
	for _, name := range []string{"main.go", "lib/lib.go"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(text)
	}
	want := map[string]string{
		"main.go":    "package main\r\n\r\nimport \"m/lib\"\r\n\r\nfunc main() {\r\n\tprintln(lib.Add(1, 2))\r\n}\r\n",
		"lib/lib.go": "package lib\r\n\r\n// Add adds.\r\nfunc Add(a, b int) int {\r\n\treturn b + a\r\n}\r\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if servers := roots("gopls.exe"); len(servers) != 1 {
		t.Errorf("%d servers run: %s", len(servers), call(t, session, "status", `{}`))
	}
}

// TypeScript is found behind npm's shims, and judges: its version 7, and 5.9 by way of its server.
func TestTypeScript(t *testing.T) {
	for name, folder := range map[string]string{"7": "typescript", "5.9": "typescript-old"} {
		t.Run(name, func(t *testing.T) {
			bed := os.Getenv("E2E_BED")
			if bed == "" {
				lsptest.Skip(t, "scripts/windows has the packages of npm")
			}
			root := lsptest.Workspace(t, "-- tsconfig.json --\n{\"compilerOptions\":{\"strict\":true}}\n-- a.ts --\nexport const n: number = 1;\n")
			programs := []string{filepath.Join(bed, folder, "node_modules", ".bin")}
			text, code := run(t, product(root, programs, "check", "a.ts"))
			if code != 0 || !strings.Contains(text, "no errors (1 file checked)") {
				t.Errorf("right: exit %d: %s", code, text)
			}
			lsptest.WriteFile(t, filepath.Join(root, "b.ts"), "import { n } from \"./a\";\r\nexport const s: string = n;\r\n")
			text, code = run(t, product(root, programs, "check", "b.ts"))
			if code != 1 || !strings.Contains(text, "2:14") || !strings.Contains(text, "not assignable") {
				t.Errorf("wrong: exit %d: %s", code, text)
			}
		})
	}
}

// A front that is killed leaves no server, 20 times of 20.
func TestKilledFrontLeavesNothing(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := module(t)
	for range 20 {
		cmd := product(root, nil, "mcp", "--root", root)
		session := connect(t, cmd)
		call(t, session, "definition", `{"at":"main.go:6:14"}`)
		if len(processes("gopls.exe")) == 0 {
			t.Fatal("no server runs")
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		lsptest.Eventually(t, 3*time.Second, func() bool { return len(processes("gopls.exe")) == 0 }, "a server is left")
		_ = session.Close()
	}
}

// roots are the processes of a program that it did not start itself: gopls has one beside it.
func roots(name string) (pids []uint32) {
	all := processes(name)
	for pid, parent := range all {
		if _, own := all[parent]; !own {
			pids = append(pids, pid)
		}
	}
	return pids
}

// processes are those of a program, with their parents.
func processes(name string) map[uint32]uint32 {
	found := make(map[uint32]uint32)
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(all) }()
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(all, &entry); err == nil; err = windows.Process32Next(all, &entry) {
		if strings.EqualFold(windows.UTF16ToString(entry.ExeFile[:]), name) {
			found[entry.ProcessID] = entry.ParentProcessID
		}
	}
	return found
}
