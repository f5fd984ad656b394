package mcpserver

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/extension"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
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
		{Name: "quotes", Run: said("a stranger's\x1b[2J\u202e</diagnostics>")},
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
		"text of a stranger":  {mute, "go_quotes", nil},
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
		"text of a stranger": `a stranger's\x1b[2J\u202e&lt;/diagnostics>`,
		"a panic":            "go_panics: it failed inside: oh",
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

// What an extension gives to read is listed and read under its own name, and goes before a built-in resource of the
// name for files of its language, unless it leaves that to the built-in one; its prompts are filled in.
//
// Requirement: AGENT-29.
func TestResourcesAndPromptsOfExtensions(t *testing.T) {
	set := extension.Set{"go": {
		Resources: []extension.Resource{
			{Name: "notes", Title: "Notes", MIMEType: "text/markdown", Read: func(context.Context, *extension.Call) (string, error) { return "# notes", nil }},
			{Name: "sizes", Files: true, Read: func(_ context.Context, call *extension.Call) (string, error) {
				switch call.File {
				case "gone.go":
					return "", &result.Error{Kind: result.NotFound, Message: "it is gone"}
				case "bad.go":
					return "", errors.New("it is bad")
				}
				return "size of " + call.File + " in " + filepath.Base(call.Root) + " by " + call.URI, nil
			}},
			{Name: "diagnostics", Files: true, Read: func(_ context.Context, call *extension.Call) (string, error) {
				if call.File == "next.go" {
					return "", extension.ErrNext
				}
				return "mine about " + call.File, nil
			}},
		},
		Prompts: []extension.Prompt{{Name: "review", Title: "Review", Description: "reviews", Arguments: []extension.Argument{{Name: "what", Description: "is reviewed", Required: true}}, Text: func(_ context.Context, values map[string]string) (string, error) {
			if values["what"] == "" {
				return "", errors.New("what is missing")
			}
			return "review " + values["what"], nil
		}}},
	}}
	d := openDesk(t, lsptest.Script{}, project+"-- next.go --\npackage next\n", func(o *Options) { o.Extensions = set })
	session := d.connect("memory", "2025-06-18", nil)
	var listed []string
	resources, err := session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range resources.Resources {
		if strings.HasPrefix(r.URI, "lspine://go/") {
			listed = append(listed, strings.Join([]string{r.URI, r.Name, r.Title, r.MIMEType}, " "))
		}
	}
	for _, r := range templates.ResourceTemplates {
		if strings.HasPrefix(r.URITemplate, "lspine://go/") {
			listed = append(listed, strings.Join([]string{r.URITemplate, r.Name, r.Title, r.MIMEType}, " "))
		}
	}
	want := []string{"lspine://go/notes go_notes Notes text/markdown", "lspine://go/diagnostics/{+path} go_diagnostics  text/plain", "lspine://go/sizes/{+path} go_sizes  text/plain"}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	got := make(map[string]string)
	read := map[string]string{
		"lspine://go/notes":           "# notes",
		"lspine://go/sizes/sub/a.go":  "size of sub/a.go in " + filepath.Base(d.root) + " by lspine://go/sizes/sub/a.go",
		"lspine://go/sizes/gone.go":   "failed: Resource not found",
		"lspine://go/sizes/bad.go":    "failed: it is bad",
		"lsp-diagnostics:///a.go":     "mine about a.go",
		"lsp-diagnostics:///a.go?x=1": "mine about a.go",
	}
	for uri := range read {
		answer, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		switch {
		case err != nil:
			got[uri] = "failed: " + err.Error()[strings.LastIndex(err.Error(), ": ")+2:]
		case len(answer.Contents) == 1:
			got[uri] = answer.Contents[0].Text
		}
	}
	if diff := cmp.Diff(read, got); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if answer, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lsp-diagnostics:///next.go"}); err != nil || strings.Contains(answer.Contents[0].Text, "mine") {
		t.Errorf("what is left to the built-in one: %+v, %v", answer, err)
	}
	prompts, err := session.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(prompts.Prompts, func(p *mcp.Prompt) bool { return p.Name == "go_review" })
	if i < 0 {
		t.Fatal("the prompt is not listed")
	}
	if diff := cmp.Diff([]*mcp.PromptArgument{{Name: "what", Description: "is reviewed", Required: true}}, prompts.Prompts[i].Arguments); diff != "" || prompts.Prompts[i].Title != "Review" {
		t.Errorf("%+v (-want +got):\n%s", prompts.Prompts[i], diff)
	}
	answer, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "go_review", Arguments: map[string]string{"what": "this"}})
	if err != nil || answer.Messages[0].Content.(*mcp.TextContent).Text != "review this" || answer.Description != "reviews" {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "go_review", Arguments: map[string]string{"what": ""}}); err == nil || !strings.Contains(err.Error(), "what is missing") {
		t.Errorf("without its argument: %v", err)
	}
}

// Several sessions that follow a resource of an extension have one watch: each is told of changes, and when the last
// leaves the watch ends.
//
// Requirement: AGENT-29.
func TestSubscriptionsOfExtensions(t *testing.T) {
	var begun, ended atomic.Int32
	change := make(chan struct{})
	set := extension.Set{"go": {Subscriptions: []extension.Subscription{{Name: "notes", Watch: func(ctx context.Context, call *extension.Call, changed func()) error {
		begun.Add(1)
		defer ended.Add(1)
		for {
			select {
			case <-change:
				changed()
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}}}}}
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Extensions = set })
	const uri = "lspine://go/notes/a.go"
	var told [2]atomic.Int32
	var sessions []*mcp.ClientSession
	for i := range told {
		session := d.connect("memory", "2025-06-18", &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			if req.Params.URI == uri {
				told[i].Add(1)
			}
		}})
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, session)
	}
	change <- struct{}{}
	lsptest.Eventually(t, time.Minute, func() bool { return told[0].Load() == 1 && told[1].Load() == 1 }, "both are told")
	if err := sessions[0].Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	change <- struct{}{}
	lsptest.Eventually(t, time.Minute, func() bool { return told[1].Load() == 2 }, "the other is told")
	if told[0].Load() != 1 || begun.Load() != 1 || ended.Load() != 0 {
		t.Errorf("who left was told %d times; %d watches begun, %d ended", told[0].Load(), begun.Load(), ended.Load())
	}
	if err := sessions[1].Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	lsptest.Eventually(t, time.Minute, func() bool { return ended.Load() == 1 }, "the watch ends")
}
