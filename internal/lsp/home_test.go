package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
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
			path := filepath.Join(dir, "own", "a.toy")
			if c.since == "" {
				written := time.Now()
				lsptest.Eventually(t, time.Second, func() bool { return time.Since(written) > 100*time.Millisecond }, "the clock goes on")
			}
			p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: rules}, tellsItsProjects)
			at, err := time.Now().Add(time.Hour), error(nil)
			switch c.since {
			case "written":
				err = os.Chtimes(path, at, at)
			case "moved":
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
			if diff := cmp.Diff(strings.Fields(c.want), p.executed()); diff != "" {
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

// A question for the project that is not answered in time, and a disk that is not read again in
// time, are no answers: both are asked for again before the document is judged. One who waits for
// the question of another leaves with his own deadline.
func TestProjectThatIsNotToldInTime(t *testing.T) {
	dir := lsptest.Workspace(t, "-- own/a.toy --\nuse helper\n-- own/tsconfig.json --\n{}\n")
	path := filepath.Join(dir, "own", "a.toy")
	said, err := json.Marshal(map[string]any{"body": map[string]string{"configFileName": filepath.ToSlash(filepath.Join(dir, "other", "tsconfig.json"))}})
	if err != nil {
		t.Fatal(err)
	}
	home := lsptest.Reply(string(said))
	p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: []lsptest.Rule{
		lsptest.OnNth(execute, 1, lsptest.Hang()),
		lsptest.OnNth(execute, 2, home), lsptest.OnNth(execute, 3, lsptest.Hang()),
		lsptest.OnNth(execute, 4, home), lsptest.OnNth(execute, 5, lsptest.Reply("null")), lsptest.OnNth(execute, 6, lsptest.Reply(`{"body":[]}`)),
	}}, tellsItsProjects)
	at := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Sync(path, []byte("use helper\n")); err != nil {
		t.Fatal(err)
	}
	diagnose := func(ctx context.Context) error {
		_, err := p.Diagnose(ctx, p.def.Diagnostics.Commands[0], path)
		return err
	}
	first, leave := context.WithCancel(p.context())
	var asking sync.WaitGroup
	asking.Go(func() {
		if err := diagnose(first); !errors.Is(err, context.Canceled) {
			t.Errorf("the first: %v", err)
		}
	})
	p.await(1, "request", execute)
	short, cancel := context.WithTimeout(p.context(), 20*time.Millisecond)
	defer cancel()
	if err := diagnose(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("beside the first: %v", err)
	}
	leave()
	asking.Wait()
	second, leave := context.WithCancel(p.context())
	asking.Go(func() {
		if err := diagnose(second); !errors.Is(err, context.Canceled) {
			t.Errorf("the second: %v", err)
		}
	})
	p.await(3, "request", execute)
	leave()
	asking.Wait()
	if err := diagnose(p.context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(strings.Fields("home home reload home reload diagnose"), p.executed()); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// executed returns what the server was asked for by commands.
func (p *peer) executed() (asked []string) {
	p.t.Helper()
	for _, entry := range p.entries("request", execute) {
		var call struct{ Arguments []string }
		if err := json.Unmarshal(entry.Params, &call); err != nil {
			p.t.Fatal(err)
		}
		asked = append(asked, call.Arguments...)
	}
	return asked
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

// The end of a text that ends in a line break is the beginning of an empty line, although tsserver counts it as a
// place of the line before once the text was changed.
func TestPlacesBehindTheEndOfALine(t *testing.T) {
	const said = `{"body":[{"start":{"line":1,"offset":3},"end":{"line":1,"offset":4},"text":"in a line","category":"error"},` +
		`{"start":{"line":2,"offset":4},"end":{"line":2,"offset":5},"text":"at its end","category":"error"},` +
		`{"start":{"line":2,"offset":5},"end":{"line":2,"offset":5},"text":"at the end","category":"error"}]}`
	p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: []lsptest.Rule{lsptest.On(execute, lsptest.Reply(said))}}, tellsItsProjects)
	p.sync("a.toy", "one\ntwo\n")
	p.def.Diagnostics.Home = nil
	items, err := p.Diagnose(p.context(), p.def.Diagnostics.Commands[0], p.path("a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]protocol.Range)
	for _, d := range items {
		got[d.Message] = d.Range
	}
	at := func(line, character uint32) protocol.Position {
		return protocol.Position{Line: line, Character: character}
	}
	if diff := cmp.Diff(map[string]protocol.Range{
		"in a line":  {Start: at(0, 2), End: at(0, 3)},
		"at its end": {Start: at(1, 3), End: at(2, 0)}, "at the end": {Start: at(2, 0), End: at(2, 0)},
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
