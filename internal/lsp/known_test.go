package lsp_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A server makes itself known by its name, its commands and what it calls its diagnostics, as far as it
// has them.
func TestNamesThatAServerTells(t *testing.T) {
	for capabilities, want := range map[string][]string{
		everything: {"toy", "toy.one", "toy.two", "types"}, `{}`: {"toy"}, `{"diagnosticProvider":{}}`: {"toy"},
	} {
		p := start(t, lsptest.Script{Capabilities: raw(capabilities)})
		if diff := cmp.Diff(want, p.Tells()); diff != "" {
			t.Errorf("%s: %s", capabilities, diff)
		}
	}
	if got := start(t, lsptest.Script{Nulls: true}).Tells(); len(got) != 0 {
		t.Errorf("a server without a name tells %q", got)
	}
}

// Whoever asks hears whether messages go to and fro, and what the process of a server uses, while it
// runs.
func TestServerIsConnectedUntilItEnds(t *testing.T) {
	p := start(t, lsptest.Script{})
	if !p.Connected() {
		t.Error("a server that runs is not connected")
	}
	used, known := p.CPUTime()
	lsptest.NeedProcessorTime(t, known)
	memory, known := p.Memory()
	if used < 0 || !known || memory <= 0 {
		t.Errorf("it uses %v and %d bytes, known %t", used, memory, known)
	}
	if err := p.Close(p.context()); err != nil {
		t.Fatal(err)
	}
	if p.Connected() {
		t.Error("a server that has ended is connected")
	}
}

// Who wants to know hears of each request what it was about and what came of it: the file that it names,
// if it names one.
func TestExchangesAreTold(t *testing.T) {
	type told struct {
		ID, Version, Method, Path string
		Bytes                     int
		Failed                    bool
	}
	var got []told
	p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
		lsptest.On("textDocument/hover", lsptest.Reply(`{"contents":"x"}`)), lsptest.On("workspace/symbol", lsptest.Reply(`[]`)),
		lsptest.On("textDocument/codeLens", lsptest.ContentModified()), lsptest.On("codeLens/resolve", lsptest.Reply(`null`)),
	}}, func(_ *registry.Definition, o *lsp.Options) {
		o.Exchanged = func(_ context.Context, e lsp.Exchange) {
			got = append(got, told{e.ID, e.Version, e.Method, e.Path, e.Bytes, e.Err != nil})
			if e.Took <= 0 || e.Root == "" {
				t.Errorf("%s took %v in %q", e.Method, e.Took, e.Root)
			}
		}
	})
	ctx, path := p.context(), p.path("main.toy")
	p.sync("main.toy", wide)
	_, hovered := p.HoverAt(ctx, path, placeOfX)
	_, listed := p.WorkspaceSymbols(ctx, "textDocument") // the word alone is no file
	if err := errors.Join(hovered, listed); err != nil {
		t.Fatal(err)
	}
	if _, err := p.CodeLenses(ctx, path); err == nil {
		t.Error("the refused request brought lenses")
	}
	for _, about := range []string{`{"uri":"untitled:x"}`, `7`} { // what is no file
		if _, err := p.ResolveCodeLens(ctx, protocol.CodeLens{Raw: raw(`{"textDocument":` + about + `}`)}); err == nil {
			t.Error("null is a lens")
		}
	}
	want := []told{
		{"toy", "1.2.3", "textDocument/hover", path, len(`{"contents":"x"}`), false},
		{"toy", "1.2.3", "workspace/symbol", "", len(`[]`), false},
		{"toy", "1.2.3", "textDocument/codeLens", path, 0, true},
		{"toy", "1.2.3", "codeLens/resolve", "", len(`null`), false},
		{"toy", "1.2.3", "codeLens/resolve", "", len(`null`), false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What a server says of a piece of work replaces what it said before, and what it leaves out stays.
func TestWorkUnderWay(t *testing.T) {
	value := func(token, value string) lsptest.Action {
		return lsptest.Notify("$/progress", `{"token":"`+token+`","value":`+value+`}`)
	}
	steps := []struct {
		say  lsptest.Action
		want []string
	}{
		{value("a", `{"kind":"begin","title":"Loading","message":"one"}`), []string{"Loading one -1"}},
		{value("a", `{"kind":"report","message":"two","percentage":10}`), []string{"Loading two 10"}},
		{value("a", `{"kind":"report","percentage":0}`), []string{"Loading two 0"}},
		{value("a", `{"kind":"report","message":"three"}`), []string{"Loading three 0"}},
		{value("b", `{"kind":"report","message":"never begun"}`), []string{"Loading three 0"}},
		{value("b", `{"kind":"begin","title":"Checking"}`), []string{"Loading three 0", "Checking  -1"}},
		{value("a", `{"kind":"end"}`), []string{"Checking  -1"}},
	}
	var rules []lsptest.Rule
	for i, step := range steps {
		rules = append(rules, lsptest.OnNth("textDocument/foldingRange", i+1, step.say))
	}
	p := start(t, lsptest.Script{Rules: rules})
	for i, step := range steps {
		p.alive()
		var got []string
		for _, work := range p.Works() {
			got = append(got, fmt.Sprint(work.Title, " ", work.Message, " ", work.Percentage))
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("step %d: %s", i+1, diff)
		}
	}
}

// An error says what happened and why, as far as the reason is known.
func TestWhatErrorsSay(t *testing.T) {
	for want, err := range map[string]error{
		"it worked for 5m0s and had not answered":            &lsp.StartError{After: 300*time.Second + time.Millisecond, Worked: true},
		"no answer within 1.5s, and it did nothing any more": &lsp.StartError{After: 1520 * time.Millisecond},
		"toy does not support textDocument/hover":            &lsp.UnsupportedError{Server: "toy", Method: "textDocument/hover"},
		"toy cannot rename what stands there":                &lsp.NotRenameableError{Server: "toy"},
		"toy cannot rename what stands there: a keyword":     &lsp.NotRenameableError{Server: "toy", Reason: "a keyword"},
		"toy: run: it broke":                                 &lsp.ServerError{Server: "toy", Phase: "run", Err: errors.New("it broke")},
		"toy: run: it broke\n  last words":                   &lsp.ServerError{Server: "toy", Phase: "run", Err: errors.New("it broke"), Stderr: "  last words"},
	} {
		expect(t, err.Error(), want)
	}
	other := errors.New("other")
	expect(t, fmt.Sprint(lsp.UnlessUnsupported(fmt.Errorf("asked: %w", &lsp.UnsupportedError{})), lsp.UnlessUnsupported(other), lsp.UnlessUnsupported(nil)), "<nil> other <nil>")
}
