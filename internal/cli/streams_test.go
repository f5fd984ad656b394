package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// read returns the text of a file.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A full is a stream that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// A command that cannot print its answer says so, and does not exit as if it had.
func TestAnswersThatCannotBePrinted(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nuse b\n-- b.toy --\ndef b\n-- a.patch --\n--- a/a.toy\n+++ b/a.toy\n@@ -1 +1 @@\n-use b\n+use  b\n", lsptest.Script{})
	state := t.TempDir()
	environ := func(st *Streams) { st.Environ = append(st.Environ, "XDG_STATE_HOME="+state) }
	s.change = environ
	s.run("def", "a.toy:1:5")
	for _, args := range []string{
		"check missing.toy --json", "check a.toy --json", "check a.toy --sarif",
		"def a.toy:1:5", "def a.toy:1:5 --json", "simulate a.patch --json", "status", "status --json", "version",
		"config", "config --json", "config --config wrong.jsonc", "config schema", "daemon status", "daemon status --json",
		"evidence verify", "evidence verify --json", "evidence show", "evidence tail", "install --list", "install --list --json", "install --dry-run gopls",
		"init --agent codex --dry-run", "skills list", "skills show rename", "completion bash", "completion zsh", "completion fish", "completion powershell",
	} {
		var errs bytes.Buffer
		s.change = func(st *Streams) { environ(st); st.Out, st.Err = full{}, &errs }
		got := s.run(strings.Fields(args)...)
		if got.code != exitUsage || !strings.HasSuffix(errs.String(), "lspine: no room\n") {
			t.Errorf("%s: exit code %d, %q", args, got.code, errs.String())
		}
	}
}

// A root that is none, and a configuration that cannot be read, are refused by all commands alike, before they do
// anything.
func TestRootsAndConfigurationsThatAreWrong(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.toy --\nuse b\n-- a.patch --\n-- broken.jsonc --\n{,}\n", lsptest.Script{})
	good := s.configFile
	home := t.TempDir()
	s.change = func(st *Streams) { st.Environ = append(homeIn(home), "LSPINE_DAEMON=auto") }
	const root = "lspine: --root: ROOT/a.toy is not a folder\n  name the folder that holds it\n"
	for _, c := range []struct {
		args     string
		readsAll bool // also a configuration that is broken is refused
	}{
		{"check a.toy", true},
		{"def a.toy:1:5", true},
		{"edit a.patch", true},
		{"simulate a.patch", true},
		{"status", true},
		{"servers", true},
		{"doctor", false},
		{"config", false},
		{"context a.toy", true},
		{"evidence verify", true},
		{"evidence show", true},
		{"evidence tail", true},
		{"daemon stop", false},
		{"daemon logs", false},
		{"daemon run", true},
		{"hook install --host codex", false},
		{"hook uninstall --host codex", false},
		{"init --agent codex", false},
		{"skills install --agent codex", false},
		{"skills uninstall", false},
		{"uninstall", false},
		{"mcp", true},
		{"trust --yes", false},
		{"untrust", false},
		{"policy check edit", true},
	} {
		s.configFile = good
		got := s.run(append(strings.Fields(c.args), "--root", "a.toy")...)
		if diff := cmp.Diff(outcomeOf{exitUsage, "", root}, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
		if !c.readsAll {
			continue
		}
		s.configFile = filepath.Join(s.root, "broken.jsonc")
		got = s.run(strings.Fields(c.args)...)
		want := outcomeOf{exitUsage, "", "lspine: ROOT/broken.jsonc:1:2: not JSON with comments: invalid character ',' at start of value (the whole file is ignored)\n  fix the file, or move it away to continue without it\n"}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s with a broken configuration (-want +got):\n%s", c.args, diff)
		}
	}
	if left := filesBelow(t, home); len(left) > 0 {
		t.Errorf("something was made: %q", left)
	}
}
