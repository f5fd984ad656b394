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

func withSettings(settings string) func(*registry.Definition, *lsp.Options) {
	return func(d *registry.Definition, _ *lsp.Options) { d.Settings = raw(settings) }
}

// Every request that a server may send is answered, at once and in the shape
// that it needs, whether ids are numbers or text; unknown ones with -32601.
func TestEveryServerRequestIsAnswered(t *testing.T) {
	for _, stringIDs := range []bool{false, true} {
		t.Run(fmt.Sprint("string ids ", stringIDs), func(t *testing.T) {
			p := start(t, lsptest.Script{
				NoWatch: true, StringIDs: stringIDs,
				Rules: []lsptest.Rule{lsptest.On("initialized", lsptest.AskAll())},
			}, withSettings(`{"toy":{"deep":1}}`))
			folder, err := json.Marshal([]map[string]any{{"name": filepath.Base(p.root), "uri": protocol.URIFromPath(p.root)}})
			if err != nil {
				t.Fatal(err)
			}
			want := []string{
				"client/registerCapability null",
				"client/unregisterCapability null",
				"toy/nobodyKnowsThis error -32601",
				`window/showDocument {"success":false}`,
				"window/showMessageRequest null",
				"window/workDoneProgress/create null",
				`workspace/applyEdit {"applied":false,"failureReason":"no edit was asked for"}`,
				"workspace/codeLens/refresh null",
				`workspace/configuration [{"deep":1},null,{"toy":{"deep":1}}]`,
				"workspace/diagnostic/refresh null",
				"workspace/foldingRange/refresh null",
				"workspace/inlayHint/refresh null",
				"workspace/inlineValue/refresh null",
				"workspace/semanticTokens/refresh null",
				"workspace/workspaceFolders " + string(folder),
			}
			got := results(p.await(len(lsptest.ServerRequests), "response", ""))
			for i := range got { // the order of members says nothing
				base := filepath.Base(p.root)
				got[i] = strings.Replace(got[i], fmt.Sprintf(`{"uri":"%s","name":"%s"}`, protocol.URIFromPath(p.root), base),
					fmt.Sprintf(`{"name":"%s","uri":"%s"}`, base, protocol.URIFromPath(p.root)), 1)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			p.heard.mu.Lock()
			if p.heard.refreshed != 1 {
				t.Errorf("the observer heard %d times that results are none any more", p.heard.refreshed)
			}
			p.heard.mu.Unlock()
			p.polite()
		})
	}
}

// A configuration is answered item by item, in order: sections with dots reach
// into objects, keys may hold dots themselves, what is unknown is null.
func TestConfigurationBySection(t *testing.T) {
	const items = `{"items":[{"section":"toy.deep"},{"section":"toy.deep.list"},{"section":"toy.none.list"},
		{"section":"dotted.key"},{"section":"toy.deep.list.more"},{"scopeUri":"file:///x","section":null}]}`
	p := start(t, lsptest.Script{
		NoWatch: true, Rules: []lsptest.Rule{lsptest.On("initialized", lsptest.Ask("workspace/configuration", items))},
	}, withSettings(`{"toy":{"deep":{"list":[1,2]}},"dotted.key":"d"}`))
	got := results(p.await(1, "response", "workspace/configuration"))
	expect(t, got[0], `workspace/configuration [{"list":[1,2]},[1,2],null,"d",null,{"toy":{"deep":{"list":[1,2]}},"dotted.key":"d"}]`)
}

// The settings of a file or a folder are asked for by its path; those of the root for no scope, and for
// one that is no file.
func TestSettingsOfAScope(t *testing.T) {
	const items = `{"items":[{"scopeUri":"file:///x","section":"toy"},{"section":"toy"},{"scopeUri":"untitled:x","section":"toy"}]}`
	p := start(t, lsptest.Script{
		NoWatch: true, Rules: []lsptest.Rule{lsptest.On("initialized", lsptest.Ask("workspace/configuration", lsptest.RootedURIs(items)))},
	}, func(_ *registry.Definition, o *lsp.Options) {
		o.Settings = func(folder string) json.RawMessage {
			text, err := json.Marshal(map[string]string{"toy": folder})
			if err != nil {
				panic(err)
			}
			return text
		}
	})
	answer := p.await(1, "response", "workspace/configuration")[0].Result
	var got []string
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{lsptest.Rooted("/x"), p.root, p.root}, got); diff != "" {
		t.Error(diff)
	}
}

// Requests and words of a server that have another form than they must have are answered, and counted.
func TestBadFormsAreCounted(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen",
		lsptest.Ask("workspace/configuration", `{"items":7}`), lsptest.Ask("client/registerCapability", `{"registrations":7}`),
		lsptest.Ask("client/unregisterCapability", `{"unregisterations":7}`), lsptest.Notify("window/showMessage", `{"type":[]}`),
		lsptest.Notify("$/progress", `7`), lsptest.Notify("textDocument/publishDiagnostics", `7`), lsptest.Notify("window/logMessage", `7`),
		lsptest.Ask("client/registerCapability", `{"registrations":[7,{"id":"x"}]}`),
	)}})
	before := p.Info().Dropped
	p.sync("main.toy", "def x\n")
	got := results(p.await(4, "response", ""))
	want := []string{"client/registerCapability null", "client/registerCapability null", "client/unregisterCapability null", "workspace/configuration []"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p.alive()
	if dropped := p.Info().Dropped - before; dropped != 8 {
		t.Errorf("%d were counted, want 8", dropped)
	}
}

// A server that asks before it answers initialize gets its answers then.
func TestAnswersBeforeInitialize(t *testing.T) {
	p := start(t, lsptest.Script{
		NoWatch: true,
		Start:   []lsptest.Action{lsptest.AskAll(), lsptest.Notify("textDocument/publishDiagnostics", lsptest.RootedURIs(`{"uri":"file:///x.toy","diagnostics":[]}`))},
		Rules: []lsptest.Rule{lsptest.On("initialize",
			lsptest.AskFirst("workspace/configuration", `{"items":[{"section":"toy"}]}`))},
	}, withSettings(`{"toy":7}`))
	configured := p.entries("response", "workspace/configuration")
	if len(configured) != 2 || string(configured[1].Result) != "[7]" {
		t.Errorf("answers before initialize was answered: %+v", configured)
	}
	expect(t, said(p.next()), "x.toy: ")
}

// What a server registers while it runs counts like what it declared, until it
// takes it back; the observer hears of both.
func TestRegistrations(t *testing.T) {
	const register = `{"registrations":[
		{"id":"p1","method":"textDocument/diagnostic","registerOptions":{"identifier":"types"}},
		{"id":"p2","method":"textDocument/diagnostic","registerOptions":{"identifier":"style"}},
		{"id":"p3","method":"textDocument/diagnostic","registerOptions":{"identifier":"types"}},
		{"id":7,"method":["no"]}, null,
		{"id":"w","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[
			{"globPattern":"**/*.{toy,txt}","kind":2}, {"globPattern":7}, {"globPattern":{"baseUri":"file:///elsewhere","pattern":"*.json"}}]}},
		{"id":"c","method":"workspace/executeCommand","registerOptions":{"commands":["toy.other"]}}]}`
	const unregister = `{"unregisterations":[{"id":"p2","method":"textDocument/diagnostic"},
		{"id":"c","method":"workspace/executeCommand"},{"id":"never","method":"workspace/symbol"}]}`
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
		lsptest.On("textDocument/didOpen", lsptest.AskFirst("client/registerCapability", lsptest.RootedURIs(register))),
		lsptest.On("textDocument/didClose", lsptest.AskFirst("client/unregisterCapability", unregister)),
	}})
	state := func() string {
		identifiers, _ := p.PullIdentifiers()
		var told []string
		for _, name := range []string{lsptest.Rooted("/elsewhere/a.json"), p.path("a.toy"), p.path("deep/a.txt"), p.path("a.json")} {
			for kind := protocol.Created; kind <= protocol.Deleted; kind++ {
				n, err := p.FilesChanged([]protocol.FileEvent{{URI: protocol.URIFromPath(name), Type: kind}})
				if err != nil {
					t.Fatal(err)
				}
				told = append(told, fmt.Sprint(n))
			}
		}
		return fmt.Sprint(identifiers, p.SupportsCommand("toy.other"), p.Supports("textDocument/diagnostic"), strings.Join(told, ""))
	}
	expect(t, state(), "[] false false000000000000")
	_, more := p.PullIdentifiers()
	p.sync("main.toy", "def x\n")
	p.next()
	<-more
	expect(t, state(), "[types style] true true111010010000")
	heard := func() int { p.heard.mu.Lock(); defer p.heard.mu.Unlock(); return p.heard.refreshed }
	before := heard()
	if _, err := p.CloseDocument(p.path("main.toy")); err != nil {
		t.Fatal(err)
	}
	p.next()
	expect(t, state(), "[types] false true111010010000")
	if heard() == before {
		t.Error("the observer did not hear that a registration was taken back")
	}
	if p.Info().Dropped == 0 {
		t.Error("the bad registrations were not counted")
	}
	p.polite()
}
