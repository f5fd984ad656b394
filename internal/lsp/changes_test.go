package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// What is asked about a change leaves in the server's encoding; places come back
// in ours, and a WorkspaceEdit as it is.
func TestChangesInAnotherEncoding(t *testing.T) {
	const edit = `{"changes":{"$main":[{"range":` + wireX + `,"newText":"y"}]}}`
	p := fluent(t, map[string]string{
		"textDocument/prepareRename":   `{"range":` + wireX + `,"placeholder":"x"}`,
		"textDocument/rename":          edit,
		"textDocument/codeAction":      `[{"title":"Fix","data":{"n":1.0},"diagnostics":[{"range":` + wireX + `,"message":"m"}]},{}]`,
		"codeAction/resolve":           `{"title":"Fix","edit":` + edit + `}`,
		"textDocument/formatting":      `[{"range":` + wireX + `,"newText":"y"}]`,
		"textDocument/rangeFormatting": `null`,
	})
	path, ctx := p.path("main.toy"), p.context()
	if c := p.EditCounting(); c != (protocol.Counting{Encoding: protocol.UTF8, Ends: protocol.LineEnds}) {
		t.Error(c)
	}
	prepared, err := p.PrepareRename(ctx, path, placeOfX)
	same(t, protocol.Renameable{Range: &rangeOfX, Placeholder: "x"}, prepared, err)
	p.asked("textDocument/prepareRename", askedAtX)

	raw, err := p.Rename(ctx, path, placeOfX, "y")
	same(t, withURIs(p.root, edit), string(raw), err)
	p.asked("textDocument/rename", askedAtX[:len(askedAtX)-1]+`,"newName":"y"}`)

	const sentBack = `{"range":{"start":{"line":0,"character":16},"end":{"line":0,"character":17}},"message":"m","data":[1.0]}`
	actions, err := p.CodeActions(ctx, path, rangeOfX, []protocol.Diagnostic{
		{Range: rangeOfX, Message: "as it came", Raw: json.RawMessage(sentBack)},
		{Range: rangeOfX, Severity: protocol.SeverityError, Message: "made"},
	}, []string{"quickfix"})
	if err != nil || len(actions) != 1 || actions[0].Diagnostics[0].Range != rangeOfX {
		t.Fatalf("%+v, %v", actions, err)
	}
	p.asked("textDocument/codeAction", `{"textDocument":{"uri":"$main"},"range":`+wireX+`,"context":{"triggerKind":1,"only":["quickfix"],
		"diagnostics":[`+sentBack+`,{"range":`+wireX+`,"severity":1,"message":"made"}]}}`)
	resolved, err := p.ResolveCodeAction(ctx, actions[0])
	same(t, withURIs(p.root, edit), string(resolved.Edit), err)
	p.asked("codeAction/resolve", `{"title":"Fix","data":{"n":1.0},"diagnostics":[{"range":`+wireX+`,"message":"m"}]}`)

	edits, err := p.Format(ctx, path, nil, protocol.FormattingOptions{TabSize: 2})
	same(t, []protocol.TextEdit{{Range: rangeOfX, NewText: "y"}}, edits, err)
	edits, err = p.Format(ctx, path, &rangeOfX, protocol.FormattingOptions{TabSize: 2})
	same(t, []protocol.TextEdit{}, edits, err)
	p.asked("textDocument/rangeFormatting", `{"textDocument":{"uri":"$main"},"range":`+wireX+`,"options":{"tabSize":2,"insertSpaces":false}}`)
	p.polite()
}

// A server that will not rename says so by null; one that answers with nonsense
// has not answered.
func TestRefusedRename(t *testing.T) {
	p := fluent(t, map[string]string{
		"textDocument/prepareRename": `null`, "textDocument/rename": `null`, "codeAction/resolve": `{}`,
		"textDocument/formatting": `[{"newText":"x"}]`, "textDocument/rangeFormatting": `{}`,
	})
	path, ctx := p.path("main.toy"), p.context()
	var refused *lsp.NotRenameableError
	if _, err := p.PrepareRename(ctx, path, placeOfX); !errors.As(err, &refused) {
		t.Errorf("prepareRename: %v", err)
	}
	if _, err := p.Rename(ctx, path, placeOfX, "y"); !errors.As(err, &refused) {
		t.Errorf("rename: %v", err)
	}
	if action, err := p.ResolveCodeAction(ctx, protocol.CodeAction{Title: "Fix", Raw: raw(`{"title":"Fix"}`)}); err == nil || action.Title != "Fix" {
		t.Errorf("resolve: %+v, %v", action, err)
	}
	if edits, err := p.Format(ctx, path, nil, protocol.FormattingOptions{}); err == nil {
		t.Errorf("format: %+v", edits)
	}
	if edits, err := p.Format(ctx, path, &rangeOfX, protocol.FormattingOptions{}); err == nil {
		t.Errorf("format a range: %+v", edits)
	}
}

// A rename of files is told to servers that want it, of the files that they want;
// a glob is meant from anywhere or from the root, and an odd one for all. What was told may
// change any answer.
func TestRenameFiles(t *testing.T) {
	for glob, want := range map[string]int{`"**/*.toy"`: 1, `"main.toy"`: 1, `"sub/*.toy"`: 0, `"[a"`: 1, `7`: 1, `"**/*.go"`: 0} {
		operations := `{"willRename":{"filters":[{"pattern":{"glob":` + glob + `}}]},"didRename":{"filters":[{"pattern":{"glob":` + glob + `}}]}}`
		if glob == "7" {
			operations = `{"willRename":{"filters":7},"didRename":true}`
		}
		p := start(t, lsptest.Script{
			Capabilities: raw(`{"workspace":{"fileOperations":` + operations + `}}`),
			Rules:        []lsptest.Rule{lsptest.On(protocol.WillRenameFiles, lsptest.Reply(`{"changes":{}}`))},
		})
		renames := []lsp.FileRename{{From: p.path("main.toy"), To: p.path("other.toy")}}
		edit, err := p.WillRenameFiles(p.context(), renames)
		if err != nil || (edit != nil) != (want == 1) {
			t.Errorf("%s: %s, %v", glob, edit, err)
		}
		before := p.Generation()
		if err := p.DidRenameFiles(renames); err != nil || p.Generation() != before+uint64(want) {
			t.Errorf("%s: %v, and the generation is %d after %d", glob, err, p.Generation(), before)
		}
		p.alive()
		asked, told := p.entries("request", protocol.WillRenameFiles), p.entries("notification", protocol.DidRenameFiles)
		if len(asked) != want || len(told) != want {
			t.Errorf("%s: asked %d times, told %d times", glob, len(asked), len(told))
		}
	}
	p := start(t, lsptest.Script{})
	var unsupported *lsp.UnsupportedError
	if _, err := p.WillRenameFiles(p.context(), nil); !errors.As(err, &unsupported) {
		t.Errorf("undeclared: %v", err)
	}
}

func applyEdit(n int) string {
	return fmt.Sprintf(`{"label":"l","edit":{"changes":{"file:///%d":[]}}}`, n)
}
func editOf(n int) string { return fmt.Sprintf(`{"changes":{"file:///%d":[]}}`, n) }

const execute = "workspace/executeCommand"

func commander(t *testing.T, rules ...lsptest.Rule) *peer {
	return start(t, lsptest.Script{Capabilities: raw(everything), Rules: rules})
}

// answers returns how we answered the requests of a server.
func (p *peer) answers(method string, n int) (list []string) {
	for _, e := range p.await(n, "response", method) {
		list = append(list, string(e.Result))
	}
	return list
}

const (
	applied = `{"applied":true}`
	unasked = `{"applied":false,"failureReason":"no edit was asked for"}`
)

// The edits that a server asks for while it executes a command are those of the
// command, in order; before and after it they are refused.
func TestCommandCollectsItsEdits(t *testing.T) {
	p := commander(t,
		lsptest.On(execute, lsptest.Ask("workspace/applyEdit", applyEdit(1)), lsptest.Ask("workspace/applyEdit", `{"edit":null}`),
			lsptest.AskFirst("workspace/applyEdit", applyEdit(2)), lsptest.Reply(`{"ok":true}`)),
		lsptest.On("textDocument/foldingRange", lsptest.AskFirst("workspace/applyEdit", applyEdit(3))),
	)
	p.alive()
	before := p.Generation()
	done, err := p.ExecuteCommand(p.context(), "toy.one", []json.RawMessage{raw(`"x"`), raw(`{"a":1}`)})
	want := lsp.Executed{Result: raw(`{"ok":true}`), Edits: []json.RawMessage{raw(editOf(1)), raw(editOf(2))}}
	same(t, want, done, err)
	if p.Generation() == before {
		t.Error("what was known before still stands")
	}
	p.asked(execute, `{"command":"toy.one","arguments":["x",{"a":1}]}`)
	p.alive()
	expected := []string{unasked, applied, `{"applied":false,"failureReason":"it has no edit"}`, applied, unasked}
	if got := p.answers("workspace/applyEdit", 5); !slices.Equal(got, expected) {
		t.Errorf("answered %v", got)
	}
	var unsupported *lsp.UnsupportedError
	if _, err := p.ExecuteCommand(p.context(), "toy.three", nil); !errors.As(err, &unsupported) {
		t.Errorf("undeclared: %v", err)
	}
	p.polite()
}

// Commands that many ask for at once do not mix: each gets its own edit.
func TestCommandsDoNotMix(t *testing.T) {
	const many = 20
	var rules []lsptest.Rule
	for n := 1; n <= many; n++ {
		rules = append(rules, lsptest.OnNth(execute, n, lsptest.AskFirst("workspace/applyEdit", applyEdit(n)), lsptest.Reply(fmt.Sprint(n))))
	}
	p := commander(t, rules...)
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			done, err := p.ExecuteCommand(p.context(), "toy.one", nil)
			n := 0
			if err != nil || json.Unmarshal(done.Result, &n) != nil || len(done.Edits) != 1 || string(done.Edits[0]) != editOf(n) {
				t.Errorf("%s, %v", done, err)
			}
		})
	}
	all.Wait()
}

// A command that nobody waits for any more gets no edit, and others wait until it
// has ended, so that its late edit is not taken for theirs.
func TestAbandonedCommand(t *testing.T) {
	p := commander(t,
		lsptest.OnNth(execute, 1, lsptest.DelayUntil("textDocument/hover")),
		lsptest.OnNth(execute, 2, lsptest.Reply(`2`)),
		lsptest.On("textDocument/foldingRange", lsptest.AskFirst("workspace/applyEdit", applyEdit(1))),
	)
	ctx, cancel := context.WithCancel(p.context())
	gaveUp := make(chan error, 1)
	go func() { // received below
		_, err := p.ExecuteCommand(ctx, "toy.one", nil)
		gaveUp <- err
	}()
	p.await(1, "request", execute)
	cancel()
	if err := <-gaveUp; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	p.alive() // asks for an edit
	if got := p.answers("workspace/applyEdit", 1); !slices.Equal(got, []string{unasked}) {
		t.Errorf("answered %v", got)
	}
	var busy *lsp.BusyError
	if _, err := p.ExecuteCommand(ctx, "toy.two", nil); !errors.As(err, &busy) || busy.Command != "toy.one" {
		t.Errorf("beside it: %v", err)
	}
	if n := len(p.entries("request", execute)); n != 1 {
		t.Errorf("%d commands were sent", n)
	}
	p.sync("main.toy", "def x\n")
	if _, err := p.Hover(p.context(), p.path("main.toy"), protocol.Position{}); err != nil {
		t.Fatal(err)
	}
	done, err := p.ExecuteCommand(p.context(), "toy.two", nil)
	if d := cmp.Diff(lsp.Executed{Result: raw(`2`)}, done, cmpopts.EquateEmpty()); d != "" || err != nil {
		t.Errorf("after it: %v\n%s", err, d)
	}
}

// A server that crashes at a command fails it by its end, and leaves nobody
// waiting.
func TestCommandThatCrashes(t *testing.T) {
	p := commander(t, lsptest.On(execute, lsptest.Crash(3)))
	var ended *lsp.ServerError
	for range 2 {
		if _, err := p.ExecuteCommand(p.context(), "toy.one", nil); !errors.As(err, &ended) {
			t.Errorf("crashed: %v", err)
		}
	}
}
