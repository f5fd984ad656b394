package lsp_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// shortened replaces a root in a message, so that it can be compared.
func shortened(root string, message json.RawMessage) string {
	return strings.ReplaceAll(string(message), string(protocol.URIFromPath(root)), "ROOT")
}

// The folders of a start are in initialize, and in the options that ask for them; the
// server keeps the name of its own root.
func TestFoldersOfAStart(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true}, func(d *registry.Definition, o *lsp.Options) {
		d.InitializationOptions = raw(`{"list":"${folders}","other":1}`)
		o.Folders = []string{t.TempDir(), t.TempDir()}
	})
	var params struct {
		RootURI               protocol.DocumentURI
		WorkspaceFolders      []struct{ URI protocol.DocumentURI }
		InitializationOptions json.RawMessage
	}
	if err := json.Unmarshal(p.await(1, "request", "initialize")[0].Params, &params); err != nil {
		t.Fatal(err)
	}
	first, second := protocol.URIFromPath(p.Folders()[0]), protocol.URIFromPath(p.Folders()[1])
	if params.RootURI != first || len(params.WorkspaceFolders) != 2 || params.WorkspaceFolders[1].URI != second || p.Root() != p.root {
		t.Errorf("the root is %s, the folders %v, its name %s", params.RootURI, params.WorkspaceFolders, p.Root())
	}
	if want := fmt.Sprintf(`{"list":[%q,%q],"other":1}`, first, second); !sameJSON(params.InitializationOptions, raw(want)) {
		t.Errorf("options %s, want %s", params.InitializationOptions, want)
	}
}

// neighbours are two projects of which the second needs the first.
func (p *peer) neighbours() {
	p.SetProjects([]lsp.Project{
		{Root: p.path("core"), Probe: p.path("core/probe.toy"), Source: p.path("core/a.toy"), Users: []string{p.path("app")}},
		{Root: p.path("app"), Probe: p.path("app/probe.toy"), Source: p.path("app/b.toy")},
		{Root: p.path("other"), Probe: p.path("other/probe.toy"), Source: p.path("other/c.toy")},
	})
}

// A command about a file is also about the projects that need its own, and, of a file
// that the command may not take, about its own project.
func TestCommandForProjects(t *testing.T) {
	p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: []lsptest.Rule{lsptest.On(execute, lsptest.Reply("null"))}}, func(d *registry.Definition, _ *lsp.Options) {
		d.Diagnostics.Commands[0].Arguments = []json.RawMessage{raw(`{"files":"${uris}","file":"${uri}"}`)}
	})
	call := p.def.Diagnostics.Commands[0]
	ask := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if _, err := p.Diagnose(p.context(), call, p.path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask("core/a.toy")
	p.neighbours()
	ask("core/a.toy", "core/toy.root", "app/b.toy", "elsewhere.toy")
	var got []string
	for _, e := range p.await(5, "request", execute) {
		var params struct{ Arguments []struct{ Files []string } }
		if err := json.Unmarshal(e.Params, &params); err != nil {
			t.Fatal(err)
		}
		got = append(got, shortened(p.root, raw(strings.Join(params.Arguments[0].Files, " "))))
	}
	want := []string{
		"ROOT/core/a.toy", "ROOT/core/a.toy ROOT/app/probe.toy", "ROOT/core/toy.root ROOT/core/probe.toy ROOT/app/probe.toy",
		"ROOT/app/b.toy", "ROOT/elsewhere.toy",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("asked about (-want +got):\n%s", diff)
	}
}

// A server that reads other folders from disk is told, after a change in one, that a
// file appeared in each project that needs it.
func TestNudges(t *testing.T) {
	nudges := func(quirks ...registry.Quirk) []string {
		p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) { d.Quirks = quirks })
		lsptest.Eventually(t, patience, func() bool { return p.Supports("workspace/didChangeWatchedFiles") }, "a registration")
		p.neighbours()
		before := p.Outside(p.path("app/b.toy"))
		p.sync("core/a.toy", "1")
		p.sync("core/a.toy", "2")
		p.sync("core/a.toy", "2")
		p.sync("app/b.toy", "1")
		if _, err := p.FilesChanged([]protocol.FileEvent{
			{URI: protocol.URIFromPath(p.path("core/d.toy")), Type: protocol.Deleted},
			{URI: protocol.URIFromPath(p.path("core/e.toy")), Type: protocol.Changed},
		}); err != nil {
			t.Fatal(err)
		}
		p.alive()
		var all []string
		for _, e := range p.entries("notification", "workspace/didChangeWatchedFiles") {
			all = append(all, shortened(p.root, e.Params))
		}
		if grown := p.Outside(p.path("app/b.toy")) - before; len(quirks) > 0 && grown != 6 {
			t.Errorf("changes from outside: %d, want 6", grown)
		}
		return all
	}
	const own = `{"changes":[{"uri":"ROOT/core/d.toy","type":3},{"uri":"ROOT/core/e.toy","type":2}]}`
	const nudge = `{"changes":[{"uri":"ROOT/app/b.toy","type":1}]}`
	if diff := cmp.Diff([]string{nudge, nudge, own, nudge}, nudges(registry.ReadsOtherFolders)); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{own}, nudges()); diff != "" {
		t.Errorf("without the quirk (-want +got):\n%s", diff)
	}
}

// A text of a file that makes a root is saved when it is the one on disk, and only then.
func TestConfigurationIsSaved(t *testing.T) {
	p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) {
		d.Quirks = []registry.Quirk{registry.ConfiguredBySaving}
		d.Roots = []string{"root.toy"}
	})
	lsptest.WriteFile(t, p.path("root.toy"), "on disk")
	lsptest.WriteFile(t, p.path("a.toy"), "on disk")
	p.sync("root.toy", "not yet")
	p.sync("a.toy", "on disk")
	p.alive()
	if saves := p.entries("notification", "textDocument/didSave"); len(saves) != 0 {
		t.Errorf("%d saves", len(saves))
	}
	before := p.Generation()
	p.sync("root.toy", "on disk")
	p.sync("root.toy", "on disk")
	saves := p.await(1, "notification", "textDocument/didSave")
	if want := `{"textDocument":{"uri":"ROOT/root.toy"}}`; len(saves) != 1 || shortened(p.root, saves[0].Params) != want {
		t.Errorf("saved %+v", saves)
	}
	if p.Generation() != before+2 {
		t.Errorf("the generation grew by %d, want 2", p.Generation()-before)
	}
}

// A file of a project that is not loaded is opened, where that loads it.
func TestFileOfAnotherProjectIsOpened(t *testing.T) {
	loads := []registry.Quirk{registry.LoadsByOpening}
	refused := lsptest.ReplyError(-32603, "TypeScript Server Error: No Project.", "")
	for _, c := range []struct {
		quirks []registry.Quirk
		answer lsptest.Action
		asked  int
		failed bool
	}{
		{loads, refused, 2, false},
		{loads, lsptest.Reply("null"), 2, false},
		{loads, lsptest.Reply("[]"), 1, false},
		{loads, lsptest.ReplyError(-32603, "another error", ""), 1, true},
		{nil, refused, 1, true},
	} {
		p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: []lsptest.Rule{lsptest.OnNth(execute, 1, c.answer)}},
			func(d *registry.Definition, _ *lsp.Options) { d.Quirks = c.quirks })
		_, err := p.Diagnose(p.context(), p.def.Diagnostics.Commands[0], p.path("main.toy"))
		_, text, open := p.Document(p.path("main.toy"))
		if open != (c.asked == 2) || (err != nil) != c.failed || open && string(text) != "use helper\n" {
			t.Errorf("%+v: open %t with %q, error %v", c, open, text, err)
		}
		if asked := len(p.entries("request", execute)); asked != c.asked {
			t.Errorf("%+v: asked %d times", c, asked)
		}
	}
}

// A server that loads a project anew has said so when folders were awaited; nothing is
// asked of one that never does.
func TestAwaitFolders(t *testing.T) {
	for _, c := range []struct {
		readiness *registry.Readiness
		asked     int
	}{
		{nil, 0},
		{&registry.Readiness{Method: "toy/status", Member: "ready", Value: "true", Lasts: true}, 0},
		{&registry.Readiness{Method: "toy/status", Member: "ready", Value: "true"}, 1},
	} {
		p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
			lsptest.On("initialized", lsptest.Notify("toy/status", `{"ready":true}`)),
			lsptest.On("workspace/didChangeWorkspaceFolders", lsptest.Notify("toy/status", `{"ready":false}`)),
		}}, func(d *registry.Definition, _ *lsp.Options) { d.Readiness = c.readiness })
		if c.readiness != nil {
			lsptest.Eventually(t, patience, p.Loaded, "it is ready")
		}
		if err := p.ChangeFolders([]string{t.TempDir()}, nil); err != nil {
			t.Fatal(err)
		}
		if err := p.AwaitFolders(p.context()); err != nil {
			t.Fatal(err)
		}
		if c.asked == 1 && (p.Loaded() || p.Losses() != 1) {
			t.Errorf("it is ready, after %d losses", p.Losses())
		}
		p.alive()
		if asked := len(p.entries("request", "lspine/barrier")); asked != c.asked {
			t.Errorf("%+v: asked %d times, want %d", c.readiness, asked, c.asked)
		}
	}
}

// A server that says in its log when it knows a folder has loaded all when it said it as
// often as there are folders.
func TestLogOfEachFolder(t *testing.T) {
	loaded := lsptest.Notify("window/logMessage", `{"type":3,"message":"Found 2 files"}`)
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
		lsptest.On("textDocument/didOpen", loaded), lsptest.On("textDocument/didSave", loaded),
	}}, func(d *registry.Definition, _ *lsp.Options) { d.LoadedLog = `^Found \d+` })
	if p.Loaded() {
		t.Error("it has loaded before it said anything")
	}
	p.sync("main.toy", "")
	lsptest.Eventually(t, patience, p.Loaded, "the first folder is loaded")
	if err := p.ChangeFolders([]string{t.TempDir()}, nil); err != nil {
		t.Fatal(err)
	}
	if p.Loaded() {
		t.Error("it has loaded a folder of which it said nothing")
	}
	if err := p.Save(p.path("main.toy")); err != nil {
		t.Fatal(err)
	}
	lsptest.Eventually(t, patience, p.Loaded, "the second folder is loaded")
}

// Of a check of several projects the progresses are one work: it goes on as long as one
// has not begun.
func TestCheckOfSeveralProjects(t *testing.T) {
	progress := func(kind, token, title string) lsptest.Action {
		return lsptest.Notify("$/progress", fmt.Sprintf(`{"token":%q,"value":{"kind":%q,"title":%q}}`, token, kind, title))
	}
	for _, c := range []struct {
		status string
		more   bool // folders
		want   string
		err    string
	}{
		{`"2 workspaces"`, true, "[toy check (#1)] [toy check (#2)] []", ""},
		{`"1 workspaces"`, true, "[] [toy check (#2)] []", ""},
		{`"2 workspaces"`, false, "[] [toy check (#2)] []", ""},
		{`"none"`, true, "", "does not say how many projects"},
	} {
		p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
			lsptest.On("toy/status", lsptest.Reply(c.status)),
			lsptest.On("toy/check", progress("begin", "a", "toy check (#1)"), progress("end", "a", "")),
			lsptest.OnNth("textDocument/didClose", 1, progress("begin", "b", "toy check (#2)")),
			lsptest.OnNth("textDocument/didClose", 2, progress("end", "b", "")),
		}}, func(d *registry.Definition, _ *lsp.Options) {
			d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/check", Params: raw(`{}`), Title: "toy check", Each: "toy/status", Number: `(\d+) workspaces`}
		})
		if c.more {
			if err := p.ChangeFolders([]string{t.TempDir()}, nil); err != nil {
				t.Fatal(err)
			}
		}
		_, err := p.BeginDiskCheck(p.context())
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v", c.status, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		state := func() {
			p.alive()
			titles := []string{}
			for _, w := range p.Works() {
				titles = append(titles, w.Title)
			}
			got = append(got, fmt.Sprint(titles))
		}
		state()
		for range 2 {
			p.sync("main.toy", "")
			if _, err := p.CloseDocument(p.path("main.toy")); err != nil {
				t.Fatal(err)
			}
			state()
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s, more folders %t: works %s, want %s", c.status, c.more, all, c.want)
		}
	}
}

// Roots are those of the projects, and what began before the last of them was new does
// not count for it.
func TestNewProjects(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
		lsptest.On("textDocument/didOpen", lsptest.Notify("$/progress", `{"token":"a","value":{"kind":"begin","title":"indexing"}}`)),
	}})
	if diff := cmp.Diff([]string{p.root}, p.Roots()); diff != "" {
		t.Error(diff)
	}
	p.SetProjects([]lsp.Project{{Root: p.path("a")}})
	p.sync("main.toy", "")
	p.alive()
	first := p.FirstOpened()
	if p.BegunSince()["indexing"] != 1 || first.IsZero() {
		t.Errorf("begun %v, opened %v", p.BegunSince(), first)
	}
	p.SetProjects([]lsp.Project{{Root: p.path("a")}})
	if p.BegunSince()["indexing"] != 1 || p.FirstOpened() != first {
		t.Error("the same project is new again")
	}
	p.SetProjects([]lsp.Project{{Root: p.path("a")}, {Root: p.path("b")}})
	if p.BegunSince()["indexing"] != 0 || !p.FirstOpened().IsZero() {
		t.Errorf("begun %v, opened %v", p.BegunSince(), p.FirstOpened())
	}
	if diff := cmp.Diff([]string{p.path("a"), p.path("b")}, p.Roots()); diff != "" {
		t.Error(diff)
	}
	p.sync(filepath.Join("b", "x.toy"), "")
	p.alive()
	if p.BegunSince()["indexing"] != 1 || p.FirstOpened().IsZero() {
		t.Errorf("begun %v, opened %v", p.BegunSince(), p.FirstOpened())
	}
}

// A server that registers for each folder or project as it comes to it is told of each file that concerns it,
// whether it has registered for it or not: it may have read it before. Others are told only of what they registered
// for: here of nothing.
func TestFilesAreHeardOfBeforeTheirFolder(t *testing.T) {
	type way struct {
		sharing registry.Sharing
		outside registry.Outside
	}
	told := make(map[way][]string)
	for _, w := range []way{
		{registry.TakesFolders, registry.OutsideWatched},
		{registry.Discovers, registry.OutsideWatched},
		{registry.Discovers, registry.OutsideReopen},
		{registry.OneRoot, registry.OutsideWatched},
	} {
		p := start(t, lsptest.Script{NoWatch: true}, func(d *registry.Definition, _ *lsp.Options) {
			d.Sharing, d.Diagnostics.Outside = w.sharing, w.outside
			d.Roots, d.Reads = []string{"root.toy.json"}, []string{".data"}
		})
		for _, name := range []string{"core/a.toy", "core/a.txt", "core/root.toy.json", "core/a.data"} {
			n, err := p.FilesChanged([]protocol.FileEvent{{URI: protocol.URIFromPath(p.path(name)), Type: protocol.Deleted}})
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 {
				told[w] = append(told[w], name)
			}
		}
	}
	all := []string{"core/a.toy", "core/root.toy.json", "core/a.data"}
	want := map[way][]string{{registry.TakesFolders, registry.OutsideWatched}: all, {registry.Discovers, registry.OutsideWatched}: all}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told of (-want +got):\n%s", diff)
	}
}

// A command about a Go file is also about the open files that are built elsewhere, whose
// view shows in all that is published; of one of these, also about what is built here.
func TestCommandForFilesBuiltElsewhere(t *testing.T) {
	for _, scope := range []registry.Scope{registry.GoBuild, ""} {
		p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: []lsptest.Rule{lsptest.On(execute, lsptest.Reply("null"))}}, func(d *registry.Definition, _ *lsp.Options) {
			d.Languages = append(d.Languages, registry.Language{ID: "go", Patterns: []string{".go"}})
			d.Scope = scope
			d.Diagnostics.Commands[0].Arguments = []json.RawMessage{raw(`{"files":"${uris}"}`)}
		})
		p.sync("a.go", "package p\n")
		p.sync("b_plan9.go", "package p\n")
		p.sync("c.go", "//go:build plan9\n\npackage p\n")
		for _, name := range []string{"a.go", "c.go"} {
			if _, err := p.Diagnose(p.context(), p.def.Diagnostics.Commands[0], p.path(name)); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, e := range p.await(2, "request", execute) {
			var params struct{ Arguments []struct{ Files []string } }
			if err := json.Unmarshal(e.Params, &params); err != nil {
				t.Fatal(err)
			}
			got = append(got, shortened(p.root, raw(strings.Join(params.Arguments[0].Files, " "))))
		}
		want := []string{"ROOT/a.go", "ROOT/c.go"}
		if scope == registry.GoBuild {
			want = []string{"ROOT/a.go ROOT/b_plan9.go ROOT/c.go", "ROOT/c.go ROOT/b_plan9.go ROOT/lspine.go"}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("scope %q: asked about (-want +got):\n%s", scope, diff)
		}
	}
}

// What changes beside a file is counted: saves of others, their texts and what was noted of the disk, and
// neither saves nor texts of the file itself. Of a server that reads others as they are saved, their texts
// do not count.
func TestOutsideOfAFile(t *testing.T) {
	for name, test := range map[string]struct {
		quirks []registry.Quirk
		want   uint64
	}{
		"what is open":  {nil, 4},
		"what is saved": {[]registry.Quirk{registry.ReadsSaved}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) { d.Quirks = test.quirks })
			a, b := p.path("a.toy"), p.path("b.toy")
			before := [2]uint64{p.Outside(a), p.Outside(b)}
			for _, text := range []string{"0", "1", "1", "2"} {
				p.sync("a.toy", text)
			}
			if _, err := p.CloseDocument(a); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([2]uint64{0, test.want}, [2]uint64{p.Outside(a) - before[0], p.Outside(b) - before[1]}); diff != "" {
				t.Errorf("beside a.toy and beside b.toy (-want +got):\n%s", diff)
			}
		})
	}
	p := start(t, lsptest.Script{})
	a, b := p.path("a.toy"), p.path("b.toy")
	p.sync("a.toy", "1")
	p.sync("b.toy", "1")
	before := [2]uint64{p.Outside(a), p.Outside(b)}
	for range 2 {
		if err := p.Save(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Save(p.path("closed.toy")); err != nil {
		t.Fatal(err)
	}
	p.Disturb()
	if got := [2]uint64{p.Outside(a) - before[0], p.Outside(b) - before[1]}; got != [2]uint64{1, 3} {
		t.Errorf("beside a.toy and beside b.toy: %v, want 1 and 3", got)
	}
}

// What a server said of a file may change with each save that it is told of: of an open document, by a
// server that wants to know.
func TestSavesMakeGenerations(t *testing.T) {
	for capabilities, want := range map[string]uint64{`{}`: 2, `{"textDocumentSync":{"openClose":true,"change":2}}`: 0} {
		p := start(t, lsptest.Script{Capabilities: raw(capabilities)})
		p.sync("a.toy", "1")
		before := p.Generation()
		for _, name := range []string{"a.toy", "a.toy", "closed.toy"} {
			if err := p.Save(p.path(name)); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, p.Generation()-before); diff != "" {
			t.Errorf("%s (-want +got):\n%s", capabilities, diff)
		}
	}
}
