package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/daemon"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// An agent starts lspine by its name if PATH leads to this program, or if others share the
// configuration; else by its path: where PATH has none, or a different one first.
func TestProgramOfAnAgent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "lspine"
	if fspath.Here.Drives {
		name += ".exe"
	}
	empty, ours := t.TempDir(), t.TempDir()
	other := lsptest.Workspace(t, "-- "+name+" --\nanother\n")
	if err := os.Link(self, filepath.Join(ours, name)); err != nil {
		if err := os.Symlink(self, filepath.Join(ours, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		path  []string
		scope agents.Scope
		want  string
	}{
		{"no PATH", nil, agents.User, self},
		{"none on PATH", []string{empty}, agents.User, self},
		{"this one", []string{empty, ours, other}, agents.User, "lspine"},
		{"another one first", []string{other, ours}, agents.User, self},
		{"a relative folder", []string{"relative", ours}, agents.User, "lspine"},
		{"for everybody", []string{other}, agents.Project, "lspine"},
	} {
		streams := &Streams{Environ: []string{"PATH=" + strings.Join(c.path, string(filepath.ListSeparator))}}
		if got := program(streams, c.scope); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	t.Chdir(filepath.Dir(other))
	streams := &Streams{Environ: []string{"PATH=" + filepath.Base(other) + string(filepath.ListSeparator) + ours}}
	if got := program(streams, agents.User); got != "lspine" {
		t.Errorf("another one in a relative folder: %s", got)
	}
}

// Daemons are listed with what they say of themselves, or with why they do not.
func TestTextOfDaemons(t *testing.T) {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	status := func(root, version string, draining bool, clients ...string) daemon.Found {
		f := daemon.Found{Status: &daemon.Status{Record: daemon.Record{Root: root, PID: 7, Version: version, Started: now.Add(-90*time.Second - 400*time.Millisecond)}, Draining: draining}}
		for _, name := range clients {
			f.Status.Sessions = append(f.Status.Sessions, daemon.Session{Name: name})
		}
		return f
	}
	dead := daemon.Found{Record: daemon.Record{Root: "/dead", PID: 12345}, Problem: "it is gone"}
	for want, list := range map[string][]daemon.Found{
		"no daemon runs\n": nil,
		"/a     pid 7      v1.0.0  up 1m30s                              clients: none\n" +
			"/b     pid 7      v1.0.0  up 1m30s, ends with its last client  clients: mcp, check\n" +
			"/dead  pid 12345  does not answer: it is gone\n": {status("/a", "v1.0.0@123-456", false), status("/b", "v1.0.0", true, "mcp", "check"), dead},
	} {
		var out bytes.Buffer
		if err := daemonText(&out, list, now); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Join(strings.Fields(want), " "), strings.Join(strings.Fields(out.String()), " ")); diff != "" || strings.Count(out.String(), "\n") != max(1, len(list)) {
			t.Errorf("%s\n%s", diff, out.String())
		}
	}
}

// A folder is removed but for what is kept in it, at any depth of a path; without anything to keep
// it goes as a whole.
func TestRemoveBut(t *testing.T) {
	dir := lsptest.Workspace(t, "-- all/keep/a --\n-- all/keep2/a --\n-- all/file --\n-- all/sub/file --\n-- beside --\n")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	left := func(kept ...string) []string {
		t.Helper()
		if err := removeBut(at("all"), kept); err != nil {
			t.Error(err)
		}
		return filesBelow(t, dir)
	}
	if diff := cmp.Diff([]string{"all/file", "all/keep/a", "beside"}, left(at("all/keep/a"), at("all/file"), at("all/none"))); diff != "" {
		t.Errorf("with two kept: %s", diff)
	}
	if diff := cmp.Diff([]string{"beside"}, left(at("all/none"), at("beside"))); diff != "" {
		t.Errorf("with nothing to keep: %s", diff)
	}
	if isThere(at("all")) {
		t.Error("the folder itself is there")
	}
	if err := removeFile(at("all")); err != nil {
		t.Errorf("a file that is gone: %v", err)
	}
}
