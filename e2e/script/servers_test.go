package script

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What was taken from Debian goes when the machine has it of its own, with all that came with it; the rest stays.
func TestToolsOfTheMachineTakeOver(t *testing.T) {
	checkout := t.TempDir()
	bin := filepath.Join(checkout, ".tools", "bin")
	for _, path := range []string{"scripts/servers", "internal/registry/pins.tsv"} {
		content, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		lsptest.WriteFile(t, filepath.Join(checkout, path), string(content))
	}
	bare := bareMachine(t)
	for _, name := range []string{"cargo", "rustc", "gopls"} {
		link(t, filepath.Join(bare, "cat"), filepath.Join(bin, name))
	}
	other, withCargo := t.TempDir(), t.TempDir()
	link(t, filepath.Join(bin, "cargo"), filepath.Join(other, "cargo")) // what another checkout links
	if err := os.WriteFile(filepath.Join(withCargo, "cargo"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		want []string
	}{
		{bare, []string{"cargo", "gopls", "rustc"}},
		{bare + ":" + bin + ":" + other, []string{"cargo", "gopls", "rustc"}},
		{bin + ":" + bare + ":" + withCargo, []string{"gopls"}},
	} {
		cmd := exec.Command(filepath.Join(bare, "bash"), filepath.Join(checkout, "scripts/servers"), "jdtls")
		cmd.Env = []string{"PATH=" + c.path, "LSPINE_CACHE=" + t.TempDir()}
		if output, err := cmd.CombinedOutput(); err != nil || string(output) != "jdtls: left out with its tests: java is not on PATH\n" {
			t.Fatalf("%v: %s", err, output)
		}
		entries, err := os.ReadDir(bin)
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, e := range entries {
			left = append(left, e.Name())
		}
		if diff := cmp.Diff(c.want, left); diff != "" {
			t.Errorf("with PATH=%s: %s", c.path, diff)
		}
	}
}

// bareMachine is a PATH of a machine without Debian's tools, cargo and java.
func bareMachine(t *testing.T) string {
	bare := t.TempDir()
	for _, name := range []string{"bash", "sh", "awk", "sed", "head", "tail", "tr", "uname", "dirname", "mkdir", "mktemp", "mkfifo", "rm", "cat", "ls"} {
		if path, err := exec.LookPath(name); err == nil {
			link(t, path, filepath.Join(bare, name))
		}
	}
	return bare
}

func link(t *testing.T, target, name string) {
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.Symlink(target, name)); err != nil {
		t.Fatal(err)
	}
}

// A server for which something is missing that nothing can provide is left out, in one line
// that says so; where it is required, that is an error. What can be had is not mentioned.
func TestServersThatCannotBeHad(t *testing.T) {
	bare := bareMachine(t)
	for _, c := range []struct {
		ids, required string
		says          []string
		fails         bool
	}{
		{"rust-analyzer jdtls", "", []string{
			"rust-analyzer: left out with its tests: apt-get, which it is unpacked by, is not on PATH",
			"jdtls: left out with its tests: java is not on PATH",
		}, false},
		{"jdtls", "pyright,jdtls", []string{"jdtls is required here, and java is not on PATH"}, true},
		{"jdtls", "all", []string{"jdtls is required here, and java is not on PATH"}, true},
		{"jdtls", "jdt", []string{"jdtls: left out with its tests: java is not on PATH"}, false},
		{"nothing-like-it", "", []string{"unknown server nothing-like-it; scripts/servers --list names them"}, true},
	} {
		cmd := exec.Command(filepath.Join(bare, "bash"), append([]string{"../../scripts/servers"}, strings.Fields(c.ids)...)...)
		cmd.Env = []string{"PATH=" + bare, "LSPINE_CACHE=" + t.TempDir(), "LSPINE_REQUIRE_SERVERS=" + c.required}
		output, err := cmd.CombinedOutput()
		if diff := cmp.Diff(c.says, strings.Split(strings.TrimSpace(string(output)), "\n")); diff != "" || (err != nil) != c.fails {
			t.Errorf("%s, required %q: %v %s", c.ids, c.required, err, diff)
		}
	}
}
