package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/roots"
)

// scripts is one server for the files of these tests.
func scripts() registry.Table {
	return registry.Table{{ID: "ts", Languages: []registry.Language{{ID: "typescript", Patterns: []string{".ts"}}}, Commands: []registry.Command{{Binary: "ts-server"}}, SingleFile: true, Role: registry.Primary}}
}

// A project of scripts whose generated code git ignores, with what must not be taken for that.
const generated = "-- tsconfig.json --\n{\"compilerOptions\": {\"outDir\": \"lib\"}}\n-- a.ts --\n-- src/gen/client.ts --\n-- one.gen.ts --\n-- lib/a.d.ts --\n-- dist/b.ts --\n" +
	"-- .cache/c.ts --\n-- src/gen/node_modules/d.ts --\n-- src/gen/notes.md --\n-- src/gen/py/pyvenv.cfg --\n-- src/gen/py/e.ts --\n-- src/gen/clone/.git/HEAD --\n-- src/gen/clone/f.ts --\n" +
	"-- .gitignore --\ngen/\n*.gen.ts\nlib\ndist\n.cache\n"

// Code that git ignores although the project includes it is among the files that may use others.
func TestFilesThatGitIgnoresAndProjectsInclude(t *testing.T) {
	r := lsptest.NewRepository(t, generated)
	r.Commit()
	w := open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: scripts()})
	files, err := w.Files(t.Context())
	want := []string{".gitignore", "a.ts", "one.gen.ts", "src/gen/client.ts", "tsconfig.json"}
	if diff := cmp.Diff(want, r.Names(files)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if all, err := w.Git().AllFiles(t.Context()); slices.Contains(r.Names(all), "one.gen.ts") || err != nil {
		t.Errorf("what git lists: %q, %v", all, err)
	}
}

// What a project includes is found out anew when it says something else.
func TestSourcesFollowTheProject(t *testing.T) {
	r := lsptest.NewRepository(t, generated)
	r.Commit()
	w := open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: scripts()})
	if _, err := w.Look(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	settleGit(t, w)
	for _, step := range []struct {
		project string
		want    []string
	}{
		{"{}", []string{"a.ts", "lib/a.d.ts", "one.gen.ts", "src/gen/client.ts", "tsconfig.json"}},
		{`{"include": ["a.ts"]}`, []string{"a.ts", "tsconfig.json"}},
		{`{"include": ["src"]}`, []string{"a.ts", "src/gen/client.ts", "tsconfig.json"}},
	} {
		r.Write("tsconfig.json", step.project)
		files, err := w.Sources(t.Context())
		if diff := cmp.Diff(step.want, r.Names(files)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", step.project, err, diff)
		}
	}
}

// A checkout below the root, which git ignores or takes for one name, counts once somebody asks about a file in it; its files
// are compared with its own commit.
func TestCheckoutsBelowTheRoot(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.toy --\nouter\n-- .gitignore --\n.trees\n")
	r.Commit()
	r.Git("worktree", "add", "--quiet", "-b", "two", ".trees/two")
	inner := lsptest.Repository{T: t, Root: filepath.Join(r.Root, ".trees", "two")}
	inner.Write("a.toy", "inner\n")
	inner.Write("own.toy", "inner\n")
	inner.Commit()
	inner.Write("a.toy", "changed\n")
	inner.Write("new.toy", "new\n")
	w := open(t, "", Options{Root: r.Root, Environ: lsptest.GitEnvironment, Servers: toys()})
	if _, err := w.Look(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	before, err := w.Sources(t.Context())
	if diff := cmp.Diff([]string{"a.toy"}, r.Names(before)); diff != "" || err != nil {
		t.Errorf("before: %v (-want +got):\n%s", err, diff)
	}
	if _, err := w.Resolve(r.Root, ".trees/two/own.toy"); err != nil {
		t.Fatal(err)
	}
	after, err := w.Sources(t.Context())
	if diff := cmp.Diff([]string{".trees/two/a.toy", ".trees/two/new.toy", ".trees/two/own.toy", "a.toy"}, r.Names(after)); diff != "" || err != nil {
		t.Errorf("after: %v (-want +got):\n%s", err, diff)
	}
	for _, revision := range []string{"HEAD", w.Git().Commit(t.Context())} {
		texts, known, err := w.Git().TextsAt(t.Context(), revision, append(after, filepath.Join(r.Root, "gone.toy")))
		got := make(map[string]string)
		for path, text := range texts {
			got[r.Names([]string{path})[0]] = string(text)
		}
		want := map[string]string{"a.toy": "outer\n", ".trees/two/a.toy": "inner\n", ".trees/two/own.toy": "inner\n"}
		if diff := cmp.Diff(want, got); diff != "" || !known || err != nil {
			t.Errorf("at %s: %t, %v (-want +got):\n%s", revision, known, err, diff)
		}
	}
	if err := os.RemoveAll(inner.Root); err != nil {
		t.Fatal(err)
	}
	if gone, err := w.Sources(t.Context()); len(gone) != 1 || err != nil {
		t.Errorf("when it is gone: %q, %v", gone, err)
	}
}

// They compare the same in the checkouts below: worktrees, clones and submodules.
func TestWhatHooksCompareInCheckoutsBelow(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.ts --\n-- b.ts --\n-- .gitignore --\n.trees\n")
	r.Commit()
	library := lsptest.NewRepository(t, "-- lib.ts --\n-- same.ts --\n")
	library.Commit()
	r.Git("worktree", "add", "--quiet", "-b", "two", ".trees/two")
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.Root, "sub")
	r.Commit()
	r.Git("clone", "--quiet", library.Root, "clone")
	opts := Options{Root: r.Root, Environ: lsptest.GitEnvironment}
	for _, name := range []string{".trees/two/a.ts", ".trees/two/new.ts", "clone/lib.ts", "sub/lib.ts"} {
		r.Write(name, "changed")
	}
	_, files, err := Differing(t.Context(), opts, "HEAD", scripts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".trees/two/a.ts", ".trees/two/new.ts", "clone", "clone/lib.ts", "sub/lib.ts"}, r.Names(files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Hooks compare what differs from the commit and what git does not tell; without a repository, all that matters to servers.
func TestWhatHooksCompare(t *testing.T) {
	r := lsptest.NewRepository(t, generated)
	r.Commit()
	r.Write("a.ts", "changed")
	opts := Options{Root: r.Root, Environ: lsptest.GitEnvironment}
	commit, files, err := Differing(t.Context(), opts, "HEAD", scripts)
	if diff := cmp.Diff([]string{"a.ts", "one.gen.ts", "src/gen/client.ts"}, r.Names(files)); diff != "" || err != nil || commit != git.In(git.Options{Root: r.Root, Environ: lsptest.GitEnvironment}).Commit(t.Context()) {
		t.Errorf("commit %q, %v (-want +got):\n%s", commit, err, diff)
	}
	plain := lsptest.Repository{T: t, Root: lsptest.Workspace(t, "-- a.ts --\n-- sub/b.ts --\n-- sub/notes.md --\n-- .venv/c.ts --\n-- node_modules/d.ts --\n-- dist/e.ts --\n-- ignored/f.ts --\n")}
	opts.Root, opts.Ignore = plain.Root, []string{"ignored/**"}
	commit, files, err = Differing(t.Context(), opts, "HEAD", scripts)
	if diff := cmp.Diff([]string{"a.ts", "sub/b.ts"}, plain.Names(files)); diff != "" || err != nil || commit != "" {
		t.Errorf("without a repository: commit %q, %v (-want +got):\n%s", commit, err, diff)
	}
}

// A hook of git runs with the variables of one command, whose index is gone when another call is answered. They are not used, nor
// handed on to servers.
func TestStartedByAHookOfGit(t *testing.T) {
	r := lsptest.NewRepository(t, "-- a.toy --\n-- b.toy --\n")
	r.Commit()
	r.Write("a.toy", "changed")
	hook := append(slices.Clone(lsptest.GitEnvironment), "GIT_INDEX_FILE=.git/index.lock", "GIT_DIR=/gone", "GIT_WORK_TREE=/gone", "GIT_PREFIX=sub/")
	w := open(t, "", Options{Root: r.Root, Environ: hook, Trusted: true})
	changes, err := w.Git().ChangesSince(t.Context(), "HEAD")
	if diff := cmp.Diff([]string{filepath.Join(r.Root, "a.toy")}, changes.Present); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(roots.New(roots.Options{Root: r.Root, Environ: lsptest.GitEnvironment, Trusted: true}).Environ(), w.Finder.Environ()); diff != "" {
		t.Errorf("what servers get (-want +got):\n%s", diff)
	}
	if _, files, err := Differing(t.Context(), Options{Root: r.Root, Environ: hook}, "HEAD", scripts); err != nil || len(files) != 1 {
		t.Errorf("without a workspace: %q, %v", files, err)
	}
}
