package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

const lived = `-- .gemini/settings.json --
{"theme": "dark"}
-- .cache/lspine/hooks/s/memory.json --
{}
-- .cache/lspine/jdtls/0123/x --
-- .cache/other/x --
-- .local/share/lspine/servers/toy/1.0.0-0123/lspine.json --
{"package": "toy", "version": "1.0.0"}
-- .local/share/lspine/servers/toy/1.0.0-0123/bin/toy --
0123456789
-- .config/lspine/config.jsonc --
{}
-- .config/lspine/trust.json --
{"roots": {}}
`

// filesBelow returns the files below a folder, with slashes.
func filesBelow(t *testing.T, dir string) (files []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if relative, _ := filepath.Rel(dir, path); err == nil && !d.IsDir() {
			files = append(files, filepath.ToSlash(relative))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// What we have made for a person goes when he says so, and not without: caches, installed
// servers and what he trusts. His own configuration stays, and what is not ours.
//
// Requirement: AGENT-7.
func TestUninstallAll(t *testing.T) {
	const gone = "Remove HOME/.local/share/lspine/servers: installed servers (0.0 MB)\n" +
		"Remove HOME/.cache/lspine: caches (0.0 MB)\n" +
		"Remove HOME/.config/lspine/trust.json: which projects you trust\n"
	stays := []string{".cache/other/x", ".config/lspine/config.jsonc", ".gemini/settings.json"}
	for _, c := range []struct {
		name, answer string
		args         []string
		terminal     bool
		says         string
		removes      bool
	}{
		{"a dry run", "", []string{"--dry-run"}, true, "lspine: nothing was removed\n", false},
		{"nobody is here", "", nil, false, "lspine: this was not removed: nobody is here to ask\n  lspine uninstall --purge removes it\n", false},
		{"a person says no", "n\n", nil, true, "Remove all of this? [y/N] lspine: this was not removed\n", false},
		{"a person says yes", "y\n", nil, true, "Remove all of this? [y/N] lspine: this stays: HOME/.config/lspine/config.jsonc\n", true},
		{"without a question", "", []string{"--purge"}, false, "lspine: this stays: HOME/.config/lspine/config.jsonc\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t, "", lsptest.Script{})
			dir := lsptest.Workspace(t, lived)
			before := filesBelow(t, dir)
			s.stdin = c.answer
			s.change = func(st *Streams) {
				st.OutTerminal, st.ErrTerminal = c.terminal, c.terminal
				st.Environ = homeIn(dir)
			}
			run := func() (stdout, stderr string) {
				t.Helper()
				got := s.run(append([]string{"uninstall"}, c.args...)...)
				if got.code != exitClean {
					t.Errorf("%+v", got)
				}
				return below(got.stdout, dir, "HOME"), below(got.stderr, dir, "HOME")
			}
			stdout, stderr := run()
			if diff := cmp.Diff(gone, stdout); diff != "" || !strings.HasPrefix(stderr, "lspine: nothing to change\n"+c.says) {
				t.Error(diff, stderr)
			}
			want := before
			if c.removes {
				want = stays
			}
			if diff := cmp.Diff(want, filesBelow(t, dir)); diff != "" {
				t.Error(diff)
			}
			if _, err := os.Stat(filepath.Join(dir, ".local", "share", "lspine")); c.removes == (err == nil) {
				t.Errorf("its folder: %v", err)
			}
			if !c.removes {
				return
			}
			if stdout, stderr := run(); stdout != "" || stderr != "lspine: nothing to change\n" {
				t.Errorf("a second time: %s%s", stdout, stderr)
			}
		})
	}
	s := newShop(t, "", lsptest.Script{})
	s.expect("some agents", s.run("uninstall", "--purge", "--agent", "codex"), exitUsage, "", "--purge goes without --agent")
	s.expect("a server", s.run("uninstall", "gopls"), exitUsage, "", "lspine remove gopls removes a language server")
}

// As long as another project has something of ours, what it said before is not forgotten.
func TestUninstallKeepsWhatOthersNeed(t *testing.T) {
	here, there := newShop(t, "", lsptest.Script{}), newShop(t, "-- .mcp.json --\n{ \"mcpServers\": {}}\n", lsptest.Script{})
	dir := t.TempDir()
	for _, s := range []*shop{here, there} {
		s.change = func(st *Streams) { st.Environ = homeIn(dir) }
		if got := s.run("init", "--agent", "claude", "--scope", "project", "--yes", "--install=false"); got.code != exitClean {
			t.Fatal(got)
		}
	}
	lsptest.WriteFile(t, filepath.Join(dir, ".cache", "lspine", "x"), "")
	file := filepath.Join(there.root, ".mcp.json")
	got := here.run("uninstall", "--purge")
	if got.code != exitClean || !strings.Contains(got.stderr, "lspine: it is still in "+file+"\n  lspine uninstall takes it out, in the project of that file\n") {
		t.Errorf("%+v", got)
	}
	if got := there.run("uninstall", "--purge"); got.code != exitClean || strings.Contains(got.stderr, "still in") {
		t.Errorf("%+v", got)
	}
	if text, err := os.ReadFile(file); string(text) != "{ \"mcpServers\": {}}\n" || err != nil {
		t.Errorf("%s %v", text, err)
	}
	kept := config.StateFolder(homeIn(dir)) + "/evidence.jsonl"
	kept = filepath.ToSlash(strings.TrimPrefix(kept, dir+string(filepath.Separator)))
	if diff := cmp.Diff([]string{kept, kept + ".head", kept + ".lock"}, filesBelow(t, dir)); diff != "" {
		t.Errorf("left beside the evidence: %s", diff)
	}
}

// homeIn is the environment of a person whose home is a folder, laid out as on Linux on every system.
func homeIn(dir string) []string {
	return []string{
		"HOME=" + dir, "USERPROFILE=" + dir, "LSPINE_DAEMON=never", "LOCALAPPDATA=" + filepath.Join(dir, ".cache"),
		"XDG_CONFIG_HOME=" + filepath.Join(dir, ".config"), "XDG_CACHE_HOME=" + filepath.Join(dir, ".cache"), "XDG_DATA_HOME=" + filepath.Join(dir, ".local", "share"),
	}
}
