package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

func spanJSON(line, from, to int) string {
	return fmt.Sprintf(`{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}`, line, from, line, to)
}

// What a server is sent, what it reports and what it proposes may each have lines of their own; all
// are those of LSP above this room, in files that are open and in those that are not.
func TestLinesOfAServer(t *testing.T) {
	t.Parallel()
	const text = "a\rb\u2028x = 1\nlast\n" // read: 2 lines before "last", reported: 3, edited: 1
	folder := lsptest.Workspace(t, "-- other.toy --\n")
	lsptest.WriteFile(t, folder+"/other.toy", "\u2028\u2028\nx = 1\n")
	script := lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
		lsptest.On("textDocument/references", lsptest.Reply(withURIs(folder, `[{"uri":"$main","range":`+spanJSON(2, 0, 1)+`},{"uri":"$other","range":`+spanJSON(3, 0, 1)+`}]`))),
		lsptest.On("textDocument/foldingRange", lsptest.Reply(`[{"startLine":2,"endLine":3}]`)),
		lsptest.On("textDocument/formatting", lsptest.Reply(`[{"range":`+spanJSON(0, 4, 5)+`,"newText":"y"}]`)),
	}}
	p := start(t, script, func(d *registry.Definition, _ *lsp.Options) {
		d.Lines = &registry.Lines{Read: "\u2028", Reported: "\r\u2028", Edited: ""}
		d.Quirks = append(d.Quirks, registry.ReplacesByLines)
	})
	p.root = folder
	p.sync("main.toy", text)

	found, err := p.References(p.context(), p.path("main.toy"), span(1, 2, 1, 3).Start, true)
	same(t, []protocol.Location{
		{URI: protocol.URIFromPath(p.path("main.toy")), Range: span(1, 2, 1, 3)},
		{URI: protocol.URIFromPath(p.path("other.toy")), Range: span(1, 0, 1, 1)},
	}, found, err)
	p.asked("textDocument/references", `{"textDocument":{"uri":"$main"},"position":{"line":1,"character":0},"context":{"includeDeclaration":true}}`)
	// What is on disk is read again if it changed, whichever way.
	for text, line := range map[string]uint32{"\n\n\nx = 1\n": 3, "\u2028\n\u2028x = 2\n": 1} {
		for range 2 {
			lsptest.WriteFile(t, folder+"/other.toy", text)
			found, err := p.References(p.context(), p.path("main.toy"), span(1, 2, 1, 3).Start, true)
			if err != nil || found[1].Range.Start.Line != line {
				t.Errorf("%q: %v, %v", text, found, err)
			}
		}
	}
	folds, err := p.FoldingRanges(p.context(), p.path("main.toy"))
	same(t, []protocol.FoldingRange{{StartLine: 1, EndLine: 2}}, folds, err)
	edits, err := p.Format(p.context(), p.path("main.toy"), nil, protocol.FormattingOptions{})
	same(t, []protocol.TextEdit{{Range: span(1, 2, 1, 3), NewText: "y"}}, edits, err)
	same(t, protocol.Counting{Encoding: protocol.UTF16}, p.EditCounting(), nil)

	p.polite() // until a range ends behind the text, as the quirk has it
	p.sync("main.toy", strings.ReplaceAll(text, "last", "end"))
	changes := p.await(1, "notification", "textDocument/didChange")
	if !strings.Contains(string(changes[0].Params), `"range":{"start":{"line":0,"character":0},"end":{"line":4,"character":0}}`) {
		t.Errorf("it is changed by %s", changes[0].Params)
	}
	p.sync("other.toy", "x = 1\n")
	p.sync("other.toy", "x = 2\n")
	changes = p.await(2, "notification", "textDocument/didChange")
	if !strings.Contains(string(changes[1].Params), `"range":`+spanJSON(0, 4, 5)) {
		t.Errorf("an ordinary text is changed by %s", changes[1].Params)
	}
}

// Where nobody has measured a server, each of these characters is in doubt; where somebody has,
// only those with which its edits are wrong.
func TestDoubtfulLines(t *testing.T) {
	measured := &registry.Definition{Lines: &registry.Lines{Torn: "\f"}}
	got := map[string]string{}
	for _, text := range []string{"a\r\nb\n", "a\rb", "a\fb", "a\u0085b\u2028"} {
		for name, d := range map[string]*registry.Definition{"measured": measured, "not": {}} {
			got[name+" "+text] = fmt.Sprintf("%q %q", lsp.Doubtful(d, []byte(text)), lsp.DoubtfulEdits(d, []byte(text)))
		}
	}
	want := map[string]string{
		"measured a\r\nb\n": `'\x00' '\x00'`, "measured a\rb": `'\x00' '\x00'`, "measured a\fb": `'\x00' '\f'`, "measured a\u0085b\u2028": `'\x00' '\x00'`,
		"not a\r\nb\n": `'\x00' '\x00'`, "not a\rb": `'\r' '\r'`, "not a\fb": `'\f' '\f'`, "not a\u0085b\u2028": `'\u0085' '\u0085'`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
