package editing_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Where a server is known to leave out of its renames what it lists as uses, these are renamed as well: by the last part of a
// full name, not under another name, and not in files that are left out.
func TestUsesThatAServerListsAndDoesNotRename(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		quirks   []registry.Quirk
		excluded []string
		want     map[string]string
	}{
		"a server that renames all that it lists": {nil, nil, map[string]string{"lib.toy": "def other\n", "full.toy": "use lib.helper\n", "alias.toy": "use assistant\n"}},
		"one that does not":                       {[]registry.Quirk{registry.RenamesLess}, nil, map[string]string{"lib.toy": "def other\n", "full.toy": "use lib.other\n", "alias.toy": "use assistant\n"}},
		"a file that is left out":                 {[]registry.Quirk{registry.RenamesLess}, []string{"full.*"}, map[string]string{"lib.toy": "def other\n", "full.toy": "use lib.helper\n", "alias.toy": "use assistant\n"}},
	} {
		root := lsptest.Workspace(t, "-- toy.root --\n-- lib.toy --\ndef helper\n-- full.toy --\nuse lib.helper\n-- alias.toy --\nuse assistant\n")
		at := func(file, to string) string {
			return `{"uri":"` + string(protocol.URIFromPath(root+"/"+file)) + `","range":{"start":{"line":0,"character":4},"end":{"line":0,"character":` + to + `}}}`
		}
		script := lsptest.Script{Capabilities: json.RawMessage(changing), Rules: []lsptest.Rule{
			lsptest.On("textDocument/prepareRename", lsptest.Reply(`{"range":`+named1+`}`)),
			lsptest.On("textDocument/references", lsptest.Reply(`[`+at("lib.toy", "10")+`,`+at("full.toy", "14")+`,`+at("alias.toy", "13")+`]`)),
			lsptest.On("textDocument/rename", lsptest.Reply(`{"changes":{"`+string(protocol.URIFromPath(root+"/lib.toy"))+`":`+toProposed+`}}`)),
		}}
		d := script.Definition(t)
		d.Quirks = append(d.Quirks, c.quirks...)
		cfg := enginetest.Configure(t, root)
		cfg.Servers = registry.Table{d}
		s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
		enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "lib.toy:1:5"}, NewName: "other", ExcludeGlobs: c.excluded})
		got := make(map[string]string)
		for file := range c.want {
			got[file] = s.Read(file)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
