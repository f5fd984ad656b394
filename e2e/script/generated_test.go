package script

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A command that writes generated code again, which git ignores, breaks what uses it: the hook after the command says so,
// in each language.
func TestHooksNoticeGeneratedCode(t *testing.T) {
	for _, c := range []struct {
		server, archive string
		// other is edited first, so that servers run. generated is what the command writes, and user what that breaks.
		other, generated, from, to, user string
	}{
		{
			"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- gen/gen.go --\npackage gen\n\nfunc Make(n int) int { return n }\n" +
				"-- main.go --\npackage main\n\nimport \"m/gen\"\n\nfunc main() { println(gen.Make(1)) }\n-- other/other.go --\npackage other\n\nvar Other = 1\n",
			"other/other.go", "gen/gen.go", "n int", "n, m int", "main.go",
		},
		{
			"typescript-language-server", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n" +
				"-- gen/api.ts --\nexport function make(n: number): number { return n; }\n-- user.ts --\nimport { make } from \"./gen/api\";\nexport const x: number = make(1);\n" +
				"-- other.ts --\nexport const other = 1;\n",
			"other.ts", "gen/api.ts", "n: number", "n: number, m: number", "user.ts",
		},
		{
			"pyright", "-- pyproject.toml --\n[tool.pyright]\n-- gen/__init__.py --\n-- gen/api.py --\ndef make(n: int) -> int: return n\n" +
				"-- user.py --\nfrom gen.api import make\nx: int = make(1)\n-- other.py --\nother = 1\n",
			"other.py", "gen/api.py", "n: int", "n: int, m: int", "user.py",
		},
		{
			"clangd", "-- compile_flags.txt --\n-xc\n-- gen/api.h --\nint make(int n);\n-- user.c --\n#include \"gen/api.h\"\nint x(void) { return make(1); }\n-- other.c --\nint other = 1;\n",
			"other.c", "gen/api.h", "int n", "int n, int m", "user.c",
		},
		{
			"rust-analyzer", "-- Cargo.toml --\n[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" +
				"-- Cargo.lock --\nversion = 4\n\n[[package]]\nname = \"m\"\nversion = \"0.1.0\"\n-- src/lib.rs --\npub mod gen;\npub mod user;\npub mod other;\n" +
				"-- src/gen/mod.rs --\npub fn make(n: i32) -> i32 { n }\n-- src/user.rs --\npub fn x() -> i32 { crate::gen::make(1) }\n-- src/other.rs --\npub fn other() -> i32 { 1 }\n",
			"src/other.rs", "src/gen/mod.rs", "n: i32", "n: i32, _m: i32", "src/user.rs",
		},
		{
			"jdtls", "-- src/gen/Api.java --\npackage gen;\npublic class Api { public static int make(int n) { return n; } }\n" +
				"-- src/m/User.java --\npackage m;\npublic class User { int x = gen.Api.make(1); }\n-- src/m/Other.java --\npackage m;\npublic class Other { int x = 1; }\n",
			"src/m/Other.java", "src/gen/Api.java", "int n", "int n, int m", "src/m/User.java",
		},
	} {
		t.Run(c.server, func(t *testing.T) {
			t.Parallel()
			lsptest.Require(t, c.server)
			root := lsptest.Workspace(t, c.archive+"-- .gitignore --\ngen/\ntarget/\n")
			for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "one"}} {
				if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
					t.Fatal(err, string(out))
				}
			}
			environ := append(os.Environ(), "GOCACHE="+goEnv(t, "GOCACHE"), "XDG_CACHE_HOME="+t.TempDir(), "XDG_RUNTIME_DIR=", "CI=", "LSPINE_DAEMON=auto")
			defer func() {
				cmd := exec.Command("lspine", "daemon", "stop", "--all")
				cmd.Env = environ
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("the daemon at the end: %v: %s", err, out)
				}
			}()
			hook := func(event, more string) string {
				t.Helper()
				cmd := exec.Command("lspine", "hook", "--host", "claude", "--timeout", "170s")
				cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s1","transcript_path":"/x.jsonl","cwd":%q,"permission_mode":"acceptEdits","hook_event_name":%q,%s}`, root, event, more))
				cmd.Env = environ
				out, err := cmd.Output()
				if err != nil {
					t.Errorf("%s: %v", event, err)
				}
				return strings.TrimSuffix(string(out), "\n")
			}
			rewrite := func(name, from, to string) {
				t.Helper()
				path := filepath.Join(root, filepath.FromSlash(name))
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			command := func() string {
				return hook("PostToolUse", `"tool_name":"Bash","tool_input":{"command":"x"},"tool_response":{"stdout":""}`)
			}
			hook("SessionStart", `"source":"startup"`)
			rewrite(c.other, "1", "2")
			got := []string{command()}
			rewrite(c.generated, c.from, c.to)
			got = append(got, command())
			want := []string{"", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"also broken now: ` + c.user + ` (1)\n"}}`}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after a command that breaks nothing, and one that does (-want +got):\n%s", diff)
			}
		})
	}
}
