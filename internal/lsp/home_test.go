package lsp_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that judges a document by a project elsewhere, though one is nearer and the file may have
// been replaced, reads the disk again before it is believed. It is asked once each time that the
// document is opened, and one that keeps to its project is right.
func TestDocumentOfAProjectElsewhere(t *testing.T) {
	for _, c := range []struct {
		name, project string
		configs       []string
		since         string // what happened to the file since the server was started
		want          string // what is asked by turns: twice, and again when the document was closed and opened
	}{
		{"elsewhere", "other/tsconfig.json", []string{"own/tsconfig.json"}, "written", "home reload diagnose diagnose home diagnose"},
		{"elsewhere, and one above", "other/tsconfig.json", []string{"jsconfig.json"}, "written", "home reload diagnose diagnose home diagnose"},
		{"its own", "own/tsconfig.app.json", []string{"own/tsconfig.json"}, "written", "home diagnose diagnose home diagnose"},
		{"one above", "tsconfig.json", []string{"own/tsconfig.json"}, "written", "home diagnose diagnose home diagnose"},
		{"elsewhere, and none is nearer", "other/tsconfig.json", nil, "written", "home diagnose diagnose home diagnose"},
		{"of a file that nobody replaced", "other/tsconfig.json", []string{"own/tsconfig.json"}, "", "diagnose diagnose diagnose"},
		{"of an old file that was put in its place", "other/tsconfig.json", []string{"own/tsconfig.json"}, "moved", "home reload diagnose diagnose home diagnose"},
		{"of none that it knows", "", []string{"own/tsconfig.json"}, "written", "home diagnose diagnose home diagnose"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := lsptest.Workspace(t, "-- own/a.toy --\nuse helper\n")
			for _, name := range c.configs {
				lsptest.WriteFile(t, filepath.Join(dir, name), "{}")
			}
			project := ""
			if c.project != "" {
				project = filepath.ToSlash(filepath.Join(dir, c.project))
			}
			said, err := json.Marshal(map[string]any{"body": map[string]string{"configFileName": project}})
			if err != nil {
				t.Fatal(err)
			}
			answers := map[string]lsptest.Action{"home": lsptest.Reply(string(said)), "reload": lsptest.Reply("null"), "diagnose": lsptest.Reply(`{"body":[]}`)}
			var rules []lsptest.Rule
			for i, what := range strings.Fields(c.want) {
				rules = append(rules, lsptest.OnNth(execute, i+1, answers[what]))
			}
			p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: rules}, tellsItsProjects)
			path := filepath.Join(dir, "own", "a.toy")
			at, err := time.Now().Add(time.Hour), error(nil)
			switch {
			case c.since == "written":
				err = os.Chtimes(path, at, at)
			case c.since == "moved" && runtime.GOOS == "windows":
				t.Skip("when a file was moved is not known")
			case c.since == "moved":
				err = errors.Join(os.Rename(path, path+"~"), os.Rename(path+"~", path))
			}
			if err != nil {
				t.Fatal(err)
			}
			diagnose := func() {
				t.Helper()
				if _, err := p.Sync(path, []byte("use helper\n")); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Diagnose(p.context(), p.def.Diagnostics.Commands[0], path); err != nil {
					t.Fatal(err)
				}
			}
			diagnose()
			diagnose()
			if _, err := p.CloseDocument(path); err != nil {
				t.Fatal(err)
			}
			diagnose()
			var asked []string
			for _, entry := range p.entries("request", execute) {
				var call struct{ Arguments []string }
				if err := json.Unmarshal(entry.Params, &call); err != nil {
					t.Fatal(err)
				}
				asked = append(asked, call.Arguments...)
			}
			if diff := cmp.Diff(strings.Fields(c.want), asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			want := uint64(3) // the document was opened twice, and closed once
			if strings.Contains(c.want, "reload") {
				want++
			}
			if p.Generation() != want {
				t.Errorf("the generation is %d, want %d", p.Generation(), want)
			}
		})
	}
}

// tellsItsProjects makes a server one that can be asked for the project of a document.
func tellsItsProjects(d *registry.Definition, _ *lsp.Options) {
	call := func(name string, result registry.CommandResult) registry.CommandCall {
		return registry.CommandCall{Command: "toy.diagnose", Arguments: []json.RawMessage{json.RawMessage(`"` + name + `"`)}, Result: result}
	}
	home, reload := call("home", ""), call("reload", registry.ResultPublished)
	d.Diagnostics.Home, d.Diagnostics.Reload = &home, &reload
	d.Diagnostics.Commands = []registry.CommandCall{call("diagnose", registry.ResultTSServer)}
}
