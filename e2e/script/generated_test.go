package script

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What a command does to files that git keeps no text of breaks what uses them, and the hook after the command says so, in each
// language: it writes generated code again, which git ignores, or deletes a file in a folder that is in no repository.
func TestHooksNoticeFilesThatGitDoesNotKnow(t *testing.T) {
	for _, c := range []struct {
		server, archive string
		// other is edited first, so that servers run. generated is what the command writes, and user what that breaks;
		// without is what breaks when it is gone, "" for user.
		other, generated, from, to, user, without string
	}{
		{
			"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- gen/gen.go --\npackage gen\n\nfunc Make(n int) int { return n }\n" +
				"-- main.go --\npackage main\n\nimport \"m/gen\"\n\nfunc main() { println(gen.Make(1)) }\n-- other/other.go --\npackage other\n\nvar Other = 1\n",
			"other/other.go", "gen/gen.go", "n int", "n, m int", "main.go", "",
		},
		{
			"typescript-language-server", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n" +
				"-- gen/api.ts --\nexport function make(n: number): number { return n; }\n-- user.ts --\nimport { make } from \"./gen/api\";\nexport const x: number = make(1);\n" +
				"-- other.ts --\nexport const other = 1;\n",
			"other.ts", "gen/api.ts", "n: number", "n: number, m: number", "user.ts", "",
		},
		{
			"pyright", "-- pyproject.toml --\n[tool.pyright]\n-- gen/__init__.py --\n-- gen/api.py --\ndef make(n: int) -> int: return n\n" +
				"-- user.py --\nfrom gen.api import make\nx: int = make(1)\n-- other.py --\nother = 1\n",
			"other.py", "gen/api.py", "n: int", "n: int, m: int", "user.py", "",
		},
		{
			"clangd", "-- compile_flags.txt --\n-xc\n-- gen/api.h --\nint make(int n);\n-- user.c --\n#include \"gen/api.h\"\nint x(void) { return make(1); }\n-- other.c --\nint other = 1;\n",
			"other.c", "gen/api.h", "int n", "int n, int m", "user.c", "",
		},
		{
			"rust-analyzer", "-- Cargo.toml --\n[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" +
				"-- Cargo.lock --\nversion = 4\n\n[[package]]\nname = \"m\"\nversion = \"0.1.0\"\n-- src/lib.rs --\npub mod gen;\npub mod user;\npub mod other;\n" +
				"-- src/gen/mod.rs --\npub fn make(n: i32) -> i32 { n }\n-- src/user.rs --\npub fn x() -> i32 { crate::gen::make(1) }\n-- src/other.rs --\npub fn other() -> i32 { 1 }\n",
			"src/other.rs", "src/gen/mod.rs", "n: i32", "n: i32, _m: i32", "src/user.rs", "src/lib.rs",
		},
		{
			"jdtls", "-- src/gen/Api.java --\npackage gen;\npublic class Api { public static int make(int n) { return n; } }\n" +
				"-- src/m/User.java --\npackage m;\npublic class User { int x = gen.Api.make(1); }\n-- src/m/Other.java --\npackage m;\npublic class Other { int x = 1; }\n",
			"src/m/Other.java", "src/gen/Api.java", "int n", "int n, int m", "src/m/User.java", "",
		},
	} {
		t.Run(c.server, func(t *testing.T) {
			t.Parallel()
			lsptest.Require(t, c.server)
			s := newHooked(t, c.archive+"-- .gitignore --\ngen/\ntarget/\n", true)
			s.rewrite(c.other, "1", "2")
			got := []string{s.command()}
			s.rewrite(c.generated, c.from, c.to)
			got = append(got, s.command())
			if diff := cmp.Diff([]string{"", c.user}, got); diff != "" {
				t.Errorf("after a command that breaks nothing, and one that does (-want +got):\n%s", diff)
			}

			s = newHooked(t, c.archive, false)
			s.rewrite(c.other, "1", "2")
			got = []string{s.command()}
			if err := os.Remove(filepath.Join(s.root, filepath.FromSlash(c.generated))); err != nil {
				t.Fatal(err)
			}
			got = append(got, s.command())
			without := c.without
			if without == "" {
				without = c.user
			}
			if diff := cmp.Diff([]string{"", without}, got); diff != "" {
				t.Errorf("after a command that breaks nothing, and one that deletes a file (-want +got):\n%s", diff)
			}
		})
	}
}

// What a command does in a worktree below the checkout, as agents make them, breaks what uses it there, and the hook of the
// session outside says so, although git lists no file of it.
func TestHooksNoticeWorktreesBelow(t *testing.T) {
	for server, archive := range map[string]string{
		"gopls":                      "-- go.mod --\nmodule m\n\ngo 1.24\n-- lib/lib.go --\npackage lib\n\nfunc F(n int) int { return n }\n-- use.go --\npackage m\n\nimport \"m/lib\"\n\nvar X = lib.F(1)\n",
		"typescript-language-server": "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"types\": []}}\n-- lib.ts --\nexport function f(n: number): number { return n; }\n-- use.ts --\nimport { f } from \"./lib\";\nexport const x = f(1);\n",
	} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			lsptest.Require(t, server)
			lib, use, from, to := "lib/lib.go", "use.go", "n int", "n, m int"
			if server != "gopls" {
				lib, use, from, to = "lib.ts", "use.ts", "n: number", "n: number, m: number"
			}
			s := newHooked(t, archive+"-- .gitignore --\n.claude\n", true)
			s.git("worktree", "add", "-q", "-b", "two", ".claude/worktrees/two")
			got := []string{s.command()}
			s.rewrite(".claude/worktrees/two/"+lib, from, to)
			got = append(got, s.command())
			if diff := cmp.Diff([]string{"", ".claude/worktrees/two/" + use}, got); diff != "" {
				t.Errorf("after a command that makes a worktree, and one that breaks a file in it (-want +got):\n%s", diff)
			}
		})
	}
}

// A hooked project is one in which a session of Claude Code began.
type hooked struct {
	t       *testing.T
	root    string
	environ []string
}

func newHooked(t *testing.T, archive string, versioned bool) *hooked {
	t.Helper()
	s := newKept(t, archive, versioned)
	s.hook("SessionStart", `"source":"startup"`)
	return s
}

// newKept returns a project in which no session began yet, and whose daemon is stopped at the end of the test.
func newKept(t *testing.T, archive string, versioned bool) *hooked {
	t.Helper()
	s := &hooked{t: t, root: lsptest.Workspace(t, archive)}
	if versioned {
		s.git("init", "-q")
		s.git("add", "-A")
		s.git("commit", "-qm", "one")
	}
	s.environ = append(os.Environ(), "GOCACHE="+goEnv(t, "GOCACHE"), "XDG_CACHE_HOME="+t.TempDir(), "XDG_RUNTIME_DIR=", "CI=", "LSPINE_DAEMON=auto")
	t.Cleanup(func() {
		cmd := exec.Command("lspine", "daemon", "stop", "--all")
		cmd.Env = s.environ
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the daemon at the end: %v: %s", err, out)
		}
	})
	return s
}

func (s *hooked) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.invalid"}, args...)...)
	cmd.Dir = s.root
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatal(err, string(out))
	}
}

func (s *hooked) hook(event, more string) string {
	s.t.Helper()
	cmd := exec.Command("lspine", "hook", "--host", "claude", "--timeout", "170s")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s1","transcript_path":"/x.jsonl","cwd":%q,"permission_mode":"acceptEdits","hook_event_name":%q,%s}`, s.root, event, more))
	cmd.Env = s.environ
	out, err := cmd.Output()
	if err != nil {
		s.t.Errorf("%s: %v", event, err)
	}
	return string(out)
}

// command returns the files of which the hook after a command says that they are broken now, without the numbers of their errors.
func (s *hooked) command() string {
	s.t.Helper()
	said := s.hook("PostToolUse", `"tool_name":"Bash","tool_input":{"command":"x"},"tool_response":{"stdout":""}`)
	if found := alsoBroken.FindStringSubmatch(said); found != nil {
		return numbers.ReplaceAllString(found[1], "")
	}
	return said
}

var (
	alsoBroken = regexp.MustCompile(`"additionalContext":"also broken now: (.*)\\n"`)
	numbers    = regexp.MustCompile(` \(\d+\)`)
)

func (s *hooked) rewrite(name, from, to string) {
	s.t.Helper()
	path := filepath.Join(s.root, filepath.FromSlash(name))
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
		s.t.Fatal(err)
	}
}
