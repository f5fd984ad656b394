package mcp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The product as it is started by a host, in a home folder and in a project: it writes
// in the project alone, unless its user allows more, and says so.
//
// Requirement: AGENT-43.
func TestWritingStaysInside(t *testing.T) {
	const bashrc = "export EDITOR=vi\n"
	home := lsptest.Workspace(t, "-- .bashrc --\n"+bashrc+"-- project/.git/HEAD --\n-- project/deep/a.txt --\none\n-- other/b.txt --\none\n-- .config/lspine/config.jsonc --\n{}\n")
	in := func(dir string, args ...string) *mcp.ClientSession {
		t.Helper()
		cmd := exec.Command(os.Args[0], append([]string{"mcp"}, args...)...)
		cmd.Dir = filepath.Join(home, dir)
		cmd.Env = append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0", "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "XDG_CACHE_HOME="+t.TempDir())
		client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := session.Close(); err != nil {
				t.Errorf("the product ended with %v", err)
			}
		})
		return session
	}
	edit := func(session *mcp.ClientSession, file string, says ...string) {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "edit", Arguments: map[string]any{"edits": []map[string]string{{"file": file, "content": "two\n"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		text := result.Content[0].(*mcp.TextContent).Text
		for _, part := range says {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in\n%s", file, part, text)
			}
		}
		if refused := strings.Contains(says[0], "outside") || strings.Contains(says[0], "no folder"); result.IsError != refused {
			t.Errorf("%s: error %t:\n%s", file, result.IsError, text)
		}
	}
	holds := func(file, want string) {
		t.Helper()
		if got, err := os.ReadFile(filepath.Join(home, file)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", file, got, err)
		}
	}
	rc, other := filepath.Join(home, ".bashrc"), filepath.Join(home, "other", "b.txt")

	atHome := in(".")
	edit(atHome, ".bashrc", "no folder to work in", "started in "+home+", which is a home folder", "--root", "--allow-root")
	edit(atHome, rc, "outside", "a home folder", "--root", "--allow-root")
	edit(atHome, "project/deep/a.txt", "no folder to work in", "--allow-root")
	holds(".bashrc", bashrc)
	holds("project/deep/a.txt", "one\n")

	session := in("project/deep")
	edit(session, rc, "outside of what this session may use: "+filepath.Join(home, "project"), "--allow-root")
	edit(session, other, "outside of what this session may use")
	edit(session, "deep/a.txt", "Edit applied to deep/a.txt")
	holds(".bashrc", bashrc)
	holds("other/b.txt", "one\n")
	holds("project/deep/a.txt", "two\n")

	edit(in("project", "--allow-root", "../other"), other, "Edit applied to "+other)
	holds("other/b.txt", "two\n")

	lsptest.WriteFile(t, other, "one\n")
	lsptest.WriteFile(t, filepath.Join(home, ".config", "lspine", "config.jsonc"), `{"lsp": {"allowRoots": ["~/other", "~/gone"]}}`)
	lsptest.WriteFile(t, filepath.Join(home, "project", ".lspine.jsonc"), `{"lsp": {"allowRoots": ["/"]}}`)
	session = in("project")
	edit(session, other, "Edit applied to "+other)
	edit(session, rc, "outside of what this session may use: "+filepath.Join(home, "project")+", "+filepath.Join(home, "other")+"\n")
	lsptest.WriteFile(t, other, "one\n")
	edit(in("."), "b.txt", "Edit applied to b.txt") // of the only folder that is allowed
	holds(".bashrc", bashrc)
}
