package protocol

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("not as in %s (go test -update writes it):\n%s", file, got)
	}
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// initialize announces exactly what is implemented: the golden files are the
// list. Pull is announced when asked, and only then, because many servers stop
// pushing once they see it.
//
// Requirement: SYN-5, SYN-8.
func TestInitializeAnnouncesWhatIsMeant(t *testing.T) {
	push := indented(t, InitializeParams([]string{"/some/root dir"}, "1.2.3", 42, nil, Announce{}))
	pull := indented(t, InitializeParams([]string{"/some/root dir"}, "1.2.3", 42, json.RawMessage(`{"a":[1,null]}`), Announce{Pull: true}))
	remote := indented(t, InitializeParams([]string{"/r"}, "dev", 0, nil, Announce{}))
	golden(t, "initialize_push.json", push)
	golden(t, "initialize_pull.json", pull)
	golden(t, "initialize_peer.json", remote)

	type params struct {
		ProcessID             json.RawMessage
		InitializationOptions json.RawMessage
		Capabilities          struct {
			TextDocument map[string]json.RawMessage
			Workspace    map[string]json.RawMessage
		}
	}
	decode := func(raw []byte) (p params) {
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		raw          []byte
		pull         bool
		pid, options string
	}{{push, false, "42", ""}, {pull, true, "42", `{"a":[1,null]}`}, {remote, false, "null", ""}} {
		p := decode(c.raw)
		if _, announced := p.Capabilities.TextDocument["diagnostic"]; announced != c.pull {
			t.Errorf("textDocument.diagnostic is announced: %t", announced)
		}
		if _, announced := p.Capabilities.Workspace["diagnostics"]; announced != c.pull {
			t.Errorf("workspace.diagnostics is announced: %t", announced)
		}
		var options bytes.Buffer
		_ = json.Compact(&options, p.InitializationOptions)
		if string(p.ProcessID) != c.pid || options.String() != c.options {
			t.Errorf("pid %s, options %s", p.ProcessID, &options)
		}
	}
}

// Parameters are on the wire what LSP says: nothing that was not given, and
// text byte for byte.
func TestParams(t *testing.T) {
	const u = DocumentURI("file:///a")
	place, text := Position{1, 2}, "t"
	r := Range{place, Position{3, 4}}
	for _, c := range []struct {
		name   string
		params any
		want   string
	}{
		{"open", DidOpenParams(u, "go", 1, "é\r\n<&>\u2028\x00"), `{"textDocument":{"uri":"file:///a","languageId":"go","version":1,"text":"é\r\n<&>\u2028\u0000"}}`},
		{"change all", DidChangeParams(u, 2, nil, ""), `{"textDocument":{"uri":"file:///a","version":2},"contentChanges":[{"text":""}]}`},
		{"change a part", DidChangeParams(u, 2, &r, "x"), `{"textDocument":{"uri":"file:///a","version":2},"contentChanges":[{"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"text":"x"}]}`},
		{"change at the very start", DidChangeParams(u, 2, &Range{}, ""), `{"textDocument":{"uri":"file:///a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":""}]}`},
		{"save", DidSaveParams(u, nil), `{"textDocument":{"uri":"file:///a"}}`},
		{"save with text", DidSaveParams(u, &text), `{"textDocument":{"uri":"file:///a"},"text":"t"}`},
		{"close", DocumentParams(u), `{"textDocument":{"uri":"file:///a"}}`},
		{"position", PositionParams(u, place), `{"textDocument":{"uri":"file:///a"},"position":{"line":1,"character":2}}`},
		{"references", ReferenceParams(u, place, true), `{"textDocument":{"uri":"file:///a"},"position":{"line":1,"character":2},"context":{"includeDeclaration":true}}`},
		{"references elsewhere", ReferenceParams(u, Position{}, false), `{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0},"context":{"includeDeclaration":false}}`},
		{"actions", CodeActionParams(u, r, CodeActionContext{}), `{"textDocument":{"uri":"file:///a"},"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"context":{"diagnostics":[],"triggerKind":1}}`},
		{
			"actions for diagnostics", CodeActionParams(u, Range{}, CodeActionContext{Only: []string{"quickfix"}, Diagnostics: []Diagnostic{
				{Range: r, Message: "ours", Raw: json.RawMessage(`{"message":"theirs","data":[1]}`)},
				{Range: r, Severity: SeverityError, Code: "2304", Source: "ts", Message: "m", Tags: []Tag{Unnecessary}},
				{Range: r, Severity: SeverityHint, Code: "E1", Message: "é<"},
			}}), `{"textDocument":{"uri":"file:///a"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"only":["quickfix"],"triggerKind":1,"diagnostics":[
				{"message":"theirs","data":[1]},
				{"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"severity":1,"code":2304,"source":"ts","message":"m","tags":[1]},
				{"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"severity":4,"code":"E1","message":"é<"}]}}`,
		},
		{"rename", RenameParams(u, place, "é"), `{"textDocument":{"uri":"file:///a"},"position":{"line":1,"character":2},"newName":"é"}`},
		{"rename files", RenameFilesParams([]FileRename{{u, "file:///b"}}), `{"files":[{"oldUri":"file:///a","newUri":"file:///b"}]}`},
		{"format", FormattingParams(u, nil, FormattingOptions{TabSize: 2}), `{"textDocument":{"uri":"file:///a"},"options":{"tabSize":2,"insertSpaces":false}}`},
		{
			"format a range", FormattingParams(u, &r, FormattingOptions{TabSize: 4, InsertSpaces: true, TrimTrailingWhitespace: true, InsertFinalNewline: true, TrimFinalNewlines: true}),
			`{"textDocument":{"uri":"file:///a"},"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"options":{"tabSize":4,"insertSpaces":true,"trimTrailingWhitespace":true,"insertFinalNewline":true,"trimFinalNewlines":true}}`,
		},
		{"pull", PullParams(u, "", ""), `{"textDocument":{"uri":"file:///a"}}`},
		{"pull again", PullParams(u, "i", "p"), `{"textDocument":{"uri":"file:///a"},"identifier":"i","previousResultId":"p"}`},
		{"command", ExecuteCommandParams("c", nil), `{"command":"c"}`},
		{"command with arguments", ExecuteCommandParams("c", []json.RawMessage{json.RawMessage(`{"a":1}`), json.RawMessage(`null`)}), `{"command":"c","arguments":[{"a":1},null]}`},
		{"files", WatchedFilesParams([]FileEvent{{u, Created}, {u, Changed}, {u, Deleted}}), `{"changes":[{"uri":"file:///a","type":1},{"uri":"file:///a","type":2},{"uri":"file:///a","type":3}]}`},
		{"no files", WatchedFilesParams(nil), `{"changes":[]}`},
		{"a range", RangeParams(u, r), `{"textDocument":{"uri":"file:///a"},"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}}`},
		{"a query", QueryParams("x"), `{"query":"x"}`},
		{"no query", QueryParams(""), `{"query":""}`},
		{"folders", FoldersParams([]string{"/a b", "/c"}, nil), `{"event":{"added":[{"uri":"file:///a%20b","name":"a b"},{"uri":"file:///c","name":"c"}],"removed":[]}}`},
		{"fewer folders", FoldersParams(nil, []string{"/c"}), `{"event":{"added":[],"removed":[{"uri":"file:///c","name":"c"}]}}`},
		{"all folders", Folders([]string{"/c"}), `[{"uri":"file:///c","name":"c"}]`},
		{"raw", json.RawMessage(`{"x":[1, 2]}`), `{"x":[1, 2]}`},
	} {
		raw, err := Marshal(c.params)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !sameJSON(t, string(raw), c.want) {
			t.Errorf("%s is\n%s, want\n%s", c.name, raw, c.want)
		}
		if strings.Contains(string(raw), `":null`) {
			t.Errorf("%s sends a null member: %s", c.name, raw)
		}
	}
}

// sameJSON compares values; the order of members and the way to escape do not
// count.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	first, _ := json.Marshal(x)
	second, _ := json.Marshal(y)
	return bytes.Equal(first, second)
}
