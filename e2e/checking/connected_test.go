package checking

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A server that just started, and that judges other files only as they are on disk, finds an old error in a file that has
// nothing to do with the change: nobody is blamed for it, and that it is not known whether it is new is said. What the change
// breaks is new.
func TestOldErrorsWhereNothingConnectsThem(t *testing.T) {
	for _, c := range []struct {
		server, files         string
		lib, harmless, broken string
		user                  string
	}{
		{
			server: "rust-analyzer",
			files:  "-- Cargo.toml --\n[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- .gitignore --\ntarget\nCargo.lock\n-- src/lib.rs --\npub mod lib2;\npub mod old;\npub mod user;\n-- src/lib2.rs --\npub fn f(n: i32) -> i32 {\n    n\n}\n-- src/user.rs --\npub fn u() -> i32 {\n    crate::lib2::f(1)\n}\n-- src/old.rs --\npub fn o() -> usize {\n    let moved = String::new();\n    drop(moved);\n    moved.len()\n}\n",
			lib:    "src/lib2.rs", harmless: "// Comment.\npub fn f(n: i32) -> i32 {\n    n\n}\n", broken: "pub fn f(n: i32, k: i32) -> i32 {\n    n + k\n}\n",
			user: "src/user.rs",
		},
		{
			server: "jdtls",
			files:  "-- src/m/Lib.java --\npackage m;\n\npublic class Lib {\n    static int f(int n) { return n; }\n}\n-- src/m/User.java --\npackage m;\n\npublic class User {\n    int u = Lib.f(1);\n}\n-- src/m/Old.java --\npackage m;\n\npublic class Old {\n    int o = \"\";\n}\n",
			lib:    "src/m/Lib.java", harmless: "package m;\n\n// Comment.\npublic class Lib {\n    static int f(int n) { return n; }\n}\n", broken: "package m;\n\npublic class Lib {\n    static int f(int n, int k) { return n + k; }\n}\n",
			user: "src/m/User.java",
		},
	} {
		t.Run(c.server, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files, c.server)
			s.Git("init", "-q")
			s.Git("add", ".")
			s.Git("commit", "-qm", "one")
			check := func() (blamed []string, r result.Check) {
				r = s.Check(api.CheckRequest{Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 180_000, WaitLimitMS: 180_000})
				for _, f := range r.Others {
					for _, d := range f.Diagnostics {
						if d.New {
							blamed = append(blamed, f.Path)
						}
					}
				}
				return blamed, r
			}
			s.Write(c.lib, c.harmless)
			if blamed, r := check(); len(blamed) > 0 || r.Verdict == "new_errors" {
				t.Errorf("a comment is blamed: %s, %v", r.Verdict, blamed)
			}
			s.Write(c.lib, c.broken)
			blamed, r := check()
			if diff := cmp.Diff([]string{c.user}, blamed); diff != "" || r.Verdict != "new_errors" {
				t.Errorf("%s, blamed (-want +got):\n%s", r.Verdict, diff)
			}
		})
	}
}

// A change that can break no other file is judged by its own alone. Older errors of others are not counted then, whether gopls
// has happened to publish them or not: the first answer and the second one are the same.
func TestOlderErrorsAreCountedByTexts(t *testing.T) {
	s := enginetest.OpenReal(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- base/base.go --\npackage base\n\nconst Zero = 0\n-- old/old.go --\npackage old\n\nvar Old int = \"x\"\n", "gopls")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	asked := func() string {
		r := s.Check(api.CheckRequest{Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 180_000, WaitLimitMS: 180_000})
		return render.Brief(&r)
	}
	s.Write("base/base.go", "package base\n\n// Zero is nothing.\nconst Zero = 0\n")
	if diff := cmp.Diff([]string{"no errors (1 file checked)", "no errors (1 file checked)"}, []string{asked(), asked()}); diff != "" {
		t.Errorf("a comment, asked twice (-want +got):\n%s", diff)
	}
	s.Write("base/base.go", "package base\n\nconst Zero = \"\"\n")
	const counted = "no new errors, 1 older error in 1 other file not listed (all_errors lists them) (1 file checked)"
	if diff := cmp.Diff([]string{counted, counted}, []string{asked(), asked()}); diff != "" {
		t.Errorf("a type, asked twice (-want +got):\n%s", diff)
	}
}

// A server that does not find a file that moved away cannot say what was wrong in others before. Of a file with an old error
// that uses nothing of what moved, a process that knows the error says no more than one that just started: nothing is new there.
func TestOldErrorsInFilesThatUseNothingOfWhatMoved(t *testing.T) {
	s := enginetest.OpenReal(t, "-- pyproject.toml --\n[tool.pyright]\n-- lib.py --\ndef lent() -> int:\n    return 1\n-- user.py --\nfrom lib import lent\n\nu: int = lent()\n-- more.py --\nmore = 1\n-- old.py --\nlent: int = \"x\"\n", "pyright")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Write("more.py", "more = 2\n")
	s.Check(api.CheckRequest{Files: []string{"old.py"}})
	s.Write("moved.py", s.Read("lib.py"))
	s.Remove("lib.py")
	broken := func(s *enginetest.Shop) map[string]int {
		r := s.Check(api.CheckRequest{Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 60_000})
		return newErrors(r.Files, r.Others)
	}
	want := map[string]int{"user.py": 1}
	warm, again := broken(s), broken(s)
	cold := broken(s.Reopen(func(o *enginetest.Options) { o.Once = true }))
	if diff := cmp.Diff([]map[string]int{want, want, want}, []map[string]int{warm, again, cold}); diff != "" {
		t.Errorf("asked, again, and in a process that just started (-want +got):\n%s", diff)
	}
}
