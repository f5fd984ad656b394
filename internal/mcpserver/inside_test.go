package mcpserver

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A yard is a folder with one that a session may use, inside, and others beside it
// that it may not: outside and home.
type yard struct {
	*desk
	world, inside, outside, home string
	journal                      string // of every server that is started
	calls                        int
}

const secret = "SECRET that nobody may read"

func openYard(t *testing.T, script func(y *yard) lsptest.Script, change ...func(*Options)) *yard {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // for what engines note of their writing
	world := lsptest.Workspace(t, `
-- inside/toy.root --
-- inside/main.toy --
use helper
-- inside/lib.toy --
def helper
-- inside/sub/part.toy --
def part
-- outside/toy.root --
-- outside/secret.toy --
def helper
`+secret+`
-- outside/folder/deep.toy --
def deep
-- outside/go.mod --
module outside
-- home/.bashrc --
`+secret+`
`)
	y := &yard{
		world: world, inside: filepath.Join(world, "inside"), outside: filepath.Join(world, "outside"), home: filepath.Join(world, "home"),
		journal: filepath.Join(t.TempDir(), "journal"),
	}
	s := script(y)
	s.JournalFile = y.journal
	y.desk = openDesk(t, s, "", append([]func(*Options){func(o *Options) {
		o.Root, o.Dir, o.Homes = "", y.inside, []string{y.home}
	}}, change...)...)
	return y
}

// link makes links in the folder that may be used to what may not.
func (y *yard) link() {
	y.t.Helper()
	lsptest.NeedLinks(y.t)
	for name, target := range map[string]string{
		"link": y.outside, "filelink.toy": filepath.Join(y.outside, "secret.toy"), "dangling.toy": filepath.Join(y.outside, "new.toy"),
		"sub/up": "../../outside",
	} {
		if err := os.Symlink(target, filepath.Join(y.inside, name)); err != nil {
			y.t.Fatal(err)
		}
	}
}

// tree returns everything below the world: the content of files, the targets of
// links.
func (y *yard) tree() map[string]string {
	y.t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(y.world, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var content []byte
		switch target := ""; {
		case entry.Type()&fs.ModeSymlink != 0:
			target, err = os.Readlink(path)
			content = []byte("link to " + target)
		case !entry.IsDir():
			content, err = os.ReadFile(path)
		}
		all[path] = string(content)
		return err
	})
	if err != nil {
		y.t.Fatal(err)
	}
	return all
}

// refused makes a call that must be refused, with the reason and the way out.
func (y *yard) refused(session *mcp.ClientSession, tool, args string) {
	y.t.Helper()
	y.calls++
	a := call(y.t, session, tool, args)
	if strings.Contains(a.text, secret) {
		y.t.Errorf("%s %s: tells what is outside:\n%s", tool, args, a.text)
	}
	failed := structured[failure](y.t, a).Error
	switch {
	case (tool == "check" || tool == "get_diagnostics") && !a.IsError: // says it of each file
		a.says(y.t, "is outside", "--root")
	case !a.IsError || failed.Kind != result.Outside || !strings.Contains(failed.Message, "outside") || failed.Hint == "":
		y.t.Errorf("%s %s: error %t, kind %q, hint %q:\n%s", tool, args, a.IsError, failed.Kind, failed.Hint, a.text)
	}
}

// unharmed fails if anything changed on disk, or a server heard of what is outside.
func (y *yard) unharmed(before map[string]string) {
	y.t.Helper()
	if diff := cmp.Diff(before, y.tree()); diff != "" {
		y.t.Errorf("the disk is another one (-before +after):\n%s", diff)
	}
	engines := y.server.opts.Engines.(*toys)
	engines.mu.Lock()
	defer engines.mu.Unlock()
	for root := range engines.open {
		if root != y.inside {
			y.t.Errorf("an engine was opened for %s", root)
		}
	}
	servers := 0
	for _, entry := range lsptest.ReadJournal(y.t, y.journal) {
		if entry.Method == "initialize" {
			servers++
		}
		if strings.Contains(string(entry.Params), y.outside) || strings.Contains(string(entry.Params), y.home) {
			y.t.Errorf("a server heard of what is outside: %s %s", entry.Method, entry.Params)
		}
	}
	if servers != 1 {
		y.t.Errorf("%d servers were started, want the one for %s", servers, y.inside)
	}
}

// files are the ways to name a file outside, folders a folder outside.
func (y *yard) files() []string {
	secret := filepath.Join(y.outside, "secret.toy")
	return []string{
		secret, "../outside/secret.toy", "link/secret.toy", "filelink.toy", "file://" + secret, y.inside + "/../outside/secret.toy",
		"FILE://" + y.inside + "/sub/%2e%2e/%2E%2E/outside/secret.toy", "sub/up/secret.toy", filepath.Join(y.home, ".bashrc"), y.world + "/no/such/file.toy",
		y.inside + "/link/secret.toy", "dangling.toy",
	}
}

func (y *yard) folders() []string {
	return []string{
		y.outside, "../outside", "link", "file://" + y.outside, y.world, "/", y.home, y.inside + "/..", "sub/../..", "sub/up/folder",
		y.outside + "/no/such", "file://" + y.inside + "/%2e%2e/outside",
	}
}

// attempts are calls of every tool that takes a file or a folder, FILE or FOLDER in
// them. Those that write come first.
var attempts = map[string][]string{
	"edit": {
		`{"edits":[{"file":"FILE","content":"owned\n"}]}`,
		`{"edits":[{"file":"FILE","old_text":"def","new_text":"owned"}]}`,
		`{"edits":[{"file":"FILE","delete":true}]}`,
		`{"edits":[{"file":"main.toy","rename_to":"FILE"}]}`,
		`{"edits":[{"file":"FILE","rename_to":"stolen.toy"}]}`,
		`{"edits":[{"file":"main.toy","content":"owned\n"},{"file":"FILE","content":"owned\n"}]}`,
		`{"edits":[{"patch":"*** Begin Patch\n*** Update File: FILE\n@@\n-def helper\n+owned\n*** End Patch\n"}]}`,
		`{"edits":[{"patch":"*** Begin Patch\n*** Add File: FILE\n+owned\n*** End Patch\n"}]}`,
		`{"edits":[{"patch":"*** Begin Patch\n*** Delete File: FILE\n*** End Patch\n"}]}`,
		`{"edits":[{"patch":"*** Begin Patch\n*** Update File: lib.toy\n*** Move to: FILE\n@@\n-def helper\n+owned\n*** End Patch\n"}]}`,
		`{"edits":[{"patch":"--- FILE\n+++ FILE\n@@ -1 +1 @@\n-def helper\n+owned\n"}]}`,
		`{"edits":[{"patch":"--- /dev/null\n+++ FILE\n@@ -0,0 +1 @@\n+owned\n"}]}`,
		`{"mode":"apply_if_clean","edits":[{"file":"FILE","content":"owned\n"}]}`,
		`{"mode":"preview","edits":[{"file":"FILE","old_text":"def","new_text":"owned"}]}`,
		`{"edits":[{"file":"FILE","content":"owned\n","expect_hash":"00000000"}]}`,
	},
	"simulate": {
		`{"action":"preview","edits":[{"file":"FILE","content":"owned\n"}]}`,
		`{"action":"preview","edits":[{"file":"main.toy","rename_to":"FILE"}]}`,
		`{"action":"preview","edits":[{"rename":{"at":"FILE helper","new_name":"owned"}}]}`,
		`{"action":"preview","edits":[{"edit_symbol":{"at":"FILE helper","action":"replace","code":"owned"}}]}`,
	},
	"create_simulation_session": {`{"workspace_root":"FOLDER","language":"toy"}`},
	"preview_edit":              {`{"file_path":"FILE","start_line":1,"start_column":1,"end_line":1,"end_column":2,"new_text":"x"}`},

	"edit_symbol":         {`{"at":"FILE helper","action":"delete"}`, `{"at":"FILE helper","action":"replace","code":"owned"}`},
	"rename":              {`{"at":"FILE helper","new_name":"owned"}`},
	"fixes":               {`{"file":"FILE","apply":1}`},
	"apply_edit":          {`{"file_path":"FILE","old_text":"def","new_text":"owned"}`},
	"safe_apply_edit":     {`{"file_path":"FILE","old_text":"def","new_text":"owned"}`},
	"safe_edit":           {`{"file_path":"FILE","old_text":"def","new_text":"owned"}`},
	"rename_symbol":       {`{"file_path":"FILE","line":1,"column":5,"new_name":"owned"}`},
	"format_document":     {`{"file_path":"FILE"}`},
	"format_range":        {`{"file_path":"FILE","start_line":1,"start_column":1,"end_line":1,"end_column":2}`},
	"replace_symbol_body": {`{"file_path":"FILE","symbol_path":"helper","new_body":"owned"}`},
	"insert_after_symbol": {`{"file_path":"FILE","symbol_path":"helper","code":"owned"}`},

	"insert_before_symbol": {`{"file_path":"FILE","symbol_path":"helper","code":"owned"}`},
	"safe_delete_symbol":   {`{"file_path":"FILE","symbol_path":"helper"}`},
	"execute_command":      {`{"command":"toy.evil","confirm":true,"file":"FILE"}`, `{"command":"toy.evil","confirm":true,"file_path":"FILE"}`},
	"get_codelens":         {`{"file_path":"FILE"}`},
	"execute_codelens":     {`{"file_path":"FILE","confirm":true}`},
	"run_build":            {`{"workspace_dir":"FOLDER"}`, `{"workspace_dir":".","path":"FOLDER","language":"go"}`},
	"run_tests":            {`{"workspace_dir":"FOLDER"}`, `{"workspace_dir":".","path":"FOLDER","language":"go"}`},

	"start_lsp":                 {`{"root_dir":"FOLDER"}`},
	"restart_lsp_server":        {`{"root_dir":"FOLDER"}`},
	"detect_lsp_servers":        {`{"workspace_dir":"FOLDER"}`},
	"export_cache":              {`{"dest_path":"FILE"}`},
	"import_cache":              {`{"src_path":"FILE"}`},
	"add_workspace_folder":      {`{"path":"FOLDER"}`, `{"path":"sub","add":["sub","FOLDER"]}`},
	"open_document":             {`{"file_path":"FILE"}`, `{"file_path":"FILE","text":"def x\n"}`},
	"close_document":            {`{"file_path":"FILE"}`},
	"did_change_watched_files":  {`{"changes":[{"file":"FILE","type":"created"}]}`},
	"get_cross_repo_references": {`{"symbol_file":"lib.toy","line":1,"column":5,"consumer_roots":["FOLDER"]}`, `{"symbol_file":"FILE","line":1,"column":5,"consumer_roots":["sub"]}`},

	"check":            {`{"files":["FILE"]}`, `{"files":["main.toy","FILE"]}`},
	"definition":       {`{"at":"FILE:1:5"}`},
	"references":       {`{"at":"FILE helper"}`},
	"inspect":          {`{"at":"FILE:1:5"}`},
	"symbols":          {`{"file":"FILE"}`},
	"source":           {`{"at":"FILE helper"}`},
	"hierarchy":        {`{"at":"FILE:1:5","direction":"callers"}`},
	"impact":           {`{"files":["FILE"]}`},
	"go_to_definition": {`{"file_path":"FILE","line":1,"column":5}`},

	"get_symbol_source":        {`{"file_path":"FILE","line":1,"column":5}`},
	"get_diagnostics":          {`{"file_path":"FILE"}`},
	"list_symbols":             {`{"file_path":"FILE"}`},
	"blast_radius":             {`{"changed_files":["FILE"]}`},
	"detect_changes":           {`{"workspace_root":"FOLDER"}`},
	"get_tests_for_file":       {`{"file_path":"FILE"}`},
	"get_editing_context":      {`{"file_path":"FILE"}`},
	"revalidate_context":       {`{"items":[{"kind":"summary","text":"x\n","source_type":"","priority":"","purity":"","record":{"server":"","query":"q","target":{"path":"FILE"},"queried_at":"2026-01-02T03:04:05Z","files":[{"path":"FILE","at_query":{},"at_injection":{}}]}}]}`},
	"assemble_context":         {`{"files":["FILE"]}`, `{"ranges":[{"file":"FILE","start_line":1}]}`, `{"files":["lib.toy"],"in_view":[{"file":"FILE"}]}`, `{"symbols":["FILE helper"]}`},
	"get_symbol_documentation": {`{"symbol":"helper","language_id":"toy","file_path":"FILE"}`},
	"go_to_symbol":             {`{"symbol_path":"helper","workspace_root":"FOLDER"}`},
}

// Whatever a caller says, nothing outside of the folders of its session is written,
// read or deleted, and no server is started there; each answer says why, and what the
// user can do.
func TestNothingOutside(t *testing.T) {
	for _, profile := range []string{"default", "full"} {
		t.Run(profile, func(t *testing.T) {
			y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} }, func(o *Options) { o.Profile = profile })
			session := y.connect("memory", newestEra, nil)
			if profile == "default" { // the session is at work before there are links
				call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors")
			} else {
				call(t, session, "start_lsp", `{"root_dir":"."}`).says(t, `"id":"toy"`, `"state":"active"`)
			}
			y.link()
			before := y.tree()
			files, folders, turn := y.files(), y.folders(), 0
			next := func(of []string) string { turn++; return of[turn%len(of)] }
			for _, tool := range y.server.tools {
				ways := 2
				if tool.name == "edit" || tool.name == "add_workspace_folder" {
					ways = len(files)
				}
				for _, args := range attempts[tool.name] {
					for range ways {
						if named := "FOLDER"; strings.Contains(args, named) {
							y.refused(session, tool.name, strings.ReplaceAll(args, named, next(folders)))
							continue
						}
						y.refused(session, tool.name, strings.ReplaceAll(args, "FILE", next(files)))
					}
				}
				if tool.own == nil {
					args := arguments{}
					for _, p := range tool.parameters {
						if p.required && p.target() != toWorkspace {
							args[p.name] = json.RawMessage(harmless[p.name])
						}
					}
					delete(args, "workspace_dir")
					if tool.name == "simulate" {
						args["action"] = json.RawMessage(`"list"`)
					}
					args["workspace"] = json.RawMessage(fmt.Sprintf("%q", next(folders)))
					if slices.ContainsFunc(tool.parameters, func(p parameter) bool { return p.required && p.target() == toWorkspace }) {
						continue // is tried above, under its own name
					}
					text, err := json.Marshal(args)
					if err != nil {
						t.Fatal(err)
					}
					y.refused(session, tool.name, string(text))
				}
			}
			t.Logf("%d calls", y.calls)
			y.unharmed(before)
		})
	}
}

// harmless are values of required arguments: one folder of the calls is the whole disk,
// which nothing may happen to if they are not refused.
var harmless = map[string]string{
	"items": `[{"kind":"summary","text":"x\n","source_type":"","priority":"","purity":"","record":{"server":"","query":"q","target":{"path":"lib.toy"},"queried_at":"2026-01-02T03:04:05Z","files":[{"path":"lib.toy","at_query":{},"at_injection":{}}]}}]`,
	"file":  `"main.toy"`, "file_path": `"main.toy"`, "symbol_file": `"main.toy"`, "line": "1", "column": "5",
	"start_line": "1", "start_column": "1", "end_line": "1", "end_column": "2", "edits": `[{"file":"main.toy","old_text":"no such text","new_text":"y"}]`,
	"action": `"delete"`, "path": `"sub"`, "old_text": `"use"`, "new_text": `"x"`, "symbol_path": `"helper"`, "symbol": `"helper"`,
	"new_body": `"x"`, "code": `"x"`, "command": `"toy.evil"`, "new_name": `"x"`, "changes": `[{"file":"main.toy"}]`,
	"changed_files": `["main.toy"]`, "consumer_roots": `["sub"]`, "language_id": `"toy"`, "session_id": `"s1"`, "language": `"toy"`, "direction": `"callers"`,
	"dest_path": `"refs.db.gz"`, "src_path": `"refs.db.gz"`,
}

// lies are edits that reach outside.
func (y *yard) lies() (list []string) {
	inside := "file://" + y.inside
	for _, uri := range []string{
		"file://" + y.outside + "/secret.toy", inside + "/../outside/secret.toy", inside + "/%2e%2e/outside/secret.toy",
		inside + "/link/secret.toy", inside + "/filelink.toy", inside + "/dangling.toy", "file://" + y.home + "/.bashrc",
	} {
		const edit = `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}},"newText":"owned"}`
		list = append(list,
			`{"changes":{"`+uri+`":[`+edit+`]}}`,
			`{"changes":{"`+inside+`/lib.toy":[`+edit+`],"`+uri+`":[`+edit+`]}}`,
			`{"documentChanges":[{"textDocument":{"uri":"`+uri+`","version":null},"edits":[`+edit+`]}]}`,
			`{"documentChanges":[{"kind":"create","uri":"`+uri+`","options":{"overwrite":true}}]}`,
			`{"documentChanges":[{"kind":"delete","uri":"`+uri+`"}]}`,
			`{"documentChanges":[{"kind":"rename","oldUri":"`+inside+`/lib.toy","newUri":"`+uri+`","options":{"overwrite":true}}]}`,
			`{"documentChanges":[{"kind":"rename","oldUri":"`+uri+`","newUri":"`+inside+`/stolen.toy"}]}`,
		)
	}
	return append(list,
		`{"documentChanges":[{"kind":"delete","uri":"file://`+y.outside+`","options":{"recursive":true}}]}`,
		`{"documentChanges":[{"kind":"rename","oldUri":"`+inside+`/sub","newUri":"file://`+y.outside+`/sub"}]}`,
		`{"documentChanges":[{"kind":"delete","uri":"`+inside+`/link","options":{"recursive":true}}]}`,
	)
}

// What a server proposes is made inside, or not at all, however it comes: as a rename,
// as a fix, or as an edit that a command asks for, and if a client hands it on.
func TestNothingOutsideByALyingServer(t *testing.T) {
	const ways = "rename fixes execute_command"
	lsptest.NeedLinks(t)
	for _, way := range append(strings.Fields(ways), "apply_edit") {
		t.Run(way, func(t *testing.T) {
			y := openYard(t, func(y *yard) lsptest.Script {
				script := lsptest.Script{Capabilities: json.RawMessage(`{"renameProvider":true,"codeActionProvider":true,"executeCommandProvider":{"commands":["toy.evil"]}}`)}
				var fixes []string
				for i, lie := range y.lies() {
					switch way {
					case "rename":
						script.Rules = append(script.Rules, lsptest.OnNth("textDocument/rename", i+1, lsptest.Reply(lie)))
					case "fixes":
						fixes = append(fixes, fmt.Sprintf(`{"title":"mend %d","kind":"quickfix","edit":%s}`, i, lie))
					case "execute_command":
						script.Rules = append(script.Rules, lsptest.OnNth("workspace/executeCommand", i+1, lsptest.Ask("workspace/applyEdit", `{"edit":`+lie+`}`), lsptest.Reply("null")))
					}
				}
				script.Rules = append(script.Rules, lsptest.On("textDocument/codeAction", lsptest.Reply("["+strings.Join(fixes, ",")+"]")))
				return script
			}, func(o *Options) { o.Tools = []string{"check", "rename", "fixes", "execute_command", "apply_edit"} })
			session := y.connect("memory", newestEra, nil)
			call(t, session, "check", `{"files":["main.toy","lib.toy"]}`).says(t, "no errors")
			y.link()
			before := y.tree()
			for i, lie := range y.lies() {
				y.refused(session, way, map[string]string{
					"rename": `{"at":"lib.toy:1:5","new_name":"owned"}`, "fixes": fmt.Sprintf(`{"file":"lib.toy","line":1,"apply":%d}`, i+1),
					"execute_command": `{"command":"toy.evil","confirm":true,"file":"lib.toy"}`, "apply_edit": `{"workspace_edit":` + lie + `}`,
				}[way])
			}
			t.Logf("%d calls", y.calls)
			y.unharmed(before)
		})
	}
}

// Resources are of the same folders.
func TestResourcesStayInside(t *testing.T) {
	y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} })
	session := y.connect("memory", revisions[0], nil)
	call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors")
	y.link()
	before := y.tree()
	for _, uri := range []string{
		"lsp-hover://" + y.outside + "/secret.toy?line=1&column=5&language_id=toy", "lsp-hover:///link/secret.toy?line=1&column=5&language_id=toy",
		"lsp-diagnostics://" + y.home + "/.bashrc", "lsp-completions:///../outside/secret.toy?line=1&column=5&language_id=toy",
	} {
		if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "outside") {
			t.Errorf("%s: %v", uri, err)
		}
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err == nil {
			t.Errorf("%s can be subscribed to", uri)
		}
	}
	all, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lsp-diagnostics:///"})
	if err != nil || !strings.Contains(all.Contents[0].Text, fmt.Sprintf(`"root":%q`, y.inside)) {
		t.Errorf("all that is known: %+v, %v", all, err)
	}
	y.unharmed(before)
}

// Nobody is let loose in a home folder, in the folder of all home folders or on the
// whole disk because it was started there, or because a client says so; who is told so
// learns what to do. A project below is used, also if the home folder is a checkout.
func TestHomesAreNoWorkspaces(t *testing.T) {
	for _, c := range []struct{ dir, says string }{{"/", "the whole disk"}, {"HOME", "a home folder"}, {"HOMES", "a folder of home folders"}} {
		var dir string
		y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} }, func(o *Options) {
			dir = strings.NewReplacer("HOMES", filepath.Dir(o.Homes[0]), "HOME", o.Homes[0]).Replace(c.dir)
			o.Dir = dir
		})
		session := y.connect("memory", newestEra, nil)
		for _, args := range []string{
			`{"edits":[{"file":"x.toy","content":"x"}]}`, `{"edits":[{"file":"` + lsptest.InJSON(y.home) + `/x.toy","content":"x"}]}`,
			`{"workspace":"` + lsptest.InJSON(y.home) + `","edits":[{"file":"x.toy","content":"x"}]}`,
		} {
			call(t, session, "edit", args).fails(t, result.Outside, "no folder to work in", "started in "+dir+", which is "+c.says, "--root", "--allow-root", "allowRoots")
		}
	}
	y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} }, func(o *Options) {
		o.Dir = filepath.Join(o.Homes[0], "project")
		lsptest.WriteFile(t, filepath.Join(o.Homes[0], ".git", "HEAD"), "")
		lsptest.WriteFile(t, filepath.Join(o.Dir, "a.txt"), "one\n")
	})
	session := y.connect("memory", newestEra, nil)
	call(t, session, "edit", `{"edits":[{"file":"a.txt","content":"two\n"}]}`).says(t, "Edit applied to a.txt")
	call(t, session, "edit", `{"edits":[{"file":"../.bashrc","content":"two\n"}]}`).fails(t, result.Outside)
}

// The user can allow more folders. Calls choose among them, by name or by a file; a
// file outside of the session's own folder is named absolutely.
func TestAllowedFolders(t *testing.T) {
	y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} }, func(o *Options) {
		o.Allow = []string{filepath.Join(filepath.Dir(o.Dir), "outside")}
	})
	session := y.connect("memory", newestEra, nil)
	deep := filepath.Join(y.outside, "folder", "deep.toy")
	a := call(t, session, "edit", `{"structured":"full","edits":[{"file":"`+lsptest.InJSON(deep)+`","content":"def deeper\n"}]}`)
	a.says(t, "Edit applied to "+deep)
	if changes := structured[struct {
		Changes []struct{ Path string }
		Files   []struct{ Path string }
	}](t, a); changes.Changes[0].Path != deep || changes.Files[0].Path != deep {
		t.Errorf("named %+v", changes)
	}
	call(t, session, "symbols", `{"workspace":"../outside","file":"folder/deep.toy"}`).says(t, "deeper")
	call(t, session, "definition", `{"workspace":"../outside","at":"folder/deep.toy:1:5"}`).says(t, deep)
	call(t, session, "edit", `{"edits":[{"file":"main.toy","content":"use helper\n\n"}]}`).says(t, "Edit applied to main.toy")
	call(t, session, "edit", `{"edits":[{"file":"main.toy","content":"use x\n"},{"file":"`+lsptest.InJSON(deep)+`","content":"def x\n"}]}`).
		fails(t, result.Outside, deep+" is outside", fmt.Sprintf("make another one for it, with workspace: %q", y.outside))
	call(t, session, "edit", `{"edits":[{"file":"`+lsptest.InJSON(y.home)+`/.bashrc","content":"owned"}]}`).fails(t, result.Outside, y.inside+", "+y.outside)
}

// Every tool that takes a file or a folder is among the attempts, but for those that
// take it as one of these does.
func TestEveryToolIsTried(t *testing.T) {
	same := []string{
		"explore_symbol", "explore", "inspect_symbol", "find_references", "go_to_type_definition", "go_to_implementation", "go_to_declaration",
		"find_callers", "callers", "type_hierarchy", "get_document_highlights", "get_completions", "get_signature_help", "get_inlay_hints",
		"get_semantic_tokens", "prepare_rename", "suggest_fixes", "simulate_edit", "simulate_chain",
	}
	known := slices.Concat(slices.Collect(maps.Keys(attempts)), same, []string{
		"evaluate_session", "commit_session", "discard_session", "destroy_session", "activate_skill", "deactivate_skill", "get_skill_phase",
		"status", "set_log_level", "get_server_capabilities", "list_workspace_folders", "remove_workspace_folder", "find_symbol", "begin_turn", "close_turn", // take none
	})
	for _, tool := range slices.Concat(withOperations(defaultTools()), withOperations(fullTools())) {
		if !slices.Contains(known, tool.name) {
			t.Errorf("%s: add a call of it that names a file outside of the workspace to attempts or, if it takes none, to this test", tool.name)
		}
	}
}
