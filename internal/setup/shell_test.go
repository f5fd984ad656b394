package setup

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
)

// What a person is told to type is right in the shell of his system.
func TestCommandsOfShells(t *testing.T) {
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(variable, t.TempDir())
	}
	commands := func(s Shell) []string {
		return []string{
			s.Quoted("main.go"), s.Quoted("a b"), s.Quoted("it's"), s.Quoted("$HOME"), s.Quoted(""), s.Quoted("~/x"), s.Quoted("@x"),
			s.Program("gopls"), s.Program("/opt/a b/gopls"), s.Then("one", "two"), s.Edit("a b.jsonc", 3), s.Edit("a.jsonc", 0),
			s.Unset("LSPINE_LSP"), s.Touch("go.mod"), s.MakeFolder("a b"), s.Temporary("state"),
			s.Command("python3 -m venv .venv && .venv/bin/pip install -e ."), s.Command("./gradlew dependencies"), s.Command("echo -Iinclude > compile_flags.txt"), s.Command("go mod download"),
		}
	}
	posix := []string{
		"main.go", "'a b'", `'it'\''s'`, "'$HOME'", "''", "~/x", "@x",
		"gopls", "'/opt/a b/gopls'", "one && two", "${EDITOR:-vi} +3 'a b.jsonc'", "${EDITOR:-vi} a.jsonc",
		"unset LSPINE_LSP", "touch go.mod", "mkdir -p 'a b'", "/tmp/state",
		"python3 -m venv .venv && .venv/bin/pip install -e .", "./gradlew dependencies", "echo -Iinclude > compile_flags.txt", "go mod download",
	}
	for _, system := range []fspath.Style{fspath.Linux, fspath.MacOS} {
		if diff := cmp.Diff(posix, commands(ShellOf(system))); diff != "" {
			t.Error(diff)
		}
	}
	power := []string{
		"main.go", `"a b"`, `"it's"`, "'$HOME'", `""`, `"~/x"`, `"@x"`,
		"gopls", `& "/opt/a b/gopls"`, "one; two", `notepad "a b.jsonc"`, "notepad a.jsonc",
		"Remove-Item Env:LSPINE_LSP", "New-Item go.mod", `mkdir "a b"`, filepath.Join(os.TempDir(), "state"),
		`py -m venv .venv; .venv\Scripts\pip install -e .`, `.\gradlew dependencies`, "Set-Content compile_flags.txt '-Iinclude'", "go mod download",
	}
	windows := ShellOf(fspath.Windows)
	if diff := cmp.Diff(power, commands(windows)); diff != "" {
		t.Error(diff)
	}
	if got := windows.Program(`C:\Program Files\gopls.exe`); got != `& "C:\Program Files\gopls.exe"` {
		t.Error(got)
	}
	if got := windows.Quoted(`C:\a\b.go`); got != `C:\a\b.go` {
		t.Error(got)
	}
}
