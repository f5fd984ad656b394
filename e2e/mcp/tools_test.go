package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
)

// lacks is said of what a server cannot do: the call fails as unsupported.
const lacks = refused + "unsupported"

// refused begins the kind of the failure of a call that must fail.
const refused = "refused as "

// says are what the text of an answer must contain, by server, parts between
// bars; every is for the servers that are not named.
type says map[string]string

const every = ""

// A question is a call of a tool; words in braces are those of the project.
type question struct {
	tool, args string
	says       says
}

// questions of each profile, in the order in which they are asked.
var questions = map[string][]question{
	"default": {
		{"check", `{"files":["{main}"],"timeout_ms":60000}`, says{every: "no errors (1 file checked)"}},
		{"definition", `{"at":"{use}"}`, says{every: "{name}: definition at {declared} "}},
		{"definition", `{"at":"{base}","kind":"implementation"}`, says{every: "Base: implementation at {sub}", "pyright": lacks}},
		{"definition", `{"at":"{use}","kind":"declaration"}`, says{every: "{name}: declaration at {declared}", "gopls": lacks, "typescript": lacks}},
		{"definition", `{"at":"{two}","kind":"type_definition"}`, says{every: "type definition at {sub}"}},
		{"references", `{"at":"{use}"}`, says{every: "{name}: |{main}|{name}(1, 2)"}},
		{"inspect", `{"at":"{use}"}`, says{every: "{name} (function) at {use}, defined at {declared}"}},
		{"symbols", `{"file":"{lib}"}`, says{every: "function {name}"}},
		{"symbols", `{"query":"{name}"}`, says{every: "{declared} function {name}"}},
		{"symbols", `{"query":"Baes"}`, says{every: "nothing is named Baes; this is most like it|{base} "}},
		{"source", `{"at":"{declared}"}`, says{every: "{name} (function)|return b + a"}},
		{"hierarchy", `{"at":"{use}"}`, says{every: "{name}: |{main}:|at {place}"}},
		{"hierarchy", `{"at":"{base}","direction":"subtypes"}`, says{every: "{sub} Two"}},
		{"impact", `{"files":["{lib}"]}`, says{every: "{declared} {name} (function)|used by\n    {main}:"}},
		{"edit", `{"edits":[{"file":"{lib}","old_text":"b + a","new_text":"a + nope"}],"mode":"preview"}`, says{every: "Preview, nothing is written: edit of {lib} (1 replacement).|LSP diagnostics after edit: 1 new error|<diagnostics file=\"{lib}\">|nope"}},
		{"simulate", `{"action":"preview","edits":[{"file":"{lib}","old_text":"{name}(","new_text":"other("}]}`, says{every: "new error|{main}"}},
		{"simulate", `{"action":"create"}`, says{every: "s1: created"}},
		{"simulate", `{"action":"edit","session":"s1","edits":[{"file":"{lib}","old_text":"b + a","new_text":"a + b"}]}`, says{every: "s1: mutated, 1 edit of {lib}"}},
		{"simulate", `{"action":"evaluate","session":"s1"}`, says{every: "no new errors"}},
		{"simulate", `{"action":"commit","session":"s2"}`, says{every: refused + "not_found"}},
		{"simulate", `{"action":"destroy","session":"s1"}`, says{every: "s1: destroyed"}},
		{"edit", `{"edits":[{"file":"{lib}","old_text":"b + a","new_text":"a + b"}]}`, says{every: "Edit applied to {lib} (1 replacement)."}},
		{"edit", `{"edits":[{"file":"{lib}","old_text":"b + a","new_text":"a + b"}]}`, says{every: refused + "no_match"}},
		{"edit", `{"edits":[{"file":"../x","content":""}]}`, says{every: refused + "outside_workspace"}},
		{"edit_symbol", `{"at":"{declared}","action":"replace_body","code":"return b + a;"}`, says{every: "Replaced the body of {name} in {lib}."}},
		{"edit_symbol", `{"at":"{declared}","action":"delete"}`, says{every: refused + "in_use"}},
		{"rename", `{"at":"{declared}","new_name":"renamed","mode":"preview"}`, says{every: "Preview, nothing is written|{name}|renamed|+++ b/{main}"}},
		{"fixes", `{"file":"{lib}","line":1}`, says{every: "{lib}: "}},
		{"status", `{}`, says{every: "{server}: active"}},
	},
	"full": {
		{"detect_lsp_servers", `{"workspace_dir":"{root}"}`, says{every: "{server} installed"}},
		{"start_lsp", `{"root_dir":"{root}","language_id":"{language}"}`, says{every: "{server} active (root {root})"}},
		{"get_diagnostics", `{"file_path":"{main}"}`, says{every: "no errors (1 file checked)"}},
		{"get_diagnostics", `{"file_path":"{main}","group_by":"symbol"}`, says{every: "no errors (1 file checked)"}},
		{"open_document", `{"file_path":"{main}"}`, says{every: "{main}: open in {server}"}},
		{"did_change_watched_files", `{"changes":[{"file":"{main}","type":"changed"}]}`, says{every: "1 changed|running servers: 1"}},
		{"go_to_definition", `{{atUse}}`, says{every: "{name}: definition at {declared}"}},
		{"go_to_type_definition", `{{atTwo}}`, says{every: "type definition at {sub}"}},
		{"go_to_implementation", `{{atBase}}`, says{every: "Base: implementation at {sub}", "pyright": lacks}},
		{"go_to_declaration", `{{atUse}}`, says{every: "{name}: declaration at {declared}", "gopls": lacks, "typescript": lacks}},
		{"go_to_symbol", `{"symbol_path":"{name}","language":"{language}"}`, says{every: "{name}: definition at {declared}"}},
		{"find_references", `{{atUse}}`, says{every: "{name}: |{main}|{name}(1, 2)"}},
		{"find_references", `{"file_path":"{main}","position_pattern":"@@{name}(1"}`, says{every: "{name}: |{main}|{name}(1, 2)"}},
		{"export_cache", `{"dest_path":"refs.db.gz"}`, says{every: refused + "argument", "gopls": "refs.db.gz: wrote 2 answers"}},
		{"import_cache", `{"src_path":"refs.db.gz"}`, says{every: refused + "argument", "gopls": "took over 2 of 2 answers"}},
		{"find_callers", `{{atUse}}`, says{every: "at {place}|{name}: no callees"}},
		{"callers", `{{atUse}}`, says{every: "at {place}"}},
		{"type_hierarchy", `{{atBase}}`, says{every: "Base: no supertypes|{sub} Two"}},
		{"get_document_highlights", `{{atUse}}`, says{every: "{place}"}},
		{"list_symbols", `{"file_path":"{lib}"}`, says{every: "function {name}"}},
		{"find_symbol", `{"query":"{name}"}`, says{every: "{declared} function {name}"}},
		{"find_symbol", `{"query":"Baes"}`, says{every: "nothing is named Baes; this is most like it|{base} "}},
		{"inspect_symbol", `{{atUse}}`, says{every: "{name} (function) at {use}, defined at {declared}"}},
		{"get_symbol_source", `{{atLib}}`, says{every: "{name} (function)|return b + a"}},
		{"get_symbol_documentation", `{"symbol":"{name}","language_id":"{language}","file_path":"{lib}"}`, says{every: "{name} (hover)|{name}(", "gopls": "go doc Add|Add adds."}},
		{"explore_symbol", `{{atUse}}`, says{every: "defined at {declared}|source:|return b + a|callers:|at {place}|references:"}},
		{"explore", `{{atUse}}`, says{every: "defined at {declared}|source:|return b + a|callers:|at {place}|references:"}},
		{"blast_radius", `{"changed_files":["{lib}"]}`, says{every: "{declared} {name} (function)|used by\n    {main}:"}},
		{"get_cross_repo_references", `{"symbol_file":"{lib}",{libPlace},"consumer_roots":["{other}"]}`, says{every: "{name}: 2 references|{main}:{place}", "typescript": lacks, "clangd": lacks}},
		{"get_completions", `{{inName}}`, says{every: "{name}"}},
		{"get_signature_help", `{{inCall}}`, says{every: "{name}(", "pyright": "(a: int, b: int) -> int"}},
		{"get_inlay_hints", `{{wholeMain}}`, says{"gopls": "4:11 a:", "clangd": "4:15 a:", "typescript": "3:34 a:", "pyright": lacks}},
		{"get_semantic_tokens", `{{wholeMain}}`, says{every: "{place} {name} function", "pyright": lacks}},
		{"get_tests_for_file", `{"file_path":"{lib}"}`, says{every: "{lib}: no tests", "gopls": "a_test.go"}},
		{"get_editing_context", `{"file_path":"{main}"}`, says{every: "variable total", "gopls": "function Use", "clangd": "function use"}},
		{"assemble_context", `{"files":["{main}"]}`, says{every: "{lib}|{name}|return b + a|from {server}"}},
		{"assemble_context", `{"ranges":[{"file":"{main}","start_line":{useLine}}],"in_view":[{"file":"{lib}"}],"include":["definition","diagnostics"]}`, says{every: "{main}: no errors|items: 1, "}},
		{"revalidate_context", `{"items":[{"kind":"definition","name":"{name}","text":"as it was, and somewhat longer than what it is now\n","source_type":"lsp_semantic","priority":"supporting","purity":"impure","record":{"server":"{server}","query":"textDocument/documentSymbol","target":{"path":"{lib}"},"queried_at":"2026-01-02T03:04:05Z","files":[{"path":"{lib}","at_query":{"hash":"0"},"at_injection":{"hash":"0"}}]}}]}`, says{every: "{lib}:|{name}"}},
		{"get_server_capabilities", `{}`, says{
			"gopls": "workspace_folders\n  not offered: declaration", "typescript": "not offered: declaration execute_code_lens execute_command cross_repo_references workspace_folders",
			"pyright": "not offered: implementation inlay_hints semantic_tokens folding", "clangd": "not offered: code_lenses execute_code_lens cross_repo_references workspace_folders",
		}},
		{"add_workspace_folder", `{"path":"{other}"}`, says{every: "{other}"}},
		{"list_workspace_folders", `{}`, says{every: "{root}"}},
		{"remove_workspace_folder", `{"path":"{other}"}`, says{every: "{root}"}},
		{"detect_changes", `{}`, says{every: "{declared} {name} (function)|used by\n    {main}:"}},
		{"set_log_level", `{"level":"error"}`, says{every: "log level error"}},
		{"create_simulation_session", `{"workspace_root":"{root}","language":"{language}"}`, says{every: "s1: created"}},
		{"simulate_edit", `{"session_id":"s1","file_path":"{lib}",{libName}}`, says{every: "s1: mutated, 1 edit of {lib}"}},
		{"evaluate_session", `{"session_id":"s1"}`, says{every: "new error|{main}"}},
		{"discard_session", `{"session_id":"s1"}`, says{every: "s1: discarded"}},
		{"destroy_session", `{"session_id":"s1"}`, says{every: "s1: destroyed"}},
		{"create_simulation_session", `{"workspace_root":"{root}","language":"{language}"}`, says{every: "s2: created"}},
		{"simulate_chain", `{"session_id":"s2","edits":[{"file_path":"{lib}",{libName}}]}`, says{every: "Safe to apply through step 0 of 1|new error|{main}"}},
		{"commit_session", `{"session_id":"s2"}`, says{every: "{lib}"}},
		{"preview_edit", `{"workspace_root":"{root}","language":"{language}","file_path":"{lib}",{libName}}`, says{every: "new error|{main}"}},
		{"close_document", `{"file_path":"{main}"}`, says{every: "{main}: closed"}},
		{"restart_lsp_server", `{}`, says{every: "{server} active (root {root})"}},
		{"go_to_definition", `{{atUse}}`, says{every: "{name}: definition at {declared}"}},
		{"apply_edit", `{"file_path":"{lib}","old_text":"b + a","new_text":"a + b"}`, says{every: "Edit applied to {lib} (1 replacement)."}},
		{"apply_edit", `{"workspace_edit":{"changes":{"file://{root}/{lib}":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"\n"}]}}}`, says{every: "Edit applied to {lib} (+1 -0 lines)."}},
		{"begin_turn", `{}`, says{every: "turn t1 begun: "}},
		{"safe_apply_edit", `{"file_path":"{lib}","old_text":"a + b","new_text":"a + nope"}`, says{every: "Not applied, because it is not clean: edit of {lib}|1 new error|nope"}},
		{"safe_edit", `{"file_path":"{lib}","old_text":"a + b","new_text":"b + a"}`, says{every: "Edit applied to {lib} (1 replacement)."}},
		{"close_turn", `{"turn":"t1"}`, says{every: "turn t1 closed: clean|modified {lib}: clean against before|no errors (1 file checked)", "clangd": "turn t1 closed: baseline_error|modified {lib}: baseline_error against before"}},
		{"close_turn", `{}`, says{every: refused + "argument"}},
		{"replace_symbol_body", `{"file_path":"{lib}","symbol_path":"{name}","new_body":"return a;"}`, says{every: "Replaced the body of {name} in {lib}."}},
		{"insert_after_symbol", `{"file_path":"{lib}","symbol_path":"{name}","code":"{gone}"}`, says{every: "Inserted after {name} in {lib}."}},
		{"insert_before_symbol", `{"file_path":"{lib}","symbol_path":"gone","code":"{comment} before"}`, says{every: "Inserted before gone in {lib}."}},
		{"safe_delete_symbol", `{"file_path":"{lib}","symbol_path":"gone"}`, says{every: "Deleted gone from {lib}."}},
		{"safe_delete_symbol", `{"file_path":"{lib}","symbol_path":"{name}"}`, says{every: refused + "in_use"}},
		{"prepare_rename", `{{atUse}}`, says{every: "{name}"}},
		{"rename_symbol", `{"file_path":"{main}","line":{useLine},"column":{useColumn},"new_name":"renamed","dry_run":true}`, says{every: "Preview, nothing is written|+++ b/{lib}"}},
		{"rename_symbol", `{"file_path":"{main}","line":{useLine},"column":{useColumn},"new_name":"renamed"}`, says{every: "renamed"}},
		{"format_document", `{"file_path":"{main}"}`, says{every: "{main}", "pyright": lacks}},
		{"format_range", `{"file_path":"{main}","start_line":1,"start_column":1,"end_line":2,"end_column":1}`, says{every: "{main}", "gopls": lacks, "pyright": lacks}},
		{"suggest_fixes", `{"file_path":"{lib}","start_line":1,"start_column":1,"end_line":1,"end_column":5}`, says{every: "{lib}: "}},
		{"get_codelens", `{"file_path":"{main}"}`, says{every: lacks, "gopls": "{main}: no server offers a code lens", "typescript": "{main}: no server offers a code lens"}},
		{"execute_codelens", `{"file_path":"{main}","confirm":true}`, says{every: lacks, "gopls": refused + "argument", "typescript": refused + "argument"}},
		{"execute_command", `{"command":"none.such"}`, says{every: refused + "unconfirmed"}},
		{"execute_command", `{"command":"none.such","confirm":true}`, says{every: refused + "argument"}},
		{"run_build", `{"workspace_dir":"{root}"}`, says{"gopls": "go build|succeeded", "typescript": "tsc --noEmit|succeeded", "pyright": "python3 -m compileall|succeeded", "clangd": refused + "failed"}},
		{"activate_skill", `{"skill_name":"rename"}`, says{every: "rename, phase 1 of 3: survey"}},
		{"get_skill_phase", `{}`, says{every: "rename, phase 1 of 3: survey"}},
		{"deactivate_skill", `{}`, says{every: "left rename"}},
		{"run_tests", `{"workspace_dir":"{root}"}`, says{"gopls": "go test ./...: succeeded", "typescript": "npm test --silent: failed", "pyright": "python3 -m pytest -q: ", "clangd": refused + "failed"}},
	},
}

// words are what stands in braces in a question and its answer.
func (p *project) words(root, other string) *strings.Replacer {
	place := func(file string, line, column int) string { return fmt.Sprintf("%s:%d:%d", file, line, column) }
	at := func(file string, line, column int) string {
		return fmt.Sprintf(`{"file_path":%q,"line":%d,"column":%d}`, file, line, column)
	}
	return strings.NewReplacer(
		"{server}", p.server, "{language}", p.language, "{root}", filepath.ToSlash(root), "{other}", filepath.ToSlash(other),
		"{gone}", map[string]string{
			"go": "func gone() {}", "typescript": "function gone(): void {}", "python": `def gone():\n    pass`, "cpp": "inline void gone() {}",
		}[p.language], "{comment}", map[bool]string{true: "#", false: "//"}[p.language == "python"],
		"{useLine}", strconv.Itoa(p.line), "{useColumn}", strconv.Itoa(p.column),
		"{main}", p.main, "{lib}", p.lib, "{name}", p.name(),
		"{use}", place(p.main, p.line, p.column), "{place}", fmt.Sprintf("%d:%d", p.line, p.column),
		"{declared}", place(p.lib, p.libLine, p.libColumn),
		"{base}", place(p.types, p.base[0], p.base[1]), "{sub}", place(p.types, p.sub[0], p.sub[1]), "{two}", place(p.types, p.two[0], p.two[1]),
		"{{atUse}}", at(p.main, p.line, p.column), "{{atLib}}", at(p.lib, p.libLine, p.libColumn),
		"{{inName}}", at(p.main, p.line, p.column+len("ad")), "{{inCall}}", at(p.main, p.line, p.column+len("add(")),
		"{{atBase}}", at(p.types, p.base[0], p.base[1]), "{{atTwo}}", at(p.types, p.two[0], p.two[1]),
		"{libPlace}", `"line":`+strconv.Itoa(p.libLine)+`,"column":`+strconv.Itoa(p.libColumn),
		"{libName}", fmt.Sprintf(`"start_line":%d,"start_column":%d,"end_line":%[1]d,"end_column":%[3]d,"new_text":"other"`, p.libLine, p.libColumn, p.libColumn+len(p.name())),
		"{{wholeMain}}", fmt.Sprintf(`{"file_path":%q,"start_line":1,"start_column":1,"end_line":%d,"end_column":1}`, p.main, p.line+1),
	)
}

// Every tool of both profiles answers right from a real server of every
// language, and its structured result is what its schema says. What a server
// cannot do, and nothing else, is unsupported.
//
// Requirement: AGENT-1, AGENT-24.
func TestEveryToolWithRealServers(t *testing.T) {
	for i := range projects {
		p := &projects[i]
		for _, profile := range []string{"default", "full"} {
			t.Run(p.server+"/"+profile, func(t *testing.T) {
				lsptest.Require(t, p.server)
				root, other := lsptest.Workspace(t, p.archive), lsptest.Workspace(t, p.archive)
				commit(t, root)
				turn(t, filepath.Join(root, p.lib))
				session := start(t, root, "2025-06-18", "--profile", profile, "--text", "prose", "--server", p.server, "--allow-root", other)
				listed, err := session.ListTools(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				words, left := p.words(root, other), make(map[string]*mcp.Tool)
				tools := make(map[string]*mcp.Tool)
				for _, tool := range listed.Tools {
					tools[tool.Name], left[tool.Name] = tool, tool
				}
				for _, q := range questions[profile] {
					want, named := q.says[p.server]
					if !named {
						want = q.says[every]
					}
					delete(left, q.tool)
					t.Run(q.tool, func(t *testing.T) { try(t, session, tools[q.tool], words.Replace(q.args), words.Replace(want)) })
				}
				for name := range left {
					t.Errorf("%s is not asked anything", name)
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

// turn changes what add does, for the tools that ask git; nothing moves by it.
func turn(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, path, strings.Replace(string(text), "return a + b", "return b + a", 1))
}

func try(t *testing.T, session *mcp.ClientSession, tool *mcp.Tool, args, want string) {
	if tool == nil {
		t.Fatal("there is no such tool")
	}
	result, text, err := call(t.Context(), session, tool.Name, args)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if kind, fails := strings.CutPrefix(want, refused); result.IsError || fails {
		var failure struct {
			Error struct{ Kind string }
		}
		if err := json.Unmarshal(raw, &failure); err != nil || !fails || failure.Error.Kind != kind {
			t.Errorf("%s: %v, kind %q, want %q:\n%s", args, err, failure.Error.Kind, want, text)
		}
		return
	}
	for part := range strings.SplitSeq(want, "|") {
		if part == "" || !strings.Contains(text, part) {
			t.Errorf("%s: %q is not in\n%.2000s", args, part, text)
		}
	}
	var schema jsonschema.Schema
	declared, err := json.Marshal(tool.OutputSchema)
	if err == nil {
		err = json.Unmarshal(declared, &schema)
	}
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err == nil {
		err = resolved.Validate(result.StructuredContent)
	}
	if err != nil {
		t.Errorf("%s: the structured result does not fit the schema: %v", args, err)
	}
}
