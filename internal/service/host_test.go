package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// finding is a diagnostic of the toy server on the wire.
func finding(file string, line, column, end int, severity, message string) string {
	return fmt.Sprintf(`{"file":%q,"line":%d,"character":%d,"column":%d,"endLine":%d,"endCharacter":%d,"severity":%q,"message":%q,"source":"toy"}`,
		file, line, column, column, line, end, severity, message)
}

// invalid is the error response about a field.
func invalid(field, reason string) string {
	return fmt.Sprintf(`"error":{"code":-32602,"message":"%[1]s %[2]s","data":{"kind":"argument","message":"%[1]s %[2]s","data":{"argument":"%[1]s","reason":"%[2]s"}}}`, field, reason)
}

// Each method, with right and with wrong params, as the JSON that goes in and comes out.
//
// Requirement: REQ-ARCH-020, REQ-ARCH-070, REQ-ARCH-080, REQ-CONTENT-010, REQ-CONTENT-020,
// REQ-DIAG-030, REQ-FMT-030, REQ-FMT-040, REQ-FMT-060, REQ-FMT-080, REQ-GRACE-010, REQ-SCOPE-010,
// REQ-BOUNDARY-010, REQ-BOUNDARY-030, REQ-PATH-010, REQ-KNOWN-010, REQ-KNOWN-020,
// BR-2, BR-4, BR-10, BR-31, BR-33, BR-45, BR-49, BR-50, BR-73, BR-87, BR-90,
// EC-16, EC-22, EC-23, EC-24, EC-26, EC-28, EC-36, EC-39, EC-43, EC-50, EC-51.
func TestConversation(t *testing.T) {
	k := openTalk(t, "-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n-- notes.txt --\nERROR here\n-- node_modules/dep.toy --\nERROR there\n", nil, lsptest.Script{})
	k.write("odd[1]/page.toy", "ERROR brackets\n")
	k.write("binary.toy", "ERROR\x00")
	outside := lsptest.Workspace(t, "-- x.toy --\nERROR outside\n")
	beside := k.root + "2"
	lsptest.WriteFile(t, filepath.Join(beside, "x.toy"), "ERROR beside\n")
	t.Cleanup(func() { _ = os.RemoveAll(beside) })
	if lsptest.HasLinks() { // else there is nothing at the name
		if err := os.Symlink(filepath.Join(outside, "x.toy"), filepath.Join(k.root, "link.toy")); err != nil {
			t.Fatal(err)
		}
	}
	undefined := finding("main.toy", 1, 5, 11, "error", "undefined: helper")
	none := `"result":[]`
	for _, c := range []struct{ do, method, params, want string }{
		{"", "lsp/getDiagnosticEpoch", `{}`, `"result":1`},
		{"", "lsp/diagnostics", `{}`, `"result":{}`},
		{"", "lsp/checkFile", `{"filePath":"ROOT/main.toy"}`, none},
		{"", "lsp/checkFile", `{"filePath":"main.toy"}`, none},
		// The text that is given counts, also when it is empty.
		{
			"", "lsp/checkFile", `{"filePath":"ROOT/main.toy","text":"WARN careful\n  ERROR a <b> & c\nuse helper\nERROR first\n"}`,
			`"result":[` + finding("main.toy", 2, 3, 8, "error", "a &lt;b&gt; &amp; c") + "," + finding("main.toy", 4, 1, 6, "error", "first") + `]`,
		},
		{"", "lsp/checkFile", `{"filePath":"ROOT/main.toy","text":""}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT/new.toy","text":"ERROR new\n"}`, `"result":[` + finding("new.toy", 1, 1, 6, "error", "new") + `]`},
		{"", "lsp/checkFile", `{"filePath":"ROOT/main.toy","text":null}`, none},
		// What is on disk counts where no text is given, and other files are not told of here.
		{"main.toy=use helper\nERROR é x\n", "lsp/checkFile", `{"filePath":"ROOT/main.toy"}`, `"result":[` + finding("main.toy", 2, 1, 6, "error", "é x") + `]`},
		{"main.toy=use helper\n", "lsp/checkFile", `{"filePath":"ROOT/main.toy"}`, none},
		{"lib.toy=def other\n", "lsp/checkFile", `{"filePath":"ROOT/lib.toy"}`, none},
		{"", "lsp/diagnostics", `{}`, `"result":{"ROOT/main.toy":[` + undefined + `]}`},
		{"", "lsp/diagnostics", ``, `"result":{"ROOT/main.toy":[` + undefined + `]}`},
		{"", "lsp/diagnostics", `[null]`, `"result":{"ROOT/main.toy":[` + undefined + `]}`},
		{"", "lsp/checkFile", `{"filePath":"ROOT/odd[1]/page.toy"}`, `"result":[` + finding("odd[1]/page.toy", 1, 1, 6, "error", "brackets") + `]`},
		{"", "lsp/diagnostics", `{}`, `"result":{"ROOT/main.toy":[` + undefined + `],"ROOT/odd[1]/page.toy":[` + finding("odd[1]/page.toy", 1, 1, 6, "error", "brackets") + `]}`},
		// What others mended or deleted is known no longer.
		{"lib.toy=def helper\n", "lsp/diagnostics", `{}`, `"result":{"ROOT/odd[1]/page.toy":[` + finding("odd[1]/page.toy", 1, 1, 6, "error", "brackets") + `]}`},
		{"-odd[1]/page.toy", "lsp/diagnostics", `{}`, `"result":{}`},
		{"", "lsp/diagnosticsAfter", `{"afterEpoch":0}`, `"result":{}`},
		{"", "lsp/diagnosticsAfter", `{"afterEpoch":1000000,"waitMs":1}`, `"result":{}`},
		// What has no diagnostics.
		{"", "lsp/checkFile", `{"filePath":"ROOT/none.toy"}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT"}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT/notes.txt"}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT/binary.toy"}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT/node_modules/dep.toy"}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT/link.toy"}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT2/x.toy"}`, none},
		{"", "lsp/checkFile", `{"filePath":"ROOT/../x.toy","text":"ERROR"}`, none},
		{"", "lsp/checkFile", `{"filePath":"` + lsptest.InJSON(outside) + `/x.toy"}`, none},
		// What is wrong with a request is said, and the service lives on.
		{"", "lsp/checkFile", `{}`, invalid("filePath", "must be a non-empty string")},
		{"", "lsp/checkFile", `{"filePath":""}`, invalid("filePath", "must be a non-empty string")},
		{"", "lsp/checkFile", `{"filePath":7}`, invalid("filePath", "must be a string")},
		{"", "lsp/checkFile", `{"filePath":"ROOT/main.toy","text":7}`, invalid("text", "must be a string")},
		{"", "lsp/checkFile", `["ROOT/main.toy"]`, invalid("params", "must be an object")},
		{"", "lsp/checkFile", ``, invalid("params", "must be an object")},
		{"", "lsp/diagnosticsAfter", `{}`, invalid("afterEpoch", "must be a whole number, from 0")},
		{"", "lsp/diagnosticsAfter", `{"afterEpoch":-1}`, invalid("afterEpoch", "must be a whole number, from 0")},
		{"", "lsp/diagnosticsAfter", `{"afterEpoch":1.5}`, invalid("afterEpoch", "must be a whole number, from 0")},
		{"", "lsp/diagnosticsAfter", `{"afterEpoch":"1"}`, invalid("afterEpoch", "must be a number")},
		{"", "lsp/diagnosticsAfter", `{"afterEpoch":1,"waitMs":-1}`, invalid("waitMs", "must be a number of milliseconds, from 0")},
		{"", "lspine/subscribe", `{"topics":[]}`, invalid("topics", "must name some of diagnostics, files, servers")},
		{"", "lspine/subscribe", `{"topics":["weather"]}`, invalid("topics", "must be of diagnostics, files, servers")},
		{"", "lspine/subscribe", `{"topics":"servers"}`, invalid("topics", "must be a list of strings")},
		{"", "lsp/unknown", `{}`, `"error":{"code":-32601,"message":"method not found: lsp/unknown","data":{"kind":"unsupported","message":"method not found: lsp/unknown"}}`},
		{"", "lspine/unknown", `{}`, `"error":{"code":-32601,"message":"method not found: lspine/unknown","data":{"kind":"unsupported","message":"method not found: lspine/unknown"}}`},
		{"", "check", `{}`, `"error":{"code":-32601,"message":"method not found: check","data":{"kind":"unsupported","message":"method not found: check"}}`},
		// Operations of the catalog take their own requests, and say what is wrong.
		{"", "lspine/workspace_folders", ``, `"result":{"root":"ROOT","folders":[{"path":"ROOT","servers":["toy"]}]}`},
		{"", "lspine/definition", `{"at":"main.toy:1:5"}`, `"result":{"symbol":"helper","what":"definition","total":1,"file_count":1,"files":[{"path":"lib.toy","count":1,"places":[{"line":1,"column":5,"end_line":1,"end_column":11,"text":"def helper"}]}]}`},
		{"", "lspine/definition", `{"file":"main.toy","line":0}`, `"error":{"code":-32602,"message":"line: 0 is below 1: lines and columns start there","data":{"kind":"argument","message":"line: 0 is below 1: lines and columns start there","hint":"for example line: 42","data":{"argument":"line","reason":"0 is below 1: lines and columns start there"}}}`},
		{"", "lspine/source", `{"at":"../x.toy:1:1"}`, `"error":{"code":-32000,"message":"../x.toy is outside the workspace ROOT","data":{"kind":"outside_workspace","message":"../x.toy is outside the workspace ROOT","hint":"name the folder that holds it with --root (lspine mcp: also with --allow-root)","data":{"path":"../x.toy"}}}`},
	} {
		if gone, ok := strings.CutPrefix(c.do, "-"); ok {
			if err := os.Remove(filepath.Join(k.root, gone)); err != nil {
				t.Fatal(err)
			}
		} else if name, text, ok := strings.Cut(c.do, "="); ok {
			k.write(name, text)
		}
		if got := k.ask(c.method, c.params); got != c.want {
			t.Errorf("%s %s %s:\n got %s\nwant %s", c.do, c.method, c.params, got, c.want)
		}
	}
}

// Nothing is read before lsp/ready was written: a host that waits for it is never overtaken.
//
// Requirement: REQ-START-010, BR-88.
func TestReadyComesBeforeAnythingIsRead(t *testing.T) {
	ours, theirs := net.Pipe()
	stream := &watched{Conn: theirs}
	served := make(chan error, 1)
	go func() {
		served <- (&Host{Caller: caller(func(context.Context, string, any, any) error { return nil })}).Serve(t.Context(), stream)
	}()
	first := make([]byte, len("Content-Length"))
	if _, err := ours.Read(first); err != nil || string(first) != "Content-Length" {
		t.Fatalf("%q, %v", first, err)
	}
	go func() { _, _ = ours.Write([]byte("x")) }() // is read now
	rest := make([]byte, 1000)
	if _, err := ours.Read(rest); err != nil {
		t.Fatal(err)
	}
	_ = ours.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if stream.early {
		t.Error("it read before it had written")
	}
}

// watched is a connection that notes a read before the first write has ended.
type watched struct {
	net.Conn
	wrote, early bool // of different times: the service orders them
}

func (w *watched) Read(b []byte) (int, error) {
	w.early = w.early || !w.wrote
	return w.Conn.Read(b)
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.Conn.Write(b)
	w.wrote = true
	return n, err
}

// When the engine fails, in whatever way, the methods lsp/... answer as if nothing was known,
// and operations say what it was.
//
// Requirement: REQ-GRACE-050, REQ-GRACE-055, BR-13, BR-37, EC-44.
func TestFailuresOfTheEngine(t *testing.T) {
	for _, failure := range []error{
		errors.New("it burns"), &result.Error{Kind: result.Unavailable, Message: "no server", Hint: "install one"}, context.DeadlineExceeded,
	} {
		root := lsptest.Workspace(t, "-- a.toy --\n")
		k := talkTo(t, root, &Host{Root: root, Caller: caller(func(context.Context, string, any, any) error { return failure })})
		for _, c := range []struct{ method, params, want string }{
			{"lsp/checkFile", `{"filePath":"ROOT/a.toy"}`, `"result":[]`},
			{"lsp/diagnostics", `{}`, `"result":{}`},
			{"lsp/diagnosticsAfter", `{"afterEpoch":1}`, `"result":{}`},
			{"lsp/status", `{}`, `"result":[]`},
		} {
			if got := k.ask(c.method, c.params); got != c.want {
				t.Errorf("%v: %s: %s", failure, c.method, got)
			}
		}
		of := result.ErrorOf(failure)
		want := fmt.Sprintf(`"error":{"code":-32000,"message":%q,"data":{"kind":%q,"message":%q`, of.Message, of.Kind, of.Message)
		if got := k.ask("lspine/check", `{}`); !strings.HasPrefix(got, want) || of.Hint != "" && !strings.Contains(got, `"hint":"install one"`) {
			t.Errorf("lspine/check: %s, want %s", got, want)
		}
	}
	panics := talkTo(t, t.TempDir(), &Host{Caller: caller(func(context.Context, string, any, any) error { panic("oh") })})
	if got := panics.ask("lsp/status", `{}`); !strings.HasPrefix(got, `"error":{"code":-32603,"message":"it failed inside: oh"`) {
		t.Errorf("a panic: %s", got)
	}
	if got := panics.ask("lsp/unknown", `{}`); !strings.HasPrefix(got, `"error":{"code":-32601`) {
		t.Errorf("after a panic: %s", got)
	}
}

// Requests run beside each other: one that a server never answers holds up no other, and ends
// when the host cancels it.
//
// Requirement: REQ-TIME-080, REQ-CONC-020, BR-85, EC-14, EC-48.
func TestCancelEndsOneRequest(t *testing.T) {
	k := openTalk(t, "-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n", func(c *config.Config, _ *Host) {
		c.Settings.RequestTimeout = time.Hour
	}, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/definition", lsptest.Hang())}})
	k.send(`{"jsonrpc":"2.0","id":"slow","method":"lspine/definition","params":{"at":"main.toy:1:5"}}`)
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/lib.toy"}`); got != `"result":[]` {
		t.Errorf("beside it: %s", got)
	}
	k.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"slow"}}`)
	if got := k.receive(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"slow","error":{"code":-32800,`) {
		t.Errorf("the canceled one: %s", got)
	}
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/lib.toy"}`); got != `"result":[]` {
		t.Errorf("after it: %s", got)
	}
}

// The severities that are included replace the errors, in a check and in what is known alike;
// caps are the host's affair. Keys are relative where the host wants that.
//
// Requirement: REQ-FMT-065, REQ-FMT-067, REQ-CFG-060, BR-38, BR-39, BR-64, EC-25.
func TestIncludedSeverities(t *testing.T) {
	k := openTalk(t, "-- a.toy --\nWARN w\nERROR e\n", func(c *config.Config, h *Host) {
		c.Settings.IncludeSeverities, h.Relative = []config.Severity{config.Warning}, true
		c.Settings.MaxDiagnosticsPerFile = 1
	}, lsptest.Script{})
	warning := finding("a.toy", 1, 1, 5, "warning", "w")
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); got != `"result":[`+warning+`]` {
		t.Errorf("a check: %s", got)
	}
	if got := k.ask("lsp/diagnostics", `{}`); got != `"result":{"a.toy":[`+warning+`]}` {
		t.Errorf("what is known: %s", got)
	}
}

// Several servers that say the same are one; who starts at once is started once.
//
// Requirement: REQ-FMT-070, REQ-CONC-010, REQ-ARCH-090, BR-9, BR-82, EC-15, EC-20, EC-21, EC-46.
func TestSameFindingOfSeveralServers(t *testing.T) {
	k := openTalk(t, "-- a.toy --\nERROR one\n-- b.toy --\nERROR two\n", nil, lsptest.Script{}, lsptest.Script{ID: "second"})
	for id, file := range []string{"a", "b", "a", "b"} {
		k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"lsp/checkFile","params":{"filePath":"ROOT/%s.toy"}}`, id, file))
	}
	got := make([]string, 4)
	for range got {
		answer := k.receive()
		var id int
		if _, err := fmt.Sscanf(answer, `{"jsonrpc":"2.0","id":%d,`, &id); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		got[id] = answer
	}
	for id, file := range []string{"a", "b", "a", "b"} {
		message := map[string]string{"a": "one", "b": "two"}[file]
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":[%s]}`, id, finding(file+".toy", 1, 1, 6, "error", message))
		if got[id] != want {
			t.Errorf("%s, want %s", got[id], want)
		}
	}
	for _, s := range member[[]result.Server](t, k.ask("lspine/status", `{"scope":"running"}`), "servers") {
		if s.Starts != 1 {
			t.Errorf("%s was started %d times", s.ID, s.Starts)
		}
	}
}

// The epoch grows with each check; who asks for what comes after one waits for it.
//
// Requirement: BR-83.
func TestDiagnosticsAfterAnEpoch(t *testing.T) {
	k := openTalk(t, "-- a.toy --\nERROR one\n", nil, lsptest.Script{})
	before := decoded[int](t, k.ask("lsp/getDiagnosticEpoch", `{}`))
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"after","method":"lsp/diagnosticsAfter","params":{"afterEpoch":%d,"waitMs":60000}}`, before))
	k.send(`{"jsonrpc":"2.0","id":"check","method":"lsp/checkFile","params":{"filePath":"ROOT/a.toy"}}`)
	got := []string{k.receive(), k.receive()}
	slices.Sort(got)
	one := finding("a.toy", 1, 1, 6, "error", "one")
	if got[1] != `{"jsonrpc":"2.0","id":"check","result":[`+one+`]}` || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":"after","result":{`) {
		t.Errorf("%q", got)
	}
	if after := decoded[int](t, k.ask("lsp/getDiagnosticEpoch", `{}`)); after <= before {
		t.Errorf("the epoch is %d after %d", after, before)
	}
}

// Subscribers hear of servers and of diagnostics until the end.
func TestSubscribe(t *testing.T) {
	k := openTalk(t, "-- a.toy --\nERROR one\n", nil, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/didChange", 1, lsptest.Crash(1))}})
	if got := k.ask("lspine/subscribe", `{"topics":["servers"]}`); got != `"result":{"topics":["servers"]}` {
		t.Fatal(got)
	}
	k.send(`{"jsonrpc":"2.0","id":7,"method":"lsp/checkFile","params":{"filePath":"ROOT/a.toy"}}`)
	got := []string{k.receive(), k.receive()}
	slices.Sort(got) // the answer begins with its id
	if !strings.Contains(got[0], `"id":7,"result":[`) || !strings.HasPrefix(got[1], `{"jsonrpc":"2.0","method":"lspine/event","params":{"topic":"servers","server":{"number":1,`) || !strings.Contains(got[1], `"kind":"started","server":"toy","root":"."`) {
		t.Errorf("%q", got)
	}
	k.write("a.toy", "\n")
	k.send(`{"jsonrpc":"2.0","id":8,"method":"lsp/checkFile","params":{"filePath":"ROOT/a.toy"}}`)
	seen := k.receive() + k.receive()
	for _, part := range []string{`"id":8,"result":[]`, `"kind":"given_up"`} {
		if !strings.Contains(seen, part) {
			t.Errorf("%s is not in %s", part, seen)
		}
	}
	// Events that are known already may come before the answer.
	k.send(`{"jsonrpc":"2.0","id":9,"method":"lspine/subscribe","params":{"topics":["files"]}}`)
	got = []string{k.receive(), k.receive()}
	slices.Sort(got)
	want := []string{
		`{"jsonrpc":"2.0","id":9,"result":{"topics":["files","servers"]}}`,
		`{"jsonrpc":"2.0","method":"lspine/event","params":{"topic":"files","files":["a.toy"]}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	quiet := openTalk(t, "-- a.toy --\nERROR one\n", nil, lsptest.Script{})
	quiet.send(`{"jsonrpc":"2.0","id":1,"method":"lspine/subscribe","params":{"topics":["diagnostics","diagnostics"]}}`)
	first := []string{quiet.receive(), quiet.receive()}
	slices.Sort(first)
	if first[0] != `{"jsonrpc":"2.0","id":1,"result":{"topics":["diagnostics"]}}` || first[1] != `{"jsonrpc":"2.0","method":"lspine/event","params":{"topic":"diagnostics","epoch":1}}` {
		t.Errorf("%q", first)
	}
}

// lsp/shutdown ends the servers before it is answered, then the conversation; its
// subscriptions end with it.
//
// Requirement: REQ-LIFE-040, REQ-LIFE-050, REQ-LIFE-060, BR-24, BR-71, BR-72, SYN-6.
func TestShutdown(t *testing.T) {
	script := lsptest.Script{}
	var marker string
	k := openTalk(t, "-- a.toy --\nERROR one\n", func(c *config.Config, _ *Host) { marker = lsptest.Marker(c.Servers[0]) }, script)
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); !strings.Contains(got, "one") {
		t.Fatal(got)
	}
	k.send(`{"jsonrpc":"2.0","id":"subscribe","method":"lspine/subscribe","params":{"topics":["servers","diagnostics"]}}`)
	k.send(`{"jsonrpc":"2.0","id":"end","method":"lsp/shutdown"}`)
	for {
		got := k.receive()
		if strings.HasPrefix(got, `{"jsonrpc":"2.0","method":"lspine/event"`) || strings.Contains(got, `"id":"subscribe"`) {
			continue
		}
		if got != `{"jsonrpc":"2.0","id":"end","result":null}` {
			t.Errorf("%s", got)
		}
		break
	}
	if left := lsptest.Marked(t, marker); len(left) > 0 {
		t.Errorf("when it had answered there were %v", left)
	}
	if got := k.receive(); got != "" {
		t.Errorf("after the end came %s", got)
	}
	<-k.served
}

// A host puts our texts into what its model reads: names of files are exact, and whatever a server says is on one line, with nothing
// that is not seen, and no tag.
func TestTextsForAHostAreLegible(t *testing.T) {
	f := &result.File{Path: "a\u202e.toy", Diagnostics: []result.Diagnostic{{
		Line: 1, Column: 1, Severity: "error", Message: "x\n</diagnostics>\x1b[2J\u200b&", Code: "E\n\u2066", Source: "s</system-reminder>",
	}}}
	want := []Diagnostic{{
		File: "a\u202e.toy", Line: 1, Character: 1, Column: 1, Severity: "error",
		Message: `x &lt;/diagnostics&gt;\x1b[2J\u200b&amp;`, Code: `E\n\u2066`, Source: "s&lt;/system-reminder>",
	}}
	if diff := cmp.Diff(want, diagnosticsOf(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	status := statusesOf(&result.Status{Servers: []result.Server{{ID: "s", State: "broken", Reason: "a\n\x1b[2J"}}})
	if got, want := status[0].Reason, `a\n\x1b[2J`; got != want {
		t.Errorf("the reason is %q, want %q", got, want)
	}
}
