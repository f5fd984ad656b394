package mcpserver

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// An agent whose hook is the tool check gets what it takes from hooks: what its edit broke, each
// error once, and an empty object where nothing is new or nothing can be known.
func TestCheckAsHook(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	session := d.connect("memory", newestEra, nil)
	hook := func(arguments string) string {
		t.Helper()
		a := call(t, session, "check", arguments)
		if a.IsError {
			t.Errorf("%s fails the agent", arguments)
		}
		return a.Content[0].(*mcp.TextContent).Text
	}
	const main, quiet = `{"files":["main.toy"],"format":"hook"}`, "{}"
	got := []string{hook(main)}
	lsptest.WriteFile(t, filepath.Join(d.root, "main.toy"), "use helper\nERROR <bad>\n")
	got = append(got, hook(main), hook(main))
	lsptest.WriteFile(t, filepath.Join(d.root, "lib.toy"), "fine\n")
	got = append(got, hook(`{"files":["lib.toy"],"format":"hook"}`), hook(`{"files":["../outside.toy"],"format":"hook"}`), hook(`{"files":["missing.toy"],"format":"hook"}`))
	want := []string{
		quiet,
		`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"main.toy:2:1: error: <bad>\n"}}`,
		quiet,
		`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"also broken now: main.toy (1)\n"}}`,
		quiet,
		quiet,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	call(t, session, "check", `{"format":"text"}`).fails(t, result.Argument, "format", `"hook" is the only one`)
	call(t, session, "status", `{"format":"hook"}`).fails(t, result.Argument, "format", "")
}
