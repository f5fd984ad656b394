package checking

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// An outsider is a project in which others change one file and break another.
type outsider struct {
	server, lib, user, old string // file names
	archive                string
	good, broken           string // texts of lib
	says                   string // of the user
}

var outsiders = []outsider{
	{
		server: "gopls", lib: "lib/lib.go", user: "app/app.go", old: "app/old.go",
		archive: "-- go.mod --\nmodule m\n\ngo 1.24\n-- app/app.go --\npackage app\n\nimport \"m/lib\"\n\nvar A int = lib.Load()\n-- app/old.go --\npackage app\n\nimport \"m/lib\"\n\nvar _ int = \"old\"\n\nvar B = lib.Load\n",
		good:    "package lib\n\nfunc Load() int { return 1 }\n", broken: "package lib\n\nfunc Load() string { return \"\" }\n",
		says: "as int value in variable declaration",
	},
	{
		server: "typescript", lib: "src/a.ts", user: "src/b.ts", old: "src/old.ts", archive: scriptOutsider,
		good: "export function load(): number { return 1; }\n", broken: "export function load(): string { return \"\"; }\n",
		says: "'toFixed' does not exist on type 'string'",
	},
	{
		server: "typescript-language-server", lib: "src/a.ts", user: "src/b.ts", old: "src/old.ts", archive: scriptOutsider,
		good: "export function load(): number { return 1; }\n", broken: "export function load(): string { return \"\"; }\n",
		says: "'toFixed' does not exist on type 'string'",
	},
	{
		server: "pyright", lib: "lib.py", user: "app.py", old: "old.py",
		archive: "-- pyproject.toml --\n[tool.pyright]\n-- app.py --\nfrom lib import load\n\nload().bit_length()\n-- old.py --\nfrom lib import load\n\nx: int = \"old\"\nload()\n",
		good:    "def load() -> int:\n    return 1\n", broken: "def load() -> str:\n    return \"\"\n",
		says: "\"bit_length\" for class \"str\"",
	},
	{
		// It reads headers from disk: what was wrong in their users before is not known
		// at first sight, so that this one has no older error.
		server: "clangd", lib: "lib.hpp", user: "app.cpp", old: "",
		archive: "-- compile_flags.txt --\n-std=c++17\n-- app.cpp --\n#include \"lib.hpp\"\nint a = load().size;\n",
		good:    "#pragma once\nstruct S { int size; };\nS load();\n", broken: "#pragma once\nstruct S { int width; };\nS load();\n",
		says: "size",
	},
}

const scriptOutsider = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true}, "include": ["src"]}
-- package.json --
{"name": "m", "type": "module"}
-- src/b.ts --
import { load } from "./a";
export const b = load().toFixed();
-- src/old.ts --
import { load } from "./a";
export const old: number = "old";
load();
`

// A change is a change, whoever made it: what somebody else breaks in another file is
// said by the next check, with nothing named, as new; what was wrong before is older; what
// is still wrong remains; and what a mending, a deletion, a change of branches does is said.
func TestChangesByOthers(t *testing.T) {
	for _, o := range outsiders {
		t.Run(o.server, func(t *testing.T) {
			s := o.open(t)
			check := func(files ...string) result.Check {
				return s.Check(api.CheckRequest{Files: files, TimeoutMS: 60_000})
			}
			s.Write(o.lib, o.broken)
			expectBroken(t, "broken", check(), o, "new")
			expectBroken(t, "asked again", check(), o, "standing")
			expectBroken(t, "asked about the file", check(o.lib), o, "standing")
			s.Write(o.lib, o.good)
			expectMended(t, "mended", check(), o)

			s.Git("checkout", "-q", "-b", "topic")
			s.Write(o.lib, o.broken)
			s.Git("commit", "-qam", "break")
			expectBroken(t, "a branch", check(o.lib), o, "new")
			s.Git("checkout", "-q", "main")
			expectMended(t, "the branch from before", check(), o)
			s.Remove(o.lib)
			gone := check()
			if !slices.ContainsFunc(gone.Others, func(f result.File) bool { return f.Path == o.user && enginetest.HasNew(f) }) || gone.Verdict != "new_errors" {
				t.Errorf("deleted: %s\n%+v", render.Brief(&gone), gone)
			}
			if again := check(); again.Verdict != "new_errors" {
				t.Errorf("still deleted: %s\n%+v", render.Brief(&again), again)
			}
			s.Git("checkout", "-q", ".")
			if back := check(); back.Verdict != "clean" && back.Verdict != "baseline_error" {
				t.Errorf("back: %s\n%+v", render.Brief(&back), back)
			}
			s.Remove(o.lib)
			named := check(o.lib, "none")
			if !slices.ContainsFunc(named.Others, func(f result.File) bool { return f.Path == o.user && enginetest.HasNew(f) }) || !slices.Equal(named.Deleted, []string{o.lib}) {
				t.Errorf("deleted, by its name: %s\n%+v", render.Brief(&named), named)
			}
			if len(named.Files) != 1 || named.Files[0].Error == nil || named.Verdict != "new_errors" {
				t.Errorf("a name that never stood for a file: %s\n%+v", render.Brief(&named), named)
			}
		})
	}
}

// A process of its own, as the command line is, says the same: with everything that is
// wrong, or only what is new since the last commit.
func TestChangesByOthersAtFirstSight(t *testing.T) {
	for _, o := range outsiders {
		t.Run(o.server, func(t *testing.T) {
			s := o.open(t)
			s.Write(o.lib, o.broken)
			for _, req := range []api.CheckRequest{
				{Baseline: "none", TimeoutMS: 60_000},
				{Baseline: "none", Files: []string{"./..."}, TimeoutMS: 60_000},
				{Baseline: "head", Files: []string{o.lib}, TimeoutMS: 60_000},
				{Files: []string{o.lib}, TimeoutMS: 60_000},
			} {
				answer := once(s, o.server).Check(req)
				files := slices.Concat(answer.Files, answer.Others)
				if !slices.ContainsFunc(files, func(f result.File) bool { return f.Path == o.user && enginetest.HasNew(f) && says(f, o.says) }) || answer.Verdict != "new_errors" {
					t.Errorf("%+v:\n%s\n%+v", req, render.Brief(&answer), answer)
				}
				older := slices.ContainsFunc(files, func(f result.File) bool { return f.Path == o.old && enginetest.HasNew(f) })
				if req.Baseline != "none" && older {
					t.Errorf("%+v: an old error is new:\n%s", req, render.Brief(&answer))
				}
			}
			s.Write(o.lib, o.good+"\n")
			if result := once(s, o.server).Check(api.CheckRequest{Baseline: "head", TimeoutMS: 60_000}); result.Verdict != "clean" && result.Verdict != "baseline_error" {
				t.Errorf("nothing broken: %s\n%+v", render.Brief(&result), result)
			}
		})
	}
}

// What a deletion broke is new for a process that knows nothing from before, also where
// the server cannot be shown the state before.
func TestDeletedAtFirstSight(t *testing.T) {
	for _, o := range outsiders {
		t.Run(o.server, func(t *testing.T) {
			s := o.open(t)
			s.Remove(o.lib)
			answer := s.Check(api.CheckRequest{Files: []string{o.lib}, TimeoutMS: 60_000})
			if answer.Verdict != "new_errors" || !slices.ContainsFunc(answer.Others, func(f result.File) bool { return f.Path == o.user && enginetest.HasNew(f) }) {
				t.Errorf("%s\n%+v", render.Brief(&answer), answer)
			}
		})
	}
}

// Without the file that makes it a crate cargo loads nothing of it: what else is broken there
// is not known then, and the answer says why.
func TestDeletedRootOfACrate(t *testing.T) {
	s := enginetest.OpenReal(t, `
-- app/Cargo.toml --
[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
kernel = { path = "../kernel" }
-- app/src/lib.rs --
pub fn show() -> u64 {
    kernel::money::price(7)
}
-- kernel/Cargo.toml --
[package]
name = "kernel"
version = "0.1.0"
edition = "2021"
-- kernel/src/lib.rs --
pub mod money;
-- kernel/src/money.rs --
pub fn price(cents: u64) -> u64 {
    cents
}
`, "rust-analyzer")
	whole := api.CheckRequest{Files: []string{"app/src/lib.rs", "kernel/src/lib.rs"}, TimeoutMS: 120_000}
	if before := s.Check(whole); before.Verdict != "clean" {
		t.Fatalf("%+v", before)
	}
	text := s.Read("kernel/src/lib.rs")
	s.Remove("kernel/src/lib.rs")
	gone := s.Check(api.CheckRequest{Files: []string{"kernel/src/lib.rs"}, TimeoutMS: 60_000})
	if said := strings.Join(gone.Unknown, "\n"); gone.Verdict != "unknown" || !strings.Contains(said, "kernel/src/money.rs (cargo check failed to start: ") || !strings.Contains(said, "error: failed to ") {
		t.Errorf("%s: %s", gone.Verdict, said)
	}
	s.Write("kernel/src/lib.rs", text)
	if after := s.Check(whole); after.Verdict != "clean" {
		t.Errorf("%s\n%+v", render.Brief(&after), after)
	}
}

// A change of branches moves the last commit together with the files: what it breaks is
// said even of files that nobody had asked about, and without names.
func TestBranchesAtFirstSight(t *testing.T) {
	for _, o := range outsiders {
		if o.server == "typescript-language-server" {
			continue // as typescript
		}
		t.Run(o.server, func(t *testing.T) {
			s := o.open(t)
			s.Git("checkout", "-q", "-b", "topic")
			s.Write(o.lib, o.broken)
			s.Git("commit", "-qam", "break")
			s.Git("checkout", "-q", "main")
			s = s.Reopen(func(*enginetest.Options) {})
			s.Git("checkout", "-q", "topic")
			expectBroken(t, "another branch", s.Check(api.CheckRequest{TimeoutMS: 60_000}), o, "new")
			s.Git("checkout", "-q", "main")
			expectMended(t, "back", s.Check(api.CheckRequest{TimeoutMS: 60_000}), o)
		})
	}
}

// open commits the good project and opens it.
func (o outsider) open(t *testing.T) *enginetest.Shop {
	t.Helper()
	s := enginetest.OpenReal(t, o.archive+fmt.Sprintf("-- %s --\n%s", o.lib, o.good), o.server)
	s.Git("init", "-q", "-b", "main")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	return s.Reopen(func(*enginetest.Options) {}) // its session begins with the commit
}

// once opens another engine over the same files, for one operation.
func once(s *enginetest.Shop, server string) *enginetest.Shop {
	s.T.Helper()
	return s.Reopen(func(o *enginetest.Options) {
		o.Config, o.Only, o.Once = enginetest.Configure(s.T, s.Folder), []string{server}, true
	})
}

func says(f result.File, message string) bool {
	return slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return strings.Contains(d.Message, message) })
}

// expectBroken wants one finding of the user, and no other listed.
func expectBroken(t *testing.T, what string, answer result.Check, o outsider, state string) {
	t.Helper()
	var got []string
	for _, f := range slices.Concat(answer.Files, answer.Others) {
		for _, d := range f.Diagnostics {
			switch {
			case d.New:
				got = append(got, f.Path+" new")
			case d.Standing:
				got = append(got, f.Path+" standing")
			}
		}
	}
	verdict := map[string]string{"new": "new_errors", "standing": "new_errors"}[state]
	if want := []string{o.user + " " + state}; !slices.Equal(got, want) || answer.Verdict != verdict {
		t.Errorf("%s: %q, want %q, verdict %s\n%s\n%+v", what, got, want, answer.Verdict, render.Brief(&answer), answer)
	}
	if !slices.ContainsFunc(slices.Concat(answer.Files, answer.Others), func(f result.File) bool { return f.Path == o.user && says(f, o.says) }) {
		t.Errorf("%s: %s", what, render.Brief(&answer))
	}
}

// expectMended wants the user's finding to be fixed, and nothing new.
func expectMended(t *testing.T, what string, answer result.Check, o outsider) {
	t.Helper()
	fixed := slices.ContainsFunc(slices.Concat(answer.Files, answer.Others), func(f result.File) bool { return f.Path == o.user && len(f.Fixed) == 1 })
	if answer.Incomplete || !fixed || answer.Verdict != "clean" && answer.Verdict != "baseline_error" {
		t.Errorf("%s: %s\n%+v", what, render.Brief(&answer), answer)
	}
}

// An error from before that names what others gave another name is not a new one.
func TestRenamedNameInOldError(t *testing.T) {
	s := enginetest.OpenReal(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n\nfunc load() int { return 1 }\n\nfunc load() int { return 1 }\n", "gopls")
	if before := s.Check(api.CheckRequest{Files: []string{"a.go"}, TimeoutMS: 60_000}); len(before.Files) != 1 || len(before.Files[0].Diagnostics) != 2 {
		t.Fatalf("before: %s\n%+v", render.Brief(&before), before)
	}
	s.Write("a.go", strings.ReplaceAll(s.Read("a.go"), "load", "fetch"))
	after := s.Check(api.CheckRequest{Files: []string{"a.go"}, TimeoutMS: 60_000})
	if len(after.Files) != 1 || enginetest.HasNew(after.Files[0]) || len(after.Files[0].Fixed) > 0 || len(after.Files[0].Diagnostics) != 2 {
		t.Errorf("%s\n%+v", render.Brief(&after), after)
	}
}

// What is wrong with a file is listed once, though it uses what went and is the one by which
// the server is asked what that did to others.
func TestDependantThatIsWitness(t *testing.T) {
	s := enginetest.OpenReal(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc Load() int { return 1 }\n-- lib/lib_test.go --\npackage lib\n\nvar _ = Load()\n", "gopls")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Check(api.CheckRequest{Files: []string{"lib/lib.go"}, TimeoutMS: 60_000})
	s.Remove("lib/lib.go")
	answer := s.Check(api.CheckRequest{Files: []string{"lib/lib.go"}, TimeoutMS: 60_000})
	if len(answer.Others) != 1 || len(answer.Others[0].Diagnostics) != 1 || !enginetest.HasNew(answer.Others[0]) {
		t.Errorf("%s\n%+v", render.Brief(&answer), answer)
	}
}
