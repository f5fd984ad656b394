package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A server of our own is used without a word about it, unless it is for those who name it or the configuration wants
// none that it does not name; to name one is enough, and one that is switched off stays off.
func TestNamedServersAreUsed(t *testing.T) {
	type use struct{ Disabled, OptIn bool }
	for text, want := range map[string]map[string]use{
		`{}`:                                     {"gopls": {}, "sqls": {OptIn: true}},
		`{"servers": {"gopls": {}, "sqls": {}}}`: {"gopls": {}, "sqls": {}},
		`{"servers": {"gopls": {"enabled": false}, "sqls": {"enabled": false}}}`: {"gopls": {Disabled: true}, "sqls": {Disabled: true}},
		`{"autoDetect": false}`: {"gopls": {Disabled: true}, "sqls": {Disabled: true, OptIn: true}},
		`{"autoDetect": false, "servers": {"gopls": {"args": ["-v"]}}}`:   {"gopls": {}, "sqls": {Disabled: true, OptIn: true}},
		`{"autoDetect": false, "servers": {"sqls": {"enabled": true}}}`:   {"gopls": {Disabled: true}, "sqls": {}},
		`{"autoDetect": false, "servers": {"gopls": {"enabled": false}}}`: {"gopls": {Disabled: true}, "sqls": {Disabled: true, OptIn: true}},
	} {
		c := layers{user: `{"lsp": ` + text + `}`}.silent(t)
		got := make(map[string]use)
		for id := range want {
			d := get(t, c, id)
			got[id] = use{d.Disabled, d.OptIn}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
