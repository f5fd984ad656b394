package mcpserver

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/extension"
	"github.com/lspine/lspine/internal/lsptest"
)

// The user's rules decide about the tools of extensions by name, by class and by file, also where one goes before a
// built-in tool; what is asked about is asked.
func TestRulesAreAboutExtensions(t *testing.T) {
	said := func(text string) func(context.Context, *extension.Call) (extension.Answer, error) {
		return func(context.Context, *extension.Call) (extension.Answer, error) {
			return extension.Answer{Text: text}, nil
		}
	}
	set := extension.Set{"go": {Tools: []extension.Tool{
		{Name: "count", Run: said("3")},
		{Name: "generate", Class: api.Edit, Run: said("generated")},
		{Name: "serve", Class: api.Admin, Run: said("served")},
		{Name: "inspect", Run: said("mine")},
		{Name: "panics", Run: func(context.Context, *extension.Call) (extension.Answer, error) { panic("oh") }},
	}}}
	d, rules := openRuledDesk(t, `{"lsp": {"policy": [
		{"match": {"operation": "go_count", "path": "secret/**"}, "action": "deny"},
		{"match": {"operation": "inspect", "path": "secret/**"}, "action": "deny"},
		{"match": {"class": "edit"}, "action": "deny"},
		{"match": {"class": "admin"}, "action": "ask", "fallback": "deny"}
	]}}`, func(o *Options) { o.Extensions = set })
	mute := d.connect("memory", "2025-06-18", nil)
	agreeing := d.connect("memory", "2025-06-18", &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept"}, nil
	}})
	got := make(map[string]string)
	for name, c := range map[string]struct {
		session *mcp.ClientSession
		tool    string
		args    map[string]any
	}{
		"read":                {mute, "go_count", map[string]any{"file": "a.go"}},
		"a file of a rule":    {mute, "go_count", map[string]any{"file": "secret/a.go"}},
		"edit":                {mute, "go_generate", map[string]any{"file": "a.go"}},
		"nobody can be asked": {mute, "go_serve", nil},
		"somebody agrees":     {agreeing, "go_serve", nil},
		"in place":            {mute, "inspect", map[string]any{"at": "a.go:1 x"}},
		"in place, denied":    {mute, "inspect", map[string]any{"at": "secret/a.go:1 x"}},
		"a panic":             {mute, "go_panics", nil},
	} {
		answer, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
		if err != nil {
			t.Fatal(name, err)
		}
		first, _, _ := strings.Cut(answer.Content[0].(*mcp.TextContent).Text, "\n")
		got[name] = strings.ReplaceAll(first, rules, "RULES")
	}
	want := map[string]string{
		"read": "3", "a file of a rule": "go_count is denied by rule 1 of your policy (RULES:2)",
		"edit": "go_generate is denied by rule 3 of your policy (RULES:4)", "nobody can be asked": "go_serve is denied by rule 4 of your policy (RULES:5)",
		"somebody agrees": "served", "in place": "mine", "in place, denied": "inspect is denied by rule 2 of your policy (RULES:3)",
		"a panic": "go_panics: it failed inside: oh",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The profiles that imitate other products offer nothing of extensions. Whose tools alone are named, of that alone tools are offered.
func TestExtensionsOfProfiles(t *testing.T) {
	set := extension.Set{"go": {Tools: []extension.Tool{{Name: "count", Run: func(context.Context, *extension.Call) (extension.Answer, error) { return extension.Answer{}, nil }}}}}
	for profile, want := range map[string]bool{"default": true, "full": true, "llxprt": false, "opta": false} {
		d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Extensions, o.Profile = set, profile })
		listed, err := d.connect("memory", "2025-06-18", nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		has := false
		for _, tool := range listed.Tools {
			has = has || tool.Name == "go_count"
		}
		if has != want {
			t.Errorf("profile %s offers it: %t", profile, has)
		}
	}
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Extensions, o.Tools = set, []string{"go_count"} })
	if listed, err := d.connect("memory", "2025-06-18", nil).ListTools(t.Context(), nil); err != nil || len(listed.Tools) != 1 {
		t.Errorf("named alone: %+v %v", listed, err)
	}
}
