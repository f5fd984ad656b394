//go:build unix

package service

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

func itoa(n int) string { return strconv.Itoa(n) }

// navigationTools are those of the profile.
var navigationTools = []string{
	"lsp_diagnostics", "lsp_document_symbols", "lsp_find_references", "lsp_goto_definition", "lsp_hover", "lsp_workspace_symbols",
}

// descriptors returns what a host has and what the service gets as 3 and 4. The host writes
// to 3 and reads 4, or the other way round.
func descriptors(t *testing.T, kind string, crossed bool) (read, write *os.File, theirs []*os.File) {
	t.Helper()
	switch kind {
	case "one socket":
		ours, his := socketpair(t)
		return ours, ours, []*os.File{his}
	case "sockets":
		one, three := socketpair(t)
		two, four := socketpair(t)
		if crossed {
			return one, two, []*os.File{three, four}
		}
		return two, one, []*os.File{three, four}
	}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if crossed {
		return outRead, inWrite, []*os.File{outWrite, inRead}
	}
	return outRead, inWrite, []*os.File{inRead, outWrite}
}

// The navigation tools are there on the descriptors 3 and 4, whichever of them the host writes
// to, pipes or sockets, over the same servers as the diagnostics; no server inherits them.
//
// Requirement: REQ-ARCH-030, REQ-ARCH-040, REQ-ARCH-090, REQ-NAV-010, REQ-NAV-020, REQ-NAV-030, REQ-NAV-040, REQ-NAV-060,
// REQ-NAVR-010, REQ-EXCL-010, REQ-EXCL-030, BR-78, BR-23, BR-34, BR-46, BR-51, BR-52, BR-55, BR-91, EC-29.
func TestNavigationChannel(t *testing.T) {
	for _, way := range []string{"pipes", "pipes crossed", "sockets", "sockets crossed", "one socket"} {
		t.Run(way, func(t *testing.T) {
			kind, crossed := strings.CutSuffix(way, " crossed")
			root := lsptest.Workspace(t, "-- toy.root --\n-- main.toy --\nuse helper\nuse gone\n-- lib.toy --\ndef helper\n")
			toy := newToy(t, lsptest.Script{})
			read, write, theirs := descriptors(t, kind, crossed)
			cmd := command(t, bootstrap(t, root, map[string]any{"navigationTimeoutMs": 60_000}, toy))
			cmd.ExtraFiles = theirs
			c := begin(t, cmd)
			for _, f := range theirs {
				_ = f.Close()
			}
			session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil).
				Connect(t.Context(), &mcp.IOTransport{Reader: read, Writer: write}, nil)
			if err != nil {
				t.Fatalf("%v: %s", err, c.stderr)
			}
			t.Cleanup(func() { _ = session.Close() })
			if name := session.InitializeResult().ServerInfo.Name; name != "lsp-navigation" {
				t.Errorf("the server is %s", name)
			}
			listed, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range listed.Tools {
				names = append(names, tool.Name)
			}
			slices.Sort(names)
			if diff := cmp.Diff(navigationTools, names); diff != "" {
				t.Error(diff)
			}
			if got := c.check(root + "/main.toy"); len(got) != 1 || got[0].Message != "undefined: gone" {
				t.Errorf("a check: %v", got)
			}
			for _, a := range []struct{ tool, args, text string }{
				{"lsp_goto_definition", `{"file":"main.toy","line":1,"character":5}`, "lib.toy:1:5"},
				{"lsp_goto_definition", `{"filePath":"./x/../main.toy","line":1,"character":5}`, "lib.toy:1:5"},
				{"lsp_goto_definition", `{"file":"main.toy","line":2,"character":5}`, "No definition found"},
				{"lsp_find_references", `{"file":"lib.toy","line":1,"character":5}`, "lib.toy:1:5\nmain.toy:1:5"},
				{"lsp_hover", `{"file":"main.toy","line":1,"character":5}`, "helper"},
				{"lsp_document_symbols", `{"filePath":"lib.toy"}`, "helper - 1:5"},
				{"lsp_diagnostics", `{}`, "main.toy:2:5 undefined: gone"},
				{"lsp_goto_definition", `{"file":"../main.toy","line":1,"character":5}`, "Error: File is outside workspace boundary"},
				{"lsp_document_symbols", `{"file":"/etc/x.toy"}`, "Error: File is outside workspace boundary"},
			} {
				got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: a.tool, Arguments: json.RawMessage(a.args)})
				if err != nil {
					t.Fatal(err)
				}
				text := got.Content[0].(*mcp.TextContent).Text
				if outside := strings.HasPrefix(a.text, "Error"); got.IsError != outside || a.tool == "lsp_hover" && !strings.Contains(text, a.text) || a.tool != "lsp_hover" && text != a.text {
					t.Errorf("%s %s: error %t, %q, want %q", a.tool, a.args, got.IsError, text, a.text)
				}
			}
			running := call[result.Status](c, "lspine/status", map[string]string{"scope": "running"})
			if len(running.Servers) != 1 || running.Servers[0].Starts != 1 {
				t.Errorf("one server serves both: %+v", running.Servers)
			}
			for _, p := range lsptest.Marked(t, toy.marker) {
				for _, fd := range []string{"3", "4"} {
					path, _ := os.Readlink("/proc/" + itoa(p.PID) + "/fd/" + fd)
					mine, _ := os.Readlink("/proc/" + itoa(cmd.Process.Pid) + "/fd/" + fd)
					if path != "" && path == mine {
						t.Errorf("%v has our descriptor %s: %s", p, fd, path)
					}
				}
			}
			_ = session.Close()
			_ = c.stdin.Close()
			c.gone(time.Now(), toy.marker)
			if got := c.stderr.String(); got != "" {
				t.Errorf("on stderr: %s", got)
			}
		})
	}
}

// Without the descriptors, without navigation tools and without LSP the service runs without
// MCP, and says why in a line; diagnostics and the status do not depend on it.
//
// Requirement: REQ-NAV-050, REQ-NAV-055, REQ-CFG-010, REQ-CFG-070, REQ-STATUS-040, BR-25, BR-29, BR-53, BR-54, BR-81, EC-30, EC-34.
func TestWithoutNavigation(t *testing.T) {
	root := lsptest.Workspace(t, "-- toy.root --\n-- a.toy --\nERROR one\n")
	for _, why := range []string{"navigationTools is false", "the descriptors 3 and 4 are not open for it", "LSP is disabled by configuration"} {
		toy := newToy(t, lsptest.Script{})
		more := map[string]any{"navigationTools": !strings.HasPrefix(why, "navigation")}
		env := bootstrap(t, root, more, toy)
		want := 1
		if strings.HasPrefix(why, "LSP") {
			env, want = `LSP_BOOTSTRAP={"workspaceRoot":"`+root+`","config":false}`, 0
		}
		cmd := command(t, env)
		var read *os.File
		if !strings.Contains(why, "descriptors") {
			var theirs []*os.File
			read, _, theirs = descriptors(t, "sockets", false)
			cmd.ExtraFiles = theirs
		}
		c := begin(t, cmd)
		for _, f := range cmd.ExtraFiles {
			_ = f.Close()
		}
		if got := c.check(root + "/a.toy"); len(got) != want {
			t.Errorf("%s: %v", why, got)
		}
		if got := call[[]struct{ ID string }](c, "lsp/status", nil); len(got) < 90 {
			t.Errorf("%s: the status of %d servers", why, len(got))
		}
		_ = c.stdin.Close()
		c.gone(time.Now(), toy.marker)
		if got := c.stderr.String(); got != "MCP channel disabled: "+why+"\n" {
			t.Errorf("%s: on stderr: %s", why, got)
		}
		if read != nil {
			if n, _ := read.Read(make([]byte, 1)); n > 0 {
				t.Errorf("%s: somebody spoke", why)
			}
			_ = read.Close()
		}
	}
}

// A tool that cannot answer as soon as its host wants says that it still loads, and goes on:
// asked again, it knows.
//
// Requirement: REQ-NAV-010, REQ-GRACE-055.
func TestStillLoading(t *testing.T) {
	root := lsptest.Workspace(t, "-- toy.root --\n-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n")
	toy := newToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/definition", 1, lsptest.Hang())}})
	read, write, theirs := descriptors(t, "sockets", true)
	cmd := command(t, bootstrap(t, root, map[string]any{"navigationTimeoutMs": 500}, toy))
	cmd.ExtraFiles = theirs
	c := begin(t, cmd)
	for _, f := range theirs {
		_ = f.Close()
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil).
		Connect(t.Context(), &mcp.IOTransport{Reader: read, Writer: write}, nil)
	if err != nil {
		t.Fatalf("%v: %s", err, c.stderr)
	}
	defer session.Close()
	ask := func() (string, bool) {
		got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "lsp_goto_definition", Arguments: json.RawMessage(`{"file":"main.toy","line":1,"character":5}`)})
		if err != nil {
			t.Fatal(err)
		}
		return got.Content[0].(*mcp.TextContent).Text, got.IsError
	}
	if text, failed := ask(); !failed || !strings.HasPrefix(text, "Still loading: no language server has answered within 500 ms") {
		t.Errorf("at first: %q", text)
	}
	lsptest.Eventually(t, 30*time.Second, func() bool { text, failed := ask(); return text == "lib.toy:1:5" && !failed }, "it knows")
}
