package hook

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

var update = flag.Bool("update", false, "write the golden files again")

// Each recorded payload says the same event whichever agent sent it: what was edited, the
// text before where it is known, and whether any other file may have changed.
func TestPayloads(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "payloads", "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var b strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		here := strings.ReplaceAll(string(data), `"/home/you`, `"`+lsptest.InJSON(lsptest.Rooted("/home/you")))
		e, err := Decode([]byte(here), "", nil)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		relative, _ := filepath.Rel(filepath.Join("testdata", "payloads"), file)
		if folder := filepath.Dir(relative); e.Moment >= Edited && folder != string(e.Agent) {
			t.Errorf("%s is taken for %s's", relative, e.Agent)
		}
		fmt.Fprintf(&b, "%s\n", filepath.ToSlash(relative))
		fmt.Fprintf(&b, "  %s %s: moment %d, session %.8s, in %s, sweep %t, aborted %t\n", e.Agent, e.Name, e.Moment, e.Session, lsptest.Slashed(e.Dir), e.Sweep, e.Aborted)
		for _, edit := range e.Edits {
			fmt.Fprintf(&b, "  %s\n", lsptest.Slashed(edit.Path))
			if edit.Before != nil {
				fmt.Fprintf(&b, "    before %q\n", *edit.Before)
			}
			for _, r := range edit.Undo {
				fmt.Fprintf(&b, "    undo %q to %q\n", r.Old, r.New)
			}
		}
	}
	golden := filepath.Join("testdata", "events.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

// What tells two agents with the same payload apart, and what is no payload at all.
func TestAgents(t *testing.T) {
	const claudes = `{"session_id":"s","cwd":"/p","hook_event_name":"Stop"}`
	for _, c := range []struct {
		payload string
		hint    Agent
		environ []string
		want    Agent
		err     string
	}{
		{claudes, "", nil, Claude, ""},
		{claudes, "", []string{"COPILOT_CLI=1"}, Copilot, ""},
		{claudes, "", []string{"COPILOT_CLI="}, Claude, ""},
		{claudes, "", []string{"CLAUDE_PROJECT_DIR=/p", "GEMINI_CLI=1"}, Claude, ""}, // others set the first too
		{claudes, Qwen, nil, Qwen, ""},
		{`{"session_id":"s","hook_event_name":"Stop","timestamp":"t"}`, "", nil, Qwen, ""},
		{`{"session_id":"s","hook_event_name":"Stop","timestamp":"t","stop_reason":"end_turn"}`, "", nil, Copilot, ""},
		{`{"session_id":"s","hook_event_name":"PostToolUse","tool_call_id":"1"}`, "", nil, Qwen, ""},
		{`{"session_id":"s","hook_event_name":"PostToolUse","turn_id":"1"}`, "", nil, Claude, ""},
		{`{"session_id":"s","hook_event_name":"PostToolUse","turn_id":"1","model":"m"}`, "", nil, Codex, ""},
		{`{"workspace_roots":["/p"],"hook_event_name":"stop"}`, "", nil, Cursor, ""},
		{`{"workspace_roots":["/p"],"hook_event_name":"Stop"}`, "", nil, Claude, ""},
		{`{"hookName":"tool_result","taskId":"t"}`, "", nil, Cline, ""},
		{`{"hook_event_name":"Stop","session_id":"s","taskId":"t"}`, "", nil, Claude, ""},
		{`{"hookName":"Stop","session_id":"s"}`, "", nil, Claude, ""},
		{`{"hook_event_name":"AfterAgent","transcript_path":""}`, "", nil, LLxprt, ""},
		{`{"hook_event_name":"AfterAgent","transcript_path":"/t"}`, "", nil, Gemini, ""},
		{`{"hook_event_name":"AfterAgent"}`, "", nil, Gemini, ""},
		{`{}`, "", nil, "", errNoPayload.Error()},
		{`[]`, "", nil, "", "the payload of the hook: "},
		{``, "", nil, "", "the payload of the hook: unexpected end of JSON input"},
	} {
		e, err := Decode([]byte(c.payload), c.hint, c.environ)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.payload, err, c.err)
			}
			continue
		}
		if err != nil || e.Agent != c.want {
			t.Errorf("%s %v: %v %v, want %s", c.payload, c.environ, e, err, c.want)
		}
	}
}

// A tool names its files in one of many ways; one that names none may have changed any
// file, and one that only looks has changed none.
func TestTools(t *testing.T) {
	type outcome struct {
		Edits []Edit
		Sweep bool
	}
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		name, tool, input, response string
		want                        outcome
	}{
		{"a tool that looks", "Read", `{"file_path":"a.go"}`, `""`, outcome{}},
		{"our own tool", "mcp__lspine__edit", `{"file":"a.go"}`, `""`, outcome{}},
		{"a command", "Bash", `{"command":"gofmt -w a.go"}`, `""`, outcome{Sweep: true}},
		{"a patch by command", "Bash", `{"command":"apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a.go\n*** End Patch\nE"}`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
		{"a tool nobody knows", "mcp__x__generate", `{"what":"all"}`, `""`, outcome{Sweep: true}},
		{"and one that names a file", "mcp__x__write", `{"absolute_path":"/q/b.go"}`, `""`, outcome{Edits: []Edit{{Path: "/q/b.go"}}}},
		{"several files", "edit_files", `{"files":["a.go",{"path":"b.go"}]}`, `""`, outcome{Sweep: true}},
		{"a list of names", "edit_files", `{"files":["a.go","./b.go"]}`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go"}, {Path: "/p/b.go"}}}},
		{"a list as a text", "edit_files", `{"files":"[{\"path\":\"a.go\"}]"}`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
		{"the same file by two names", "edit", `{"file_path":"a.go","path":"a.go"}`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
		{"arguments as a text", "edit", `"{\"path\":\"a.go\",\"old_str\":\"x\",\"new_str\":\"y\"}"`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go", Undo: []Replacement{{Old: "y", New: "x"}}}}}},
		{"all places", "Edit", `{"file_path":"a.go","old_string":"x","new_string":"y","replace_all":true}`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
		{"the text before", "Edit", `{"file_path":"a.go"}`, `{"originalFile":"was"}`, outcome{Edits: []Edit{{Path: "/p/a.go", Before: text("was")}}}},
		{"the text before, as others say it", "replace", `{"file_path":"a.go"}`, `{"returnDisplay":{"originalContent":"was"}}`, outcome{Edits: []Edit{{Path: "/p/a.go", Before: text("was")}}}},
		{"a display that is a text", "replace", `{"file_path":"a.go"}`, `{"returnDisplay":"done"}`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
		{"as opencode says it", "edit", `{"filePath":"a.go","oldString":"x","newString":"y"}`, `null`, outcome{Edits: []Edit{{Path: "/p/a.go", Undo: []Replacement{{Old: "y", New: "x"}}}}}},
		{"all places of opencode's", "edit", `{"filePath":"a.go","oldString":"x","newString":"y","replaceAll":true}`, `null`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
		{"a patch of opencode's", "apply_patch", `{"patchText":"*** Begin Patch\n*** Delete File: a.go\n*** End Patch"}`, `null`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
		{"as pi says it", "edit", `{"path":"a.go","edits":[{"oldText":"1","newText":"2"},{"oldText":"3","newText":"4"}]}`, `null`, outcome{Edits: []Edit{{Path: "/p/a.go", Undo: []Replacement{{Old: "4", New: "3"}, {Old: "2", New: "1"}}}}}},
		{"one place after the other", "MultiEdit", `{"file_path":"a.go","edits":[{"old_string":"1","new_string":"2"},{"old_string":"2","new_string":"3"}]}`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go", Undo: []Replacement{{Old: "3", New: "2"}, {Old: "2", New: "1"}}}}}},
		{"one of the places unknown", "MultiEdit", `{"file_path":"a.go","edits":[{"old_string":"1","new_string":"2"},{"line":3}]}`, `""`, outcome{Edits: []Edit{{Path: "/p/a.go"}}}},
	} {
		e := &Event{Dir: lsptest.Rooted("/p")}
		input := strings.ReplaceAll(c.input, "/q/b.go", lsptest.InJSON(lsptest.Rooted("/q/b.go")))
		toolCall{ToolName: c.tool, ToolInput: []byte(input), ToolResponse: []byte(c.response)}.addEdits(e)
		for i := range e.Edits {
			e.Edits[i].Path = lsptest.Slashed(e.Edits[i].Path)
		}
		if diff := cmp.Diff(c.want, outcome{e.Edits, e.Sweep}); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// A patch names the files that it adds, updates, deletes and moves, and each update can be
// taken back from the text that it left.
func TestPatches(t *testing.T) {
	const before = "package a\n\nfunc f() {\n\told()\n}\n\nfunc g() {}\n"
	const after = "package a\n\nfunc f() {\n\tnew()\n\tmore()\n}\n\nfunc h() {}\n"
	edits := patchEdits("*** Begin Patch\r\n*** Update File: a.go\n@@ func f\n func f() {\n-\told()\n+\tnew()\n+\tmore()\n }\n\n@@\n-func g() {}\n+func h() {}\n" +
		"*** Add File: b.go\n+package b\n*** Delete File: c.go\n*** Update File: d.go\n*** Move to: e/d.go\n@@\n-x\n+y\n*** End Patch\nfoo\n*** Add File: no.go\n")
	var names []string
	for _, e := range edits {
		names = append(names, e.Path)
	}
	if diff := cmp.Diff([]string{"a.go", "b.go", "c.go", "d.go", "e/d.go"}, names); diff != "" {
		t.Error(diff)
	}
	if got, ok := takeBack(after, edits[0].Undo); !ok || got != before {
		t.Errorf("taken back %t:\n%s", ok, cmp.Diff(before, got))
	}
	if edits := patchEdits("*** Update File: a.go\n"); edits != nil {
		t.Errorf("no patch has %v", edits)
	}
}

// A change is taken back only where it is certain what was there.
func TestTakeBack(t *testing.T) {
	for _, c := range []struct {
		name, text string
		undo       []Replacement
		want       string
		ok         bool
	}{
		{"one place", "a new b", []Replacement{{Old: "new", New: "old"}}, "a old b", true},
		{"at the start", "new b", []Replacement{{Old: "new", New: ""}}, " b", true},
		{"two places", "new new", []Replacement{{Old: "new", New: "old"}}, "", false},
		{"places that overlap", "aaa", []Replacement{{Old: "aa", New: "b"}}, "", false},
		{"no place", "a", []Replacement{{Old: "new", New: "old"}}, "", false},
		{"what was deleted", "a", []Replacement{{Old: "", New: "old"}}, "", false},
		{"the end of a line", "anew\n", []Replacement{{Old: "new\n", New: "old\n", Lines: true}}, "", false},
		{"a line", "a\nnew\n", []Replacement{{Old: "new\n", New: "old\n", Lines: true}}, "a\nold\n", true},
		{"the first line", "new\n", []Replacement{{Old: "new\n", New: "old\n", Lines: true}}, "old\n", true},
		{"nothing known", "a", nil, "a", false},
	} {
		if got, ok := takeBack(c.text, c.undo); ok != c.ok || got != c.want {
			t.Errorf("%s: %q %t, want %q %t", c.name, got, ok, c.want, c.ok)
		}
	}
}

// Of several edits of one file all are taken back, the last first.
func TestEditsOfOneFile(t *testing.T) {
	e := &Event{Dir: lsptest.Rooted("/p")}
	e.addEdit(Edit{Path: "a.go", Before: new(string), Undo: []Replacement{{Old: "2", New: "1"}}})
	e.addEdit(Edit{Path: lsptest.Rooted("/p/x/../a.go"), Undo: []Replacement{{Old: "3", New: "2"}}})
	e.addEdit(Edit{Path: ""})
	want := []Edit{{Path: lsptest.Rooted("/p/a.go"), Before: new(string), Undo: []Replacement{{Old: "3", New: "2"}, {Old: "2", New: "1"}}}}
	if diff := cmp.Diff(want, e.Edits); diff != "" {
		t.Error(diff)
	}
	e.addEdit(Edit{Path: "a.go"})
	if e.Edits[0].Undo != nil {
		t.Errorf("an edit that is not known is taken back: %v", e.Edits[0].Undo)
	}
	if names := Agents(); !slices.IsSorted(names) || len(names) != 11 {
		t.Errorf("agents are %v", names)
	}
}
