package navigation

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

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

// TestMarkers asks every server about the projects of its language. What it says
// is exactly what the projects' own comments say.
func TestMarkers(t *testing.T) {
	names, err := filepath.Glob("../testdata/*/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := parse(t, name, string(text))
		for _, server := range p.servers {
			label := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "../testdata/"), ".txt")
			t.Run(label+"/"+server, func(t *testing.T) {
				lsptest.Require(t, server)
				e := begin(t, p, server)
				for _, k := range p.markers {
					if k.of(server) {
						t.Run(k.here+" "+k.op, func(t *testing.T) { p.ask(t, e, k) })
					}
				}
			})
		}
	}
}

func begin(t *testing.T, p project, server string) *engine.Engine {
	t.Helper()
	root := lsptest.Workspace(t, string(txtar.Format(p.archive)))
	for _, f := range p.archive.Files { // clangd wants absolute folders
		if filepath.Base(f.Name) == "compile_commands.json" {
			lsptest.WriteFile(t, filepath.Join(root, f.Name), strings.ReplaceAll(string(f.Data), "$ROOT", root))
		}
	}
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Settings.RequestTimeout = 2 * time.Minute // jdtls indexes the JDK first
	e, err := engine.New(engine.Options{Root: root, Config: cfg, Only: []string{server}, StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

// ask asks what a marker says and compares.
func (p *project) ask(t *testing.T, e *engine.Engine, k marker) {
	name, request := k.request(t)
	var reply result.Result
	for _, op := range api.Operations() {
		if op.Name == name {
			reply = op.New()
		}
	}
	if reply == nil {
		t.Fatalf("no operation %q", name)
	}
	raw, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	err = e.Call(t.Context(), name, json.RawMessage(raw), reply)
	switch k.rel {
	case "!":
		if err == nil {
			t.Fatalf("%s: no error but\n%s", raw, render.Brief(reply))
		}
		k.holds(t, err.Error()+"\n"+result.ErrorOf(err).Hint)
	case "~":
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		k.holds(t, render.Brief(reply))
	default:
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		p.lists(t, k, reply)
	}
}

// request returns the operation and the arguments that a marker means.
func (k *marker) request(t *testing.T) (string, map[string]any) {
	t.Helper()
	request := map[string]any{}
	name := k.op
	if name == "resolve" {
		request["at"] = strings.ReplaceAll(k.args[0], "$FILE", k.file)
		return "inspect", request
	}
	if name == "find_symbol" {
		request["query"] = k.args[0]
		return name, request
	}
	switch name {
	case "check", "tests_for", "impact":
		request["files"] = []string{k.file}
		return name, request
	case "capabilities", "status":
		return name, request
	}
	request["file"] = k.file
	if len(k.args) > 0 {
		request["line"] = k.line
		request["column"] = k.column(t, k.args[0], name == "completions" || name == "signature_help")
	}
	if name == "hierarchy" {
		request["direction"] = k.args[1]
		if len(k.args) > 2 {
			request["depth"] = 2
		}
	}
	return name, request
}

// holds wants each expected text in what was said.
func (k *marker) holds(t *testing.T, said string) {
	t.Helper()
	for _, text := range k.expect {
		if !strings.Contains(said, text) {
			t.Errorf("%q is not in\n%s", text, said)
		}
	}
}

// isPlaces reports whether a reply names places, so that locations are meant.
func isPlaces(reply result.Result) bool {
	switch reply.(type) {
	case *result.Places, *result.Inspection:
		return true
	}
	return false
}

// lists wants exactly the expected places or names.
func (p *project) lists(t *testing.T, k marker, reply result.Result) {
	t.Helper()
	var got, want []string
	for _, name := range k.expect {
		if place, known := p.locs[name]; known && isPlaces(reply) {
			name = place
		}
		if name != "none" {
			want = append(want, name)
		}
	}
	switch r := reply.(type) {
	case *result.Places:
		for _, f := range r.Files {
			for _, place := range f.Places {
				got = append(got, fmt.Sprintf("%s:%d:%d", f.Path, place.Line, place.Column))
			}
		}
	case *result.Inspection: // of resolve
		got = append(got, r.At)
	case *result.Hierarchy:
		for _, n := range r.Nodes {
			got = append(got, n.Name)
			for _, below := range n.Nodes {
				got = append(got, n.Name+"<"+below.Name)
			}
		}
	case *result.Symbols:
		for _, s := range r.Symbols {
			got = append(got, s.Name)
		}
	default:
		t.Fatalf("a %T is no list; use ~", reply)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s\n%s", strings.Join(got, " "), strings.Join(want, " "), render.Brief(reply))
	}
}
