package config

import (
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/lsptest"
)

// A sparse configuration that is completed is the one that is loaded as a whole. Before, it has no servers, unless a layer
// says something about servers of which a problem could come, or that asks for trust.
func TestSparse(t *testing.T) {
	for name, c := range map[string]struct {
		user, project, other string
		opta, servers        bool
	}{
		"nothing":              {},
		"settings":             {user: `{"lsp": {"maxRestarts": 1, "autoDetect": false}}`, project: `{"lsp": {"ignore": ["x/**"], "nope": 1}}`},
		"only what is named":   {user: `{"lsp": {"policyMode": "non-interactive"}}`},
		"switched off":         {user: `{"lsp": false}`},
		"a server of the user": {user: `{"lsp": {"servers": {"gopls": {"args": ["-v"]}, "own": {"command": ["own"], "extensions": [".own"]}}}}`, servers: true},
		"one of the project":   {project: `{"lsp": {"servers": {"gopls": {"command": ["./gopls"]}}}}`, servers: true},
		"plain ones": {
			user:    `{"lsp": {"servers": {"gopls": {"settings": {"gopls": {"a": 1}}, "initializationOptions": {"b": 2}}, "zls": {"enabled": false}}}}`,
			project: `{"lsp": {"autoDetect": false, "policyMode": "non-interactive", "servers": {"gopls": {"enabled": false}, "pyright": {"enabled": true}}}}`,
		},
		"plain ones before others": {
			user:    `{"lsp": {"servers": {"gopls": {"settings": {"a": 1}}, "clangd": {"enabled": false}}}}`,
			project: `{"lsp": {"servers": {"clangd": {"enabled": true}, "gopls": {"extensions": [".own"]}}}}`, servers: true,
		},
		"what waits for trust":   {project: `{"lsp": {"servers": {"gopls": {"settings": {"a": 1}}}}}`, servers: true},
		"one that is not known":  {user: `{"lsp": {"servers": {"goplz": {"enabled": true}}}}`, servers: true},
		"a name of a language":   {user: `{"lsp": {"servers": {"go": {"enabled": false}}}}`, servers: true},
		"one that stands twice":  {user: `{"lsp": {"servers": {"gopls": {"enabled": false}, "gopls": {"enabled": true}}}}`, servers: true},
		"a field twice":          {user: `{"lsp": {"servers": {"gopls": {"enabled": false, "enabled": true}}}}`, servers: true},
		"a field that is none":   {user: `{"lsp": {"servers": {"gopls": {"enable": true}}}}`, servers: true},
		"neither true nor false": {user: `{"lsp": {"servers": {"gopls": {"enabled": null}}}}`, servers: true},
		"settings of a kind":     {user: `{"lsp": {"servers": {"gopls": {"settings": []}}}}`, servers: true},
		"an array":               {user: `{"lsp": {"servers": [{"id": "gopls", "enabled": true}]}}`, servers: true},
		"an entry that is none":  {user: `{"lsp": {"servers": {"gopls": true}}}`, servers: true},
		"one that cannot work":   {user: `{"lsp": {"servers": {"own": {}}}}`, servers: true},
		"one of another agent":   {user: `{"lsp": {"import": true}}`, other: `{"lspServers": {"own": {"command": "own", "extensionToLanguage": {".own": "own"}}}}`, servers: true},
		"a file that is none":    {user: `{"lsp": {"import": true}}`, other: `[]`},
		"Opta's profile":         {opta: true, servers: true},
	} {
		t.Run(name, func(t *testing.T) {
			home, root := t.TempDir(), t.TempDir()
			for path, text := range map[string]string{
				filepath.Join(home, "lspine", "config.jsonc"): c.user, filepath.Join(root, ".lspine.jsonc"): c.project, filepath.Join(root, ".lsp.json"): c.other,
			} {
				if text != "" {
					lsptest.WriteFile(t, path, text)
				}
			}
			options := Options{Root: root, Environ: []string{"XDG_CONFIG_HOME=" + home, "HOME=" + home, "PATH=" + os.Getenv("PATH")}, Opta: c.opta}
			want, wanted := Load(options)
			options.Sparse = true
			got, problems := Load(options)
			if (got.Servers != nil) != c.servers {
				t.Errorf("before it is complete, it has %d servers", len(got.Servers))
			}
			var all sync.WaitGroup
			for range 2 {
				all.Go(got.Complete)
			}
			all.Wait()
			got.complete = nil
			if !reflect.DeepEqual(want, got) { // to compare 170 servers in ten cases takes cmp a quarter of a minute
				t.Errorf("-whole +sparse:\n%s", cmp.Diff(want, got, cmp.AllowUnexported(Config{}), cmpopts.IgnoreFields(Config{}, "complete")))
			}
			if diff := cmp.Diff(wanted, problems); diff != "" {
				t.Errorf("problems, -whole +sparse:\n%s", diff)
			}
		})
	}
}

// A file is read although its last line is a comment that no end of line ends.
func TestCommentAtTheEnd(t *testing.T) {
	root := t.TempDir()
	lsptest.WriteFile(t, filepath.Join(root, ".lspine.jsonc"), `{"lsp": {"maxRestarts": 1}} // one`)
	c, problems := Load(Options{Root: root, Environ: []string{}})
	if c.Settings.MaxRestarts != 1 || len(problems) > 0 {
		t.Errorf("maxRestarts is %d, problems %v", c.Settings.MaxRestarts, problems)
	}
}
