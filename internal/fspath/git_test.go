package fspath_test

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// Names are as git prints them, with and without quotes. What only looks quoted is a name.
func TestNamesThatGitPrints(t *testing.T) {
	for printed, want := range map[string]string{
		"src/a.ts":                       "src/a.ts",
		`"src/gr\303\266\303\237e.ts"`:   "src/größe.ts",
		`"größe\".ts"`:                   `größe".ts`,
		`"\a\b\t\n\v\f\r\"\\\001\177 x"`: "\a\b\t\n\v\f\r\"\\\x01\x7f x",
		`"`:                              `"`,
		`""`:                             "",
		`"open`:                          `"open`,
		`"a"b"`:                          `"a"b"`,
		`a\303.ts`:                       `a\303.ts`,
		"":                               "",
	} {
		if got := fspath.FromGit(printed); got != want {
			t.Errorf("%s: %q, want %q", printed, got, want)
		}
	}
}

// Whatever git quotes comes back as the name of the file.
func TestGitAndWeAgreeOnNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // its files have no names that git quotes, other than letters
	}
	dir := t.TempDir()
	want := []string{"plain.ts", "größe.ts", "文 😀.ts", `say "hi".ts`, "tab\tbell\a.ts", "two\nlines.ts", `back\slash.ts`, `"quoted"`}
	for _, name := range want {
		lsptest.WriteFile(t, filepath.Join(dir, name), "")
	}
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, output)
		}
		return string(output)
	}
	git("init", "--quiet")
	slices.Sort(want)
	for _, quotes := range []string{"true", "false"} {
		var got []string
		for line := range strings.Lines(git("-c", "core.quotePath="+quotes, "ls-files", "--others")) {
			got = append(got, fspath.FromGit(strings.TrimSuffix(line, "\n")))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("core.quotePath=%s (-want +got):\n%s", quotes, diff)
		}
	}
}
