package overlay

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// documents are the base names of the files that the only running server has open.
func documents(w *workspace.Workspace) (names []string) {
	for _, path := range w.Running()[0].OpenDocuments() {
		names = append(names, filepath.Base(path))
	}
	slices.Sort(names)
	return names
}

// A file outside the workspace is opened in the server that the request has used, as long as any
// request needs it.
func TestFilesOutsideTheWorkspace(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	outside := filepath.Join(t.TempDir(), "library.toy")
	lsptest.WriteFile(t, outside, "def library\n")
	use := func() *Access {
		t.Helper()
		a := texts.View(w.Names(""), noLacks{}).Access()
		for _, path := range []string{filepath.Join(w.Root(), "main.toy"), outside, outside} {
			if s, err := a.OpenServer(t.Context(), path, ""); err != nil || s != w.Running()[0] {
				t.Fatalf("%s: %v, %v", path, s, err)
			}
		}
		return a
	}
	first, second := use(), use()
	text, err := first.Text(outside)
	if err != nil || string(text) != "def library\n" {
		t.Errorf("its text is %q, %v", text, err)
	}
	got := map[string][]string{"two need it": documents(w)}
	first.Close()
	got["one needs it"] = documents(w)
	second.Close()
	got["nobody needs it"] = documents(w)
	if diff := cmp.Diff(map[string][]string{
		"two need it": {"library.toy", "main.toy"}, "one needs it": {"library.toy", "main.toy"}, "nobody needs it": {"main.toy"},
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What no server of the request can open outside the workspace is an error that names the file.
func TestFilesOutsideThatNobodyReads(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	dir := t.TempDir()
	other, toy := filepath.Join(dir, "a.other"), filepath.Join(dir, "a.toy")
	lsptest.WriteFile(t, other, "")
	lsptest.WriteFile(t, toy, "")
	a := texts.View(w.Names(""), noLacks{}).Access()
	defer a.Close()
	unserved := func(path, method string) {
		t.Helper()
		var none *NoServerError
		_, err := a.OpenServer(t.Context(), path, method)
		if !errors.As(err, &none) {
			t.Fatalf("%s: %v", path, err)
		}
		want := result.Error{Kind: result.Unavailable, Message: path + ": no server knows this kind of file", Hint: "status lists the known servers; as text: grep -rn NAME " + filepath.ToSlash(dir), Data: result.Data{Path: path}}
		if diff := cmp.Diff(want, *result.ErrorOf(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	unserved(toy, "") // no server is used yet
	if _, err := a.OpenServer(t.Context(), filepath.Join(w.Root(), "main.toy"), ""); err != nil {
		t.Fatal(err)
	}
	unserved(other, "")
	unserved(toy, "textDocument/moniker") // the server does not answer it
	if _, err := a.OpenServer(t.Context(), filepath.Join(dir, "gone.toy"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// serving returns a server that searches for names in the files with an ending.
func serving(t *testing.T, id, ending string) registry.Definition {
	t.Helper()
	d := lsptest.Script{ID: id, Capabilities: json.RawMessage(`{"workspaceSymbolProvider":true}`)}.Definition(t)
	d.Languages = []registry.Language{{ID: id, Patterns: []string{ending}}}
	return d
}

// A name is searched for by the servers that run and by those in whose files it stands; where it
// stands nowhere, by the one of the most files, and it is said who was left out.
func TestServersThatAreSearchedForAName(t *testing.T) {
	const archive = "-- toy.root --\n-- one.few --\nfewName\n-- one.many --\nmanyName\n-- two.many --\n-- one.some --\n"
	for name, c := range map[string]struct {
		running  string // a file whose server runs
		language string
		asked    []string
		left     string
	}{
		"fewName":  {asked: []string{"few"}},
		"manyName": {running: "one.some", asked: []string{"many", "some"}},
		"nowhere":  {asked: []string{"many"}, left: `few, some: no file of theirs has "nowhere"; a language searches there, too`},
		"absent":   {running: "one.few", asked: []string{"few"}, left: `many, some: no file of theirs has "absent"; a language searches there, too`},
		"":         {asked: []string{"few", "many", "some"}},
		"of one":   {language: "some", asked: []string{"some"}},
		"of none":  {language: "none", left: "the workspace (none): no server knows this kind of file"},
	} {
		w, err := workspace.Open(workspace.Options{Root: lsptest.Workspace(t, archive), Servers: registry.Table{serving(t, "few", ".few"), serving(t, "many", ".many"), serving(t, "some", ".some")}})
		if err != nil {
			t.Fatal(err)
		}
		collector := diagnostics.New(diagnostics.Options{})
		texts := New(Options{Workspace: w, Collector: collector, Settings: &config.Settings{RequestTimeout: time.Minute}})
		a := texts.View(w.Names(""), noLacks{}).Access()
		if c.running != "" {
			if _, err := a.OpenServer(t.Context(), filepath.Join(w.Root(), c.running), ""); err != nil {
				t.Fatal(err)
			}
		}
		servers, failures := a.Searchable(t.Context(), c.language, name)
		var asked []string
		for _, s := range servers {
			asked = append(asked, s.Definition().ID)
		}
		slices.Sort(asked)
		if diff := cmp.Diff(c.asked, asked); diff != "" {
			t.Errorf("%q (-want +got):\n%s", name, diff)
		}
		left := ""
		if err := errors.Join(failures...); err != nil {
			left = err.Error()
		}
		if left != c.left {
			t.Errorf("%q: %q was left out, want %q", name, left, c.left)
		}
		a.Close()
		texts.Close()
		collector.Close()
		if err := w.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// lacking tells of projects that all lack one program.
type lacking struct{ noLacks }

func (lacking) Refused(d *registry.Definition, _ roots.Key, path string) diagnostics.Lack {
	return diagnostics.Lack{Missing: d.ID + " misses get for " + filepath.Base(path), Next: "fetch get"}
}

// What a server refuses is explained by what its project lacks; other errors are as they were.
func TestRefusalsAreExplained(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	refused, other := &jsonrpc.ResponseError{Code: -32603, Message: "no"}, errors.New("gone")
	for name, c := range map[string]struct {
		lacks   Lacks
		err     error
		message string
	}{
		"something is lacking": {lacking{}, refused, "toy misses get for main.toy: " + refused.Error()},
		"nothing is lacking":   {noLacks{}, refused, refused.Error()},
		"another error":        {lacking{}, other, "gone"},
	} {
		a := texts.View(w.Names(""), c.lacks).Access()
		if _, err := a.OpenServer(t.Context(), filepath.Join(w.Root(), "main.toy"), symbols.Definition); err != nil {
			t.Fatal(err)
		}
		err := a.explain(c.err)
		if err.Error() != c.message || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %s", name, err, c.message)
		}
		var lack *LackError
		if errors.As(err, &lack) && lack.Hint() != "fetch get" {
			t.Errorf("%s: the hint is %q", name, lack.Hint())
		}
		a.Close()
	}
}

// More documents than may be open are closed, the least recently used first, but none that a caller
// gave a text for, and none while somebody writes.
func TestDocumentsBeyondTheLimitAreClosed(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	a := texts.View(w.Names(""), noLacks{}).Access()
	defer a.Close()
	for _, name := range []string{"1.toy", "2.toy", "3.toy", "4.toy"} {
		path := filepath.Join(w.Root(), name)
		lsptest.WriteFile(t, path, "def x\n")
		if _, failures := a.OpenIn(t.Context(), path, "toy"); len(failures) > 0 {
			t.Fatal(failures)
		}
	}
	given := filepath.Join(w.Root(), "1.toy")
	texts.give(given, []byte("def given\n"))
	if diff := cmp.Diff([]string{given}, texts.AllGiven()); diff != "" {
		t.Errorf("given (-want +got):\n%s", diff)
	}
	got := make(map[string][]string)
	texts.opts.Settings.MaxOpenDocuments = 4
	texts.Tidy()
	got["as many as may"] = documents(w)
	texts.opts.Settings.MaxOpenDocuments = 2
	if err := texts.Writers.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	texts.Tidy()
	got["somebody writes"] = documents(w)
	texts.Writers.Unlock()
	texts.Tidy()
	got["too many"] = documents(w)
	texts.takeBack(given)
	texts.Tidy()
	got["too many, none given"] = documents(w)
	all := []string{"1.toy", "2.toy", "3.toy", "4.toy"}
	if diff := cmp.Diff(map[string][]string{
		"as many as may": all, "somebody writes": all, "too many": {"1.toy", "3.toy", "4.toy"}, "too many, none given": {"3.toy", "4.toy"},
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if servers, failures := a.OpenIn(t.Context(), given, "another"); len(servers)+len(failures) > 0 {
		t.Errorf("a server that is not there: %v, %v", servers, failures)
	}
}
