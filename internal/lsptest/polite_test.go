package lsptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A polite server publishes the truth about a document with its version, again
// after an incremental and a full change, and empty when it is closed.
func TestPushTellsTheTruthOfEachVersion(t *testing.T) {
	c := open(t, Script{})
	c.didOpen("a.toy", "def a\nx ERROR no such thing\nWARN odd\n")
	got := []string{c.published()}
	c.didChange("a.toy", 2, `{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"text":""}`)
	got = append(got, c.published())
	c.didChange("a.toy", 3, `{"text":"use nothing"}`)
	got = append(got, c.published())
	c.notify("textDocument/didClose", c.in("a.toy", 0, 0))
	got = append(got, c.published())
	want := []string{
		"a.toy 1: no such thing, odd",
		"a.toy 2: odd",
		"a.toy 3: undefined: nothing",
		"a.toy:",
	}
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if v := c.violations(); v != nil {
		t.Errorf("violations: %q", v)
	}
}

// A use in one file is resolved by a def in another: open text before the
// disk, and the disk only as it was last told.
func TestTruthCrossesFiles(t *testing.T) {
	c := open(t, Script{})
	c.didOpen("main.toy", "use helper\n")
	expect := func(want string) {
		t.Helper()
		if got := c.published(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	expect("main.toy 1: undefined: helper")
	c.didOpen("lib.toy", "def helper\n")
	expect("lib.toy 1: ")
	expect("main.toy 1: ")
	c.notify("textDocument/didClose", c.in("lib.toy", 0, 0))
	expect("lib.toy: ")
	expect("main.toy 1: undefined: helper")

	WriteFile(t, filepath.Join(c.root, "new.toy"), "def helper\n")
	c.didChange("main.toy", 2, `{"text":"use helper"}`)
	expect("main.toy 2: undefined: helper")
	c.notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":`+quote(c.uri("new.toy"))+`,"type":1}]}`)
	expect("main.toy 2: ")
}

// Each mode tells diagnostics its own way, and the Definition says which.
func TestModes(t *testing.T) {
	const text = "x ERROR broken"
	t.Run("push without version", func(t *testing.T) {
		c := open(t, Script{Mode: Push})
		c.didOpen("a.toy", text)
		if got := c.published(); got != "a.toy: broken" {
			t.Error(got)
		}
	})
	for _, mode := range []Mode{Pull, PullDynamic, PushAndPull} {
		t.Run(string(mode), func(t *testing.T) { testPull(t, mode) })
	}
	t.Run("command", func(t *testing.T) {
		c := open(t, Script{Mode: Command})
		c.didOpen("a.toy", text)
		c.call("textDocument/foldingRange", c.in("a.toy", 0, 0))
		if n := count(c.notes, "textDocument/publishDiagnostics"); n != 0 {
			t.Errorf("%d publishes before the command", n)
		}
		c.call("workspace/executeCommand", `{"command":"toy.diagnose","arguments":[`+quote(c.uri("a.toy"))+`]}`)
		if n := count(c.notes, "textDocument/publishDiagnostics"); n != 1 {
			t.Errorf("%d publishes before the command's answer, want 1", n)
		}
	})
	t.Run("progress", func(t *testing.T) {
		c := open(t, Script{Mode: Progress, Silent: true})
		c.next("$/progress") // the two of initialized
		c.next("$/progress")
		c.didOpen("a.toy", text)
		begin := c.next("$/progress")
		if !strings.Contains(string(begin.Params), `"title":"diagnosing a.toy"`) {
			t.Errorf("begin: %s", begin.Params)
		}
		if got := c.published(); got != "a.toy 1: broken" {
			t.Error(got)
		}
		if end := c.next("$/progress"); !strings.Contains(string(end.Params), `"kind":"end"`) {
			t.Errorf("end: %s", end.Params)
		}
		c.didChange("a.toy", 2, `{"text":"x ERROR broken"}`)
		c.next("$/progress")
		if m := c.read(); m.Method != "$/progress" {
			t.Errorf("a silent server said %s for an unchanged set", m.Method)
		}
	})
	t.Run("silent when unchanged", func(t *testing.T) {
		c := open(t, Script{Silent: true})
		c.didOpen("a.toy", text)
		c.didChange("a.toy", 2, `{"text":"x ERROR broken"}`)
		c.didChange("a.toy", 3, `{"text":"fine"}`)
		if got := c.published() + c.published(); got != "a.toy 1: brokena.toy 3: " {
			t.Error(got)
		}
	})
	t.Run("closed files, too", func(t *testing.T) {
		c := open(t, Script{PublishClosed: true})
		if got := c.published(); got != "main.toy: undefined: helper" {
			t.Error(got)
		}
	})
	t.Run("only after save", func(t *testing.T) {
		c := open(t, Script{NeedsSave: true})
		c.didOpen("a.toy", text)
		c.didChange("a.toy", 2, `{"text":"fine"}`)
		c.notify("textDocument/didSave", c.in("a.toy", 0, 0))
		if got := c.published() + c.published(); got != "a.toy 1: brokena.toy 2: " {
			t.Error(got)
		}
	})
}

func testPull(t *testing.T, mode Mode) {
	c := start(t, Script{Mode: mode})
	initialized := string(c.initialize().Result)
	if static := strings.Contains(initialized, "diagnosticProvider"); static == (mode == PullDynamic) {
		t.Errorf("announced statically: %t", static)
	}
	if mode == PullDynamic {
		m := c.next("client/registerCapability")
		if !strings.Contains(string(m.Params), "textDocument/diagnostic") {
			t.Errorf("registered: %s", m.Params)
		}
	}
	c.didOpen("a.toy", "x ERROR broken")
	var full report
	if err := json.Unmarshal(c.call("textDocument/diagnostic", c.in("a.toy", 0, 0)).Result, &full); err != nil {
		t.Fatal(err)
	}
	if got := c.messages(full.Items); full.Kind != "full" || got != "broken" {
		t.Errorf("%s: %s", full.Kind, got)
	}
	again := `{"textDocument":{"uri":` + quote(c.uri("a.toy")) + `},"previousResultId":` + quote(full.ResultID) + `}`
	if got := string(c.call("textDocument/diagnostic", again).Result); !strings.Contains(got, `"unchanged"`) {
		t.Errorf("the second pull: %s", got)
	}
	if got := string(c.call("workspace/diagnostic", `{"previousResultIds":[]}`).Result); !strings.Contains(got, "undefined: helper") {
		t.Errorf("the workspace: %s", got)
	}
	if n := count(c.notes, "textDocument/publishDiagnostics"); (n > 0) != (mode == PushAndPull) {
		t.Errorf("%d publishes", n)
	}
}

func count(all []message, method string) (n int) {
	for _, m := range all {
		if m.Method == method {
			n++
		}
	}
	return n
}

// Columns are counted in the announced encoding, both ways.
func TestPositionEncodings(t *testing.T) {
	const text = "é😀ERROR bad"
	for encoding, column := range map[string]int{"": 3, "utf-8": 6, "utf-16": 3, "utf-32": 2} {
		c := open(t, Script{PositionEncoding: encoding})
		c.didOpen("a.toy", text)
		var p struct{ Diagnostics []diagnostic }
		if err := json.Unmarshal(c.next("textDocument/publishDiagnostics").Params, &p); err != nil {
			t.Fatal(err)
		}
		if got := p.Diagnostics[0].Range.Start.Character; got != column {
			t.Errorf("%q: the column is %d, want %d", encoding, got, column)
		}
		at := string(encode(position{0, column}))
		c.didChange("a.toy", 2, `{"range":{"start":`+at+`,"end":`+at+`},"text":"WARN ERROR new "}`)
		if got := c.published(); got != "a.toy 2: new ERROR bad, ERROR new ERROR bad" {
			t.Errorf("%q: %s", encoding, got)
		}
		if v := c.violations(); v != nil {
			t.Errorf("%q: %q", encoding, v)
		}
	}
}

// Navigation answers from all files.
func TestNavigation(t *testing.T) {
	c := open(t, Script{})
	c.didOpen("a.toy", "use other\n")
	if got := string(c.call("textDocument/definition", c.in("a.toy", 0, 5)).Result); !strings.Contains(got, "lib.toy") {
		t.Errorf("definition: %s", got)
	}
	if got := string(c.call("textDocument/references", c.in("a.toy", 0, 5)).Result); strings.Count(got, `"uri"`) != 2 {
		t.Errorf("references: %s", got)
	}
	if got := string(c.call("textDocument/hover", c.in("a.toy", 0, 5)).Result); !strings.Contains(got, "def other") {
		t.Errorf("hover: %s", got)
	}
	if got := string(c.call("textDocument/hover", c.in("a.toy", 0, 1)).Result); got != "null" {
		t.Errorf("hover beside it: %s", got)
	}
	if got := string(c.call("textDocument/documentSymbol", c.in("lib.toy", 0, 0)).Result); !strings.Contains(got, `"name":"other"`) {
		t.Errorf("symbols: %s", got)
	}
	if e := c.call("textDocument/rename", "{}").Error; e == nil || e.Code != -32601 {
		t.Errorf("an unknown method: %v", e)
	}
}

// shutdown and exit end the server with 0; exit alone, or the mere end of
// stdin, with 1.
func TestEnd(t *testing.T) {
	c := open(t, Script{})
	c.call("shutdown", "null")
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := c.wait(); code != 0 {
		t.Errorf("after shutdown and exit: %d", code)
	}
	if code := open(t, Script{}).wait(); code != 1 {
		t.Errorf("after the end of stdin: %d", code)
	}
}

// The journal has everything that came, and names what broke the protocol.
func TestJournal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal")
	c := start(t, Script{JournalFile: file, Rules: []Rule{On("initialized", Ask("workspace/workspaceFolders", ""))}})
	c.request("textDocument/hover", "{}")
	c.initialize()
	c.next("workspace/workspaceFolders")
	c.didChange("a.toy", 1, `{"text":""}`)
	var got []string
	for _, e := range c.journal() {
		got = append(got, strings.TrimSpace(e.Kind+" "+e.Method+e.Text))
	}
	want := []string{
		"request textDocument/hover",
		"violation textDocument/hover before initialize was answered",
		"request initialize",
		"notification initialized",
		"response client/registerCapability",
		"response workspace/workspaceFolders",
		"notification textDocument/didChange",
		"violation textDocument/didChange of " + c.uri("a.toy") + ", which is not open",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if n := len(ReadJournal(t, file)); n != len(want) {
		t.Errorf("the file has %d entries, want %d", n, len(want))
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// What a client must not do stands in the journal as a violation.
func TestViolations(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal")
	c := open(t, Script{JournalFile: file})
	m := c.next("client/registerCapability")
	c.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":null}`)
	c.didOpen("a.toy", "é")
	c.didOpen("a.toy", "é")
	c.didChange("a.toy", 1, `{"text":"é"}`)
	c.didChange("a.toy", 2, `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":2}},"text":""}`)
	c.notify("textDocument/didClose", c.in("b.toy", 0, 0))
	c.call("shutdown", "null")
	c.request("textDocument/hover", "{}")
	c.notify("exit", "null")
	if code := c.wait(); code != 0 {
		t.Errorf("code %d", code)
	}
	var got []string
	for _, e := range ReadJournal(t, file) {
		if e.Kind == "violation" {
			got = append(got, strings.ReplaceAll(e.Text, c.uri("a.toy"), "a.toy"))
		}
	}
	want := []string{
		"a response to no request: id 1",
		"didOpen of a.toy, which is open",
		"didChange of a.toy from version 1 to 1",
		"didChange of a.toy: range {Start:{Line:0 Character:0} End:{Line:0 Character:2}} is not one of the text",
		"textDocument/didClose of " + c.uri("b.toy") + ", which is not open",
		"textDocument/hover after shutdown",
		"exit has a params member: null",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A late publish comes after the answers of the meantime, and tells of the
// version it was made for.
func TestPublishDelay(t *testing.T) {
	c := open(t, Script{PublishDelay: 50})
	c.didOpen("a.toy", "ERROR x")
	c.didChange("a.toy", 2, `{"text":""}`)
	c.call("textDocument/foldingRange", "{}")
	if n := count(c.notes, "textDocument/publishDiagnostics"); n != 0 {
		t.Errorf("%d publishes came at once", n)
	}
	if got := c.published() + "; " + c.published(); got != "a.toy 1: x; a.toy 2: " {
		t.Error(got)
	}
}
