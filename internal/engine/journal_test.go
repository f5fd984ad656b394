package engine

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
)

// Without a home folder, the journal of edits is in a folder that nobody can have made before, and that others cannot
// read: a journal that somebody put where one would be by its name is not carried out. It goes with the engine.
func TestJournalWithoutAHomeFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		lsptest.Skip(t, "the folder for temporary files is the user's own")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	cfg, _ := config.Load(config.Options{Environ: []string{}})
	cfg.Servers = nil
	root := lsptest.Workspace(t, "-- a.txt --\nmine\n-- b.txt --\ntheirs\n")
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	planted := filepath.Join(temporary, "lspine", "journal", edit.Hash([]byte(real))[:16])
	lsptest.WriteFile(t, filepath.Join(planted, "edit-x.moving"), `{"moves":[{"path":"`+filepath.Join(real, "a.txt")+`","backup":"`+filepath.Join(real, "b.txt")+`","before":"`+edit.Hash([]byte("theirs\n"))+`","after":"`+edit.Hash([]byte("mine\n"))+`"}]}`)
	e, err := New(Options{Root: root, Config: cfg, StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	text := "written\n"
	if _, err := api.EditFiles.Do(t.Context(), e, api.EditRequest{Edits: []api.FileEdit{{File: "new.txt", Content: &text}}}); err != nil {
		t.Error(err)
	}
	made := func() (names []string) {
		entries, err := os.ReadDir(temporary)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				t.Fatal(err)
			}
			name := entry.Name()
			if rest, alone := strings.CutPrefix(name, "lspine-journal-"); alone && len(rest) >= 6 {
				name = "lspine-journal-* " + info.Mode().Perm().String()
			}
			if !strings.HasPrefix(name, "lspine-look-") { // how a watch shows that it has reported everything
				names = append(names, name)
			}
		}
		return names
	}
	if diff := cmp.Diff([]string{"lspine", "lspine-journal-* -rwx------"}, made()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"lspine"}, made()); diff != "" {
		t.Errorf("after the end (-want +got):\n%s", diff)
	}
	got := make(map[string]string)
	for _, name := range []string{"a.txt", "b.txt", "new.txt"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(content)
	}
	if diff := cmp.Diff(map[string]string{"a.txt": "mine\n", "b.txt": "theirs\n", "new.txt": "written\n"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
