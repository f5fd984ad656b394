package mcpserver

import (
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// The folder that start_lsp names becomes the workspace of its session, for calls that
// name no file or a relative one, and for resources, though no checkout is there. Other
// sessions keep theirs. What may not be used does not become it.
//
// Requirement: AGENT-5.
func TestStartedFolderIsTheSessionsWorkspace(t *testing.T) {
	other := lsptest.Workspace(t, "-- toy.root --\n-- there.toy --\ndef there\nuse nothing\n-- deep/toy.root --\n-- deep/in.toy --\ndef inside\n")
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile, o.Prose, o.Allow = "full", true, []string{other} })
	session, beside := d.connect("memory", "2025-06-18", nil), d.connect("memory", "2025-06-18", nil)
	call(t, session, "list_symbols", `{"file_path":"lib.toy"}`).says(t, "helper")
	call(t, session, "start_lsp", `{"root_dir":"`+filepath.ToSlash(t.TempDir())+`"}`).fails(t, result.Outside)
	call(t, session, "list_symbols", `{"file_path":"lib.toy"}`).says(t, "helper")

	call(t, session, "start_lsp", `{"root_dir":"`+filepath.ToSlash(other)+`"}`).says(t, "toy active")
	call(t, session, "list_symbols", `{"file_path":"there.toy"}`).says(t, "there.toy", "there")
	call(t, session, "list_symbols", `{"file_path":"lib.toy"}`).fails(t, result.NotFound)
	call(t, session, "get_diagnostics", `{"file_path":"there.toy"}`).says(t, "undefined: nothing")
	a := call(t, session, "list_workspace_folders", `{}`)
	a.says(t, other)
	all, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lsp-diagnostics:///"})
	if err != nil || len(all.Contents) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	answer{&mcp.CallToolResult{}, all.Contents[0].Text}.says(t, "there.toy", "undefined: nothing")
	call(t, session, "apply_edit", `{"file_path":"there.toy","old_text":"use nothing","new_text":"use there"}`).says(t, "there.toy")

	call(t, beside, "list_symbols", `{"file_path":"lib.toy"}`).says(t, "helper")
	// Below what is allowed any folder can be chosen; a relative one begins where the
	// session began.
	call(t, session, "start_lsp", `{"root_dir":"`+filepath.ToSlash(filepath.Join(other, "deep"))+`"}`).says(t, "toy active")
	call(t, session, "list_symbols", `{"file_path":"in.toy"}`).says(t, "inside")
	call(t, session, "start_lsp", `{"root_dir":"."}`).says(t, "toy active")
	call(t, session, "list_symbols", `{"file_path":"lib.toy"}`).says(t, "helper")
}
