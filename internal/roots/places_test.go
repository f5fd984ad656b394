package roots

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// installed are programs that were installed for LSPine alone.
type installed struct {
	runs []string
	has  map[string]bool
	held *int
}

func (i installed) Find(program string) (string, []string) {
	if !i.has[program] {
		return "", nil
	}
	return lsptest.Rooted("/private/" + program), i.runs
}

func (i installed) Hold(path string) func() {
	if !strings.HasPrefix(path, lsptest.Rooted("/private/")) {
		return func() {}
	}
	*i.held++
	return func() { *i.held-- }
}

// A server's program is that of the project where that may run, then the one on PATH, then the
// one that was installed for us, unless what that runs with is missing. What was not there is
// found as soon as it is installed.
func TestPlacesOfPrograms(t *testing.T) {
	d := registry.Definition{
		ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}, SingleFile: true, Role: registry.Primary,
		Commands: []registry.Command{{Binary: "toy-server"}, {Binary: "old-toy-server"}},
	}
	for _, c := range []struct {
		trusted               bool
		path, private, missed string // names with spaces between
		want                  string
	}{
		{true, "toy-server", "toy-server", "", "ROOT/node_modules/.bin/toy-server"},
		{false, "toy-server", "toy-server", "", "/opt/bin/toy-server"},
		{false, "", "toy-server", "", "/private/toy-server"},
		{false, "old-toy-server", "toy-server", "", "/private/toy-server"},
		{false, "old-toy-server", "toy-server", "node", "/opt/bin/old-toy-server"},
		{false, "", "toy-server", "node", "toy! unavailable: /private/toy-server needs node, which is not found in PATH"},
		{false, "", "", "", "toy! unavailable: toy-server and old-toy-server not found in PATH"},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			names := func(list string) map[string]bool {
				set := make(map[string]bool)
				for _, name := range strings.Fields(list) {
					set[name] = true
				}
				return set
			}
			store := installed{[]string{"node"}, names(c.private), new(int)}
			f := open(t, "-- a.toy --\n-- node_modules/.bin/toy-server --\n#!/bin/sh\n-- node_modules/.bin/toy-server.exe --\n", Options{
				Servers: registry.Table{d}, Trusted: c.trusted, Installed: store,
				LookPath: func(name string) (string, error) {
					if names(c.path)[name] || name == "node" && c.missed == "" {
						return lsptest.Rooted("/opt/bin/" + name), nil
					}
					return "", exec.ErrNotFound
				},
			})
			if err := os.Chmod(filepath.Join(f.opts.Root, "node_modules", ".bin", "toy-server"), 0o755); err != nil {
				t.Fatal(err)
			}
			got := func() string {
				found := f.Candidates(filepath.Join(f.opts.Root, "a.toy"))
				if len(found) != 1 || found[0].Unavailable != nil {
					return lsptest.Slashed(chosen(f, "a.toy"))
				}
				return strings.TrimSuffix(lsptest.Slashed(strings.ReplaceAll(found[0].Binary, f.opts.Root, "ROOT")), ".exe")
			}
			if got() != c.want {
				t.Errorf("got %s, want %s", got(), c.want)
			}
			store.has["toy-server"] = true
			if strings.HasSuffix(c.want, "not found in PATH") && c.missed == "" && got() != "/private/toy-server" {
				t.Errorf("installed since, and it is %s", got())
			}
		})
	}
}
