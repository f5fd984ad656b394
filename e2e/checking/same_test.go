package checking

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A sameProject has a library, a file that uses it, and a file with an error that was always there.
type sameProject struct {
	server, files string
	// lib and user are their names; broken is a text of lib that breaks user, mended one of user that
	// goes with it.
	lib, broken, user, mended string
}

var sameProjects = []sameProject{
	{
		server: "gopls",
		files:  "-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc F(n int) int { return n }\n-- user/user.go --\npackage user\n\nimport \"m/lib\"\n\nvar U = lib.F(1)\n-- old/old.go --\npackage old\n\nvar Old int = \"x\"\n",
		lib:    "lib/lib.go", broken: "package lib\n\nfunc F(n, m int) int { return n + m }\n",
		user: "user/user.go", mended: "package user\n\nimport \"m/lib\"\n\nvar U = lib.F(1, 2)\n",
	},
	{
		server: "typescript", files: sameScript, lib: "src/lib.ts", broken: sameScriptBroken, user: "src/user.ts", mended: sameScriptMended,
	},
	{
		server: "typescript-language-server", files: sameScript, lib: "src/lib.ts", broken: sameScriptBroken, user: "src/user.ts", mended: sameScriptMended,
	},
	{
		server: "pyright",
		files:  "-- pyproject.toml --\n[tool.pyright]\n-- lib.py --\ndef f(n: int) -> int:\n    return n\n-- user.py --\nfrom lib import f\n\nu: int = f(1)\n-- old.py --\nold: int = \"x\"\n",
		lib:    "lib.py", broken: "def f(n: int, m: int) -> int:\n    return n + m\n",
		user: "user.py", mended: "from lib import f\n\nu: int = f(1, 2)\n",
	},
	{
		server: "clangd",
		files:  "-- compile_flags.txt --\n-xc\n-- lib.h --\nint f(int n);\n-- user.c --\n#include \"lib.h\"\nint u(void) { return f(1); }\n-- old.c --\nint old(void) { return missing; }\n",
		lib:    "lib.h", broken: "int f(int n, int m);\n",
		user: "user.c", mended: "#include \"lib.h\"\nint u(void) { return f(1, 2); }\n",
	},
	{
		server: "rust-analyzer",
		files:  "-- Cargo.toml --\n[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- src/lib.rs --\npub mod a;\npub mod user;\n-- src/a.rs --\npub fn f(n: i32) -> i32 {\n    n\n}\n-- src/user.rs --\npub fn u() -> i32 {\n    crate::a::f(1)\n}\n",
		lib:    "src/a.rs", broken: "pub fn f(n: i32, m: i32) -> i32 {\n    n + m\n}\n",
		user: "src/user.rs", mended: "pub fn u() -> i32 {\n    crate::a::f(1, 2)\n}\n",
	},
	{
		server: "jdtls",
		files:  "-- src/m/Lib.java --\npackage m;\n\npublic class Lib {\n    static int f(int n) { return n; }\n}\n-- src/m/User.java --\npackage m;\n\npublic class User {\n    int u = Lib.f(1);\n}\n",
		lib:    "src/m/Lib.java", broken: "package m;\n\npublic class Lib {\n    static int f(int n, int m) { return n + m; }\n}\n",
		user: "src/m/User.java", mended: "package m;\n\npublic class User {\n    int u = Lib.f(1, 2);\n}\n",
	},
}

const (
	sameScript       = "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"types\": []}, \"include\": [\"src\"]}\n-- src/lib.ts --\nexport function f(n: number): number { return n; }\n-- src/user.ts --\nimport { f } from \"./lib\";\nexport const u: number = f(1);\n-- src/old.ts --\nexport const old: number = \"x\";\n"
	sameScriptBroken = "export function f(n: number, m: number): number { return n + m; }\n"
	sameScriptMended = "import { f } from \"./lib\";\nexport const u: number = f(1, 2);\n"
)

// The same question about the same texts has the same answer: asked once or again, after other
// questions, after a change was taken back and made again, on the command line or in a session that
// began before, with servers that just started or not. Nobody but the change is blamed for what it
// breaks, as often as it is asked.
func TestSameQuestionSameAnswer(t *testing.T) {
	for _, p := range sameProjects {
		t.Run(p.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, p.files, p.server)
			s.Git("init", "-q", "-b", "main")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			broken := []string{p.user}
			inSession(t, s, p, "the beginning", nil)
			s.Write(p.lib, p.broken)
			askedInAllWays(t, s, p, "broken", broken)
			s.Write(p.user, p.mended)
			askedInAllWays(t, s, p, "mended", nil)
			s.Git("checkout", "-q", p.user)
			askedInAllWays(t, s, p, "broken again", broken)
			s.Git("stash", "-q")
			askedInAllWays(t, s, p, "taken back", nil)
			s.Write(p.lib, p.broken)
			warm := saidOn(t, s, p, "the last one", api.CheckRequest{Baseline: api.BaselineHead, CountOlder: true})
			if diff := cmp.Diff([]string{result.NewErrors, p.user}, warm); diff != "" {
				t.Errorf("made once more (-want +got):\n%s", diff)
			}
			cold := saidOn(t, s.Reopen(func(*enginetest.Options) {}), p, "cold", api.CheckRequest{Baseline: api.BaselineHead, CountOlder: true})
			if diff := cmp.Diff(warm, cold); diff != "" {
				t.Errorf("a server that just started (-warm +cold):\n%s", diff)
			}
			s.Write(p.user, p.mended)
			alone := saidOn(t, once(s, p.server), p, "alone", api.CheckRequest{Files: []string{p.user}, Baseline: api.BaselineHead, CountOlder: true})
			if diff := cmp.Diff([]string{result.Clean}, alone); diff != "" {
				t.Errorf("one of two files that changed, in a process of its own (-want +got):\n%s", diff)
			}
		})
	}
}

// askedInAllWays asks what is wrong on the command line, with names and without, and in a session, each
// twice, and wants these files to be broken.
func askedInAllWays(t *testing.T, s *enginetest.Shop, p sameProject, state string, broken []string) {
	t.Helper()
	for _, req := range []api.CheckRequest{
		{Baseline: api.BaselineHead, CountOlder: true},
		{Files: []string{p.lib}, Baseline: api.BaselineHead, CountOlder: true},
		{Files: []string{p.user}, Baseline: api.BaselineHead, CountOlder: true}, // judged with the present text of lib
		{Baseline: api.BaselineHead, Revision: "HEAD"},
	} {
		if slices.Equal(req.Files, []string{p.lib}) && s.Read(p.lib) != p.broken {
			continue
		}
		for i := range 2 {
			said := saidOn(t, s, p, fmt.Sprintf("%s, %+v, time %d", state, req, i+1), req)
			want := append([]string{verdictOf(broken)}, broken...)
			if diff := cmp.Diff(want, said); diff != "" {
				t.Errorf("%s: %q %q %s, time %d (-want +got):\n%s", state, req.Files, req.Baseline, req.Revision, i+1, diff)
			}
		}
	}
	inSession(t, s, p, state, broken)
}

// inSession asks twice in a session that began before anything changed, and wants these files to be broken.
func inSession(t *testing.T, s *enginetest.Shop, p sameProject, state string, broken []string) {
	t.Helper()
	for i := range 2 {
		answer, err := api.Check.Do(api.Call{Session: "agent"}.In(t.Context()), s.Engine, api.CheckRequest{TimeoutMS: 120_000, WaitLimitMS: 120_000})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append([]string{verdictOf(broken)}, broken...), stated(p, &answer)); diff != "" {
			t.Errorf("%s: in a session, time %d (-want +got):\n%s", state, i+1, diff)
		}
	}
}

func verdictOf(broken []string) string {
	if len(broken) > 0 {
		return result.NewErrors
	}
	return result.Clean
}

// saidOn asks as the command line does, in a session of its own, and returns the verdict and the files
// with new errors.
func saidOn(t *testing.T, s *enginetest.Shop, p sameProject, state string, req api.CheckRequest) []string {
	t.Helper()
	req.TimeoutMS, req.WaitLimitMS = 120_000, 120_000
	call := api.Call{Session: state, Last: true}
	answer, err := api.Check.Do(call.In(t.Context()), s.Engine, req)
	if err != nil {
		t.Fatal(err)
	}
	return stated(p, &answer)
}

// stated returns the verdict of an answer and the files with errors that are new since what it is
// compared with, told before or not. For a server that cannot be shown what was before, the file that was
// always wrong does not count.
func stated(p sameProject, answer *result.Check) []string {
	var broken []string
	for _, f := range slices.Concat(answer.Files, answer.Others) {
		isNew := slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return d.New || d.Standing })
		if isNew {
			broken = append(broken, f.Path)
		}
	}
	if answer.Incomplete {
		broken = append(broken, render.Brief(answer))
	}
	return append([]string{answer.Verdict}, broken...)
}
