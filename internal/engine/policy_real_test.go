package engine_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const untouchable = `
-- go.mod --
module example.com/shop

go 1.24
-- calc/calc.go --
// Package calc adds.
package calc

import "fmt"

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
-- main.go --
package main

import "example.com/shop/calc"

var plain calc.Adder = calc.Plain{}

func main() {
	total := calc.Sum(1, 2)
	println(total, plain.Add(1, 2))
}
-- loose.go --
package main

func  g( ) {}
`

// attempts are requests of every operation, those that change files in each way that there is.
// ROOT stands for the root as a URI.
var attempts = map[string][]string{
	"check":                 {`{"files":["main.go","calc"],"baseline":"none"}`, `{"files":["main.go"],"contents":{"main.go":"package main\n"}}`, `{}`},
	"edit":                  {`{"edits":[{"file":"main.go","content":"package main\n"}]}`, `{"edits":[{"file":"loose.go","delete":true}],"mode":"preview"}`, `{"edits":[{"file":"loose.go","rename_to":"tight.go"}],"mode":"apply_if_clean"}`, `{"edits":[{"patch":"--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+package main\n"}]}`},
	"edit_symbol":           {`{"at":"calc/calc.go Sum","action":"delete"}`, `{"at":"calc/calc.go Sum","action":"replace_body","code":"return b + a"}`},
	"build":                 {`{}`},
	"test":                  {`{"path":"calc"}`},
	"rename":                {`{"at":"calc/calc.go Sum","new_name":"Total"}`, `{"file":"loose.go","new_path":"tight.go"}`},
	"prepare_rename":        {`{"at":"calc/calc.go Sum"}`},
	"fixes":                 {`{"file":"calc/calc.go"}`, `{"file":"calc/calc.go","apply":1}`, `{"file":"calc/calc.go","title":"Organize Imports"}`},
	"format":                {`{"file":"loose.go"}`},
	"format_edits":          {`{"file":"loose.go"}`},
	"execute_command":       {`{"command":"gopls.tidy","arguments":[{"URIs":["ROOT/go.mod"]}],"file":"main.go","confirm":true}`, `{"command":"gopls.add_import","arguments":[{"ImportPath":"os","URI":"ROOT/main.go"}],"file":"main.go","confirm":true}`},
	"code_lenses":           {`{"file":"go.mod"}`},
	"execute_code_lens":     {`{"file":"main.go","number":1,"confirm":true}`},
	"simulate":              {`{"action":"preview","edits":[{"file":"main.go","content":"package main\n"}]}`, `{"action":"preview","edits":[{"file":"main.go","content":"package main\n"}],"on_disk":true}`, `{"action":"create"}`, `{"action":"commit","session":"s1","apply":true}`, `{"action":"edit","session":"s1","edits":[{"rename":{"at":"calc/calc.go Sum","new_name":"Total"}}]}`},
	"diagnostics":           {`{}`},
	"definition":            {`{"at":"main.go:8 Sum"}`},
	"declaration":           {`{"at":"main.go:8 Sum"}`},
	"type_definition":       {`{"at":"main.go:9 plain"}`},
	"implementation":        {`{"at":"calc/calc.go Adder"}`},
	"references":            {`{"at":"calc/calc.go Sum"}`},
	"highlights":            {`{"at":"main.go:8 total"}`},
	"inspect":               {`{"at":"calc/calc.go Sum"}`},
	"explore":               {`{"at":"calc/calc.go Sum"}`},
	"symbols":               {`{"file":"calc/calc.go"}`, `{"query":"Sum"}`},
	"outline":               {`{"file":"calc/calc.go"}`},
	"find_symbol":           {`{"query":"Sum"}`},
	"source":                {`{"at":"calc/calc.go Plain.Add"}`},
	"hierarchy":             {`{"at":"calc/calc.go Sum","direction":"callers"}`},
	"signature_help":        {`{"file":"main.go","line":8,"column":20}`},
	"completions":           {`{"file":"main.go","line":8,"column":16}`},
	"inlay_hints":           {`{"file":"main.go"}`},
	"semantic_tokens":       {`{"file":"main.go"}`},
	"folding":               {`{"file":"calc/calc.go"}`},
	"open":                  {`{"file":"calc/calc.go"}`, `{"file":"loose.go","text":"package main\n"}`},
	"close":                 {`{"file":"calc/calc.go"}`, `{"file":"loose.go"}`},
	"status":                {`{}`},
	"impact":                {`{"files":["calc/calc.go"]}`},
	"tests_for":             {`{"files":["calc/calc.go"]}`},
	"cross_repo_references": {`{"at":"calc/calc.go Sum","consumer_roots":["calc"]}`},
	"documentation":         {`{"at":"calc/calc.go Sum"}`},
	"editing_context":       {`{"file":"calc/calc.go"}`},
	"assemble":              {`{"files":["main.go"]}`, `{"symbols":["calc/calc.go Sum"],"include":["diagnostics"]}`},
	"revalidate":            {`{"items":[{"kind":"summary","text":"x\n","source_type":"","priority":"","purity":"","record":{"server":"","query":"q","target":{"path":"main.go"},"queried_at":"2026-01-02T03:04:05Z","files":[{"path":"main.go","at_query":{},"at_injection":{}}]}}]}`},
	"begin_turn":            {`{}`},
	"close_turn":            {`{}`},
	"capabilities":          {`{}`},
	"workspace_folders":     {`{}`, `{"add":["calc"]}`},
	"notify_changed":        {`{"changes":[{"file":"main.go","type":"changed"}]}`},
	"export_cache":          {`{"file":"refs.db.gz"}`},
	"import_cache":          {`{"file":"refs.db.gz"}`},
	"export_index":          {`{"file":"index.scip"}`},
	"import_index":          {`{"file":"index.scip"}`},
	"indexes":               {`{}`},
	"servers":               {`{"action":"detect"}`, `{"action":"start"}`}, // restarted, it would record anew
	"doctor":                {`{"files":["main.go"]}`},
	"policy":                {`{"operation":"edit"}`},
	"events":                {`{"after":0,"timeout_ms":1}`},
	"sessions":              {`{"after":1,"timeout_ms":1}`},
}

// traced is a request in gopls' log of what is sent to it and by it, with its parameters;
// diagnosing are the commands of the registry by which it is asked for diagnostics.
var (
	traced     = regexp.MustCompile(`(?:Sending|Received) request '(workspace/(?:executeCommand|applyEdit))[^\n]*\nParams: ([^\n]*)`)
	diagnosing = regexp.MustCompile(`"command":"gopls\.diagnose_files"`)
)

// Under a policy that denies edits, no sequence of operations changes a byte on disk, whatever
// mode and way of changing files it asks for, nor sends the server a request by which files are
// changed; all that only asks is answered as ever.
//
// Requirement: INV-LSP-004, SYN-10.
func TestDeniedEditsChangeNothing(t *testing.T) {
	lsptest.Require(t, "gopls")
	root, rules, traffic := lsptest.Workspace(t, untouchable), filepath.Join(t.TempDir(), "config.jsonc"), filepath.Join(t.TempDir(), "gopls.log")
	lsptest.WriteFile(t, rules, `{"lsp": {"policy": [{"match": {"class": "edit"}, "action": "deny"}]}}`)
	cfg, problems := config.Load(config.Options{Root: root, UserFile: rules, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Settings.RequestTimeout = 2 * time.Minute
	cfg.Servers = slices.Clone(cfg.Servers)
	for i := range cfg.Servers {
		if d := &cfg.Servers[i]; d.ID == "gopls" {
			d.Commands = slices.Clone(d.Commands)
			d.Commands[0].Args = append([]string{"-rpc.trace", "-logfile", traffic}, d.Commands[0].Args...)
		}
	}
	e, err := engine.New(engine.Options{Root: root, Config: cfg, Only: []string{"gopls"}, StateFolder: t.TempDir(), State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })

	var catalog []string
	kinds := make(map[string]result.Kind)
	before := bytesBelow(t, root)
	uri := fspath.Here.URI(root)
	attempt := func(t rapid.TB, name, request string) {
		i := slices.IndexFunc(api.Operations(), func(op api.Operation) bool { return op.Name == name })
		op := api.Operations()[i]
		raw := json.RawMessage(strings.ReplaceAll(request, "ROOT", uri))
		err := e.Call(context.Background(), name, raw, op.New())
		of := result.ErrorOf(err)
		if edits := op.ClassOf(raw) == api.Edit || op.Edits; edits != (of != nil && of.Kind == result.Denied) {
			t.Fatalf("%s %s: %v", name, request, err)
		}
		kinds[name] = ""
		if of != nil {
			kinds[name] = of.Kind
		}
	}
	for _, op := range api.Operations() {
		catalog = append(catalog, op.Name)
		for _, request := range attempts[op.Name] {
			attempt(t, op.Name, request)
		}
		if _, known := kinds[op.Name]; !known {
			t.Errorf("nothing is asked of %s", op.Name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 2).Draw(t, "calls") {
			name := rapid.SampledFrom(catalog).Filter(func(name string) bool { return name != "doctor" && name != "build" && name != "test" }).Draw(t, "operation") // they are slow, and were asked above
			attempt(t, name, rapid.SampledFrom(attempts[name]).Draw(t, "request"))
		}
	})
	if diff := cmp.Diff(before, bytesBelow(t, root)); diff != "" {
		t.Errorf("files have changed:\n%s", diff)
	}
	log, err := os.ReadFile(traffic)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), "Sending request 'textDocument/definition") || !diagnosing.Match(log) {
		t.Fatal("the traffic is not recorded")
	}
	for _, found := range traced.FindAllStringSubmatch(string(log), -1) {
		if !diagnosing.MatchString(found[2]) {
			t.Errorf("a request that may modify files was sent: %s %.300s", found[1], found[2])
		}
	}
}

// bytesBelow returns the texts of all files below a folder.
func bytesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
