package large

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) { lsptest.Main(m, func() { lsp.Supervise(os.Args) }) }

// small is large enough for every way in which modules import each other.
var small = Size{Modules: 300, Packages: 12, Users: 40}

// patience is the deadline of each call, which no idle machine comes near.
const patience = 600_000

var languages = []struct {
	server   string
	generate func(Size) *Tree
}{
	{"typescript", TypeScript},
	{"typescript-language-server", TypeScript},
	{"pyright", Python},
	{"typescript", ofProjects},
}

// ofProjects generates packages that are projects of their own.
func ofProjects(s Size) *Tree {
	s.Projects = true
	return TypeScript(s)
}

// plant writes a tree for a server that takes it for a large project, and opens it.
func plant(t *testing.T, server string, tree *Tree) *engine.Engine {
	t.Helper()
	lsptest.Require(t, server)
	tree.Files[".lspine.jsonc"] = `{"lsp": {"largeProjectFiles": 100}}` + "\n"
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Write(root); err != nil {
		t.Fatal(err)
	}
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	e, err := engine.New(engine.Options{Root: root, Config: cfg, Problems: problems, Only: []string{server}, StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return e
}

// told is what an answer says: of new errors how many are in which file.
type told struct {
	Verdict string
	Errors  map[string]int
	Fixed   []string
	Unknown []string
}

func of(verdict string, unknown []string, lists ...[]result.File) told {
	said := told{Verdict: verdict, Errors: make(map[string]int), Unknown: unknown}
	for _, f := range slices.Concat(lists...) {
		for _, d := range f.Diagnostics {
			if d.New {
				said.Errors[f.Path]++
			}
		}
		if len(f.Fixed) > 0 {
			said.Fixed = append(said.Fixed, f.Path)
		}
	}
	slices.Sort(said.Fixed)
	return said
}

// In a large project the first edit of a fresh process that breaks a function says so of
// each of its users, all over the packages and by whatever name they import it, and of
// nobody else; the next edit, which mends them, says that; and so does a check of what
// others wrote.
func TestUsersOfACoreFunction(t *testing.T) {
	for _, l := range languages {
		t.Run(l.server, func(t *testing.T) {
			t.Parallel()
			tree := l.generate(small)
			e := plant(t, l.server, tree)
			edit := func(text string) told {
				t.Helper()
				r, err := api.EditFiles.Do(t.Context(), e, api.EditRequest{
					Edits: []api.FileEdit{{File: tree.Core, Content: &text}}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: patience}},
				})
				if err != nil {
					t.Fatal(err)
				}
				return of(r.Verdict, r.Unknown, r.Files, r.Others)
			}
			check := func(text string) told {
				t.Helper()
				lsptest.WriteFile(t, filepath.Join(e.Root(), tree.Core), text)
				r, err := api.Check.Do(t.Context(), e, api.CheckRequest{Files: []string{tree.Core}, TimeoutMS: patience})
				if err != nil {
					t.Fatal(err)
				}
				return of(r.Verdict, r.Unknown, r.Files, r.Others)
			}
			broken := told{Verdict: "new_errors", Errors: make(map[string]int)}
			for _, user := range tree.Users {
				broken.Errors[user] = 1
			}
			mended := told{Verdict: "clean", Errors: map[string]int{}, Fixed: tree.Users}
			for i, step := range []struct {
				do   func(string) told
				text string
				want told
			}{
				{edit, tree.Broken("a"), broken},
				{edit, tree.Mended("b"), mended},
				{check, tree.Broken("c"), broken},
				{check, tree.Mended("d"), mended},
			} {
				if diff := cmp.Diff(step.want, step.do(step.text)); diff != "" {
					t.Errorf("step %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

// The same size gives the same tree, with as many users as are asked for, in their own
// package and in most others; and no two names give the same text.
func TestTreesAreTheSame(t *testing.T) {
	for name, generate := range map[string]func(Size) *Tree{"TypeScript": TypeScript, "TypeScript in projects": ofProjects, "Python": Python} {
		for _, size := range []Size{small, Full} {
			tree := generate(size)
			if diff := cmp.Diff(tree.Files, generate(size).Files); diff != "" {
				t.Errorf("%s: two trees of a size:\n%s", name, diff)
			}
			packages := make(map[string]bool)
			for _, user := range tree.Users {
				packages[filepath.Dir(user)] = true
			}
			if len(tree.Users) != size.Users || len(packages) < size.Packages/2 || !packages[filepath.Dir(tree.Core)] {
				t.Errorf("%s: %d users in %d packages of %+v", name, len(tree.Users), len(packages), size)
			}
			texts := make(map[string]bool)
			for i := range 3 {
				texts[tree.Broken(fmt.Sprint("x", i))], texts[tree.Mended(fmt.Sprint("x", i))] = true, true
			}
			if len(texts) != 6 {
				t.Errorf("%s: %d of 6 texts differ", name, len(texts))
			}
		}
	}
}
