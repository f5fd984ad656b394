package truth

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// A way is how a change is made.
type way string

const (
	byEdit  way = "edit"  // LSPine's own
	byWrite way = "write" // files are written, then check is asked
	byGit   way = "git"   // another commit is checked out, then check is asked
	byOnce  way = "once"  // files are written, then an engine for one question is asked, as the command line does
)

var ways = []way{byEdit, byWrite, byGit}

// A change is what becomes of files: new texts, none for those that go; moved says
// where the text of a new file was before.
type change struct {
	texts map[string]*string
	moved map[string]string // by new name
}

func (c *change) set(name, text string) { c.texts[name] = &text }

// changeTo returns what makes the files those of wanted.
func changeTo(present, wanted map[string]string) change {
	c := change{texts: make(map[string]*string), moved: make(map[string]string)}
	for name, text := range wanted {
		if was, ok := present[name]; !ok || was != text {
			c.set(name, text)
		}
	}
	for name := range present {
		if _, stays := wanted[name]; !stays {
			c.texts[name] = nil
		}
	}
	c.findMoves(present)
	return c
}

// findMoves finds the files that come with a text that goes elsewhere, as git does.
func (c *change) findMoves(present map[string]string) {
	byText := make(map[string]string)
	for name, text := range c.texts {
		if text == nil && len(present[name]) > 20 {
			byText[present[name]] = name
		}
	}
	for name, text := range c.texts {
		if _, there := present[name]; there || text == nil {
			continue
		}
		if from, ok := byText[*text]; ok {
			c.moved[name] = from
			delete(byText, *text)
		}
	}
}

// names are the files concerned, sorted.
func (c *change) names() []string { return slices.Sorted(maps.Keys(c.texts)) }

// applied returns the files after the change.
func (c *change) applied(files map[string]string) map[string]string {
	files = maps.Clone(files)
	for name, text := range c.texts {
		if text == nil {
			delete(files, name)
		} else {
			files[name] = *text
		}
	}
	return files
}

// edits is the change in the words of the operation edit.
func (c *change) edits() (edits []api.FileEdit) {
	gone := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(c.moved)) {
		edits = append(edits, api.FileEdit{File: c.moved[name], RenameTo: name})
		gone[c.moved[name]] = true
	}
	for _, name := range c.names() {
		_, moved := c.moved[name]
		switch text := c.texts[name]; {
		case moved || gone[name]:
		case text == nil:
			edits = append(edits, api.FileEdit{File: name, Delete: true})
		default:
			edits = append(edits, api.FileEdit{File: name, Content: text})
		}
	}
	return edits
}

// write makes the change on disk.
func (w *world) write(t *testing.T, c change) {
	t.Helper()
	for _, name := range c.names() {
		path := filepath.Join(w.root, name)
		if text := c.texts[name]; text != nil {
			lsptest.WriteFile(t, path, *text)
			continue
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		for dir := filepath.Dir(path); dir != w.root && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		}
	}
}

// checkout makes the change a commit, beside the working tree, and switches to that.
func (w *world) checkout(t *testing.T, c change) {
	t.Helper()
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(w.root, ".git", "truth-index")}
	w.git(t, index, "", "read-tree", "HEAD")
	for _, name := range c.names() {
		if text := c.texts[name]; text != nil {
			id := w.git(t, nil, *text, "hash-object", "-w", "--stdin")
			w.git(t, index, "", "update-index", "--add", "--cacheinfo", "100644,"+id+","+name)
		} else {
			w.git(t, index, "", "update-index", "--force-remove", "--", name)
		}
	}
	tree := w.git(t, index, "", "write-tree")
	commit := w.git(t, nil, "", "commit-tree", "-p", "HEAD", "-m", "changed", tree)
	w.git(t, nil, "", "checkout", "-q", commit)
}

// asItIs fails the test if the tree is not as the driver believes.
func (w *world) asItIs(t *testing.T) {
	t.Helper()
	for name, text := range w.files {
		if content, _ := os.ReadFile(filepath.Join(w.root, name)); string(content) != text && !strings.HasSuffix(name, ".lock") {
			t.Fatalf("%s is not as it should be", name)
		}
	}
}
