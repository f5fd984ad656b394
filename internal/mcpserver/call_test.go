package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

// The same tools answer the same over every way and at every revision, as text
// and as the structured result.
func TestEveryWayAndRevision(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	for _, way := range ways {
		for _, revision := range revisions {
			if way == "http" && revision == "2024-11-05" {
				continue // that revision has another kind of HTTP
			}
			t.Run(way+"/"+revision, func(t *testing.T) {
				session := d.on(t).connect(way, revision, nil)
				if !strings.Contains(session.InitializeResult().Instructions, "check") {
					t.Error("no instructions")
				}
				a := call(t, session, "definition", `{"at":"main.toy:1 helper"}`)
				a.says(t, "lib.toy", "1:5")
				places := structured[render.Places](t, a)
				if a.IsError || places.Total != 1 || places.Files[0].Path != "lib.toy" {
					t.Errorf("structured: %+v", places)
				}
				call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors")
			})
		}
	}
}

// Whatever is wrong with a request is said to the model, with a way out, and
// neither the server nor the session ends.
func TestBadInput(t *testing.T) {
	archive := project + "-- big.toy --\n" + strings.Repeat("fine\n", 200) +
		"-- odd.toy --\n\tdef ünï\r\ndef a😀b\r\nuse ünï\r\n-- sub/x.toy --\ndef x\n"
	d := openDesk(t, lsptest.Script{}, archive)
	lsptest.WriteFile(t, filepath.Join(d.root, "binary.toy"), "a\x00b")
	lsptest.WriteFile(t, filepath.Join(d.root, "huge.toy"), strings.Repeat("use helper\n", 200_000))
	lsptest.WriteFile(t, filepath.Join(d.root, "bom.toy"), "\ufeffdef marked\nuse marked\n")
	session := d.connect("memory", newestEra, nil)
	for _, c := range []struct{ tool, args, kind, says string }{
		{"edit", `{}`, kindArgument, `edits: it is missing; an array is needed`},
		{"check", `{"files":7}`, kindArgument, "files: it is an integer; an array is needed"},
		{"check", `{"files":["main.toy"],"baseline":"yesterday"}`, kindArgument, "baseline|session, head, none"},
		{"check", `{"files":["main.toy"],"timeout_ms":-1}`, kindArgument, "timeout_ms"},
		{"definition", `{"at":7}`, kindArgument, "at: it is an integer; a string is needed|src/a.go:42 Load"},
		{"definition", `{"file":"main.toy","line":0,"column":1}`, kindArgument, "line|start"},
		{"definition", `{"fil":"main.toy"}`, kindArgument, `fil: there is no such argument|did you mean "file"?`},
		{"definition", `{"at":"man.toy:1:5"}`, kindNotFound, "no such file|main.toy"},
		{"definition", `{"at":"../x.toy:1:5"}`, kindOutside, "outside the workspace"},
		{"definition", `{"at":"sub:1:1"}`, kindArgument, "directory"},
		{"definition", `{"at":"binary.toy:1:1"}`, kindArgument, "binary"},
		{"definition", `{"at":"huge.toy:1:5"}`, kindArgument, "huge.toy|2200000 bytes are over the limit"},
		{"check", `{"files":["huge.toy"]}`, "", "huge.toy|over the limit"},
		{"definition", `{"at":"main.toy:1:5","workspace":7}`, kindArgument, "workspace: it is no string"},
		{"definition", `{"at":"main.toy:1:5","workspace":"nowhere"}`, kindArgument, "workspace|no such folder"},
		{"definition", `{"at":"main.toy:1:5","workspace":"main.toy"}`, kindArgument, "workspace|not a folder"},
		{"definition", `{"at":"odd.toy:3:500"}`, "", "odd.toy|note:"},
		{"definition", `{"at":"odd.toy:3 ünï"}`, "", "odd.toy"},
		{"definition", `{"at":"bom.toy:2 marked"}`, "", "bom.toy"},
		{"symbols", `{"file":"toy.root"}`, kindUnavailable, "no server knows"},
		{"check", `{"files":["gone.toy"]}`, "", "gone.toy|no such file"},
	} {
		a := call(t, session, c.tool, c.args)
		t.Run(c.tool+" "+c.args, func(t *testing.T) {
			if c.kind == "" && !a.IsError {
				a.says(t, strings.Split(c.says, "|")...)
				return
			}
			a.fails(t, c.kind, strings.Split(c.says, "|")...)
		})
	}
	_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing"})
	if err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("an unknown tool: %v", err)
	}
	call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors")
}

// Where no server can tell, the model is given the text search to run instead,
// with the name that it asked about.
func TestTextSearchIsTheWayOut(t *testing.T) {
	d := openDesk(t, lsptest.Script{Capabilities: json.RawMessage(`{"referencesProvider":null}`)}, project+"-- a.txt --\nhello world\n")
	session := d.connect("memory", newestEra, nil)
	for args, kind := range map[string]string{
		`{"at":"main.toy:1 helper"}`:                   kindUnsupported,
		`{"at":"main.toy:1:6"}`:                        kindUnsupported,
		`{"file":"main.toy","line":1,"column":11}`:     kindUnsupported,
		`{"file":"main.toy","symbol":"helper"}`:        kindNotFound,
		`{"at":"a.txt:1 world"}`:                       kindUnavailable,
		`{"file":"a.txt","line":1,"symbol":"x.world"}`: kindUnavailable,
	} {
		a := call(t, session, "references", args)
		switch kind {
		case kindUnsupported:
			a.fails(t, kind, "as text: grep -rnw \"helper\" .")
		case kindUnavailable:
			a.fails(t, kind, "as text: grep -rnw \"world\" .")
		}
	}
}

// Several calls are at work at once, and each answer is that of its own call.
func TestCallsAtOnce(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- toy.root --\n")
	for i := range 20 {
		fmt.Fprintf(&archive, "-- f%d.toy --\ndef name%d\nuse name%d\n", i, i, i)
	}
	d := openDesk(t, lsptest.Script{}, archive.String())
	session := d.connect("memory", newestEra, nil)
	done := make(chan string, 20)
	for i := range 20 {
		go func() {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "definition", Arguments: json.RawMessage(fmt.Sprintf(`{"at":"f%d.toy:2 name%d"}`, i, i))})
			text := ""
			if err == nil {
				text = result.Content[0].(*mcp.TextContent).Text
			}
			if !strings.Contains(text, fmt.Sprintf("f%d.toy", i)) || strings.Count(text, ".toy") != 1 {
				done <- fmt.Sprintf("%d: %v %s", i, err, text)
				return
			}
			done <- ""
		}()
	}
	for range 20 {
		if wrong := <-done; wrong != "" {
			t.Error(wrong)
		}
	}
}

// A call that the client cancels ends in the language server, too, and the
// session goes on.
func TestCancellationReachesTheServer(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			journal := filepath.Join(t.TempDir(), "journal")
			d := openDesk(t, lsptest.Script{
				JournalFile: journal, Rules: []lsptest.Rule{lsptest.On("textDocument/definition", lsptest.Hang())},
			}, project)
			session := d.connect(way, newestEra, nil)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "definition", Arguments: json.RawMessage(`{"at":"main.toy:1 helper"}`)})
				ended <- err
			}()
			received(t, journal, "textDocument/definition")
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the call ended with %v", err)
			}
			received(t, journal, "$/cancelRequest")
			call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors")
		})
	}
}

// received waits until the scripted server has got a message with the method.
func received(t *testing.T, journal, method string) {
	t.Helper()
	lsptest.Eventually(t, 30*time.Second, func() bool {
		for _, e := range lsptest.ReadJournal(t, journal) {
			if e.Method == method {
				return true
			}
		}
		return false
	}, "the server gets %s", method)
}

// A session that ends takes what it was doing with it at once, over every way:
// closed by the client or, over HTTP, deleted.
func TestTheEndOfASessionEndsItsCalls(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			journal := filepath.Join(t.TempDir(), "journal")
			d := openDesk(t, lsptest.Script{
				JournalFile: journal, Rules: []lsptest.Rule{lsptest.On("textDocument/definition", lsptest.Hang())},
			}, project)
			session := d.connect(way, "2025-06-18", nil)
			ended := make(chan error, 1)
			go func() {
				_, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "definition", Arguments: json.RawMessage(`{"at":"main.toy:1 helper"}`)})
				ended <- err
			}()
			received(t, journal, "textDocument/definition")
			if way == "http" {
				d.delete(session.ID())
			} else {
				d.server.Close()
			}
			select {
			case err := <-ended:
				if err == nil {
					t.Error("the call has a result")
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the call still runs")
			}
			received(t, journal, "$/cancelRequest")
		})
	}
}

// delete deletes a session over HTTP, all addresses of the desk being one server.
func (d *desk) delete(id string) {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodDelete, d.http()+"/mcp", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Mcp-Session-Id", id)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = resp.Body.Close()
}

// bomb is an engine that panics.
type bomb struct{}

func (bomb) Engine(context.Context, string) (engine.Caller, error) { return bomb{}, nil }

func (bomb) Call(context.Context, string, any, any) error { panic("kaboom") }

// A panic fails the one call.
func TestPanicFailsOneCall(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Engines = bomb{} })
	session := d.connect("memory", newestEra, nil)
	for range 2 {
		call(t, session, "status", `{}`).fails(t, kindFailed, "status: it failed inside", "kaboom")
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: statusURI}); err == nil || !strings.Contains(err.Error(), "kaboom") {
		t.Errorf("reading a resource: %v", err)
	}
}

// A call with a token that takes long says what the servers do, in growing
// numbers, and nothing once it is answered.
func TestProgress(t *testing.T) {
	script := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Delay(1500))}}
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			d := openDesk(t, script, project)
			notes := make(chan *mcp.ProgressNotificationParams, 100)
			session := d.connect("memory", revision, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { notes <- req.Params },
			})
			params := &mcp.CallToolParams{Name: "references", Arguments: json.RawMessage(`{"at":"lib.toy:1 helper"}`)}
			params.SetProgressToken("mine")
			if _, err := session.CallTool(t.Context(), params); err != nil {
				t.Fatal(err)
			}
			last, said := 0.0, ""
			n := len(notes)
			for range n {
				note := <-notes
				if note.ProgressToken != "mine" || note.Progress <= last || note.Message == "" {
					t.Errorf("after %g: %+v", last, note)
				}
				last = note.Progress
				said += note.Message
			}
			if !strings.Contains(said, "toy: starting") {
				t.Errorf("nothing of what the server does: %q", said)
			}
			if n < 2 || n > 6 {
				t.Errorf("%d notes in 1.5 s", n)
			}
			select {
			case note := <-notes:
				t.Errorf("after the result: %+v", note)
			case <-time.After(2 * progressEvery):
			}
		})
	}
}
