package overlay

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// openTexts opens an overlay over a project that some servers serve.
func openTexts(t *testing.T, servers ...registry.Definition) (*Texts, *workspace.Workspace) {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Root: lsptest.Workspace(t, lsptest.Project), Servers: servers, StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	collector := diagnostics.New(diagnostics.Options{})
	texts := New(Options{Workspace: w, Collector: collector, Settings: &config.Settings{RequestTimeout: time.Minute}})
	t.Cleanup(func() {
		texts.Close()
		collector.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = w.Close(ctx)
	})
	return texts, w
}

// A draft on top of drafted texts sees those, also that a file is gone; of other files it sees what
// a caller gave and, failing that, the disk.
func TestTextsThatADraftSees(t *testing.T) {
	texts, w := openTexts(t)
	path := func(name string) string { return filepath.Join(w.Root(), name) }
	written := texts.Expect(map[string][]byte{path("given.toy"): []byte("given")})
	defer written()
	lsptest.WriteFile(t, path("disk.toy"), "disk")
	a := texts.View(w.Names(""), nil).Showing(map[string][]byte{path("main.toy"): []byte("drafted"), path("lib.toy"): nil}).Access()
	defer a.Close()
	got := make(map[string]string)
	for _, name := range []string{"main.toy", "given.toy", "disk.toy"} {
		text, err := a.Text(path(name))
		if err != nil {
			t.Error(err)
		}
		got[name] = string(text)
	}
	if diff := cmp.Diff(map[string]string{"main.toy": "drafted", "given.toy": "given", "disk.toy": "disk"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var gone *edit.NotFoundError
	if _, err := a.Text(path("lib.toy")); !errors.As(err, &gone) {
		t.Errorf("a file that the draft deletes: %v", err)
	}
	if _, err := os.Stat(path("lib.toy")); err != nil {
		t.Errorf("it is on disk: %v", err)
	}
}

// Every server of a file that answers a method is asked, the one for code before the linters.
func TestServersOfAFile(t *testing.T) {
	linter := lsptest.Script{ID: "lint"}.Definition(t)
	linter.Role = registry.DiagnosticsOnly
	texts, w := openTexts(t, linter, lsptest.Script{}.Definition(t))
	a := texts.View(w.Names(""), noLacks{}).Access()
	defer a.Close()
	servers, failures := a.Servers(t.Context(), filepath.Join(w.Root(), "main.toy"), symbols.Definition)
	var ids []string
	for _, s := range servers {
		ids = append(ids, s.Definition().ID)
	}
	if diff := cmp.Diff([]string{"toy", "lint"}, ids); diff != "" || len(failures) > 0 {
		t.Errorf("%v (-want +got):\n%s", failures, diff)
	}
}

// noLacks tells of projects that lack nothing.
type noLacks struct{}

func (noLacks) Note(*roots.Candidate, string, string) string { return "" }

func (noLacks) Renew(*registry.Definition, roots.Key, string) {}

func (noLacks) Refused(*registry.Definition, roots.Key, string) diagnostics.Lack {
	return diagnostics.Lack{}
}

// renewing notes which servers may have to start again.
type renewing struct {
	noLacks
	asked *[]string
}

func (r renewing) Renew(_ *registry.Definition, key roots.Key, path string) {
	*r.asked = append(*r.asked, key.ID+" for "+filepath.Base(path))
}

// A server that has to start again does so before the first question of a request, and not between
// its questions. One that cannot be had is none.
func TestServersAreRenewedOncePerRequest(t *testing.T) {
	absent := lsptest.Script{ID: "absent"}.Definition(t)
	absent.Commands = []registry.Command{{Binary: "no-such-program"}}
	texts, w := openTexts(t, absent, lsptest.Script{}.Definition(t))
	var asked []string
	for range 2 {
		a := texts.View(w.Names(""), renewing{asked: &asked}).Access()
		for _, name := range []string{"main.toy", "lib.toy", "main.toy"} {
			if _, err := a.OpenServer(t.Context(), filepath.Join(w.Root(), name), symbols.Definition); err != nil {
				t.Error(err)
			}
		}
		a.Close()
	}
	if diff := cmp.Diff([]string{"toy for main.toy", "toy for main.toy"}, asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server that knows open files alone is shown those in which a name may be, before it is asked
// for it: its last word counts, as far as there is one.
func TestFilesThatMentionANameAreOpened(t *testing.T) {
	for name, want := range map[string][]string{"nothing.Helper": {"lib.toy", "main.toy"}, "absent": {"lib.toy"}, "::": {"lib.toy"}} {
		d := lsptest.Script{Capabilities: json.RawMessage(`{"workspaceSymbolProvider":true}`)}.Definition(t)
		d.LoadsBy = []string{"toy.project"}
		texts, w := openTexts(t, d)
		a := texts.View(w.Names(""), noLacks{}).Access()
		servers, failures := a.Searchable(t.Context(), "", name)
		a.Close()
		if len(servers) != 1 || len(failures) > 0 {
			t.Fatalf("%s: %d servers, %v", name, len(servers), failures)
		}
		var opened []string
		for _, path := range w.Running()[0].OpenDocuments() {
			opened = append(opened, filepath.Base(path))
		}
		slices.Sort(opened)
		if diff := cmp.Diff(want, opened); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
