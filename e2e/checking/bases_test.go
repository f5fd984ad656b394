package checking

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// Settings are in a file that others extend, or in a folder above. What its change breaks in a file that did not change is new; who asks about that
// file is told that this is not known. It is never older, nor passed over, in a process that judged the file before and in one that did not.
func TestBasesThatChange(t *testing.T) {
	const (
		python = "-- pkg/a.py --\ndef f(x: int) -> str:\n    return x\n"
		loose  = "{\"typeCheckingMode\": \"off\", \"reportReturnType\": false}\n"
		strict = "{\"typeCheckingMode\": \"strict\"}\n"
		script = "-- pkg/a.ts --\nexport function f(a) { return a }\n"
		crates = "-- .gitignore --\ntarget\nCargo.lock\n-- pkg/Cargo.toml --\n[package]\nname = \"pkg\"\nversion = \"0.1.0\"\nedition.workspace = true\n\n[lints]\nworkspace = true\n" +
			"-- pkg/src/lib.rs --\npub mod a;\n-- pkg/src/a.rs --\nfn unused() {}\npub fn dynamic() -> i32 { let async = 1; async }\n"
		workspace = "[workspace]\nresolver = \"2\"\nmembers = [\"pkg\"]\n\n[workspace.package]\nedition = \"2015\"\n\n[workspace.lints.rust]\ndead_code = \"allow\"\n"
	)
	for name, c := range map[string]struct {
		server, files  string
		base, from, to string
		broken         string
	}{
		"pyright":                 {"pyright", "-- pyrightconfig.json --\n{\"extends\": \"conf/base.json\"}\n" + python, "conf/base.json", loose, strict, "pkg/a.py"},
		"pyright, by another one": {"pyright", "-- pyrightconfig.json --\n{\"extends\": \"conf/mid.json\"}\n-- conf/mid.json --\n{\"extends\": \"./base.json\"}\n" + python, "conf/base.json", loose, strict, "pkg/a.py"},
		"pyright, pyproject.toml": {"pyright", "-- pyproject.toml --\n[tool.pyright]\nextends = \"conf/base.json\"\n" + python, "conf/base.json", loose, strict, "pkg/a.py"},
		"pyright, a folder beside": {
			"pyright", "-- pkg/pyrightconfig.json --\n{\"extends\": \"../conf/base.json\"}\n" + python, "conf/base.json", loose, strict, "pkg/a.py",
		},
		"typescript": {
			"typescript", "-- pkg/tsconfig.json --\n{\"extends\": \"../conf/base.json\"}\n" + script, "conf/base.json",
			"{\"compilerOptions\": {\"strict\": false, \"noEmit\": true, \"types\": []}}\n", "{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n", "pkg/a.ts",
		},
		"typescript-language-server": {
			"typescript-language-server", "-- pkg/tsconfig.json --\n{\"extends\": \"../conf/base.json\"}\n" + script, "conf/base.json",
			"{\"compilerOptions\": {\"strict\": false, \"noEmit\": true, \"types\": []}}\n", "{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n", "pkg/a.ts",
		},
		"cargo's edition": {"rust-analyzer", crates, "Cargo.toml", workspace, strings.ReplaceAll(workspace, "2015", "2021"), "pkg/src/a.rs"},
		"cargo's lints":   {"rust-analyzer", crates, "Cargo.toml", workspace, strings.ReplaceAll(workspace, "allow", "deny"), "pkg/src/a.rs"},
		"clangd, a folder above": {
			"clangd", "-- compile_flags.txt --\n-DOTHER\n-- pkg/a.cpp --\nint f() { return ONE; }\n", ".clangd", "CompileFlags:\n  Add: [-DONE=1]\n", "CompileFlags:\n  Add: [-DTWO=1]\n", "pkg/a.cpp",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.files+"-- "+c.base+" --\n"+c.from, c.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("commit", "-qm", "one")
			look := func(way string, s *enginetest.Shop) {
				t.Helper()
				want := map[string]string{"": "new", c.base: "new", c.broken: "not known", ".": "not known"} // in any order
				got := make(map[string]string)
				for about := range want {
					answer := s.Check(api.CheckRequest{Files: strings.Fields(about), Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 240_000, WaitLimitMS: 240_000})
					is := saidBy(s, &answer)
					got[about] = is.Verdict
					switch {
					case slices.Contains(is.New, c.broken):
						got[about] = "new"
					case slices.Contains(is.Unknown, "which errors are new, as it is not known what was wrong before: "+c.broken):
						got[about] = "not known"
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", way, diff)
				}
			}
			s.Write(c.base, c.to)
			look("cold", s.Reopen(func(*enginetest.Options) {}))
			s.Git("checkout", "-q", ".")
			if answer := s.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: 240_000, WaitLimitMS: 240_000}); answer.Verdict != "clean" {
				t.Errorf("before: %s %v", answer.Verdict, foundBy(&answer))
			}
			s.Write(c.base, c.to)
			look("warm", s)
			s.Git("checkout", "-q", ".")
			if answer := s.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: 240_000, WaitLimitMS: 240_000}); answer.Verdict != "clean" {
				t.Errorf("it is back: %s %v", answer.Verdict, foundBy(&answer))
			}
		})
	}
}
