package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// The folders of a server for one root are numbered from the second on.
func TestNamesOfStateFolders(t *testing.T) {
	w := open(t, "", Options{Root: t.TempDir(), StateFolder: t.TempDir()})
	base, err := w.stateBase(roots.Key{ID: "toy", Root: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 3 {
		folder, release, err := w.state(roots.Key{ID: "toy", Root: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		got = append(got, strings.TrimPrefix(folder, base))
	}
	if diff := cmp.Diff([]string{"", "-2", "-3"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	path, err := w.StatePath("toy")
	if own, _ := w.stateBase(roots.Key{ID: "toy", Root: w.Root()}); err != nil || path != own || path == base {
		t.Errorf("%s, %v", path, err)
	}
}

// The user's own configuration is not copied where it cannot be read; the server does without its copy then.
func TestConfigurationThatCannotBeCopied(t *testing.T) {
	home, state := t.TempDir(), t.TempDir()
	u := &registry.UserConfig{Variable: "TOY_CONFIG", Default: ".config", File: "toy/config.yaml", Addition: "added\n"}
	w := open(t, "", Options{Root: t.TempDir(), StateFolder: state, Environ: []string{"HOME=" + home}})
	if err := w.copyConfig(u, filepath.Join(state, "a"), "found\n"); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(state, "a", "toy", "config.yaml")); err != nil || string(text) != "added\nfound\n" {
		t.Errorf("%q, %v", text, err)
	}
	if entries, err := os.ReadDir(filepath.Join(state, "a", "toy")); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	lsptest.WriteFile(t, filepath.Join(state, "file"), "")
	if err := w.copyConfig(u, filepath.Join(state, "file"), ""); err == nil {
		t.Error("it was copied below a file")
	}
	lsptest.WriteFile(t, filepath.Join(home, ".config", "toy", "config.yaml", "x"), "")
	if err := w.copyConfig(u, filepath.Join(state, "b"), ""); err == nil {
		t.Error("a folder was copied")
	}
	filled, err := w.fillIn(roots.Candidate{Definition: registry.Definition{ID: "toy", UserConfig: u}, Root: "/w"})
	if err != nil || filled.env != nil {
		t.Errorf("%+v, %v", filled, err)
	}
	filled.release()
	homeless := open(t, "", Options{Root: t.TempDir(), Environ: []string{}})
	if folder := homeless.configFolder(u); folder != "" {
		t.Errorf("without a home it is in %s", folder)
	}
}
