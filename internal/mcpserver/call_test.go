package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
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
				a := call(t, session, "definition", `{"at":"main.toy:1 helper","structured":"full"}`)
				a.says(t, "lib.toy", "1:5")
				places := structured[result.Places](t, a)
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
//
// Requirement: AGENT-40.
func TestBadInput(t *testing.T) {
	archive := project + "-- big.toy --\n" + strings.Repeat("fine\n", 200) +
		"-- odd.toy --\n\tdef ünï\r\ndef a😀b\r\nuse ünï\r\n-- sub/x.toy --\ndef x\n"
	d := openDesk(t, lsptest.Script{}, archive)
	lsptest.WriteFile(t, filepath.Join(d.root, "binary.toy"), "a\x00b")
	lsptest.WriteFile(t, filepath.Join(d.root, "huge.toy"), strings.Repeat("use helper\n", 200_000))
	lsptest.WriteFile(t, filepath.Join(d.root, "bom.toy"), "\ufeffdef marked\nuse marked\n")
	session := d.connect("memory", newestEra, nil)
	for _, c := range []struct {
		tool, args string
		kind       result.Kind
		says       string
	}{
		{"edit", `{}`, result.Argument, `edits: it is missing; an array is needed`},
		{"check", `{"files":7}`, result.Argument, "files: it is an integer; an array is needed"},
		{"check", `{"files":["main.toy"],"baseline":"yesterday"}`, result.Argument, "baseline|session, head, none"},
		{"check", `{"files":["main.toy"],"timeout_ms":-1}`, result.Argument, "timeout_ms"},
		{"definition", `{"at":7}`, result.Argument, "at: it is an integer; a string is needed|src/a.go:42 Load"},
		{"definition", `{"file":"main.toy","line":0,"column":1}`, result.Argument, "line|start"},
		{"definition", `{"fil":"main.toy"}`, result.Argument, `fil: there is no such argument|did you mean "file"?`},
		{"definition", `{"at":"man.toy:1:5"}`, result.NotFound, "no such file|main.toy"},
		{"definition", `{"at":"../x.toy:1:5"}`, result.Outside, "outside the workspace"},
		{"definition", `{"at":"sub:1:1"}`, result.Argument, "directory"},
		{"definition", `{"at":"binary.toy:1:1"}`, result.Argument, "binary"},
		{"definition", `{"at":"huge.toy:1:5"}`, result.Argument, "huge.toy|2200000 bytes are over the limit"},
		{"check", `{"files":["huge.toy"]}`, "", "huge.toy|over the limit"},
		{"definition", `{"at":"main.toy:1:5","workspace":7}`, result.Argument, "workspace: it is no string"},
		{"definition", `{"at":"main.toy:1:5","workspace":"nowhere"}`, result.Argument, "workspace|no such folder"},
		{"definition", `{"at":"main.toy:1:5","workspace":"main.toy"}`, result.Argument, "workspace|not a folder"},
		{"definition", `{"at":"odd.toy:3:500"}`, "", "odd.toy|note:"},
		{"definition", `{"at":"odd.toy:3 ünï"}`, "", "odd.toy"},
		{"definition", `{"at":"bom.toy:2 marked"}`, "", "bom.toy"},
		{"symbols", `{"file":"toy.root"}`, result.Unavailable, "no server knows"},
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
//
// Requirement: OPTA-8.
func TestTextSearchIsTheWayOut(t *testing.T) {
	d := openDesk(t, lsptest.Script{Capabilities: json.RawMessage(`{"referencesProvider":null}`)}, project+"-- a.txt --\nhello world\n")
	session := d.connect("memory", newestEra, nil)
	for args, kind := range map[string]result.Kind{
		`{"at":"main.toy:1 helper"}`:                   result.Unsupported,
		`{"at":"main.toy:1:6"}`:                        result.Unsupported,
		`{"file":"main.toy","line":1,"column":11}`:     result.Unsupported,
		`{"file":"main.toy","symbol":"helper"}`:        result.NotFound,
		`{"at":"a.txt:1 world"}`:                       result.Unavailable,
		`{"file":"a.txt","line":1,"symbol":"x.world"}`: result.Unavailable,
	} {
		a := call(t, session, "references", args)
		switch kind {
		case result.Unsupported:
			a.fails(t, kind, "as text: grep -rnw \"helper\" .")
		case result.Unavailable:
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

func (bomb) Engine(context.Context, string) (api.Caller, error) { return bomb{}, nil }

func (bomb) Call(context.Context, string, any, any) error { panic("kaboom") }

// A panic fails the one call.
func TestPanicFailsOneCall(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Engines = bomb{} })
	session := d.connect("memory", newestEra, nil)
	for range 2 {
		call(t, session, "status", `{}`).fails(t, result.Failed, "status: it failed inside", "kaboom")
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
			t.Parallel()
			d := openDesk(t, script, project)
			notes := make(chan *mcp.ProgressNotificationParams, 100)
			session := d.connect("memory", revision, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { notes <- req.Params },
			})
			params := &mcp.CallToolParams{Name: "references", Arguments: json.RawMessage(`{"at":"lib.toy:1 helper"}`)}
			params.SetProgressToken("mine")
			began := time.Now()
			if _, err := session.CallTool(t.Context(), params); err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
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
			if most := 2 + int(took/(300*time.Millisecond)); n < 2 || n > most {
				t.Errorf("%d notes in %v", n, took)
			}
			select {
			case note := <-notes:
				t.Errorf("after the result: %+v", note)
			case <-time.After(600 * time.Millisecond):
			}
		})
	}
}

// What a result holds beside its text is hardly longer than that, unless a call or the
// server's options ask for all of it; either fits the schema that was listed.
func TestStructuredContentIsLean(t *testing.T) {
	broken := project + "-- broken.toy --\n" + strings.Repeat("x ERROR wrong <T> & \"U\"\n", 60)
	for _, profile := range []string{"", structuredLean, structuredFull} {
		t.Run("server "+profile, func(t *testing.T) {
			d := openDesk(t, lsptest.Script{}, broken, func(o *Options) { o.Structured = profile })
			session := d.connect("memory", newestEra, nil)
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for tool, args := range map[string]string{
				"check": `"files":["broken.toy","main.toy"]`, "references": `"at":"lib.toy:1:5"`, "definition": `"at":"main.toy:1:5"`, "symbols": `"file":"lib.toy"`,
				"inspect": `"at":"main.toy:1:5"`, "status": `"scope":"running"`, "impact": `"files":["lib.toy"]`,
				"edit": `"mode":"preview","edits":[{"file":"main.toy","content":"use nothing\n"}]`,
			} {
				for _, asked := range []string{"", structuredLean, structuredFull} {
					arguments := "{" + args + "}"
					if asked != "" {
						arguments = `{"structured":"` + asked + `",` + args + "}"
					}
					a := call(t, session, tool, arguments)
					raw := asSent(t, a)
					lean := cmp.Or(asked, profile) != structuredFull
					if size := len(a.text); lean != (len(raw) <= max(render.LeanBytes, size*13/10)) && (lean || size > render.LeanBytes) {
						t.Errorf("%s %s: %d bytes of text, %d of JSON: %s", tool, asked, size, len(raw), raw)
					}
					for _, listed := range tools.Tools {
						if listed.Name == tool {
							fits(t, listed, raw)
						}
					}
				}
			}
			call(t, session, "check", `{"structured":"much"}`).fails(t, result.Argument, "structured", "lean, full")
		})
	}
	_, err := New(Options{Structured: "much"})
	if err == nil || result.ErrorOf(err).Kind != result.Argument {
		t.Errorf("%v", err)
	}
}

// asSent returns the structured result as it is on the wire, but for the order of members.
func asSent(t *testing.T, a answer) json.RawMessage {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a.StructuredContent); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// fits fails if a structured result is none of the schema that a tool lists.
func fits(t *testing.T, tool *mcp.Tool, raw json.RawMessage) {
	t.Helper()
	var schema jsonschema.Schema
	declared, err := json.Marshal(tool.OutputSchema)
	if err == nil {
		err = json.Unmarshal(declared, &schema)
	}
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var instance any
	if err := json.Unmarshal(raw, &instance); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(instance); err != nil {
		t.Errorf("%s: %v: %s", tool.Name, err, raw)
	}
}
