package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/policy"
)

// loadPolicy loads a user's file and a project's; either may be "". It returns the paths of both.
func loadPolicy(t *testing.T, user, project string, environ ...string) (c *Config, problems []Problem, userFile, root string) {
	t.Helper()
	home := t.TempDir()
	userFile, root = filepath.Join(home, "config.jsonc"), t.TempDir()
	for path, text := range map[string]string{userFile: user, filepath.Join(root, ".lspine.jsonc"): project} {
		if text == "" {
			text = "{}"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, problems = Load(Options{Root: root, UserFile: userFile, Environ: append([]string{"HOME=" + home}, environ...)})
	return c, problems, userFile, root
}

// Rules are read with all that they say, and each knows the line it stands in. What begins in the
// home folder is made absolute.
func TestRulesAreRead(t *testing.T) {
	c, problems, file, _ := loadPolicy(t, `{"lsp": {
	"policyMode": "sensitive",
	"policy": [
		{"match": {"operation": "rename", "client": ["cli", "mcp/claude*"]}, "action": "ask", "fallback": "allow", "reason": "names are public"},
		{ // what is generated
			"match": {"class": "edit", "path": ["gen/**", "~/shared/*"], "mode": "interactive", "server": "gopls"},
			"action": "deny"},
		{"action": "allow"}
	]}}`, "")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := &policy.Policy{Mode: policy.Sensitive, Rules: []policy.Rule{
		{
			Match:  policy.Match{Operation: []string{"rename"}, Client: []string{"cli", "mcp/claude*"}},
			Action: policy.Ask, Fallback: policy.Allow, Reason: "names are public", Source: file + ":4",
		},
		{
			Match: policy.Match{
				Class: []string{"edit"}, Path: []string{"gen/**", filepath.ToSlash(filepath.Dir(file)) + "/shared/*"},
				Mode: []string{"interactive"}, Server: []string{"gopls"},
			},
			Action: policy.Deny, Source: file + ":5",
		},
		{Action: policy.Allow, Source: file + ":8"},
	}}
	if diff := cmp.Diff(want, c.Settings.PolicyOf()); diff != "" {
		t.Error(diff)
	}
	c, problems, _, _ = loadPolicy(t, "", "", `LSPINE_POLICY=[{"action":"deny","match":{"class":"admin"}}]`, "LSPINE_POLICY_MODE=non-interactive")
	want = &policy.Policy{Mode: policy.NonInteractive, Rules: []policy.Rule{
		{Match: policy.Match{Class: []string{"admin"}}, Action: policy.Deny, Source: "LSPINE_POLICY, rule 1"},
	}}
	if diff := cmp.Diff(want, c.Settings.PolicyOf()); diff != "" || len(problems) > 0 {
		t.Error(diff, problems)
	}
}

// A project's file has no say in the policy, not even if the project is trusted.
func TestProjectsHaveNoPolicy(t *testing.T) {
	const user = `{"lsp": {"policyMode": "sensitive", "policy": [{"match": {"class": "edit"}, "action": "deny"}]}}`
	const project = `{"lsp": {"policyMode": "interactive", "askTimeout": 1, "policy": [{"action": "allow"}]}}`
	alone, _, _, _ := loadPolicy(t, user, "")
	for _, trusted := range []bool{false, true} {
		c, problems, file, root := loadPolicy(t, user, project)
		if trusted {
			c, problems = load(Options{Root: root, UserFile: file, Environ: []string{}}, true, nil)
		}
		want := alone.Settings.PolicyOf()
		want = &policy.Policy{Mode: want.Mode, Rules: slices.Clone(want.Rules)}
		want.Rules[0].Source = file + ":1"
		if diff := cmp.Diff(want, c.Settings.PolicyOf()); diff != "" || len(problems) > 0 || c.Settings.AskTimeout != Defaults().AskTimeout {
			t.Errorf("trusted %t: %s %v %s", trusted, diff, problems, c.Settings.AskTimeout)
		}
		var withheld []string
		for _, u := range c.Untrusted {
			withheld = append(withheld, u.Field)
		}
		if diff := cmp.Diff([]string{"policyMode", "askTimeout", "policy"}, withheld); diff != "" {
			t.Error(diff)
		}
	}
}

// What is wrong with a rule is told, and nothing may be changed or run until it is fixed: nobody
// knows what it would have denied. That holds for the mode, and for files that cannot be read.
func TestBadPoliciesDeny(t *testing.T) {
	const good = `, "policyMode": "interactive"`
	for user, message := range map[string]string{
		`{"lsp": {"policy": {"action": "deny"}` + good + `}}`:                                        "must be an array of rules, not an object",
		`{"lsp": {"policy": [{"action": "allow"}, 7]` + good + `}}`:                                  "rule 2: must be an object, not the number 7",
		`{"lsp": {"policy": [{"match": {}}]` + good + `}}`:                                           `rule 1: has no "action" (actions are allow, ask and deny)`,
		`{"lsp": {"policy": [{"action": "denny"}]` + good + `}}`:                                     `rule 1: there is no "denny" here (it may be allow, ask, deny)`,
		`{"lsp": {"policy": [{"action": "deny", "fallback": "allow"}]` + good + `}}`:                 `rule 1: "fallback" is of ask alone (leave it out)`,
		`{"lsp": {"policy": [{"action": "ask", "fallback": "ask"}]` + good + `}}`:                    `rule 1: there is no "ask" here (it may be allow, deny)`,
		`{"lsp": {"policy": [{"action": "deny", "match": {"pth": "a"}}]` + good + `}}`:               `rule 1: unknown key "pth" in match (did you mean "path"?)`,
		`{"lsp": {"policy": [{"action": "deny", "match": {"path": []}}]` + good + `}}`:               "rule 1: path is empty: nothing would fit it",
		`{"lsp": {"policy": [{"action": "deny", "match": {"path": "a", "path": "b"}}]` + good + `}}`: "rule 1: path stands twice",
		`{"lsp": {"policy": [{"action": "deny", "match": {"path": "[a"}}]` + good + `}}`:             `rule 1: "[a" is not a glob`,
		`{"lsp": {"policy": [{"action": "deny", "match": {"class": "write"}}]` + good + `}}`:         `rule 1: there is no class "write" (it may be read, edit, execute, admin)`,
		`{"lsp": {"policy": [{"action": "deny", "action": "allow"}]` + good + `}}`:                   "rule 1: action stands twice",
		`{"lsp": {"policyMode": "strict", "policy": [{"action": "allow"}]}}`:                         `must be interactive or non-interactive or sensitive, not "strict"`,
		`{"lsp": {"policy": [`: "",
	} {
		c, problems, file, _ := loadPolicy(t, user, "")
		if len(problems) != 1 {
			t.Errorf("%s: %v", user, problems)
			continue
		}
		said := problems[0].Message
		if problems[0].Hint != "" {
			said += " (" + problems[0].Hint + ")"
		}
		if message != "" && said != message {
			t.Errorf("%s:\n%s, want\n%s", user, said, message)
		}
		p, got := c.Settings.PolicyOf(), ""
		for _, class := range policy.Classes {
			d := p.Decide(policy.Subject{Operation: "x", Class: class})
			got += fmt.Sprintf("%s %s; ", class, d.Action)
			if class != policy.Read && !strings.HasPrefix(d.Rule.Source, file) {
				t.Errorf("%s: the rule is said to stand in %q", user, d.Rule.Source)
			}
		}
		if want := "read allow; edit deny; execute deny; admin deny; "; got != want {
			t.Errorf("%s: %s", user, got)
		}
		if mode := c.Settings.PolicyMode; strings.Contains(user, "strict") && mode != policy.NonInteractive {
			t.Errorf("%s: %s", user, mode)
		}
	}
	c, problems, _, _ := loadPolicy(t, "", "", "LSPINE_POLICY=none at all")
	if len(problems) != 1 || c.Settings.PolicyOf().Decide(policy.Subject{Class: policy.Edit}).Rule.Source != "LSPINE_POLICY" {
		t.Errorf("%v, %+v", problems, c.Settings.Policy)
	}
}

// Where nobody can be asked only servers start that the user's own configuration names: not those
// that are found to fit, and not those that a project names, trusted or not.
func TestOnlyRegisteredServersStartWhereNobodyIsAsked(t *testing.T) {
	const project = `{"lsp": {"autoDetect": true, "servers": {"pyright": {"enabled": true}, "toy": {"command": "toy", "extensions": [".toy"]}}}}`
	enabled := func(c *Config) (ids []string) {
		for _, d := range c.Servers {
			if !d.Disabled {
				ids = append(ids, d.ID)
			}
		}
		return ids
	}
	c, problems, file, root := loadPolicy(t, `{"lsp": {"policyMode": "non-interactive", "servers": {"gopls": {}, "own": {"command": "own", "extensions": [".own"]}}}}`, project)
	if diff := cmp.Diff([]string{"gopls", "own"}, enabled(c)); diff != "" || len(problems) > 0 {
		t.Error(diff, problems)
	}
	c, problems = load(Options{Root: root, UserFile: file, Environ: []string{}}, true, nil)
	if diff := cmp.Diff([]string{"gopls", "own"}, enabled(c)); diff != "" || len(problems) > 0 {
		t.Error(diff, problems)
	}
	if pyright, _ := c.Servers.Get("pyright"); pyright.DisabledBy != "lsp.policyMode is non-interactive, and your own configuration does not name it" {
		t.Errorf("pyright is off because of %q", pyright.DisabledBy)
	}
	if c.Unregistered("gopls") || !c.Unregistered("pyright") || !c.Unregistered("toy") {
		t.Error("it is not known which servers are registered")
	}
}
