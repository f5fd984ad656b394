package mcpserver

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Arguments as models write them reach the operation, under the names of either
// profile; folders that come as a string are looked at as those in a list are.
func TestArgumentsAsModelsWriteThem(t *testing.T) {
	archive := project + "-- sub/x.toy --\nuse helper\n"
	session := openDesk(t, lsptest.Script{}, archive).connect("memory", newestEra, nil)
	for _, c := range []struct{ tool, args, says string }{
		{"check", `{"files":"main.toy"}`, "no errors"},
		{"check", `{"file_path":"main.toy"}`, "no errors"},
		{"check", `{"path":"@main.toy"}`, "no errors"},
		{"definition", `{"file_path":"main.toy","line":"1","column":"5"}`, "lib.toy"},
		{"definition", `{"path":"sub\\x.toy","line":1,"symbol":"helper"}`, "lib.toy"},
		{"definition", `{"at":"@main.toy:1 helper"}`, "lib.toy"},
		{"hierarchy", `{"at":"lib.toy:1 helper","direction":"incoming","depth":"1"}`, "main.toy"},
		{"edit", `{"edits":[{"file_path":"main.toy","old_string":"use helper","new_string":"use  helper"}]}`, "main.toy"},
		{"edit", `{"file":"main.toy","old_string":"use  helper","new_string":"use helper"}`, "main.toy"},
		{"edit", `{"path":"/sub/new.toy","content":"def new\n","mode":"preview"}`, "sub/new.toy"},
		{"simulate", `{"edits":[{"file":"main.toy","old_text":"use helper","new_text":"use  helper"}]}`, "main.toy"},
		{"simulate", `{"file":"main.toy","old_text":"use helper","new_text":"use  helper"}`, "main.toy"},
		{"definition", `{"at":"main.toy","line":1,"column":5}`, "lib.toy"},
		{"definition", `{"at":"/sub/x.toy:1:5"}`, "lib.toy"},
		{"check", `{"files":["/main.toy"]}`, "no errors"},
		{"check", `{"files":["x.toy"]}`, "sub/x.toy?"},
		{"hierarchy", `{"at":"lib.toy:1 helper","depth":99}`, "10 levels are the most"},
		{"edit_symbol", `{"at":"lib.toy def helper","action":"insert_after","code":"def other"}`, "lib.toy"},
	} {
		a := call(t, session, c.tool, c.args)
		if a.IsError {
			t.Errorf("%s %s: %s", c.tool, c.args, a.text)
			continue
		}
		a.says(t, c.says)
	}
	call(t, session, "fixes", `{"file_path":"main.toy"}`).fails(t, result.Unsupported)
	_, full := fullDesk(t, archive)
	for _, c := range []struct{ tool, args, says string }{
		{"go_to_definition", `{"file":"main.toy","line":"1","column":5}`, "lib.toy"},
		{"find_references", `{"path":"lib.toy","line":1,"column":"5"}`, "main.toy"},
		{"find_callers", `{"file_path":"lib.toy","line":1,"column":5,"direction":"callers"}`, "main.toy"},
		{"blast_radius", `{"changed_files":"lib.toy"}`, "lib.toy"},
		{"blast_radius", `{"file_path":"lib.toy"}`, "lib.toy"},
		{"get_tests_for_file", `{"file_path":["lib.toy"]}`, "lib.toy"},
		{"safe_edit", `{"path":"main.toy","old_string":"use helper","new_string":"use  helper"}`, "main.toy"},
	} {
		a := call(t, full, c.tool, c.args)
		if a.IsError {
			t.Errorf("%s %s: %s", c.tool, c.args, a.text)
			continue
		}
		a.says(t, c.says)
	}
	outside := filepath.ToSlash(t.TempDir())
	call(t, full, "add_workspace_folder", `{"path":"`+outside+`"}`).fails(t, result.Outside, outside)
	call(t, full, "get_cross_repo_references", `{"symbol_file":"lib.toy","line":1,"column":5,"consumer_roots":"`+outside+`"}`).fails(t, result.Outside, outside)
	call(t, full, "get_cross_repo_references", `{"symbol_file":"lib.toy","line":1,"column":5,"consumer_roots":"[\"`+outside+`\"]"}`).fails(t, result.Outside, outside)
}
