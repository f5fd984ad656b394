package config

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/policy"
)

// belongs says where rules are read.
const belongs = `rules belong into "policy" in the "lsp" object`

// strayRules notes that a member which is not read may hold rules of the user, so that nothing is changed or run until
// it is put where rules are read, as with a rule that cannot be read. It returns the hint for the problem of the
// member: the given one if it holds none.
func (l *loader) strayRules(key string, m hujson.ObjectMember, hint string) string {
	if l.layer == LayerProject || l.importing || !namesPolicy(nameOf(m)) && !holdsRules(m.Value) {
		return hint
	}
	l.locked = locked(l.at(m.Name), key+" may hold rules, and is not read: "+belongs)
	return belongs + "; until then, nothing may be changed or run"
}

// wrongMember reports that the value of a member is not of the type that it must have, so that it is not read.
func (l *loader) wrongMember(key string, m hujson.ObjectMember, want string) {
	l.problem(key, m.Value, &valueError{wrongType(want, m.Value).Error(), l.strayRules(key, m, "")})
}

// strayVariable notes that a variable which is no setting may have been meant to be one of the policy.
func (l *loader) strayVariable(name string) {
	if namesPolicy(strings.TrimPrefix(name, "LSPINE_")) {
		l.locked = locked(name, name+" may hold rules, and is not read: LSPINE_POLICY is where rules belong")
	}
}

// namesPolicy reports whether a name may have been meant to be that of the policy or of its mode.
func namesPolicy(name string) bool {
	bare := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name[strings.LastIndex(name, ".")+1:]))
	return strings.HasPrefix(bare, "polic") || nearest(bare, []string{"policy", "policymode"}) != ""
}

// holdsRules reports whether a value has a member that is named like the policy, or one that only rules have.
func holdsRules(v hujson.Value) bool {
	switch of := v.Value.(type) {
	case *hujson.Array:
		return slices.ContainsFunc(of.Elements, holdsRules)
	case *hujson.Object:
		return slices.ContainsFunc(of.Members, func(m hujson.ObjectMember) bool {
			if nameOf(m) == "action" {
				_, err := readWord(m.Value, policy.Actions)
				return err == nil
			}
			return namesPolicy(nameOf(m)) || holdsRules(m.Value)
		})
	}
	return false
}
