package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// blocks returns the README's code blocks of one language, in order.
func blocks(t *testing.T, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n```"+language+"\n")[1:] {
		block, _, closed := strings.Cut(part, "\n```")
		if !closed {
			t.Fatalf("a block of %s does not end", language)
		}
		found = append(found, block)
	}
	return found
}

// shell runs a command line in a folder and returns what it prints.
func shell(t *testing.T, dir, line string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "LSPINE_CONFIG=")
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", line, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func must(t *testing.T, dir string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if _, stderr, code := shell(t, dir, line); code != 0 {
			t.Fatalf("%s: exit code %d: %s", line, code, stderr)
		}
	}
}

const asSomebody = "git -c user.name=t -c user.email=t@example.invalid "

// TestReadmeExample proves that the README's first example prints what it says.
func TestReadmeExample(t *testing.T) {
	lsptest.Require(t, "gopls")
	output, err := exec.Command("go", "mod", "download", "-json", "golang.org/x/mod@v0.37.0").Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(output, &module); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(module.Dir)); err != nil {
		t.Fatal(err)
	}
	must(t, root, "chmod -R u+w .", "go mod download", "git init -q", "git add -A", asSomebody+"commit -q -m one",
		`sed -i 's/^func FormatRecord(id int64, text \[\]byte)/func FormatRecord(id int64, text []byte, strict bool)/' sumdb/tlog/note.go`)
	var got strings.Builder
	last := 0
	for line := range strings.SplitSeq(blocks(t, "console")[0], "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			continue
		}
		got.WriteString(line + "\n")
		if command == "echo $?" {
			got.WriteString(string(rune('0'+last)) + "\n")
			continue
		}
		stdout, stderr, code := shell(t, root, command)
		last = code
		got.WriteString(stdout + stderr)
	}
	if want := blocks(t, "console")[0] + "\n"; got.String() != want {
		t.Errorf("the README says\n%s\nand the commands say\n%s", want, got.String())
	}
}

// TestReadmeCommands proves that every lspine command of the README is one that
// works: in a checkout without errors it succeeds and complains of nothing.
func TestReadmeCommands(t *testing.T) {
	lsptest.Require(t, "gopls")
	main := "package main\n\ntype Config struct{}\n" + strings.Repeat("\n", 38) + "func (Config) Load() {}\n\nfunc main() { Config{}.Load() }\n"
	root := lsptest.Workspace(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- main.go --\n"+main+"-- api/api.go --\npackage api\n-- fix.patch --\n--- a/api/api.go\n+++ b/api/api.go\n@@ -1 +1,2 @@\n package api\n+// Fixed.\n")
	for _, name := range []string{"a.patch", "b.patch"} { // those to compare
		must(t, root, "cp fix.patch "+name)
	}
	must(t, root, "git init -q", "git add -A", asSomebody+"commit -q -m one", "git update-ref refs/remotes/origin/main HEAD")
	if err := os.WriteFile(filepath.Join(root, "main.go"), []byte(main+"\nfunc init() { println() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, block := range blocks(t, "sh") {
		for line := range strings.SplitSeq(block, "\n") {
			if !strings.Contains(line, "lspine") {
				continue
			}
			tried++
			_, stderr, code := shell(t, root, line)
			if clean := (strings.HasPrefix(stderr, "lspine: no errors (") || strings.HasPrefix(stderr, "lspine: clean: ")) && strings.Count(stderr, "\n") == 1; code != 0 || stderr != "" && !clean {
				t.Errorf("%s: exit code %d: %s", line, code, stderr)
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d commands found", tried)
	}
}
