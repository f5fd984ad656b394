package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/policy"
)

const denyAll = `[{"match": {"class": "edit"}, "action": "deny"}]`

// Rules of the user that stand where none are read, under a wrong name, in a wrong place or twice, block what an invalid
// rule does: the denial names the place and says where rules belong.
func TestRulesInAWrongPlaceDeny(t *testing.T) {
	const belong = ` may hold rules, and is not read: rules belong into "policy" in the "lsp" object`
	for user, key := range map[string]string{
		`{"policy": ` + denyAll + `}`:                                                       "policy",
		`{"policyMode": "non-interactive", "lsp": {}}`:                                      "policyMode",
		`{"lsp.policy": ` + denyAll + `}`:                                                   "lsp.policy",
		`{"lps": {"policy": ` + denyAll + `}}`:                                              "lps",
		`{"LSP": {"policy": ` + denyAll + `}}`:                                              "LSP",
		`{"lsp": {"polcy": ` + denyAll + `}}`:                                               "lsp.polcy",
		`{"lsp": {"Policy": ` + denyAll + `}}`:                                              "lsp.Policy",
		`{"lsp": {"policies": ` + denyAll + `}}`:                                            "lsp.policies",
		`{"lsp": {"policy_mode": "non-interactive"}}`:                                       "lsp.policy_mode",
		`{"lsp": {"rules": ` + denyAll + `}}`:                                               "lsp.rules",
		`{"lsp": {"lsp": {"policy": ` + denyAll + `}}}`:                                     "lsp.lsp",
		`{"lsp": {"servers": {"gopls": {"policy": ` + denyAll + `}}}}`:                      "lsp.servers.gopls.policy",
		`{"lsp": {"servers": {"policy": ` + denyAll + `}}}`:                                 "lsp.servers.policy",
		`{"lsp": {"policy": ` + denyAll + `, "policy": []}}`:                                "lsp.policy",
		`{"lsp": {"policy": ` + denyAll + `}, "lsp": {}}`:                                   "lsp",
		`{"lsp": [{"policy": ` + denyAll + `}]}`:                                            "lsp",
		`{"lsp": {"servers": [{"id": "gopls", "poliçy": 1, "x": {"y": ` + denyAll + `}}]}}`: "lsp.servers.gopls.x",
	} {
		c, problems, file, _ := loadPolicy(t, user, "")
		want := []policy.Rule{{
			Match:  policy.Match{Class: []string{"edit", "execute", "admin"}},
			Action: policy.Deny, Reason: key + belong, Source: file + ":1",
		}}
		if diff := cmp.Diff(want, c.Settings.Policy); diff != "" {
			t.Errorf("%s (-want +got):\n%s", user, diff)
		}
		told := false
		for _, p := range problems {
			told = told || p.Key == key && strings.Contains(p.Hint, `"policy" in the "lsp" object`)
		}
		if !told {
			t.Errorf("%s: %v", user, problems)
		}
	}
	for _, user := range []string{
		`{"lsp": {"policy": []}}`, `{"other": {"settings": {"a": [1, "policy"]}}}`, `{"lsp": {"timeot": 1}}`, `{"lsp": {"servers": {"gopls": {"settings": {"policy": "x"}}}}}`,
	} {
		if c, _, _, _ := loadPolicy(t, user, ""); len(c.Settings.Policy) > 0 {
			t.Errorf("%s: %+v", user, c.Settings.Policy)
		}
	}
}

// A project's file has no rules that could be missed; a variable that is named almost like one of the policy's may have
// been it.
func TestWhereRulesMayHaveStood(t *testing.T) {
	if c, problems, _, _ := loadPolicy(t, "", `{"policy": `+denyAll+`, "lsp": {"polcy": []}}`); len(c.Settings.Policy) > 0 || len(problems) != 2 {
		t.Errorf("%v %+v", problems, c.Settings.Policy)
	}
	for _, name := range []string{"LSPINE_POLCY", "LSPINE_POLICYMODE", "LSPINE_POLICIES"} {
		c, problems, _, _ := loadPolicy(t, "", "", name+"=[]")
		if len(problems) != 1 || len(c.Settings.Policy) != 1 || c.Settings.Policy[0].Source != name {
			t.Errorf("%s: %v %+v", name, problems, c.Settings.Policy)
		}
	}
}
