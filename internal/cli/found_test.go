package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// A person is told of each server that was found and started in a workspace: once, and again after a long while; not of those that
// his configuration names, and not where it could not be remembered that he was.
//
// Requirement: SYN-2.
func TestFoundServers(t *testing.T) {
	t.Parallel()
	mine := filepath.Join(t.TempDir(), "config.json")
	lsptest.WriteFile(t, mine, `{"lsp": {"servers": {"pyright": {"enabled": true}}}}`)
	cfg, problems := config.Load(config.Options{Root: t.TempDir(), UserFile: mine})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cache := t.TempDir()
	streams := &Streams{Environ: []string{"XDG_CACHE_HOME=" + cache}}
	said := func(root string, found string) string {
		return "lspine: found on this machine, and started for " + root + ": " + found
	}
	ask := func(root string, ids ...string) string {
		text := foundServers(streams, root, cfg, ids)
		if before, _, ok := strings.Cut(text, ". Said once; "); ok {
			return before
		}
		return text
	}
	for i, c := range []struct {
		root string
		ids  []string
		want string
	}{
		{"/a", []string{"gopls", "pyright"}, said("/a", "gopls")},
		{"/a", []string{"gopls", "clangd", "zls"}, said("/a", "clangd, zls")},
		{"/a", []string{"gopls", "clangd", "pyright"}, ""},
		{"/b", []string{"gopls"}, said("/b", "gopls")},
		{"/b", nil, ""},
	} {
		if diff := cmp.Diff(c.want, ask(c.root, c.ids...)); diff != "" {
			t.Errorf("%d (-want +got):\n%s", i, diff)
		}
	}
	told, err := filepath.Glob(filepath.Join(cache, "lspine", "found", "*"))
	if err != nil || len(told) != 4 {
		t.Fatalf("remembered: %q, %v", told, err)
	}
	for _, name := range told {
		if err := os.Chtimes(name, time.Time{}, time.Now().Add(-foundAgain-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(said("/a", "gopls"), ask("/a", "gopls")); diff != "" {
		t.Errorf("after a long while (-want +got):\n%s", diff)
	}
	if rest, _ := filepath.Glob(filepath.Join(cache, "lspine", "found", "*")); len(rest) != 1 {
		t.Errorf("what is old is not forgotten: %q", rest)
	}
	lsptest.WriteFile(t, filepath.Join(cache, "file"), "")
	streams.Environ = []string{"XDG_CACHE_HOME=" + filepath.Join(cache, "file")}
	if got := ask("/c", "gopls"); got != "" {
		t.Errorf("where nothing can be remembered: %s", got)
	}
}
