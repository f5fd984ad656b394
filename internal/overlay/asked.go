package overlay

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/fspath"
)

// Asked says of whom a question was asked.
type Asked struct {
	// Servers are the ids of the servers, sorted.
	Servers []string
	// Names are those that were searched for in the whole workspace.
	Names []string
	// Failed says that a server which should have been searched could not be.
	Failed bool
}

// Noting returns a view that calls note with what each question to servers was asked of, before its answer is returned.
// A question that is put again is noted again.
func (v *View) Noting(note func(Asked)) *View {
	noting := *v
	noting.note = note
	return &noting
}

// asked returns what this access was used for.
func (a *Access) asked() Asked {
	a.mu.Lock()
	defer a.mu.Unlock()
	return Asked{Servers: slices.Sorted(maps.Keys(a.last)), Names: slices.Clone(a.searched), Failed: a.failed}
}

// search notes that a name is searched for, and how that ended.
func (a *Access) search(name string, failures []error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.searched = append(a.searched, name)
	a.failed = a.failed || len(failures) > 0
}

// OnDisk reports whether the texts that count for the caller are those on disk, all of them. Before that it looks at
// the disk, as [Ask] does, unless the process runs one operation only.
func (v *View) OnDisk(ctx context.Context) (bool, error) {
	if v.drafted != nil {
		return false, nil
	}
	held, given := v.texts.differing()
	if held {
		return false, nil
	}
	for path, text := range given {
		if onDisk, err := fspath.Read(path); err != nil || !bytes.Equal(onDisk, text) {
			return false, nil
		}
	}
	if v.texts.opts.Once {
		return true, nil
	}
	if err := v.texts.Remember(ctx); err != nil {
		return false, err
	}
	swept, err := v.texts.opts.Workspace.Look(ctx, v.texts.Held())
	if err != nil {
		return false, err
	}
	v.texts.Noticed(swept)
	return true, nil
}

// Changes counts the changes of texts that servers are shown instead of those on disk. If it is the same before a question and after it,
// and [View.OnDisk] holds then, servers were shown the texts on disk all the time.
func (v *View) Changes() uint64 {
	v.texts.mu.Lock()
	defer v.texts.mu.Unlock()
	return v.texts.changes
}

// told notes that servers have heard of a change of texts.
func (t *Texts) told() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changes++
}

// differing returns the texts that count instead of those on disk, by path, and whether servers may be shown
// others.
func (t *Texts) differing() (held bool, given map[string][]byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	given = maps.Clone(t.opened)
	maps.Copy(given, t.pending)
	return len(t.held) > 0, given
}
