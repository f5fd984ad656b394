//go:build !windows

package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// toolScript logs what it is told, knows a cache, and fails at one step or takes a file away from its lock.
const toolScript = `#!/bin/sh
echo "$3 $GOPROXY" >> "$LOG"
if [ "$3" = "$FAIL" ]; then i=1; while [ $i -le "$LINES_SAID" ]; do echo "line $i" >&2; i=$((i+1)); done; exit 3; fi
if [ "$3" = env ]; then echo /the/cache; fi
`

// A server that is built is built in three steps, the last of them out of the cache that the second names, and
// leaves no module behind. The first step that fails ends it, as does a lock or a folder that cannot be had.
func TestStepsOfABuild(t *testing.T) {
	locks := fstest.MapFS{"toy.mod": {Data: []byte("module toy\n")}, "toy.sum": {Data: []byte("toy v1 h1:=\n")}}
	list, env, install := "list ", "env ", "install file:///the/cache/cache/download"
	for name, c := range map[string]struct {
		fail  string
		locks fstest.MapFS
		taken string
		steps []string
		says  string
	}{
		"built":       {"", locks, "", []string{list, env, install}, ""},
		"not read":    {"list", locks, "", []string{list}, "toy could not be installed: tool -C DIR/module list: exit status 3\nline 1"},
		"no cache":    {"env", locks, "", []string{list, env}, "toy could not be installed: tool -C DIR/module env: exit status 3\nline 1"},
		"not built":   {"install", locks, "", []string{list, env, install}, "toy could not be installed: tool -C DIR/module install: exit status 3\nline 1"},
		"no lock":     {"", fstest.MapFS{"toy.mod": locks["toy.mod"]}, "", nil, "open toy.sum: file does not exist"},
		"folder used": {"", locks, "module", nil, "mkdir DIR/module: file exists"},
	} {
		dir, log, tool := t.TempDir(), filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "tool")
		if err := os.WriteFile(tool, []byte(toolScript), 0o755); err != nil {
			t.Fatal(err)
		}
		if c.taken != "" {
			if err := os.Mkdir(filepath.Join(dir, c.taken), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		j := &job{
			id: "toy", pin: &registry.Pin{ID: "toy", Kind: registry.FromGo, Packages: []string{"toy@v1"}}, dir: dir, tool: tool, locks: c.locks,
			environ: []string{"PATH=" + os.Getenv("PATH"), "LOG=" + log, "FAIL=" + c.fail, "LINES_SAID=1"},
		}
		err := j.golang(t.Context())
		said := ""
		if err != nil {
			said = strings.ReplaceAll(err.Error(), dir, "DIR")
		}
		if diff := cmp.Diff(c.says, said); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var steps []string
		text, _ := os.ReadFile(log)
		for line := range strings.Lines(string(text)) {
			steps = append(steps, strings.TrimSuffix(line, "\n"))
		}
		if diff := cmp.Diff(c.steps, steps); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if _, err := os.Stat(filepath.Join(dir, "module")); c.says == "" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the module is left: %v", name, err)
		}
	}
}

// Of what a tool says about its failure twelve lines are shown; of more, the first and the last ones.
func TestWordsOfAToolAreShortened(t *testing.T) {
	numbered := func(from, to int) (lines []string) {
		for i := from; i <= to; i++ {
			lines = append(lines, fmt.Sprint("line ", i))
		}
		return lines
	}
	tool := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(tool, []byte(toolScript), 0o755); err != nil {
		t.Fatal(err)
	}
	for said, want := range map[int][]string{
		1: numbered(1, 1), 12: numbered(1, 12), 13: append(append(numbered(1, 6), "…"), numbered(8, 13)...), 40: append(append(numbered(1, 6), "…"), numbered(35, 40)...),
	} {
		j := &job{id: "toy", dir: t.TempDir(), tool: tool, environ: []string{"PATH=" + os.Getenv("PATH"), "LOG=" + os.DevNull, "FAIL=get", fmt.Sprint("LINES_SAID=", said)}}
		var failed *FailedError
		if err := j.run(t.Context(), nil, "a", "b", "get", "more"); !errors.As(err, &failed) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&FailedError{ID: "toy", Reason: "tool a b get: exit status 3", Said: strings.Join(want, "\n")}, failed); diff != "" {
			t.Errorf("%d lines: %s", said, diff)
		}
	}
}
