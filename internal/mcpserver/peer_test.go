package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// The text of an answer of the full profile is the JSON of its result, with a hint in
// the profile's own words; as prose if the server is told so. A failure stays prose.
func TestAnswersOfTheFullProfileAreJSON(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile = "full" })
	session := d.connect("memory", newestEra, nil)
	for tool, c := range map[string]struct{ args, hint string }{
		"find_references": {`{"file_path":"lib.toy","line":1,"column":5}`, "blast_radius"},
		"apply_edit":      {`{"file_path":"main.toy","old_text":"use helper","new_text":"use  helper"}`, "run_tests"},
		"get_diagnostics": {`{"file_path":"main.toy"}`, "suggest_fixes"},
		"set_log_level":   {`{"level":"error"}`, "standard error"},
	} {
		a := call(t, session, tool, c.args)
		var text, result map[string]any
		if err := json.Unmarshal([]byte(a.text), &text); err != nil {
			t.Errorf("%s: %v: %s", tool, err, a.text)
			continue
		}
		result = structured[map[string]any](t, a)
		if diff := cmp.Diff(result, text); diff != "" || !strings.Contains(fmt.Sprint(text["hint"]), c.hint) || text["next"] != nil {
			t.Errorf("%s: hint %v\n%s", tool, text["hint"], diff)
		}
	}
	if a := call(t, session, "find_references", `{"file_path":"gone.toy","line":1,"column":5}`); !a.IsError || strings.HasPrefix(a.text, "{") {
		t.Errorf("a failure: %s", a.text)
	}
	prose := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile, o.Prose = "full", true }).connect("memory", newestEra, nil)
	a := call(t, prose, "find_references", `{"file_path":"lib.toy","line":1,"column":5}`)
	if strings.HasPrefix(a.text, "{") || !strings.Contains(fmt.Sprint(structured[map[string]any](t, a)["hint"]), "blast_radius") {
		t.Errorf("prose: %s", a.text)
	}
}

// Every tool of the full profile has a hint, and each names tools of it alone; without
// these tools it says less.
func TestHintsNameOfferedTools(t *testing.T) {
	server, err := New(Options{Profile: "full"})
	if err != nil {
		t.Fatal(err)
	}
	names := toolNames(t, Options{Profile: "full"})
	for _, tool := range server.tools {
		if hints[tool.name] == "" || server.hintAfter(tool) == "" {
			t.Errorf("%s has no hint", tool.name)
		}
	}
	for tool, hint := range hints {
		for _, m := range toolNamed.FindAllStringSubmatch(hint, -1) {
			if !slices.Contains(names, m[1]) {
				t.Errorf("%s: there is no tool %s", tool, m[1])
			}
		}
	}
	few, err := New(Options{Profile: "full", Tools: []string{"go_to_definition", "find_references"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := few.hintAfter(few.tools[0]); got != "find_references lists its uses" {
		t.Errorf("%q", got)
	}
	if got := few.hintAfter(few.tools[1]); got != "" {
		t.Errorf("%q", got)
	}
}

// What the engine's hints call operations are the tools of the profile; what no tool
// does is not said.
func TestHintsInTheWordsOfTheProfile(t *testing.T) {
	for _, c := range []struct {
		opts       Options
		said, want string
	}{
		{Options{}, "symbols with this file lists what it declares", "symbols with this file lists what it declares"},
		{Options{Profile: "full"}, "symbols with this file lists what it declares", "list_symbols with this file lists what it declares"},
		{Options{Profile: "full"}, "symbols with another query may find it; as text: grep -rnw \"x\" .", "find_symbol with another query may find it; as text: grep -rnw \"x\" ."},
		{Options{Profile: "full"}, "ask again; status shows how far it is", "ask again"},
		{Options{}, "ask again; status shows how far it is", "ask again; status shows how far it is"},
		{Options{}, "ask again when it has ended; servers with action restart ends it", "ask again when it has ended"},
		{Options{Profile: "full"}, "ask again when it has ended; servers with action restart ends it", "ask again when it has ended; restart_lsp_server ends it"},
		{Options{Profile: "full"}, "fixes without apply lists the actions\n  1. a; b", "suggest_fixes lists the actions\n  1. a; b"},
		{Options{Profile: "full"}, "look what it does, then give confirm: true; fixes applies what servers offer without that", "look what it does, then give confirm: true"},
		{Options{Without: []string{"references"}}, "references at a.go:1:2", ""},
		{Options{}, "nearest:\n  a.go:1:2 source at once", "nearest:\n  a.go:1:2 source at once"},
	} {
		server, err := New(c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := server.inWords(c.said); got != c.want {
			t.Errorf("%+v: %q becomes %q, want %q", c.opts, c.said, got, c.want)
		}
	}
	_, session := fullDesk(t, project)
	a := call(t, session, "replace_symbol_body", `{"file_path":"main.toy","symbol_path":"Nothing","new_body":"x"}`)
	a.fails(t, result.NotFound, "\nlist_symbols with this file lists what it declares")
	if hint := structured[failure](t, a).Error.Hint; hint != "list_symbols with this file lists what it declares" {
		t.Errorf("%q", hint)
	}
}

// Tools that are read instead of a file say what that saved.
//
// Requirement: AGENT-17.
func TestTokenSavings(t *testing.T) {
	long := "def helper\n" + strings.Repeat("fine fine fine fine fine\n", 400)
	d := openDesk(t, lsptest.Script{}, "-- toy.root --\n-- lib.toy --\n"+long, func(o *Options) { o.Profile = "full" })
	session := d.connect("memory", newestEra, nil)
	for tool, args := range map[string]string{
		"list_symbols": `{"file_path":"lib.toy"}`, "get_symbol_source": `{"file_path":"lib.toy","line":1,"column":5}`, "get_editing_context": `{"file_path":"lib.toy"}`,
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
		if err != nil || result.IsError {
			t.Fatalf("%s: %v %+v", tool, err, result)
		}
		var got savings
		raw, _ := json.Marshal(result.Meta["token_savings"])
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		returned := tokens(len(result.Content[0].(*mcp.TextContent).Text))
		full := tokens(len(long))
		if want := (savings{returned, full, full - returned, 100 * (full - returned) / full}); got != want {
			t.Errorf("%s: %+v, want %+v", tool, got, want)
		}
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_references", Arguments: json.RawMessage(`{"file_path":"lib.toy","line":1,"column":5}`)})
	if err != nil || result.Meta["token_savings"] != nil {
		t.Errorf("%+v, %v", result, err)
	}
}
