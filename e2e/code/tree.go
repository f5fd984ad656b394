package code

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lspine/lspine/e2e/judge"
	"github.com/lspine/lspine/internal/lsptest"
)

// Excluded is what servers and compilers write.
const Excluded = "target/\nnode_modules/\n.project\n.classpath\n.settings/\nbin/\n" +
	"Cargo.lock\n*.tsbuildinfo\ncompile_commands.json\n__pycache__/\n.cache/\n"

// A Tree is a project on disk, and what was said of it.
type Tree struct {
	Project
	Dialect
	Server string
	Judge  judge.Judge
	Root   string
	Host   json.RawMessage // settings of the engine
	// Base are the files as planted, Files as they are.
	Base, Files map[string]string
	// tainted are files of which something wrong was said that the table of limits
	// explains, with the entry: what is said of them later may follow from that.
	tainted map[string]*Limit
	// untold are files with errors that an answer left out, and said so.
	untold map[string]bool
	Tally  Tally
}

// Plant puts a project into a folder of its own.
func Plant(t *testing.T, p Project, server string) *Tree {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &Tree{Project: p, Dialect: dialectOf(server), Server: server, Judge: judge.For(t, server), Root: root}
	w.Forget()
	if len(p.Real) > 0 {
		lsptest.CopyTree(t, root, lsptest.Fetched(t, p.Real[0]), p.Real[1:]...)
	}
	for name, text := range p.Laid {
		lsptest.WriteFile(t, filepath.Join(root, name), text)
	}
	for _, l := range p.Links {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, l[0])), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(l[1], filepath.Join(root, l[0])); err != nil {
			t.Fatal(err)
		}
	}
	w.Files = w.onDisk(t)
	if len(p.Flags) > 0 {
		w.compileCommands(t)
		w.Look(t)
	}
	if p.Maven {
		w.Host = mavenSettings(t)
	}
	w.Base = maps.Clone(w.Files)
	return w
}

// Look notes what is on disk.
func (w *Tree) Look(t *testing.T) { w.Files = w.onDisk(t) }

func (w *Tree) onDisk(t *testing.T) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for _, name := range judge.Files(t, w.Root) {
		content, err := os.ReadFile(filepath.Join(w.Root, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(content)
	}
	return files
}

// Forget forgets what was said of files.
func (w *Tree) Forget() {
	w.tainted, w.untold = make(map[string]*Limit), make(map[string]bool)
}

// Sources are the names of the files that random changes are made in, sorted.
func (w *Tree) Sources() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(w.Files)) {
		if slices.Contains(w.endings, filepath.Ext(name)) {
			names = append(names, name)
		}
	}
	return names
}
