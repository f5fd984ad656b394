package mcpserver

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/skills"
)

// byName returns the tools of a profile by name.
func byName(t *testing.T, profile string) map[string]*tool {
	t.Helper()
	tools, err := choose(Options{Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	named := make(map[string]*tool)
	for _, x := range tools {
		named[x.name] = x
	}
	return named
}

// lacking returns the members of an object that a tool does not take, those inside its lists and objects
// among them.
func (t *tool) lacking(given arguments) (names []string) {
	for name, raw := range given {
		p := parameter{name: name}
		known := name == toWorkspace
		for i := range t.parameters {
			if t.parameters[i].name == name {
				p, known = t.parameters[i], true
			}
		}
		of := t.property(&p)
		if known = known || of != nil; !known {
			names = append(names, name)
		} else if of != nil {
			names = append(names, lackingIn(of, raw)...)
		}
	}
	return names
}

func lackingIn(of *jsonschema.Schema, raw json.RawMessage) (names []string) {
	var list []json.RawMessage
	var members arguments
	if json.Unmarshal(raw, &list) == nil && of.Items != nil {
		for _, item := range list {
			names = append(names, lackingIn(of.Items, item)...)
		}
	}
	if json.Unmarshal(raw, &members) == nil {
		for name, inner := range members {
			if of.Properties[name] == nil {
				names = append(names, name)
			} else {
				names = append(names, lackingIn(of.Properties[name], inner)...)
			}
		}
	}
	return names
}

var (
	numberOpen = regexp.MustCompile(`(": )<[a-z_]+>`)
	word       = regexp.MustCompile("`([a-z_]+)`")
	fragment   = regexp.MustCompile("`([a-z_]+): [^`]+`")
)

// Every tool and argument that a skill names is there in the profile that it is written for: the default
// one, and the full one in the section about that.
func TestSkillsNameWhatThereIs(t *testing.T) {
	offered, full := byName(t, ""), byName(t, profileFull)
	for _, s := range skills.All() {
		t.Run(s.Name, func(t *testing.T) {
			for _, c := range s.Calls() {
				tools := offered
				if c.Section == skills.FullProfile {
					tools = full
				}
				var given arguments
				if err := json.Unmarshal(numberOpen.ReplaceAll([]byte(c.Arguments), []byte("${1}1")), &given); err != nil {
					t.Fatal(err)
				}
				if tool := tools[c.Tool]; tool == nil {
					t.Errorf("%s is no tool of that profile", c.Tool)
				} else if names := tool.lacking(given); len(names) > 0 {
					t.Errorf("%s has no arguments %q", c.Tool, names)
				}
			}
			body, _, _ := strings.Cut(s.Body, "## "+skills.FullProfile)
			for _, m := range word.FindAllStringSubmatch(body, -1) {
				if full[m[1]] != nil && offered[m[1]] == nil {
					t.Errorf("%s is of the full profile alone", m[1])
				}
			}
			for _, m := range fragment.FindAllStringSubmatch(body, -1) {
				known := false
				for _, tool := range offered {
					known = known || len(tool.lacking(arguments{m[1]: json.RawMessage("0")})) == 0
				}
				if !known {
					t.Errorf("no tool has the argument %s", m[1])
				}
			}
			for _, name := range s.Arguments {
				if skillWords[name] == "" {
					t.Errorf("the argument %s is not described", name)
				}
			}
		})
	}
}

// For each tool of the default profile it is said what the full one has instead, and that is there.
func TestEachToolHasAnotherInTheFullProfile(t *testing.T) {
	full := byName(t, profileFull)
	arguments := []string{"file_path", "old_text", "new_text", "symbol_path", "dry_run", "workspace_edit", "query", "changed_files"}
	for name, tool := range byName(t, "") {
		said := word.FindAllStringSubmatch(tool.inFull, -1)
		if len(said) == 0 {
			t.Errorf("%s: inFull does not say which tools of the full profile do the same", name)
		}
		for _, m := range said {
			if full[m[1]] == nil && !slices.Contains(arguments, m[1]) {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

// Skills are prompts with a short list, and resources; what a client knows already stands in its place,
// and what is wrong is said with the way out. In the full profile they have other names, and say what
// their calls are there.
//
// Requirement: AGENT-28.
func TestSkillsAreServed(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	for _, revision := range revisions {
		session := d.on(t).connect("memory", revision, nil)
		listed, err := session.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range listed.Prompts {
			names = append(names, p.Name)
			if len(p.Description) > 160 || p.Title == "" {
				t.Errorf("%s: %q", p.Name, p.Description)
			}
		}
		var want []string
		for _, s := range skills.All() {
			want = append(want, s.Name)
		}
		slices.Sort(names)
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s:\n%s", revision, diff)
		}
		text := promptText(t, session, "rename", map[string]string{"symbol": "main.toy helper", "new_name": "other"})
		if !strings.HasPrefix(text, "# Rename\n") || !strings.Contains(text, "`rename {at: \"main.toy helper\", new_name: \"other\", mode: \"preview\"}`") {
			t.Errorf("the prompt:\n%s", text)
		}
		for _, skill := range skills.All() {
			if diff := cmp.Diff(skill.Body, promptText(t, session, skill.Name, nil)); diff != "" {
				t.Errorf("the prompt %s: %s", skill.Name, diff)
			}
		}
		for _, c := range []struct {
			name, argument, value, says string
		}{
			{"rename", "nmae", "x", "rename has no argument \"nmae\"\nit has symbol, new_name"},
			{"rename", "symbol", strings.Repeat("x", 2001), "symbol: it has 2001 bytes"},
			{"renmae", "symbol", "x", "renmae"},
		} {
			_, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: c.name, Arguments: map[string]string{c.argument: c.value}})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %q", c.name, err, c.says)
			}
		}
		if longest := strings.Repeat("x", 2000); !strings.Contains(promptText(t, session, "rename", map[string]string{"symbol": longest}), longest) {
			t.Error("the longest argument that is allowed is not in the prompt")
		}
		one, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lspine://skills/verify"})
		if err != nil || one.Contents[0].MIMEType != markdownType || !strings.HasPrefix(one.Contents[0].Text, "# Verify\n") {
			t.Errorf("the resource: %v, %v", one, err)
		}
		if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lspine://skills/none"}); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("a skill that there is not: %v", err)
		}
		index, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lspine://skills"})
		if err != nil {
			t.Fatal(err)
		}
		var list []listedSkill
		if err := json.Unmarshal([]byte(index.Contents[0].Text), &list); err != nil || len(list) != len(want) || list[0].URI != "lspine://skills/"+want[0] {
			t.Errorf("the list: %v, %v", list, err)
		}
	}

	_, session := fullDesk(t, project)
	text := promptText(t, session, "lsp-rename", nil)
	if !strings.Contains(text, "* `rename`: `rename_symbol`; for mode preview with `dry_run`\n* `check`: ") || !strings.Contains(text, "\n\n# Rename\n") {
		t.Errorf("in the full profile:\n%s", text)
	}
}

func promptText(t *testing.T, session *mcp.ClientSession, name string, values map[string]string) string {
	t.Helper()
	got, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: values})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Messages) != 1 || got.Messages[0].Role != "user" {
		t.Fatalf("messages: %+v", got.Messages)
	}
	return got.Messages[0].Content.(*mcp.TextContent).Text
}

// Where tools are left out, skills that need them are, too; profiles of other products have none.
func TestSkillsGoWithTheirTools(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want int
	}{
		{Options{Without: []string{"rename"}}, len(skills.All()) - 2},
		{Options{Tools: []string{"symbols", "source", "references", "inspect"}}, 1},
		{Options{Profile: profileFull, NoNavigation: true}, len(skills.All())},
		{Options{Profile: profileLLXPRT}, 0},
		{Options{Profile: profileOpta}, 0},
		{Options{Disabled: true}, 0},
	} {
		s, err := New(c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.skills()); got != c.want {
			t.Errorf("%+v: %d skills, want %d", c.opts, got, c.want)
		}
		s.Close()
	}
}
