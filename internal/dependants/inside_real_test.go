package dependants_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsptest"
)

const circular = `
-- go.mod --
module example.com/x

go 1.24
-- v.go --
package x

var V = F(1)

func F(n int) int { return G(n) }
-- g.go --
package x

func G(n int) int { return n }
-- sub/s.go --
package sub

import "example.com/x"

var S = x.G(x.V)
`

// What a Go edit does to one file alone is asked of gopls about that file alone: what changes is in
// bodies, which mention nothing new of their package, and nothing is known to be wrong. Otherwise it is
// asked about all: a body may turn the initialization of a variable in another file into a circle.
func TestChangesThatStayInsideAGoFile(t *testing.T) {
	lsptest.Require(t, "gopls")
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	log := evidence.Open(evidence.Options{Path: path})
	t.Cleanup(func() { log.Close(context.WithoutCancel(t.Context())) })
	root := lsptest.Workspace(t, circular)
	e := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: enginetest.Configure(t, root), Only: []string{"gopls"}, StateFolder: t.TempDir(), Evidence: log})
	all := func() (times int) {
		if err := log.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), `"method":"workspace/executeCommand"`)
	}
	enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"g.go", "v.go"}}) // begins the session
	if all() == 0 {
		t.Error("of files of which nothing is known to have changed it was not asked about all")
	}
	type answer struct {
		Edit, Verdict string
		Files, Others []string
		AskedAboutAll bool
	}
	edit := func(from, to string) answer {
		before := all()
		r := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Replacing("g.go", from, to)}})
		found := enginetest.AnsweredBy(r.Files, r.Others, nil)
		return answer{to, r.Verdict, found.Files, found.Others, all() > before}
	}
	got := []answer{
		edit("return n", "m := n; return m"),
		edit("return m", "return m + V"),
		edit("return m + V", "return m"),
		edit("return m", `return m + "x"`),
		edit(`return m + "x"`, "return m + 1"),
		edit("G(n int)", "G(n string)"),
	}
	want := []answer{
		{"m := n; return m", "clean", []string{"g.go"}, nil, false},
		{"return m + V", "new_errors", []string{"g.go"}, []string{"v.go"}, true},
		{"return m", "clean", []string{"g.go"}, []string{"v.go"}, true},
		{`return m + "x"`, "new_errors", []string{"g.go"}, nil, false},
		{"return m + 1", "clean", []string{"g.go"}, nil, true},
		{"G(n string)", "new_errors", []string{"g.go"}, []string{"sub/s.go", "v.go"}, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
