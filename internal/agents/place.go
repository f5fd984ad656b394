package agents

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
)

// A Place is a person's machine, as far as agents are concerned.
type Place struct {
	// Home is the person's folder, Root that of the project; absolute.
	Home, Root string
	// State is the folder with the record of what was changed.
	State string
	// Environ is the environment, as KEY=value.
	Environ []string
}

func (p *Place) lookup(name string) string { return fspath.Here.Variable(p.Environ, name) }

// A Change is one of a file, planned or made.
type Change struct {
	Path string
	// Before is its text, if it Existed; After the one that it gets, unless it is Removed.
	Before, After    []byte
	Existed, Removed bool
	// Executable makes it a program.
	Executable bool
	// target is the file that is written, where links lead to another one than Path; "" where none do.
	target string
	// lines says that texts of the file are compared by their lines, because it is not JSON.
	lines bool
	// guide says that it is a skill: it is shown in one line, and only UninstallSkills restores what it replaced.
	guide bool
}

func readFile(path string) (text []byte, exists bool, err error) {
	text, err = fspath.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return text, err == nil, err
}

func sortedNames[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// A made change is one that was carried out, as it is kept to be taken back.
type made struct {
	// Before is the text from before, nil if there was no file.
	Before *[]byte `json:"before"`
	// After is the hash of the text that we wrote.
	After string `json:"after"`
}

// A record is what was changed of a person's files and is still so.
type record struct {
	// Files are the changes by path, Folders those that were made for them.
	Files   map[string]made `json:"files"`
	Folders []string        `json:"folders,omitempty"`
}

// RecordFile returns the path of the record of what Apply has written.
func (p *Place) RecordFile() string { return filepath.Join(p.State, "agents.json") }

func (p *Place) readRecord() (*record, error) {
	r := &record{}
	text, exists, err := readFile(p.RecordFile())
	if err != nil {
		return nil, err
	}
	if exists {
		if err := json.Unmarshal(text, r); err != nil {
			return nil, fmt.Errorf("%s: %w", p.RecordFile(), err)
		}
	}
	if r.Files == nil {
		r.Files = make(map[string]made)
	}
	return r, nil
}

// Written returns the files that Apply has written to and that are still there, by path.
func (p *Place) Written() ([]string, error) {
	all, err := p.readRecord()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(sortedNames(all.Files), func(path string) bool { return !exists(path) }), nil
}

// Forget removes the record of what Apply has written: nothing can be given back as it was then.
func (p *Place) Forget() error { return p.writeRecord(&record{}) }

func (p *Place) writeRecord(r *record) error {
	if len(r.Files)+len(r.Folders) == 0 {
		if err := os.Remove(p.RecordFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_ = os.Remove(p.State) // unless there is more in it
		return nil
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.State, 0o700); err != nil {
		return err
	}
	return replace(p.RecordFile(), append(text, '\n'), 0o600)
}

// restore makes changes that take our part out of files give them back byte for byte, where
// they are still as we left them and nothing else of ours is in them.
func (p *Place) restore(changes []Change) error {
	all, err := p.readRecord()
	if err != nil {
		return err
	}
	for i := range changes {
		c := &changes[i]
		m, kept := all.Files[c.Path]
		if kept && !c.guide && m.Before != nil && m.After == hash(c.Before) && c.saysWhat(*m.Before) {
			c.After, c.Removed = *m.Before, false
		}
	}
	return nil
}

// saysWhat reports whether the file will say what a text does.
func (c *Change) saysWhat(text []byte) bool {
	if c.lines {
		return bytes.Equal(bytes.TrimRight(text, "\n"), bytes.TrimRight(c.After, "\n"))
	}
	return sameJSON(text, c.After)
}

// sameJSON reports whether two files say the same, whatever their blanks and comments, and
// whether or not they have places for what we write.
func sameJSON(a, b []byte) bool {
	var texts [2]string
	for i, text := range [][]byte{a, b} {
		f, err := parseJSON(text)
		if err != nil {
			return false
		}
		f.dropEmptyPlaces()
		texts[i] = string(decoded(&f.root))
	}
	return texts[0] == texts[1]
}

// Apply makes changes, in their order, and keeps what is needed to take them back. A file
// that is no longer as it was planned for is an error, and is not changed.
func (p *Place) Apply(changes []Change) error {
	all, err := p.readRecord()
	if err != nil {
		return err
	}
	for _, c := range changes {
		if target, err := p.target(c.Path); err != nil || target != c.target {
			return cmp.Or(err, fmt.Errorf("%s has changed meanwhile; nothing was written to it", c.Path))
		}
		now, exists, err := readFile(c.Path)
		if err != nil {
			return err
		}
		if exists != c.Existed || !bytes.Equal(now, c.Before) {
			return fmt.Errorf("%s has changed meanwhile; nothing was written to it", c.Path)
		}
		if err := all.carryOut(c); err != nil {
			return err
		}
		if err := p.writeRecord(all); err != nil {
			return err
		}
	}
	return nil
}

// carryOut makes one change and notes it.
func (r *record) carryOut(c Change) error {
	kept, known := r.Files[c.Path]
	if c.Removed {
		delete(r.Files, c.Path)
		err := os.Remove(c.Path)
		r.removeFolders()
		return err
	}
	switch {
	case known && kept.Before != nil && bytes.Equal(*kept.Before, c.After), // it is as it was
		known && !c.guide && kept.After != hash(c.Before): // others have changed it since
		delete(r.Files, c.Path)
	case known:
		kept.After = hash(c.After)
		r.Files[c.Path] = kept
	default:
		m := made{After: hash(c.After)}
		if c.Existed {
			m.Before = &c.Before
		}
		r.Files[c.Path] = m
		r.Folders = append(r.Folders, missingFolders(filepath.Dir(c.Path))...)
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if c.Executable {
		mode = 0o755
	}
	if info, err := os.Stat(c.Path); err == nil {
		mode = info.Mode().Perm()
	}
	return replace(c.Path, c.After, mode)
}

// removeFolders removes the folders that were made for files and are empty again.
func (r *record) removeFolders() {
	for i := len(r.Folders) - 1; i >= 0; i-- {
		if err := os.Remove(r.Folders[i]); err == nil || errors.Is(err, fs.ErrNotExist) {
			r.Folders = slices.Delete(r.Folders, i, i+1)
		}
	}
}

// missingFolders returns the folders that are not there, the outermost first.
func missingFolders(folder string) (missing []string) {
	for {
		if _, err := os.Stat(folder); err == nil || folder == filepath.Dir(folder) {
			slices.Reverse(missing)
			return missing
		}
		missing = append(missing, folder)
		folder = filepath.Dir(folder)
	}
}

// replace writes a file in one rename. A link stays one: what it names is written.
func replace(path string, text []byte, mode fs.FileMode) error {
	if target, err := fspath.Real(path); err == nil {
		path = target
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".lspine-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(mode), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Diff returns a change as a unified diff, as people read it; that of a skill is a line.
func (c *Change) Diff() string {
	if c.guide {
		return c.line()
	}
	name := c.Path
	if c.target != "" {
		name += " (a link to " + c.target + ")"
	}
	before, after := legible.Line(name), legible.Line(name)
	if !c.Existed {
		before = os.DevNull
	}
	if c.Removed {
		after = os.DevNull
	}
	return udiff.Unified(before, after, string(c.Before), string(c.After))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
