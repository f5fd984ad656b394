package mcpserver

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

func fullDesk(t *testing.T, archive string) (*desk, *mcp.ClientSession) {
	t.Helper()
	d := openDesk(t, lsptest.Script{}, archive, func(o *Options) { o.Profile, o.Prose = "full", true })
	return d, d.connect("memory", newestEra, nil)
}

// No argument is accepted and ignored: each reaches an argument of the operation
// or the workspace, is used by the tool itself, or is refused. Only what the file
// tells anyway may be said in vain.
//
// Requirement: AGENT-1, AGENT-24.
func TestEveryArgumentCounts(t *testing.T) {
	for _, tools := range [][]tool{defaultTools(), fullTools()} {
		for _, tool := range withOperations(tools) {
			for i := range tool.parameters {
				p := &tool.parameters[i]
				switch {
				case p.target() == toWorkspace, p.refused != "", tool.own != nil:
				case p.target() == toNothing:
					if agentLSPIgnores := slices.Contains([]string{"language", "target", "session_id"}, p.name) && tool.operation == "simulate"; agentLSPIgnores {
						continue
					}
					if p.name != "language_id" && p.name != "tab_size" && p.name != "insert_spaces" && (len(p.values) == 0 || tool.finish == nil && len(p.values) > 1) {
						t.Errorf("%s: %s is ignored", tool.name, p.name)
					}
				case tool.property(p) == nil:
					t.Errorf("%s: %s becomes %s, which %s does not have", tool.name, p.name, p.target(), tool.operation)
				}
			}
			if !slices.ContainsFunc(tool.parameters, func(p parameter) bool { return p.name == pattern.name }) {
				continue
			}
			given := arguments{
				"file_path": []byte(`"a.go"`), "new_name": []byte(`"b"`), "position_pattern": []byte(`"@@x"`), "line_scope_start": []byte("3"), "line_scope_end": []byte("5"),
			}
			out, _, _, err := tool.translate(given)
			if err != nil || string(out["pattern"]) != `"@@x"` || string(out["line_scope_start"]) != "3" || string(out["line_scope_end"]) != "5" {
				t.Errorf("%s: the pattern becomes %q, %v", tool.name, out, err)
			}
		}
	}
}

// A pattern is looked for in the lines that are given.
//
// Requirement: AGENT-14.
func TestPatternsInAScope(t *testing.T) {
	_, session := fullDesk(t, "-- toy.root --\n-- a.toy --\nuse one\nuse two\nuse one\n-- lib.toy --\ndef one\ndef two\n")
	const in = `{"file_path":"a.toy","position_pattern":"use @@","line_scope_start":2,"line_scope_end":2}`
	found := call(t, session, "go_to_definition", in)
	found.says(t, "two", "lib.toy:2:5")
	if got := structured[locations](t, found).Locations; len(got) != 1 || got[0].EndLine != 2 || got[0].EndColumn != 8 {
		t.Errorf("where it ends: %+v", got)
	}
	call(t, session, "find_references", in).says(t, "two", "a.toy")
	call(t, session, "inspect_symbol", in).says(t, "two")
	call(t, session, "explore_symbol", in).says(t, "two")
	call(t, session, "go_to_definition", `{"file_path":"a.toy","position_pattern":"use @@one","line_scope_start":2,"line_scope_end":2}`).fails(t, result.NotFound)
}

// What a tool of the other product had and this one has not is refused with a
// way out.
func TestRefusedArguments(t *testing.T) {
	d, session := fullDesk(t, project)
	root := `"root_dir":"` + filepath.ToSlash(d.root) + `"`
	for _, c := range []struct{ tool, args, says string }{
		{"start_lsp", `{` + root + `,"connect":"localhost:9000"}`, `connect: "localhost:9000" is no address that the user's own configuration names|"connect": "localhost:9999"`},
		{"start_lsp", `{` + root + `,"ready_timeout_seconds":0}`, "ready_timeout_seconds: it is 0|for example ready_timeout_seconds: 60"},
		{"start_lsp", `{` + root + `,"ready_timeout_seconds":"long"}`, "ready_timeout_seconds|a number of seconds"},
		{"blast_radius", `{"changed_files":["lib.toy"],"filter":"x"}`, "filter: it cannot be chosen here|changed_files"},
		{"blast_radius", `{"changed_files":["lib.toy"],"scope":"staged"}`, "scope|exported, all"},
		{"callers", `{"file_path":"main.toy","line":1,"column":5,"direction":"outgoing"}`, "direction|find_callers"},
		{"get_diagnostics", `{"group_by":"colour"}`, "group_by|file, symbol"},
	} {
		call(t, session, c.tool, c.args).fails(t, result.Argument, strings.Split(c.says, "|")...)
	}
	call(t, session, "start_lsp", `{`+root+`,"ready_timeout_seconds":20.5}`).says(t, "toy active")
}

// A deadline in seconds is one of milliseconds to the operation, and bounds the
// call.
func TestSecondsToBeReady(t *testing.T) {
	d := openDesk(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Hang())}}, project, func(o *Options) { o.Profile, o.Prose = "full", true })
	session := d.connect("memory", newestEra, nil)
	a := call(t, session, "start_lsp", `{"root_dir":"`+filepath.ToSlash(d.root)+`","ready_timeout_seconds":0.3}`)
	if !a.IsError && !strings.Contains(a.text, "starting") {
		t.Errorf("a server that does not start: %s", a.text)
	}
}

// Diagnostics stand under the innermost symbol around them.
//
// Requirement: AGENT-20.
func TestDiagnosticsBySymbol(t *testing.T) {
	const outline = `[
		{"name":"Outer","kind":5,"range":{"start":{"line":1,"character":0},"end":{"line":4,"character":9}},"selectionRange":{"start":{"line":1,"character":4},"end":{"line":1,"character":9}},
		 "children":[{"name":"inner","kind":6,"range":{"start":{"line":2,"character":0},"end":{"line":3,"character":9}},"selectionRange":{"start":{"line":2,"character":4},"end":{"line":2,"character":9}}}]}]`
	d := openDesk(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/documentSymbol", lsptest.Reply(outline))}},
		"-- toy.root --\n-- a.toy --\nuse first\ndef Outer\ndef inner\nuse second\nuse third\nuse fourth\n", func(o *Options) { o.Profile, o.Prose = "full", true })
	session := d.connect("memory", newestEra, nil)
	a := call(t, session, "get_diagnostics", `{"file_path":"a.toy","group_by":"symbol"}`)
	a.says(t,
		"a.toy:3-4 Outer.inner (method)\n  4:5: error: undefined: second\na.toy:2-5 Outer (class)\n  5:5: error: undefined: third\n",
		"a.toy:1:5: error: undefined: first\na.toy:6:5: error: undefined: fourth")
	got := structured[grouped](t, a)
	if got.Verdict != "new_errors" || len(got.Ungrouped) != 2 || got.Ungrouped[1].File != "a.toy" || got.Ungrouped[1].Line != 6 {
		t.Errorf("not in a symbol: %+v", got)
	}
	if len(got.Symbols) != 2 || got.Symbols[0].Name != "Outer.inner" || got.Symbols[0].StartLine != 3 || len(got.Symbols[0].Diagnostics) != 1 {
		t.Errorf("in a symbol: %+v", got.Symbols)
	}
	call(t, session, "get_diagnostics", `{"file_path":"a.toy","group_by":"file"}`).says(t, "undefined: first")
	if plain := structured[diagnosed](t, call(t, session, "get_diagnostics", `{"file_path":"a.toy"}`)); len(plain.Diagnostics["a.toy"]) != 4 {
		t.Errorf("by file: %+v", plain)
	}
	call(t, session, "get_diagnostics", `{"file_path":"gone.toy","group_by":"symbol"}`).says(t, "gone.toy", "no such file")
}

// Where no server can tell the symbols, the diagnostics are still there.
func TestDiagnosticsWithoutSymbols(t *testing.T) {
	d := openDesk(t, lsptest.Script{Capabilities: []byte(`{"documentSymbolProvider":null}`)}, "-- toy.root --\n-- a.toy --\nuse first\n", func(o *Options) { o.Profile, o.Prose = "full", true })
	a := call(t, d.connect("memory", newestEra, nil), "get_diagnostics", `{"file_path":"a.toy","group_by":"symbol"}`)
	a.says(t, "undefined: first", "note: the symbols of a.toy are not known")
}

// What says of itself that it only reads does, and what does more with every
// call says so.
func TestHints(t *testing.T) {
	writing := map[string]bool{ // to whether a second call does more
		"start_lsp": false, "restart_lsp_server": true, "add_workspace_folder": false, "remove_workspace_folder": false,
		"open_document": false, "close_document": false, "did_change_watched_files": false, "set_log_level": false,
		"edit": true, "edit_symbol": true, "rename": true, "fixes": true, "apply_edit": true, "safe_apply_edit": true, "safe_edit": true,
		"rename_symbol": true, "replace_symbol_body": true, "insert_after_symbol": true, "insert_before_symbol": true,
		"safe_delete_symbol": true, "execute_command": true, "execute_codelens": true,
		"run_build": false, "run_tests": false, "activate_skill": false, "deactivate_skill": false, "simulate": true, "commit_session": true,
		"begin_turn": true, "close_turn": true, "export_cache": false, "import_cache": false,
	}
	for _, tools := range [][]tool{defaultTools(), fullTools()} {
		for _, tool := range withOperations(tools) {
			again, writes := writing[tool.name]
			hints := tool.listed().Annotations
			if hints.ReadOnlyHint == writes || hints.IdempotentHint == again {
				t.Errorf("%s: %+v", tool.name, hints)
			}
			if edits := (tool.op.Class == api.Edit || tool.op.Class == api.Execute) && writes; *hints.DestructiveHint != edits {
				t.Errorf("%s edits: %t; destructive: %t", tool.name, edits, *hints.DestructiveHint)
			}
		}
	}
}

// The cache of answers is written and read by the tools of agent-lsp, with its arguments. Where there is nothing, they say so.
//
// Requirement: CACHE-8.
func TestToolsForTheCache(t *testing.T) {
	_, session := fullDesk(t, project)
	call(t, session, "export_cache", `{"dest_path":"refs.db.gz"}`).fails(t, result.Argument, "dest_path: there is nothing to write")
	call(t, session, "import_cache", `{"src_path":"refs.db.gz"}`).fails(t, result.Argument, "src_path: refs.db.gz: there is no such file")
	call(t, session, "export_cache", `{}`).fails(t, result.Argument, "dest_path")
}
