package remote

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// connect returns a client of a service that asks the caller, both over a pipe.
func connect(t *testing.T, caller api.Caller) *Client {
	t.Helper()
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- Serve(context.Background(), theirs, caller, Options{}) }()
	c := NewClient(ours)
	t.Cleanup(func() {
		_ = c.Close()
		if err := <-served; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	})
	return c
}

const shop = `
-- go.mod --
module example.com/shop

go 1.24
-- calc/calc.go --
// Package calc adds.
package calc

// An Adder adds.
type Adder interface{ Add(a, b int) int }

// Plain is an Adder.
type Plain struct{}

// Add adds two numbers.
func (Plain) Add(a, b int) int { return Sum(a, b) }

// Sum returns the sum.
func Sum(a, b int) int {
	return a + b
}
-- calc/calc_test.go --
package calc

import "testing"

func TestSum(t *testing.T) {
	t.Parallel()
	if Sum(1, 2) != 3 {
		t.Error("wrong")
	}
}
-- main.go --
package main

import "example.com/shop/calc"

var plain calc.Adder = calc.Plain{}

func main() {
	total := calc.Sum(1, 2)
	println(total, plain.Add(1, 2))
}
-- bad/bad.go --
package bad

import "fmt"

func f() int { return "x" }
-- bad/loose.go --
package bad

func  g( ) {}
`

// asked are requests of every operation, as JSON. ROOT stands for the root. The kind is
// that of the error, "" where there is a result.
var asked = []struct {
	operation, request string
	kind               result.Kind
}{
	{"check", `{"files":["main.go","bad/bad.go","calc"],"baseline":"none"}`, ""},
	{"check", `{"files":["none.go"]}`, ""},
	{"check", `{"files":["bad/bad.go"],"max_bytes":150,"baseline":"none"}`, ""},
	{"check", `{"files":["main.go"],"baseline":"yesterday"}`, result.Argument},
	{"edit", `{"edits":[{"file":"main.go","old_text":"Sum(1, 2)","new_text":"Sum(2, 2)"}]}`, ""},
	{"edit", `{"edits":[{"file":"calc/calc.go","old_text":"func Sum(a, b int)","new_text":"func Sum(a, b string)"}],"mode":"apply_if_clean"}`, ""},
	{"edit", `{"edits":[{"file":"main.go","old_text":"nowhere","new_text":"x"}]}`, result.NoMatch},
	{"edit", `{"edits":[{"file":"main.go","old_text":"1, 2","new_text":"x"}]}`, result.Ambiguous},
	{"edit", `{"edits":[{"file":"main.go","content":"x","expect_hash":"0123456789abcdef"}]}`, result.Stale},
	{"edit", `{"edits":[{"file":"../out.go","content":"x"}]}`, result.Outside},
	{"edit_symbol", `{"at":"calc/calc.go Sum","action":"replace","code":"func Sum(a, b int) int { return b + a }","mode":"preview"}`, ""},
	{"edit_symbol", `{"at":"calc/calc.go Sum","action":"delete"}`, result.InUse},
	{"build", `{"path":"calc"}`, ""},
	{"test", `{"path":"bad"}`, ""},
	{"rename", `{"at":"calc/calc.go Sum","new_name":"Total"}`, ""},
	{"prepare_rename", `{"at":"calc/calc.go Sum"}`, ""},
	{"fixes", `{"file":"bad/bad.go","with_edits":true}`, ""},
	{"fixes", `{"file":"bad/bad.go","title":"no such title"}`, result.Argument},
	{"format", `{"file":"bad/loose.go"}`, ""},
	{"format_edits", `{"file":"bad/loose.go"}`, ""},
	{"execute_command", `{"command":"gopls.list_imports","arguments":[{"URI":"file://ROOT/main.go"}],"file":"main.go","confirm":true}`, ""},
	{"execute_command", `{"command":"gopls.list_imports","file":"main.go","confirm":false}`, result.Unconfirmed},
	{"code_lenses", `{"file":"calc/calc_test.go"}`, ""},
	{"execute_code_lens", `{"file":"main.go","number":7,"confirm":true}`, result.Argument},
	{"simulate", `{"action":"preview","edits":[{"file":"calc/calc.go","old_text":"func Sum(a, b int)","new_text":"func Sum(a, b string)"}]}`, ""},
	{"simulate", `{"action":"evaluate","session":"s9"}`, result.NotFound},
	{"diagnostics", `{"severities":["error","warning"]}`, ""},
	{"definition", `{"at":"main.go:8 Sum","with_source":true}`, ""},
	{"declaration", `{"at":"main.go:8 Sum"}`, result.Unsupported},
	{"type_definition", `{"at":"main.go:9 plain"}`, ""},
	{"implementation", `{"at":"calc/calc.go Adder"}`, ""},
	{"references", `{"at":"calc/calc.go Sum","source_lines":true}`, ""},
	{"references", `{"at":"calc/calc.go Summ"}`, result.NotFound},
	{"highlights", `{"at":"main.go:8 total"}`, ""},
	{"inspect", `{"at":"calc/calc.go Sum"}`, ""},
	{"explore", `{"at":"calc/calc.go Sum"}`, ""},
	{"symbols", `{"file":"calc/calc.go"}`, ""},
	{"symbols", `{"file":"go.sum"}`, result.NotFound},
	{"outline", `{"file":"calc/calc.go","format":"flat"}`, ""},
	{"find_symbol", `{"query":"Sum","hover":true}`, ""},
	{"source", `{"at":"calc/calc.go Plain.Add"}`, ""},
	{"hierarchy", `{"at":"calc/calc.go Sum","direction":"callers","depth":2}`, ""},
	{"signature_help", `{"file":"main.go","line":8,"column":20}`, ""},
	{"completions", `{"file":"main.go","line":8,"column":16}`, ""},
	{"inlay_hints", `{"file":"main.go"}`, ""},
	{"semantic_tokens", `{"file":"main.go"}`, ""},
	{"folding", `{"file":"calc/calc.go"}`, ""},
	{"open", `{"file":"calc/calc.go"}`, ""},
	{"close", `{"file":"calc/calc.go"}`, ""},
	{"status", `{"scope":"running"}`, ""},
	{"impact", `{"files":["calc/calc.go"]}`, ""},
	{"tests_for", `{"files":["calc/calc.go"]}`, ""},
	{"cross_repo_references", `{"at":"calc/calc.go Sum","consumer_roots":["ROOT/bad"]}`, ""},
	{"documentation", `{"at":"calc/calc.go Sum"}`, ""},
	{"editing_context", `{"file":"calc/calc.go"}`, ""},
	{"assemble", `{"ranges":[{"file":"main.go","start_line":8}],"include":["type","definition","signature","summary","hints","diagnostics"]}`, ""},
	{"assemble", `{"symbols":["calc/calc.go Plain.Add"],"budget_bytes":300}`, ""},
	{"assemble", `{"files":["main.go"],"include":["colour"]}`, result.Argument},
	{"assemble", `{"symbols":["calc/calc.go Summ"]}`, result.NotFound},
	{"revalidate", `{"items":[{"kind":"definition","name":"Sum","text":"calc/calc.go:1-1 Sum\nas it was, which is longer than it is now\n","source_type":"lsp_semantic","priority":"supporting","purity":"impure","record":{"server":"gopls","query":"textDocument/documentSymbol","target":{"path":"calc/calc.go"},"queried_at":"2026-01-02T03:04:05Z","files":[{"path":"calc/calc.go","at_query":{"hash":"0"},"at_injection":{"hash":"0"}}]}}]}`, ""},
	{"revalidate", `{"items":[]}`, result.Argument},
	{"begin_turn", `{}`, ""},
	{"close_turn", `{"turn":"t9"}`, result.Argument},
	{"capabilities", `{}`, ""},
	{"workspace_folders", `{}`, ""},
	{"notify_changed", `{"changes":[{"file":"main.go","type":"changed"}]}`, ""},
	{"export_cache", `{"file":"refs.db.gz"}`, result.Unavailable},
	{"import_cache", `{"file":"refs.db.gz"}`, result.Unavailable},
	{"export_index", `{"file":"index.scip"}`, result.Unavailable},
	{"import_index", `{"file":"index.scip"}`, result.Unavailable},
	{"indexes", `{}`, result.Unavailable},
	{"servers", `{"action":"detect"}`, ""},
	{"servers", `{"action":"dance"}`, result.Argument},
	{"doctor", `{"files":["main.go"]}`, ""},
	{"policy", `{"operation":"test","path":"calc","client":"mcp"}`, ""},
	{"policy", `{"operation":"tset"}`, result.Argument},
	{"events", `{"after":0,"timeout_ms":1}`, ""},
	{"sessions", `{"after":1,"timeout_ms":1}`, ""},
	{"no_such_operation", `{}`, result.Unsupported},
}

// An outcome is what came of a call, without what a clock or a counter says.
type outcome struct {
	Text, JSON string
	Error      *result.Error
}

var counted = regexp.MustCompile(`("(?:waited_ms|took_ms|uptime_ms|median_ms|slow_ms|checks|diagnostics|timeouts|epoch|version)":)\d+|\d+(?:\.\d+)?( ?m?s\b)|\(cached\)|("(?:queried_at|began)":")[^"]*|\bt\d+\b`)

// Every operation of the catalog is the same over a stream as in the process: its text, its
// result as data, and what is wrong with a request, with the kind and the hint.
func TestOperationsAreTheSameOverAStream(t *testing.T) {
	t.Parallel()
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, shop)
	files := make(map[string]string)
	for _, name := range []string{"go.mod", "calc/calc.go", "calc/calc_test.go", "main.go", "bad/bad.go", "bad/loose.go"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Settings.RequestTimeout = 2 * time.Minute
	e, err := engine.New(engine.Options{Root: root, Config: cfg, Only: []string{"gopls"}, StateFolder: t.TempDir(), State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	client := connect(t, e)

	missing := make(map[string]bool)
	for name := range Operations() {
		missing[name] = true
	}
	for _, c := range asked {
		request := strings.ReplaceAll(c.request, "ROOT", filepath.ToSlash(root))
		call := func(caller api.Caller) outcome {
			for name, text := range files {
				path := filepath.Join(root, name)
				if now, err := os.ReadFile(path); err != nil || string(now) != text { // else go would find it empty for a moment
					lsptest.WriteFile(t, path, text)
				}
			}
			return ask(t, caller, c.operation, request)
		}
		call(e) // what is said once, and what only a first call waits for
		here, there := call(e), call(client)
		delete(missing, c.operation)
		if diff := cmp.Diff(here, there); diff != "" {
			t.Errorf("%s %s: in the process, and over the stream:\n%s", c.operation, request, diff)
		}
		kind := result.Kind("")
		if here.Error != nil {
			kind = here.Error.Kind
		}
		if kind != c.kind {
			t.Errorf("%s %s: %+v, want the kind %q\n%s", c.operation, request, here.Error, c.kind, here.Text)
		}
	}
	for name := range missing {
		t.Errorf("%s was not asked for", name)
	}
}

// ask calls an operation.
func ask(t *testing.T, caller api.Caller, name, request string) outcome {
	t.Helper()
	op, known := Operations()[name]
	if !known {
		op = api.Status.Operation()
	}
	answer := op.New()
	if err := caller.Call(t.Context(), name, json.RawMessage(request), answer); err != nil {
		return outcome{Error: result.ErrorOf(err)}
	}
	raw, err := json.MarshalIndent(answer, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	timeless := func(text string) string { return counted.ReplaceAllString(text, "$1$2") }
	return outcome{Text: timeless(render.Brief(answer)), JSON: timeless(strings.ReplaceAll(string(raw), `": `, `":`))}
}
