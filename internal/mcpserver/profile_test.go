package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// defaultBytes bounds the list that every conversation pays for. What is
// to come must find room.
const defaultBytes = 8_192

func toolNames(t *testing.T, opts Options) []string {
	t.Helper()
	tools, err := choose(opts)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.name)
	}
	return names
}

// What the lists cost is bounded, and no schema has what some client rejects:
// several types, null, references, an object without properties, an array
// without items.
//
// Requirement: AGENT-44.
func TestListsAreSmallAndPlain(t *testing.T) {
	if len(instructions) > 1500 || len(instructionsOfPeer) > 1500 {
		t.Errorf("the instructions have %d bytes", len(instructions))
	}
	for _, profile := range []string{"default", "full"} {
		t.Run(profile, func(t *testing.T) {
			d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile = profile })
			listed, err := d.connect("memory", newestEra, nil).ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(listed) // the whole result
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d tools, %d bytes", len(listed.Tools), len(text))
			if profile == "default" && len(text) > defaultBytes {
				t.Errorf("%d bytes, at most %d", len(text), defaultBytes)
			}
			for _, tool := range listed.Tools {
				plain(t, tool.Name+" input", tool.InputSchema, true)
				plain(t, tool.Name+" output", tool.OutputSchema, false)
				a := tool.Annotations
				if tool.Description == "" || a == nil || a.Title == "" || a.DestructiveHint == nil || a.OpenWorldHint == nil {
					t.Errorf("%s is not described in full", tool.Name)
				}
				if properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any); properties[toWorkspace] == nil && properties["root_dir"] == nil && properties["workspace_root"] == nil {
					t.Errorf("%s has no workspace", tool.Name)
				}
			}
		})
	}
}

// plain fails for a schema with a feature that some client rejects.
func plain(t *testing.T, where string, schema any, input bool) {
	t.Helper()
	s, ok := schema.(map[string]any)
	if !ok || len(s) == 0 {
		t.Errorf("%s: an empty schema", where)
		return
	}
	kind, ok := s["type"].(string)
	if !ok || !slices.Contains([]string{"object", "array", "string", "integer", "number", "boolean"}, kind) {
		t.Errorf("%s: type is %v", where, s["type"])
	}
	for key := range s {
		if !slices.Contains([]string{"type", "description", "enum", "items", "properties", "required"}, key) {
			t.Errorf("%s: %s", where, key)
		}
	}
	properties, has := s["properties"].(map[string]any)
	if kind == "object" && !has {
		t.Errorf("%s: an object without properties", where)
	}
	if kind == "array" && s["items"] == nil && input {
		t.Errorf("%s: an array without items", where)
	}
	if s["items"] != nil {
		plain(t, where+"[]", s["items"], input)
	}
	for name, p := range properties {
		plain(t, where+"."+name, p, input)
	}
}

// Any list can be put together; a name that is none is answered with the nearest.
func TestListsCanBeComposed(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Tools: []string{"check", "status", "check"}}, "check status"},
		{Options{Tools: []string{"go_to_definition", "check"}}, "go_to_definition check"},
		{Options{Tools: []string{"check", "source"}, Without: []string{"source"}}, "check"},
		{Options{NoNavigation: true}, "check edit status"},
		{Options{NoNavigation: true, Tools: []string{"source"}}, "source"},
		{Options{NoNavigation: true, Profile: "full"}, "start_lsp restart_lsp_server detect_lsp_servers add_workspace_folder remove_workspace_folder list_workspace_folders " +
			"open_document close_document did_change_watched_files export_cache import_cache get_server_capabilities set_log_level get_diagnostics apply_edit safe_apply_edit safe_edit rename_symbol " +
			"prepare_rename format_document format_range replace_symbol_body insert_after_symbol insert_before_symbol safe_delete_symbol suggest_fixes get_codelens " +
			"execute_codelens execute_command run_build run_tests create_simulation_session simulate_edit evaluate_session simulate_chain commit_session discard_session " +
			"destroy_session preview_edit"},
		{Options{Disabled: true}, "status"},
		{Options{Disabled: true, Profile: "full"}, "status"},
		{Options{Disabled: true, Profile: "full", NoNavigation: true, Tools: []string{"source", "edit"}}, "status"},
	} {
		if got := strings.Join(toolNames(t, c.opts), " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.opts, got, c.want)
		}
	}
	if slices.Contains(toolNames(t, Options{Without: []string{"source"}}), "source") {
		t.Error("source is still there")
	}
	for _, c := range []struct {
		opts Options
		says string
	}{
		{Options{Tools: []string{"refrences"}}, `no tool "refrences" did you mean "references"?`},
		{Options{Without: []string{"chek"}}, `no tool "chek" did you mean "check"?`},
		{Options{Profile: "most"}, `no profile "most" profiles are default, full, llxprt and opta`},
	} {
		_, err := New(c.opts)
		hint, _ := err.(interface{ Hint() string })
		if err == nil || !strings.Contains(fmt.Sprint(err, " ", hint.Hint()), c.says) {
			t.Errorf("%+v: %v", c.opts, err)
		}
	}
}

// awaited are the tools of the full profile whose operation is still to come.
var awaited = []string{}

// The full profile has every tool but those whose operation does not exist yet;
// one that has come must be struck off.
//
// Requirement: AGENT-1.
func TestTheFullProfileIsComplete(t *testing.T) {
	offered := toolNames(t, Options{Profile: "full"})
	var missing []string
	for _, tool := range fullTools() {
		if !slices.Contains(offered, tool.name) {
			missing = append(missing, tool.name)
		}
	}
	slices.Sort(missing)
	if !slices.Equal(missing, awaited) {
		t.Errorf("missing are %q, awaited %q", missing, awaited)
	}
}
