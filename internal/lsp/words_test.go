package lsp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

func shows(kind, message string) lsptest.Action {
	return lsptest.Notify("window/showMessage", `{"type":`+kind+`,"message":"`+message+`"}`)
}

// What a server shows as an error or a warning is kept, each once, the last three, until it
// begins to load anew; what it only tells is not.
func TestMessagesAreKept(t *testing.T) {
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/foldingRange", 1, shows("1", "no  go\\n here"), shows("2", "old version"), shows("3", "hello"), shows("4", "log"), shows("1", "no go here")),
		lsptest.OnNth("textDocument/foldingRange", 2, shows("1", "b"), shows("1", "c"), shows("1", strings.Repeat("d", 400))),
		lsptest.OnNth("textDocument/foldingRange", 3, lsptest.Notify("$/progress", `{"token":"t","value":{"kind":"begin","title":"Saving"}}`)),
		lsptest.OnNth("textDocument/foldingRange", 4, lsptest.Notify("$/progress", `{"token":"u","value":{"kind":"begin","title":"Setting up workspace"}}`)),
	}})
	cut := strings.Repeat("d", 300) + "…"
	for i, want := range [][]string{{"old version", "no go here"}, {"b", "c", cut}, {"b", "c", cut}, nil} {
		p.alive()
		if diff := cmp.Diff(want, p.Complaints()); diff != "" {
			t.Errorf("%d: %s", i+1, diff)
		}
	}
}

// The health that a server names counts until it names another.
func TestHealthIsKept(t *testing.T) {
	status := func(health, message string) lsptest.Action {
		return lsptest.Notify("experimental/serverStatus", `{"health":"`+health+`","quiescent":true,"message":`+message+`}`)
	}
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/foldingRange", 1, status("warning", `"no standard\nlibrary"`)),
		lsptest.OnNth("textDocument/foldingRange", 2, status("ok", `"all is well"`)),
		lsptest.OnNth("textDocument/foldingRange", 3, status("error", `"lost"`)),
		lsptest.OnNth("textDocument/foldingRange", 4, status("ok", `null`)),
	}}, func(d *registry.Definition, _ *lsp.Options) {
		d.Readiness = &registry.Readiness{Method: "experimental/serverStatus", Member: "quiescent", Value: "true"}
	})
	for i, want := range []string{"no standard library", "", "lost", ""} {
		p.alive()
		if got := p.Unwell(); got != want || (want == "") != (len(p.Complaints()) == 0) {
			t.Errorf("%d: %q, want %q", i+1, got, want)
		}
	}
}

// A server that says that it does not judge a file is believed until it says otherwise, and
// its log says why.
func TestServerSaysThatItIsUnable(t *testing.T) {
	file := lsptest.Rooted("/x/main.toy")
	uri := `"` + fspath.Here.URI(file) + `"`
	steps := []struct{ method, params, want string }{
		{"toy/missing", `{"source":{"uri":` + uri + `}}`, "no toy"},
		{"toy/status", `{"uri":` + uri + `,"state":1}`, ""},
		{"window/logMessage", `{"type":1,"message":"cannot find it\n  at line 3"}`, ""},
		{"window/logMessage", `{"type":1,"message":"something happened:"}`, ""},
		{"window/logMessage", `{"type":3,"message":"by the way"}`, ""},
		{"toy/status", `{"uri":` + uri + `,"state":3}`, "it failed: cannot find it"},
		{"toy/status", `{"uri":7,"state":1}`, "it failed: cannot find it"},
		{"toy/status", `{"uri":"untitled:main.toy","state":1}`, "it failed: cannot find it"},
	}
	var rules []lsptest.Rule
	for i, step := range steps {
		rules = append(rules, lsptest.OnNth("textDocument/foldingRange", i+1, lsptest.Notify(step.method, step.params)))
	}
	p := start(t, lsptest.Script{Rules: rules}, func(d *registry.Definition, _ *lsp.Options) {
		d.Unable = []registry.Unable{
			{Method: "toy/missing", URI: "source.uri", Reason: "no toy"},
			{Method: "toy/status", URI: "uri", Member: "state", Value: "3", Reason: "it failed"},
		}
	})
	for _, step := range steps {
		p.alive()
		if got := p.Unable(file); got != step.want {
			t.Errorf("%s %s: %q, want %q", step.method, step.params, got, step.want)
		}
		if other := p.Unable(lsptest.Rooted("/x/other.toy")); other != "" {
			t.Errorf("another file: %q", other)
		}
	}
	if dropped := p.Info().Dropped; dropped != 1 {
		t.Errorf("%d bad messages were counted, want the one that names no file", dropped)
	}
}
