package code

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// A Way is how a change is made.
type Way string

const (
	ByEdit  Way = "edit"  // LSPine's own
	ByWrite Way = "write" // files are written, then check is asked
	ByGit   Way = "git"   // another commit is checked out, then check is asked
	ByOnce  Way = "once"  // files are written, then an engine for one question is asked, as the command line does
)

// Ways are those that random changes are made in.
var Ways = []Way{ByEdit, ByWrite, ByGit}

// A Change is what becomes of files: new Texts, none for those that go; Moved says
// where the text of a new file was before.
type Change struct {
	Texts map[string]*string
	Moved map[string]string // by new name
}

// Set gives a file a text.
func (c *Change) Set(name, text string) { c.Texts[name] = &text }

// ChangeTo returns what makes the files those of wanted.
func ChangeTo(present, wanted map[string]string) Change {
	c := Change{Texts: make(map[string]*string), Moved: make(map[string]string)}
	for name, text := range wanted {
		if was, ok := present[name]; !ok || was != text {
			c.Set(name, text)
		}
	}
	for name := range present {
		if _, stays := wanted[name]; !stays {
			c.Texts[name] = nil
		}
	}
	c.findMoves(present)
	return c
}

// findMoves finds the files that come with a text that goes elsewhere, as git does.
func (c *Change) findMoves(present map[string]string) {
	byText := make(map[string]string)
	for name, text := range c.Texts {
		if text == nil && len(present[name]) > 20 {
			byText[present[name]] = name
		}
	}
	for name, text := range c.Texts {
		if _, there := present[name]; there || text == nil {
			continue
		}
		if from, ok := byText[*text]; ok {
			c.Moved[name] = from
			delete(byText, *text)
		}
	}
}

// Names are the files concerned, sorted.
func (c *Change) Names() []string { return slices.Sorted(maps.Keys(c.Texts)) }

// Applied returns the files after the change.
func (c *Change) Applied(files map[string]string) map[string]string {
	files = maps.Clone(files)
	for name, text := range c.Texts {
		if text == nil {
			delete(files, name)
		} else {
			files[name] = *text
		}
	}
	return files
}

// Edits is the change in the words of the operation edit.
func (c *Change) Edits() (edits []api.FileEdit) {
	gone := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(c.Moved)) {
		edits = append(edits, api.FileEdit{File: c.Moved[name], RenameTo: name})
		gone[c.Moved[name]] = true
	}
	for _, name := range c.Names() {
		_, moved := c.Moved[name]
		switch text := c.Texts[name]; {
		case moved || gone[name]:
		case text == nil:
			edits = append(edits, api.FileEdit{File: name, Delete: true})
		default:
			edits = append(edits, api.FileEdit{File: name, Content: text})
		}
	}
	return edits
}

// Write makes the change on disk.
func (c *Change) Write(t *testing.T, root string) {
	t.Helper()
	for _, name := range c.Names() {
		path := filepath.Join(root, name)
		if c.Texts[name] != nil {
			continue
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		for dir := filepath.Dir(path); dir != root && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
		}
	}
	for _, name := range c.Names() { // where a folder was, a file may come
		if text := c.Texts[name]; text != nil {
			lsptest.WriteFile(t, filepath.Join(root, name), *text)
		}
	}
}
