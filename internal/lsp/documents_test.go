package lsp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Versions count from 1 and grow with each change of content; what did not
// change is not sent again; a document that comes back goes on from where it
// was, so that no late word about the old one can be mistaken. One that is to be looked at
// again is closed only if the server finds the same text in the file meanwhile.
func TestVersions(t *testing.T) {
	p := start(t, lsptest.Script{})
	var got []string
	say := func(s lsp.Synced) { got = append(got, fmt.Sprint(s.Version, s.Changed, s.Opened)) }
	say(p.sync("a.toy", "one"))
	say(p.sync("a.toy", "one"))
	say(p.sync("a.toy", "two"))
	say(p.sync("a.toy", "three"))
	if closed, err := p.CloseDocument(p.path("a.toy")); err != nil || !closed {
		t.Fatal(closed, err)
	}
	say(p.sync("a.toy", "four"))
	for _, onDisk := range []string{"four", "older"} {
		lsptest.WriteFile(t, p.path("a.toy"), onDisk)
		reopened, err := p.Reopen(p.path("a.toy"))
		if err != nil {
			t.Fatal(err)
		}
		say(reopened)
	}
	if version, text, open := p.Document(p.path("a.toy")); version != 7 || string(text) != "four" || !open {
		t.Errorf("version %d is %q, open %v", version, text, open)
	}
	if closed, err := p.CloseDocument(p.path("never.toy")); err != nil || closed {
		t.Error("a document that was never open was closed")
	}
	expect(t, strings.Join(got, " "), "1 true true 1 false false 2 true false 3 true false 4 true true 5 true true 7 true false")
	p.alive()
	var sent []string
	for _, e := range p.entries("notification", "") {
		if strings.HasPrefix(e.Method, "textDocument/did") {
			sent = append(sent, strings.TrimPrefix(e.Method, "textDocument/did"))
		}
	}
	expect(t, strings.Join(sent, " "), "Open Change Change Close Open Close Open Change Change")
	p.polite()
}

// A document that is to be looked at again is sent again as it is, where that is the
// server's way: it is never closed.
func TestReopenByTouch(t *testing.T) {
	p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) { d.Diagnostics.Outside = registry.OutsideTouch })
	p.sync("a.toy", "one")
	again, err := p.Reopen(p.path("a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, fmt.Sprint(again.Version, again.Changed, again.Opened), "2 true false")
	p.alive()
	var sent []string
	for _, e := range p.entries("notification", "") {
		if strings.HasPrefix(e.Method, "textDocument/did") {
			sent = append(sent, strings.TrimPrefix(e.Method, "textDocument/did"))
		}
	}
	expect(t, strings.Join(sent, " "), "Open Change")
	p.polite()
}

// A document is not taken for reopened if the server has ended, whatever its way is.
func TestReopenWithoutAServer(t *testing.T) {
	for _, outside := range []registry.Outside{"", registry.OutsideTouch} {
		p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) { d.Diagnostics.Outside = outside })
		before := p.sync("a.toy", "one")
		lsptest.WriteFile(t, p.path("a.toy"), "one")
		if err := p.Close(p.context()); err != nil {
			t.Fatal(err)
		}
		again, err := p.Reopen(p.path("a.toy"))
		version, _, _ := p.Document(p.path("a.toy"))
		if again != (lsp.Synced{}) || !errors.Is(err, jsonrpc.ErrClosed) || version != before.Version {
			t.Errorf("%q: %+v, %v; its version is %d", outside, again, err, version)
		}
	}
}

// Who goes by what a document was changes it, opens it and closes it only if it is that still.
func TestDocumentThatMovedOnIsLeftAlone(t *testing.T) {
	p := start(t, lsptest.Script{})
	was := p.sync("a.toy", "one")
	var got []string
	try := func(name string, version int32, text string) {
		synced, err := p.SyncVersion(p.path(name), version, []byte(text))
		_, now, _ := p.Document(p.path(name))
		got = append(got, fmt.Sprintf("%s %d: %d %t %q %v", name, version, synced.Version, synced.Changed, now, err))
	}
	shut := func(name string, version int32) {
		closed, err := p.CloseVersion(p.path(name), version)
		got = append(got, fmt.Sprintf("%s %d closed: %t %v", name, version, closed, err))
	}
	try("a.toy", was.Version+1, "later")
	try("a.toy", 0, "opened")
	try("a.toy", was.Version, "two")
	try("a.toy", was.Version, "three")
	try("b.toy", 1, "changed")
	try("b.toy", 0, "opened")
	shut("a.toy", 1)
	shut("a.toy", 2)
	shut("a.toy", 2)
	want := []string{
		`a.toy 2: 0 false "one" <nil>`, `a.toy 0: 0 false "one" <nil>`, `a.toy 1: 2 true "two" <nil>`, `a.toy 1: 0 false "two" <nil>`,
		`b.toy 1: 0 false "" <nil>`, `b.toy 0: 1 true "opened" <nil>`,
		"a.toy 1 closed: false <nil>", "a.toy 2 closed: true <nil>", "a.toy 2 closed: false <nil>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p.polite()
}

// A document is sent once more as it is, for the same state of everything else; one that
// was changed meanwhile, or is not open, is left alone.
func TestResend(t *testing.T) {
	p := start(t, lsptest.Script{})
	was := p.sync("a.toy", "one")
	type outcome struct {
		synced lsp.Synced
		sent   bool
		err    error
	}
	resend := func(name string, version int32) outcome {
		synced, sent, err := p.Resend(p.path(name), version)
		return outcome{synced, sent, err}
	}
	want := outcome{lsp.Synced{Version: 2, Changed: true, Generation: was.Generation}, true, nil}
	if diff := cmp.Diff(want, resend("a.toy", 1), cmp.AllowUnexported(outcome{})); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		name    string
		version int32
	}{{"a.toy", 1}, {"a.toy", 3}, {"never.toy", 0}} {
		if diff := cmp.Diff(outcome{}, resend(c.name, c.version), cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%s %d: %s", c.name, c.version, diff)
		}
	}
	p.alive()
	var sent []string
	for _, e := range p.entries("notification", "") {
		if strings.HasPrefix(e.Method, "textDocument/did") {
			sent = append(sent, strings.TrimPrefix(e.Method, "textDocument/did"))
		}
	}
	expect(t, strings.Join(sent, " "), "Open Change")
	p.polite()
}

// The server's text stays ours through any series of edits, with emoji,
// combining marks and both line ends, whatever it counts columns in; places
// come back in UTF-16.
func TestServersTextIsOurs(t *testing.T) {
	for _, encoding := range []string{"utf-8", "utf-16", "utf-32"} {
		for _, kind := range []string{"incremental", "full"} {
			t.Run(encoding+" "+kind, func(t *testing.T) {
				p := start(t, lsptest.Script{PositionEncoding: encoding, Sync: kind})
				random := rand.New(rand.NewPCG(1, uint64(len(encoding))))
				text := "ERROR first"
				for range 60 {
					text = mutate(random, text)
					if synced := p.sync("a.toy", text); !synced.Changed {
						continue
					}
					compareText(t, text, p.next())
				}
				p.polite()
			})
		}
	}
}

// pieces are what edits are made of; each line says ERROR and something.
var pieces = []string{"é", "e\u0301", "👩‍👩‍👧", "𝒳", "a", " ", "\n", "\r\n", "x ERROR 𝒳é\n", "ERROR e\u0301\r\n", "日本"}

// mutate replaces a random stretch of the text, at the borders of characters.
func mutate(random *rand.Rand, text string) string {
	runes := []rune(text)
	from := random.IntN(len(runes) + 1)
	to := from + random.IntN(min(len(runes)-from, 12)+1)
	var insert strings.Builder
	for range random.IntN(4) {
		insert.WriteString(pieces[random.IntN(len(pieces))])
	}
	changed := string(runes[:from]) + insert.String() + string(runes[to:])
	if loneReturn := strings.ReplaceAll(changed, "\r\n", ""); strings.Contains(loneReturn, "\r") {
		return text // nobody agrees on what that is
	}
	return changed
}

// compareText checks that the findings are those of the text, in UTF-16.
func compareText(t *testing.T, text string, p lsp.Published) {
	t.Helper()
	var want, got []string
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if at := strings.Index(line, "ERROR"); at >= 0 {
			message := strings.TrimSpace(line[at+len("ERROR"):])
			if message == "" {
				message = "ERROR"
			}
			want = append(want, fmt.Sprint(i, ":", len(utf16.Encode([]rune(line[:at]))), " ", message))
		}
	}
	for _, d := range p.Items {
		got = append(got, fmt.Sprint(d.Range.Start.Line, ":", d.Range.Start.Character, " ", d.Message))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("for %q the server says %q, want %q", text, got, want)
	}
}

// Answers about places are in UTF-16 too, and so are questions.
func TestPlacesInUTF16(t *testing.T) {
	for _, encoding := range []string{"utf-8", "utf-16", "utf-32"} {
		t.Run(encoding, func(t *testing.T) {
			p := start(t, lsptest.Script{PositionEncoding: encoding})
			const text = "def 𝒳é\nuse 𝒳é\n"
			p.sync("a.toy", text)
			ctx, path := p.context(), p.path("a.toy")
			inside := protocol.Position{Line: 1, Character: 7} // at the end of the name
			name := protocol.Range{Start: protocol.Position{Line: 0, Character: 4}, End: protocol.Position{Line: 0, Character: 7}}
			found, err := p.Locations(ctx, "textDocument/definition", path, inside)
			if err != nil || len(found) != 1 || found[0].Range != name {
				t.Errorf("definition: %+v, %v", found, err)
			}
			uses, err := p.References(ctx, path, inside, true)
			if err != nil || len(uses) != 2 || uses[1].Range.End != inside {
				t.Errorf("references: %+v, %v", uses, err)
			}
			symbols, err := p.Symbols(ctx, path)
			if err != nil || len(symbols) != 1 || symbols[0].SelectionRange != name {
				t.Errorf("symbols: %+v, %v", symbols, err)
			}
			if hover, err := p.Hover(ctx, path, inside); err != nil || hover != "def 𝒳é" {
				t.Errorf("hover: %q, %v", hover, err)
			}
		})
	}
}

// Servers do not agree on whether a lone return ends a line, so that a text with one is sent whole: no
// place in it means the same to both sides.
func TestTextWithALoneReturnIsSentWhole(t *testing.T) {
	p := start(t, lsptest.Script{})
	for _, text := range []string{"a\rb\n", "a\rc\n", "a\nc\n", "a\nd\n"} {
		p.sync("a.toy", text)
	}
	p.alive()
	var got []string
	for _, e := range p.entries("notification", "textDocument/didChange") {
		var params struct {
			ContentChanges []struct {
				Range *protocol.Range
				Text  string
			}
		}
		if err := json.Unmarshal(e.Params, &params); err != nil || len(params.ContentChanges) != 1 {
			t.Fatalf("%s: %v", e.Params, err)
		}
		change := params.ContentChanges[0]
		got = append(got, fmt.Sprintf("whole %t: %q", change.Range == nil, change.Text))
	}
	want := []string{`whole true: "a\rc\n"`, `whole true: "a\nc\n"`, `whole false: "d"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p.polite()
}

// The documents that were not shown for the longest time are the ones too many, and what was shown
// last comes first; a server that has ended still tells what it had open.
func TestDocumentsByUse(t *testing.T) {
	p := start(t, lsptest.Script{})
	for _, name := range []string{"a.toy", "b.toy", "c.toy", "d.toy", "a.toy", "c.toy"} { // that leaves b d a c
		p.sync(name, "text of "+name)
	}
	names := func(paths []string) (names []string) {
		for _, path := range paths {
			names = append(names, strings.TrimPrefix(path, p.root)[1:])
		}
		return names
	}
	got := make(map[int][]string)
	for _, most := range []int{0, 1, 3, 4, 5} {
		got[most] = names(p.Surplus(most))
	}
	want := map[int][]string{0: {"b.toy", "d.toy", "a.toy", "c.toy"}, 1: {"b.toy", "d.toy", "a.toy"}, 3: {"b.toy"}, 4: nil, 5: nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := p.Close(p.context()); err != nil {
		t.Fatal(err)
	}
	var texts []lsp.Text
	for _, name := range []string{"c.toy", "a.toy", "d.toy", "b.toy"} {
		texts = append(texts, lsp.Text{Path: p.path(name), Content: []byte("text of " + name)})
	}
	if diff := cmp.Diff(texts, p.Texts()); diff != "" {
		t.Error(diff)
	}
}

// A file that the server had open, and any file once it was told of a change on disk, may be known to it
// other than the disk had it at first.
func TestFilesAsTheDiskHadThem(t *testing.T) {
	p := start(t, lsptest.Script{})
	p.sync("open.toy", "1")
	p.sync("closed.toy", "1")
	p.next() // it watches by now
	if _, err := p.CloseDocument(p.path("closed.toy")); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		return fmt.Sprint(p.Pristine(p.path("open.toy")), p.Pristine(p.path("closed.toy")), p.Pristine(p.path("never.toy")))
	}
	expect(t, state(), "false false true")
	p.alive()
	if n, err := p.FilesChanged([]protocol.FileEvent{{URI: protocol.URIFromPath(p.path("main.toy")), Type: protocol.Changed}}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	expect(t, state(), "false false false")
}

// A server that wants the text with a save gets the one that is open, and others get none.
func TestTextOfASave(t *testing.T) {
	for save, want := range map[string]string{`{"includeText":true}`: `"one"`, `{"includeText":false}`: "", `{}`: ""} {
		p := start(t, lsptest.Script{Capabilities: raw(`{"textDocumentSync":{"openClose":true,"change":2,"save":` + save + `}}`)})
		p.sync("a.toy", "one")
		if err := p.Save(p.path("a.toy")); err != nil {
			t.Fatal(err)
		}
		p.alive()
		var params struct{ Text json.RawMessage }
		if err := json.Unmarshal(p.entries("notification", "textDocument/didSave")[0].Params, &params); err != nil {
			t.Fatal(err)
		}
		expect(t, string(params.Text), want)
	}
}

// A byte order mark is ours alone: neither sent nor counted, and a text that
// differs by nothing else is the same.
func TestByteOrderMarkIsNotSent(t *testing.T) {
	p := start(t, lsptest.Script{})
	p.sync("a.toy", "\ufeffERROR x")
	if synced := p.sync("a.toy", "ERROR x"); synced.Changed {
		t.Error("the mark alone made a change")
	}
	if column := p.next().Items[0].Range.Start.Character; column != 0 {
		t.Errorf("column %d", column)
	}
	opened := p.entries("notification", "textDocument/didOpen")
	var params struct{ TextDocument struct{ Text string } }
	if err := json.Unmarshal(opened[0].Params, &params); err != nil || params.TextDocument.Text != "ERROR x" {
		t.Errorf("sent %q, %v", params.TextDocument.Text, err)
	}
}

// What cannot be a text document, and what the server never offered, is an
// error before anything is sent.
func TestRefusedBeforeItIsSent(t *testing.T) {
	p := start(t, lsptest.Script{Sync: "none", Capabilities: raw(`{"hoverProvider":false,"documentSymbolProvider":null}`)})
	var text *lsp.TextError
	if _, err := p.Sync(p.path("a.toy"), []byte("\xff\xfe")); !errors.As(err, &text) {
		t.Errorf("bytes: %v", err)
	}
	if _, err := p.Sync(p.path("a.go"), []byte("package a")); !errors.As(err, &text) {
		t.Errorf("another language: %v", err)
	}
	if n := p.Info().OpenDocuments; n != 0 {
		t.Errorf("%d documents are open", n)
	}
	ctx, path := p.context(), p.path("main.toy")
	refused := map[string]func() error{
		"hover":   func() error { _, err := p.Hover(ctx, path, protocol.Position{}); return err },
		"symbols": func() error { _, err := p.Symbols(ctx, path); return err },
		"pull":    func() error { _, err := p.Pull(ctx, path, "", ""); return err },
		"command": func() error {
			_, err := p.Diagnose(ctx, lsptest.Script{Mode: lsptest.Command}.Definition(t).Diagnostics.Commands[0], path)
			return err
		},
		"actions": func() error { _, err := p.CodeActions(ctx, path, protocol.Range{}, nil, nil); return err },
		"change": func() error {
			p.sync("main.toy", "one")
			_, err := p.Sync(path, []byte("two"))
			return err
		},
	}
	for name, call := range refused {
		var unsupported *lsp.UnsupportedError
		if err := call(); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v, want an UnsupportedError", name, err)
		}
	}
	p.alive()
	if asked := p.entries("request", ""); len(asked) != 2 { // initialize, foldingRange
		t.Errorf("sent all the same: %+v", asked)
	}
	if n := len(p.entries("notification", "textDocument/didChange")); n != 0 {
		t.Errorf("%d changes were sent", n)
	}
}

// A document as large as a mebibyte arrives whole.
func TestLargeDocument(t *testing.T) {
	p := start(t, lsptest.Script{})
	text := lsptest.LongText(1<<20) + "ERROR at the end"
	p.sync("a.toy", text)
	compareText(t, text, p.next())
	changed := bytes.Replace([]byte(text), []byte("at the end"), []byte("moved"), 1)
	p.sync("a.toy", string(changed))
	compareText(t, string(changed), p.next())
	change := p.entries("notification", "textDocument/didChange")
	if n := len(change[0].Params); n > 1000 {
		t.Errorf("the change of a word was sent in %d bytes", n)
	}
	p.polite()
}
