package checking

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// movers are projects with a file that is used, one that nobody uses, and an older error
// in the first.
var movers = []struct{ server, archive, used, moved, unused string }{
	{
		"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc Load() int { return 1 }\n\nvar old int = \"old\"\n-- lib/more.go --\npackage lib\n-- app/app.go --\npackage app\n\nimport \"m/lib\"\n\nvar A = lib.Load()\n",
		"lib/lib.go", "lib/moved.go", "lib/more.go",
	},
	{
		"typescript", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"noEmit\": true}}\n-- lib.ts --\nexport function load() { return 1; }\nexport const old: number = \"old\";\n-- more.ts --\nexport {};\n-- app.ts --\nimport { load } from \"./lib\";\nexport const a = load();\n",
		"lib.ts", "moved.ts", "more.ts",
	},
}

// A file that is deleted only if that breaks nothing is judged while it is gone, and comes
// back if it breaks something. A file that is renamed takes its older errors along, and
// no server sees it twice, in a preview either.
func TestMovingIfClean(t *testing.T) {
	for _, m := range movers {
		t.Run(m.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, m.archive, m.server)
			text := s.Read(m.used)
			kept := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: m.used, Delete: true}}, Writing: api.Writing{Mode: api.ApplyIfClean}})
			// A server that just started may not have said in time what was wrong before: then it is not known what is new.
			isNew := kept.Verdict == "new_errors" && slices.ContainsFunc(kept.Others, enginetest.HasNew)
			if kept.Applied || !isNew && (kept.Verdict != "unknown" || len(kept.Unknown) == 0) || s.Read(m.used) != text {
				t.Errorf("used: %s\n%+v", render.Brief(&kept), kept)
			}
			gone := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: m.unused, Delete: true}}, Writing: api.Writing{Mode: api.ApplyIfClean}})
			if _, err := os.Stat(filepath.Join(s.Folder, m.unused)); !gone.Applied || err == nil || strings.Contains(render.Brief(&gone), "ERROR") {
				t.Errorf("unused: %v\n%s\n%+v", err, render.Brief(&gone), gone)
			}
			move := []api.FileEdit{{File: m.used, RenameTo: m.moved}}
			seen := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: move, Writing: api.Writing{Mode: api.Preview}})
			if len(seen.Files) != 1 || len(seen.Files[0].Diagnostics) != 0 || seen.Files[0].Older != 1 {
				t.Errorf("previewed: %s\n%+v", render.Brief(&seen), seen)
			}
			done := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: move})
			if len(done.Files) != 1 || len(done.Files[0].Diagnostics) != 0 || done.Files[0].Older != 1 {
				t.Errorf("renamed: %s\n%+v", render.Brief(&done), done)
			}
			if breaks := m.server == "typescript"; (len(done.Others) == 1) != breaks || (done.Verdict == "new_errors") != breaks {
				t.Errorf("renamed: %s\n%+v", render.Brief(&done), done)
			}
		})
	}
}

// A file that others renamed takes its older errors along, after it was judged and at first
// sight, and when it is asked about again: then nothing changed any more.
func TestRenamedByOthers(t *testing.T) {
	for _, m := range movers {
		for _, judged := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, judged before: %v", m.server, judged), func(t *testing.T) {
				s := enginetest.OpenReal(t, m.archive, m.server)
				s.Git("init", "-q")
				s.Git("add", ".")
				s.Git("commit", "-qm", "one")
				if judged {
					s.Check(api.CheckRequest{Files: []string{m.used}, TimeoutMS: 60_000})
				}
				s.Git("mv", m.used, m.moved)
				for i := range 2 {
					answer := s.Check(api.CheckRequest{TimeoutMS: 60_000})
					at := slices.IndexFunc(answer.Files, func(f result.File) bool { return f.Path == m.moved })
					if at < 0 || enginetest.HasNew(answer.Files[at]) || len(answer.Files[at].Fixed) > 0 {
						t.Fatalf("check %d: %s\n%+v", i, render.Brief(&answer), answer)
					}
				}
			})
		}
	}
}

// A file that others moved without a word to git takes the errors along that it had when it
// was last judged; the file that had no former name brings its own.
func TestMovedByOthersUnversioned(t *testing.T) {
	for _, m := range movers {
		t.Run(m.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, m.archive, m.server)
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			text := s.Read(m.used) + "// more\n"
			s.Write(m.used, text)
			if first := s.Check(api.CheckRequest{Files: []string{m.used}, TimeoutMS: 60_000}); len(first.Files) != 1 || len(first.Files[0].Diagnostics) != 1 {
				t.Fatalf("%s\n%+v", render.Brief(&first), first)
			}
			s.Remove(m.used)
			s.Write(m.moved, text)
			answer := s.Check(api.CheckRequest{Files: []string{m.used, m.moved}, TimeoutMS: 60_000})
			at := slices.IndexFunc(answer.Files, func(f result.File) bool { return f.Path == m.moved })
			if at < 0 || enginetest.HasNew(answer.Files[at]) || len(answer.Files[at].Fixed) > 0 || len(answer.Files[at].Diagnostics) != 1 {
				t.Errorf("%s\n%+v", render.Brief(&answer), answer)
			}
		})
	}
}

// A file that others moved breaks those that import it where a project lists its files, at first
// sight, too: what a server says of the old file while it is only a document is not what was
// wrong before.
func TestMovedInAComposite(t *testing.T) {
	const archive = `
-- tsconfig.json --
{"files": [], "references": [{"path": "core"}, {"path": "app"}]}
-- core/tsconfig.json --
{"compilerOptions": {"composite": true, "module": "esnext", "moduleResolution": "bundler", "outDir": "../out/core", "rootDir": "src"}, "include": ["src"]}
-- core/src/index.ts --
export { greet } from "./greet";
-- core/src/greet.ts --
export const greet = "hello";
-- app/tsconfig.json --
{"compilerOptions": {"composite": true, "module": "esnext", "moduleResolution": "bundler", "outDir": "../out/app", "rootDir": "src"}, "include": ["src"], "references": [{"path": "../core"}]}
-- app/src/near.ts --
import { greet } from "../../core/src/greet";

export const length: number = greet.length;
`
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, archive, server)
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			s.Git("mv", "core/src/greet.ts", "core/src/hello.ts")
			answer := s.Check(api.CheckRequest{TimeoutMS: 60_000})
			said := make(map[string]string)
			for _, f := range answer.Others {
				said[f.Path] = fmt.Sprintf("%d new, %d fixed", len(f.Diagnostics), len(f.Fixed))
			}
			want := map[string]string{"core/src/index.ts": "1 new, 0 fixed", "app/src/near.ts": "1 new, 0 fixed"}
			if diff := cmp.Diff(want, said); diff != "" || answer.Verdict != result.NewErrors {
				t.Errorf("%s: -want +got:\n%s\n%s", answer.Verdict, diff, render.Brief(&answer))
			}
		})
	}
}

// What others delete breaks those that import it by the name of its package, at first sight,
// too: servers that find packages on disk alone cannot be shown what was before, and what
// they say then is not taken for what was wrong before.
func TestDeletedInAnotherPackage(t *testing.T) {
	const archive = `
-- package.json --
{"name": "all", "private": true, "workspaces": ["packages/*"]}
-- packages/core/package.json --
{"name": "@shop/core", "version": "1.0.0", "types": "src/index.ts"}
-- packages/core/tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true}}
-- packages/core/src/index.ts --
export const rate = 2;
-- packages/app/package.json --
{"name": "@shop/app", "version": "1.0.0"}
-- packages/app/tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true}}
-- packages/app/src/main.ts --
import { rate } from "@shop/core";

export const price: number = rate;
`
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, archive, server)
			link := filepath.Join(s.Folder, "node_modules", "@shop", "core")
			if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink("../../packages/core", link)); err != nil {
				t.Fatal(err)
			}
			s.Git("init", "-q")
			s.Git("add", "packages", "package.json")
			s.Git("commit", "-qm", "one")
			s.Remove("packages/core/src/index.ts")
			answer := s.Check(api.CheckRequest{TimeoutMS: 60_000})
			broken := make(map[string][]string)
			for _, f := range answer.Others {
				for _, d := range f.Diagnostics {
					broken[f.Path] = append(broken[f.Path], d.Message)
				}
			}
			want := map[string][]string{"packages/app/src/main.ts": {"Cannot find module '@shop/core' or its corresponding type declarations."}}
			if diff := cmp.Diff(want, broken); diff != "" || answer.Verdict == "baseline_error" || answer.Verdict == "clean" {
				t.Errorf("%s: -want +got:\n%s\n%s", answer.Verdict, diff, render.Brief(&answer))
			}
		})
	}
}

// A file that was deleted, by an edit or by others, and comes back as it was in the commit is no
// change; what it breaks together with one is reported.
func TestDeletedFileThatComesBack(t *testing.T) {
	for name, remove := range map[string]func(s *enginetest.Shop){
		"by an edit": func(s *enginetest.Shop) {
			enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "flag.ts", Delete: true}}})
		},
		"by others": func(s *enginetest.Shop) {
			s.Remove("flag.ts")
			s.Check(api.CheckRequest{Files: []string{"flag.ts"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true}}\n-- flag.ts --\ndeclare const flag: string;\n-- use.ts --\nconst other = 1;\n", "typescript")
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			s.Check(api.CheckRequest{Files: []string{"flag.ts", "use.ts"}})
			remove(s)
			s.Write("use.ts", "declare const flag: number;\n")
			if now := s.Check(api.CheckRequest{Files: []string{"use.ts"}}); now.Verdict != "clean" {
				t.Errorf("while it is gone: %+v", now)
			}
			s.Git("checkout", "-q", "flag.ts")
			now := s.Check(api.CheckRequest{})
			if i := slices.IndexFunc(now.Files, func(f result.File) bool { return f.Path == "use.ts" }); i < 0 || !enginetest.HasNew(now.Files[i]) || now.Verdict != "new_errors" {
				t.Errorf("it is back: %+v", now)
			}
		})
	}
}

// What follows from a file that moved away is new, also where it is only passed on: some servers do not find
// the former file again when the texts from before are shown, and report then what is wrong now: that is no
// baseline, and an answer that lacks one says so.
func TestMovedFilesThatOthersPassOn(t *testing.T) {
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler", "types": []}, "include": ["src"]}
-- src/all.ts --
export * from "./types/shape";
export * from "./size";
-- src/types/shape.ts --
export interface Shape { name: string }
-- src/size.ts --
export const size = 1;
-- src/user.ts --
import { Shape, size } from "./all";
export const shape: Shape = { name: "" };
export const twice = size * 2;
-- src/more.ts --
import { Shape } from "./all";
export const more: Shape[] = [];
`, server)
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			move := func(from, to string) {
				s.Write(to, s.Read(from))
				s.Remove(from)
			}
			want := []string{"src/all.ts", "src/more.ts", "src/user.ts"}
			ask := func(s *enginetest.Shop, session string) {
				result, err := api.Check.Do(api.Call{Session: session, Last: true}.In(t.Context()), s.Engine, api.CheckRequest{
					Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 60_000, WaitLimitMS: 60_000,
				})
				if err != nil {
					t.Fatal(err)
				}
				got := slices.Sorted(maps.Keys(newErrors(result.Files, result.Others)))
				if diff := cmp.Diff(want, got); result.Verdict != "new_errors" || !result.Incomplete && diff != "" {
					t.Errorf("%s (-want +got):\n%s\n%s", session, diff, render.Brief(&result))
				}
			}
			move("src/size.ts", "src/size_moved.ts")
			s.Check(api.CheckRequest{TimeoutMS: 60_000})
			move("src/types/shape.ts", "src/types/shape_moved.ts")
			ask(s, "one")
			ask(s, "two")
			ask(s.Reopen(func(o *enginetest.Options) { o.Once = true }), "a process that just started")
		})
	}
}

// goners are projects with a library, a file that uses it, and one with an older error.
var goners = []struct {
	server, archive, lib, user, used, old, mended string
}{
	{"typescript", gonerScript, "src/lib.ts", "src/user.ts", gonerScriptUser, "src/old.ts", "export const old: number = 1;\n"},
	{"typescript-language-server", gonerScript, "src/lib.ts", "src/user.ts", gonerScriptUser, "src/old.ts", "export const old: number = 1;\n"},
	{
		"pyright", "-- pyproject.toml --\n[tool.pyright]\n-- lib.py --\ndef f(n: int) -> int:\n    return n\n-- user.py --\nfrom lib import f\n\nu: int = f(1)\n-- old.py --\nold: int = \"x\"\n",
		"lib.py", "user.py", "from lib import f\n\nu: int = f(2)\n", "old.py", "old: int = 1\n",
	},
	{
		"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc F(n int) int { return n }\n-- user/user.go --\npackage user\n\nimport \"m/lib\"\n\nvar U = lib.F(1)\n-- old/old.go --\npackage old\n\nvar Old int = \"x\"\n",
		"lib/lib.go", "user/user.go", "package user\n\nimport \"m/lib\"\n\nvar U = lib.F(2)\n", "old/old.go", "package old\n\nvar Old int = 1\n",
	},
}

const (
	gonerScript     = "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"types\": []}, \"include\": [\"src\"]}\n-- src/lib.ts --\nexport function f(n: number): number { return n; }\n-- src/user.ts --\nimport { f } from \"./lib\";\nexport const u: number = f(1);\n-- src/old.ts --\nexport const old: number = \"x\";\n"
	gonerScriptUser = "import { f } from \"./lib\";\nexport const u: number = f(2);\n"
)

// What a deleted file broke is new, whether all that changed is asked about or one file by its name; and what was said while
// the file was only shown does not count any longer once it is back.
func TestDeletedBesideTheFilesAskedAbout(t *testing.T) {
	for _, p := range goners {
		t.Run(p.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, p.archive, p.server)
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			s.Remove(p.lib)
			s.Write(p.user, p.used)
			asked := 0
			ask := func(s *enginetest.Shop, files ...string) result.Check {
				asked++
				r, err := api.Check.Do(api.Call{Session: fmt.Sprint("command line ", asked), Last: true}.In(t.Context()), s.Engine, api.CheckRequest{
					Files: files, Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 60_000, WaitLimitMS: 60_000,
				})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			var got []map[string]int
			for _, files := range [][]string{{p.user}, nil, {p.user}} {
				r := ask(s, files...)
				got = append(got, newErrors(r.Files, r.Others))
			}
			if r := ask(s, p.old); len(r.Files) != 1 || enginetest.HasNew(r.Files[0]) {
				t.Errorf("another file: %s", render.Brief(&r))
			}
			r := ask(s.Reopen(func(o *enginetest.Options) { o.Once = true }))
			want := map[string]int{p.user: 1}
			if diff := cmp.Diff([]map[string]int{want, want, want, want}, append(got, newErrors(r.Files, r.Others))); diff != "" {
				t.Errorf("by name, all, by name again, and in a process that just started (-want +got):\n%s", diff)
			}
			s.Git("checkout", "-q", ".")
			s.Write(p.old, p.mended)
			r = ask(s, p.old)
			if len(r.Files) != 1 || len(r.Files[0].Fixed) != 1 || r.Verdict != result.Clean {
				t.Errorf("the file is back, and another one is mended: %s", render.Brief(&r))
			}
		})
	}
}

// What follows from a deleted file stays new when the file that uses it changes as well: what was said of its former text since
// the deletion is no word on what was wrong before.
func TestWhatFollowsFromADeletedFileStaysNew(t *testing.T) {
	s := enginetest.OpenReal(t, "-- pyproject.toml --\n[tool.pyright]\n-- lib.py --\ndef one(n: int) -> int:\n    return n\n-- user.py --\n# pyright: strict\nfrom lib import one\n\nu = one(1)\n", "pyright")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	ask := func(s *enginetest.Shop) []int {
		r, err := api.Check.Do(api.Call{Last: true}.In(t.Context()), s.Engine, api.CheckRequest{
			Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 60_000, WaitLimitMS: 60_000,
		})
		if err != nil {
			t.Fatal(err)
		}
		older := 0
		for _, f := range slices.Concat(r.Files, r.Others) {
			older += len(f.Diagnostics)
			for _, d := range f.Diagnostics {
				if d.New {
					older--
				}
			}
		}
		if r.Incomplete {
			older = 0
		}
		return []int{older, len(r.Files)}
	}
	s.Remove("lib.py")
	got := [][]int{ask(s)}
	s.Write("user.py", s.Read("user.py")+"\n# More.\n")
	got = append(got, ask(s), ask(s), ask(s.Reopen(func(o *enginetest.Options) { o.Once = true })))
	if diff := cmp.Diff([][]int{{0, 0}, {0, 1}, {0, 1}, {0, 1}}, got); diff != "" {
		t.Errorf("older errors and changed files: deleted, the user changed too, asked again, in a process that just started (-want +got):\n%s", diff)
	}
}
